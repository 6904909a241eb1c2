"""The whole idea: operators record what they do, and backward walks through the recorded graph.

To see these files run, start `python -m minigrad.core`. It computes y = (w + x) * (w + 1) and its
derivative with the core alone, and prints the calls in order. In an ordinary program, set the
environment variable MINIGRAD_FAST=0 before you set a breakpoint: then every operator runs
`record.call`. Without it, ../_call/fast.py compiles a faster copy for each operator, and `w + x`
stops at no breakpoint in record.py. Of backward, it replaces `Node.send`, but not `engine.run`.

Read the files in this order. Each one uses only those above it.

    rules.py    an operator is its value and one slope for each input; ops/ holds the rows
    modes.py    are operators recorded now? (no_grad)
    tensor.py   an array that remembers where it came from
    seams.py    the functions that other folders may replace
    node.py     what is recorded: edges, and the values that slopes need
    record.py   what happens when an operator is called
    engine.py   what backward does
    forms.py    backward on arrays or on Tensors: derivatives of derivatives

Then you know what y = (w + x) * (w + 1) records, and what y.backward() does. With the rows in ops/,
which use _machine/backend.py, the core finds the first and second derivative of every operator that
has one. Imports NumPy and itself.
"""

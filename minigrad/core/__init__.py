"""The idea, whole: operators that record themselves, and a backward that walks what they recorded.

First, what runs. After `import minigrad`, a breakpoint in `record.call` does not stop at `w + x`:
../_call/fast.py has written `call`, and each node's `send`, out for the common case, and these
faster copies run. Set MINIGRAD_FAST=0 in the environment, or delete _call/fast.py and
_call/fast_several.py: then each operator goes through `call`, and the results are the same. `python
-m minigrad.core` runs the core alone, for y = (w + x) * (w + 1) and its backward: it prints each
call, in order, with its result.

Read the files in this order; each stands on those before it, and none is longer than a few screens.

    rules.py    an operator is its value and one slope for each input; ops/ holds the rows
    modes.py    is anything recorded?
    tensor.py   an array that remembers where it came from
    seams.py    where all that PyTorch adds comes in
    node.py     what it remembers: edges, and what the slopes need
    record.py   what happens when an operator is called
    engine.py   what backward does
    forms.py    the same, recorded: derivatives of derivatives

Then you know what y = (w + x) * (w + 1) records, and what y.backward() does. The core is complete:
with ops/ alone beside it, it differentiates every operator, once and twice.
Imports NumPy and itself.
"""

"""The idea, whole: operators that record themselves, and a backward that walks what they recorded.

Read the files in this order; each stands on those before it, and none is longer than a few screens.

    rules.py    an operator is its value and one slope an input; ops/ holds the rows
    modes.py    is anything recorded?
    tensor.py   an array that remembers where it came from
    seams.py    where all that PyTorch adds comes in
    node.py     what it remembers: edges, and what the slopes need
    record.py   what happens when an operator is called
    engine.py   what backward does
    forms.py    the same, recorded: derivatives of derivatives

Then you know what y = (w + x) * (w + 1) records, and what y.backward() does. What stands here is
what runs; and it runs alone: with ops/ beside it, it differentiates every operator, once and twice.
Imports NumPy and itself.
"""

"""From a user's call to an operator: the arguments, what PyTorch settles before a value, the fast path.

check.py         PyTorch's words for what does not fit: sizes, axes, shapes
kinds.py         flags, numbers and types among the arguments
arguments.py     PyTorch's words for an argument that should be a tensor
dispatch.py      types are settled, values computed, errors explained
fast.py          core's `call`, written out for the common case of each operator
fast_several.py  the same for operators that take or give several tensors
operators.py     the functions that Tensor's methods call

Each file imports only those above it, _engine/, ops/, core/, _machine/ and _messages/.
"""

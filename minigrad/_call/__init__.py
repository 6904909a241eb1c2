"""What happens between a user's call and an operator: arguments, result types, errors, and the fast path.

check.py         PyTorch's messages for sizes, axes and shapes that do not fit
kinds.py         checks flags, numbers and types among the arguments
arguments.py     PyTorch's messages for an argument that should be a tensor
dispatch.py      determines types, computes values, explains errors
fast.py          core's `call`, written out for the common case of each operator
fast_several.py  the same for operators that take or give several tensors
operators.py     the functions that Tensor's methods call

Each file imports only those above it, _engine/, ops/, core/, _machine/ and _messages/.
"""

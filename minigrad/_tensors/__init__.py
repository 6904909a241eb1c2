"""What a user works with: the class Tensor, its methods, and the functions that make tensors.

indices.py   what `x[index]` means
inplace.py   operators that overwrite their first input
copies.py    deepcopy, copy and pickle
methods/     Tensor's methods, which are minigrad's functions too, one file a family
creation.py  tensors from numbers, from NumPy, from nothing, from the random generator
printing.py  how a tensor is written
limits.py    the limits of a type, and the type that two make together
oldtypes.py  the older types of tensors: `torch.FloatTensor`
tensor.py    Tensor itself

Imports _call/ and the folders below it.
"""

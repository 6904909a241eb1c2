"""The limits of a type, and the type that two operands make: `finfo(float32).eps`, `result_type(x, 2)`.

Imports arguments, dtypes and storage. Read next: _machine/dtypes.py.
"""

import numpy as np

from .._call.arguments import no_tensor, takes_tensors
from .._engine.storage import TensorBase
from .._machine import dtypes


class _Limits:
    """The limits of a type; printed as PyTorch prints them."""

    fields: tuple[str, ...] = ()

    def __init__(self, dtype):
        self.dtype, self.bits = dtype.name, 8 * dtype.itemsize

    def __repr__(self):
        said = ", ".join(f"{name}={getattr(self, name):.6g}" for name in self.fields)
        return f"{type(self).__name__}({said}, dtype={self.dtype})"


class finfo(_Limits):
    """The limits of a floating-point type; of the default one if none is given.

    >>> finfo(dtypes.float32).eps, finfo(dtypes.float16).max
    (1.1920928955078125e-07, 65504.0)
    """

    fields = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")

    def __init__(self, type=None):
        dtype = dtypes.get_default_dtype() if type is None else type
        if not dtype.is_floating_point:
            raise TypeError(  # PyTorch's message contains this mistake, too
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
            )
        super().__init__(dtype)
        info = np.finfo(dtype.numpy)
        self.min, self.max, self.eps = float(info.min), float(info.max), float(info.eps)
        self.tiny = self.smallest_normal = float(info.smallest_normal)
        self.resolution = 10.0**-info.precision


class iinfo(_Limits):
    """The limits of a type of integers.

    >>> iinfo(dtypes.uint8).max, iinfo(dtypes.int32).bits
    (255, 32)
    """

    fields = ("min", "max")

    def __init__(self, type):
        if type.is_floating_point:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        if type is dtypes.bool:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        super().__init__(type)
        self.min, self.max = (int(n) for n in (np.iinfo(type.numpy).min, np.iinfo(type.numpy).max))


def result_type(tensor1, tensor2, /):
    """The type that two tensors or numbers make together.

    >>> torch.result_type(torch.ones(1), 2), torch.result_type(2, 0.5)
    (torch.float32, torch.float32)
    """
    operands = []
    for x in (tensor1, tensor2):
        if isinstance(x, TensorBase):
            operands.append((dtypes.from_numpy(x._data.dtype), 2 if x._data.ndim else 1))
        else:
            operands.append((dtypes.number_type(x), 0))
    return dtypes.result_type(operands)


def can_cast(from_, to, /):
    """May a result of the first type be written into the second? Floats not into integers, numbers not into bools.

    >>> torch.can_cast(torch.int64, torch.float32), torch.can_cast(torch.float32, torch.int64)
    (True, False)
    """
    return dtypes.category(from_) <= dtypes.category(to)


def is_tensor(obj, /):
    """Is it a tensor?

    >>> torch.is_tensor(torch.ones(1)), torch.is_tensor([1.0])
    (True, False)
    """
    return isinstance(obj, TensorBase)


@takes_tensors
def is_nonzero(input):
    """Is its single element not 0? Raises RuntimeError for several elements.

    >>> torch.is_nonzero(torch.tensor([0.0])), torch.is_nonzero(torch.tensor(3))
    (False, True)
    """
    return input.__bool__()


def is_complex(input, /):
    """Are its elements complex? Always False: minigrad has no complex numbers.

    >>> torch.is_complex(torch.tensor([1.0]))
    False
    """
    if not isinstance(input, TensorBase):
        raise no_tensor("is_complex", "input", 1, input)
    return False


__all__ = ["finfo", "iinfo", "result_type", "can_cast", "is_tensor", "is_nonzero", "is_complex"]

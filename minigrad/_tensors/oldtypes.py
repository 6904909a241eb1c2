"""PyTorch's older types of tensors: `torch.FloatTensor(2, 3)`, `isinstance(x, torch.LongTensor)`, `x.type(…)`.

A tensor is an instance if its dtype is the type's; calling the type makes one. Imports creation and dtypes.
Read next: methods/conversion.py, where `type` is.
"""

from .._engine.storage import TensorBase
from .._machine import dtypes
from .._messages.once import warn_once
from .creation import old_constructor
from .methods.conversion import named_type


class OldType(type):
    """The class of these types: `dtype` is the dtype of their tensors."""

    dtype: dtypes.dtype

    def __call__(cls, *data, size=None):
        return old_constructor(cls.dtype, *data, size=size)

    def __instancecheck__(cls, x):
        return isinstance(x, TensorBase) and x.dtype is cls.dtype

    def __repr__(cls):
        return f"<class 'torch.{cls.__name__}'>"


def _old(dtype):
    """The older type of tensors of this dtype.

    >>> LongTensor([1.7, 2]), LongTensor(2), isinstance(LongTensor(2), LongTensor)
    (tensor([1, 2]), tensor([0, 0]), True)
    """
    said = f"Tensors of {dtype}. A call makes one: of a list the numbers, of sizes zeros."
    return OldType(f"{dtype.legacy}Tensor", (), {"dtype": dtype, "__module__": "torch", "__doc__": said})


FloatTensor, DoubleTensor, HalfTensor = _old(dtypes.float32), _old(dtypes.float64), _old(dtypes.float16)
LongTensor, IntTensor, ShortTensor = _old(dtypes.int64), _old(dtypes.int32), _old(dtypes.int16)
CharTensor, ByteTensor, BoolTensor = _old(dtypes.int8), _old(dtypes.uint8), _old(dtypes.bool)


def set_default_tensor_type(t, /):
    """`set_default_dtype`, given an older type or its name.

    >>> torch.set_default_tensor_type(torch.DoubleTensor)  # doctest: +SKIP
    >>> torch.set_default_dtype(torch.float64)  # does the same, and is not deprecated
    >>> torch.tensor(1.0).dtype
    torch.float64
    >>> torch.set_default_dtype(torch.float32)
    """
    warn_once(
        "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use torch.set_default_dtype() and "
        "torch.set_default_device() as alternatives.",
        stacklevel=2,
    )
    dtypes.set_default_dtype(named_type(t))


__all__ = [*(name for name in globals() if name.endswith("Tensor")), "set_default_tensor_type"]

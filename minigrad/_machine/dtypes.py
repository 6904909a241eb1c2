"""The types of a tensor's elements, and the common type of two of them.

The types, such as `minigrad.float32`, print as PyTorch's do and have an attribute for NumPy's type. Promotion is
PyTorch's, not NumPy's: int64 with float32 makes float32; a 0-d tensor or a Python number does not
widen a tensor of its own category. Imports NumPy alone. Read next: _call/dispatch.py, which applies this.
"""

from __future__ import annotations

import builtins
import functools
from typing import Any

import numpy as np

from .._messages.foreign import type_name
from .._messages.names import Printed


class dtype(metaclass=Printed):
    """An element type. `itemsize` is in bytes.

    >>> float32, float32.itemsize, float32.is_floating_point
    (torch.float32, 4, True)
    """

    __slots__ = ("c_name", "is_floating_point", "itemsize", "legacy", "name", "numpy")
    of: dict[np.dtype[Any], dtype] = {}

    def __init__(self, name: str, legacy: str, c_name: str):
        self.name = name
        self.legacy, self.c_name = legacy, c_name  # names in errors: torch.FloatTensor, "Float"; in C++, "float"
        self.numpy = np.dtype(name)
        self.itemsize = self.numpy.itemsize
        self.is_floating_point = self.numpy.kind == "f"
        dtype.of[self.numpy] = self

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return self.name  # copying gives the same object


bool = dtype("bool", "Bool", "bool")
uint8 = dtype("uint8", "Byte", "unsigned char")
int8 = dtype("int8", "Char", "signed char")
int16 = short = dtype("int16", "Short", "short int")
int32 = int = dtype("int32", "Int", "int")
int64 = long = dtype("int64", "Long", "long int")
float16 = half = dtype("float16", "Half", "c10::Half")
float32 = float = dtype("float32", "Float", "float")
float64 = double = dtype("float64", "Double", "double")

_default = float32


def get_default_dtype() -> dtype:
    """The type of a tensor made from Python floats: float32 unless set otherwise.

    >>> torch.get_default_dtype(), torch.tensor(1.0).dtype
    (torch.float32, torch.float32)
    """
    return _default


def set_default_dtype(d: dtype, /) -> None:
    """Set the type of tensors that are made from Python floats, or by functions such as `zeros`.

    Raises TypeError unless `d` is a floating-point type.

    >>> torch.set_default_dtype(torch.float64)
    >>> torch.tensor(1.0).dtype
    torch.float64
    >>> torch.set_default_dtype(torch.float32)
    """
    global _default
    if not isinstance(d, dtype) or not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _default = d


def from_numpy(array_dtype: np.dtype[Any]) -> dtype:
    """minigrad's type for a NumPy type; TypeError, in PyTorch's words, if there is none."""
    try:
        return dtype.of[array_dtype]
    except KeyError:
        raise TypeError(
            f"can't convert np.ndarray of type numpy.{array_dtype.type.__name__}. The only supported types are: "
            "float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, "
            "uint8, and bool."
        ) from None


def number_type(number: Any) -> dtype:
    """The type of a tensor made from this Python number: bool, int64 or the default float; TypeError if it is no
    number."""
    if isinstance(number, builtins.bool | np.bool_):
        return bool
    if not isinstance(number, builtins.int | builtins.float | np.number):
        raise TypeError(f"must be Number, not {type_name(number)}")
    return int64 if isinstance(number, builtins.int | np.integer) else _default


def category(d: dtype) -> builtins.int:
    """0 for bool, 1 for integers, 2 for floating point."""
    return 2 if d.is_floating_point else builtins.int(d is not bool)


def promote_types(a: dtype, b: dtype, /) -> dtype:
    """The smallest type that holds both; an integer never widens a float.

    >>> torch.promote_types(torch.int64, torch.float16), torch.promote_types(torch.uint8, torch.int8)
    (torch.float16, torch.int16)
    """
    if category(a) != category(b):
        return a if category(a) > category(b) else b
    return dtype.of[np.promote_types(a.numpy, b.numpy)]


def result_type(operands: list[tuple[dtype, builtins.int]]) -> dtype:
    """The common type of operands given as (type, priority).

    Priority 2: tensors with axes; 1: 0-d tensors; 0: Python numbers. A lower priority counts only
    when its category is higher (so `int_tensor + 0.5` is float, `float32_tensor + float64_scalar` float32).
    """
    result: Any = None
    for priority in (2, 1, 0):
        here = [d for d, p in operands if p == priority]
        if here:
            common = functools.reduce(promote_types, here)
            if result is None or category(common) > category(result):
                result = common
    return result


PYTHON_TYPES = {builtins.float: float64, builtins.int: int64, builtins.bool: bool}


def python_type(kind: Any) -> Any:
    """The dtype for `float`, `int` or `bool`; any other value unchanged.

    >>> python_type(type(0.5))
    torch.float64
    """
    return PYTHON_TYPES.get(kind, kind) if isinstance(kind, type) else kind


__all__ = ["dtype", "get_default_dtype", "set_default_dtype", "promote_types"]
__all__ += ["bool", "uint8", "int8", "int16", "short", "int32", "int", "int64", "long"]
__all__ += ["float16", "half", "float32", "float", "float64", "double"]

"""A GPU that is none: the part of CuPy that minigrad uses, on the devices of array-api-strict.

Those hold ordinary numbers and refuse to be mixed with others, as a GPU's do. Put in place of `cupy`, with two devices.
Read next: test_devices.py.
"""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import array_api_strict as strict
import numpy as np

DEVICES = (strict.Device("device1"), strict.Device("device2"))
MAKERS = {"arange", "asarray", "empty", "eye", "full", "linspace", "ones", "zeros"}


class Namespace:
    """The standard's functions for the arrays of one device; what they make lies there too."""

    __name__ = "cupy"

    def __init__(self, device: Any):
        self.device = device

    def __getattr__(self, name: str) -> Any:
        if isinstance(getattr(np, name, None), type):
            return getattr(np, name)  # a dtype
        function = getattr(strict, name)

        def call(*args: Any, **options: Any) -> Any:
            if isinstance(options.get("dtype"), np.dtype):
                options["dtype"] = getattr(strict, options["dtype"].name)
            if name in MAKERS and not any(isinstance(x, Array) for x in args):
                options["device"] = self.device
            return wrapped(function(*map(bare, args), **options))

        return call


class Array:
    """What minigrad asks of CuPy's arrays."""

    __array_ufunc__ = None  # NumPy shall not try
    base = None
    flags = SimpleNamespace(c_contiguous=True)  # CuPy's say nothing of writing

    def __init__(self, numbers: Any):
        self.numbers = numbers
        self.shape, self.ndim, self.size = numbers.shape, numbers.ndim, numbers.size
        self.dtype = np.dtype(str(numbers.dtype).rpartition(".")[2])
        self.device = SimpleNamespace(id=DEVICES.index(numbers.device))

    def __array_namespace__(self) -> Namespace:
        return Namespace(self.numbers.device)

    def get(self) -> np.ndarray:
        return np.array(self.numbers.to_device(strict.Device("CPU_DEVICE")))

    def copy(self) -> Array:
        return Array(strict.asarray(self.numbers, copy=True))

    def fill(self, number: float) -> None:
        self.numbers[...] = number

    def astype(self, dtype: Any) -> Array:
        return Array(strict.astype(self.numbers, getattr(strict, np.dtype(dtype).name)))

    def __getitem__(self, index: Any) -> Array:
        return Array(self.numbers[bare(index)])

    def __setitem__(self, index: Any, value: Any) -> None:
        self.numbers[bare(index)] = bare(value)

    def __array_function__(self, function: Any, *call: Any) -> None:
        raise TypeError(f"Unsupported type {type(self)} in {function.__name__}")

    @property
    def T(self) -> Array:
        return Array(self.numbers.T)


def bare(x: Any) -> Any:
    """The strict array in an Array; NumPy's are refused, as CuPy refuses them."""
    if isinstance(x, np.ndarray):
        raise TypeError(f"Unsupported type {type(x)}")
    if isinstance(x, np.dtype):
        return getattr(strict, x.name)
    if isinstance(x, list | tuple):
        return type(x)(map(bare, x))
    return x.numbers if isinstance(x, Array) else x


def wrapped(x: Any) -> Any:
    return type(x)(map(wrapped, x)) if isinstance(x, list | tuple) else Array(x) if hasattr(x, "to_device") else x


def operator(name: str) -> Any:
    return lambda self, *other: wrapped(getattr(self.numbers, name)(*map(bare, other)))


for each in "add sub mul truediv pow matmul radd rsub rmul rtruediv eq ne lt le gt ge and or neg invert".split():
    setattr(Array, f"__{each}__", operator(f"__{each}__"))


def asarray(array: np.ndarray) -> Array:
    return Array(strict.asarray(array, device=current[-1]))


class Device(nullcontext):
    """`with Device(1):` what is made lies on the second device."""

    def __init__(self, number: int):
        super().__init__()
        self.number = number

    def __enter__(self) -> None:
        current.append(DEVICES[self.number])

    def __exit__(self, *error: object) -> None:
        current.pop()


current = [DEVICES[0]]
cuda = SimpleNamespace(Device=Device, runtime=SimpleNamespace(getDeviceCount=lambda: len(DEVICES)))

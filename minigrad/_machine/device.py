"""Devices for arrays: the CPU, or a GPU if there is one and CuPy is installed.

Imports NumPy and interrupts; CuPy only when asked for. Read next: _tensors/tensor.py (`to`, `cuda`, `cpu`).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .._messages.foreign import refuse
from .._messages.names import Printed
from .interrupts import Block, Exit

TYPES = "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, "
TYPES += "mtia, privateuseone"


class device(metaclass=Printed):
    """A device for arrays, as in PyTorch: `device("cpu")`, `device("cuda", 0)`.

    >>> device("cpu"), str(device("cuda:1"))
    (device(type='cpu'), 'cuda:1')
    """

    __slots__ = ("index", "type")
    type: str
    index: int | None
    default: device  # the device of new tensors if none is named
    outer: list[device] = []  # the defaults outside each `with device(…):` that has been entered and not left

    def __init__(self, type: Any, index: int | None = None):
        if isinstance(type, int):
            type, index = "cuda", type
        name, _, number = str(type).partition(":")
        if name not in TYPES.split(", "):
            refuse("device()", type)
        if name not in TYPES.split(", ") or (number and not number.isdigit()):
            raise RuntimeError(f"Expected one of {TYPES} device type at start of device string: {name}")
        self.type = name
        self.index = int(number) if number else index

    def __repr__(self) -> str:
        return f"device(type='{self.type}'" + (f", index={self.index})" if self.index is not None else ")")

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, device):
            return NotImplemented
        return self.type == other.type and (self.index or 0) == (other.index or 0)

    def __hash__(self) -> int:
        return hash((self.type, self.index or 0))

    def __enter__(self) -> device:
        outside = len(device.outer)
        try:
            device.outer.append(device.default)
            device.default = self
        except BaseException:  # also after Ctrl-C
            del device.outer[outside:]
            raise
        return self

    _leave = Block()
    __exit__ = Exit("_leave")


# The end of each such block restores the outer default. It is written in C, so that Ctrl-C can't come before it
device._leave.close = partial(next, map(partial(setattr, device, "default"), iter(device.outer.pop, None)))
CPU = device.default = device("cpu")


class Elsewhere:
    """`used` becomes True when an array is moved to a GPU: from then on, a graph may use several devices."""

    used = False


def device_of(array: Any) -> device:
    """The device that an array is on."""
    if isinstance(array, np.ndarray):
        return CPU
    return device("cuda", array.device.id) if hasattr(array.device, "id") else CPU


def device_count() -> int:
    """The number of GPUs that CuPy, if it is installed, can use."""
    try:
        import cupy  # type: ignore[import-not-found]

        return int(cupy.cuda.runtime.getDeviceCount())
    except Exception:  # no CuPy, no driver or no GPU: in every case, there is no CUDA
        return 0


def is_available() -> bool:
    """Is there a GPU that CuPy can use?"""
    return device_count() > 0


def move(array: Any, to: device) -> Any:
    """A copy of the array on another device; AssertionError, in PyTorch's words, if there is no CUDA."""
    if to.type == "cpu":
        return array.get() if hasattr(array, "get") else array
    if to.type == "meta":  # every PyTorch has the device "meta"
        raise RuntimeError("PyTorch has the device 'meta', minigrad does not: see 'What is not here' in its README")
    if to.type not in ("cuda", "xpu"):
        raise RuntimeError(f"PyTorch is not linked with support for {to.type} devices")
    if to.type == "xpu" or not is_available():
        raise AssertionError(f"Torch not compiled with {to.type.upper()} enabled")
    import cupy

    Elsewhere.used = True

    with cupy.cuda.Device(to.index or 0):
        return cupy.asarray(array)

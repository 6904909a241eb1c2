"""Switches of PyTorch's that a program may set at its top: they are kept, and asked for, and change nothing here.

Everything runs in one thread of ours (NumPy's own are set by its environment), on one device unless it is named, and
gives the same numbers each time. Imports device and foreign. Read next: backends/__init__.py, more such switches.
"""

from __future__ import annotations

import os
import warnings
from typing import Any

from .._messages.foreign import type_name
from .device import CPU
from .device import device as Device

kept: dict[str, Any] = {
    "deterministic": 0,
    "precision": "highest",
    "threads": None,
    "interop": None,
    "told": None,
}


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Ask that the same program give the same numbers, which it does anyway.

    >>> torch.use_deterministic_algorithms(True)
    >>> torch.are_deterministic_algorithms_enabled()
    True
    >>> torch.use_deterministic_algorithms(False)
    """
    if not isinstance(mode, bool):
        raise TypeError(
            f"_set_deterministic_algorithms(): argument 'mode' (position 1) must be bool, not {type_name(mode)}"
        )
    kept["deterministic"] = (1 if warn_only else 2) if mode else 0


def are_deterministic_algorithms_enabled() -> bool:
    """Was `use_deterministic_algorithms` asked for?

    >>> torch.are_deterministic_algorithms_enabled()
    False
    """
    return kept["deterministic"] > 0


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Was `use_deterministic_algorithms` asked for with `warn_only=True`: that PyTorch only warn where it can't?

    >>> torch.is_deterministic_algorithms_warn_only_enabled()
    False
    """
    return kept["deterministic"] == 1


def set_float32_matmul_precision(precision: str) -> None:
    """How exactly PyTorch multiplies on some GPUs: "highest", "high" or "medium". NumPy is always exact.

    >>> torch.set_float32_matmul_precision("highest")
    """
    if precision in ("highest", "high", "medium"):
        kept["precision"] = precision
    else:
        warnings.warn(f"{precision} is not one of 'highest', 'high', or 'medium'", stacklevel=2)


def get_float32_matmul_precision() -> str:
    """What was set; "highest" if nothing was.

    >>> torch.get_float32_matmul_precision()
    'highest'
    """
    return kept["precision"]


def _set_threads(who: str, what: str, number: int) -> None:
    if not isinstance(number, int) or isinstance(number, bool):
        raise RuntimeError(f"{who} expects an int, but got {type_name(number)}")
    if number <= 0:
        raise RuntimeError(f"{who} expects a positive integer")
    kept[what] = number


def set_num_threads(number: int, /) -> None:
    """Keep a number of threads. NumPy's are set by variables like OPENBLAS_NUM_THREADS, before Python starts.

    >>> torch.set_num_threads(1)
    >>> torch.get_num_threads()
    1
    """
    _set_threads("set_num_threads", "threads", number)


def get_num_threads() -> int:
    """The number of threads that was set; that of the processors if none was.

    >>> torch.get_num_threads() >= 1
    True
    """
    return kept["threads"] or os.cpu_count() or 1


def set_num_interop_threads(number: int, /) -> None:
    """Keep a number of threads that run operators side by side. Nothing here does.

    >>> torch.set_num_interop_threads(torch.get_num_interop_threads())
    """
    _set_threads("set_num_interop_threads", "interop", number)


def get_num_interop_threads() -> int:
    """What `set_num_interop_threads` set; the number of processors if nothing was.

    >>> torch.get_num_interop_threads() >= 1
    True
    """
    return kept["interop"] or os.cpu_count() or 1


def set_flush_denormal(mode: bool, /) -> bool:
    """Ask that the smallest numbers (below 1.2e-38 in float32) become 0. False: NumPy can't.

    >>> torch.set_flush_denormal(True)
    False
    """
    return False


def set_default_device(device: Any) -> None:
    """Where tensors are made unless `device=` says otherwise; None means the CPU.

    >>> torch.set_default_device("cpu")
    >>> torch.get_default_device()
    device(type='cpu')
    """
    Device.default = CPU if device is None else Device(device)


def get_default_device() -> Device:
    """Where tensors are made unless `device=` says otherwise.

    >>> torch.get_default_device()
    device(type='cpu')
    """
    return Device.default


__all__ = ["are_deterministic_algorithms_enabled", "get_default_device", "get_float32_matmul_precision"]
__all__ += ["get_num_interop_threads", "get_num_threads", "is_deterministic_algorithms_warn_only_enabled"]
__all__ += ["set_default_device", "set_float32_matmul_precision"]
__all__ += ["set_flush_denormal", "set_num_interop_threads", "set_num_threads"]
__all__ += ["use_deterministic_algorithms"]

"""Switches of PyTorch's that a program may set at its top: they are kept, and asked for, and change nothing here.

Everything runs in one thread of ours (NumPy's own are set by its environment), on one device unless it is named, and
gives the same numbers each time. Imports check and device. Read next: backends/__init__.py, more such switches.
"""

from __future__ import annotations

import os
import warnings
from typing import Any

from .check import type_name
from .device import CPU, device

kept: dict[str, Any] = {
    "deterministic": 0,
    "precision": "highest",
    "threads": None,
    "interop": None,
    "told": None,
}


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Ask that the same program give the same numbers, which it does anyway.

    >>> use_deterministic_algorithms(True)
    >>> are_deterministic_algorithms_enabled()
    True
    >>> use_deterministic_algorithms(False)
    """
    if not isinstance(mode, bool):
        raise TypeError(
            f"_set_deterministic_algorithms(): argument 'mode' (position 1) must be bool, not {type_name(mode)}"
        )
    kept["deterministic"] = (1 if warn_only else 2) if mode else 0


def are_deterministic_algorithms_enabled() -> bool:
    """Was that asked for?"""
    return kept["deterministic"] > 0


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """And that PyTorch only warn where it can't?"""
    return kept["deterministic"] == 1


def set_float32_matmul_precision(precision: str) -> None:
    """ "highest", "high" or "medium": how exactly PyTorch multiplies on some GPUs. NumPy is always exact."""
    if precision in ("highest", "high", "medium"):
        kept["precision"] = precision
    else:
        warnings.warn(f"{precision} is not one of 'highest', 'high', or 'medium'", stacklevel=2)


def get_float32_matmul_precision() -> str:
    """What was set; "highest" if nothing was."""
    return kept["precision"]


def _set_threads(who: str, what: str, number: int) -> None:
    if not isinstance(number, int) or isinstance(number, bool):
        raise RuntimeError(f"{who} expects an int, but got {type_name(number)}")
    if number <= 0:
        raise RuntimeError(f"{who} expects a positive integer")
    kept[what] = number


def set_num_threads(number: int, /) -> None:
    """Keep a number of threads. NumPy's are set by variables like OPENBLAS_NUM_THREADS, before Python starts.

    >>> set_num_threads(1)
    >>> get_num_threads()
    1
    """
    _set_threads("set_num_threads", "threads", number)


def get_num_threads() -> int:
    """What was set; the number of processors if nothing was."""
    return kept["threads"] or os.cpu_count() or 1


def set_num_interop_threads(number: int, /) -> None:
    """Keep another such number."""
    _set_threads("set_num_interop_threads", "interop", number)


def get_num_interop_threads() -> int:
    """What was set; the number of processors if nothing was."""
    return kept["interop"] or os.cpu_count() or 1


def set_flush_denormal(mode: bool, /) -> bool:
    """Ask that the smallest numbers become 0. False: NumPy can't."""
    return False


def set_default_device(where: Any) -> None:
    """Where tensors are made unless `device=` says otherwise; None means the CPU.

    >>> set_default_device("cpu")
    >>> get_default_device()
    device(type='cpu')
    """
    device.default = CPU if where is None else device(where)


def get_default_device() -> device:
    """Where tensors are made unless `device=` says otherwise."""
    return device.default


__all__ = ["are_deterministic_algorithms_enabled", "get_default_device", "get_float32_matmul_precision"]
__all__ += ["get_num_interop_threads", "get_num_threads", "is_deterministic_algorithms_warn_only_enabled"]
__all__ += ["set_default_device", "set_float32_matmul_precision"]
__all__ += ["set_flush_denormal", "set_num_interop_threads", "set_num_threads"]
__all__ += ["use_deterministic_algorithms"]

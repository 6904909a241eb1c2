"""PyTorch's global settings. minigrad stores them and returns them, but most have no effect.

minigrad runs in one thread (NumPy's threads are set by environment variables), on one device unless another is named,
and gives the same numbers each time. Imports device and foreign. Read next: backends/__init__.py, more such settings.
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
    """Require that the same program gives the same numbers, which is always so here.

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
    """True after `use_deterministic_algorithms(True)`.

    >>> torch.are_deterministic_algorithms_enabled()
    False
    """
    return kept["deterministic"] > 0


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """True if `use_deterministic_algorithms` was called with `warn_only=True`: PyTorch then warns instead of raising.

    >>> torch.is_deterministic_algorithms_warn_only_enabled()
    False
    """
    return kept["deterministic"] == 1


def set_float32_matmul_precision(precision: str) -> None:
    """The precision of PyTorch's products on some GPUs: "highest", "high" or "medium". It has no effect on NumPy.

    >>> torch.set_float32_matmul_precision("highest")
    """
    if precision in ("highest", "high", "medium"):
        kept["precision"] = precision
    else:
        warnings.warn(f"{precision} is not one of 'highest', 'high', or 'medium'", stacklevel=2)


def get_float32_matmul_precision() -> str:
    """The precision that was set; "highest" by default.

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
    """Store a number of threads. NumPy's is set by variables like OPENBLAS_NUM_THREADS, before Python starts.

    >>> torch.set_num_threads(1)
    >>> torch.get_num_threads()
    1
    """
    _set_threads("set_num_threads", "threads", number)


def get_num_threads() -> int:
    """The number of threads that was set; by default, the number of processors.

    >>> torch.get_num_threads() >= 1
    True
    """
    return kept["threads"] or os.cpu_count() or 1


def set_num_interop_threads(number: int, /) -> None:
    """Store a number of threads for parallel operators. minigrad runs none in parallel.

    >>> torch.set_num_interop_threads(torch.get_num_interop_threads())
    """
    _set_threads("set_num_interop_threads", "interop", number)


def get_num_interop_threads() -> int:
    """The number that `set_num_interop_threads` stored; by default, the number of processors.

    >>> torch.get_num_interop_threads() >= 1
    True
    """
    return kept["interop"] or os.cpu_count() or 1


def set_flush_denormal(mode: bool, /) -> bool:
    """Make the smallest numbers (below 1.2e-38 in float32) 0. It returns False, because NumPy can't do that.

    >>> torch.set_flush_denormal(True)
    False
    """
    return False


def set_default_device(device: Any) -> None:
    """Set the device of new tensors without `device=`; None means the CPU.

    >>> torch.set_default_device("cpu")
    >>> torch.get_default_device()
    device(type='cpu')
    """
    Device.default = CPU if device is None else Device(device)


def get_default_device() -> Device:
    """The device of new tensors without `device=`.

    >>> torch.get_default_device()
    device(type='cpu')
    """
    return Device.default


__all__ = ["are_deterministic_algorithms_enabled", "get_default_device", "get_float32_matmul_precision"]
__all__ += ["get_num_interop_threads", "get_num_threads", "is_deterministic_algorithms_warn_only_enabled"]
__all__ += ["set_default_device", "set_float32_matmul_precision"]
__all__ += ["set_flush_denormal", "set_num_interop_threads", "set_num_threads"]
__all__ += ["use_deterministic_algorithms"]

"""`minigrad.accelerator`: a device that is faster than the CPU, which is a GPU if CuPy can use one.

Imports device. Read next: cuda.py.
"""

from typing import Any

from ._machine.device import device, device_count, is_available
from ._messages.names import missing as _missing

__path__: list[str] = []  # so that `import minigrad.accelerator.graphs` is explained: PyTorch has modules in this one
__all__ = ["current_accelerator", "current_device_index", "device_count", "empty_cache", "is_available"]
__all__ += ["memory_allocated", "set_device_index", "synchronize"]


def current_accelerator(check_available: bool = False) -> device | None:
    """The device that is faster than the CPU, or None.

    >>> current_accelerator() is None or current_accelerator().type == "cuda"
    True
    """
    return device("cuda") if is_available() else None


def current_device_index() -> int:
    """The number of the current accelerator; RuntimeError if there is none."""
    _need_one()
    return 0


def set_device_index(device: Any) -> None:
    """Choose one of several accelerators; RuntimeError if there is none."""
    _need_one()


def synchronize(device: Any = None) -> None:
    """Wait until the accelerator has finished all its work; RuntimeError if there is none."""
    _need_one()
    import cupy  # type: ignore[import-not-found]

    cupy.cuda.Device().synchronize()


def empty_cache() -> None:
    """Free the memory that CuPy keeps in reserve; RuntimeError if there is none."""
    _need_one()
    import cupy

    cupy.get_default_memory_pool().free_all_blocks()


def memory_allocated(device: Any = None) -> int:
    """The number of bytes in use; RuntimeError if there is none."""
    _need_one()
    import cupy

    return int(cupy.get_default_memory_pool().used_bytes())


def _need_one() -> None:
    if not is_available():
        raise RuntimeError("Cannot access accelerator device when none is available.")


__getattr__ = _missing(__name__)

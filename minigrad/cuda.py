"""`minigrad.cuda`: the GPU, if CuPy can use one; otherwise PyTorch's answers on a machine without a GPU.

Imports device. Read next: accelerator.py, the same under PyTorch's newer name.
"""

from __future__ import annotations

from typing import Any

from ._machine.device import device_count, is_available
from ._messages.names import missing as _missing

__path__: list[str] = []  # so that `import minigrad.cuda.amp` is explained: PyTorch has modules in this one
__all__ = ["current_device", "device_count", "empty_cache", "get_device_name", "get_rng_state_all", "is_available"]
__all__ += ["is_bf16_supported", "is_initialized", "manual_seed", "manual_seed_all", "max_memory_allocated"]
__all__ += ["max_memory_reserved", "memory_allocated", "memory_reserved", "seed", "seed_all", "set_rng_state_all"]
__all__ += ["synchronize"]


def is_initialized() -> bool:
    """Is a GPU ready for use?"""
    return is_available()


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Always False: NumPy has no bfloat16."""
    return False


def current_device() -> int:
    """The GPU's number; AssertionError, as in PyTorch, if there is none."""
    _need_one()
    import cupy  # type: ignore[import-not-found]

    return int(cupy.cuda.Device().id)


def get_device_name(device: Any = None) -> str:
    """The GPU's name; AssertionError if there is none."""
    number = current_device() if device is None else getattr(device, "index", device) or 0
    _need_one()
    import cupy

    return cupy.cuda.runtime.getDeviceProperties(number)["name"].decode()


def synchronize(device: Any = None) -> None:
    """Wait until the GPU has finished all its work; AssertionError if there is none."""
    _need_one()
    import cupy

    cupy.cuda.Device().synchronize()


def manual_seed(seed: int) -> None:
    """Does nothing: all random numbers are drawn on the CPU, seeded by `minigrad.manual_seed`."""


manual_seed_all = manual_seed


def seed() -> None:
    """Does nothing: all random numbers are drawn on the CPU."""


seed_all = seed


def get_rng_state_all() -> list[Any]:
    """An empty list: all random numbers are drawn on the CPU."""
    return []


def set_rng_state_all(new_states: Any) -> None:
    """Does nothing: all random numbers are drawn on the CPU."""


def empty_cache() -> None:
    """Free the memory that CuPy keeps in reserve."""
    if is_available():
        import cupy

        cupy.get_default_memory_pool().free_all_blocks()


def memory_allocated(device: Any = None) -> int:
    """The number of bytes in use on the GPU."""
    if not is_available():
        return 0
    import cupy

    return int(cupy.get_default_memory_pool().used_bytes())


max_memory_allocated = memory_reserved = max_memory_reserved = memory_allocated


def _need_one() -> None:
    if not is_available():
        raise AssertionError("Torch not compiled with CUDA enabled")


__getattr__ = _missing(__name__)

"""`minigrad.cuda`: is there a GPU that CuPy can use?"""

from .device import is_available


def device_count() -> int:
    """The number of GPUs that can be used."""
    if not is_available():
        return 0
    import cupy  # type: ignore[import-not-found]

    return int(cupy.cuda.runtime.getDeviceCount())


__all__ = ["device_count", "is_available"]

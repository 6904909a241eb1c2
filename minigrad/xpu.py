"""`minigrad.xpu`: Intel's GPUs, which minigrad does not use. Imports names."""

from ._messages.names import missing as _missing

__path__: list[str] = []  # so that `import minigrad.xpu.streams` is explained: PyTorch has modules in this one


def is_available() -> bool:
    """Always False: minigrad does not use Intel's GPUs."""
    return False


def device_count() -> int:
    """Always 0."""
    return 0


def manual_seed(seed: int) -> None:
    """Does nothing: all random numbers are drawn on the CPU."""


manual_seed_all = manual_seed


def empty_cache() -> None:
    """Does nothing: no memory is kept in reserve."""


def synchronize(device: object = None) -> None:
    """Raises AssertionError, as PyTorch does without such a GPU."""
    raise AssertionError("Torch not compiled with XPU enabled")


__getattr__ = _missing(__name__)

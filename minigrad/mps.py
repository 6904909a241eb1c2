"""`minigrad.mps`: Apple's GPUs, which minigrad does not use. Imports names."""

from ._messages.names import missing as _missing

__path__: list[str] = []  # so that `import minigrad.mps.event` is explained: PyTorch has modules in this one


def is_available() -> bool:
    """Always False: minigrad does not use Apple's GPUs."""
    return False


def device_count() -> int:
    """Always 0."""
    return 0


def manual_seed(seed: int) -> None:
    """Does nothing: all random numbers are drawn on the CPU."""


def empty_cache() -> None:
    """Raises RuntimeError, as PyTorch does without such a GPU."""
    raise RuntimeError("Cannot execute emptyCache() without MPS backend.")


def synchronize() -> None:
    """Raises RuntimeError, as PyTorch does without such a GPU."""
    raise RuntimeError("Cannot execute deviceSynchronize() without MPS backend.")


__getattr__ = _missing(__name__)

"""`minigrad.mps`: Apple's GPUs, of which there are none here. Imports names."""

from ._messages.names import missing as _missing

__path__: list[str] = []  # so that `import minigrad.mps.event` is explained: PyTorch has modules in this one


def is_available() -> bool:
    """Is there one? No."""
    return False


def device_count() -> int:
    """How many? None."""
    return 0


def manual_seed(seed: int) -> None:
    """Nothing: all random numbers are drawn on the CPU."""


def empty_cache() -> None:
    """RuntimeError, as in PyTorch where there is none."""
    raise RuntimeError("Cannot execute emptyCache() without MPS backend.")


def synchronize() -> None:
    """RuntimeError, as in PyTorch where there is none."""
    raise RuntimeError("Cannot execute deviceSynchronize() without MPS backend.")


__getattr__ = _missing(__name__)

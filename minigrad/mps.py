"""`minigrad.mps`: Apple's GPUs, of which there are none here. Imports nothing."""


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

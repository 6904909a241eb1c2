"""`minigrad.xpu`: Intel's GPUs, of which there are none here. Imports names."""

from ._messages.names import missing as _missing

__path__: list[str] = []  # so that `import minigrad.xpu.streams` is explained: PyTorch has modules in this one


def is_available() -> bool:
    """Is there one? No."""
    return False


def device_count() -> int:
    """How many? None."""
    return 0


def manual_seed(seed: int) -> None:
    """Nothing: all random numbers are drawn on the CPU."""


manual_seed_all = manual_seed


def empty_cache() -> None:
    """Nothing is held in reserve."""


def synchronize(device: object = None) -> None:
    """AssertionError, as in PyTorch where there is none."""
    raise AssertionError("Torch not compiled with XPU enabled")


__getattr__ = _missing(__name__)

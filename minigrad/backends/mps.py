"""`backends.mps`: Apple's GPUs, which minigrad doesn't support."""


def is_available() -> bool:
    """Always False."""
    return False


def is_built() -> bool:
    """Always False."""
    return False

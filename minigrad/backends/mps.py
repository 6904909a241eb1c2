"""`backends.mps`: Apple's GPUs; none here."""


def is_available() -> bool:
    """Is it there? No."""
    return False


def is_built() -> bool:
    """Was it built in? No."""
    return False

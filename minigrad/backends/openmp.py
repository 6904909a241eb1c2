"""`backends.openmp`: threads in C, which minigrad doesn't use."""


def is_available() -> bool:
    """Always False."""
    return False

"""`backends.openmp`: threads in C; none here."""


def is_available() -> bool:
    """Is it there? No."""
    return False

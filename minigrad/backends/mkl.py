"""`backends.mkl`: Intel's linear algebra, which minigrad doesn't have."""


def is_available() -> bool:
    """Always False."""
    return False

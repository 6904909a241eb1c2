"""`backends.mkl`: Intel's linear algebra; none here."""


def is_available() -> bool:
    """Is it there? No."""
    return False

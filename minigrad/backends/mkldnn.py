"""`backends.mkldnn`: Intel's kernels, of which PyTorch's CPU makes use; none here."""

from collections.abc import Iterator
from contextlib import contextmanager

enabled = True
deterministic = False


def is_available() -> bool:
    """Is it there? No."""
    return False


@contextmanager
def flags(enabled: bool = False, deterministic: bool = False, **unused: bool | str) -> Iterator[None]:
    """The switches set so inside a block."""
    before = {name: globals()[name] for name in ("enabled", "deterministic")}
    globals().update(enabled=enabled, deterministic=deterministic)
    try:
        yield
    finally:
        globals().update(before)

"""`backends.mkldnn`: Intel's kernels, which minigrad doesn't have. nn/recurrent.py reads `enabled`."""

from collections.abc import Iterator

from .._machine.interrupts import restoring

enabled = True
deterministic = False


def is_available() -> bool:
    """Always False."""
    return False


@restoring
def flags(enabled: bool = False, deterministic: bool = False, **unused: bool | str) -> Iterator[None]:
    """Set the switches inside a block."""
    own = globals()
    before = {name: own[name] for name in ("enabled", "deterministic")}
    try:
        own.update(enabled=enabled, deterministic=deterministic)
        yield
    finally:
        own.update(before)

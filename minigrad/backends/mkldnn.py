"""`backends.mkldnn`: Intel's kernels, of which PyTorch's CPU makes use; none here."""

from collections.abc import Iterator

from .._machine.interrupts import restoring

enabled = True
deterministic = False


def is_available() -> bool:
    """Is it there? No."""
    return False


@restoring
def flags(enabled: bool = False, deterministic: bool = False, **unused: bool | str) -> Iterator[None]:
    """The switches set so inside a block."""
    own = globals()
    before = {name: own[name] for name in ("enabled", "deterministic")}
    try:
        own.update(enabled=enabled, deterministic=deterministic)
        yield
    finally:
        own.update(before)

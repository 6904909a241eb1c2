"""`backends.cudnn`: NVIDIA's kernels, which minigrad doesn't have. minigrad is always deterministic."""

from collections.abc import Iterator

from .._machine.interrupts import restoring
from .._messages.names import missing as _missing

__path__: list[str] = []  # imports of cudnn's submodules then give an explanation: in PyTorch, cudnn is a package
enabled = True
benchmark = False
deterministic = False
allow_tf32 = True


def is_available() -> bool:
    """Always False."""
    return False


def version() -> None:
    """Always None."""


@restoring
def flags(
    enabled: bool = False, benchmark: bool = False, deterministic: bool = False, allow_tf32: bool = True
) -> Iterator[None]:
    """Set the switches inside a block."""
    own = globals()
    names = ("enabled", "benchmark", "deterministic", "allow_tf32")
    before = {name: own[name] for name in names}
    try:
        own.update(zip(names, (enabled, benchmark, deterministic, allow_tf32), strict=True))
        yield
    finally:
        own.update(before)


__getattr__ = _missing(__name__)

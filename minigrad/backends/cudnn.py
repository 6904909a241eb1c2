"""`backends.cudnn`: NVIDIA's kernels; none here. `deterministic = True` is what this library is anyway."""

from collections.abc import Iterator

from .._machine.interrupts import restoring
from .._messages.names import missing as _missing

__path__: list[str] = []  # so that `import minigrad.backends.cudnn.rnn` is explained: PyTorch has modules in this one
enabled = True
benchmark = False
deterministic = False
allow_tf32 = True


def is_available() -> bool:
    """Is it there? No."""
    return False


def version() -> None:
    """Which one? None."""


@restoring
def flags(
    enabled: bool = False, benchmark: bool = False, deterministic: bool = False, allow_tf32: bool = True
) -> Iterator[None]:
    """The switches set so inside a block."""
    own = globals()
    names = ("enabled", "benchmark", "deterministic", "allow_tf32")
    before = {name: own[name] for name in names}
    try:
        own.update(zip(names, (enabled, benchmark, deterministic, allow_tf32), strict=True))
        yield
    finally:
        own.update(before)


__getattr__ = _missing(__name__)

"""The operator table, filled: importing this package enters every rule in `TABLE`."""

from ..core.rules import TABLE, Raw, Rule
from . import (  # noqa: F401
    activation,
    attention,
    bends,
    choice,
    combined,
    convolution,
    decomposition,
    elementwise,
    indexing,
    linalg,
    nn,
    question,
    random,
    recurrent,
    reduction,
    resampling,
    selection,
    shape,
)

__all__ = ["TABLE", "Raw", "Rule"]

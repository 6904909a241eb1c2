"""The functions that Tensor's methods call, one for each row of the table.

They are those of fast.py and fast_several.py. With MINIGRAD_FAST=0 in the environment, or without these two files, each
function is the core's plain one: the results are the same, and each call is slower.
Imports core, dispatch, ops and fast. Read next: _tensors/methods/arithmetic.py.
"""

import os
from functools import lru_cache
from importlib.util import find_spec
from inspect import Parameter, Signature
from typing import Any

from .._engine import watched as watched
from ..core.rules import OPERATORS, Rule
from ..ops import TABLE
from . import dispatch as dispatch  # importing these two fills the core's seams

FAST = os.environ.get("MINIGRAD_FAST", "1") != "0" and find_spec(f"{__package__}.fast") is not None


def signature(rule: Rule) -> Signature:
    """The signature that `help` and Shift-Tab show for a rule's function, also before it is compiled.

    >>> signature(TABLE["sum_dim"])
    <Signature (input, *, dim, keepdim=False)>
    """
    kind = Parameter.VAR_POSITIONAL if rule.variadic else Parameter.POSITIONAL_OR_KEYWORD
    inputs = [parameter("input" if name == "self" else name, kind) for name in rule.inputs]
    params = [parameter(name, Parameter.KEYWORD_ONLY, value) for name, value in rule.params.items()]
    return Signature([*inputs, *params], __validate_parameters__=False)


@lru_cache(maxsize=None, typed=True)  # a default of 1 differs from True
def parameter(name: str, kind: Any, default: Any = Parameter.empty) -> Parameter:
    """A parameter, made once for all rules that have it, because making one is slow."""
    return Parameter(name, kind, default=default)


if FAST:
    from . import fast, fast_several

    OPERATORS.update(fast.operators() | fast_several.operators())
for _name, _rule in TABLE.items():
    OPERATORS[_name].__signature__ = signature(_rule)  # type: ignore[attr-defined]

__all__ = ["FAST", "OPERATORS", "signature"]

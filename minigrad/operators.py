"""The functions that Tensor's methods call, one for each row of the table.

They are those of fast.py. With MINIGRAD_FAST=0 in the environment fast.py is left out, and each is the core's plain
one: everything works as before, slower. Imports core, dispatch, ops and fast. Read next: methods/arithmetic.py.
"""

import os

from . import dispatch as dispatch  # which fills the core's seams
from . import watched as watched
from .core.rules import OPERATORS
from .ops import TABLE

if os.environ.get("MINIGRAD_FAST", "1") != "0":
    from .fast import operators

    OPERATORS.update(operators())
for _name in TABLE:
    OPERATORS[_name]  # the plain ones are made when first asked for

__all__ = ["OPERATORS"]

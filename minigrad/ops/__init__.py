"""The operator table, filled: importing this package enters every rule in `TABLE`."""

from ..rules import TABLE, Raw, Rule
from . import activation, choice, convolution, elementwise, indexing, linalg, nn, question, random, reduction, shape  # noqa: F401

__all__ = ["TABLE", "Raw", "Rule"]

"""The operator table, filled: importing this package enters every rule in `TABLE`."""

from ..rules import TABLE, Raw, Rule
from . import activation, convolution, elementwise, indexing, linalg, nn, reduction, shape

__all__ = [
    "TABLE",
    "Raw",
    "Rule",
    "activation",
    "convolution",
    "elementwise",
    "indexing",
    "linalg",
    "nn",
    "reduction",
    "shape",
]

"""Elementwise comparisons and logic. Their results are bools, which have no derivative and therefore no node.

All are functions of the array standard. Imports ops/standard.py and ops/words.py. Read next: ops/reduction.py.
"""

from .standard import standard, standard_pair
from .words import inversion

COMPARISON = {"kind": "question", "forms": "numbers"}
BITS = {"kind": "question", "forms": "numbers", "gives": None, "whole": True}

standard_pair("eq", "", "equal", tensorflow="Equal", exact=True, **COMPARISON)
standard_pair("ne", "", "not_equal", tensorflow="NotEqual", exact=True, **COMPARISON)
standard_pair("lt", "", "less", tensorflow="Less", exact=True, **COMPARISON)
standard_pair("le", "", "less_equal", tensorflow="LessEqual", exact=True, **COMPARISON)
standard_pair("gt", "", "greater", tensorflow="Greater", exact=True, **COMPARISON)
standard_pair("ge", "", "greater_equal", tensorflow="GreaterEqual", exact=True, **COMPARISON)

standard("isnan", "", kind="question", tensorflow="IsNan", out=False, underscore=False)
standard("isfinite", "", kind="question", tensorflow="IsFinite", out=False, underscore=False)
standard("isinf", "", kind="question", tensorflow="IsInf", out=False, underscore=False)
standard("signbit", "", kind="question", underscore=False)

standard_pair("logical_and", "", kind="question", dtypes="bool", tensorflow="LogicalAnd")
standard_pair("logical_or", "", kind="question", dtypes="bool", tensorflow="LogicalOr")
standard_pair("logical_xor", "", kind="question", dtypes="bool", tensorflow="LogicalXor")
standard("logical_not", "", kind="question", dtypes="bool", tensorflow="LogicalNot")

standard_pair("bitwise_and", "", **BITS)
standard_pair("bitwise_or", "", **BITS)
standard_pair("bitwise_xor", "", **BITS)
standard_pair("bitwise_left_shift", "", dtypes="number", kernel="lshift_cpu", **BITS)
standard_pair("bitwise_right_shift", "", dtypes="number", kernel="rshift_cpu", **BITS)
standard("bitwise_not", "", "bitwise_invert", kind="question", gives=None, types=inversion)

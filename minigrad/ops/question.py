"""Questions, element by element: comparisons and logic. A truth value has no slope, and so no node.

All are functions of the array standard. Imports ops/standard.py and ops/words.py. Read next: ops/reduction.py.
"""

from .standard import standard, standard_pair
from .words import inversion

standard_pair("eq", "", "equal", kind="question", tensorflow="Equal", exact=True)
standard_pair("ne", "", "not_equal", kind="question", tensorflow="NotEqual", exact=True)
standard_pair("lt", "", "less", kind="question", tensorflow="Less", exact=True)
standard_pair("le", "", "less_equal", kind="question", tensorflow="LessEqual", exact=True)
standard_pair("gt", "", "greater", kind="question", tensorflow="Greater", exact=True)
standard_pair("ge", "", "greater_equal", kind="question", tensorflow="GreaterEqual", exact=True)

standard("isnan", "", kind="question", tensorflow="IsNan")
standard("isfinite", "", kind="question", tensorflow="IsFinite")
standard("isinf", "", kind="question", tensorflow="IsInf")
standard("signbit", "", kind="question")

standard_pair("logical_and", "", kind="question", dtypes="bool", tensorflow="LogicalAnd")
standard_pair("logical_or", "", kind="question", dtypes="bool", tensorflow="LogicalOr")
standard_pair("logical_xor", "", kind="question", dtypes="bool", tensorflow="LogicalXor")
standard("logical_not", "", kind="question", dtypes="bool", tensorflow="LogicalNot")

standard_pair("bitwise_and", "", kind="question", gives=None, whole=True)
standard_pair("bitwise_or", "", kind="question", gives=None, whole=True)
standard_pair("bitwise_xor", "", kind="question", gives=None, whole=True)
standard_pair("bitwise_left_shift", "", kind="question", dtypes="number", gives=None, whole=True, kernel="lshift_cpu")
standard_pair("bitwise_right_shift", "", kind="question", dtypes="number", gives=None, whole=True, kernel="rshift_cpu")
standard("bitwise_not", "", "bitwise_invert", kind="question", gives=None, types=inversion)

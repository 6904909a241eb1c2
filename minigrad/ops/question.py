"""Questions, element by element: comparisons and logic. A truth value has no slope, and so no node.

All are functions of the array standard. Imports ops/standard.py. Read next: ops/reduction.py.
"""

from .standard import standard, standard_pair

standard_pair("eq", "", "equal", kind="question")
standard_pair("ne", "", "not_equal", kind="question")
standard_pair("lt", "", "less", kind="question")
standard_pair("le", "", "less_equal", kind="question")
standard_pair("gt", "", "greater", kind="question")
standard_pair("ge", "", "greater_equal", kind="question")

standard("isnan", "", kind="question")
standard("isfinite", "", kind="question")
standard("isinf", "", kind="question")
standard("signbit", "", kind="question")

standard_pair("logical_and", "", kind="question", dtypes="bool")
standard_pair("logical_or", "", kind="question", dtypes="bool")
standard_pair("logical_xor", "", kind="question", dtypes="bool")
standard("logical_not", "", kind="question", dtypes="bool")

standard_pair("bitwise_and", "", kind="question")
standard_pair("bitwise_or", "", kind="question")
standard_pair("bitwise_xor", "", kind="question")
standard_pair("bitwise_left_shift", "", kind="question", dtypes="number")
standard_pair("bitwise_right_shift", "", kind="question", dtypes="number")
standard("bitwise_not", "", "bitwise_invert", kind="question")

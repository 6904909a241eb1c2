"""Questions, element by element: comparisons and logic. A truth value has no slope.

Imports rules only. Read next: ops/reduction.py.
"""

from ..rules import op


@op("", kind="question")
def eq(xp, self, other):
    return self == other


@op("", kind="question")
def ne(xp, self, other):
    return self != other


@op("", kind="question")
def lt(xp, self, other):
    return self < other


@op("", kind="question")
def le(xp, self, other):
    return self <= other


@op("", kind="question")
def gt(xp, self, other):
    return self > other


@op("", kind="question")
def ge(xp, self, other):
    return self >= other


@op("", kind="question")
def isnan(xp, self):
    return xp.isnan(self)


@op("", kind="question")
def isfinite(xp, self):
    return xp.isfinite(self)


@op("", kind="question")
def isinf(xp, self):
    return xp.isinf(self)


@op("", kind="question", dtypes="bool")
def logical_and(xp, self, other):
    return xp.logical_and(self, other)


@op("", kind="question", dtypes="bool")
def logical_or(xp, self, other):
    return xp.logical_or(self, other)


@op("", kind="question", dtypes="bool")
def logical_xor(xp, self, other):
    return xp.logical_xor(self, other)


@op("", kind="question", dtypes="bool")
def logical_not(xp, self):
    return xp.logical_not(self)


@op("", kind="question")
def bitwise_and(xp, self, other):
    return self & other


@op("", kind="question")
def bitwise_or(xp, self, other):
    return self | other


@op("", kind="question")
def bitwise_xor(xp, self, other):
    return self ^ other


@op("", kind="question")
def bitwise_not(xp, self):
    return ~self

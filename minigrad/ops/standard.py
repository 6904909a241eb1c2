"""Operators whose values are functions of the array standard: they need a name and slopes, but no formula.

    standard("exp", "ExpBackward0", dtypes="float").slope(self=lambda F, grad, result: grad * result)

The same call takes notes (ops/note.py). Imports rules and ops/note.py.
Read next: ops/elementwise.py.
"""

import numpy as np

from ..core.rules import TABLE, Rule, op
from .note import NOTES, note, notes_of


def standard(name, node_name, function="", **how):
    """Enter `xp.function(self)`; `function` is usually the operator's name."""
    function = function or name

    def value(xp, self):
        return getattr(xp, function)(self)

    return enter(value, name, node_name, **numpys(function), **how)


def standard_pair(name, node_name, function="", **how):
    """Enter `xp.function(self, other)`."""
    function = function or name

    def value(xp, self, other):
        return getattr(xp, function)(self, other)

    return enter(value, name, node_name, **numpys(function), **how)


def numpys(function):
    """The note `ufunc`, if NumPy's function is a ufunc, which can write its result into given memory."""
    return {"ufunc": function} if isinstance(getattr(np, function, None), np.ufunc) else {}


def enter(value, name, node_name, **how):
    """`@op` for a function without a name of its own; `how` may contain notes."""
    notes = {each: how.pop(each) for each in [*how] if each in NOTES}
    value.__name__ = name
    rule = op(node_name, **how)(value)
    note(rule, **notes)
    return rule


def copied(rule, value, node_name, **slopes):
    """A copy of a row, with its notes, but with this value, these slopes and this name for its node."""
    other = Rule(value, node_name, rule.kind, rule.dtypes, rule.outputs, rule.each, rule.fixed)
    other.name = rule.name
    other.slope(**slopes)
    note(other, **notes_of(rule))
    return other


def twin(rule, name, node_name):
    """Enter a copy of a rule, with its present notes, if PyTorch has another name for its node."""
    other = TABLE[name] = copied(rule, rule.value, node_name, **rule.slopes)
    other.name = name
    return other

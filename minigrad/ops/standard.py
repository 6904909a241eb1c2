"""Operators whose values are functions of the array standard: they need names and slopes, and no formula.

    standard("exp", "ExpBackward0", dtypes="float").slope(self=lambda F, grad, result: grad * result)

What else is known of them (ops/note.py) is said in the same call. Imports rules and ops/note.py.
Read next: ops/elementwise.py.
"""

import numpy as np

from ..core.rules import TABLE, Rule, op
from .note import NOTES, note, notes_of


def standard(name, node_name, function="", **how):
    """Enter `xp.function(self)`, under a name that is mostly the same one."""
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
    """That NumPy has this very function, as one that can write its result where it is told to."""
    return {"ufunc": function} if isinstance(getattr(np, function, None), np.ufunc) else {}


def enter(value, name, node_name, **how):
    """`@op` for a function that has got no name of its own, with notes among its arguments."""
    notes = {each: how.pop(each) for each in [*how] if each in NOTES}
    value.__name__ = name
    rule = op(node_name, **how)(value)
    note(rule, **notes)
    return rule


def copied(rule, value, node_name, **slopes):
    """A row like another, notes included, but with this value, these slopes and this name for its node."""
    other = Rule(value, node_name, rule.kind, rule.dtypes, rule.outputs, rule.each, rule.fixed)
    other.name = rule.name
    other.slope(**slopes)
    note(other, **notes_of(rule))
    return other


def twin(rule, name, node_name):
    """Enter a rule once more, with the notes it has by now, where PyTorch's node has another name."""
    other = TABLE[name] = copied(rule, rule.value, node_name, **rule.slopes)
    other.name = name
    return other

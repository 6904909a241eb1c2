"""Operators whose values are functions of the array standard: they need names and slopes, and no formula.

    standard("exp", "ExpBackward0", dtypes="float").slope(self=lambda F, grad, result: grad * result)

Imports rules only. Read next: ops/elementwise.py.
"""

from ..core.rules import TABLE, Rule, op


def standard(name, node_name, function="", **how):
    """Enter `xp.function(self)`, under a name that is mostly the same one."""
    function = function or name

    def value(xp, self):
        return getattr(xp, function)(self)

    return enter(value, name, node_name, **how)


def standard_pair(name, node_name, function="", **how):
    """Enter `xp.function(self, other)`."""
    function = function or name

    def value(xp, self, other):
        return getattr(xp, function)(self, other)

    return enter(value, name, node_name, **how)


def enter(value, name, node_name, **how):
    """`@op` for a function that has got no name of its own."""
    value.__name__ = name
    return op(node_name, **how)(value)


def twin(rule, name, node_name):
    """Enter a rule once more, where PyTorch's node has another name."""
    other = TABLE[name] = Rule(rule.value, node_name, rule.kind, rule.dtypes, rule.outputs)
    other.name = name
    other.slope(**rule.slopes)

"""The one table: an operator is its value and one slope for each input.

    @op("MulBackward0")
    def mul(xp, self, other): return self * other
    mul.slope(self=lambda F, grad, other: grad * other,
              other=lambda F, grad, self: grad * self)

A *value* takes an array namespace `xp` (NumPy …), its inputs (positional: arrays), its parameters
(keyword-only: axes, exponents …), and gives an array. A *slope* takes `F`, the incoming gradient,
and by name what else it needs: an input or `result` (which is then saved), the sizes of an input
(`self_sizes`; saves no array), a parameter; and where a value takes `*tensors`, `i`: which of them
the slope is for. It gives the gradient of that one input: its derivative times the gradient that
came. What broadcasting spread out, the engine sums back. `F` is this same table: on plain arrays
(`Raw`, below), on Tensors (forms.py), or on symbols (_compiler/). Whatever else is special about a
row is said in the call of `op`, and means nothing by its name.

The rows stand in ops/: look at ops/elementwise.py. Imports the standard library. Next: modes.py.
"""

import inspect
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

TABLE: dict[str, "Rule"] = {}
REQUIRED = inspect.Parameter.empty  # in the place of a default: there is none


def signature(function: Callable[..., Any]) -> tuple[tuple[str, ...], dict[str, Any], bool]:
    """The names of its positional parameters, the keyword-only ones with their defaults, and
    whether it has `*args` (which count as one positional name). `inspect.signature` takes twenty
    times as long, which import would feel."""
    code: Any = function.__code__
    names, n = code.co_varnames, code.co_argcount
    m = n + code.co_kwonlyargcount
    variadic = bool(code.co_flags & inspect.CO_VARARGS)
    defaults = function.__kwdefaults__ or {}
    params = {name: defaults.get(name, REQUIRED) for name in names[n:m]}
    return names[:n] + names[m : m + variadic], params, variadic


class Rule:
    """A row of the table, made by `@op`. The value is `rule.value`, the slopes `rule.slopes`."""

    def __init__(
        self,
        value: Callable[..., Any],
        node_name: str,  # what the node of the graph is called
        kind: str = "elementwise",  # or "reduction", "view" …: what treats a family alike reads it
        dtypes: str = "promote",  # which types it takes: see `settle` in ../_call/dispatch.py
        outputs: tuple[str, ...] = ("result",),  # their names; (): as many as come
        each: bool = False,  # True: each output has a gradient; slopes are given a list of them
        fixed: int = 0,  # so many inputs, the first, keep their type: the condition of `where`
    ):
        self.name, self.value, self.node_name = value.__name__, value, node_name
        self.kind, self.dtypes, self.fixed = kind, dtypes, fixed
        self.outputs, self.each = outputs, each
        self.slopes: dict[str, Callable[..., Any]] = {}  # by input, in alphabetical order
        self.needs: dict[str, tuple[str, ...]] = {}  # input -> what its slope asks for, by name
        inputs, params, self.variadic = signature(value)
        self.inputs = inputs[1:]  # without `xp`
        self.params = params

    def slope(rule, /, **slopes: Callable[..., Any]) -> None:  # not `self`: that is a slope here
        """Give the slope for each named input. Parameters after `F` and `grad` say what must be
        saved; a name that does not exist is an error here, and not first in a backward."""
        sizes = [name + "_sizes" for name in rule.inputs]
        known = {*rule.inputs, *sizes, *rule.outputs, *rule.params, *["i"] * rule.variadic}
        for name, slope in slopes.items():
            if name not in rule.inputs:
                raise TypeError(f"{rule.name} has no input {name!r}, only {rule.inputs}")
            inputs, params, _ = signature(slope)
            needs = (*inputs, *params)[2:]  # without `F` and `grad`
            if unknown := set(needs) - known:
                said = f"{rule.name}'s slope for {name} asks for {unknown}, which nobody has;"
                raise TypeError(f"{said} it may ask for {sorted(known)}")
            rule.slopes[name], rule.needs[name] = slope, needs
        rule.slopes = dict(sorted(rule.slopes.items()))  # PyTorch computes them in this order

    @cached_property
    def saves(self) -> tuple[str, ...]:
        """The inputs, by their alphabet, and the outputs that some slope needs.

        >>> from minigrad.ops import TABLE
        >>> TABLE["mul"].saves, TABLE["exp"].saves, TABLE["sum"].saves
        (('other', 'self'), ('result',), ())
        """
        asked = {need for needs in self.needs.values() for need in needs}
        return tuple(name for name in (*sorted(self.inputs), *self.outputs) if name in asked)

    def __repr__(self) -> str:
        return f"<Rule {self.name} {self.node_name}>"


def op(node_name: str, **how: Any):
    """Enter the decorated value in the table, under its own name. `how`: what `Rule` takes."""

    def enter(value: Callable[..., Any]) -> Rule:
        assert value.__name__ not in TABLE, f"there is an operator called {value.__name__} already"
        rule = TABLE[value.__name__] = Rule(value, node_name, **how)
        return rule

    return enter


class Operators(dict[str, Callable[..., Any]]):
    """A function on Tensors for each row, made when first asked for, by record.function_of."""

    make: Callable[[Rule], Callable[..., Any]]

    def __missing__(self, name: str) -> Callable[..., Any]:
        function = self[name] = self.make(TABLE[name])
        return function


OPERATORS = Operators()


class Raw:
    """The table on plain arrays: `Raw(numpy).exp(a)` is `numpy.exp(a)`. An ordinary backward."""

    def __init__(self, xp: Any):
        self.xp = xp

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in TABLE:
            raise AttributeError(f"no operator is called {name!r}")
        raw = partial(TABLE[name].value, self.xp)
        setattr(self, name, raw)  # found at once the next time
        return raw

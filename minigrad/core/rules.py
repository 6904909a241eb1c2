"""The one table: an operator is its value and one slope for each input.

    @op("MulBackward0")
    def mul(xp, self, other): return self * other
    mul.slope(self=lambda F, grad, other: grad * other,
              other=lambda F, grad, self: grad * self)

A *value* takes an array library `xp` (such as NumPy), its inputs (positional: arrays) and its
parameters (keyword-only: axes, exponents …), and returns an array. A *slope* returns the gradient
of one input: the incoming gradient times the derivative, by the chain rule. It takes `F`, that
gradient, and by name whatever else it needs: an input, `result`, or a parameter. `self_sizes` is
the shape of `self`; asking for it saves no array. For `cat`, whose value takes `*tensors`, `i` is
the index of the input. The engine sums over axes that broadcasting expanded. `F` is this same table
on arrays (`Raw`, below), on Tensors (forms.py) or on symbols (_compiler/): `F.exp(grad)`.

The rows are in ops/, such as ops/elementwise.py. Imports the standard library. Next: modes.py.
"""

import inspect
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

TABLE: dict[str, "Rule"] = {}
REQUIRED = inspect.Parameter.empty  # stands for "no default"


def signature(function: Callable[..., Any]) -> tuple[tuple[str, ...], dict[str, Any], bool]:
    """The names of the positional parameters, the keyword-only ones with their defaults, and
    whether there is an `*args` (which counts as one positional name). `inspect.signature` takes ten
    times as long, which would slow down the import."""
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
        node_name: str,  # the class name of its nodes
        kind: str = "elementwise",  # its family: "reduction", "view" …; the core reads it nowhere
        dtypes: str = "promote",  # how inputs of different types meet; the core reads it nowhere
        outputs: tuple[str, ...] = ("result",),  # their names; () if their number varies
        each: bool = False,  # True: every output has a gradient, and slopes get a list of them
        fixed: int = 0,  # how many inputs, from the first, keep their type: `where` has 1
    ):
        self.name, self.value, self.node_name = value.__name__, value, node_name
        self.kind, self.dtypes, self.fixed = kind, dtypes, fixed
        self.outputs, self.each = outputs, each
        self.slopes: dict[str, Callable[..., Any]] = {}  # by input, in alphabetical order
        self.needs: dict[str, tuple[str, ...]] = {}  # input -> the names that its slope takes
        inputs, params, self.variadic = signature(value)
        self.inputs = inputs[1:]  # without `xp`
        self.params = params

    def slope(rule, /, **slopes: Callable[..., Any]) -> None:  # `self=` is a keyword argument here
        """Set the slope of each named input. Its parameters after `F` and `grad` say what must be
        saved; an unknown name raises an error here, long before a backward."""
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
        """The inputs, in alphabetical order, and the outputs that some slope needs.

        >>> from minigrad.ops import TABLE
        >>> TABLE["mul"].saves, TABLE["exp"].saves, TABLE["sum"].saves
        (('other', 'self'), ('result',), ())
        """
        asked = {need for needs in self.needs.values() for need in needs}
        return tuple(name for name in (*sorted(self.inputs), *self.outputs) if name in asked)

    def __repr__(self) -> str:
        return f"<Rule {self.name} {self.node_name}>"


def op(node_name: str, **how: Any):
    """Add the decorated value to the table under its own name; `how` goes to `Rule`."""

    def enter(value: Callable[..., Any]) -> Rule:
        assert value.__name__ not in TABLE, f"there is an operator called {value.__name__} already"
        rule = TABLE[value.__name__] = Rule(value, node_name, **how)
        return rule

    return enter


class Operators(dict[str, Callable[..., Any]]):
    """The functions on Tensors: `OPERATORS["mul"]` makes one at first use, by `make`."""

    make: Callable[[Rule], Callable[..., Any]]  # record.py sets it to its `function_of`

    def __missing__(self, name: str) -> Callable[..., Any]:
        """Make the function, and keep it. A dict calls this for a name that it does not have."""
        function = self[name] = self.make(TABLE[name])
        return function


OPERATORS = Operators()


class Raw:
    """The table on plain arrays: `Raw(numpy).exp(a)` is `numpy.exp(a)`. Backward uses it."""

    def __init__(self, xp: Any):
        self.xp = xp

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in TABLE:
            raise AttributeError(f"no operator is called {name!r}")
        raw = partial(TABLE[name].value, self.xp)
        setattr(self, name, raw)  # next time, Python finds it without `__getattr__`
        return raw

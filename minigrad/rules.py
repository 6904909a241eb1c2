"""The one table: an operator is its value and one slope an input.

    @op("MulBackward0")
    def mul(xp, self, other): return self * other
    mul.slope(self=lambda F, grad, other: grad * other,
              other=lambda F, grad, self: grad * self)

A *value* takes an array namespace `xp` (NumPy, CuPy …), its inputs (positional: arrays), its
parameters (keyword-only: axes, exponents …), and gives an array. A *slope* takes `F`, the incoming
gradient, and by name whatever it needs: an input or `result` (which is then saved), the sizes of an
input (`self_sizes`; saves no array), a parameter. It gives the gradient of that one input; what
broadcasting spread out, the engine sums back. `F` is this same table, on plain arrays (`Raw`, below), on
Tensors (forms.py, for `create_graph=True`), or on symbols (static).

Reads nothing but the standard library. Read next: ops/elementwise.py, then dispatch.py.
"""

import inspect
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

TABLE: dict[str, "Rule"] = {}


IN_ORDER = ("reduction", "matmul", "shape", "lookup", "window")  # families whose results lie in order in memory
BESIDES = ("any", "all", "argmax", "argmin", "masked_fill", "masked_fill_tensor", "layer_norm")  # these, too
AS_GIVEN = ("clone", "to_copy", "flip", "contiguous", "to_device", "index_put")  # not these: as their input lies
NO_SLOPE = "NotImplemented"  # what the node of an operator without a derivative is called
EMPTY = inspect.Parameter.empty


def signature(function: Callable[..., Any]) -> tuple[tuple[str, ...], dict[str, Any], bool]:
    """The names of its positional parameters, the keyword-only ones with their defaults, and whether it has `*args`
    (which count as one positional name). `inspect.signature` takes twenty times as long, which import would feel."""
    code: Any = function.__code__
    names, n = code.co_varnames, code.co_argcount
    m = n + code.co_kwonlyargcount
    variadic = bool(code.co_flags & inspect.CO_VARARGS)
    defaults = function.__kwdefaults__ or {}
    return names[:n] + names[m : m + variadic], {name: defaults.get(name, EMPTY) for name in names[n:m]}, variadic


class Rule:
    """A row of the table. Made by `@op`; the value is `rule.value`, the slopes are `rule.slopes`."""

    def __init__(self, value: Callable[..., Any], node_name: str, kind: str, dtypes: str, outputs: tuple[str, ...]):
        self.name = value.__name__
        self.value = value
        self.node_name = node_name
        self.kind = kind  # "elementwise", "reduction", "matmul", "view" …: for who treats a whole family alike
        self.dtypes = dtypes  # how dispatch settles mixed dtypes before the value is asked; see dispatch.settle
        self.outputs = outputs  # names of the results; only the first has a slope. (): as many as come, each has one
        self.slopes: dict[str, Callable[..., Any]] = {}
        self.needs: dict[str, tuple[str, ...]] = {}  # input -> what its slope asks for, by name
        inputs, params, self.variadic = signature(value)
        self.inputs = inputs[1:]  # without `xp`
        self.fixed = int(self.inputs[:1] == ("condition",))  # so many stay what they are when types are made equal
        # NumPy lays results out as their inputs lie in memory; so does PyTorch, but not where it sums, joins, looks up
        self.in_order = (kind in IN_ORDER and self.name not in AS_GIVEN) or self.name in BESIDES
        self.params = params

    def slope(rule, /, **slopes: Callable[..., Any]) -> None:  # not `self`: that is a slope here
        """Give the slope for each named input. Parameters after `F` and `grad` say what must be saved."""
        for name, slope in slopes.items():
            assert name in rule.inputs, f"{rule.name} has no input {name}"
            rule.slopes[name] = slope
            inputs, params, _ = signature(slope)
            rule.needs[name] = (*inputs, *params)[2:]  # without `F` and `grad`

    make_node: Callable[..., Any]  # compiled.py knows how

    @cached_property
    def node(self) -> Any:
        """The class of its nodes, made when first needed."""
        return Rule.make_node(self)

    @cached_property
    def saves(self) -> tuple[str, ...]:
        """Names of the inputs and outputs that some slope needs: the node's `_saved_…`.

        >>> from minigrad.ops import TABLE
        >>> TABLE["mul"].saves, TABLE["exp"].saves, TABLE["sum"].saves
        (('self', 'other'), ('result',), ())
        """
        asked = {need for needs in self.needs.values() for need in needs}
        return tuple(name for name in (*self.inputs, *self.outputs) if name in asked)

    @cached_property
    def order_of_saving(self) -> tuple[str, ...]:
        """The same names in PyTorch's order of saving: inputs by their alphabet, then outputs.

        >>> from minigrad.ops import TABLE
        >>> TABLE["mul"].order_of_saving
        ('other', 'self')
        """
        return tuple(sorted(self.saves, key=lambda name: (name in self.outputs, name)))

    def __repr__(self) -> str:
        return f"<Rule {self.name} {self.node_name}>"


def op(node_name: str, *, kind: str = "elementwise", dtypes: str = "promote", outputs: tuple[str, ...] = ("result",)):
    """Enter the decorated value in the table, under its own name.

    `node_name` is what PyTorch calls the graph node. `dtypes` is one of "promote" (a common dtype), "number" (the
    same, but bools alone are an error), "float" (integers become the default float), "floating" (integers are an
    error), "sum" (integers become int64), "divide" (as "number", and an integer 0 as divisor is an error), "same"
    (mixing is an error), "bool" (all become bool), "keep" (each as it is).
    """

    def enter(value: Callable[..., Any]) -> Rule:
        assert value.__name__ not in TABLE, f"there is an operator called {value.__name__} already"
        rule = TABLE[value.__name__] = Rule(value, node_name, kind, dtypes, outputs)
        return rule

    return enter


class Raw:
    """The table on plain arrays: `Raw(numpy).exp(a)` is `numpy.exp(a)`. Slopes get it in an ordinary backward."""

    def __init__(self, xp: Any):
        self.xp = xp

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in TABLE:
            raise AttributeError(f"no operator is called {name!r}")
        raw = partial(TABLE[name].value, self.xp)
        setattr(self, name, raw)  # found at once the next time
        return raw

"""Decides what a reader passed to viz, and whether it can be drawn. No other module decides this.

For a wrong argument, the error message says what is possible. Imports module, names, static. Read autograd.py next.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .module import is_function, is_module
from .names import is_tensor
from .static import is_static, is_symbol, jitted

Kind = Literal["tensors", "module", "function", "static"]


@dataclass(frozen=True)
class Given:
    """What to draw: tensors; or a module or function with its arguments; or parts of a static graph."""

    kind: Kind
    things: tuple[Any, ...]


def given(things: Sequence[Any]) -> Given:
    """Classify `things` once. For a result of `minigrad.jit`, the thing to draw is its graph.

    Raises TypeError for anything that has no graph, and says what to pass instead.

    >>> import minigrad as torch
    >>> given([torch.ones(1), torch.ones(2)]).kind, given([torch.nn.Tanh(), torch.ones(1)]).kind
    ('tensors', 'module')
    """
    kind = kind_of(things[0])
    if kind in ("module", "function"):
        return Given(kind, tuple(things))
    for thing in things[1:]:
        if kind_of(thing) != kind:
            raise without_a_graph(thing)
    return Given(kind, tuple(thing.graph if jitted(thing) else thing for thing in things))


def kind_of(thing: Any) -> Kind:
    """The kind of one thing. A module or function may have any attribute, so static things are checked last."""
    if is_tensor(thing):
        return "tensors"
    if is_module(thing):
        return "module"
    if is_function(thing):
        return "function"
    if jitted(thing) or is_static(thing):
        return "static"
    raise without_a_graph(thing)


def without_a_graph(thing: Any) -> TypeError:
    return TypeError(f"draw() shows the graph behind tensors, but got {type(thing).__name__}{instead_of(thing)}")


def instead_of(thing: Any) -> str:
    """What to pass instead of a thing that has no graph, if that is known."""
    if isinstance(thing, (list, tuple, set)):
        return ". Pass the tensors one by one: draw(*tensors)"
    if isinstance(thing, dict):
        return ". Pass the tensors one by one: draw(*tensors.values())"
    if isinstance(thing, type) and hasattr(thing, "register_forward_hook"):
        return f". Pass an object of the class: draw({thing.__name__}(…), x)"
    if hasattr(thing, "next_functions"):
        return ". Pass the tensor that has this grad_fn"
    if hasattr(type(thing), "plan") and hasattr(thing, "graph"):
        return ". Pass session.graph, or session.plan(…)"
    return ""


def one_of(what: str, value: object, allowed: Collection[object]) -> None:
    """Raise ValueError unless `value` is one of the `allowed` values."""
    if value not in allowed:
        raise ValueError(f"{what} must be one of {', '.join(map(repr, allowed))}, but got {value!r}")


def pairs_of(names: Any, what: str = "names") -> list[tuple[str, Any]]:
    """Pairs (name, tensor) from the argument `names`: a dict, or pairs as `named_parameters()` gives them.

    Raises TypeError for anything else.

    >>> pairs_of(["y"])
    Traceback (most recent call last):
    TypeError: names must be a dict {name: tensor}, but got a list
    """
    known = list(names.items()) if isinstance(names, Mapping) else names
    pairs = list(known) if isinstance(known, Iterable) else [known]
    if not all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs):
        raise TypeError(f"{what} must be a dict {{name: tensor}}, but got a {type(names).__name__}")
    for name, thing in pairs:
        if not isinstance(name, str):
            raise TypeError(f"a name must be a string, but got {name!r}")
        if not is_tensor(thing) and not is_symbol(thing):
            raise TypeError(f"{what}[{name!r}] must be a tensor, but got {type(thing).__name__}")
    return pairs


def several(names: Any, what: str) -> tuple[str, ...]:
    """One name or several, as a tuple; "" means none. Raises TypeError for anything else."""
    found = (names,) if isinstance(names, str) else tuple(names) if isinstance(names, Iterable) else (None,)
    if not all(isinstance(name, str) for name in found):
        raise TypeError(f"{what} must be the name of a box, or several, but got {names!r}")
    return tuple(name for name in found if name)

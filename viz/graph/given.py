"""What a reader passes to viz, looked at before anything is done: names, a language, boxes that stay unfolded.

What cannot be meant gets a sentence that says what could. Imports names, static. Read autograd.py next.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from .names import is_tensor
from .static import is_symbol


def one_of(what: str, value: object, allowed: Collection[object]) -> None:
    """Raise ValueError unless `value` is one of those that are there."""
    if value not in allowed:
        raise ValueError(f"{what} must be one of {', '.join(map(repr, allowed))}, but got {value!r}")


def pairs_of(names: Any, what: str = "names") -> list[tuple[str, Any]]:
    """Pairs (name, tensor) of what was passed as `names`: a dict, or pairs as `named_parameters()` gives them.

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
    """One name or several, as a tuple; "" is none. Raises TypeError for what is no name."""
    found = (names,) if isinstance(names, str) else tuple(names) if isinstance(names, Iterable) else (None,)
    if not all(isinstance(name, str) for name in found):
        raise TypeError(f"{what} must be the name of a box, or several, but got {names!r}")
    return tuple(name for name in found if name)

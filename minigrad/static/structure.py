"""Nests: tensors in lists, tuples and dicts. They are flattened, and packed again.

Imports no other module of minigrad. Read next: control_flow.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def flatten(nest: Any) -> list[Any]:
    """The leaves of a nest, in order.

    >>> flatten([1, (2, {"a": 3})])
    [1, 2, 3]
    """
    if isinstance(nest, dict):
        return [leaf for key in sorted(nest) for leaf in flatten(nest[key])]
    if isinstance(nest, list | tuple):
        return [leaf for part in nest for leaf in flatten(part)]
    return [nest]


def pack(like: Any, leaves: list[Any]) -> Any:
    """The leaves in the structure of another nest.

    >>> pack([0, (0, 0)], [1, 2, 3])
    [1, (2, 3)]
    """
    return _pack(like, iter(leaves))


def _pack(like: Any, leaves: Iterator[Any]) -> Any:
    if isinstance(like, dict):
        filled = {key: _pack(like[key], leaves) for key in sorted(like)}
        return type(like)((key, filled[key]) for key in like)
    if isinstance(like, list | tuple):
        parts = [_pack(part, leaves) for part in like]
        return type(like)(*parts) if hasattr(like, "_fields") else type(like)(parts)
    return next(leaves)


def same(first: Any, second: Any) -> None:
    """Raise TensorFlow's ValueError unless two nests have the same structure."""
    if form(first) != form(second):
        raise ValueError(
            "The two structures don't have the same nested structure.\n\n"
            f"First structure: type={type(first).__name__} str={first}\n\n"
            f"Second structure: type={type(second).__name__} str={second}"
        )


def form(nest: Any) -> Any:
    if isinstance(nest, dict):
        return tuple((key, form(nest[key])) for key in sorted(nest))
    return [form(part) for part in nest] if isinstance(nest, list | tuple) else None

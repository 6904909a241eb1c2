"""Reads one tensor or operator: its numbers as short text, and what it saved for its derivative.

It uses only names that PyTorch also makes public, so it works on PyTorch's objects. Imports names. Read found.py next.
"""

from __future__ import annotations

from math import prod
from typing import Any

from .names import is_tensor


def numbers(tensor: Any) -> str | None:
    """The numbers of a tensor that has up to three; None for a larger one.

    >>> import minigrad as torch
    >>> [numbers(t) for t in (torch.tensor([2.0]), torch.tensor([1.0, 2.5]), torch.zeros(64, 100))]
    ['2', '[1, 2.5]', None]
    """
    shape = tuple(tensor.shape)
    size = prod(shape)
    if size == 0 or size > 3 or (size > 1 and len(shape) > 1):
        return None
    # + 0.0 turns -0 into 0, since the sign would only confuse
    written = [f"{n + 0.0:.4g}" if isinstance(n, float) else str(n) for n in tensor.detach().reshape(-1).tolist()]
    return written[0] if len(written) == 1 else f"[{', '.join(written)}]"


def describe(tensor: Any) -> str:
    """The numbers of a small tensor, or the shape of a large one."""
    return numbers(tensor) or str(tuple(tensor.shape))


class Saved:
    """What one operator saved for its derivative: its tensors by name, and whether a backward pass has freed them."""

    def __init__(self, fn: Any):
        self.tensors: dict[str, Any] = {}
        self.freed = False
        listed = {attribute.lstrip("_") for attribute in dir(fn)}  # `_saved_self`, or the slot behind it
        names = [name for name in listed if name.startswith("saved_")]
        for name in sorted(names, key=lambda name: (name != "saved_self", name)):  # self is usually the first input
            try:
                found = getattr(fn, name if name == "saved_tensors" else "_" + name, None)
            except RuntimeError as error:
                self.freed |= "a second time" in str(error)  # any other error: it was changed in place, and is lost
                continue
            name = name.removeprefix("saved_")
            if is_tensor(found):
                self.tensors[name] = found
            elif isinstance(found, (tuple, list)):
                self.tensors |= {f"{name}[{i}]": t for i, t in enumerate(found) if is_tensor(t)}


def is_leaf_end(fn: Any) -> bool:
    """Is it the accumulator of a leaf, or a source of flow.py?"""
    return type(fn).__name__ in ("AccumulateGrad", "Source")

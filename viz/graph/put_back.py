"""Puts back what a run may have changed: random generators, a module's attributes and buffers, its examples.

Drawing a model must not change the program that draws it: a seeded program prints the same numbers with and without the
picture. Imports names and memory. Read module.py next.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable
from typing import Any

import numpy

import minigrad

from .memory import version

Undo = Callable[[], None]


def states_of(parts: Iterable[Any], examples: Iterable[Any]) -> list[Undo]:
    """Functions that put everything back as it is now. Modules run on copies of their buffers from here on.

    parts: a module and all its sub-modules. examples: the tensors it is given.
    """
    return [*generators(), *(undo for part in parts for undo in attributes(part)), *map(contents, examples)]


def generators() -> list[Undo]:
    """The random generators of Python, NumPy, minigrad, and of PyTorch if it is loaded."""
    found: list[Undo] = [
        restore(random.setstate, random.getstate()),
        restore(numpy.random.set_state, numpy.random.get_state()),
        restore(minigrad.set_rng_state, minigrad.get_rng_state()),
    ]
    if torch := sys.modules.get("torch"):
        found.append(restore(torch.set_rng_state, torch.get_rng_state()))
        if torch.cuda.is_initialized():
            found.append(restore(torch.cuda.set_rng_state_all, torch.cuda.get_rng_state_all()))
    return found


def attributes(part: Any) -> list[Undo]:
    """A module's own attributes, `training` among them, and its buffers."""
    before, buffers = dict(part.__dict__), dict(part._buffers)

    def undo() -> None:
        part.__dict__.clear()
        part.__dict__.update(before)
        part._buffers.clear()
        part._buffers.update(buffers)

    for name, own in buffers.items():
        if own is not None:
            part._buffers[name] = own.clone()  # the run changes copies, which are dropped afterwards
    return [undo]


def contents(tensor: Any) -> Undo:
    """The numbers of an example, if they can be changed: those of a leaf that requires a gradient can't."""
    if tensor.is_leaf and tensor.requires_grad:
        return lambda: None
    copy, changes = tensor.detach().clone(), version(tensor)

    def undo() -> None:
        if version(tensor) != changes:
            tensor.detach().copy_(copy)

    return undo


def restore(put: Callable[[Any], Any], state: Any) -> Undo:
    return lambda: put(state)

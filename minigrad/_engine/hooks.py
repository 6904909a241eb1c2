"""Hooks: user functions that a backward pass calls, and the registry of all existing hooks.

A pass without hooks is faster, so `Registered` lists every hook until it is removed or its owner is freed.
Imports storage. Read next: saved.py.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from itertools import count
from typing import Any

from .._messages.foreign import type_name
from ..core.modes import switched
from .storage import TensorBase
from .switches import untraceable


class Registered:
    """Everything that a pass may have to call, for all graphs: weak references, which disappear from these sets when
    their objects are freed. Usually both sets are empty.

    counted: objects that need to know when their last gradient has arrived: hooks of leaves, and nodes without a
    derivative. A pass then checks whether it reaches one; the hooks of a leaf run at that moment, as in PyTorch.

    callbacks: everything that calls the user's code: those hooks and all others, Functions, and functions that unpack
    saved tensors; also everything else for which a pass needs a guide.
    """

    counted: set[weakref.ref[Any]] = set()
    callbacks: set[weakref.ref[Any]] = set()


def register(thing: Any, registry: set[weakref.ref[Any]]) -> None:
    """Keep a weak reference to the object in the registry."""
    registry.add(weakref.ref(thing, registry.discard))


class Hooks(dict[int, Callable[..., Any]]):
    """The hooks of one kind on one tensor or node, in order of registration. If not empty, it is in its registries."""

    __slots__ = ("__weakref__", "registries")
    __hash__ = object.__hash__  # type: ignore[assignment]  # each is itself

    def __init__(self, *registries: set[weakref.ref[Any]]):
        super().__init__()
        self.registries = registries

    def note(self) -> None:
        """Enter the registries if there are hooks; leave them otherwise."""
        for registry in self.registries:
            if self:
                register(self, registry)
            else:
                registry.discard(weakref.ref(self))


class Handle:
    """The result of registering a hook: `remove()` removes the hook; also a context manager."""

    numbers = count()

    def __init__(self, hooks: Hooks, hook: Any):
        if switched:
            untraceable("registers a hook")
        self.hooks, self.id = weakref.ref(hooks), next(Handle.numbers)  # weak: a handle must not keep a tensor alive
        hooks[self.id] = hook
        hooks.note()

    @classmethod
    def into(cls, owner: Any, attribute: str, hook: Any, *registries: set[Any]) -> Handle:
        """Add `hook` to `owner.attribute`, which is created if it does not exist."""
        if getattr(owner, attribute) is None:
            setattr(owner, attribute, Hooks(*registries))
        return cls(getattr(owner, attribute), hook)

    def remove(self) -> None:
        hooks = self.hooks()
        if hooks is not None:
            hooks.pop(self.id, None)
            hooks.note()

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()


def hook_name(hook: Any) -> str:
    return str(getattr(hook, "__name__", hook))


def replaced_by(hook: Any, given: tuple[Any, ...], *others: Any) -> tuple[Any, ...]:
    """The gradients after a node's hook: those that it returns, or the given ones if it returns None."""
    out = hook(given, *others)
    if out is None:
        return given
    if not isinstance(out, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(out).__name__}'")
    if len(out) != len(given):
        raise RuntimeError(
            f"hook '{hook_name(hook)}' has returned an incorrect number of values (got {len(out)}, but expected "
            f"{len(given)})"
        )
    return tuple(checked(hook, new, old) for new, old in zip(out, given, strict=True))


def call_hooks(hooks: dict[int, Any] | None, grad: Any) -> Any:
    """Call a tensor's hooks, in order of registration. If a hook returns a value, this replaces the gradient."""
    for hook in list((hooks or {}).values()):
        replaced = hook(grad)
        if replaced is not None:
            grad = checked(hook, replaced, grad)
    return grad


def checked(hook: Any, new: Any, old: Any) -> Any:
    """The gradient that a hook returned to replace `old`; an error unless shape and type are the same."""
    if new is None:
        return None
    if old is None:
        raise RuntimeError("can't replace a None gradient with a non-None value")
    if not isinstance(new, TensorBase):
        raise TypeError(f"expected Variable, but hook returned '{type_name(new)}'")
    if new._data.shape != old._data.shape:
        raise RuntimeError(f"hook '{hook_name(hook)}' has changed the size of value")
    if new._data.dtype != old._data.dtype:
        raise RuntimeError(
            f"hook '{hook_name(hook)}' has changed the type of value (was {old.type()} got {new.type()})"
        )
    return new

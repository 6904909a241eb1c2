"""Checkpoints: save only a function's inputs, and compute its intermediate values again when backward needs them.

This costs time and saves memory. There are two forms, as in PyTorch. `use_reentrant=False` uses
`saved_tensors_hooks`: nodes save a position in a list, which is filled again when one of them reads its tensor.
`use_reentrant=True` is a Function whose backward runs forward again, and then a backward inside backward.
Imports autograd and random. Read next: autograd/function.py.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from .._engine.storage import TensorBase
from .._engine.switches import modes
from .._machine.interrupts import restoring
from .._messages.names import missing as _missing
from .._tensors.creation import empty
from ..autograd import backward, enable_grad, no_grad
from ..autograd.function import Function
from ..autograd.graph import saved_tensors_hooks
from ..nn.container import Sequential
from ..random import fork_rng, get_rng_state, set_rng_state

Contexts = Callable[[], tuple[AbstractContextManager[Any], AbstractContextManager[Any]]]
UNDECIDED = (
    "torch.utils.checkpoint{}: the use_reentrant parameter should be passed explicitly. Starting in PyTorch 2.9, "
    "calling checkpoint without use_reentrant will raise an exception. use_reentrant=False is recommended, but if you "
    "need to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details "
    "on the differences between the two variants."
)


class CheckpointError(RuntimeError):
    """The recomputation saved other tensors than the first computation."""


def noop_context_fn() -> tuple[AbstractContextManager[Any], AbstractContextManager[Any]]:
    """Two contexts without effect."""
    return nullcontext(), nullcontext()


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Contexts = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """`function(*args, **kwargs)`, whose intermediate values are not saved but computed again in backward.

    Random numbers are the same then, unless `preserve_rng_state` is False. `context_fn` returns two contexts, for the
    first computation and for the later one. `early_stop`: stop the second one after the last tensor that is needed.
    Raises CheckpointError in backward if the second computation saves other tensors; `determinism_check="none"`
    compares only their number.

    >>> import minigrad as torch
    >>> from minigrad.utils.checkpoint import checkpoint
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> checkpoint(lambda w: (w * w).exp(), w, use_reentrant=False).sum().backward()
    >>> w.grad
    tensor([  5.4366, 218.3926])
    """
    if use_reentrant is None:
        warnings.warn(UNDECIDED.format(""), stacklevel=2)
        use_reentrant = True
    if use_reentrant:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        if context_fn is not noop_context_fn or debug:
            raise ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
        return CheckpointFunction.apply(function, preserve_rng_state, *args)
    if determinism_check not in ("default", "none"):
        raise ValueError(f"determinism_check should be one of ['default', 'none'], but got {determinism_check}")
    first_time, later = context_fn()
    if not modes.grad:
        with first_time:
            return function(*args, **kwargs)
    part = Part(function, args, kwargs, preserve_rng_state, later, determinism_check == "default", early_stop)
    with saved_tensors_hooks(part.pack, part.unpack), first_time:
        return function(*args, **kwargs)


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, preserve_rng_state: bool = True
) -> Any:
    """The functions (a Sequential, or a list of them) in order, in `segments` parts; each part but the last is a
    checkpoint."""
    if use_reentrant is None:
        warnings.warn(UNDECIDED.format(".checkpoint_sequential"), stacklevel=2)
        use_reentrant = True
    functions = [*functions.children()] if isinstance(functions, Sequential) else functions

    def chain(*functions: Any) -> Callable[[Any], Any]:
        def run(input: Any) -> Any:
            for function in functions:
                input = function(input)
            return input

        return run

    step = len(functions) // segments
    last = step * (segments - 1)
    for start in range(0, last, step):
        part = chain(*functions[start : start + step])
        input = checkpoint(part, input, use_reentrant=use_reentrant, preserve_rng_state=preserve_rng_state)
    return chain(*functions[last:])(input)


# -- use_reentrant=False: no backward inside backward --------------------------------------------


class Place:
    """What a node saves instead of a tensor: its number in the part, and its shape, dtype and device."""

    def __init__(self, number: int, tensor: Any):
        self.number, self.looks = number, looks_of(tensor)


def looks_of(tensor: Any) -> dict[str, Any]:
    """The properties that must be the same in both computations."""
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


class Enough(Exception):
    """Stops a computation after the last tensor that is needed."""


class Part:
    """A part of the graph whose saved tensors are computed when they are read."""

    def __init__(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        preserve_rng_state: bool,
        context: AbstractContextManager[Any],
        compare: bool,
        early_stop: bool,
    ):
        self.function, self.context, self.compare, self.early_stop = function, context, compare, early_stop
        self.rng_state = get_rng_state() if preserve_rng_state else None
        given = [*args, *kwargs.values()]
        self.tensors = {i: x for i, x in enumerate(given) if isinstance(x, TensorBase)}
        self.inputs = KeepInputs.apply(empty(0, requires_grad=True), *self.tensors.values()).grad_fn
        self.given = [None if isinstance(x, TensorBase) else x for x in given]
        self.where, self.names = [*self.tensors], [*kwargs]
        del self.tensors  # the node saved them, and detects later changes in place
        self.places: list[Place] = []
        self.again: dict[int, Any] = {}  # number -> recomputed tensor, until it is read

    def pack(self, tensor: Any) -> Place:
        """Called when a node saves a tensor: returns a Place instead."""
        self.places.append(Place(len(self.places), tensor))
        return self.places[-1]

    def unpack(self, place: Place) -> Any:
        """Called when a node reads a tensor: recompute all tensors of the part, unless that is already done."""
        if place.number not in self.again:
            self.compute()
        return self.again.pop(place.number)

    def compute(self) -> None:
        """Run the function again, and store the tensors that it saves."""
        given = list(self.given)
        for i, tensor in zip(self.where, self.inputs.saved_tensors[1:], strict=True):
            given[i] = tensor.detach().requires_grad_(tensor.requires_grad)
        count = len(given) - len(self.names)
        found: list[Any] = []

        def keep(tensor: Any) -> Any:
            found.append(tensor.detach())
            if self.early_stop and len(found) == len(self.places):
                raise Enough
            return tensor.detach()

        hooks = saved_tensors_hooks(keep, lambda tensor: tensor)
        with numbers_from(self.rng_state), enable_grad(), hooks, self.context:
            try:
                self.function(*given[:count], **dict(zip(self.names, given[count:], strict=True)))
            except Enough:
                pass
        self.check(found)
        self.again = dict(enumerate(found))

    def check(self, found: list[Any]) -> None:
        """Raise if the saved tensors differ from those of the first computation."""
        if len(found) != len(self.places):
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
                f"recomputation.\nNumber of tensors saved during forward: {len(self.places)}\nNumber of tensors saved "
                f"during recomputation: {len(found)}."
            )
        others = [
            f"tensor at position {place.number}:\nsaved metadata: {place.looks}\nrecomputed metadata: "
            f"{looks_of(again)}\n"
            for place, again in zip(self.places, found, strict=True)
            if place.looks != looks_of(again)
        ]
        if others and self.compare:
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than "
                "during the forward pass.\n" + "".join(others)
            )


class KeepInputs(Function):
    """Saves its inputs as any operator does, so that changes of them in place are detected."""

    @staticmethod
    def forward(ctx: Any, *tensors: Any) -> Any:
        ctx.save_for_backward(*tensors)
        return empty(0)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        raise AssertionError("nobody asks for this gradient")


@restoring
def numbers_from(state: Any) -> Iterator[None]:
    """Inside, random numbers start from `state`; afterwards, the generator is as before."""
    with fork_rng(enabled=state is not None):
        if state is not None:
            set_rng_state(state)
        yield


# -- use_reentrant=True: a backward inside backward ----------------------------------------------


class CheckpointFunction(Function):
    """A function as one node; its backward builds the graph that forward left out."""

    @staticmethod
    def forward(ctx: Any, function: Any, preserve_rng_state: bool, *args: Any) -> Any:
        if not any(isinstance(x, TensorBase) and x.requires_grad for x in args):
            warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=4)
        ctx.forwards = function
        ctx.rng_state = get_rng_state() if preserve_rng_state else None
        ctx.given = [None if isinstance(x, TensorBase) else x for x in args]
        ctx.where = [i for i, x in enumerate(args) if isinstance(x, TensorBase)]
        ctx.save_for_backward(*(args[i] for i in ctx.where))
        with no_grad():
            return function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        if modes.partial:
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` "
                "parameter to .backward(). To resolve this error, you can either set use_reentrant=False, or call "
                ".backward() without passing the `inputs` argument."
            )
        given = list(ctx.given)
        for i, tensor in zip(ctx.where, ctx.saved_tensors, strict=True):
            given[i] = tensor.detach().requires_grad_(tensor.requires_grad)
        with numbers_from(ctx.rng_state), enable_grad():
            outs = ctx.forwards(*given)
        outs = outs if isinstance(outs, tuple | list) else (outs,)
        pairs = [
            (out, grad)
            for out, grad in zip(outs, grads, strict=True)
            if isinstance(out, TensorBase) and out.requires_grad
        ]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        backward([out for out, _ in pairs], [grad for _, grad in pairs])
        return None, None, *(x.grad if isinstance(x, TensorBase) else None for x in given)


__getattr__ = _missing(__name__)

"""Your own operator: a subclass of `Function` with a static `forward` and `backward`.

The graph node of an application *is* the `ctx` that both get, as in PyTorch.
Imports core, nodes, views. Read next: autograd/gradcheck.py, to test a derivative.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .._engine import anomaly
from .._engine.hooks import Registered, register
from .._engine.nodes import Node
from .._engine.saved import FREED, blame
from .._engine.saved import pack as save
from .._engine.storage import TensorBase
from .._engine.switches import Switch, modes
from .._engine.views import come_from_function, made_by, made_in_function, pass_on, rebase, refuse
from .._messages.foreign import type_name
from .._messages.places import readers_frames
from .._tensors.inplace import bump
from ..core.engine import fit
from ..core.forms import recorded_unpack
from ..core.record import connect
from ..core.rules import Raw
from ..core.tensor import wrap

DIRTY_LEAF = "a leaf Variable that requires grad has been used in an in-place operation."
NOT_GIVEN = (
    "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated should be "
    "passed to ctx.mark_dirty()."
)
SEVERAL_OUTPUTS = (
    "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return more "
    "than one Tensor. This is not supported by the current autograd engine. You should either make sure the input is "
    "not a view (using .clone() for example) or make your Function only return one Tensor (potentially splitting it "
    "into two Functions: one doing the inplace that returns a single Tensor and a second one that does the other "
    "operations). You can ask on the forum https://discuss.pytorch.org/ if you need help to do this change."
)


class FunctionCtx(Node):
    """The object that `forward` and `backward` share. Any value may be stored in an attribute; tensors that backward
    needs go through `save_for_backward`, because only that detects later changes in place."""

    saves = ("tensors",)
    foreign = True
    function: type[Function]
    needs_input_grad: tuple[bool, ...]  # for each argument of forward: is its gradient needed?
    _inputs: list[Any]  # for each argument of forward: (size, dtype), or None for a non-tensor
    _to_save: tuple[Any, ...] = ()
    _saved: tuple[Any, ...] | None = ()  # for each: None, or (the saved form, the output's index or None)
    dirty: tuple[Any, ...] = ()
    non_differentiable: tuple[Any, ...] = ()
    materialize = True

    def save_for_backward(self, *tensors: Any) -> None:
        """Save tensors (inputs, outputs or others) for backward. A second call replaces the first.

        Raises TypeError for a value that is not a tensor (nor None): store it in an attribute, `ctx.n = 3`.
        """
        for i, t in enumerate(tensors):
            if t is not None and not isinstance(t, TensorBase):
                raise TypeError(
                    f"save_for_backward can only save variables, but argument {i} is of type {type(t).__name__}"
                )
        self._to_save = tensors

    def mark_dirty(self, *tensors: Any) -> None:
        """Declare the inputs that forward has changed in place."""
        self.dirty = tensors

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Declare the outputs that have no derivative."""
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """With False, backward gets None instead of zeros for an output that was not used."""
        self.materialize = value

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """The tensors from `save_for_backward`. RuntimeError if they were freed, or changed in place."""
        if self._saved is None:
            raise RuntimeError(FREED)
        return tuple(None if kept is None else self._unpacked(*kept) for kept in self._saved)

    def _unpacked(self, kept: Any, output: int | None) -> Any:
        tensor = recorded_unpack(kept, self)
        if output is not None:  # only its array was saved, to avoid a reference cycle with this node
            tensor = wrap(tensor._data)
            tensor._versions = kept[1] if isinstance(kept, tuple) else None
            tensor._fn = (self, output) if self.outputs > 1 else self
            tensor._requires_grad = True
        return tensor

    def release(self) -> None:
        self._saved = self._saved and None

    def gradients(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        raw = isinstance(F, Raw)
        grads, sizes, types = (x if isinstance(x, list) else [x] for x in (grad, self._shape, self._dtype))
        given: list[Any] = []
        for g, size, kind in zip(grads, sizes, types, strict=True):
            if g is None and self.materialize and kind is not None:
                g = np.zeros(size, kind)
            given.append(g if g is None or isinstance(g, TensorBase) else wrap(g))
        try:
            result = self._written()(self, *given)
            return self._checked(result if isinstance(result, tuple) else (result,), raw, F)
        except Exception as error:
            blame(error, node=self)
            raise

    def _written(self) -> Callable[..., Any]:
        """The user's backward, under either of its two names."""
        if self.function.vjp is Function.vjp:
            return self.function.backward
        if self.function.backward is not Function.backward:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only "
                "implement one of them."
            )
        return self.function.vjp

    def _checked(self, result: tuple[Any, ...], raw: bool, F: Any) -> tuple[Any, ...]:
        """The user's gradients, one for each tensor argument; PyTorch's errors if they are wrong."""
        name, expected = self.name(), len(self._inputs)
        while len(result) > expected and result[-1] is None:
            result = result[:-1]
        if len(result) != expected:
            raise RuntimeError(
                f"function {name} returned an incorrect number of gradients (expected {expected}, got {len(result)})"
            )
        out: list[Any] = []
        for i, (g, meta) in enumerate(zip(result, self._inputs, strict=True)):
            if g is not None and not isinstance(g, TensorBase):
                raise RuntimeError(f"expected Variable or None (got {type_name(g)})")
            if g is not None and meta is None:
                raise RuntimeError(
                    f"function {name} returned a gradient different than None at position {i + 1}, but the "
                    "corresponding forward input was not a Variable"
                )
            if g is not None and self.needs_input_grad[i]:
                try:
                    g = g._data if raw else g
                    g = g if g.shape == meta[0] else fit(F, g, *meta)
                    own = raw and isinstance(self.edges[len(out)], TensorBase)
                    out.append(g.copy() if own else g)  # it may be another tensor's array, and a leaf would keep it
                except RuntimeError as error:
                    text = f"Function {name} returned an invalid gradient at index {i} - {error}"
                    raise RuntimeError(text) from None
            elif meta is not None:
                out.append(None)
        return tuple(out)


class Function:
    """Base class: define a static `forward(ctx, …)` and `backward(ctx, *grads)`, and call `apply`.

    >>> import minigrad as torch
    >>> class Double(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     def backward(ctx, grad_output):
    ...         return grad_output * 2
    >>> w = torch.tensor([3.0], requires_grad=True)
    >>> Double.apply(w)
    tensor([6.], grad_fn=<DoubleBackward>)
    """

    node_class: type[FunctionCtx]

    def __init_subclass__(cls) -> None:
        """Give each Function its own class of nodes, named after it: MyReLU → MyReLUBackward."""
        cls.node_class = type(cls.__name__ + "Backward", (FunctionCtx,), {"function": cls})

    def __init__(self, *args: Any, **kwargs: Any):
        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all static, so you should "
            "invoke them on the class itself. Instantiating an autograd function will raise an error in a future "
            "version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd "
            "function with static forward method. "
            "(Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the outputs. The first argument is `ctx`, unless there is a `setup_context`."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Save the values that backward needs; if it is defined, `forward` gets no ctx."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """A gradient (or None) for each argument of forward, given the gradient of each output."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    @staticmethod
    def vjp(ctx: Any, *grad_outputs: Any) -> Any:
        """Another name for `backward`: define only one of them."""
        raise NotImplementedError("vjp is not implemented.")

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run forward, and record the operation if some argument requires grad.

        With a `setup_context`, arguments that forward fills by default count as arguments too.
        """
        try:
            return cls._apply(args, kwargs)
        except Exception as error:
            readers_frames(error)  # `raise` adds no frame: the traceback shows this call and the user's forward
            raise

    @classmethod
    def _apply(cls, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        with_setup = cls.setup_context is not Function.setup_context
        if with_setup:
            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        given = (*args, *kwargs.values())
        ctx = cls.node_class()
        ctx._inputs = [(a._data.shape, a._data.dtype) if isinstance(a, TensorBase) else None for a in given]
        ctx.needs_input_grad = tuple(isinstance(a, TensorBase) and bool(a._requires_grad) for a in given)
        recording = modes.recording and any(ctx.needs_input_grad)
        tensors = [a for a in given if isinstance(a, TensorBase)]
        if recording:
            connect(ctx, tensors)  # before forward changes any of them
        with Switch(grad=False):
            if with_setup:
                output = cls.forward(*args, **kwargs)
                cls.setup_context(ctx, args, output)
            else:
                output = cls.forward(ctx, *args, **kwargs)
        for t in ctx.dirty:
            bump(t)
        several = isinstance(output, tuple)
        outs = list(output) if several else [output]
        if recording and any(isinstance(out, TensorBase) for out in outs):
            cls._record(ctx, tensors, outs)
        elif not recording:  # a returned input becomes a new tensor here, too
            for i, out in enumerate(outs):
                if not isinstance(out, TensorBase):
                    continue
                if not among(out, given):
                    made_in_function(out, len(outs) > 1)
                elif not (modes.inference or out._requires_grad or among(out, ctx.dirty)):
                    outs[i] = pass_on(out, wrap(out._data))
                    made_in_function(outs[i], len(outs) > 1)
                elif modes.inference or out._requires_grad or not among(out, ctx.dirty):
                    outs[i] = out.detach()
        for observe in modes.observers:
            observe(cls.__name__, given, tuple(outs))
        return tuple(outs) if several else outs[0]

    @classmethod
    def _record(cls, ctx: FunctionCtx, tensors: list[Any], outs: list[Any]) -> None:
        """Make `ctx` the node of the outputs; an input that is returned becomes a new tensor."""
        for t in ctx.dirty:
            if t._requires_grad and made_by(t) is None:
                raise RuntimeError(DIRTY_LEAF)
            if t._view is not None and t._view[5] is not None and among(t, outs):
                t._grad = None
                refuse(t)  # before the test of its history, which can't follow the change either
        register(ctx, Registered.callbacks)
        ctx.outputs = len(outs)
        for t in ctx.dirty:
            if t._requires_grad and t.grad_fn is None:
                raise RuntimeError(DIRTY_LEAF)
            if not among(t, outs):
                raise RuntimeError(
                    "Some elements marked as dirty during the forward method were not returned as output. The inputs "
                    "that are modified inplace must all be outputs of the Function."
                )
        metas = [(out._data.shape, out._data.dtype) if isinstance(out, TensorBase) else ((), None) for out in outs]
        ctx._shape, ctx._dtype = map(list, zip(*metas, strict=True)) if len(outs) > 1 else metas[0]
        for i, out in enumerate(outs):
            if not isinstance(out, TensorBase) or out._data.dtype.kind != "f" or among(out, ctx.non_differentiable):
                continue
            if among(out, ctx.dirty):
                if not among(out, tensors):
                    warnings.warn(NOT_GIVEN, stacklevel=4)
                if out._view is not None and len(outs) > 1:
                    raise RuntimeError(SEVERAL_OUTPUTS)
                out._grad = None  # it was of the old value
                refuse(out)
                if out._view is not None:  # its history was read after the change, and must be read again
                    out._view = (*out._view[:-1], None)
                rebase(out, ctx, i)
                continue
            if among(out, tensors):
                out = outs[i] = pass_on(out, wrap(out._data))
            come_from_function(out, (ctx, i) if len(outs) > 1 else ctx)
        ctx._saved, ctx._to_save = tuple(kept(t, outs) for t in ctx._to_save), ()
        if modes.anomaly:
            anomaly.record(ctx)


def among(tensor: Any, tensors: Iterable[Any]) -> bool:
    """Whether the tensor is one of these objects (`in` would compare elements)."""
    return any(tensor is t for t in tensors)


def kept(tensor: Any, outs: list[Any]) -> Any:
    """What the node saves of a tensor for backward: of its own outputs, only the arrays."""
    if tensor is None:
        return None
    output = next((i for i, out in enumerate(outs) if out is tensor), None)
    tensor.versions()  # created now, because a later counter would not reach this node
    return save(tensor, own=output is not None), output


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a backward that can't be differentiated again: then this raises instead of giving wrong numbers."""

    @functools.wraps(backward)
    def once(ctx: Any, *grads: Any) -> Any:
        with Switch(grad=False):
            result = backward(ctx, *grads)
        if not modes.grad or not any(isinstance(g, TensorBase) and g._requires_grad for g in grads):
            return result
        given = [g for g in grads if g is not None]
        outs = result if isinstance(result, tuple) else (result,)
        failing = tuple(_Refuse.apply(g, *given) if isinstance(g, TensorBase) else g for g in outs)
        return failing if isinstance(result, tuple) else failing[0]

    return once


class _Refuse(Function):
    """The node behind the gradients of a once_differentiable backward; its backward raises."""

    @staticmethod
    def forward(ctx: Any, grad: Any, *others: Any) -> Any:
        return grad.detach()

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")

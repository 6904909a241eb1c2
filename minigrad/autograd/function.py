"""Your own operator: a subclass of `Function` with a static `forward` and `backward`.

The graph node of an application *is* the `ctx` that both get, as in PyTorch.
Imports tensor, graph, storage. Read next: autograd/gradcheck.py, to see whether a slope is right.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import anomaly
from ..dispatch import save, wrap
from ..engine import fit
from ..forms import recorded_unpack
from ..graph import Node, Watch, blame, next_number
from ..inplace import bump, rebase, refuse
from ..modes import modes
from ..places import readers_frames
from ..rules import Raw
from ..storage import TensorBase


class FunctionCtx(Node):
    """What `forward` and `backward` share. Anything may be kept on it as an attribute; tensors that backward
    needs go through `save_for_backward`, which alone checks that nobody changed them since."""

    saves = ("tensors",)
    foreign = True
    function: type[Function]
    saved_tensors_: tuple[Any, ...] = ()
    dirty: tuple[Any, ...] = ()
    non_differentiable: tuple[Any, ...] = ()
    materialize = True
    released = False

    def __init__(self) -> None:
        self._to_save: tuple[Any, ...] = ()

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors (inputs, outputs or others) for backward. A second call replaces the first.

        Raises TypeError for what is no tensor (nor None): keep that as an attribute, `ctx.n = 3`.
        """
        for i, t in enumerate(tensors):
            if t is not None and not isinstance(t, TensorBase):
                raise TypeError(
                    f"save_for_backward can only save variables, but argument {i} is of type {type(t).__name__}"
                )
        self._to_save = tensors

    def mark_dirty(self, *tensors: Any) -> None:
        """Say which inputs forward has changed in place."""
        self.dirty = tensors

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Say which outputs have no slope."""
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """False: backward gets None, not zeros, for an output that nobody used."""
        self.materialize = value

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What `save_for_backward` kept, checked. RuntimeError if it was freed, or changed in place."""
        from ..graph import FREED

        if self.released:
            raise RuntimeError(FREED)
        out: list[Any] = []
        for kept in self.saved_tensors_:
            if kept is None:
                out.append(None)
                continue
            saved, is_output = kept
            tensor = recorded_unpack(saved, self)
            if is_output is not None:  # an output was kept by its array, else it would hold us and we it
                tensor = wrap(tensor._data)
                tensor._versions = saved[1]
                tensor._fn = (self, is_output) if self.outputs > 1 else self
                tensor._requires_grad = True
            out.append(tensor)
        return tuple(out)

    @property
    def needs_input_grad(self) -> tuple[bool, ...]:
        """For each argument of forward: will its gradient be used?"""
        return self._needs

    def release(self) -> None:
        if self.saved_tensors_:
            self.saved_tensors_, self.released = (), True

    def backward(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        raw = isinstance(F, Raw)
        grads = grad if isinstance(grad, list) else [grad]
        sizes = self._shape if isinstance(self._shape, list) else [self._shape]
        types = self._dtype if isinstance(self._dtype, list) else [self._dtype]
        given: list[Any] = []
        for g, size, kind in zip(grads, sizes, types, strict=True):
            if g is None:
                given.append(wrap(np.zeros(size, dtype=kind)) if self.materialize and kind is not None else None)
            else:
                given.append(wrap(g) if raw else g)
        before = modes.set(grad=not raw)  # recorded only under create_graph
        try:
            result = self.function.backward(self, *given)
            return self._checked(result if isinstance(result, tuple) else (result,), raw, F)
        except Exception as error:
            blame(error, node=self)
            raise
        finally:
            modes.set(**before)

    def _checked(self, result: tuple[Any, ...], raw: bool, F: Any) -> tuple[Any, ...]:
        """The user's gradients, one for each tensor argument, in PyTorch's words if they are wrong."""
        name, expected = self.name(), len(self._needs)
        while len(result) > expected and result[-1] is None:
            result = result[:-1]
        if len(result) != expected:
            raise RuntimeError(
                f"function {name} returned an incorrect number of gradients (expected {expected}, got {len(result)})"
            )
        out: list[Any] = []
        for i, (g, is_tensor) in enumerate(zip(result, self._is_tensor, strict=True)):
            if g is not None and not isinstance(g, TensorBase):
                raise RuntimeError(f"expected Variable or None (got {type(g).__name__})")
            if not is_tensor:
                if g is not None:
                    raise RuntimeError(
                        f"function {name} returned a gradient different than None at position {i + 1}, but the "
                        "corresponding forward input was not a Variable"
                    )
                continue
            if g is not None and self._needs[i]:
                value = g._data if raw else g
                size, kind = self._input_meta[i]
                if value.shape != size:
                    try:
                        value = fit(F, value, size, kind)
                    except RuntimeError as error:
                        raise RuntimeError(
                            f"Function {name} returned an invalid gradient at index {i} - {error}"
                        ) from None
                out.append(value)
            else:
                out.append(None)
        return tuple(out)


class _Meta(type):
    """Gives each Function its own class of nodes, named after it: MyReLU → MyReLUBackward."""

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]):
        super().__init__(name, bases, namespace)
        cls.node_class = type(name + "Backward", (FunctionCtx,), {"function": cls})


class Function(metaclass=_Meta):
    """Subclass this, give it a static `forward(ctx, …)` and `backward(ctx, *grads)`, and call `apply`.

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
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style "
            "autograd function "
            "with static forward method. (Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the outputs. The first argument is `ctx`, unless there is a `setup_context`."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Save what backward needs; if given, `forward` gets no ctx."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """A gradient (or None) for each argument of forward, given one for each output."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Run forward, and record the operation if some argument requires grad."""
        try:
            return cls._apply(args)
        except Exception as error:
            readers_frames(error)  # `raise` alone adds none: the traceback leads from this call to the reader's forward
            raise

    @classmethod
    def _apply(cls, args: tuple[Any, ...]) -> Any:
        ctx = cls.node_class()
        tensors = [a for a in args if isinstance(a, TensorBase)]
        ctx._is_tensor = [isinstance(a, TensorBase) for a in args]
        ctx._needs = tuple(isinstance(a, TensorBase) and a._requires_grad for a in args)
        ctx._input_meta = [(a._data.shape, a._data.dtype) if isinstance(a, TensorBase) else None for a in args]
        recording = modes.grad and any(ctx._needs)
        split = cls.setup_context is not Function.setup_context
        before = modes.set(grad=False)
        try:
            output = cls.forward(*args) if split else cls.forward(ctx, *args)
            if split:
                cls.setup_context(ctx, args, output)
        finally:
            modes.set(**before)
        several = isinstance(output, tuple)
        outs = list(output) if several else [output]
        for out in outs:
            if out is not None and not isinstance(out, TensorBase) and several is False:
                raise TypeError(
                    f"{cls.__name__}Backward.forward: expected Tensor or tuple of Tensor (got "
                    f"{type(out).__name__}) for return value 0"
                )
        if recording:
            outs = cls._record(ctx, tensors, outs)
        for observe in modes.observers:
            observe(cls.__name__, args, tuple(outs))
        return tuple(outs) if several else outs[0]

    @classmethod
    def _record(cls, ctx: FunctionCtx, tensors: list[Any], outs: list[Any]) -> list[Any]:
        """Make `ctx` the node of the outputs."""
        Watch.readers = True
        ctx._number = next_number()
        ctx.edges = tuple((t._fn or t) if t._requires_grad else None for t in tensors)
        ctx.outputs = len(outs)
        for t in ctx.dirty:
            if t._requires_grad and t._fn is None:
                raise RuntimeError("a leaf Variable that requires grad has been used in an in-place operation.")
        if any(all(out is not t for out in outs) for t in ctx.dirty):
            raise RuntimeError(
                "Some elements marked as dirty during the forward method were not returned as output. The inputs "
                "that are "
                "modified inplace must all be outputs of the Function."
            )
        for i, out in enumerate(outs):
            if not isinstance(out, TensorBase) or out._data.dtype.kind != "f":
                continue
            if any(out is t for t in ctx.non_differentiable):
                continue
            fn = (ctx, i) if len(outs) > 1 else ctx
            if any(out is t for t in ctx.dirty):
                bump(out)
                if out._view is None:
                    out._fn, out._requires_grad = fn, True
                else:
                    refuse(out)
                    rebase(out, ctx)
                continue
            if any(out is t for t in tensors):  # an input handed straight on becomes a new tensor
                out = outs[i] = wrap(out._data)
                out._versions = next(t.versions() for t in tensors if t._data is out._data)
            out._fn, out._requires_grad = fn, True
        shapes = [out._data.shape if isinstance(out, TensorBase) else () for out in outs]
        kinds = [out._data.dtype if isinstance(out, TensorBase) else None for out in outs]  # None: no tensor
        ctx._shape = shapes if len(outs) > 1 else shapes[0]
        ctx._dtype = kinds if len(outs) > 1 else kinds[0]
        kept: list[Any] = []
        for t in ctx._to_save:
            which = next((i for i, out in enumerate(outs) if out is t), None)
            thing = t if which is None or t is None else t._data
            kept.append(None if t is None else (save(thing, t.versions()), which))
        ctx.saved_tensors_ = tuple(kept)
        ctx._to_save = ()
        if modes.anomaly:
            anomaly.record(ctx)
        return outs


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a backward that can't be differentiated again: doing so is then an error, not a wrong number."""

    @functools.wraps(backward)
    def once(ctx: Any, *grads: Any) -> Any:
        create = modes.grad
        before = modes.set(grad=False)
        try:
            result = backward(ctx, *grads)
        finally:
            modes.set(**before)
        if not create or not any(isinstance(g, TensorBase) and g._requires_grad for g in grads):
            return result
        outs = result if isinstance(result, tuple) else (result,)
        failing = tuple(
            _Refuse.apply(g, *[t for t in grads if t is not None]) if isinstance(g, TensorBase) else g for g in outs
        )
        return failing if isinstance(result, tuple) else failing[0]

    return once


class _Refuse(Function):
    """Stands behind the gradients of a once_differentiable backward."""

    @staticmethod
    def forward(ctx: Any, grad: Any, *others: Any) -> Any:
        return grad.detach()

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")

"""Hooks on modules: look at, or replace, what goes into and comes out of them, forward and backward.

Mixed into Module. A module without hooks pays nothing: `__call__` asks one flag. Backward hooks work by
passing inputs and outputs through a Function that does nothing, and watching its two nodes.
Imports graph and autograd. Read next: ../graph.py for the hooks on tensors and nodes.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from ..autograd.function import Function
from ..graph import Handle
from ..tensor import Tensor

NO_INPUT_GRAD = (
    "Full backward hook is firing when gradients are computed with respect to module outputs since no inputs require "
    "gradients. See https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html"
    "#torch.nn.Module.register_full_backward_hook for more details."
)


class Hooks:
    """The registering methods, and the call that runs the hooks."""

    _hooked = False  # True, on the instance, from the first hook on
    _pre_hooks: dict[int, Any] | None = None
    _post_hooks: dict[int, Any] | None = None
    _backward_pre_hooks: dict[int, Any] | None = None
    _backward_hooks: dict[int, Any] | None = None

    def _register(self, book: str, hook: Callable[..., Any]) -> Handle:
        self._hooked = True
        return Handle.into(self, book, hook)

    def register_forward_pre_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, args)` before forward; what it returns replaces the arguments."""
        return self._register("_pre_hooks", hook)

    def register_forward_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, args, output)` after forward; what it returns replaces the output.

        >>> import minigrad as torch
        >>> relu = torch.nn.ReLU()
        >>> handle = relu.register_forward_hook(lambda module, args, output: print(output))
        >>> y = relu(torch.tensor([-1.0, 2.0]))
        tensor([0., 2.])
        >>> handle.remove()
        """
        return self._register("_post_hooks", hook)

    def register_full_backward_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, grad_input, grad_output)` in backward; what it returns replaces grad_input.

        Both are tuples, one entry an argument or output that is a tensor, None where there is no gradient.
        """
        return self._register("_backward_hooks", hook)

    def register_full_backward_pre_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, grad_output)` before the module's backward; what it returns replaces grad_output."""
        return self._register("_backward_pre_hooks", hook)

    def _call_with_hooks(self: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        for hook in list((self._pre_hooks or {}).values()):
            replaced = hook(self, args)
            if replaced is not None:
                args = replaced if isinstance(replaced, tuple) else (replaced,)
        watch = Watch(self) if self._backward_hooks or self._backward_pre_hooks else None
        if watch:
            args = watch.inputs(args)
        output = self.forward(*args, **kwargs)
        for hook in list((self._post_hooks or {}).values()):
            replaced = hook(self, args, output)
            output = output if replaced is None else replaced
        return watch.outputs(output) if watch else output


class BackwardHookFunction(Function):
    """Hands everything on unchanged, both ways; its node is where the backward hooks sit."""

    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any:
        ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
        return args

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return grads


class Watch:
    """One call of a module with backward hooks, from its inputs to its outputs."""

    def __init__(self, module: Any):
        self.module = module
        self.grad_output: tuple[Any, ...] | None = None
        self.count = 0  # of tensors among the inputs
        self.has_input_node = False

    def inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments, the tensors among them watched."""
        self.count = sum(isinstance(arg, Tensor) for arg in args)
        args, node = through(args)
        if node is not None:
            self.has_input_node = True
            node.register_hook(lambda grads, _: self.leave(grads))
        return args

    def outputs(self, output: Any) -> Any:
        """The output, the tensors in it watched."""
        several = isinstance(output, tuple)
        outs, node = through(output if several else (output,))
        if node is not None:
            node.register_prehook(self.enter)
        return outs if several else outs[0]

    def enter(self, grads: tuple[Any, ...]) -> tuple[Any, ...]:
        """The gradients of the outputs have come."""
        self.grad_output = grads
        for hook in list((self.module._backward_pre_hooks or {}).values()):
            replaced = hook(self.module, self.grad_output)
            if replaced is not None:
                self.grad_output = replaced if isinstance(replaced, tuple) else (replaced,)
        if not self.has_input_node:  # no input needs a gradient: this is all that there is to see
            if self.module._backward_hooks:
                warnings.warn(NO_INPUT_GRAD, UserWarning, stacklevel=2)
            self.leave((None,) * self.count)
        return self.grad_output

    def leave(self, grads: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """The gradients of the inputs are ready."""
        replaced_once = False
        for hook in list((self.module._backward_hooks or {}).values()):
            replaced = hook(self.module, grads, self.grad_output)
            if replaced is not None:
                grads, replaced_once = (replaced if isinstance(replaced, tuple) else (replaced,)), True
        if replaced_once and not self.has_input_node:
            raise RuntimeError(
                "Backward hook for Modules where no input requires gradient should always return None or None for all "
                "gradients."
            )
        return grads


def through(things: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any]:
    """The same things with the tensors passed through one BackwardHookFunction, and its node (None if unrecorded)."""
    where = [i for i, thing in enumerate(things) if isinstance(thing, Tensor)]
    if not any(things[i].requires_grad for i in where):
        return things, None
    passed = BackwardHookFunction.apply(*[things[i] for i in where])
    out = list(things)
    for i, tensor in zip(where, passed, strict=True):
        out[i] = tensor
    return tuple(out), next((t.grad_fn for t in passed if t.grad_fn is not None), None)

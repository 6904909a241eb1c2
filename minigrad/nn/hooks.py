"""Hooks on modules: look at, or replace, what goes into and comes out of them, forward and backward.

Mixed into Module. A module without hooks pays nothing: `__call__` asks one flag. Backward hooks work by
passing inputs and outputs through a Function that does nothing, and watching its two nodes.
Imports graph and autograd. Read next: ../graph.py for the hooks on tensors and nodes.
"""

import warnings
from collections import defaultdict
from typing import Any

from ..autograd.function import Function
from ..hooks import Handle
from ..hooks import Hooks as Listed
from ..tensor import Tensor


class Hooks:
    """The registering methods, and the call that runs the hooks."""

    _hooks: Any = None  # kind -> the hooks of it, from the first on

    def _add_hook(self, kind, hook) -> Handle:
        if self._hooks is None:
            self._hooks = defaultdict(Listed)
        return Handle(self._hooks[kind], hook)

    def register_forward_pre_hook(self, hook) -> Handle:
        """Call `hook(module, args)` before forward; what it returns replaces the arguments."""
        return self._add_hook("pre", hook)

    def register_forward_hook(self, hook) -> Handle:
        """Call `hook(module, args, output)` after forward; what it returns replaces the output.

        >>> import minigrad as torch
        >>> relu = torch.nn.ReLU()
        >>> handle = relu.register_forward_hook(lambda module, args, output: print(output))
        >>> y = relu(torch.tensor([-1.0, 2.0]))
        tensor([0., 2.])
        >>> handle.remove()
        """
        return self._add_hook("post", hook)

    def register_full_backward_hook(self, hook) -> Handle:
        """Call `hook(module, grad_input, grad_output)` in backward; what it returns replaces grad_input.

        Both are tuples, one entry an argument or output that is a tensor, None where there is no gradient.
        """
        return self._add_hook("backward", hook)

    def register_full_backward_pre_hook(self, hook) -> Handle:
        """Call `hook(module, grad_output)` before the module's backward; what it returns replaces grad_output."""
        return self._add_hook("backward pre", hook)

    def _replaced(self, kind, things, *more):
        """What the hooks of a kind, one after the other, make of a tuple."""
        for hook in list(self._hooks[kind].values()):
            out = hook(self, things, *more)
            if out is not None:
                things = out if isinstance(out, tuple) else (out,)
        return things

    def _call_with_hooks(self: Any, args, kwargs):
        args = self._replaced("pre", args)
        watched = self._hooks["backward"] or self._hooks["backward pre"]
        args, entry = through(args) if watched else (args, None)
        output = self.forward(*args, **kwargs)
        for hook in list(self._hooks["post"].values()):
            replaced = hook(self, args, output)
            output = output if replaced is None else replaced
        if not watched:
            return output
        several = isinstance(output, tuple)
        outs, end = through(output if several else (output,))
        grad_output = ()
        no_grads = (None,) * sum(isinstance(arg, Tensor) for arg in args)

        def enter(grads):
            """The gradients of the outputs have come."""
            nonlocal grad_output
            grad_output = self._replaced("backward pre", grads)
            if entry is None and self._hooks["backward"]:  # this is all that there is to see
                warnings.warn(
                    "Full backward hook is firing when gradients are computed with respect to module outputs since no "
                    "inputs require gradients. See https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html"
                    "#torch.nn.Module.register_full_backward_hook for more details.",
                    stacklevel=2,
                )
                if any(grad is not None for grad in self._replaced("backward", no_grads, grad_output)):
                    raise RuntimeError(
                        "Backward hook for Modules where no input requires gradient should always return None or None "
                        "for all gradients."
                    )
            return grad_output

        if entry is not None:
            entry.register_hook(lambda grads, _: self._replaced("backward", grads, grad_output))
        if end is not None:
            end.register_prehook(enter)
        return outs if several else outs[0]


class BackwardHookFunction(Function):
    """Hands everything on unchanged, both ways; its node is where the backward hooks sit."""

    @staticmethod
    def forward(ctx, *args):
        ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
        return args

    @staticmethod
    def backward(ctx, *grads):
        return grads


def through(things):
    """The same things with the tensors passed through one BackwardHookFunction, and its node (None if unrecorded)."""
    tensors = [thing for thing in things if isinstance(thing, Tensor)]
    if not any(tensor.requires_grad for tensor in tensors):
        return things, None
    passed = BackwardHookFunction.apply(*tensors)
    rest = iter(passed)
    things = tuple(next(rest) if isinstance(thing, Tensor) else thing for thing in things)
    return things, next((tensor.grad_fn for tensor in passed if tensor.grad_fn is not None), None)

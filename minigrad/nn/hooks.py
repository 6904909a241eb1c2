"""Hooks on modules: they read or replace inputs and outputs, and their gradients in backward.

A mix-in of Module. A call without hooks costs only four tests. Full backward hooks pass inputs and outputs
through a Function that returns them unchanged, and put hooks on its two nodes.
Imports hooks and autograd. Read next: ../_engine/hooks.py for the hooks on tensors and nodes.
"""

import warnings
from typing import Any

from .._engine.hooks import Handle
from .._engine.hooks import Hooks as Listed
from .._engine.switches import modes
from .._tensors.tensor import Tensor
from ..autograd.function import Function

HOOKS = (
    *("_backward_pre_hooks", "_backward_hooks", "_is_full_backward_hook"),
    *("_forward_hooks", "_forward_hooks_with_kwargs", "_forward_hooks_always_called"),
    *("_forward_pre_hooks", "_forward_pre_hooks_with_kwargs"),
    *("_state_dict_hooks", "_state_dict_pre_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks"),
)


class Hooks:
    """The registering methods, and the call that runs the hooks."""

    _is_full_backward_hook: bool | None

    @staticmethod
    def _no_hooks() -> dict[str, Any]:
        """The hooks of a new module: for each kind a dict, from a handle's number to a hook."""
        return {kind: None if kind == "_is_full_backward_hook" else Listed() for kind in HOOKS}

    def _add_hook(self, kind: str, hook: Any, prepend: bool = False, **marks: bool) -> Handle:
        hooks = getattr(self, kind)
        handle = Handle(hooks, hook)
        if prepend:
            for number in [number for number in hooks if number != handle.id]:
                hooks[number] = hooks.pop(number)  # moves it after the new one
        for mark, wanted in marks.items():
            if wanted:
                getattr(self, f"{kind}_{mark}")[handle.id] = True
        return handle

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False) -> Handle:
        """Call `hook(module, args)` before forward; its return value replaces the arguments.

        `with_kwargs` gives it the keyword arguments too, `hook(module, args, kwargs)`; it may return a pair of both.
        """
        return self._add_hook("_forward_pre_hooks", hook, prepend, with_kwargs=with_kwargs)

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False) -> Handle:
        """Call `hook(module, args, output)` after forward; its return value replaces the output.

        `with_kwargs` makes it `hook(module, args, kwargs, output)`; `always_call` calls it after an error too, with
        None for the output.

        >>> import minigrad as torch
        >>> relu = torch.nn.ReLU()
        >>> handle = relu.register_forward_hook(lambda module, args, output: print(output))
        >>> y = relu(torch.tensor([-1.0, 2.0]))
        tensor([0., 2.])
        >>> handle.remove()
        """
        return self._add_hook("_forward_hooks", hook, prepend, with_kwargs=with_kwargs, always_called=always_call)

    def register_full_backward_hook(self, hook, prepend=False) -> Handle:
        """Call `hook(module, grad_input, grad_output)` in backward; its return value replaces grad_input.

        Both are tuples with one entry for each argument or output; None for a non-tensor or a missing gradient.
        """
        return self._add_backward_hook(hook, True, prepend)

    def register_backward_hook(self, hook) -> Handle:
        """The older kind: it is registered on the module's last operator, and grad_input is that operator's."""
        return self._add_backward_hook(hook, False)

    def _add_backward_hook(self, hook: Any, full: bool, prepend: bool = False) -> Handle:
        if self._is_full_backward_hook is not None and self._is_full_backward_hook != full:
            raise RuntimeError(
                "Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only "
                "one of them."
            )
        self._is_full_backward_hook = full
        return self._add_hook("_backward_hooks", hook, prepend)

    def register_full_backward_pre_hook(self, hook, prepend=False) -> Handle:
        """Call `hook(module, grad_output)` before the module's backward; its return value replaces grad_output."""
        return self._add_hook("_backward_pre_hooks", hook, prepend)

    # -- the call ---------------------------------------------------------------------------------

    def _call_with_hooks(self: Any, args, kwargs):
        ran: set[int] = set()  # numbers of the hooks that have run
        try:
            return self._forward_with_hooks(args, kwargs, ran)
        except Exception:
            for number, hook in list(self._forward_hooks.items()):
                if number in self._forward_hooks_always_called and number not in ran:
                    try:
                        self._after(number, hook, args, kwargs, None)
                    except Exception as error:
                        warnings.warn(
                            "module forward hook with ``always_call=True`` raised an exception that was silenced as "
                            f"another error was raised in forward: {error}",
                            stacklevel=2,
                        )
            raise

    def _after(self: Any, number, hook, args, kwargs, output):
        """Call a forward hook; return the output, or the hook's replacement."""
        more = (kwargs,) if number in self._forward_hooks_with_kwargs else ()
        replaced = hook(self, args, *more, output)
        return output if replaced is None else replaced

    def _forward_with_hooks(self: Any, args, kwargs, ran):
        for number, hook in list(self._forward_pre_hooks.items()):
            if number in self._forward_pre_hooks_with_kwargs:
                replaced = hook(self, args, kwargs)
                if replaced is not None:
                    if not isinstance(replaced, tuple) or len(replaced) != 2:
                        raise RuntimeError(
                            "forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got "
                            f"{replaced}."
                        )
                    args, kwargs = replaced
            else:
                replaced = hook(self, args)
                if replaced is not None:
                    args = replaced if isinstance(replaced, tuple) else (replaced,)
        full = self._is_full_backward_hook is not False
        hooks = list(self._backward_hooks.values()) if full else []
        watch = BackwardWatch(self, hooks, list(self._backward_pre_hooks.values()))
        watched = watch.hooks or watch.pre_hooks
        args = watch.enter(args) if watched else args
        output = self.forward(*args, **kwargs)
        for number, hook in list(self._forward_hooks.items()):
            ran.add(number)
            output = self._after(number, hook, args, kwargs, output)
        output = watch.leave(output) if watched else output
        if self._backward_hooks and not full:
            self._hook_last_operator(args, output)
        return output

    def _hook_last_operator(self: Any, args, output) -> None:
        """The work of `register_backward_hook`, with PyTorch's warnings about its limits."""
        first = output
        while not isinstance(first, Tensor):
            first = next(
                (v for v in first.values() if isinstance(v, Tensor)) if isinstance(first, dict) else iter(first)
            )
        last = first.grad_fn
        if last is None:
            return
        for hook in list(self._backward_hooks.values()):
            last.register_hook(lambda grads, others, hook=hook: hook(self, grads, others))
        if complaint := _incomplete(args, output, last):
            warnings.warn(complaint, FutureWarning, stacklevel=2)


def _incomplete(args, output, last) -> str:
    """PyTorch's warning if the older backward hooks miss some gradients of this module; "" if they see all."""
    advice = " Please use register_full_backward_hook to get the documented behavior."
    outputs = output if isinstance(output, tuple) else (output,)
    for what, way, things in (("output", "return", outputs), ("input", "take as input", args)):
        if not all(isinstance(thing, Tensor) for thing in things):
            return (
                f"Using non-full backward hooks on a Module that does not {way} a single Tensor or a tuple of Tensors "
                f"is deprecated and will be removed in future versions. This hook will be missing some of the "
                f"grad_{what}.{advice}"
            )
    ends = {out.grad_fn for out in outputs if out.grad_fn is not None}
    if len(ends) > 1:
        return (
            "Using a non-full backward hook when outputs are generated by different autograd Nodes is deprecated and "
            f"will be removed in future versions. This hook will be missing some grad_output.{advice}"
        )
    if {arg.grad_fn for arg in args if arg.grad_fn is not None} != {fn for fn, _ in last.next_functions}:
        return (
            "Using a non-full backward hook when the forward contains multiple autograd Nodes is deprecated and will "
            f"be removed in future versions. This hook will be missing some grad_input.{advice}"
        )
    return ""


class BackwardWatch:
    """One call of a module: runs the full backward hooks on the gradients of its outputs, then of its inputs."""

    def __init__(self, module, hooks, pre_hooks):
        self.module, self.hooks, self.pre_hooks = module, hooks, pre_hooks
        self.grad_output: Any = None

    def enter(self, args):
        """Pass the arguments on, through a node with a hook on their gradients."""
        args, self.inputs, node = through(args)
        self.arguments = len(args)
        if node is not None:
            node.register_hook(self.inputs_have_gradients)
        return args

    def leave(self, output):
        """Pass the outputs on, through a node with a hook on their gradients."""
        outs, self.outputs, node = through(output if isinstance(output, tuple) else (output,))
        self.results = len(outs)
        if node is not None:
            node.register_hook(self.outputs_have_gradients)
        return outs if isinstance(output, tuple) else outs[0]

    def outputs_have_gradients(self, _, grads):
        """Run when the gradients of the outputs are known: the module's backward begins."""
        all_grads = _placed(grads, self.outputs, self.results)
        for hook in self.pre_hooks:
            replaced = hook(self.module, all_grads)
            if replaced is not None:
                _same_number("pre hook", "output", replaced, all_grads)
                all_grads = replaced
        self.grad_output = all_grads
        if self.inputs is None:  # no input requires a gradient: there is no second call
            warnings.warn(
                "Full backward hook is firing when gradients are computed with respect to module outputs since no "
                "inputs require gradients. See https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html"
                "#torch.nn.Module.register_full_backward_hook for more details.",
                stacklevel=2,
            )
            for hook in self.hooks:
                replaced = hook(self.module, (None,) * self.arguments, all_grads)
                if replaced is not None and not (isinstance(replaced, tuple) and all(g is None for g in replaced)):
                    raise RuntimeError(
                        "Backward hook for Modules where no input requires gradient should always return None or None "
                        "for all gradients."
                    )
            self.grad_output = None
        return tuple(all_grads[i] for i in self.outputs)

    def inputs_have_gradients(self, grads, _):
        """Run when the gradients of the inputs are known: the module's backward ends."""
        if self.grad_output is None:
            return None  # these gradients didn't come through the outputs
        all_grads = _placed(grads, self.inputs, self.arguments)
        for hook in self.hooks:
            replaced = hook(self.module, all_grads, self.grad_output)
            if replaced is not None:
                _same_number("hook", "input", replaced, all_grads)
                all_grads = replaced
        self.grad_output = None
        return tuple(all_grads[i] for i in self.inputs)


def _placed(grads, places, count):
    """Gradients at the positions of their tensors, None at the other positions."""
    out = [None] * count
    for place, grad in zip(places, grads, strict=True):
        out[place] = grad
    return tuple(out)


def _same_number(what, of, found, expected) -> None:
    if len(found) != len(expected):
        raise RuntimeError(
            f"Backward {what} returned an invalid number of grad_{of}, got {len(found)}, but expected {len(expected)}"
        )


class BackwardHookFunction(Function):
    """Returns its inputs and gradients unchanged; the backward hooks are on its node."""

    @staticmethod
    def forward(ctx, *args):
        ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
        return args

    @staticmethod
    def backward(ctx, *grads):
        return grads


def through(things):
    """The values, with their tensors passed through one BackwardHookFunction; the tensors' positions; its node.

    If nothing is recorded: the values, None and None.
    """
    places = [i for i, thing in enumerate(things) if isinstance(thing, Tensor)]
    if not modes.grad or not any(things[i].requires_grad for i in places):
        return things, None, None
    passed = BackwardHookFunction.apply(*[things[i] for i in places])
    out = list(things)
    for i, tensor in zip(places, passed, strict=True):
        out[i] = tensor
    node = next(tensor.grad_fn for tensor in passed if tensor.grad_fn is not None)
    return tuple(out), places, node

"""Optimizer: parameters in groups, each group with its own settings, and a state for each parameter.

A step works on plain arrays, in place: the graph does not record it, but the version counters increase, as for every
in-place change. Imports core, places, autograd's switches and nn.parameter. Read next: algorithms.py.
"""

from __future__ import annotations

import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import wraps
from itertools import chain
from typing import Any

import numpy as np

from .._engine.hooks import Handle, Hooks
from .._engine.storage import TensorBase
from .._engine.switches import untraceable
from .._engine.views import unsettle
from .._machine.backend import Silent
from .._machine.interrupts import Whole
from .._messages.foreign import refuse
from .._messages.names import mark_absent
from .._messages.places import Step, readers_place
from ..autograd.grad_mode import enable_grad
from ..core.modes import switched
from ..nn.parameter import forget

STEPPING = Silent()  # a separate one, because operators in an update use the shared one
ALL_PRE, ALL_POST = Hooks(), Hooks()  # step hooks for all optimizers


def hooked(own: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap `step`: note that a step was made, and call the hooks registered before and after it."""

    @wraps(own)
    def step(self: Optimizer, *args: Any, **kwargs: Any) -> Any:
        if switched:
            untraceable("changes a tensor in place")
        self._opt_called = True
        if not (ALL_PRE or ALL_POST or self._pre_hooks or self._post_hooks):
            return own(self, *args, **kwargs)
        args = (self, *args)  # as in PyTorch: a hook gets the optimizer twice
        for hook in list(chain(ALL_PRE.values(), (self._pre_hooks or {}).values())):
            result = hook(self, args, kwargs)
            if result is not None:
                if not (isinstance(result, tuple) and len(result) == 2):
                    raise RuntimeError(
                        f"{own} must return None or a tuple of (new_args, new_kwargs), but got {result}."
                    )
                args, kwargs = result
        out = own(*args, **kwargs)
        for hook in list(chain((self._post_hooks or {}).values(), ALL_POST.values())):
            hook(self, args, kwargs)
        return out

    return step


def register_optimizer_step_pre_hook(hook: Callable[..., Any]) -> Handle:
    """Call `hook(optimizer, args, kwargs)` before each step of any optimizer; it may return other (args, kwargs)."""
    return Handle(ALL_PRE, hook)


def register_optimizer_step_post_hook(hook: Callable[..., Any]) -> Handle:
    """Call `hook(optimizer, args, kwargs)` after each step of any optimizer.

    >>> told = lambda optimizer, args, kwargs: print("a step of", type(optimizer).__name__)
    >>> with torch.optim.optimizer.register_optimizer_step_post_hook(told):
    ...     torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1).step()
    a step of SGD
    """
    return Handle(ALL_POST, hook)


def numbers(group: dict[str, Any]) -> dict[str, Any]:
    """A group's settings, with tensors of one element converted to numbers."""
    return {name: x._data.item() if isinstance(x, TensorBase) else x for name, x in group.items()}


class Optimizer:
    """Base of all optimizers. A subclass defines `update(param, grad, state, group)`, on arrays, in place.

    `params` are tensors, pairs of a name and a tensor, or dicts with "params" and settings that differ from `defaults`.
    Raises TypeError or ValueError, in PyTorch's words, for what can't be optimized.
    """

    writes = 1  # how often PyTorch's `step` writes to a parameter, so that `_version` counts alike; one more for decay
    _ours = False  # is `update` one of this package's?
    _opt_called = False  # has `step` been called? Learning rate schedulers check it
    _pre_hooks: Hooks | None = None
    _post_hooks: Hooks | None = None

    def __init_subclass__(cls) -> None:
        """A subclass may define its own `update`, or a whole `step`, which then counts as a step too."""
        cls._ours = cls.update.__module__.startswith(__package__)
        if "step" in vars(cls):
            setattr(cls, "step", hooked(cls.__dict__["step"]))  # noqa: B010  # which a type checker takes for a new method

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]):
        if isinstance(params, TensorBase):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                f"{params.type()}"
            )
        self.defaults = defaults
        self.state: dict[Any, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        refuse(f"{type(self).__name__}()", params, defaults)
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters with their own settings: `{"params": [...], "lr": 0.1}`; others have the default settings."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets "
                "will change between runs. Please use a list instead."
            )
        params = [params] if isinstance(params, TensorBase) else list(params)
        names = [p[0] for p in params if isinstance(p, tuple)]  # the form of named_parameters()
        if names and len(names) < len(params):
            raise ValueError("all optimizer params should be with/without names. Some param names are missing")
        if names:
            params = [p[1] for p in params]
        if self.param_groups and bool(names) != ("param_names" in self.param_groups[0]):
            raise ValueError(
                "all optimizer param groups should be with/without names. cannot add param group "
                f"{'with' if names else 'without'} names to the optimizer"
            )
        refuse(f"{type(self).__name__}()", params)
        for p in params:
            if not isinstance(p, TensorBase):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {type(p).__name__}")
            if p.grad_fn is not None and not p.retains_grad:
                raise ValueError("can't optimize a non-leaf Tensor")
        if len(set(params)) < len(params):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; "
                "see github.com/pytorch/pytorch/issues/40967 for more information",
                stacklevel=3,
            )
        if not set(self._params()).isdisjoint(params):
            raise ValueError("some parameters appear in more than one parameter group")
        group = {**param_group, "params": params}
        if names:
            group["param_names"] = names
        self.param_groups.append(group | {name: x for name, x in self.defaults.items() if name not in group})

    def _params(self) -> list[Any]:
        return [p for group in self.param_groups for p in group["params"]]

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Remove all gradients: `.grad` becomes None, or zeros."""
        if switched:
            untraceable("changes a tensor in place")
        forget(self._params(), set_to_none)

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(optimizer, args, kwargs)` before each step; it may return other (args, kwargs)."""
        return Handle.into(self, "_pre_hooks", hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(optimizer, args, kwargs)` after each step."""
        return Handle.into(self, "_post_hooks", hook)

    @hooked
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter that has a gradient. A `closure` first recomputes the loss, which is returned."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        place = Step(readers_place(sys._getframe(1)))  # for the note about a tensor modified by an inplace operation
        with Whole():  # a parameter and its state change together even after Ctrl-C
            if self._ours:
                STEPPING.run(self._change, place)
            else:
                with np.errstate(all="ignore"):
                    self._change(place)
        return loss

    def _change(self, place: Any) -> None:
        """Change every parameter, without NumPy's warnings of overflow."""
        update, state = self.update, self.state
        for group in self.param_groups:
            if isinstance(group.get("lr"), TensorBase):
                group = numbers(group)  # `update` computes with numbers
            writes = self.writes + bool(group.get("decoupled_weight_decay") and group["weight_decay"])
            for p in group["params"]:
                grad = p._grad
                if grad is not None:
                    update(p._data, grad._data, state[p], group)
                    versions = p._versions or p.versions()
                    versions[0] += writes
                    versions[1] = place
                    if versions[2]:  # it has views
                        unsettle(p)

    def update(self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        """Change the array `param` in place. `grad` is the gradient's array, which must not be changed.

        `state` is this parameter's own dict, empty at first; its values are Tensors.
        """
        raise NotImplementedError

    def state_dict(self) -> dict[str, Any]:
        """State and settings, with numbers for the parameters: for `load_state_dict` and `minigrad.save`."""
        numbers = {p: i for i, p in enumerate(dict.fromkeys(self._params()))}
        groups = [
            {name: x for name, x in group.items() if name != "params"}
            | {"params": [numbers[p] for p in group["params"]]}
            for group in self.param_groups
        ]
        return {"state": {numbers[p]: kept for p, kept in self.state.items() if kept}, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Copy the `state_dict` of another optimizer whose parameters have the same shapes and order."""
        state, groups = deepcopy(state_dict["state"]), deepcopy(state_dict["param_groups"])
        if len(groups) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(a["params"]) != len(b["params"]) for a, b in zip(groups, self.param_groups, strict=True)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        self.state.clear()
        for mine, theirs in zip(self.param_groups, groups, strict=True):
            numbers = zip(mine["params"], theirs.pop("params"), strict=True)
            self.state.update({p: state[number] for p, number in numbers if number in state})
            mine.update(theirs)

    def __repr__(self) -> str:
        text = f"{type(self).__name__} ("
        for i, group in enumerate(self.param_groups):
            settings = (f"    {name}: {group[name]}\n" for name in sorted(group) if name != "params")
            text += f"\nParameter Group {i}\n" + "".join(settings)
        return text + ")"


mark_absent(Optimizer, "torch.optim.Optimizer")

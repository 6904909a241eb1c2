"""Optimizer: parameters in groups, each with its own settings, and a state for each parameter.

Imports tensor and modes. Read next: sgd.py, the simplest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from ..autograd.modes import enable_grad
from ..inplace import bump
from ..storage import TensorBase


class Optimizer:
    """Base of all optimizers. A subclass gives `update(param, grad, group, state)`, on arrays, in place."""

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]):
        if isinstance(params, TensorBase):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                f"{params.type()}"
            )
        self.defaults = defaults
        self.state: dict[Any, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def add_param_group(self, group: dict[str, Any]) -> None:
        """Add parameters with settings of their own: {"params": [...], "lr": 0.1}; the rest are the defaults."""
        params = group["params"]
        params = [params] if isinstance(params, TensorBase) else list(params)
        known = {p for other in self.param_groups for p in other["params"]}
        for p in params:
            if not isinstance(p, TensorBase):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {type(p).__name__}")
            if p._fn is not None:
                raise ValueError("can't optimize a non-leaf Tensor")
        if not known.isdisjoint(params):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append({**self.defaults, **group, "params": params})

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget all gradients: `.grad` becomes None, or zeros."""
        for group in self.param_groups:
            for p in group["params"]:
                if set_to_none or p._grad is None:
                    p._grad = None
                else:
                    p._grad.detach_().zero_()

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter that has a gradient. A closure computes the loss anew, and it is returned."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p._grad is not None:
                    self.update(p._data, p._grad._data, group, self.state[p])
                    bump(p)
        return loss

    def update(self, param: Any, grad: Any, group: dict[str, Any], state: dict[str, Any]) -> None:
        """Change the array `param` in place, given the gradient's array, which must stay as it is."""
        raise NotImplementedError

    def state_dict(self) -> dict[str, Any]:
        """Settings and state, parameters by their number: what `load_state_dict` takes."""
        numbers: dict[Any, int] = {}
        groups = []
        for group in self.param_groups:
            for p in group["params"]:
                numbers.setdefault(p, len(numbers))
            groups.append({**group, "params": [numbers[p] for p in group["params"]]})
        return {"state": {numbers[p]: dict(s) for p, s in self.state.items()}, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take settings and state from another optimizer of the same kind over parameters in the same order."""
        groups = state_dict["param_groups"]
        if len(groups) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(a["params"]) != len(b["params"]) for a, b in zip(groups, self.param_groups, strict=True)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        params = [p for group in self.param_groups for p in group["params"]]
        self.state.clear()
        for number, kept in state_dict["state"].items():
            self.state[params[number]] = {k: v.copy() if hasattr(v, "copy") else v for k, v in kept.items()}
        for mine, other in zip(self.param_groups, groups, strict=True):
            mine.update({**other, "params": mine["params"]})

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for i, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {i}")
            lines += [f"    {name}: {group[name]}" for name in sorted(group) if name != "params"]
        return "\n".join([*lines, ")"])


def check_not_negative(**settings: float) -> None:
    """ValueError, in PyTorch's words, for a setting below 0."""
    spelt = {"lr": "learning rate", "eps": "epsilon value", "momentum": "momentum value"}
    for name, value in settings.items():
        if value < 0:
            raise ValueError(f"Invalid {spelt.get(name, name + ' value')}: {value}")

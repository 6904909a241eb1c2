"""RMSprop and Adagrad: each parameter's step is divided by the size of its recent, or of all its, gradients.

Imports optimizer. Read next: lr_scheduler.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..backend import namespace
from ..creation import tensor
from .optimizer import Optimizer, check_not_negative, counted, like, uphill


class RMSprop(Optimizer):
    """v ← α v + (1 - α) g²,  p ← p - lr · g / (√v + eps)  (Hinton 2012); `centered` takes the variance for v."""

    inert = {"foreach": None, "differentiable": False, "capturable": False}

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        *,
        maximize: bool = False,
    ):
        check_not_negative(lr=lr, eps=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        settings = {"lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered}
        super().__init__(params, {**settings, "weight_decay": weight_decay, "maximize": maximize})

    def update(self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        grad, xp, alpha = uphill(param, grad, group), namespace(param), group["alpha"]
        if not state:
            state.update(step=tensor(0.0), square_avg=like(param))
            if group["momentum"]:
                state["momentum_buffer"] = like(param)
            if group["centered"]:
                state["grad_avg"] = like(param)
        counted(state)
        square = state["square_avg"]._data
        square *= alpha
        square += (1 - alpha) * grad * grad
        if group["centered"]:
            mean = state["grad_avg"]._data
            mean += (1 - alpha) * (grad - mean)
            square = square - mean * mean
        move = grad / (xp.sqrt(square) + group["eps"])
        if group["momentum"]:
            velocity = state["momentum_buffer"]._data
            velocity *= group["momentum"]
            velocity += move
            move = velocity
        param -= group["lr"] * move


class Adagrad(Optimizer):
    """s ← s + g²,  p ← p - lr · g / (√s + eps)  (Duchi et al. 2011); lr falls as 1 / (1 + t · lr_decay)."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        *,
        maximize: bool = False,
    ):
        check_not_negative(lr=lr, lr_decay=lr_decay, weight_decay=weight_decay)
        check_not_negative(initial_accumulator_value=initial_accumulator_value, eps=eps)
        settings = {"lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay}
        super().__init__(
            params, {**settings, "initial_accumulator_value": initial_accumulator_value, "maximize": maximize}
        )

    def update(self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        grad = uphill(param, grad, group)
        if not state:
            state.update(step=tensor(0.0), sum=like(param) + group["initial_accumulator_value"])
        step, total = counted(state), state["sum"]._data
        total += grad * grad
        lr = group["lr"] / (1 + (step - 1) * group["lr_decay"])
        param -= lr * grad / (namespace(param).sqrt(total) + group["eps"])

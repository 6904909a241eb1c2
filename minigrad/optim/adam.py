"""Adam: steps scaled by running moments of the gradient (Kingma & Ba 2015). Imports optimizer."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from .optimizer import Optimizer, check_not_negative


class Adam(Optimizer):
    """m ← β₁ m + (1 - β₁) g,  v ← β₂ v + (1 - β₂) g²,  p ← p - lr · m̂ / (√v̂ + eps), with m̂, v̂ freed of their start at 0.

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0], requires_grad=True)
    >>> optimizer = torch.optim.Adam([w], lr=0.1)
    >>> (w * w).backward()
    >>> optimizer.step()
    >>> w
    tensor([0.9000], requires_grad=True)
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ):
        check_not_negative(lr=lr, eps=eps, weight_decay=weight_decay)
        for i, beta in enumerate(betas):
            if not 0 <= beta < 1:
                raise ValueError(f"Invalid beta parameter at index {i}: {beta}")
        settings = dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize)
        super().__init__(params, settings)

    def update(self, param: Any, grad: Any, group: dict[str, Any], state: dict[str, Any]) -> None:
        if group["maximize"]:
            grad = -grad
        if group["weight_decay"]:
            grad = grad + group["weight_decay"] * param
        if not state:
            state.update(step=0, exp_avg=np.zeros_like(param), exp_avg_sq=np.zeros_like(param))
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = np.zeros_like(param)
        state["step"] += 1
        beta1, beta2 = group["betas"]
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        mean += (1 - beta1) * (grad - mean)
        square *= beta2
        square += (1 - beta2) * grad * grad
        if group["amsgrad"]:
            square = np.maximum(state["max_exp_avg_sq"], square, out=state["max_exp_avg_sq"])
        root = math.sqrt(1 - beta2 ** state["step"])
        param -= (group["lr"] / (1 - beta1 ** state["step"])) * mean / (np.sqrt(square) / root + group["eps"])

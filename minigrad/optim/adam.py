"""Adam and AdamW: steps scaled by running averages of the gradient and its square.

Imports optimizer. Read next: rmsprop.py, of which Adam is a refinement.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ..backend import namespace
from ..creation import tensor
from .optimizer import Optimizer, check_not_negative, counted, like, uphill


class Adam(Optimizer):
    """m ← β₁ m + (1 - β₁) g,  v ← β₂ v + (1 - β₂) g²,  p ← p - lr · m̂ / (√v̂ + eps)  (Kingma & Ba 2015).

    m̂ = m / (1 - β₁ᵗ) and v̂ = v / (1 - β₂ᵗ) make up for the start at 0; `amsgrad` takes the largest v so far.

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0], requires_grad=True)
    >>> optimizer = torch.optim.Adam([w], lr=0.1)
    >>> (w * w).backward()
    >>> optimizer.step()
    >>> w
    tensor([0.9000], requires_grad=True)
    """

    inert = {**Optimizer.inert, "capturable": False}
    decoupled = False

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
        check_not_negative(lr=lr, eps=eps)
        for i, beta in enumerate(betas):
            if not 0 <= beta < 1:
                raise ValueError(f"Invalid beta parameter at index {i}: {beta}")
        check_not_negative(weight_decay=weight_decay)
        settings = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad}
        super().__init__(params, {**settings, "maximize": maximize, "decoupled_weight_decay": self.decoupled})

    def update(self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        xp, lr, (beta1, beta2) = namespace(param), group["lr"], group["betas"]
        if not group["decoupled_weight_decay"]:
            grad = uphill(param, grad, group)
        else:
            grad = -grad if group["maximize"] else grad
            param *= 1 - lr * group["weight_decay"]
        if not state:
            state.update(step=tensor(0.0), exp_avg=like(param), exp_avg_sq=like(param))
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = like(param)
        step = counted(state)
        mean, square = state["exp_avg"]._data, state["exp_avg_sq"]._data
        mean += (1 - beta1) * (grad - mean)
        square *= beta2
        square += (1 - beta2) * grad * grad
        if group["amsgrad"]:
            square = xp.maximum(state["max_exp_avg_sq"]._data, square)
            state["max_exp_avg_sq"]._data[...] = square
        deviation = xp.sqrt(square)
        deviation /= math.sqrt(1 - beta2**step)
        deviation += group["eps"]
        param -= (lr / (1 - beta1**step)) * mean / deviation


class AdamW(Adam):
    """Adam whose weight decay shrinks the weights directly, p ← (1 - lr · decay) p (Loshchilov & Hutter 2019)."""

    decoupled = True

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)

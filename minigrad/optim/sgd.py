"""SGD: a step down the slope, with momentum if wanted (Sutskever et al. 2013). Imports optimizer. Read next: adam.py."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .optimizer import Optimizer, check_not_negative


class SGD(Optimizer):
    """p ← p - lr · g. With momentum μ: v ← μ v + (1 - dampening) g, p ← p - lr · v (nesterov: g + μ v in v's place).

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0], requires_grad=True)
    >>> optimizer = torch.optim.SGD([w], lr=0.1)
    >>> (w * w).backward()
    >>> optimizer.step()
    >>> w
    tensor([0.8000], requires_grad=True)
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ):
        check_not_negative(lr=lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(
            params,
            dict(
                lr=lr,
                momentum=momentum,
                dampening=dampening,
                weight_decay=weight_decay,
                nesterov=nesterov,
                maximize=maximize,
            ),
        )

    def update(self, param: Any, grad: Any, group: dict[str, Any], state: dict[str, Any]) -> None:
        if group["maximize"]:
            grad = -grad
        if group["weight_decay"]:
            grad = grad + group["weight_decay"] * param
        if momentum := group["momentum"]:
            if "momentum_buffer" not in state:
                state["momentum_buffer"] = grad.copy()
            else:
                state["momentum_buffer"] *= momentum
                state["momentum_buffer"] += (1 - group["dampening"]) * grad
            velocity = state["momentum_buffer"]
            grad = grad + momentum * velocity if group["nesterov"] else velocity
        param -= group["lr"] * grad

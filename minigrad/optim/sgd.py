"""SGD: a step down the slope, with momentum if wanted. Imports optimizer. Read next: adam.py."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..dispatch import wrap
from .optimizer import Optimizer, check_not_negative, uphill


class SGD(Optimizer):
    """p ← p - lr · g; with momentum μ (Sutskever et al. 2013) v ← μ v + (1 - dampening) g and p ← p - lr · v.

    `nesterov` takes g + μ v in place of v.

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
        settings = {"lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay}
        super().__init__(params, {**settings, "nesterov": nesterov, "maximize": maximize})

    def update(self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        grad, momentum = uphill(param, grad, group), group["momentum"]
        if momentum:
            if not state:
                state["momentum_buffer"] = wrap(grad.copy())
                velocity = state["momentum_buffer"]._data
            else:
                velocity = state["momentum_buffer"]._data
                velocity *= momentum
                velocity += (1 - group["dampening"]) * grad
            grad = grad + momentum * velocity if group["nesterov"] else velocity
        param -= group["lr"] * grad

"""The update rules of the optimizers SGD, Adam, AdamW, RMSprop and Adagrad; Adam refines the last two.

Each `update` is the formula of its docstring, with g for the gradient and p for the parameter, on arrays and in place.
The settings `foreach`, `fused`, `capturable` and `differentiable` only choose among PyTorch's implementations: they
are kept so that the groups are equal to PyTorch's. Imports optimizer. Read next: variants.py, then lr_scheduler.py.
"""

import math
from typing import Any

from .._engine.storage import TensorBase
from .._machine.backend import namespace
from .._tensors.creation import tensor
from ..core.tensor import wrap
from .optimizer import Optimizer

NOT_NEGATIVE = {"lr": "learning rate", "eps": "epsilon value"} | {
    name: f"{name} value"
    for name in ("momentum", "weight_decay", "alpha", "lr_decay", "initial_accumulator_value", "momentum_decay")
}


def checked(**settings) -> dict[str, Any]:
    """The settings; ValueError, in PyTorch's words, for a setting out of its range."""
    if isinstance(lr := settings.get("lr"), TensorBase) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")
    for name, words in NOT_NEGATIVE.items():
        if not settings.get(name, 0) >= 0:
            raise ValueError(f"Invalid {words}: {settings[name]}")
    for i, beta in enumerate(settings.get("betas", ())):
        if not 0 <= beta < 1:
            raise ValueError(f"Invalid beta parameter at index {i}: {beta}")
    if settings["differentiable"]:
        raise NotImplementedError("minigrad's optimizers step without a graph: there is no differentiable=True")
    return settings


def uphill(param, grad, group):
    """The gradient to subtract: negated under `maximize`, and with `weight_decay` · param added."""
    if group["maximize"]:
        grad = -grad
    return grad + group["weight_decay"] * param if group["weight_decay"] else grad


def like(array):
    """A Tensor of zeros for a parameter's state."""
    return wrap(namespace(array).zeros_like(array))


def blend(average, new, keep) -> None:
    """average ← keep · average + (1 - keep) · new, in place."""
    average *= keep
    average += (1 - keep) * new


def counted(state) -> int:
    """Add one to the number of steps in a parameter's state, and return it."""
    array = state["step"]._data
    array[...] = step = int(array.item()) + 1
    return step


class SGD(Optimizer):
    """p ← p - lr · g; with momentum μ (Sutskever et al. 2013) v ← μ v + (1 - dampening) g and p ← p - lr · v.

    With `nesterov`, g + μ v replaces v.

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
        params,
        lr=1e-3,
        momentum=0,
        dampening=0,
        weight_decay=0,
        nesterov=False,
        *,
        maximize=False,
        foreach=None,
        differentiable=False,
        fused=None,
    ):
        kept = {"maximize": maximize, "foreach": foreach, "differentiable": differentiable, "fused": fused}
        settings = {"lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay}
        settings = checked(**settings, nesterov=nesterov, **kept)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, settings)

    def update(self, param, grad, state, group) -> None:
        grad, momentum = uphill(param, grad, group), group["momentum"]
        if momentum:
            if state.get("momentum_buffer") is None:
                state["momentum_buffer"] = wrap(grad.copy())
                velocity = state["momentum_buffer"]._data
            else:
                velocity = state["momentum_buffer"]._data
                velocity *= momentum
                velocity += (1 - group["dampening"]) * grad
            grad = grad + momentum * velocity if group["nesterov"] else velocity
        param -= group["lr"] * grad


class Adam(Optimizer):
    """m ← β₁ m + (1 - β₁) g,  v ← β₂ v + (1 - β₂) g²,  p ← p - lr · m̂ / (√v̂ + eps)  (Kingma & Ba 2015).

    m̂ = m / (1 - β₁ᵗ) and v̂ = v / (1 - β₂ᵗ) correct for the start at 0; `amsgrad` uses the largest v so far.

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
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        amsgrad=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
        fused=None,
        decoupled_weight_decay=False,
    ):
        kept = {"foreach": foreach, "capturable": capturable, "differentiable": differentiable, "fused": fused}
        settings = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad}
        settings = checked(**settings, maximize=maximize, **kept, decoupled_weight_decay=decoupled_weight_decay)
        if isinstance(lr, TensorBase) and foreach and not capturable:
            raise ValueError("lr as a Tensor is not supported for capturable=False and foreach=True")
        super().__init__(params, settings)

    def update(self, param, grad, state, group) -> None:
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
        blend(mean, grad, beta1)
        blend(square, grad * grad, beta2)
        if group["amsgrad"]:
            square = xp.maximum(state["max_exp_avg_sq"]._data, square)
            state["max_exp_avg_sq"]._data[...] = square
        deviation = xp.sqrt(square)
        deviation /= math.sqrt(1 - beta2**step)
        deviation += group["eps"]
        param -= (lr / (1 - beta1**step)) * mean / deviation


class AdamW(Adam):
    """Adam whose weight decay shrinks the weights directly, p ← (1 - lr · decay) p (Loshchilov & Hutter 2019)."""

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=1e-2,
        amsgrad=False,
        *,
        maximize=False,
        foreach=None,
        capturable=False,
        differentiable=False,
        fused=None,
    ):
        kept = {"foreach": foreach, "capturable": capturable, "differentiable": differentiable, "fused": fused}
        kept |= {"maximize": maximize, "decoupled_weight_decay": True}
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, **kept)


class RMSprop(Optimizer):
    """v ← α v + (1 - α) g²,  p ← p - lr · g / (√v + eps)  (Hinton 2012); `centered` replaces v by the variance."""

    def __init__(
        self,
        params,
        lr=1e-2,
        alpha=0.99,
        eps=1e-8,
        weight_decay=0,
        momentum=0,
        centered=False,
        capturable=False,
        foreach=None,
        maximize=False,
        differentiable=False,
    ):
        settings = {"lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered}
        settings |= {"weight_decay": weight_decay, "capturable": capturable, "foreach": foreach}
        super().__init__(params, checked(**settings, maximize=maximize, differentiable=differentiable))

    def update(self, param, grad, state, group) -> None:
        grad, alpha = uphill(param, grad, group), group["alpha"]
        if not state:
            state.update(step=tensor(0.0), square_avg=like(param))
            if group["momentum"]:
                state["momentum_buffer"] = like(param)
            if group["centered"]:
                state["grad_avg"] = like(param)
        counted(state)
        square = state["square_avg"]._data
        blend(square, grad * grad, alpha)
        if group["centered"]:
            mean = state["grad_avg"]._data
            blend(mean, grad, alpha)
            square = square - mean * mean
        move = grad / (namespace(param).sqrt(square) + group["eps"])
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
        params,
        lr=1e-2,
        lr_decay=0,
        weight_decay=0,
        initial_accumulator_value=0,
        eps=1e-10,
        foreach=None,
        *,
        maximize=False,
        differentiable=False,
        fused=None,
    ):
        settings = {"lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay}
        settings |= {"initial_accumulator_value": initial_accumulator_value, "foreach": foreach, "maximize": maximize}
        super().__init__(params, checked(**settings, differentiable=differentiable, fused=fused))
        for group in self.param_groups:  # as in PyTorch, at the start and not at the first step
            for param in group["params"]:
                total = like(param._data) + group["initial_accumulator_value"]
                self.state[param].update(step=tensor(0.0), sum=total)

    def update(self, param, grad, state, group) -> None:
        grad = uphill(param, grad, group)
        if not state:
            state.update(step=tensor(0.0), sum=like(param) + group["initial_accumulator_value"])
        step, total = counted(state), state["sum"]._data
        total += grad * grad
        lr = group["lr"] / (1 + (step - 1) * group["lr_decay"])
        param -= lr * grad / (namespace(param).sqrt(total) + group["eps"])

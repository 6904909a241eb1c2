"""More optimizers, related to those in algorithms.py: Adadelta, Adamax, NAdam, RAdam, Rprop, ASGD.

Each `update` is the formula of its docstring, with g for the gradient and p for the parameter.
Imports algorithms. Read next: lbfgs.py, which works differently.
"""

import math

from .._machine.backend import namespace
from .._tensors.creation import tensor
from .algorithms import blend, checked, counted, like, uphill
from .optimizer import Optimizer


class Adadelta(Optimizer):
    """v ← ρ v + (1 - ρ) g²,  Δ = √(d + eps) / √(v + eps) · g,  d ← ρ d + (1 - ρ) Δ²,  p ← p - lr · Δ  (Zeiler 2012)."""

    def __init__(
        self,
        params,
        lr=1.0,
        rho=0.9,
        eps=1e-6,
        weight_decay=0,
        foreach=None,
        *,
        capturable=False,
        maximize=False,
        differentiable=False,
    ):
        if lr >= 0 and not 0 <= rho <= 1:
            raise ValueError(f"Invalid rho value: {rho}")
        settings = {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
        kept = {"capturable": capturable, "foreach": foreach, "differentiable": differentiable}
        super().__init__(params, checked(**settings, **kept))

    def update(self, param, grad, state, group) -> None:
        grad, sqrt = uphill(param, grad, group), namespace(param).sqrt
        if not state:
            state.update(step=tensor(0.0), square_avg=like(param), acc_delta=like(param))
        counted(state)
        square, moves = state["square_avg"]._data, state["acc_delta"]._data
        blend(square, grad * grad, group["rho"])
        move = sqrt(moves + group["eps"]) / sqrt(square + group["eps"]) * grad
        blend(moves, move * move, group["rho"])
        param -= group["lr"] * move


class Adamax(Optimizer):
    """m as Adam's,  u ← max(β₂ u, |g| + eps),  p ← p - lr / (1 - β₁ᵗ) · m / u  (Kingma & Ba 2015)."""

    def __init__(
        self,
        params,
        lr=2e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        foreach=None,
        *,
        maximize=False,
        differentiable=False,
        capturable=False,
    ):
        settings = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "foreach": foreach}
        kept = {"maximize": maximize, "differentiable": differentiable, "capturable": capturable}
        super().__init__(params, checked(**settings, **kept))

    def update(self, param, grad, state, group) -> None:
        xp, (beta1, beta2) = namespace(param), group["betas"]
        grad = uphill(param, grad, group)
        if not state:
            state.update(step=tensor(0.0), exp_avg=like(param), exp_inf=like(param))
        step, mean, largest = counted(state), state["exp_avg"]._data, state["exp_inf"]._data
        blend(mean, grad, beta1)
        largest[...] = xp.maximum(largest * beta2, xp.abs(grad) + group["eps"])
        param -= group["lr"] / (1 - beta1**step) * mean / largest


def shrunk(param, grad, group):
    """The gradient of `uphill`; with `decoupled_weight_decay`, the weights shrink instead."""
    if not group["decoupled_weight_decay"]:
        return uphill(param, grad, group)
    param *= 1 - group["lr"] * group["weight_decay"]
    return -grad if group["maximize"] else grad


class NAdam(Optimizer):
    """Adam with Nesterov's momentum: p ← p - lr · ((1 - μₜ) g / (1 - Πμ) + μₜ₊₁ m / (1 - μₜ₊₁ Πμ)) / (√v̂ + eps).

    μₜ = β₁ (1 - ½ · 0.96^(t · momentum_decay))  (Dozat 2016).
    """

    writes = 2

    def __init__(
        self,
        params,
        lr=2e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        momentum_decay=4e-3,
        decoupled_weight_decay=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
    ):
        settings = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
        }
        kept = {"foreach": foreach, "capturable": capturable, "differentiable": differentiable}
        settings |= {"decoupled_weight_decay": decoupled_weight_decay, "maximize": maximize}
        super().__init__(params, checked(**settings, **kept))

    def update(self, param, grad, state, group) -> None:
        (beta1, beta2), decay, lr = group["betas"], group["momentum_decay"], group["lr"]
        grad = shrunk(param, grad, group)
        if not state:
            state.update(step=tensor(0.0), mu_product=tensor(1.0), exp_avg=like(param), exp_avg_sq=like(param))
        step, mean, square = counted(state), state["exp_avg"]._data, state["exp_avg_sq"]._data
        now, then = (beta1 * (1 - 0.5 * 0.96 ** (t * decay)) for t in (step, step + 1))
        product = state["mu_product"]._data
        product *= now
        blend(mean, grad, beta1)
        blend(square, grad * grad, beta2)
        deviation = namespace(param).sqrt(square / (1 - beta2**step)) + group["eps"]
        so_far = product.item()
        param -= lr * (1 - now) / (1 - so_far) * grad / deviation
        param -= lr * then / (1 - so_far * then) * mean / deviation


class RAdam(Optimizer):
    """Adam that ignores v in the first steps, when it is uncertain, and later weights it by a factor that grows to 1.

    ρ = 2 / (1 - β₂) - 1,  ρₜ = ρ - 2 t β₂ᵗ / (1 - β₂ᵗ); v is used where ρₜ > 5  (Liu et al. 2020).
    """

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        decoupled_weight_decay=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
    ):
        settings = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
        kept = {"foreach": foreach, "capturable": capturable, "decoupled_weight_decay": decoupled_weight_decay}
        super().__init__(params, checked(**settings, **kept, differentiable=differentiable))

    def update(self, param, grad, state, group) -> None:
        beta1, beta2 = group["betas"]
        grad = shrunk(param, grad, group)
        if not state:
            state.update(step=tensor(0.0), exp_avg=like(param), exp_avg_sq=like(param))
        step, mean, square = counted(state), state["exp_avg"]._data, state["exp_avg_sq"]._data
        blend(mean, grad, beta1)
        blend(square, grad * grad, beta2)
        move, unseen = mean / (1 - beta1**step) * group["lr"], 1 - beta2**step
        end = 2 / (1 - beta2) - 1
        length = end - 2 * step * beta2**step / unseen
        if length > 5:
            rectified = (length - 4) * (length - 2) * end / ((end - 4) * (end - 2) * length)
            move = move * math.sqrt(unseen) / (namespace(param).sqrt(square) + group["eps"]) * math.sqrt(rectified)
        param -= move


class Rprop(Optimizer):
    """p ← p - s · sign(g), where each element has its own step s (Riedmiller & Braun 1993).

    s grows by the factor etas[1] while the gradient keeps its sign, within `step_sizes`; where the sign changes, s
    shrinks by the factor etas[0] and p stays unchanged.
    """

    def __init__(
        self,
        params,
        lr=1e-2,
        etas=(0.5, 1.2),
        step_sizes=(1e-6, 50),
        *,
        capturable=False,
        foreach=None,
        maximize=False,
        differentiable=False,
    ):
        if lr >= 0 and not 0 < etas[0] < 1 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        settings = {"lr": lr, "etas": etas, "step_sizes": step_sizes, "foreach": foreach, "maximize": maximize}
        super().__init__(params, checked(**settings, differentiable=differentiable, capturable=capturable))

    def update(self, param, grad, state, group) -> None:
        xp, (less, more) = namespace(param), group["etas"]
        grad = -grad if group["maximize"] else grad
        if not state:
            state.update(step=tensor(0.0), prev=like(param), step_size=like(param) + group["lr"])
        counted(state)
        before, size = state["prev"]._data, state["step_size"]._data
        sign = xp.sign(grad * before)
        size *= xp.where(sign > 0, more, xp.where(sign < 0, less, 1))
        size[...] = xp.clip(size, *group["step_sizes"])
        grad = xp.where(sign < 0, 0, grad)
        param -= xp.sign(grad) * size
        before[...] = grad


class ASGD(Optimizer):
    """p ← (1 - λ η) p - η g with η = lr / (1 + λ · lr · t)^alpha; `ax` in the state is the mean of p from step t0 on.

    (Polyak & Juditsky 1992.)
    """

    writes = 2

    def __init__(
        self,
        params,
        lr=1e-2,
        lambd=1e-4,
        alpha=0.75,
        t0=1e6,
        weight_decay=0,
        foreach=None,
        maximize=False,
        differentiable=False,
        capturable=False,
    ):
        settings = {"lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay}
        kept = {"foreach": foreach, "maximize": maximize, "differentiable": differentiable, "capturable": capturable}
        super().__init__(params, checked(**settings, **kept))

    def update(self, param, grad, state, group) -> None:
        lr, decay = group["lr"], group["lambd"]
        grad = uphill(param, grad, group)
        if not state:
            state.update(step=tensor(0.0), eta=tensor(float(lr)), mu=tensor(1.0), ax=like(param))
        step, rate, mean = counted(state), state["eta"]._data, state["ax"]._data
        param *= 1 - decay * rate.item()
        param -= rate.item() * grad
        weight = state["mu"]._data
        if weight.item() == 1:
            mean[...] = param
        else:
            mean += (param - mean) * weight.item()
        rate[...] = lr / (1 + decay * lr * step) ** group["alpha"]
        weight[...] = 1 / max(1, step - group["t0"])

"""Learning rates that change during training. Call `scheduler.step()` once an epoch, after `optimizer.step()`.

Most schedulers compute the next rate from the last one, as PyTorch does, so that they can be combined. Those that can
compute it from the epoch alone also have `_get_closed_form_lr`, for `step(epoch)`.
Imports scheduler and schedules. Read next: schedules.py, the larger ones; algorithms.py, where groups give the rate.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from types import FunctionType
from typing import Any

from .._messages.names import missing as _missing
from .optimizer import Optimizer
from .scheduler import LRScheduler, asked
from .schedules import (
    ChainedScheduler,
    CosineAnnealingWarmRestarts,
    OneCycleLR,
    ReduceLROnPlateau,
    SequentialLR,
)

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]
_LRScheduler = LRScheduler  # its older name


class OfFunctions(LRScheduler):
    """The common part of LambdaLR and MultiplicativeLR: a function of the epoch for each group."""

    def __init__(self, optimizer: Optimizer, lr_lambda, last_epoch=-1):
        groups = len(optimizer.param_groups)
        self.lr_lambdas = list(lr_lambda) if isinstance(lr_lambda, list | tuple) else [lr_lambda] * groups
        if len(self.lr_lambdas) != groups:
            raise ValueError(f"Expected {groups} lr_lambdas, but got {len(self.lr_lambdas)}")
        super().__init__(optimizer, last_epoch)

    def state_dict(self) -> dict[str, Any]:
        """The state of any scheduler; a callable object adds its attributes, a plain function nothing."""
        kept = [None if isinstance(fn, FunctionType) else dict(vars(fn)) for fn in self.lr_lambdas]
        return {**super().state_dict(), "lr_lambdas": kept}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue from the state of another scheduler, with the functions of this one."""
        self.__dict__.update({name: value for name, value in state_dict.items() if name != "lr_lambdas"})
        for fn, kept in zip(self.lr_lambdas, state_dict["lr_lambdas"], strict=True):
            if kept is not None:
                vars(fn).update(kept)


class LambdaLR(OfFunctions):
    """The initial rate times `lr_lambda(epoch)`; a list has one function for each group.

    >>> import minigrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.5**epoch)
    >>> for epoch in range(3):
    ...     print(scheduler.get_last_lr()[0], end=" ")
    ...     optimizer.step()
    ...     scheduler.step()
    1.0 0.5 0.25
    """

    def get_lr(self) -> list[Any]:
        asked(self)
        return [lr * fn(self.last_epoch) for fn, lr in zip(self.lr_lambdas, self.base_lrs, strict=True)]


class MultiplicativeLR(OfFunctions):
    """Multiply the rate by `lr_lambda(epoch)` every epoch."""

    def __init__(self, optimizer: Optimizer, lr_lambda, last_epoch=-1):
        for fn in lr_lambda if isinstance(lr_lambda, list | tuple) else [lr_lambda]:
            if not callable(fn):
                raise TypeError(f"lr_lambda should be a function, but got {type(fn).__name__}")
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self) -> list[Any]:
        asked(self)
        now = self._times(1)
        return (
            now if self._is_initial else [lr * fn(self.last_epoch) for fn, lr in zip(self.lr_lambdas, now, strict=True)]
        )


class StepLR(LRScheduler):
    """Multiply the rate by `gamma` every `step_size` epochs.

    >>> import minigrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2)
    >>> for epoch in range(4):
    ...     print(scheduler.get_last_lr()[0], end=" ")
    ...     optimizer.step()
    ...     scheduler.step()
    1.0 1.0 0.1 0.1
    """

    def __init__(self, optimizer: Optimizer, step_size: int, gamma=0.1, last_epoch=-1):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        asked(self)
        return self._times(1 if self.last_epoch == 0 or self.last_epoch % self.step_size else self.gamma)

    def _get_closed_form_lr(self) -> list[Any]:
        return [lr * self.gamma ** (self.last_epoch // self.step_size) for lr in self.base_lrs]


class MultiStepLR(LRScheduler):
    """Multiply the rate by `gamma` at each of the epochs `milestones`."""

    def __init__(self, optimizer: Optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        asked(self)
        times = self.milestones.get(self.last_epoch, 0)
        return self._times(self.gamma**times if times else 1)

    def _get_closed_form_lr(self) -> list[Any]:
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [lr * self.gamma**passed for lr in self.base_lrs]


class ConstantLR(LRScheduler):
    """The initial rate times `factor` for `total_iters` epochs, then the initial rate."""

    def __init__(self, optimizer: Optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if not 0 <= factor <= 1:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        asked(self)
        if self.last_epoch == 0:
            return self._times(self.factor)
        return self._times(1.0 / self.factor if self.last_epoch == self.total_iters else 1)

    def _get_closed_form_lr(self) -> list[Any]:
        over = self.last_epoch >= self.total_iters
        return [lr * (self.factor + over * (1 - self.factor)) for lr in self.base_lrs]


class LinearLR(LRScheduler):
    """From `start_factor` to `end_factor` times the initial rate, linearly over `total_iters` epochs."""

    def __init__(self, optimizer: Optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        if not 0 < start_factor <= 1:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")
        if not 0 <= end_factor <= 1:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        asked(self)
        epoch, start, rise = self.last_epoch, self.start_factor, self.end_factor - self.start_factor
        if epoch == 0:
            return self._times(start)
        if self._is_initial or epoch > self.total_iters:
            return self._times(1)
        return self._times(1.0 + rise / (self.total_iters * start + (epoch - 1) * rise))

    def _get_closed_form_lr(self) -> list[Any]:
        rise, epoch = self.end_factor - self.start_factor, min(self.total_iters, self.last_epoch)
        return [lr * (self.start_factor + rise * epoch / self.total_iters) for lr in self.base_lrs]


class ExponentialLR(LRScheduler):
    """Multiply the rate by `gamma` every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        asked(self)
        return self._times(1 if self._is_initial else self.gamma)

    def _get_closed_form_lr(self) -> list[Any]:
        return [lr * self.gamma**self.last_epoch for lr in self.base_lrs]


class PolynomialLR(LRScheduler):
    """The initial rate times (1 - epoch / total_iters)^power, down to 0."""

    def __init__(self, optimizer: Optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        asked(self)
        epoch, n = self.last_epoch, self.total_iters
        if self._is_initial or epoch > n:
            return self._times(1)
        return self._times(((1.0 - epoch / n) / (1.0 - (epoch - 1) / n)) ** self.power)

    def _get_closed_form_lr(self) -> list[Any]:
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [lr * left**self.power for lr in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """From the initial rate down to `eta_min` in `T_max` epochs, along half a cosine (Loshchilov & Hutter 2017)."""

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min=0.0, last_epoch=-1):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        asked(self)
        groups, epoch, low = self.optimizer.param_groups, self.last_epoch, self.eta_min
        if self._is_initial:
            return self._times(1)
        if self._step_count == 1 and epoch > 0:
            return self._get_closed_form_lr()
        if (epoch - 1 - self.T_max) % (2 * self.T_max) == 0:  # the rate is `eta_min`, so a ratio can't raise it
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            return [group["lr"] + (base - low) * rise for group, base in zip(groups, self.base_lrs, strict=True)]
        ratio = (1 + math.cos(math.pi * epoch / self.T_max)) / (1 + math.cos(math.pi * (epoch - 1) / self.T_max))
        return [ratio * (group["lr"] - low) + low for group in groups]

    def _get_closed_form_lr(self) -> list[Any]:
        height = (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
        return [self.eta_min + (lr - self.eta_min) * height for lr in self.base_lrs]


__getattr__ = _missing(__name__)

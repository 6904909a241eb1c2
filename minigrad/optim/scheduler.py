"""LRScheduler: the common part of learning rate schedulers. They count epochs and set an optimizer's rates.

Imports optimizer. Read next: lr_scheduler.py, which has the schedulers.
"""

from __future__ import annotations

import warnings
from typing import Any

from .._messages.foreign import refuse
from .optimizer import Optimizer

JUMPED = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use "
    "`scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the closed "
    "form is used instead of the new chainable form, where available. Please open an issue if you are unable to "
    "replicate your use case: https://github.com/pytorch/pytorch/issues/new/choose."
)


class LRScheduler:
    """Base: counts epochs and writes the rates of `get_lr` into the optimizer's groups.

    With `last_epoch`, it continues from that epoch; the optimizer's groups must then have an `initial_lr`.
    """

    _is_initial = False  # is this the step in the constructor?
    _get_lr_called_within_step = False

    def __init__(self, optimizer: Optimizer, last_epoch=-1):
        if not isinstance(optimizer, Optimizer):
            refuse("A scheduler", optimizer)
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{i}] when resuming scheduler with last_epoch "
                    ">= 0.\nThis typically happens when:\n1. You're trying to resume training from a checkpoint but "
                    "haven't properly loaded the optimizer state\n2. You're using last_epoch >= 0 for a fresh training "
                    "run (not recommended)"
                )
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._initial_step()

    def _initial_step(self) -> None:
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def get_lr(self) -> list[Any]:
        """The learning rate of each group at `last_epoch`, computed from the previous rate in the groups."""
        raise NotImplementedError

    def get_last_lr(self) -> list[Any]:
        """The current learning rates."""
        return self._last_lr

    def step(self, epoch: int | None = None) -> None:
        """Call this after each epoch. (Passing the epoch, as in older programs, is deprecated.)"""
        if self._step_count == 1 and not self.optimizer._opt_called:
            warnings.warn(
                "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you "
                "should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to "
                "do this will result in PyTorch skipping the first value of the learning rate schedule. See more "
                "details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate",
                stacklevel=2,
            )
        self._step_count += 1
        if epoch is not None:
            warnings.warn(JUMPED, stacklevel=2)
        self._update_lr(epoch)

    def _update_lr(self, epoch: int | None = None) -> None:
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        closed = None if epoch is None else getattr(self, "_get_closed_form_lr", None)
        self._write(self._rates() if closed is None else closed())

    def _rates(self) -> list[Any]:
        """The rates of `get_lr` for `step`. A user who calls `get_lr` is told to call `get_last_lr`."""
        self._get_lr_called_within_step = True
        try:
            return self.get_lr()
        finally:
            self._get_lr_called_within_step = False

    def _write(self, rates: list[Any]) -> None:
        for group, lr in zip(self.optimizer.param_groups, rates, strict=True):
            group["lr"] = lr
        self._last_lr = self._times(1)

    def _times(self, factor: Any) -> list[Any]:
        """The current rates times a number."""
        return [group["lr"] if factor == 1 else group["lr"] * factor for group in self.optimizer.param_groups]

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer, for `load_state_dict`."""
        return {name: value for name, value in self.__dict__.items() if name != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue from the state of another scheduler."""
        self.__dict__.update(state_dict)


def asked(scheduler: LRScheduler) -> None:
    """Warn a user who calls `get_lr` instead of `get_last_lr`."""
    if not scheduler._get_lr_called_within_step:
        warnings.warn(
            "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.", stacklevel=3
        )

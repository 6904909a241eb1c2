"""Learning rates that fall as training goes on. Call `scheduler.step()` once an epoch, after `optimizer.step()`.

Each computes the next rate from the last one, as PyTorch does, so that schedulers can be combined.
Imports optimizer. Read next: algorithms.py, where groups give the rate.
"""

import math
import warnings

from .optimizer import Optimizer


class LRScheduler:
    """Base: counts epochs and writes what `get_lr` gives into the optimizer's groups."""

    def __init__(self, optimizer: Optimizer, last_epoch=-1):
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
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
        self.optimizer, self.last_epoch, self.first = optimizer, last_epoch, True
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self._advance()

    def get_lr(self) -> list[float]:
        """The learning rate of each group at `last_epoch`, from the one before, which the groups still have."""
        raise NotImplementedError

    def get_last_lr(self) -> list[float]:
        """The learning rates in force."""
        return self._last_lr

    def step(self) -> None:
        """One epoch is over."""
        if self.first and not self.optimizer.stepped:
            warnings.warn(
                "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you "
                "should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to "
                "do this will result in PyTorch skipping the first value of the learning rate schedule. See more "
                "details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate",
                stacklevel=2,
            )
        self.first = False
        self._advance()

    def _advance(self) -> None:
        self.last_epoch += 1
        for group, lr in zip(self.optimizer.param_groups, self.get_lr(), strict=True):
            group["lr"] = lr
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    def _each(self, factor: float) -> list[float]:
        return [group["lr"] * factor for group in self.optimizer.param_groups]

    def state_dict(self):
        """Everything but the optimizer: what `load_state_dict` takes."""
        return {name: value for name, value in self.__dict__.items() if name != "optimizer"}

    def load_state_dict(self, state_dict) -> None:
        """Continue where another scheduler was."""
        self.__dict__.update(state_dict)


class StepLR(LRScheduler):
    """The rate times `gamma` every `step_size` epochs.

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

    def get_lr(self) -> list[float]:
        return self._each(1.0 if self.last_epoch == 0 or self.last_epoch % self.step_size else self.gamma)


class ExponentialLR(LRScheduler):
    """The rate times `gamma` every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        return self._each(1.0 if self.last_epoch == 0 else self.gamma)


class CosineAnnealingLR(LRScheduler):
    """From the initial rate down to `eta_min` in `T_max` epochs along half a cosine (Loshchilov & Hutter 2017)."""

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min=0.0, last_epoch=-1):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        groups, epoch, low = self.optimizer.param_groups, self.last_epoch, self.eta_min
        if epoch == 0:
            return self._each(1.0)
        if (epoch - 1 - self.T_max) % (2 * self.T_max) == 0:  # at the bottom: there is no rate to multiply
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            return [group["lr"] + (base - low) * rise for group, base in zip(groups, self.base_lrs, strict=True)]
        ratio = (1 + math.cos(math.pi * epoch / self.T_max)) / (1 + math.cos(math.pi * (epoch - 1) / self.T_max))
        return [ratio * (group["lr"] - low) + low for group in groups]

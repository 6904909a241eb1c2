"""Losses as modules: made once with their options, called with (prediction, target).

Imports module and functional. Read next: functional/loss.py, where each is described.
"""

from __future__ import annotations

from typing import Any

from . import functional as F
from .module import Module


class Loss(Module):
    """What all share: `reduction` is "mean", "sum", or "none" for a loss of each element."""

    def __init__(self, reduction: str = "mean"):
        super().__init__()
        self.reduction = reduction


class MSELoss(Loss):
    """The mean (or sum) of (input - target)². Warns if the sizes differ.

    >>> import minigrad as torch
    >>> torch.nn.MSELoss()(torch.tensor([1.0, 3.0]), torch.tensor([1.0, 1.0]))
    tensor(2.)
    """

    def forward(self, input: Any, target: Any) -> Any:
        return F.mse_loss(input, target, self.reduction)


class L1Loss(Loss):
    """The mean (or sum) of |input - target|."""

    def forward(self, input: Any, target: Any) -> Any:
        return F.l1_loss(input, target, self.reduction)


class SmoothL1Loss(Loss):
    """Quadratic where input and target are closer than `beta`, else like L1Loss."""

    def __init__(self, reduction: str = "mean", beta: float = 1.0):
        super().__init__(reduction)
        self.beta = beta

    def forward(self, input: Any, target: Any) -> Any:
        return F.smooth_l1_loss(input, target, self.reduction, self.beta)


class WeightedLoss(Loss):
    """A loss with a weight for each class (or element), kept as a buffer."""

    weight: Any

    def __init__(self, weight: Any = None, reduction: str = "mean"):
        super().__init__(reduction)
        self.register_buffer("weight", weight)


class NLLLoss(WeightedLoss):
    """Minus the log-probabilities (N, C, …) of the target classes (N, …)."""

    def __init__(self, weight: Any = None, ignore_index: int = -100, reduction: str = "mean"):
        super().__init__(weight, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Any, target: Any) -> Any:
        return F.nll_loss(input, target, self.weight, self.ignore_index, self.reduction)


class CrossEntropyLoss(WeightedLoss):
    """Log-softmax of scores (N, C, …), then NLLLoss with target classes (N, …); or target probabilities (N, C, …).

    >>> import minigrad as torch
    >>> torch.nn.CrossEntropyLoss()(torch.zeros(2, 10), torch.tensor([3, 7]))  # log(10): it has no idea
    tensor(2.3026)
    """

    def __init__(
        self, weight: Any = None, ignore_index: int = -100, reduction: str = "mean", label_smoothing: float = 0.0
    ):
        super().__init__(weight, reduction)
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing

    def forward(self, input: Any, target: Any) -> Any:
        options = self.weight, self.ignore_index, self.reduction, self.label_smoothing
        return F.cross_entropy(input, target, *options)


class BCELoss(WeightedLoss):
    """Binary cross entropy of probabilities."""

    def forward(self, input: Any, target: Any) -> Any:
        return F.binary_cross_entropy(input, target, self.weight, self.reduction)


class BCEWithLogitsLoss(WeightedLoss):
    """Binary cross entropy of scores, which a sigmoid would turn into probabilities."""

    pos_weight: Any

    def __init__(self, weight: Any = None, reduction: str = "mean", pos_weight: Any = None):
        super().__init__(weight, reduction)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Any, target: Any) -> Any:
        return F.binary_cross_entropy_with_logits(input, target, self.weight, self.reduction, self.pos_weight)

"""The uniform distribution. Read next: multinomial.py."""

from .._tensors.creation import rand
from .distribution import Distribution, broadcast_all


class Uniform(Distribution):
    """Numbers from `low` (included) to `high` (excluded): tensors or numbers that broadcast to the batch shape.

    >>> import minigrad as torch
    >>> torch.distributions.Uniform(0.0, 4.0).log_prob(torch.tensor(1.0))
    tensor(-1.3863)
    """

    has_rsample = True
    _shown = ("low", "high")

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = broadcast_all(low, high)
        below = "low", f"LessThan(upper_bound={self.high})", lambda value: value < self.high
        self._checked = (below,)
        super().__init__(self.low.shape, validate_args=validate_args)

    @property
    def mean(self):
        """(low + high) / 2."""
        return (self.high + self.low) / 2

    @property
    def variance(self):
        """(high - low)² / 12."""
        return (self.high - self.low).pow(2) / 12

    def rsample(self, sample_shape=()):
        """low + (high - low) · a uniform number from [0, 1), with gradients to both parameters."""
        return self.low + rand(self._extended(sample_shape), dtype=self.low.dtype) * (self.high - self.low)

    def log_prob(self, value):
        """-log(high - low) inside; outside, -inf with `validate_args=False`, else an error."""
        within = f"Interval(lower_bound={self.low}, upper_bound={self.high})"
        self._check_value(value, within, lambda v: (v >= self.low) & (v <= self.high))
        inside = (self.low <= value).to(self.low.dtype) * (self.high > value).to(self.low.dtype)
        return inside.log() - (self.high - self.low).log()

    def entropy(self):
        """The entropy in nats, of the batch shape."""
        return (self.high - self.low).log()

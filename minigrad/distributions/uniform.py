"""The uniform distribution. Read next: multinomial.py."""

from .._tensors.creation import rand
from .distribution import Distribution, broadcast_all


class Uniform(Distribution):
    """Numbers from `low`, included, to `high`, excluded: tensors or numbers that broadcast to the batch shape.

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
        """Half way between."""
        return (self.high + self.low) / 2

    @property
    def variance(self):
        """The width squared, by 12."""
        return (self.high - self.low).pow(2) / 12

    def rsample(self, sample_shape=()):
        """low + a number from 0 to 1 · the width, with gradients to both ends."""
        return self.low + rand(self._extended(sample_shape), dtype=self.low.dtype) * (self.high - self.low)

    def log_prob(self, value):
        """-log of the width; -inf outside, which only `validate_args=False` lets pass."""
        within = f"Interval(lower_bound={self.low}, upper_bound={self.high})"
        self._check_value(value, within, lambda v: (v >= self.low) & (v <= self.high))
        inside = (self.low <= value).to(self.low.dtype) * (self.high > value).to(self.low.dtype)
        return inside.log() - (self.high - self.low).log()

    def entropy(self):
        """In nats, of the batch shape."""
        return (self.high - self.low).log()

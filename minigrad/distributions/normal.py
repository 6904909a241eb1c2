"""The normal distribution. Read next: categorical.py."""

import math

from .._tensors.creation import normal, ones, zeros
from ..autograd import no_grad
from .distribution import Distribution, broadcast_all


class Normal(Distribution):
    """Normal numbers with mean `loc` and standard deviation `scale`, tensors or numbers that broadcast together.

    >>> import minigrad as torch
    >>> torch.distributions.Normal(0.0, 1.0).log_prob(torch.tensor(1.0))
    tensor(-1.4189)
    """

    has_rsample = True
    _shown = ("loc", "scale")
    _checked = (
        ("loc", "Real()", lambda value: value == value),
        ("scale", "GreaterThan(lower_bound=0.0)", lambda value: value > 0),
    )

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    @property
    def mean(self):
        """`loc`."""
        return self.loc

    mode = mean

    @property
    def stddev(self):
        """`scale`."""
        return self.scale

    @property
    def variance(self):
        """`scale` squared."""
        return self.stddev.pow(2)

    def sample(self, sample_shape=()):
        """A sample without history: (*sample_shape, *batch_shape)."""
        shape = self._extended(sample_shape)
        with no_grad():
            return normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape=()):
        """loc + scale · a standard normal number, with gradients to loc and scale."""
        shape = self._extended(sample_shape)
        return self.loc + normal(zeros(shape, dtype=self.loc.dtype), ones(shape, dtype=self.loc.dtype)) * self.scale

    def log_prob(self, value):
        """The logarithm of the density at `value`, which broadcasts with the batch shape."""
        self._check_value(value, "Real()", lambda v: v == v)
        square = -((value - self.loc) ** 2) / (2 * self.scale**2)
        return square - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value):
        """The probability of a number below `value`."""
        return 0.5 * (1 + ((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)).erf())

    def entropy(self):
        """The entropy in nats, of the batch shape."""
        return 0.5 + 0.5 * math.log(2 * math.pi) + self.scale.log()

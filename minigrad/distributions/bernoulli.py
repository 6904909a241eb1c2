"""The Bernoulli distribution: 1 or 0. Read next: uniform.py."""

from numpy import finfo

from .._tensors.methods.random import bernoulli
from .._tensors.tensor import Tensor
from ..autograd import enable_grad, no_grad
from ..nn.functional import binary_cross_entropy_with_logits
from .distribution import Distribution, broadcast_all, one_of


class Bernoulli(Distribution):
    """1 with the probability `probs`, or with the log-odds `logits`; tensors or numbers of the batch shape.

    >>> import minigrad as torch
    >>> torch.distributions.Bernoulli(0.25).log_prob(torch.tensor(1.0))
    tensor(-1.3863)
    """

    probs: Tensor  # one of the two is computed on first access
    logits: Tensor
    _shown = ("probs", "logits")
    _checked = (
        ("probs", "Interval(lower_bound=0.0, upper_bound=1.0)", lambda value: (value >= 0) & (value <= 1)),
        ("logits", "Real()", lambda value: value == value),
    )

    def __init__(self, probs=None, logits=None, validate_args=None):
        name = one_of(probs=probs, logits=logits)
        (given,) = broadcast_all(probs if logits is None else logits)
        setattr(self, name, given)
        super().__init__(given.shape, validate_args=validate_args)

    def __getattr__(self, name):
        known = self.__dict__
        if name not in ("probs", "logits") or not known.keys() & {"probs", "logits"}:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute {name!r}")
        with enable_grad():  # the result is cached, so it must keep its history even when `sample` computes it
            if name == "logits":
                eps = finfo(self.probs._data.dtype).eps.item()
                clamped = self.probs.clamp(eps, 1 - eps)
                self.logits = clamped.log() - (-clamped).log1p()
            else:
                self.probs = self.logits.sigmoid()
        return known[name]

    @property
    def mean(self):
        """`probs`."""
        return self.probs

    @property
    def variance(self):
        """probs · (1 - probs)."""
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        """Numbers 0. and 1.: (*sample_shape, *batch_shape)."""
        with no_grad():
            return bernoulli(self.probs.expand(self._extended(sample_shape)))

    def log_prob(self, value):
        """The log-probabilities of the elements of `value`, 0 or 1; it broadcasts with the batch shape."""
        self._check_value(value, "Boolean()", lambda v: (v == 0) | (v == 1))
        logits, value = broadcast_all(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self):
        """The entropy in nats, of the batch shape."""
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

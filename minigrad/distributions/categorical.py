"""The categorical distribution: one of K classes. Read next: bernoulli.py."""

from numpy import finfo

from .._tensors.methods.random import multinomial
from ..autograd import enable_grad, no_grad
from .distribution import Distribution, broadcast_all, one_of


class Categorical(Distribution):
    """Integers from 0 to K - 1 with the probabilities `probs` (..., K), which are normalised, or with their `logits`.

    >>> import minigrad as torch
    >>> torch.distributions.Categorical(torch.tensor([1.0, 3.0])).log_prob(torch.tensor(1))
    tensor(-0.2877)

    ValueError if both or neither is given, or if it has no dimension.
    """

    _shown = ("probs", "logits")
    _checked = (
        ("probs", "Simplex()", lambda value: (value >= 0) & ((value.sum(-1, keepdim=True) - 1).abs() < 1e-6)),
        ("logits", "IndependentConstraint(Real(), 1)", lambda value: value == value),
    )

    def __init__(self, probs=None, logits=None, validate_args=None):
        name = self._given = one_of(probs=probs, logits=logits)
        given = probs if logits is None else logits
        if given.dim() < 1:
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if logits is None:
            self.probs = probs / probs.sum(-1, keepdim=True)
        else:
            self.logits = logits - logits.logsumexp(-1, keepdim=True)
        self._num_events = given.shape[-1]
        super().__init__(given.shape[:-1], validate_args=validate_args)

    def __getattr__(self, name):
        known = self.__dict__
        if name not in ("probs", "logits") or not known.keys() & {"probs", "logits"}:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute {name!r}")
        with enable_grad():  # the result is cached, so it must keep its history even when `sample` computes it
            if name == "logits":
                eps = finfo(self.probs._data.dtype).eps.item()
                self.logits = self.probs.clamp(eps, 1 - eps).log()
            else:
                self.probs = self.logits.softmax(-1)
        return known[name]

    @property
    def param_shape(self):
        """The size of `probs` or `logits`."""
        return getattr(self, self._given).size()

    @property
    def mean(self):
        """nan: classes have no mean."""
        return self.probs[..., 0] * float("nan")

    variance = mean

    @property
    def mode(self):
        """The most probable class."""
        return self.probs.argmax(-1)

    def sample(self, sample_shape=()):
        """Classes, int64: (*sample_shape, *batch_shape)."""
        count = 1
        for size in sample_shape:
            count *= size
        with no_grad():
            drawn = multinomial(self.probs.reshape(-1, self._num_events), count, True).T
            return drawn.reshape(self._extended(sample_shape))

    def log_prob(self, value):
        """The log-probabilities of the classes in `value`, which broadcasts with the batch shape."""
        top = self._num_events - 1
        within = f"IntegerInterval(lower_bound=0, upper_bound={top})"
        self._check_value(value, within, lambda v: (v % 1 == 0) & (v >= 0) & (v <= top))
        value, logits = broadcast_all(value.long().unsqueeze(-1), self.logits)
        return logits.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        """The entropy in nats, of the batch shape."""
        return -(self.logits.clamp(min=finfo(self.logits._data.dtype).min.item()) * self.probs).sum(-1)

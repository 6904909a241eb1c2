"""The multinomial distribution: the count of each class in a number of draws. Read next: kl.py."""

from ..nn.functional import one_hot
from .categorical import Categorical
from .distribution import Distribution


class Multinomial(Distribution):
    """The count of each of K classes in `total_count` draws with `probs` (..., K) or `logits`.

    >>> import minigrad as torch
    >>> torch.distributions.Multinomial(3, torch.tensor([1.0, 0.0])).sample()
    tensor([3., 0.])
    """

    _shown = ()

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._categorical = Categorical(probs=probs, logits=logits)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args)

    @property
    def probs(self):
        """The probabilities of the classes."""
        return self._categorical.probs

    @property
    def logits(self):
        """The logarithms of the classes' probabilities."""
        return self._categorical.logits

    @property
    def mean(self):
        """probs · total_count."""
        return self.probs * self.total_count

    @property
    def variance(self):
        """total_count · probs · (1 - probs)."""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        """Counts, in the dtype of the parameters: (*sample_shape, *batch_shape, K)."""
        drawn = self._categorical.sample((self.total_count, *sample_shape))
        return one_hot(drawn, self.event_shape[0]).sum(0).to(self.probs.dtype)

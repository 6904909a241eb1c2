"""A distribution that treats some batch axes as part of one draw. Read next: transformed_distribution.py."""

from .distribution import Distribution


def sum_rightmost(value, dims):
    """The sum over the last `dims` axes."""
    return value.reshape(*value.shape[:-dims], -1).sum(-1) if dims else value


class Independent(Distribution):
    """`base_distribution`, where the last `reinterpreted_batch_ndims` axes of its batch become part of its events:
    `log_prob` and `entropy` are sums over them. ValueError if the batch has fewer axes.

    >>> import minigrad as torch
    >>> normal = torch.distributions.Normal(torch.zeros(2), torch.ones(2))
    >>> both = torch.distributions.Independent(normal, 1)
    >>> both.event_shape, both.log_prob(torch.zeros(2))
    (torch.Size([2]), tensor(-1.8379))
    """

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        shape, event_dim = base_distribution.batch_shape + base_distribution.event_shape, reinterpreted_batch_ndims
        if event_dim > len(base_distribution.batch_shape):
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
                f"{event_dim} vs {len(base_distribution.batch_shape)}"
            )
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, event_dim
        cut = len(base_distribution.batch_shape) - event_dim
        super().__init__(shape[:cut], shape[cut:], validate_args=validate_args)

    @property
    def has_rsample(self):
        """Whether the base distribution has `rsample`."""
        return self.base_dist.has_rsample

    @property
    def mean(self):
        """The mean of the base distribution."""
        return self.base_dist.mean

    @property
    def mode(self):
        """The mode of the base distribution."""
        return self.base_dist.mode

    @property
    def variance(self):
        """The variance of the base distribution."""
        return self.base_dist.variance

    def sample(self, sample_shape=()):
        """A sample of the base distribution."""
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        """A sample of the base distribution, with gradients."""
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        """The base distribution's log-probability, summed over the axes that are part of one draw."""
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self):
        """The base distribution's entropy, summed over the axes that are part of one draw."""
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def __repr__(self):
        return f"{type(self).__name__}({self.base_dist!r}, {self.reinterpreted_batch_ndims})"

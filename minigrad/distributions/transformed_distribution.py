"""The distribution of transformed samples. Read next: kl.py."""

from ..autograd import no_grad
from . import constraints
from .distribution import Distribution
from .independent import Independent, sum_rightmost
from .transforms import ComposeTransform, Transform


class TransformedDistribution(Distribution):
    """Samples of `base_distribution` after a Transform, or after a list of them, applied in order.

    ValueError if an item is not a Transform, or if the base has fewer axes than the transforms need.

    >>> import minigrad as torch
    >>> uniform = torch.distributions.Uniform(0.0, 1.0)
    >>> logistic = torch.distributions.TransformedDistribution(uniform, torch.distributions.SigmoidTransform().inv)
    >>> logistic.log_prob(torch.tensor(0.0))
    tensor(-1.3863)
    """

    def __init__(self, base_distribution, transforms, validate_args=None):
        if not isinstance(transforms, Transform | list):
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        self.transforms = [transforms] if isinstance(transforms, Transform) else transforms
        if not all(isinstance(transform, Transform) for transform in self.transforms):
            raise ValueError("transforms must be a Transform or a list of Transforms")
        whole = ComposeTransform(self.transforms)
        shape, dims = base_distribution.batch_shape + base_distribution.event_shape, whole.domain.event_dim
        if len(shape) < dims:
            raise ValueError(f"base_distribution needs to have shape with size at least {dims}, but got {shape}.")
        made, base_dims = whole.forward_shape(shape), len(base_distribution.event_shape)
        if (needed := whole.inverse_shape(made)) != shape:
            base_distribution = base_distribution.expand(needed[: len(needed) - base_dims])
        if dims > base_dims:
            base_distribution = Independent(base_distribution, dims - base_dims)
        self.base_dist = base_distribution
        cut = len(made) - max(whole.codomain.event_dim, base_dims + whole.codomain.event_dim - dims)
        super().__init__(made[:cut], made[cut:], validate_args=validate_args)

    @property
    def has_rsample(self):
        """Whether the base distribution has `rsample`."""
        return self.base_dist.has_rsample

    def sample(self, sample_shape=()):
        """A sample of the base distribution, transformed, without history."""
        with no_grad():
            return self._transformed(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape=()):
        """A sample of the base distribution, transformed, with gradients to the parameters of both."""
        return self._transformed(self.base_dist.rsample(sample_shape))

    def _transformed(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x

    def log_prob(self, value):
        """The base distribution's log-probability at the inverse, minus the log of the transforms' derivatives."""
        if self.transforms:
            support = self.transforms[-1].codomain
            if len(self.event_shape) > support.event_dim:
                support = constraints.independent(support, len(self.event_shape) - support.event_dim)
            self._check_value(value, repr(support), support.check)
        event_dim, log_prob, y = len(self.event_shape), 0.0, value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            event_dim += transform.domain.event_dim - transform.codomain.event_dim
            slopes = transform.log_abs_det_jacobian(x, y)
            log_prob = log_prob - sum_rightmost(slopes, event_dim - transform.domain.event_dim)
            y = x
        return log_prob + sum_rightmost(self.base_dist.log_prob(y), event_dim - len(self.base_dist.event_shape))

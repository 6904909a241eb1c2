"""Base of the distributions: shapes, checks, and the methods that follow from `rsample` and `variance`.

A sample has the shape *sample_shape*, then *batch_shape* (one distribution for each element of the parameters), then
*event_shape* (the shape of one draw). Imports creation and tensor. Read next: normal.py, categorical.py.
"""

from typing import Any

from numpy import broadcast_shapes

from .._machine.dtypes import get_default_dtype
from .._messages.foreign import refuse
from .._messages.names import mark_absent
from .._tensors.creation import as_tensor
from .._tensors.tensor import Size, Tensor
from ..autograd import no_grad


class Distribution:
    """The base class: `sample`, `log_prob`, `entropy`, `mean`, `variance`, `stddev`, `perplexity`.

    With `validate_args=False`, parameters and values are not checked; otherwise, ValueError names the wrong one.
    """

    has_rsample: Any = False
    _shown: tuple = ()  # the names of the parameters that repr shows
    _checked: tuple = ()  # (parameter, its constraint in PyTorch's words, the test of it)

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        self.batch_shape, self.event_shape = Size(batch_shape), Size(event_shape)
        self._validate_args = validate_args is not False
        for name, constraint, holds in self._checked if self._validate_args else ():
            value = self.__dict__.get(name)
            if value is not None and not bool(holds(value).all()):
                raise ValueError(
                    f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution "
                    f"{self!r} to satisfy the constraint {constraint}, but found invalid values:\n{value}"
                )

    def _extended(self, sample_shape):
        return Size((*sample_shape, *self.batch_shape, *self.event_shape))

    def _check_value(self, value, constraint, holds):
        if not isinstance(value, Tensor):
            refuse("log_prob()", value)
            raise ValueError("The value argument to log_prob must be a Tensor")
        if self._validate_args:
            self._check_shape(value.size())
        if self._validate_args and not bool(holds(value).all()):
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within the "
                f"support ({constraint}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    def _check_shape(self, size):
        expected = self.batch_shape + self.event_shape
        if size[max(0, len(size) - len(self.event_shape)) :] != self.event_shape:
            raise ValueError(f"The right-most size of value must match event_shape: {size} vs {self.event_shape}.")
        for n, m in zip(size[::-1], expected[::-1], strict=False):
            if n != m and 1 not in (n, m):
                raise ValueError(f"Value is not broadcastable with batch_shape+event_shape: {size} vs {expected}.")

    def rsample(self, sample_shape=()):
        """A sample that carries gradients to the parameters: (*sample_shape, *batch_shape, *event_shape)."""
        raise NotImplementedError

    def sample(self, sample_shape=()):
        """A sample without history: (*sample_shape, *batch_shape, *event_shape)."""
        with no_grad():
            return self.rsample(sample_shape)

    @property
    def mean(self):
        """The mean, of the batch shape and the event shape."""
        raise NotImplementedError

    @property
    def variance(self):
        """The variance, of the batch shape and the event shape."""
        raise NotImplementedError

    def entropy(self):
        """The entropy in nats, of the batch shape."""
        raise NotImplementedError

    @property
    def stddev(self):
        """The square root of the variance."""
        return self.variance.sqrt()

    def perplexity(self):
        """exp of the entropy."""
        return self.entropy().exp()

    def __repr__(self):
        parts = []
        for name in self._shown:
            if name in self.__dict__:  # `probs` or `logits` is computed on first access
                value = self.__dict__[name]
                parts.append(f"{name}: {value if value.numel() == 1 else value.size()}")
        return f"{type(self).__name__}({', '.join(parts)})"


mark_absent(Distribution, "torch.distributions.Distribution")


def broadcast_all(*values):
    """Convert numbers and tensors to tensors of one shape; numbers take the first tensor's dtype, or the default."""
    first = next((value for value in values if isinstance(value, Tensor)), None)
    dtype = get_default_dtype() if first is None else first.dtype
    tensors = [value if isinstance(value, Tensor) else as_tensor(value, dtype=dtype) for value in values]
    shape = broadcast_shapes(*(tensor.shape for tensor in tensors))
    return [tensor if tensor.shape == shape else tensor.expand(shape) for tensor in tensors]


def one_of(**given):
    """The name of the only parameter given; ValueError if none or both are given."""
    refuse("A distribution", given)
    names = [name for name, value in given.items() if value is not None]
    if len(names) != 1:
        raise ValueError(f"Either `{'` or `'.join(given)}` must be specified, but not both.")
    return names[0]

"""Constraints on values, as in PyTorch's `torch.distributions.constraints`: those that transforms need.

A subclass of Transform names two of them, its `domain` and its `codomain`. Read next: transforms.py.
"""

from .._messages.names import missing as _missing

__all__ = ["Constraint", "independent", "positive", "real", "real_vector", "unit_interval"]


class Constraint:
    """The base class: `check` tests whether values are allowed; one value has `event_dim` axes.

    >>> import minigrad as torch
    >>> torch.distributions.constraints.positive.check(torch.tensor([-1.0, 2.0]))
    tensor([False,  True])
    """

    is_discrete = False
    event_dim = 0

    def check(self, value):
        """A tensor of bools, of the shape of `value` without its last `event_dim` axes."""
        raise NotImplementedError

    def __repr__(self):
        return f"{type(self).__name__.removeprefix('_')}()"


class _Real(Constraint):
    def check(self, value):
        return value == value  # not nan


class _GreaterThan(Constraint):
    def __init__(self, lower_bound):
        self.lower_bound = lower_bound

    def check(self, value):
        return value > self.lower_bound

    def __repr__(self):
        return f"GreaterThan(lower_bound={self.lower_bound})"


class _Interval(Constraint):
    def __init__(self, lower_bound, upper_bound):
        self.lower_bound, self.upper_bound = lower_bound, upper_bound

    def check(self, value):
        return (value >= self.lower_bound) & (value <= self.upper_bound)

    def __repr__(self):
        return f"Interval(lower_bound={self.lower_bound}, upper_bound={self.upper_bound})"


class _IndependentConstraint(Constraint):
    def __init__(self, base_constraint, reinterpreted_batch_ndims):
        self.base_constraint, self.reinterpreted_batch_ndims = base_constraint, reinterpreted_batch_ndims
        self.event_dim = base_constraint.event_dim + reinterpreted_batch_ndims

    def check(self, value):
        allowed = self.base_constraint.check(value)
        if allowed.dim() < self.reinterpreted_batch_ndims:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        return allowed.flatten(allowed.dim() - self.reinterpreted_batch_ndims).all(-1)

    def __repr__(self):
        return f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


independent = _IndependentConstraint
real, real_vector = _Real(), _IndependentConstraint(_Real(), 1)
positive, unit_interval = _GreaterThan(0.0), _Interval(0.0, 1.0)

__getattr__ = _missing(__name__)

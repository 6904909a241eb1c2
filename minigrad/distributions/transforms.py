"""Invertible functions with the logarithm of their derivative: they turn one distribution into another.

Derive your own transforms from `Transform`. Imports constraints. Read next: transformed_distribution.py.
"""

import functools
import operator
from typing import Any

from .._messages.names import missing as _missing
from .._tensors.creation import zeros_like
from .._tensors.limits import finfo
from ..nn.functional import softplus
from . import constraints
from .independent import sum_rightmost

__all__ = ["ComposeTransform", "SigmoidTransform", "Transform"]


class Transform:
    """The base class of functions y = t(x). A subclass defines `domain` and `codomain` (constraints, whose
    `event_dim` is the number of axes of one value), and the methods `_call(x)`, `_inverse(y)` and
    `log_abs_det_jacobian(x, y)`. With `cache_size=1` it stores the last x and y, and the inverse of y returns that x.

    >>> import minigrad as torch
    >>> class Double(torch.distributions.Transform):
    ...     domain = codomain = torch.distributions.constraints.real
    ...     def _call(self, x):
    ...         return 2 * x
    >>> Double()(torch.tensor(3.0)), Double().inv.inv
    (tensor(6.), Double())
    """

    bijective: Any = False
    domain: Any
    codomain: Any

    def __init__(self, cache_size=0):
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        self._cache_size = cache_size
        self._inv: Any = None
        if cache_size:
            self._cached_x_y = None, None
        super().__init__()

    def __getstate__(self):
        return {**self.__dict__, "_inv": None}

    @property
    def event_dim(self):
        """The number of axes of one value; ValueError if it differs between x and y."""
        if self.domain.event_dim != self.codomain.event_dim:
            raise ValueError("Please use either .domain.event_dim or .codomain.event_dim")
        return self.domain.event_dim

    @property
    def inv(self):
        """The inverse, a Transform as well."""
        if self._inv is None:
            self._inv = _InverseTransform(self)
        return self._inv

    @property
    def sign(self):
        """1 if the function increases, -1 if it decreases."""
        raise NotImplementedError

    def with_cache(self, cache_size=1):
        """This transform, or a copy of it, with this `cache_size`."""
        if self._cache_size == cache_size:
            return self
        if type(self).__init__ is Transform.__init__:
            return type(self)(cache_size=cache_size)
        raise NotImplementedError(f"{type(self)}.with_cache is not implemented")

    def __eq__(self, other):
        return self is other

    def __call__(self, x):
        if not self._cache_size:
            return self._call(x)
        if x is not self._cached_x_y[0]:
            self._cached_x_y = x, self._call(x)
        return self._cached_x_y[1]

    def _inv_call(self, y):
        if not self._cache_size:
            return self._inverse(y)
        if y is not self._cached_x_y[1]:
            self._cached_x_y = self._inverse(y), y
        return self._cached_x_y[0]

    def _call(self, x):
        raise NotImplementedError

    def _inverse(self, y):
        raise NotImplementedError

    def log_abs_det_jacobian(self, x, y):
        """log |dy/dx|, or log of the determinant if one value has several numbers."""
        raise NotImplementedError

    def forward_shape(self, shape):
        """The shape of y, given that of x."""
        return shape

    def inverse_shape(self, shape):
        """The shape of x, given that of y."""
        return shape

    def __repr__(self):
        return f"{type(self).__name__}()"


class _InverseTransform(Transform):
    """The inverse of `transform`."""

    def __init__(self, transform):
        super().__init__(cache_size=transform._cache_size)
        self._inv = transform

    domain = property(lambda self: self._inv.codomain)
    codomain = property(lambda self: self._inv.domain)
    bijective = property(lambda self: self._inv.bijective)
    sign = property(lambda self: self._inv.sign)
    inv = property(lambda self: self._inv)

    def with_cache(self, cache_size=1):
        return self._inv.with_cache(cache_size).inv

    def __eq__(self, other):
        return isinstance(other, _InverseTransform) and self._inv == other._inv

    def __call__(self, x):
        return self._inv._inv_call(x)

    def log_abs_det_jacobian(self, x, y):
        return -self._inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape):
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape):
        return self._inv.forward_shape(shape)

    def __repr__(self):
        return f"{type(self).__name__}({self._inv!r})"


class ComposeTransform(Transform):
    """Several transforms, applied in the order of the list.

    >>> import minigrad as torch
    >>> twice = torch.distributions.ComposeTransform([torch.distributions.SigmoidTransform()] * 2)
    >>> twice(torch.tensor(1.0)), twice.inv(twice(torch.tensor(1.0)))
    (tensor(0.6750), tensor(1.0000))
    """

    def __init__(self, parts, cache_size=0):
        super().__init__(cache_size=cache_size)
        self.parts = [part.with_cache(cache_size) for part in parts] if cache_size else parts

    def __eq__(self, other):
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    @property
    def domain(self):
        """The domain of the first part, with enough axes for each part."""
        first = self.parts[0].domain if self.parts else constraints.real
        return _widest(first, [(part.codomain, part.domain) for part in reversed(self.parts)])

    @property
    def codomain(self):
        """The codomain of the last part, with enough axes for each part."""
        last = self.parts[-1].codomain if self.parts else constraints.real
        return _widest(last, [(part.domain, part.codomain) for part in self.parts])

    @property
    def bijective(self):
        """Whether all parts are bijective."""
        return all(part.bijective for part in self.parts)

    @property
    def sign(self):
        """The product of the parts' signs."""
        return functools.reduce(operator.mul, (part.sign for part in self.parts), 1)

    @property
    def inv(self):
        """The inverses of the parts, from the last to the first."""
        if self._inv is None:
            self._inv = ComposeTransform([part.inv for part in reversed(self.parts)])
            self._inv._inv = self
        return self._inv

    def with_cache(self, cache_size=1):
        return self if self._cache_size == cache_size else ComposeTransform(self.parts, cache_size)

    def __call__(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def log_abs_det_jacobian(self, x, y):
        if not self.parts:
            return zeros_like(x)
        xs = [x]
        for part in self.parts[:-1]:
            xs.append(part(xs[-1]))
        terms, event_dim = [], self.domain.event_dim
        for part, before, after in zip(self.parts, xs, [*xs[1:], y], strict=True):
            term = part.log_abs_det_jacobian(before, after)
            terms.append(sum_rightmost(term, event_dim - part.domain.event_dim))
            event_dim += part.codomain.event_dim - part.domain.event_dim
        return functools.reduce(operator.add, terms)

    def forward_shape(self, shape):
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape):
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape

    def __repr__(self):
        return "ComposeTransform(\n    " + ",\n    ".join(map(repr, self.parts)) + "\n)"


def _widest(constraint, steps):
    """`constraint`, at the end of a chain of (before, after), with enough axes for each step of the chain."""
    event_dim = steps[0][0].event_dim if steps else 0
    for before, after in steps:
        event_dim = max(event_dim + after.event_dim - before.event_dim, after.event_dim)
    more = event_dim - constraint.event_dim
    return constraints.independent(constraint, more) if more > 0 else constraint


class SigmoidTransform(Transform):
    """y = 1 / (1 + e⁻ˣ). Its inverse turns a uniform distribution into a logistic one.

    >>> import minigrad as torch
    >>> sigmoid = torch.distributions.SigmoidTransform()
    >>> sigmoid(torch.tensor(0.0)), sigmoid.inv(torch.tensor(0.75))
    (tensor(0.5000), tensor(1.0986))
    """

    domain, codomain = constraints.real, constraints.unit_interval
    bijective, sign = True, 1

    def __eq__(self, other):
        return isinstance(other, SigmoidTransform)

    def _call(self, x):
        limits = finfo(x.dtype)
        return x.sigmoid().clamp(min=limits.tiny, max=1.0 - limits.eps)

    def _inverse(self, y):
        limits = finfo(y.dtype)
        y = y.clamp(min=limits.tiny, max=1.0 - limits.eps)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x, y):
        return -softplus(-x) - softplus(x)


__getattr__ = _missing(__name__, place="torch.distributions")

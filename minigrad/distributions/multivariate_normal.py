"""Normal vectors with correlated components. Read next: kl.py."""

import math

from numpy import broadcast_shapes

from .._tensors.creation import eye, normal, ones, zeros
from ..autograd import enable_grad
from ..linalg import LinAlgError, cholesky, inv, solve_lower
from .distribution import Distribution

GIVEN = ("covariance_matrix", "precision_matrix", "scale_tril")  # exactly one of these is given


def _positive_definite(matrices):
    symmetric = (matrices - matrices.mT).abs() <= 1e-6 + 1e-5 * matrices.abs()
    if not bool(symmetric.all()):
        return symmetric
    try:
        return cholesky(matrices.detach()).isfinite()
    except LinAlgError:
        return symmetric.logical_not()


def _lower_triangle(matrices):
    return (matrices.tril() == matrices).all() & (matrices.diagonal(dim1=-2, dim2=-1) > 0).all()


class MultivariateNormal(Distribution):
    """Vectors around `loc`, of shape (*batch, n), with one of three matrices, of shape (*batch, n, n): the covariance,
    its inverse, or the lower triangle L of covariance = L Lᵀ, which avoids the factorisation.

    ValueError unless exactly one is given, and unless it is positive definite.

    >>> import minigrad as torch
    >>> both = torch.distributions.MultivariateNormal(torch.zeros(2), torch.tensor([[1.0, 0.5], [0.5, 1.0]]))
    >>> both.log_prob(torch.tensor([1.0, 1.0])), both.batch_shape, both.event_shape
    (tensor(-2.3607), torch.Size([]), torch.Size([2]))
    """

    has_rsample = True
    _shown = ("loc", *GIVEN)
    _checked = (
        ("loc", "IndependentConstraint(Real(), 1)", lambda value: value == value),
        ("covariance_matrix", "PositiveDefinite()", _positive_definite),
        ("precision_matrix", "PositiveDefinite()", _positive_definite),
        ("scale_tril", "LowerCholesky()", _lower_triangle),
    )

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        found = dict(zip(GIVEN, (covariance_matrix, precision_matrix, scale_tril), strict=True))
        if sum(matrix is not None for matrix in found.values()) != 1:
            raise ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        ((name, matrix),) = ((name, matrix) for name, matrix in found.items() if matrix is not None)
        if matrix.dim() < 2:
            named = "scale_tril matrix" if name == "scale_tril" else name
            raise ValueError(f"{named} must be at least two-dimensional, with optional leading batch dimensions")
        batch = broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        self.loc = loc.expand(*batch, -1)
        setattr(self, name, matrix.expand(*batch, -1, -1))
        super().__init__(batch, loc.shape[-1:], validate_args=validate_args)
        # factorise the given matrix, before it is expanded to the batch
        self._triangle = {"covariance_matrix": cholesky, "precision_matrix": _of_inverse}.get(name, _itself)(matrix)

    def __getattr__(self, name):
        if name not in GIVEN or "_triangle" not in self.__dict__:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute {name!r}")
        with enable_grad():  # the result is cached, so it must keep its history even when first read under no_grad
            matrix = self._triangle if name == "scale_tril" else self._triangle @ self._triangle.mT
            matrix = inv(matrix) if name == "precision_matrix" else matrix
            setattr(self, name, matrix.expand(*self.batch_shape, -1, -1))
        return self.__dict__[name]

    @property
    def mean(self):
        """`loc`."""
        return self.loc

    mode = mean

    @property
    def variance(self):
        """The variance of each component: (*batch_shape, n)."""
        return self._triangle.pow(2).sum(-1).expand(self._extended(()))

    def rsample(self, sample_shape=()):
        """loc + L · standard normal numbers, with gradients to loc and L."""
        shape = self._extended(sample_shape)
        numbers = normal(zeros(shape, dtype=self.loc.dtype), ones(shape, dtype=self.loc.dtype))
        return self.loc + (self._triangle @ numbers.unsqueeze(-1)).squeeze(-1)

    def log_prob(self, value):
        """The logarithm of the density at `value` (…, n)."""
        self._check_value(value, "IndependentConstraint(Real(), 1)", lambda v: v == v)
        distance = squared_distance(self._triangle, value - self.loc)
        return -0.5 * (self.event_shape[0] * math.log(2 * math.pi) + distance) - self.half_log_det()

    def entropy(self):
        """The entropy in nats, of the batch shape."""
        entropy = 0.5 * self.event_shape[0] * (1 + math.log(2 * math.pi)) + self.half_log_det()
        return entropy.expand(self.batch_shape)

    def half_log_det(self):
        """The logarithm of the triangle's determinant, which is half that of the covariance."""
        return self._triangle.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def squared_distance(triangle, difference):
    """|L⁻¹ d|², the squared Mahalanobis distance, for each d of (…, n)."""
    if triangle.dim() == 2:  # one triangle for all vectors: solve for the columns of one matrix
        columns = difference.reshape(-1, difference.shape[-1]).mT
        return solve_lower(triangle, columns).pow(2).sum(-2).reshape(difference.shape[:-1])
    return solve_lower(triangle, difference.unsqueeze(-1)).pow(2).sum((-2, -1))


def _itself(matrix):
    return matrix


def _of_inverse(precision):
    """The triangle L with L Lᵀ = the inverse of the precision."""
    outer = cholesky(precision.flip(-2, -1)).flip(-2, -1).mT
    return solve_lower(outer, eye(precision.shape[-1], dtype=precision.dtype))

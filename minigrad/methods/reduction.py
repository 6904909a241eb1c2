"""Sums, means, extremes, sorting, softmax: fewer numbers out of many.

Axes are settled here (negative ones counted from the end, None meaning all) before a rule sees them.
Imports dispatch and check. Read next: methods/shape.py.
"""

from __future__ import annotations

import math
import warnings
from collections import namedtuple
from typing import Any

from ..check import axes, axis
from ..compiled import OPERATORS
from ..storage import TensorBase

_op = OPERATORS


def _named(name: str) -> Any:
    """The (values, indices) that `max(dim)` and its like give, printed as PyTorch prints them."""

    def show(self: Any) -> str:
        return f"torch.return_types.{name}(\nvalues={self.values!r},\nindices={self.indices!r})"

    kind: Any = namedtuple("kind", ("values", "indices"))
    return type(name, (kind,), {"__repr__": show, "__slots__": ()})


_max, _min, _sort, _topk = _named("max"), _named("min"), _named("sort"), _named("topk")


def _as(self: Any, dtype: Any) -> Any:
    """`self` as the type that was asked for: before the sum, and after it, since a sum of integers is int64."""
    return self if dtype is None else self.to(dtype)


def _something(self: Any, name: str, dim: Any) -> None:
    """Raise if the extreme of no elements at all is asked for."""
    if dim == () and not self._data.size:
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with "
            "the 'dim' argument."
        )


def _extreme(self: Any, name: str, pairwise: str, named: Any, dim: Any, keepdim: bool) -> Any:
    """`max` and `min`: of everything, along an axis, or pairwise with another tensor."""
    if isinstance(dim, TensorBase):
        return getattr(self, pairwise)(dim)
    if dim is None:
        _something(self, name, ())
        return _op[name + "_all"](self)
    return named(*_op[name + "_dim"](self, dim=axis(dim, self._data.ndim), keepdim=keepdim))


def _spread(self: Any, name: str, dim: Any, unbiased: bool, keepdim: bool, correction: int | None) -> Any:
    """`var` and `std`, with PyTorch's warning where there are too few numbers to spread."""
    if isinstance(dim, bool):  # var(unbiased)
        dim, unbiased = None, dim
    correction = int(unbiased) if correction is None else correction
    dims = axes(dim, self._data.ndim)
    out = _op[name](self, dim=dims, correction=correction, keepdim=keepdim)
    if math.prod(self._data.shape[d] for d in dims) <= correction:
        warnings.warn(
            f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor "
            "(input numel divided by output numel).",
            stacklevel=3,
        )
    return out


class Reduction(TensorBase):
    """Mixed into Tensor."""

    __slots__ = ()

    def sum(
        self: Any, dim: Any = ..., keepdim: bool = False, *, dtype: Any = None, axis: Any = ..., keepdims: Any = None
    ) -> Any:
        """The sum of all elements, or along `dim` (an int or several). Integers and bools give int64.

        `axis` and `keepdims`, NumPy's names for `dim` and `keepdim`, will do.
        """
        dim, keepdim = axis if dim is ... else dim, keepdim if keepdims is None else keepdims
        self = _as(self, dtype)
        whole = dim is ... and not keepdim
        out = _op["sum"](self) if whole else _op["sum_dim"](self, dim=axes(dim, self._data.ndim), keepdim=keepdim)
        return _as(out, dtype)

    def mean(
        self: Any, dim: Any = ..., keepdim: bool = False, *, dtype: Any = None, axis: Any = ..., keepdims: Any = None
    ) -> Any:
        """The mean of all elements, or along `dim`. Floating point only, as in PyTorch.

        `axis` and `keepdims`, NumPy's names for `dim` and `keepdim`, will do.
        """
        dim, keepdim = axis if dim is ... else dim, keepdim if keepdims is None else keepdims
        if dtype is not None:
            if not dtype.is_floating_point:
                raise RuntimeError(
                    "mean(): could not infer output dtype. Optional dtype must be either a floating point or complex "
                    f"dtype. Got: {dtype.legacy}"
                )
            self = self.to(dtype)
        if dim is ... and not keepdim:
            return _op["mean"](self)
        return _op["mean_dim"](self, dim=axes(dim, self._data.ndim), keepdim=keepdim)

    def var(
        self: Any, dim: Any = None, unbiased: bool = True, keepdim: bool = False, *, correction: int | None = None
    ) -> Any:
        """The variance: squared distances from the mean, summed and divided by n - correction (n - 1 unless said)."""
        return _spread(self, "var", dim, unbiased, keepdim, correction)

    def std(
        self: Any, dim: Any = None, unbiased: bool = True, keepdim: bool = False, *, correction: int | None = None
    ) -> Any:
        """The standard deviation, the root of `var`."""
        return _spread(self, "std", dim, unbiased, keepdim, correction)

    def norm(self: Any, p: Any = 2, dim: Any = None, keepdim: bool = False) -> Any:
        """(Σ |x|ᵖ)^(1/p); p may be "fro" (2) or inf (the largest |x|)."""
        order = 2.0 if p in ("fro", None) else float(p)
        return _op["vector_norm"](self, ord=order, dim=axes(dim, self._data.ndim), keepdim=keepdim)

    def prod(self: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
        """The product of all elements, or along one `dim`. Integers and bools give int64."""
        self = _as(self, dtype)
        n = self._data.ndim
        out = _op["prod"](self) if dim is None else _op["prod_dim"](self, dim=axes(dim, n), keepdim=keepdim)
        return _as(out, dtype)

    def cumsum(self: Any, dim: int, *, dtype: Any = None) -> Any:
        """Running sums along `dim`. Integers and bools give int64."""
        out = _op["cumsum"](_as(self, dtype), dim=axis(dim, self._data.ndim))
        return _as(out, dtype)

    def max(self: Any, dim: Any = None, keepdim: bool = False) -> Any:
        """The largest element (ties share the gradient), (values, indices) along `dim`, or pairwise with a tensor."""
        return _extreme(self, "max", "maximum", _max, dim, keepdim)

    def min(self: Any, dim: Any = None, keepdim: bool = False) -> Any:
        """The smallest element (ties share the gradient), (values, indices) along `dim`, or pairwise with a tensor."""
        return _extreme(self, "min", "minimum", _min, dim, keepdim)

    def amax(self: Any, dim: Any = (), keepdim: bool = False) -> Any:
        """The largest element along `dim` (an int or several); ties share the gradient evenly."""
        _something(self, "amax", dim)
        return _op["amax"](self, dim=axes(dim, self._data.ndim), keepdim=keepdim)

    def amin(self: Any, dim: Any = (), keepdim: bool = False) -> Any:
        """The smallest element along `dim` (an int or several); ties share the gradient evenly."""
        _something(self, "amin", dim)
        return _op["amin"](self, dim=axes(dim, self._data.ndim), keepdim=keepdim)

    def argmax(self: Any, dim: Any = None, keepdim: bool = False) -> Any:
        """Where the largest element is (the first, if several), in the flattened tensor or along `dim`."""
        return self._where_extreme("argmax", dim, keepdim)

    def argmin(self: Any, dim: Any = None, keepdim: bool = False) -> Any:
        """Where the smallest element is (the first, if several), in the flattened tensor or along `dim`."""
        return self._where_extreme("argmin", dim, keepdim)

    def _where_extreme(self: Any, name: str, dim: Any, keepdim: bool) -> Any:
        if not self._data.size and dim is None:
            raise IndexError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0.")
        dim = None if dim is None or not self._data.ndim else axis(dim, self._data.ndim)
        return _op[name](self, dim=dim, keepdim=keepdim)

    def any(self: Any, dim: Any = None, keepdim: bool = False) -> Any:
        """True if some element is."""
        return _op["any"](self, dim=None if dim is None else axes(dim, self._data.ndim), keepdim=keepdim)

    def all(self: Any, dim: Any = None, keepdim: bool = False) -> Any:
        """True if every element is."""
        return _op["all"](self, dim=None if dim is None else axes(dim, self._data.ndim), keepdim=keepdim)

    def sort(self: Any, dim: int = -1, descending: bool = False, stable: bool | None = None) -> Any:
        """(values, indices) in rising (or falling) order along `dim`. Always stable."""
        name = "sort" if stable is None else "sort_stable"
        return _sort(*_op[name](self, dim=axis(dim, self._data.ndim), descending=descending))

    def argsort(self: Any, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
        """The indices that sort `self` along `dim`."""
        return self.sort(dim, descending).indices

    def topk(self: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
        """(values, indices) of the k largest (or smallest) elements along `dim`, the most extreme first."""
        dim = axis(dim, self._data.ndim)
        if k > (self._data.shape[dim] if self._data.ndim else 1):
            raise RuntimeError("selected index k out of range")
        return _topk(*_op["topk"](self, k=k, dim=dim, largest=largest))

    def softmax(self: Any, dim: int, dtype: Any = None) -> Any:
        """exp(x) / Σ exp(x) along `dim`: positive numbers that add up to 1."""
        return _op["softmax"](_as(self, dtype), dim=axis(dim, self._data.ndim))

    def log_softmax(self: Any, dim: int, dtype: Any = None) -> Any:
        """The logarithm of `softmax`, without its rounding to 0."""
        return _op["log_softmax"](_as(self, dtype), dim=axis(dim, self._data.ndim))

    def logsumexp(self: Any, dim: Any, keepdim: bool = False) -> Any:
        """log Σ exp(x) along `dim`, without overflow."""
        return _op["logsumexp"](self, dim=axes(dim, self._data.ndim), keepdim=keepdim)

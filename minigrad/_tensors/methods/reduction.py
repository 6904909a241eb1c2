"""Sums, means, extremes, sorting, softmax: functions that combine elements along axes.

Axes are normalised here (negative ones count from the end, None means all) before a rule gets them. Each function
is written once; named in the class below, it is a method too. Imports operators, check and arguments.
Read next: shape.py.
"""

import math
import warnings
from collections import namedtuple
from functools import cache

from ..._call.arguments import no_combination, takes_tensors, yes_or_no
from ..._call.check import as_int, axes, axis
from ..._call.operators import OPERATORS as _op
from ..._engine.storage import TensorBase
from ..._engine.switches import modes
from ..._machine.dtypes import python_type
from ...ops.note import known


def _along(input, dim):
    """`dim` as a tuple of axes of `input`; all axes for None."""
    return axes(dim, input._data.ndim)


def _as(input, dtype):
    """`input` in the type asked for. Used before a sum and after it, because a sum of integers is int64."""
    if dtype is None:
        return input
    dtype = python_type(dtype)
    if input._requires_grad and modes.grad and not dtype.is_floating_point:
        raise RuntimeError(f"Autograd not support dtype: {dtype.legacy}")
    return input.to(dtype)


# -- sums and products ---------------------------------------------------------------------------


@takes_tensors
def sum(input, dim=..., keepdim=False, *, dtype=None, axis=..., keepdims=None):
    """The sum of all elements, or along `dim` (an int or several). Integers and bools give int64.

    `axis` and `keepdims` are NumPy's names for `dim` and `keepdim`. Each element gets the sum's gradient.
    Raises IndexError for an axis that does not exist.

    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    >>> x.sum(dim=0), x.sum(dim=1, keepdim=True).shape
    (tensor([4., 6.], grad_fn=<SumBackward1>), torch.Size([2, 1]))
    >>> x.sum().backward()
    >>> x.grad
    tensor([[1., 1.],
            [1., 1.]])
    """
    dim, keepdim = axis if dim is ... else dim, keepdim if keepdims is None else keepdims
    dim = dim if dim is ... else _along(input, dim)
    return _as(_reduced("sum", _as(input, dtype), dim, keepdim), dtype)


@takes_tensors
def mean(input, dim=..., keepdim=False, *, dtype=None, axis=..., keepdims=None):
    """The mean of all elements, or along `dim`. Floating point only, as in PyTorch.

    `axis` and `keepdims` are NumPy's names for `dim` and `keepdim`. Raises RuntimeError for integers.

    >>> x = torch.tensor([1.0, 2.0, 6.0], requires_grad=True)
    >>> x.mean().backward()
    >>> x.mean().item(), x.grad
    (3.0, tensor([0.3333, 0.3333, 0.3333]))
    """
    dim, keepdim = axis if dim is ... else dim, keepdim if keepdims is None else keepdims
    if dtype is not None and not python_type(dtype).is_floating_point:
        raise RuntimeError(
            "mean(): could not infer output dtype. Optional dtype must be either a floating point or complex "
            f"dtype. Got: {dtype.legacy}"
        )
    if dtype is None and input._data.dtype.kind != "f":
        dim, keepdim = ..., False  # along any axes, the operator refuses integers
    return _reduced("mean", _as(input, dtype), dim, keepdim)


@takes_tensors
def prod(input, dim=None, keepdim=False, *, dtype=None):
    """The product of all elements, or along one `dim`. Integers and bools give int64.

    >>> x = torch.tensor([2.0, 3.0, 4.0], requires_grad=True)
    >>> torch.prod(x).backward()
    >>> x.grad  # the product of the others
    tensor([12.,  8.,  6.])
    """
    if dtype is None and not keepdim:
        _one("prod", dim)
    yes_or_no(keepdim=keepdim)
    if dim is None:
        if keepdim:
            raise no_combination("prod", keepdim=keepdim)
        return _as(_op["prod"](_as(input, dtype)), dtype)
    dim = _along(input, axis(dim, input._data.ndim))
    return _as(_op["prod_dim"](_as(input, dtype), dim=dim, keepdim=keepdim), dtype)


def _one(name, dim):
    """Raise if several axes are given where a single one is needed, in a call without more arguments."""
    if isinstance(dim, tuple | list):
        given = type(dim).__name__
        raise TypeError(f"{name}() received an invalid combination of arguments - got ({given}), but expected one of:")


def _reduced(name, input, dim, keepdim):
    """Reduce all elements, or along `dim`: PyTorch has a different node for each case."""
    if dim is ... and keepdim is False:
        return _op[name](input)
    yes_or_no(keepdim=keepdim)
    if dim is ...:
        raise no_combination(name, keepdim=keepdim)
    return _op[name + "_dim"](input, dim=_along(input, dim), keepdim=keepdim)


@takes_tensors
def cumsum(input, dim, *, dtype=None):
    """Running sums along `dim`. Integers and bools give int64.

    >>> x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    >>> torch.cumsum(x, 0).sum().backward()
    >>> x.grad  # in how many sums each one is
    tensor([3., 2., 1.])
    """
    dim = axis(dim, input._data.ndim)
    return _as(_op["cumsum"](_as(input, dtype), dim=dim), dtype)


@takes_tensors
def var(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
    """The variance: the squared distances from the mean, summed and divided by n - correction (by default n - 1).

    Raises RuntimeError for integers.

    >>> torch.var(torch.tensor([1.0, 2.0, 3.0, 4.0])), torch.var(torch.tensor([1.0, 2.0, 3.0, 4.0]), correction=0)
    (tensor(1.6667), tensor(1.2500))
    """
    return _spread("var", input, dim, unbiased, keepdim, correction)


@takes_tensors
def std(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
    """The standard deviation, the root of `var`. Raises RuntimeError for integers.

    >>> torch.std(torch.tensor([[1.0, 2.0, 3.0], [0.0, 5.0, 10.0]]), dim=1)
    tensor([1., 5.])
    """
    return _spread("std", input, dim, unbiased, keepdim, correction)


def _spread(name, input, dim, unbiased, keepdim, correction):
    """`var` and `std`, with PyTorch's warning if there are too few elements."""
    yes_or_no(unbiased=unbiased, keepdim=keepdim)
    if input._data.dtype.kind != "f":
        raise RuntimeError("std and var only support floating point and complex dtypes")
    if isinstance(dim, bool):  # var(unbiased)
        dim, unbiased = None, dim
    correction = int(unbiased) if correction is None else correction
    dims = _along(input, dim)
    few = not input._data.size or math.prod(input._data.shape[d] for d in dims) <= correction
    of_all = few and (dim is None or not input._data.ndim)  # PyTorch has another derivative for this case
    out = _op[name](input, dim=dims, correction=correction, keepdim=keepdim, few=of_all)
    if few:
        warnings.warn(
            f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor "
            "(input numel divided by output numel).",
            stacklevel=4,
        )
    return out


@takes_tensors
@known(out=True, forms="several")
def norm(input, p=2, dim=None, keepdim=False):
    """(Σ |x|ᵖ)^(1/p); p may be "fro" (the same as 2) or inf (the largest |x|).

    >>> torch.norm(torch.tensor([3.0, 4.0])), torch.norm(torch.tensor([3.0, 4.0]), 1)
    (tensor(5.), tensor(7.))
    """
    yes_or_no(keepdim=keepdim)
    order = 2.0 if p in ("fro", None) else float(p)
    if input._data.dtype.kind != "f":  # PyTorch checks the type before the axes
        dim = None
    return _op["vector_norm"](input, ord=order, dim=_along(input, dim), keepdim=keepdim)


# -- extremes ------------------------------------------------------------------------------------


@takes_tensors
@known(out=True)
def max(input, dim=None, keepdim=False):
    """The largest element (equal ones share the gradient), (values, indices) along `dim`, or pairwise with a tensor.

    Raises RuntimeError for a tensor without elements.

    >>> x = torch.tensor([[1.0, 5.0], [7.0, 2.0]])
    >>> torch.max(x), torch.max(x, 1).indices
    (tensor(7.), tensor([1, 0]))
    """
    return _extreme("max", "maximum", input, dim, keepdim)


@takes_tensors
@known(out=True)
def min(input, dim=None, keepdim=False):
    """The smallest element (equal ones share the gradient), (values, indices) along `dim`, or pairwise with a tensor.

    Raises RuntimeError for a tensor without elements.

    >>> x = torch.tensor([[1.0, 5.0], [7.0, 2.0]])
    >>> torch.min(x), torch.min(x, 1).indices
    (tensor(1.), tensor([0, 1]))
    """
    return _extreme("min", "minimum", input, dim, keepdim)


def _extreme(name, pairwise, input, dim, keepdim):
    if isinstance(dim, TensorBase):
        if keepdim is not False:
            raise no_combination(name, input, dim, keepdim)
        return getattr(input, pairwise)(dim)
    if keepdim is not False:
        yes_or_no(keepdim=keepdim)
    else:
        _one(name, dim)
    if dim is None:
        if keepdim:
            raise no_combination(name, keepdim=keepdim)
        _something(name, input, ())
        return _op[name + "_all"](input)
    return pair(name)(*_op[name + "_dim"](input, dim=axis(dim, input._data.ndim), keepdim=keepdim))


@takes_tensors
def amax(input, dim=(), keepdim=False):
    """The largest element along `dim` (an int or several); equal ones share the gradient evenly.

    >>> x = torch.tensor([1.0, 3.0, 3.0], requires_grad=True)
    >>> torch.amax(x).backward()
    >>> x.grad
    tensor([0.0000, 0.5000, 0.5000])
    """
    yes_or_no(keepdim=keepdim)
    dim = () if dim is None else dim
    _something("amax", input, dim)
    return _op["amax"](input, dim=_along(input, dim), keepdim=keepdim)


@takes_tensors
def amin(input, dim=(), keepdim=False):
    """The smallest element along `dim` (an int or several); equal ones share the gradient evenly.

    >>> torch.amin(torch.tensor([[1, 5], [7, 2]]), 1)
    tensor([1, 2])
    """
    yes_or_no(keepdim=keepdim)
    dim = () if dim is None else dim
    _something("amin", input, dim)
    return _op["amin"](input, dim=_along(input, dim), keepdim=keepdim)


def _something(name, input, dim):
    """Raise if there is no element of which to take the extreme."""
    if dim == () and not input._data.size:
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with "
            "the 'dim' argument."
        )
    for d in dim if isinstance(dim, tuple | list) else (dim,):
        if input._data.ndim and not input._data.shape[axis(d, input._data.ndim)]:
            raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")


@takes_tensors
def argmax(input, dim=None, keepdim=False):
    """The index of the largest element (the first, if several), in the flattened tensor or along `dim`.

    Raises IndexError for a tensor without elements, unless `dim` is given.

    >>> scores = torch.tensor([[0.1, 0.9], [0.8, 0.2]])
    >>> torch.argmax(scores, 1), torch.argmax(scores)
    (tensor([1, 0]), tensor(1))
    """
    return _place("argmax", input, dim, keepdim)


@takes_tensors
def argmin(input, dim=None, keepdim=False):
    """The index of the smallest element (the first, if several), in the flattened tensor or along `dim`.

    >>> torch.argmin(torch.tensor([3, 1, 2]))
    tensor(1)
    """
    return _place("argmin", input, dim, keepdim)


def _place(name, input, dim, keepdim):
    yes_or_no(keepdim=keepdim)
    if input._data.dtype == bool:
        raise RuntimeError(f"{name}(): does not support bool input")
    if not input._data.size and dim is None:
        raise IndexError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0.")
    dim = None if dim is None or not input._data.ndim else axis(dim, input._data.ndim)
    return _op[name](input, dim=dim, keepdim=keepdim)


@takes_tensors
def any(input, dim=None, keepdim=False):
    """True if at least one element is true (not 0).

    >>> torch.any(torch.tensor([[False, True], [False, False]]), dim=1)
    tensor([ True, False])
    """
    yes_or_no(keepdim=keepdim)
    return _op["any"](input, dim=_along(input, dim), keepdim=keepdim)


@takes_tensors
def all(input, dim=None, keepdim=False):
    """True if every element is true (not 0).

    >>> torch.all(torch.tensor([[True, True], [True, False]]), dim=1)
    tensor([ True, False])
    """
    yes_or_no(keepdim=keepdim)
    return _op["all"](input, dim=_along(input, dim), keepdim=keepdim)


# -- sorting -------------------------------------------------------------------------------------


@takes_tensors
def sort(input, dim=-1, descending=False, stable=None):
    """(values, indices) in rising (or falling) order along `dim`. With `stable=True`, equal elements keep their order.

    >>> x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
    >>> values, indices = torch.sort(x)
    >>> (values * torch.tensor([100.0, 10.0, 1.0])).sum().backward()
    >>> indices, x.grad  # the gradients went back to where the values came from
    (tensor([1, 2, 0]), tensor([  1., 100.,  10.]))
    """
    yes_or_no(descending=descending)
    dim = axis(dim, input._data.ndim)
    if stable is None:
        return pair("sort")(*_op["sort"](input, dim=dim, descending=descending))
    return pair("sort")(*_op["sort_stable"](input, dim=dim, descending=descending, stable=stable))


@takes_tensors
@known(out=True, forms="several")
def argsort(input, dim=-1, descending=False, stable=False):
    """The indices that sort `input` along `dim`.

    >>> x = torch.tensor([30, 10, 20])
    >>> x[torch.argsort(x)]
    tensor([10, 20, 30])
    """
    return input.sort(dim, descending, stable or None).indices


@takes_tensors
def topk(input, k, dim=-1, largest=True, sorted=True):
    """(values, indices) of the k largest (or smallest) elements along `dim`; unless `sorted=False`, in order.

    Raises RuntimeError if there are fewer than k.

    >>> torch.topk(torch.tensor([10, 40, 20, 30]), 2)
    torch.return_types.topk(
    values=tensor([40, 30]),
    indices=tensor([1, 3]))
    """
    yes_or_no(largest=largest, sorted=sorted)
    dim = axis(dim, input._data.ndim)
    k = as_int(k, "topk(): argument 'k' must be int")
    if k > (input._data.shape or (1,))[dim]:
        raise RuntimeError("selected index k out of range")
    return pair("topk")(*_op["topk"](input, k=k, dim=dim, largest=largest, sorted=sorted))


@cache
def pair(name, fields=("values", "indices")):
    """The class of the (values, indices) that `name` returns, printed as in PyTorch. It is made when first needed,
    because making a namedtuple takes as long as importing a small module."""

    def show(self):
        parts = ",\n".join(f"{field}={part!r}" for field, part in zip(fields, self, strict=True))
        return f"torch.return_types.{name}(\n{parts})"

    return type(name, (namedtuple("pair", fields),), {"__repr__": show, "__slots__": ()})


# -- exponentials --------------------------------------------------------------------------------


@takes_tensors
def softmax(input, dim, dtype=None):
    """exp(xᵢ) / Σⱼ exp(xⱼ) along `dim`: positive numbers that add up to 1. Raises NotImplementedError for integers.

    >>> x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    >>> p = torch.softmax(x, 0)
    >>> p[2].backward()
    >>> p.detach(), x.grad  # the gradient adds up to 0
    (tensor([0.0900, 0.2447, 0.6652]), tensor([-0.0599, -0.1628,  0.2227]))
    """
    if not input._data.size and input._data.dtype.kind != "f":
        return _as(input.clone(), dtype)
    return _op["softmax"](_as(input, dtype), dim=axis(dim, input._data.ndim))


@takes_tensors
def log_softmax(input, dim, dtype=None):
    """The logarithm of `softmax`, also where `softmax` is rounded to 0.

    >>> torch.log_softmax(torch.tensor([0.0, 1000.0]), 0)
    tensor([-1000.,     0.])
    """
    if not input._data.size and input._data.dtype.kind != "f":
        return _as(input.clone(), dtype)
    return _op["log_softmax"](_as(input, dtype), dim=axis(dim, input._data.ndim))


@takes_tensors
def logsumexp(input, dim, keepdim=False):
    """log Σ exp(x) along `dim`, without overflow.

    >>> x = torch.tensor([1000.0, 1000.0])
    >>> torch.logsumexp(x, 0), x.exp().sum().log()
    (tensor(1000.6932), tensor(inf))
    """
    yes_or_no(keepdim=keepdim)
    return _op["logsumexp"](input, dim=_along(input, dim), keepdim=keepdim)


class Reduction(TensorBase):
    """Mixed into Tensor: the functions above as methods."""

    __slots__ = ()

    sum, mean, prod, cumsum, var, std, norm = sum, mean, prod, cumsum, var, std, norm
    max, min, amax, amin, argmax, argmin, any, all = max, min, amax, amin, argmax, argmin, any, all
    sort, argsort, topk = sort, argsort, topk
    softmax, log_softmax, logsumexp = softmax, log_softmax, logsumexp


__all__ = [name for name in vars(Reduction) if name in globals() and name[0] != "_"]

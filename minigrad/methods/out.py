"""`out=`: the functions that write their result into a tensor which is there already, `torch.add(a, b, out=c)`.

In one place for all: the function runs without recording, and what it gives is written into `out`, which takes the
size of the result. A call without `out` goes straight on. Imports inplace and dtypes. Read next: ../__init__.py.
"""

import warnings
from functools import wraps

from ..arguments import Shown, no_tensor, show
from ..dtypes import category, int64
from ..inplace import bump
from ..names import refused_keyword
from ..storage import TensorBase
from ..switches import modes

# Every function of ours that takes `out` in PyTorch
FACTORIES = "zeros ones empty full arange range linspace logspace eye rand randn randint randperm".split()
ELEMENTWISE = """
    abs absolute acos acosh add addcdiv addcmul arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan
    atan2 atanh bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor ceil clamp
    clamp_max clamp_min clip cos cosh deg2rad div divide eq erf erfc exp exp2 expm1 fix float_power floor floor_divide
    fmod frac ge greater greater_equal gt hypot isin le lerp less less_equal log log10 log1p log2 logaddexp logical_and
    logical_not logical_or logical_xor logit lt maximum minimum mul multiply nan_to_num ne neg negative not_equal pow
    rad2deg reciprocal remainder round rsqrt sgn sigmoid sign signbit sin sinh sqrt square sub subtract tan tanh
    true_divide trunc where
""".split()
OTHERS = """
    addbmm addmm addmv addr all amax amin aminmax any argmax argmin argsort baddbmm bernoulli bmm bucketize cat
    column_stack concat concatenate cross cummax cummin cumprod cumsum diag diff dot dstack gather ger histc hstack
    index_add index_copy index_fill index_select inner inverse kron kthvalue log_softmax logsumexp masked_select matmul
    matrix_power max mean median min mm mode moveaxis multinomial mv nanmean nanmedian nanquantile nansum nonzero norm
    normal outer prod quantile roll row_stack scatter scatter_add scatter_reduce searchsorted softmax sort stack std sum
    take take_along_dim tensordot topk tril triu var vdot vstack
""".split()
SAME_TYPE = {"mm", "bmm", "matmul", "mv", "dot", "addmm", "argmax", "argmin"}  # `out` must have it already
AS_ASKED = {"sum", "mean", "prod", "cumsum", "cumprod", "nansum", "softmax", "log_softmax"}  # in the type of `out`


def takes_out(name, function):
    """The function with `out=None` for a last argument."""

    @wraps(function)
    def writing(*args, out=None, **options):
        if out is None:
            try:
                return function(*args, **options)
            except TypeError as error:
                if refused := refused_keyword(error, name):
                    raise refused from None
                raise
        return written(name, function, args, options, out)

    show(writing, Shown(function, last="out"))
    return writing


def written(name, function, args, options, out):
    """Run the function, and write what it gives into `out`: a tensor, or one for each result."""
    outs = (out,) if isinstance(out, TensorBase) or not isinstance(out, tuple) else out
    for each in outs:
        if not isinstance(each, TensorBase):
            raise no_tensor(name, "out", None, each)
    given = [*args, *options.values(), *outs]
    if modes.grad and any(isinstance(x, TensorBase) and x._requires_grad for x in given):
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the "
            "arguments requires grad."
        )
    if name in FACTORIES and options.get("dtype") not in (None, out.dtype):
        raise RuntimeError(
            f"dtype {options['dtype'].legacy} does not match dtype of out parameter ({out.dtype.legacy})"
        )
    if name in FACTORIES or name in AS_ASKED:
        options = {**options, "dtype": out.dtype}
    results = function(*args, **options)
    several = not isinstance(results, TensorBase)
    for each, result in zip(outs, results if several else (results,), strict=True):
        same = name in SAME_TYPE or (several and result.dtype is int64)  # places
        if same and each.dtype is not result.dtype:
            raise RuntimeError(
                f"Expected out tensor to have dtype {result.dtype.c_name}, but got {each.dtype.c_name} instead"
            )
        put(each, result, silent=name in FACTORIES)
    return type(results)(*outs) if several and hasattr(results, "_fields") else out


def put(out, result, silent=False):
    """Write the result into `out`, which takes its size: with a warning, if it held something of another."""
    if category(result.dtype) > category(out.dtype):
        made, kept = result.dtype.legacy, out.dtype.legacy
        raise RuntimeError(f"result type {made} can't be cast to the desired output type {kept}")
    if out._data.shape == result._data.shape:
        out._data[...] = result._data
    else:
        if out._data.size and not silent:
            warnings.warn(
                f"An output with one or more elements was resized since it had shape {list(out._data.shape)}, which "
                f"does not match the required output shape {list(result._data.shape)}. This behavior is deprecated, "
                "and in a future PyTorch release outputs will not be resized unless they have zero elements. You can "
                "explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0).",
                stacklevel=4,
            )
        out._data = result._data.astype(out._data.dtype)
    bump(out)


def with_out(functions):
    """Those of the functions, by name, that take `out` in PyTorch: now they do here."""
    return {name: takes_out(name, functions[name]) for name in (*FACTORIES, *ELEMENTWISE, *OTHERS) if name in functions}

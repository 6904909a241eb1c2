"""`out=`: functions that write their result into an existing tensor, `torch.add(a, b, out=c)`.

One place does it for all functions: the function runs without recording, and its result is written into `out`, which is
resized to the result. A call without `out` is passed on directly. Notes beside the rows, or above the `def`s, say which
functions take it (ops/note.py). Imports inplace, dtypes and ops/note.py. Read next: ../../__init__.py.
"""

import warnings
from functools import wraps
from types import FunctionType

from ..._call.arguments import Shown, no_combination, no_tensor, show
from ..._engine.storage import TensorBase
from ..._engine.switches import modes
from ..._machine.dtypes import category, int64, uint8
from ..._messages.names import refused_keyword
from ...core.rules import TABLE
from ...ops.note import noted
from ..inplace import bump

VIEWS = ("view",)  # functions of these families don't take `out`, unless a note says so


FIXED = {  # functions whose `out` must have the type of the result, and PyTorch's words for it
    **dict.fromkeys(("all", "any"), "{name} only supports bool tensor for result, got: {kept}"),
    "signbit": "signbit does not support non-boolean outputs.",
    "bitwise_not": "Found dtype {kept} but expected {made}",
    "multinomial": "multinomial expects Long tensor out, got: {kept}",
    "nonzero": "nonzero: Expected out tensor to have scalar type Long but got scalar type{kept}",
    "float_power": "the output given to float_power has dtype {kept} but the operation's result requires dtype {made}",
    "searchsorted": "torch.searchsorted(): output tensor's dtype is wrong, it can only be Int(int32) or Long(int64) "
    "depending on whether out_int32 flag is True, but we got output tensor's dtype {kept} and out_int32 flag is {flag}",
}
ALONG_AN_AXIS = ("sum", "prod", "median", "nanmedian")  # of all elements, they take no `out`


def way(function):
    """How a function takes `out` in PyTorch, as noted beside its row or above its `def`. None if it does not; otherwise

    True             `out` gets the result, in its own type
    "of its type"    `out` must already have the result's type
    "in its type"    the function computes in the type of `out`
    "made"           like that, for functions that make tensors: a `dtype` beside `out` must be that of `out`
    """
    rule = TABLE.get(function.__name__)
    return noted(function, "out", rule is not None and rule.kind not in VIEWS) or None


def takes_out(name, function, how):
    """The function with `out=None` as its last argument."""

    @wraps(function)
    def writing(*args, out=None, **options):
        if out is None:
            try:
                return function(*args, **options)
            except TypeError as error:
                if refused := refused_keyword(error, name):
                    try:
                        raise refused from None
                    finally:
                        del refused  # the error holds this frame: with the name it would be a cycle
                raise
        return written(name, function, how, args, options, out)

    show(writing, Shown(function, last="out"))
    return writing


def written(name, function, how, args, options, out):
    """Run the function, and write its result into `out`: a tensor, or one for each result. `how`: see `way`."""
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
    if name in ALONG_AN_AXIS and len(args) < 2 and options.keys().isdisjoint(("dim", "axis")):
        raise no_combination(name, *args, **options, out=out)
    if how == "made" and options.get("dtype") not in (None, out.dtype):
        raise RuntimeError(
            f"dtype {options['dtype'].legacy} does not match dtype of out parameter ({out.dtype.legacy})"
        )
    if how in ("made", "in its type"):
        options = {**options, "dtype": out.dtype}
    results = function(*args, **options)
    several = not isinstance(results, TensorBase)
    if name in FIXED and out.dtype is not results.dtype and not (name in ("all", "any") and out.dtype is uint8):
        kinds = {"kept": out.dtype.legacy, "made": results.dtype.legacy}
        flag = ("False", "True")[bool(options.get("out_int32"))]
        raise RuntimeError(FIXED[name].format(name=name, flag=flag, **kinds))
    for each, result in zip(outs, results if several else (results,), strict=True):
        same = how == "of its type" or (several and result.dtype is int64)  # such results are indices
        if same and each.dtype is not result.dtype:
            raise RuntimeError(
                f"Expected out tensor to have dtype {result.dtype.c_name}, but got {each.dtype.c_name} instead"
            )
        put(each, result, silent=how == "made")
    return type(results)(*outs) if several and hasattr(results, "_fields") else out


def put(out, result, silent=False):
    """Write the result into `out`, which is resized to it, with a warning if it held elements in another size."""
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
    """The functions that take `out` in PyTorch, by name, each wrapped so that it takes `out` here too."""
    plain = {name: each for name, each in functions.items() if name[0] != "_" and isinstance(each, FunctionType)}
    return {name: takes_out(name, function, how) for name, function in plain.items() if (how := way(function))}

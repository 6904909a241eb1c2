"""Mathematics under TensorFlow's names: element-wise functions, reductions, matrix products.

Each function uses a row of the rule table; `x` may be a tensor, a variable, a number or an array.
Imports convert and tensor. Read next: arrays.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._compiler.build import build
from .._compiler.types import as_dtype
from .convert import convert
from .tensor import binary, matrix_product, power, truediv


def unary(rule: str, default: str, doc: str) -> Callable[..., Any]:
    """A function of one tensor, for a row of the rule table."""

    def function(x: Any, name: str | None = None) -> Any:
        return build(rule, convert(x, name="x"), name=name or default)

    function.__name__ = function.__qualname__ = default.lower()
    function.__doc__ = doc
    return function


def two(rule: str, default: str, doc: str) -> Callable[..., Any]:
    """A function of two tensors of one dtype, which are broadcast."""

    def function(x: Any, y: Any, name: str | None = None) -> Any:
        return binary(rule, name or default, x, y)

    function.__name__ = function.__qualname__ = default.lower()
    function.__doc__ = doc
    return function


# -- element-wise -------------------------------------------------------------------------------

add = two("add", "Add", "x + y.")
subtract = two("sub", "Sub", "x - y.")
multiply = two("mul", "Mul", "x * y.")
floordiv = two("floor_divide", "floordiv", "x / y, rounded down.")
floormod = mod = two("remainder", "FloorMod", "What x // y leaves over, with the sign of y.")
maximum = two("maximum", "Maximum", "The larger of the two; at a tie all the gradient goes to x.")
minimum = two("minimum", "Minimum", "The smaller of the two; at a tie all the gradient goes to x.")
equal = two("eq", "Equal", "Where x equals y (`x == y` asks whether they are the same symbol).")
not_equal = two("ne", "NotEqual", "Where x differs from y.")
less = two("lt", "Less", "Where x < y.")
less_equal = two("le", "LessEqual", "Where x <= y.")
greater = two("gt", "Greater", "Where x > y.")
greater_equal = two("ge", "GreaterEqual", "Where x >= y.")
logical_and = two("logical_and", "LogicalAnd", "Where both hold.")
logical_or = two("logical_or", "LogicalOr", "Where one or both hold.")
logical_xor = two("logical_xor", "LogicalXor", "Where exactly one holds.")

negative = unary("neg", "Neg", "-x.")
abs = unary("abs", "Abs", "The absolute value; its slope at 0 is 0.")
sign = unary("sign", "Sign", "-1, 0 or 1.")
square = unary("square", "Square", "x * x.")
sqrt = unary("sqrt", "Sqrt", "The square root.")
rsqrt = unary("rsqrt", "Rsqrt", "1 / the square root.")
reciprocal = unary("reciprocal", "Reciprocal", "1 / x.")
exp = unary("exp", "Exp", "e to the power of x.")
expm1 = unary("expm1", "Expm1", "e to the power of x, minus 1.")
log = unary("log", "Log", "The natural logarithm.")
log1p = unary("log1p", "Log1p", "The natural logarithm of 1 + x.")
erf = unary("erf", "Erf", "The error function.")
sin = unary("sin", "Sin", "The sine.")
cos = unary("cos", "Cos", "The cosine.")
tan = unary("tan", "Tan", "The tangent.")
sinh = unary("sinh", "Sinh", "The hyperbolic sine.")
cosh = unary("cosh", "Cosh", "The hyperbolic cosine.")
tanh = unary("tanh", "Tanh", "The hyperbolic tangent.")
sigmoid = unary("sigmoid", "Sigmoid", "1 / (1 + e to the power of -x).")
floor = unary("floor", "Floor", "Rounded down; has no gradient.")
ceil = unary("ceil", "Ceil", "Rounded up; has no gradient.")
round = unary("round", "Round", "Rounded to the nearest, halves to the even; has no gradient.")
logical_not = unary("logical_not", "LogicalNot", "Where it does not hold.")
is_nan = unary("isnan", "IsNan", "Where it is not a number.")
is_finite = unary("isfinite", "IsFinite", "Where it is neither infinite nor nan.")
is_inf = unary("isinf", "IsInf", "Where it is infinite.")


def divide(x: Any, y: Any, name: str = "truediv") -> Any:
    """x / y; integers give float64."""
    return truediv(x, y, name)


div = realdiv = divide


def pow(x: Any, y: Any, name: str = "Pow") -> Any:
    """x to the power of y."""
    return power(x, y, name)


def squared_difference(x: Any, y: Any, name: str = "SquaredDifference") -> Any:
    """(x - y) * (x - y)."""
    return square(binary("sub", name, x, y))


def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str = "clip_by_value") -> Any:
    """t limited to the range of the two values; outside, the gradient is 0."""
    return maximum(minimum(t, clip_value_max), clip_value_min, name)


def cast(x: Any, dtype: Any, name: str = "Cast") -> Any:
    """x converted to another dtype, or x itself if it has this dtype. Integers have no gradient."""
    x = convert(x)
    return x if x.dtype is as_dtype(dtype) else build("to_copy", x, name=name, dtype=as_dtype(dtype).numpy)


def add_n(inputs: Any, name: str = "AddN") -> Any:
    """The sum of several tensors of one shape."""
    total, *rest = [convert(t) for t in inputs]
    for t in rest:
        total = build("add", total, t, name=name)
    return total


# -- reductions ---------------------------------------------------------------------------------


def axes(x: Any, axis: Any, name: str) -> tuple[int, ...] | None:
    """The axes to reduce, non-negative and sorted; None for all."""
    if axis is None:
        return None
    given = list(axis) if isinstance(axis, list | tuple) else [axis]
    if x.dims is None:
        return tuple(given)
    for a in given:
        if not -len(x.dims) <= a < len(x.dims):
            raise ValueError(
                f"Invalid reduction dimension {a} for input with {len(x.dims)} dimensions. for '{name}' "
                f"with input shapes: {x.shape.as_list()}."
            )
    return tuple(sorted({a % len(x.dims) for a in given}))


def reduction(along: str, whole: str | None, default: str, doc: str) -> Callable[..., Any]:
    """A reduction, from its rule for some axes and, if there is one, its rule for all axes."""

    def function(
        input_tensor: Any,
        axis: Any = None,
        keepdims: bool | None = None,
        name: str | None = None,
        reduction_indices: Any = None,
        keep_dims: bool | None = None,
    ) -> Any:
        x = convert(input_tensor, name="input")
        keep = bool(keepdims or keep_dims)
        dim = axes(x, axis if axis is not None else reduction_indices, name or default)
        if dim is None and not keep and whole is not None:
            return build(whole, x, name=name or default)
        if dim is None and x.dims is not None and (whole is not None or along == "logsumexp"):
            dim = tuple(range(len(x.dims)))
        return build(along, x, name=name or default, dim=dim, keepdim=keep)

    function.__name__ = function.__qualname__ = f"reduce_{default.lower()}"
    function.__doc__ = doc + " `axis`: an int, a list of ints, or None for all; `keepdims` keeps them with length 1."
    return function


reduce_sum = reduction("sum_dim", "sum", "Sum", "The sum.")
reduce_max = reduction("amax", "max_all", "Max", "The largest; winners of a tie share the gradient.")
reduce_min = reduction("amin", "min_all", "Min", "The smallest; winners of a tie share the gradient.")
reduce_all = reduction("all", None, "All", "Whether all hold.")
reduce_any = reduction("any", None, "Any", "Whether some hold.")
reduce_logsumexp = reduction("logsumexp", None, "LogSumExp", "log(sum(exp(x))), without overflow.")
_mean = reduction("mean_dim", "mean", "Mean", "The mean.")
_prod = reduction("prod_dim", "prod", "Prod", "The product.")


def reduce_mean(input_tensor: Any, axis: Any = None, keepdims: Any = None, name: Any = None, **old: Any) -> Any:
    """The mean; for integers, rounded towards zero. `axis`, `keepdims`: see `reduce_sum`."""
    x = convert(input_tensor, name="input")
    if x.dtype.is_floating:
        return _mean(x, axis, keepdims, name, **old)
    return cast(_mean(cast(x, "float64"), axis, keepdims, name, **old), x.dtype)


def reduce_prod(input_tensor: Any, axis: Any = None, keepdims: Any = None, name: Any = None, **old: Any) -> Any:
    """The product. `axis`, `keepdims`: see `reduce_sum`; several axes are multiplied one after the other."""
    x = convert(input_tensor, name="input")
    dim = axes(x, axis, name or "Prod")
    if dim is None and not keepdims:
        return build("prod", x, name=name or "Prod")
    for d in reversed(dim if dim is not None else range(len(x.dims))):
        x = build("prod_dim", x, name=name or "Prod", dim=(d,), keepdim=bool(keepdims))
    return x


def argmax(input: Any, axis: int | None = None, name: str = "ArgMax", dimension: int | None = None) -> Any:
    """The index (int64) of the maximum along an axis, by default the first."""
    x, axis = convert(input), axis if axis is not None else dimension or 0
    return build("argmax", x, name=name, dim=axis % len(x.dims) if x.dims is not None else axis)


def argmin(input: Any, axis: int | None = None, name: str = "ArgMin", dimension: int | None = None) -> Any:
    """The index (int64) of the minimum along an axis, by default the first."""
    x, axis = convert(input), axis if axis is not None else dimension or 0
    return build("argmin", x, name=name, dim=axis % len(x.dims) if x.dims is not None else axis)


arg_max, arg_min = argmax, argmin  # their older names


def cumsum(x: Any, axis: int = 0, name: str = "Cumsum") -> Any:
    """The cumulative sums along an axis."""
    x = convert(x)
    return build("cumsum", x, name=name, dim=axis % len(x.dims) if x.dims is not None else axis)


# -- products -----------------------------------------------------------------------------------


def matmul(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, name: str = "MatMul") -> Any:
    """The product of two matrices, or of two stacks of matrices; each may be transposed first."""
    a, b = convert(a, name="a"), convert(b, name="b")
    a, b = turned(a) if transpose_a else a, turned(b) if transpose_b else b
    return matrix_product(a, b, name)


def turned(x: Any) -> Any:
    """A matrix, or each matrix of a stack, transposed."""
    if x.dims is None or len(x.dims) == 2:
        return build("t", x, name="transpose")
    return build("transpose", x, name="transpose", dim0=len(x.dims) - 2, dim1=len(x.dims) - 1)


IMPORTED = {
    "Any",
    "Callable",
    "annotations",
    "as_dtype",
    "binary",
    "build",
    "convert",
    "matrix_product",
    "power",
    "truediv",
}
__all__ = sorted(
    name
    for name in globals().keys() - IMPORTED - {"IMPORTED", "axes", "reduction", "turned", "two", "unary"}
    if name[0] != "_"
)

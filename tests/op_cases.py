"""Calls of every operator, for minigrad and PyTorch alike: some function of (torch, *tensors), and small inputs for it.

`CASES` maps a name, as `sum-3`, to a Case. Its inputs are arrays; those of floats require grad. Numbers are chosen so
that no two are equal, no matrix is symmetric and no kink or tie is hit (tests/semantics looks at those).
Read next: goldens/record_ops.py, which runs them; test_ops_golden.py, which compares.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class Case(NamedTuple):
    function: Callable
    inputs: tuple[np.ndarray, ...]


CASES: dict[str, Case] = {}


def cases(operator: str, inputs: tuple, *functions: Callable) -> None:
    """Add one case a function, all with the same inputs."""
    start = sum(name.rpartition("-")[0] == operator for name in CASES)
    for number, function in enumerate(functions, start):
        CASES[f"{operator}-{number}"] = Case(function, inputs)


def floats(values, dtype="float32"):
    return np.array(values, dtype)


X = floats([[-1.3, 0.4, 2.1], [0.7, -0.6, 1.9]])
Y = floats([[0.5, -1.2, 1.1], [2.3, 0.8, -0.9]])
POSITIVE = floats([[1.3, 0.4, 2.1], [0.7, 0.6, 3.9]])
UNIT = floats([[0.3, 0.45, 0.1], [0.7, 0.6, 0.95]])
ROW = floats([0.3, -1.7, 0.9])
COLUMN = floats([[1.5], [-0.5]])
POINT = floats(1.7)
EMPTY = floats(np.zeros((0, 3)))
CUBE = floats(np.sin(np.arange(1, 25)).reshape(2, 3, 4).round(2))
DOUBLE = floats([[-1.3, 0.4, 2.1], [0.7, -0.6, 1.9]], "float64")
INTS = np.array([[3, 1, 2], [5, -4, 7]])
COUNTS = np.array([[3, 1, 2], [5, 4, 7]])
SMALL = np.array([[3, 1, 2], [5, 4, 7]], "int32")
MASK = np.array([[True, False, True], [False, False, True]])


def method(name, *arguments, **options):
    return lambda t, x, *rest: getattr(x, name)(*rest, *arguments, **options)


def function(name, *arguments, **options):
    return lambda t, x, *rest: getattr(t, name)(x, *rest, *arguments, **options)


def in_place(name, *arguments, **options):
    """The form with the underscore, on a result, so that it has a history to move."""

    def call(t, x, *rest):
        result = x.clone()
        assert getattr(result, f"{name}_")(*rest, *arguments, **options) is result
        return result

    return call


def both(name, *arguments, **options):
    return method(name, *arguments, **options), function(name, *arguments, **options)


def detached(x):
    """Without its history, for what has no slope."""
    return x.detach() if hasattr(x, "detach") else x


# One number in, one out

UNARY = {
    "neg": X,
    "abs": X,
    "sign": X,
    "square": X,
    "sqrt": POSITIVE,
    "rsqrt": POSITIVE,
    "reciprocal": X,
    "exp": X,
    "expm1": X,
    "log": POSITIVE,
    "log1p": UNIT,
    "log2": POSITIVE,
    "sin": X,
    "cos": X,
    "tan": X,
    "sinh": X,
    "cosh": X,
    "tanh": X,
    "sigmoid": X,
    "erf": X,
    "floor": X,
    "ceil": X,
    "round": X,
    "relu": X,
}
for name, x in UNARY.items():
    cases(name, (x,), *both(name), in_place(name), lambda t, x, name=name: getattr(x.t(), name)())
    for other in (x.astype("float64"), x[0, 2], x[:0], COUNTS, SMALL):
        cases(name, (other,), method(name))
for name in ("isnan", "isfinite", "isinf"):
    cases(name, (floats([1.0, np.nan, np.inf, -np.inf]),), *both(name))
    cases(name, (INTS,), method(name))
cases("neg", (X,), lambda t, x: -x)
cases("abs", (X,), lambda t, x: abs(x))
cases("exp", (MASK,), method("exp"))
cases("logical_not", (X,), method("logical_not"))
cases("logical_not", (MASK,), method("logical_not"), lambda t, x: ~x)
cases("bitwise_not", (INTS,), lambda t, x: ~x)
cases("clone", (X,), *both("clone"), method("contiguous"), lambda t, x: x.t().contiguous(), method("detach"))
for dtype in ("float64", "float16", "int64", "int32", "bool", "uint8"):
    cases("to", (POSITIVE,), lambda t, x, dtype=dtype: x.to(getattr(t, dtype)))
cases("to", (INTS,), method("float"), method("double"), method("bool"), method("int"))

# Two numbers in, one out

OPERATORS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b,
    "floor_divide": lambda a, b: detached(a) // detached(b),
    "remainder": lambda a, b: a % b,
}
PAIRS = [(POSITIVE, Y), (POSITIVE, ROW), (COLUMN * COLUMN, ROW), (POSITIVE, POINT), (POINT, X), (EMPTY, ROW)]
PAIRS += [(POSITIVE, DOUBLE), (POSITIVE, COUNTS), (COUNTS, X), (COUNTS, SMALL), (POSITIVE, MASK), (POINT, DOUBLE)]
for name, operator in OPERATORS.items():
    cases(name, (POSITIVE, X), lambda t, a, b, f=operator: f(a, b), *both(name), in_place(name))
    for pair in PAIRS:
        cases(name, pair, lambda t, a, b, f=operator: f(a, b))
    for number in (2, 2.5):
        for x in (POSITIVE, COUNTS, DOUBLE):
            cases(
                name,
                (x,),
                lambda t, a, f=operator, number=number: f(a, number),
                lambda t, a, f=operator, number=number: f(number, a),
            )
    cases(name, (POSITIVE,), in_place(name, 2), method(name, 2), lambda t, a, f=operator: f(a, a))
cases("add", (X, ROW), *both("add", alpha=2), in_place("add", alpha=0.5))
cases("add", (MASK, MASK[:1]), method("add"))
cases("sub", (X, ROW), *both("sub", alpha=2))
cases("mul", (MASK, MASK[:1]), method("mul"))
cases("div", (X, Y), *both("true_divide"), *both("div", rounding_mode="floor"), *both("div", rounding_mode="trunc"))
cases("div", (INTS, COUNTS), method("div", rounding_mode="floor"), method("div", rounding_mode="trunc"))
cases("pow", (POSITIVE,), *[method("pow", n) for n in (0, 1, 2, 3, -1, 0.5, -0.5, 1.5)], lambda t, x: t.pow(2, x))
cases("pow", (X,), *[method("pow", n) for n in (0, 1, 2, 3, -1, -2)])
for name in ("maximum", "minimum"):
    for pair in ((X, Y), (X, ROW), (COLUMN, ROW), (INTS, COUNTS), (X, DOUBLE), (X, INTS)):
        cases(name, pair, *both(name))
cases("max", (X, Y), *both("max"))
cases("min", (X, Y), *both("min"))
for name in ("eq", "ne", "lt", "le", "gt", "ge"):
    for pair in ((X, Y), (X, ROW), (INTS, COUNTS), (X, INTS), (X, POINT)):
        cases(name, pair, method(name))
    cases(name, (X,), method(name, 0.4), function(name, 0))
cases("eq", (X, ROW), lambda t, a, b: a == b, lambda t, a, b: a != b, lambda t, a, b: a < b, lambda t, a, b: a >= b)
cases("eq", (INTS,), lambda t, x: x == 1, lambda t, x: 2 < x, lambda t, x: x <= 2.5, lambda t, x: 1 != x)
for name in ("logical_and", "logical_or", "logical_xor"):
    cases(name, (MASK, MASK[:1]), *both(name))
    cases(name, (X, INTS), method(name))
cases("and", (MASK, MASK[1:]), lambda t, a, b: a & b, lambda t, a, b: a | b, lambda t, a, b: a ^ b)
cases("and", (INTS, COUNTS), lambda t, a, b: a & b, lambda t, a, b: a | b, lambda t, a, b: a ^ b, lambda t, a, b: a & 3)

for x in (X, DOUBLE, INTS):
    cases(
        "clamp", (x,), *both("clamp", -0.5, 1.5), method("clamp", min=0), method("clamp", max=1), method("clamp", 0, 1)
    )
cases("clamp", (X,), in_place("clamp", min=0), *both("clamp_min", 0), *both("clamp_max", 1.0), in_place("clamp_min", 0))
cases("clamp", (X, ROW, POSITIVE), lambda t, x, low, high: x.clamp(low, high), lambda t, x, low, high: x.clamp(min=low))
cases("where", (MASK, X, Y), *[function("where"), lambda t, mask, x, y: x.where(mask, y)])
cases("where", (MASK, X), lambda t, mask, x: t.where(mask, x, 0.0), lambda t, mask, x: t.where(mask, 1.0, x))
cases("where", (MASK, COLUMN, ROW), function("where"))
cases("where", (MASK, X, DOUBLE), function("where"))
cases("where", (MASK, COUNTS, SMALL), function("where"))
cases("where", (X,), lambda t, x: t.where(x > 0, x, -x), lambda t, x: t.where(x > 0, 1, 0), lambda t, x: t.where(x > 1))
cases("masked_fill", (X, MASK), *both("masked_fill", 7.0), in_place("masked_fill", 7.0))
cases("masked_fill", (X, MASK[0]), lambda t, x, mask: x.masked_fill(mask, t.tensor(2.0)))
cases("masked_fill", (INTS, MASK), method("masked_fill", 7))

# Many numbers in, few out

for name in ("sum", "mean", "prod"):
    cases(name, (X,), *both(name), *both(name, 0), method(name, dim=-1), method(name, 1, keepdim=True))
    cases(name, (X,), lambda t, x, name=name: getattr(x.t(), name)(0))
    for x in (DOUBLE, POINT, EMPTY, CUBE):
        cases(name, (x,), method(name), method(name, -1))
for name in ("sum", "mean", "amax", "amin"):
    cases(name, (CUBE,), method(name, (0, 2)), method(name, dim=(0, -1), keepdim=True), method(name, [1]))
for name in ("sum", "prod"):
    for x in (INTS, SMALL, MASK):
        cases(name, (x,), method(name), method(name, 0))
cases("sum", (X,), lambda t, x: x.sum(dtype=t.float64), method("sum", axis=0), method("sum", (0, 1)), method("sum", ()))
cases("sum", (X,), method("sum", 0, keepdims=True), lambda t, x: sum(x), lambda t, x: x.sum(None))
cases("mean", (INTS,), lambda t, x: x.mean(dtype=t.float32))
for name in ("var", "std"):
    cases(name, (X,), *both(name), *both(name, 0), method(name, 1, keepdim=True), method(name, unbiased=False))
    cases(name, (X,), method(name, correction=0), method(name, 0, unbiased=False), method(name, dim=1, correction=2))
    cases(name, (CUBE,), method(name, (0, 2)), method(name, (1,), correction=0))
    cases(name, (DOUBLE,), method(name))
for name in ("max", "min"):
    cases(name, (X,), *both(name), *both(name, 0), method(name, dim=-1), method(name, 1, keepdim=True))
    for x in (INTS, DOUBLE, CUBE, POINT):
        cases(name, (x,), method(name), method(name, -1))
for name in ("amax", "amin"):
    cases(name, (X,), *both(name), *both(name, 0), method(name, dim=-1, keepdim=True))
    cases(name, (INTS,), method(name), method(name, 1))
for name in ("argmax", "argmin"):
    cases(name, (X,), *both(name), *both(name, 0), method(name, dim=-1), method(name, 1, keepdim=True))
    cases(name, (INTS,), method(name))
for name in ("any", "all"):
    for x in (MASK, X, INTS, EMPTY):
        cases(name, (x,), *both(name), *both(name, 0), method(name, 1, keepdim=True))
cases("cumsum", (X,), *both("cumsum", 0), method("cumsum", dim=-1))
cases("cumsum", (INTS,), method("cumsum", 1))
cases("cumsum", (MASK,), method("cumsum", 1))
cases("norm", (X,), *both("norm"), method("norm", 1), method("norm", p=3), method("norm", float("inf")))
cases("norm", (X,), method("norm", dim=0), method("norm", 2, 1), method("norm", p=1, dim=1, keepdim=True))
cases("norm", (CUBE,), method("norm"), method("norm", dim=(0, 2)))
cases("logsumexp", (X,), *both("logsumexp", 0), method("logsumexp", dim=1, keepdim=True), method("logsumexp", (0, 1)))
for name in ("softmax", "log_softmax"):
    cases(
        name, (X,), *both(name, 0), method(name, dim=-1), lambda t, x, name=name: getattr(t.nn.functional, name)(x, 1)
    )
    cases(name, (CUBE,), method(name, 1))
    cases(name, (DOUBLE,), method(name, 1))
    cases(name, (INTS,), lambda t, x, name=name: getattr(x, name)(1, dtype=t.float32))
cases("sort", (X,), *both("sort"), *both("sort", 0), method("sort", descending=True), method("argsort"))
cases(
    "sort", (INTS,), method("sort", dim=0, descending=True), method("argsort", 0), function("argsort", descending=True)
)
cases("topk", (X,), *both("topk", 2), method("topk", 1, dim=0), method("topk", 2, largest=False), method("topk", 2, 1))
cases("topk", (INTS,), method("topk", 2))

# Matrices

SQUARE, TALL = floats([[1.2, -0.7], [0.3, 2.5]]), floats([[0.9, -1.1], [0.4, 1.6], [-2.2, 0.8]])
cases("mm", (X, TALL), *both("mm"), *both("matmul"), lambda t, a, b: a @ b, lambda t, a, b: b.t() @ a.t())
cases("mv", (X, ROW), *both("mv"), lambda t, a, b: a @ b)
cases("mm", (ROW, TALL), lambda t, a, b: a @ b)
cases("dot", (ROW, X[0]), *both("dot"), lambda t, a, b: a @ b)
cases("outer", (ROW, COLUMN[:, 0]), *both("outer"))
cases("bmm", (CUBE, CUBE.transpose(0, 2, 1)[:, :, :2].copy()), *both("bmm"), lambda t, a, b: a @ b)
cases("matmul", (CUBE, CUBE[0].T[:, :2].copy()), *both("matmul"), lambda t, a, b: b.t() @ a.transpose(1, 2))
cases("matmul", (CUBE, CUBE[0, 0]), lambda t, a, b: a @ b)
cases("matmul", (ROW, CUBE), lambda t, a, b: a @ b)
cases("matmul", (SQUARE, X), lambda t, a, b: a @ b, lambda t, a, b: a.T @ b, lambda t, a, b: (a @ b).T)
cases("matmul", (CUBE[:, None], CUBE.transpose(0, 2, 1)[None].copy()), lambda t, a, b: a @ b)
cases("matmul", (EMPTY, TALL), lambda t, a, b: a @ b)
cases("matmul", (INTS, COUNTS.T.copy()), lambda t, a, b: a @ b)
cases("matmul", (DOUBLE, DOUBLE.T.copy()), lambda t, a, b: a @ b)
cases("addmm", (SQUARE, X, TALL), function("addmm"), method("addmm"), function("addmm", beta=0.5, alpha=2))
cases("addmm", (SQUARE[0], X, TALL), function("addmm"))
for equation in ("ij,jk->ik", "ij,jk", "ij,jk->ki", "ij,jk->", "ab,bc->abc"):
    cases("einsum", (X, TALL), lambda t, a, b, equation=equation: t.einsum(equation, a, b))
cases("einsum", (CUBE, X), lambda t, a, b: t.einsum("bij,bi->bj", a, b), lambda t, a, b: t.einsum("...j,...->j", a, b))
cases(
    "einsum",
    (SQUARE,),
    lambda t, a: t.einsum("ii->i", a),
    lambda t, a: t.einsum("ii", a),
    lambda t, a: t.einsum("ij->ji", a),
)
cases("einsum", (ROW, X, COLUMN[:, 0]), lambda t, a, b, c: t.einsum("j,ij,i->", a, b, c))

# Shapes

cases(
    "reshape", (X,), *both("reshape", (3, 2)), method("reshape", 6), method("reshape", -1, 2), method("reshape", (6, 1))
)
cases("reshape", (X,), lambda t, x: x.t().reshape(6), lambda t, x: x[:, :2].reshape(-1))
cases("view", (X,), method("view", 3, 2), method("view", (-1,)), method("view", 2, -1, 1), lambda t, x: x.view_as(x))
cases("view", (EMPTY,), method("view", 3, 0), method("reshape", 0))
cases("view", (POINT,), method("view", 1), method("view", 1, 1), method("reshape", ()))
cases(
    "flatten", (CUBE,), *both("flatten"), method("flatten", 1), method("flatten", 0, 1), method("flatten", start_dim=-2)
)
cases("flatten", (POINT,), method("flatten"))
cases("transpose", (X,), *both("transpose", 0, 1), method("transpose", -1, -2), *both("t"), lambda t, x: x.T)
cases("transpose", (CUBE,), method("transpose", 0, 2), lambda t, x: x.mT)
cases("t", (ROW,), method("t"))
cases("permute", (CUBE,), *both("permute", (2, 0, 1)), method("permute", 2, 0, 1), method("permute", -1, 0, 1))
cases("movedim", (CUBE,), *both("movedim", 0, 2), method("movedim", (0, 1), (1, 2)))
cases(
    "unsqueeze",
    (X,),
    *both("unsqueeze", 0),
    method("unsqueeze", -1),
    method("unsqueeze", 1),
    method("unsqueeze", dim=2),
)
cases(
    "squeeze",
    (X[None, :, None],),
    *both("squeeze"),
    *both("squeeze", 0),
    method("squeeze", 1),
    method("squeeze", (0, 2)),
)
cases("squeeze", (COLUMN,), method("squeeze"), method("squeeze", -1), method("squeeze", dim=0))
cases(
    "expand",
    (COLUMN,),
    method("expand", 2, 3),
    method("expand", 2, -1),
    method("expand", 4, 2, 3),
    method("expand", (2, 3)),
)
cases("expand", (ROW, X), method("expand_as"))
cases("expand", (POINT,), method("expand", 2, 3))
cases("broadcast_to", (COLUMN,), *both("broadcast_to", (2, 3)), function("broadcast_to", (3, 2, 1)))
cases(
    "cat",
    (X, Y),
    lambda t, a, b: t.cat([a, b]),
    lambda t, a, b: t.cat((a, b), 1),
    lambda t, a, b: t.cat([a, b, a], dim=-1),
)
cases("cat", (X, COLUMN, DOUBLE), lambda t, a, b, c: t.cat([a, b, c], 1))
cases("cat", (X, INTS, EMPTY), lambda t, a, b, c: t.cat([a, b, c]), lambda t, a, b, c: t.cat([b, b]))
cases(
    "stack",
    (X, Y),
    lambda t, a, b: t.stack([a, b]),
    lambda t, a, b: t.stack((a, b), 1),
    lambda t, a, b: t.stack([a, b], dim=-1),
)
cases("stack", (POINT, POINT + 1), lambda t, a, b: t.stack([a, b]))
cases("stack", (X, DOUBLE), lambda t, a, b: t.stack([a, b]))
cases("stack", (ROW,), lambda t, x: t.stack([x[i] for i in range(3)]))
cases("narrow", (X,), *both("narrow", 1, 1, 2), method("narrow", 0, -1, 1), method("narrow", dim=1, start=0, length=0))
cases("select", (CUBE,), *both("select", 1, 2), method("select", -1, -1), method("select", dim=0, index=1))
cases(
    "split",
    (CUBE,),
    *both("split", 2, 1),
    method("split", [1, 3], dim=2),
    method("split", 1),
    function("split", (1, 2), 1),
)
cases("chunk", (CUBE,), *both("chunk", 2, 2), method("chunk", 2, dim=1), method("chunk", 5))
cases("unbind", (X,), *both("unbind"), *both("unbind", 1), lambda t, x: tuple(x))
cases(
    "flip",
    (X,),
    *both("flip", (0,)),
    method("flip", 0),
    method("flip", (0, 1)),
    method("flip", -1),
    method("flip", [1]),
)
cases(
    "roll",
    (X,),
    *both("roll", 1),
    method("roll", 1, 0),
    method("roll", (1, -1), (0, 1)),
    method("roll", shifts=2, dims=1),
)
cases("repeat", (X,), method("repeat", 2, 1), method("repeat", 2, 1, 2), method("repeat", (1, 3)))
for name in ("tril", "triu"):
    cases(name, (X,), *both(name), method(name, 1), method(name, diagonal=-1))
    cases(name, (CUBE,), method(name))
cases("diagonal", (X,), *both("diagonal"), method("diagonal", 1), method("diagonal", offset=-1))
cases("diagonal", (CUBE,), method("diagonal", 0, 1, 2), method("diagonal", dim1=0, dim2=2))

# What PyTorch's own samples showed to be easily forgotten (test_op_db.py): single numbers, nothing at all, dtype=

for name in ("softmax", "log_softmax", "cumsum"):
    cases(name, (POINT,), method(name, 0), method(name, -1))
    cases(name, (EMPTY,), method(name, 0), method(name, 1))
cases("sort", (POINT,), method("sort"), method("sort", stable=True), method("topk", 1), method("argsort"))
cases("sort", (X,), method("sort", stable=True), method("sort", dim=0, stable=False, descending=True))
for name in ("sum", "prod", "cumsum"):
    for x in (INTS, SMALL, MASK):
        cases(
            name,
            (x,),
            lambda t, x, name=name: getattr(x, name)(0, dtype=t.int32),
            lambda t, x, name=name: getattr(x, name)(0, dtype=t.uint8),
            lambda t, x, name=name: getattr(x, name)(0, dtype=t.float64),
        )
for name in ("var", "std"):
    cases(name, (X,), method(name, False), method(name, 0, False), method(name, 0, True, True), method(name, None))
    cases(name, (X,), method(name, dim=1, correction=None))
cases("norm", (X,), method("norm", -float("inf")), method("norm", -float("inf"), 1), method("norm", -1.0))
for name in ("any", "all"):
    cases(name, (COUNTS.astype("uint8"),), method(name), method(name, 0))
cases("sign", (MASK,), method("sign"))
cases("square", (MASK,), method("square"), lambda t, x: x**2, lambda t, x: x % 2)
cases("round", (X,), *both("round", decimals=1), method("round", decimals=0), method("round", decimals=-1))
cases("round", (X * 40,), method("round", decimals=-1), in_place("round", decimals=-1))
for name in ("clamp_min", "clamp_max"):
    cases(name, (X, ROW), *both(name), in_place(name))
    cases(name, (COLUMN, ROW), method(name))
    cases(name, (INTS,), method(name, 2.5), method(name, 2), in_place(name, 2.5))
cases(
    "clamp", (X, ROW, POSITIVE), lambda t, x, a, b: x.clone().clamp_(a, b), lambda t, x, a, b: x.clone().clamp_(max=b)
)
cases("clamp", (MASK,), method("clamp", 0, 1))
for mode in ("floor", "trunc"):
    cases("div", (X, Y), in_place("div", rounding_mode=mode))
for name in ("pow", "remainder"):
    cases(name, (INTS,), in_place(name, 0.5), in_place(name, 2))
cases("pow", (COUNTS,), in_place("pow", -1))
cases("where", (MASK.astype("uint8"), X, Y), function("where"))
cases("masked_fill", (X, MASK, ROW), method("masked_fill"), in_place("masked_fill"))
cases("transpose", (POINT,), method("transpose", 0, -1))
cases("flip", (X,), method("flip", dims=(0, 1)), function("flip", dims=[1]))
cases("squeeze", (X[None],), method("squeeze", ()))
cases("roll", (POINT,), method("roll", 1), method("roll", 1, 0))
cases("roll", (X,), method("roll", ()), method("roll", (1, 2), 0), method("roll", (1, 2)))
cases("movedim", (CUBE,), method("movedim", (0, 1), (2,)), method("movedim", (0, -3), (1, 2)))
cases("movedim", (CUBE,), method("movedim", (0, 1), (2, -1)))
cases("diagonal", (CUBE,), method("diagonal", dim1=1, dim2=-2))
cases("unbind", (POINT,), method("unbind"))
cases("narrow", (POINT,), method("narrow", 0, 0, 1))
cases("narrow", (X,), lambda t, x: x.narrow(1, t.tensor(1), 2), lambda t, x: x.narrow(1, t.tensor([1]), 2))
cases("tril", (ROW,), method("tril"), method("triu"))
cases("cat", (EMPTY[:, 0],), lambda t, x: t.cat([x, x]))
cases("nonzero", (POINT,), method("nonzero"), method("nonzero", as_tuple=True))
cases("nonzero", (POINT * 0,), method("nonzero"), method("nonzero", as_tuple=True))
cases("linspace", (), lambda t: t.linspace(4.3, -3, 7, dtype=t.int64), lambda t: t.linspace(0, 1, -1))
cases("linspace", (POINT, POINT + 3), lambda t, a, b: t.linspace(a.detach(), b.detach(), 3))
cases("arange", (), lambda t: t.arange(0.1, -7.9, -4, dtype=t.int64), lambda t: t.arange(2.1, -2.9, -1, dtype=t.int32))
cases("arange", (), lambda t: t.arange(0, float("inf"), 2), lambda t: t.eye(-1), lambda t: t.eye(2, -1))
cases("full", (), lambda t: t.full((2,), -9, dtype=t.uint8))
for name in ("new_zeros", "new_ones"):
    cases(name, (X,), lambda t, x, name=name: getattr(x, name)((2, 1), dtype=t.int64, device="cpu"))
cases("new_full", (X,), lambda t, x: x.new_full((2,), 7, dtype=t.int32, device="cpu"))
cases("zeros_like", (X,), lambda t, x: t.zeros_like(x, device="cpu"), lambda t, x: t.ones_like(x, device="cpu"))
PLACES = np.array([[0, 1, 1], [1, 0, 0]])
cases("gather", (X, PLACES.astype("int32")), lambda t, x, i: x.gather(0, i), lambda t, x, i: x.scatter_add(0, i, x))
cases("gather", (POINT, PLACES[0]), lambda t, x, i: x.gather(0, i))
cases("gather", (ROW, PLACES[0, 0]), lambda t, x, i: x.gather(0, i), lambda t, x, i: x.index_select(0, i))
cases("gather", (X[:, :2].copy(), PLACES), lambda t, x, i: x.gather(0, i), lambda t, x, i: x.scatter_add(0, i, x))
cases("gather", (X, PLACES[0]), lambda t, x, i: x.gather(0, i), lambda t, x, i: x.scatter_add(0, i, x))
cases("gather", (X, Y), lambda t, x, i: x.gather(0, i), lambda t, x, i: x.scatter_add(0, i, x))
cases("gather", (X, PLACES, DOUBLE), lambda t, x, i, y: x.scatter_add(0, i, y))
cases("index_add", (POINT, PLACES[0, 0], POINT + 1), lambda t, x, i, y: x.index_add(0, i, y, alpha=2))
cases("index_select", (POINT, PLACES[0, :1]), lambda t, x, i: x.index_select(0, i))
cases("index_select", (POINT, PLACES[0]), lambda t, x, i: x.index_select(0, i))
cases("index_select", (X, PLACES), lambda t, x, i: x.index_select(0, i), lambda t, x, i: x.index_add(0, i, x))
cases("index_select", (X, ROW), lambda t, x, i: x.index_select(0, i), lambda t, x, i: x.index_add(1, i, x))
cases(
    "index_add", (X, PLACES[0], X[:1]), lambda t, x, i, y: x.index_add(0, i, y), lambda t, x, i, y: x.index_add(1, i, y)
)
cases("index_add", (X, PLACES[0], DOUBLE), lambda t, x, i, y: x.index_add(1, i, y))
cases("addmm", (X, SQUARE, Y), lambda t, a, b, c: a.clone().addmm_(b, c), lambda t, a, b, c: a[0].clone().addmm_(b, c))

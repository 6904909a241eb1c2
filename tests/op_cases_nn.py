"""More cases, as in op_cases.py: indexing in all its forms, factories, and `nn.functional`.

Importing this file adds its cases to `CASES`. Read next: goldens/record_ops.py, which runs them.
"""

import numpy as np
from op_cases import (
    CUBE,
    DOUBLE,
    INTS,
    MASK,
    POINT,
    ROW,
    UNIT,
    X,
    Y,
    both,
    cases,
    floats,
    function,
    method,
)

# Reading by index

cases(
    "getitem",
    (CUBE,),
    lambda t, x: x[1],
    lambda t, x: x[-1, 2],
    lambda t, x: x[0, 1, 3],
    lambda t, x: x[:, 1],
    lambda t, x: x[..., -1],
    lambda t, x: x[0, ..., 2],
    lambda t, x: x[:, 1:3, ::2],
    lambda t, x: x[:, :, None],
    lambda t, x: x[None, 0],
    lambda t, x: x[..., None],
    lambda t, x: x[1:1],
    lambda t, x: x[:, -2:],
    lambda t, x: x[:, 5:],
    lambda t, x: x[()],
    lambda t, x: x[True],
    lambda t, x: x[False],
    lambda t, x: x[[1, 0, 1]],
    lambda t, x: x[:, [0, 2]],
    lambda t, x: x[[0, 1], [2, 0]],
    lambda t, x: x[[0, 1], :, [3, 0]],
    lambda t, x: x[:, [0, 2], [1, 3]],
    lambda t, x: x[[[0, 1], [1, 0]]],
    lambda t, x: x[t.tensor([[0, 1], [1, 0]])],
    lambda t, x: x[t.tensor(1)],
    lambda t, x: x[t.tensor([-1])],
    lambda t, x: x[0, t.tensor([2, 2])],
    lambda t, x: x[:, t.tensor([[0], [1]]), t.tensor([0, 3])],
    lambda t, x: x[t.tensor([0]), None],
    lambda t, x: x[x > 0.5],
    lambda t, x: x[t.tensor([True, False])],
    lambda t, x: x[:, t.tensor([True, False, True])],
    lambda t, x: x[t.tensor([False, True]), t.tensor([2, 1])],
    lambda t, x: x[t.tensor([True, False]), :, t.tensor([0, 1, 2, 3]) > 1],
    lambda t, x: x[range(2)],
    lambda t, x: x[np.array([1, 0])],
    lambda t, x: x[(slice(None), 0)],
    lambda t, x: x[1][2][3],
    lambda t, x: x[[]],
)
cases("getitem", (INTS,), lambda t, x: x[x > 1], lambda t, x: x[1, [0, 2]])
cases("getitem", (POINT,), lambda t, x: x[None], lambda t, x: x[...], lambda t, x: x[()])


# Writing by index


def changed(key, value):
    """A copy after `copy[key] = value`; both may be made by a function of (torch, x, *rest)."""

    def call(t, x, *rest):
        result = x.clone()
        made = [part(t, result.detach(), *rest) if callable(part) else part for part in (key, value)]
        result[made[0]] = made[1]
        return result

    return call


cases(
    "setitem",
    (CUBE,),
    changed(0, 7.0),
    changed((slice(None), 1), -1),
    changed((..., slice(None, None, 2)), 3.5),
    changed([1, 0], 2.0),
    changed(([0, 1], [2, 0]), 9.0),
    changed(lambda t, x: x > 0.5, 0),
    changed(lambda t, x: t.tensor([True, False]), 5),
    changed(slice(None), 1.5),
    changed((1, 2, 3), True),
)
cases(
    "setitem",
    (X, ROW),
    changed(0, lambda t, x, row: row),
    changed(slice(None), lambda t, x, row: row),
    changed((slice(None), 1), lambda t, x, row: row[:2]),
    changed([1], lambda t, x, row: row * 2),
    changed(([0, 1, 0], [2, 0, 1]), lambda t, x, row: row),
    changed(lambda t, x, row: t.tensor([False, True]), lambda t, x, row: row),
    changed(lambda t, x, row: (x > 0) & (row > 0), lambda t, x, row: row[0]),
    changed((0, 0), lambda t, x, row: row[1]),
    changed((slice(None), None), lambda t, x, row: row),
)
cases("setitem", (INTS,), changed(0, 7), changed(lambda t, x: x > 2, 0), changed((1, [0, 2]), lambda t, x: x[0, :2]))

PLACES = np.array([[0, 2, 1], [2, 2, 0]])
cases("index_select", (X,), lambda t, x: t.index_select(x, 1, t.tensor([2, 0, 2])))
cases("index_select", (X,), lambda t, x: x.index_select(0, t.tensor([1])), lambda t, x: x.index_select(-1, t.tensor(2)))
cases("gather", (X, PLACES), lambda t, x, i: x.gather(1, i), lambda t, x, i: t.gather(x, -1, i[:, :2]))
cases(
    "gather", (X,), lambda t, x: x.gather(0, t.tensor([[1, 0, 1]])), lambda t, x: x.gather(1, x.argmax(1, keepdim=True))
)
cases(
    "scatter_add",
    (X, PLACES, Y),
    lambda t, x, i, y: x.scatter_add(1, i, y),
    lambda t, x, i, y: t.scatter_add(x, -1, i, y),
)
cases("scatter_add", (X, PLACES, Y), lambda t, x, i, y: (x * 1).scatter_add_(1, i, y))
cases("index_add", (X, ROW), lambda t, x, row: x.index_add(0, t.tensor([1, 1]), t.stack([row, row * 2])))
cases("index_add", (X, Y), lambda t, x, y: t.index_add(x, 1, t.tensor([0, 0, 2]), y, alpha=2))
cases("index_add", (X, Y), lambda t, x, y: (x * 1).index_add_(1, t.tensor([2, 0, 2]), y))
cases("nonzero", (MASK,), *both("nonzero"), method("nonzero", as_tuple=True))
cases("masked_select", (X, MASK), *both("masked_select"))

# Factories, and likenesses

for name in ("zeros_like", "ones_like", "empty_like"):
    shape_only = (lambda result: result.zero_()) if name == "empty_like" else (lambda result: result)
    for x in (X, INTS, MASK, POINT, DOUBLE):
        cases(name, (x,), lambda t, x, name=name, f=shape_only: f(getattr(t, name)(x.detach())))
cases("full_like", (X,), function("full_like", 3), function("full_like", 2.5))
cases("full_like", (INTS,), function("full_like", 3), lambda t, x: t.full_like(x, 3, dtype=t.float64))
cases(
    "factories",
    (),
    lambda t: t.zeros(2, 3),
    lambda t: t.zeros((2, 3), dtype=t.int64),
    lambda t: t.ones(()),
    lambda t: t.full((2,), 7),
    lambda t: t.full((2, 1), 2.5, dtype=t.float64),
    lambda t: t.arange(5),
    lambda t: t.arange(1, 2, 0.3),
    lambda t: t.arange(5, 1, -2),
    lambda t: t.arange(3, dtype=t.float32),
    lambda t: t.linspace(-1, 1, 5),
    lambda t: t.linspace(0, 1, 3, dtype=t.float64),
    lambda t: t.linspace(5, 1, 4),
    lambda t: t.eye(3),
    lambda t: t.eye(2, 3, dtype=t.int64),
    lambda t: t.tensor([[1, 2], [3, 4]]),
    lambda t: t.tensor([[True], [False]]),
    lambda t: t.tensor([1.5, t.tensor(2.5)]),
    lambda t: t.tensor([np.float32(1), 2]),
    lambda t: t.tensor(range(3)),
    lambda t: t.tensor((1, 2.5)),
    lambda t: t.tensor([1.7], dtype=t.int64),
)

# nn.functional


def F(name, *arguments, **options):
    return lambda t, *tensors: getattr(t.nn.functional, name)(*tensors, *arguments, **options)


ACTIVATIONS = ["relu", "leaky_relu", "elu", "gelu", "silu", "softplus", "softsign", "tanh", "sigmoid", "hardtanh"]
for name in [*ACTIVATIONS, "logsigmoid"]:
    cases(name, (X,), F(name))
    cases(name, (CUBE * 6,), F(name))
    cases(name, (DOUBLE,), F(name))
cases("leaky_relu", (X,), F("leaky_relu", 0.2), F("leaky_relu", negative_slope=0.5))
cases("elu", (X,), F("elu", 0.7))
cases("gelu", (X,), F("gelu", approximate="tanh"))
cases("softplus", (CUBE * 20,), F("softplus"), F("softplus", beta=2), F("softplus", 1, 5))
cases("hardtanh", (X,), F("hardtanh", -0.5, 1.5))

WEIGHT, BIAS = (
    floats([[0.2, -0.4, 0.9], [1.1, 0.3, -0.8], [0.5, 0.6, 0.7], [-1.2, 0.1, 0.4]]),
    floats([0.1, -0.2, 0.3, 0.4]),
)
for x in (X, ROW, X[None], Y[:, None]):
    cases("linear", (x, WEIGHT, BIAS), F("linear"))
    cases("linear", (x, WEIGHT), F("linear"))
cases("embedding", (np.array([[0, 2], [2, 3]]), WEIGHT), F("embedding"), F("embedding", padding_idx=2))
cases("embedding", (np.array(1), WEIGHT), F("embedding"))

LABELS, LABEL = np.array([2, 0]), np.array(1)
for reduction in ("mean", "sum", "none"):
    for loss in ("mse_loss", "l1_loss", "smooth_l1_loss"):
        cases(loss, (X, Y), F(loss, reduction=reduction))
        cases(loss, (DOUBLE, DOUBLE[::-1].copy()), F(loss, reduction=reduction))
    for loss in ("cross_entropy", "nll_loss"):
        cases(loss, (X, LABELS), F(loss, reduction=reduction), F(loss, ignore_index=0, reduction=reduction))
        cases(
            loss,
            (X, LABELS),
            lambda t, x, y, f=loss, r=reduction: getattr(t.nn.functional, f)(x, y, t.tensor([1.0, 2, 3]), reduction=r),
        )
    cases("cross_entropy", (X, UNIT), F("cross_entropy", reduction=reduction))
    cases("cross_entropy", (X, LABELS), F("cross_entropy", label_smoothing=0.1, reduction=reduction))
    cases("cross_entropy", (CUBE, PLACES[:, [0, 1, 2, 0]]), F("cross_entropy", reduction=reduction))
    cases("binary_cross_entropy", (UNIT, UNIT[::-1].copy()), F("binary_cross_entropy", reduction=reduction))
    cases("binary_cross_entropy_with_logits", (X, UNIT), F("binary_cross_entropy_with_logits", reduction=reduction))
cases("smooth_l1_loss", (X, Y), F("smooth_l1_loss", beta=0.5))
cases("cross_entropy", (ROW, LABEL), F("cross_entropy"))
cases("nll_loss", (ROW, LABEL), F("nll_loss"))

cases("one_hot", (LABELS,), F("one_hot"), F("one_hot", 5), F("one_hot", num_classes=3))
cases(
    "pad",
    (X,),
    F("pad", (1, 2)),
    F("pad", (1, 0, 0, 2)),
    F("pad", (0, 1), value=3.5),
    F("pad", (-1, 1), "constant", 2.0),
)
cases("normalize", (X,), F("normalize"), F("normalize", dim=0), F("normalize", p=1, dim=1))
cases("layer_norm", (X, ROW, ROW + 1), lambda t, x, w, b: t.nn.functional.layer_norm(x, (3,), w, b))
cases("layer_norm", (X,), F("layer_norm", (3,)), F("layer_norm", (2, 3), eps=0.1))


def batch_norm(training):
    def call(t, x, w, b):
        mean, variance = t.tensor([0.1, -0.2, 0.3]), t.tensor([1.5, 0.5, 2.0])
        return t.nn.functional.batch_norm(x, mean, variance, w, b, training), mean, variance

    return call


cases("batch_norm", (np.concatenate([X, Y]), ROW, ROW + 1), batch_norm(True), batch_norm(False))
cases("batch_norm", (CUBE, ROW, ROW + 1), batch_norm(True))

SIGNAL, KERNEL = CUBE[:, :2], floats([[[0.3, -0.6], [0.9, 0.2]], [[-0.4, 0.7], [0.1, 0.8]], [[0.5, 0.6], [-0.2, 1.0]]])
cases(
    "conv1d", (SIGNAL, KERNEL, ROW), F("conv1d"), F("conv1d", stride=2, padding=1), F("conv1d", padding=2, dilation=2)
)
cases("conv1d", (SIGNAL, KERNEL), F("conv1d"))
cases("conv1d", (SIGNAL[0], KERNEL), F("conv1d"))
IMAGE, FILTERS = (
    floats(np.cos(np.arange(40)).reshape(1, 2, 4, 5).round(2)),
    floats(np.sin(np.arange(24)).reshape(3, 2, 2, 2).round(2)),
)
cases(
    "conv2d",
    (IMAGE, FILTERS, ROW),
    F("conv2d"),
    F("conv2d", stride=2),
    F("conv2d", padding=1),
    F("conv2d", padding="same"),
)
cases("conv2d", (IMAGE, FILTERS), F("conv2d", stride=(1, 2), padding=(0, 1)), F("conv2d", dilation=2))
cases("max_pool1d", (SIGNAL,), F("max_pool1d", 2), F("max_pool1d", 3, stride=1, padding=1))
cases("max_pool2d", (IMAGE,), F("max_pool2d", 2), F("max_pool2d", (2, 3), stride=1), F("max_pool2d", 3, 2, 1))
cases("avg_pool1d", (SIGNAL,), F("avg_pool1d", 2), F("avg_pool1d", 3, stride=1, padding=1))
cases("avg_pool2d", (IMAGE,), F("avg_pool2d", 2), F("avg_pool2d", (2, 3), stride=1), F("avg_pool2d", 3, 2, 1))
cases("dropout", (X,), F("dropout", 0.5, training=False), F("dropout", p=0.0))

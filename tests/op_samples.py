"""Arguments for every operator of the table: what test_ops.py feeds to each rule.

`SAMPLES[name]` is a list of (inputs, parameters); an input is a size (float64 numbers away from corners are
drawn), an array, or `P(size)` for positive numbers. An operator without an entry fails its test.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from minigrad._machine.device import device
from minigrad.ops.convolution import Windows
from minigrad.ops.resampling import Resampling


class P(NamedTuple):
    """Positive numbers of this size."""

    size: tuple[int, ...]


index = np.array([[0, 2], [1, 1]])
vector = np.array([2, 0, 2])
yes = np.array([[True, False, True], [False, True, True]])
SLIDING = Windows(size=(4, 5), kernel=(2, 3), stride=(2, 1), padding=(0, 1), dilation=(1, 1), out=(2, 5))
SHORT = Windows(size=(5,), kernel=(2,), stride=(3,), padding=(1,), dilation=(1,), out=(2,))  # of the end of the image
RESIZED = {
    "upsample_nearest1d": Resampling("nearest", (3,), (5,), (None,)),
    "upsample_nearest2d": Resampling("nearest", (3, 4), (7, 2), (2.5, None)),
    "upsample_linear1d": Resampling("linear", (3,), (7,), (None,), True),
    "upsample_bilinear2d": Resampling("linear", (3, 4), (7, 3), (2.5, None)),
    "reflect_pad1d": Resampling("reflect", (3,), (6,), (2,)),
    "reflect_pad2d": Resampling("reflect", (3, 4), (6, 6), (2, 0)),
    "reflect_pad3d": Resampling("reflect", (3, 4, 2), (6, 6, 3), (2, 0, 1)),
    "replicate_pad1d": Resampling("replicate", (3,), (8,), (4,)),
    "replicate_pad2d": Resampling("replicate", (3, 4), (8, 3), (4, -1)),
    "replicate_pad3d": Resampling("replicate", (3, 4, 2), (8, 3, 4), (4, -1, 1)),
}
RESIZED |= {f"{name}_spread": by for name, by in RESIZED.items()}
one, two, pair = [((2, 3),)], [((2, 3), (2, 3))], [((2, 3), (3,)), ((), (2, 1))]


def each(*sizes: Any, **params: Any) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
    return [(sizes, params)]


REDUCTIONS = ("mean", "sum", "none")
UNARY = "neg abs sign sgn zeros_like exp expm1 sin cos tan sinh cosh tanh sigmoid erf floor ceil round relu"
UNARY += " logsigmoid silu gelu_tanh isnan isfinite isinf"
DRAWN = "uniform normal normal_mean normal_std exponential geometric cauchy log_normal bernoulli bernoulli_tensor"
DRAWN += " bernoulli_number random_range random_to random_any"
UNARY += " exp2 erfc atan asinh trunc frac deg2rad rad2deg signbit"
POSITIVE = "sqrt rsqrt reciprocal log log1p log2 log10"
BINARY = "add sub rsub mul maximum minimum eq ne lt le gt ge atan2 hypot logaddexp"
SQUARE = np.array([[1.3, 0.4], [-0.7, 2.1]])
SQUARES = np.stack([SQUARE, SQUARE.T])
POSITIVE_DEFINITE = np.array([[2.0, 0.4], [0.4, 1.5]])
TALL = np.array([[0.3, 2.1], [1.9, 0.4], [0.8, 1.2]])


# Of a symmetric matrix they read one triangle, and their slope is symmetric: differences are made along such matrices
SYMMETRIC = {"cholesky"}


# The second result is for the slopes alone: it has no slope itself
FIRST_ALONE = {"attention", "attention_masked", "batch_norm", "group_norm", "layer_norm", "logsigmoid"}


class Samples(dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]]):
    """The samples of each operator; whoever asks for those of one that has none, fails with a sentence."""

    def __missing__(self, name: str) -> Any:
        raise AssertionError(f"give the operator {name} its samples in tests/op_samples.py")


SAMPLES = Samples()
SAMPLES |= {
    **{name: [*each((2, 3)), *each(()), *each((0,))] for name in UNARY.split()},
    **{name: [*each(P((2, 3))), *each(P(()))] for name in POSITIVE.split()},
    **{name: [*each((2, 3), (2, 3)), *each((2, 3), (3,)), *each((), (2, 1))] for name in BINARY.split()},
    **{name: each((2, 3), numbers=np.ones((2, 3))) for name in DRAWN.split()},
    "normal_both": each((2, 1), (3,), numbers=np.ones((2, 3))),
    **{name: each(np.array([0.3, -0.6, 0.9])) for name in ("asin", "acos", "atanh")},
    "acosh": each(np.array([1.3, 2.6])),
    "fmod": each((2, 3), P((3,))),
    "fmod_scalar": each((2, 3), other=0.7),
    "lerp": [s for weight in (0.3, 0.8) for s in each((2, 3), (2, 3), weight=weight)],
    "lerp_tensor": [*each((2, 3), (2, 3), (3,)), *each((), (2, 1), ())],
    "addcmul": [*each((2, 3), (2, 3), (3,)), *each((), (2, 1), (), value=0.5)],
    "addcdiv": [*each((2, 3), (2, 3), P((3,))), *each((), (2, 1), P(()), value=0.5)],
    "nan_to_num": each((2, 3)),
    "div": [*each((2, 3), P((2, 3))), *each((3,), P((2, 1)))],
    "remainder": each((2, 3), P((3,))),
    "div_rounded": [s for m in ("floor", "trunc") for s in each((2, 3), P((3,)), rounding_mode=m)],
    "remainder_scalar": each((2, 3), other=0.7),
    "remainder_of": each(np.array([2, 3]), number=7),
    **{name: each(np.array([-7, 5]), np.array([2, 3])) for name in ("floor_divide", "floor_divide_")},
    "pow_scalar": [s for e in (0, 1, 2, 3, -1.5) for s in each(P((2, 3)), exponent=e)],
    "pow": [*each(P((2, 3)), (2, 3)), *each(P((3,)), (2, 1))],
    "pow_base": [s for b in (2, 0.5) for s in each((2, 3), base=b)],
    "clamp": [*each((2, 3), min=-0.5), *each((2, 3), max=0.3), *each((2, 3), min=-0.5, max=0.3)],
    "clamp_min": each((2, 3), min=-0.5),
    "clamp_max": each((2, 3), max=0.3),
    "clamp_min_tensor": [*each((2, 3), np.array([-0.5, -2.0, 0.2])), *each((), (2, 1))],
    "clamp_max_tensor": [*each((2, 3), np.array([-0.5, -2.0, 0.2])), *each((), (2, 1))],
    "round_decimals": [s for d in (2, -1) for s in each((2, 3), decimals=d)],
    "clamp_tensor": each((2, 3), np.array([-0.5, -2.0, 0.2]), np.array([[0.4], [0.1]])),
    "where": [*each(yes, (2, 3), (2, 3)), *each(yes, (), (3,))],
    "masked_fill": each((2, 3), yes, value=7.0),
    "masked_fill_tensor": each((2, 3), yes, ()),
    "copy": [*each((2, 3), (2, 3)), *each((2, 3), (3,))],
    "fill": each((2, 3), value=2.0),
    "fill_tensor": each((2, 3), ()),
    "zero": each((2, 3)),
    "logical_and": each((2, 3), (2, 3)),
    "logical_or": each((2, 3), (2, 3)),
    "logical_xor": each((2, 3), (2, 3)),
    "logical_not": each((2, 3)),
    "bitwise_and": each(yes, yes),
    "bitwise_or": each(yes, yes),
    "bitwise_xor": each(yes, yes),
    "bitwise_not": each(yes),
    "bitwise_left_shift": each(vector, vector),
    "bitwise_right_shift": each(vector, vector),
    "leaky_relu": each((2, 3), negative_slope=0.1),
    "relu_slope": [(((2, 3), (2, 3)), {})],
    "leaky_relu_slope": [(((2, 3), (2, 3)), {"negative_slope": 0.1})],
    "hardtanh_slope": [(((2, 3), (2, 3)), {"min_val": -0.5, "max_val": 0.7})],
    "elu": [*each((2, 3), alpha=1.5), *each((2, 3), alpha=1.5, scale=1.2, input_scale=0.7)],
    "celu": each((2, 3), alpha=1.5, input_scale=1 / 1.5),
    "hardtanh": each((2, 3), min_val=-0.5, max_val=0.7),
    "softplus": [*each((2, 3)), *each((2, 3), beta=2.0, threshold=0.5)],
    **{name: [*each((2, 3)), *each(())] for name in ("sum", "mean", "max_all", "min_all")},
    **{
        name: [*each((2, 3), dim=(0,)), *each((2, 3, 2), dim=(0, 2), keepdim=True)]
        for name in ("sum_dim", "mean_dim", "amax", "amin", "logsumexp")
    },
    "var": [*each((4, 3), dim=(0,)), *each((4, 3), dim=(0, 1), correction=0, keepdim=True)],
    "std": [*each((4, 3), dim=(0,)), *each((4, 3), dim=(0, 1), correction=0, keepdim=True)],
    "vector_norm": [s for p in (0.0, 1.0, 2.0, 3.0, np.inf, -np.inf) for s in each((2, 3), ord=p, dim=(1,))],
    "cumsum": [*each((2, 3), dim=1), *each((), dim=0)],
    **{
        name: [*each(TALL, dim=0), *each(TALL, dim=1, keepdim=True)] for name in ("median_dim", "nanmedian_dim", "mode")
    },
    "median_all": each((5,), dim=0),
    "nanmedian_all": each((5,), dim=0),
    "kthvalue": [*each(TALL, k=2, dim=0), *each(TALL, k=1, dim=1, keepdim=True)],
    "cummax": [*each(TALL, dim=0), *each((), dim=0)],
    "cummin": [*each(TALL, dim=1), *each((), dim=0)],
    "cumprod": [*each((2, 3), dim=1), *each(np.array([[0.5, 0.0, 2.0], [0.0, 0.0, 3.0]]), dim=1), *each((), dim=0)],
    "prod": [*each((2, 3)), *each(np.array([[1.0, 0.0, 2.0]])), *each(np.array([0.0, 0.0, 3.0]))],
    "prod_dim": [*each((2, 3), dim=(1,)), *each(np.array([[1.0, 0.0], [2.0, 3.0]]), dim=(0,), keepdim=True)],
    "max_dim": [*each((2, 3), dim=1), *each((2, 3), dim=0, keepdim=True)],
    "min_dim": [*each((2, 3), dim=1), *each((2, 3), dim=0, keepdim=True)],
    **{name: [*each((2, 3), dim=1), *each((2, 3))] for name in ("argmax", "argmin", "any", "all")},
    "sort": [*each((2, 3), dim=1), *each((2, 3), dim=0, descending=True), *each((), dim=0)],
    "sort_stable": [*each((2, 3), dim=1), *each((2, 3), dim=0, descending=True)],
    "topk": [*each((2, 4), k=2, dim=1), *each((2, 4), k=1, dim=0, largest=False), *each((), k=1, dim=0)],
    "softmax": [*each((2, 3), dim=1), *each((), dim=0), *each((2, 0), dim=1)],
    "log_softmax": [*each((2, 3), dim=0), *each((), dim=0), *each((2, 0), dim=1)],
    **{name: each((2, 3), size=(3, 2)) for name in ("view", "reshape_alias")},
    "scale": each((2, 3), alpha=0.5),
    "alias": each((2, 3)),
    "reshape_to": each((2, 3), size=(6,)),
    **{name: each((2, 3)) for name in ("t", "t_")},
    **{name: [*each((2, 3, 4), dim0=0, dim1=2), *each((), dim0=0, dim1=0)] for name in ("transpose", "transpose_")},
    "permute": each((2, 3, 4), dims=(2, 0, 1)),
    **{name: each((2, 3), dim=1) for name in ("unsqueeze", "unsqueeze_")},
    **{name: each((2, 1, 3)) for name in ("squeeze", "squeeze_")},
    **{name: each((2, 1, 3), dim=(1,)) for name in ("squeeze_dim", "squeeze_dims", "squeeze_last", "squeeze_dims_")},
    "expand": [*each((2, 1), size=(3, 2, 4)), *each((), size=(2,))],
    "select": each((2, 3), dim=1, index=2),
    "select_backward": each((2,), size=(2, 3), dim=1, index=2),
    "slice_dim": each((2, 5), dim=1, start=1, stop=5, step=2),
    "slice_backward": each((2, 2), size=(2, 5), dim=1, start=1, stop=5, step=2),
    "unfold": [*each((2, 5), dim=1, width=3, step=2), *each((2, 3), dim=1, width=2, step=1)],
    "diagonal": [*each((3, 4), offset=1), *each((2, 3, 3), dim1=1, dim2=2, offset=-1)],
    "diagonal_backward": each((3,), size=(3, 4), offset=1, dim1=0, dim2=1),
    "unbind": each((2, 3), dim=1),
    "split": each((5, 2), sizes=(2, 2, 1), dim=0),
    "split_with_sizes": each((5, 2), sizes=(2, 3), dim=0),
    "stack": each((2, 3), (2, 3), dim=1),
    "cat": each((2, 3), (2, 1), dim=1),
    "clone": each((2, 3)),
    "contiguous": each((2, 3)),
    "to_copy": each((2, 3), dtype=np.dtype("float64")),
    "to_device": each((2, 3), device=device("cpu"), source=device("cpu")),
    "flip": each((2, 3), dims=(1,)),
    "roll": [*each((2, 3), shifts=(1,), dims=(1,)), *each((2, 3), shifts=2)],
    "repeat": each((2, 3), repeats=(2, 1, 3)),
    "tril": each((3, 3), diagonal=-1),
    "triu": each((3, 3), diagonal=1),
    "mm": each((2, 3), (3, 4)),
    "addmm": [*each((4,), (2, 3), (3, 4)), *each((2, 4), (2, 3), (3, 4), beta=0.5, alpha=2.0)],
    "bmm": each((2, 2, 3), (2, 3, 4)),
    "mv": each((2, 3), (3,)),
    "dot": each((3,), (3,)),
    "inv": [*each(SQUARE), *each(SQUARES)],
    "det": [*each(SQUARE), *each(SQUARES)],
    "solve": [*each(SQUARE, (2, 3)), *each(SQUARES, (2, 2, 1))],
    "cholesky": [
        *each(POSITIVE_DEFINITE),
        *each(np.stack([POSITIVE_DEFINITE, POSITIVE_DEFINITE * 2])),
        *each(POSITIVE_DEFINITE, upper=True),
    ],
    "solve_triangular": [*each(SQUARE, (2, 3)), *each(SQUARE, (2, 3), upper=True), *each(SQUARES, (2, 2, 1))],
    "linalg_svd": [
        *each(SQUARE),
        *each(SQUARES),
        *each(TALL),
        *each(TALL.T),
    ],
    "index": [*each((3, 2), indices=(index,)), *each((3, 2), indices=(slice(None), np.array([True, False])))],
    "index_backward": each((2, 2, 3), size=(3, 3), indices=(index,)),
    "index_put": [
        *each((3, 2), (2, 2), indices=(np.array([2, 0]),)),
        *each((3, 2), (3, 2), indices=(vector,), accumulate=True),
    ],
    **{name: each((3, 2), (2, 2), indices=(np.array([2, 0]),)) for name in ("scatter_put", "index_copy_put")},
    "masked_scatter_put": each((2, 3), (4,), indices=(yes,)),
    "take_index": each((4,), indices=(index,)),
    "scatter_amax": [*each((3, 2), index, (2, 2), dim=0), *each((), np.array(0), (), dim=0)],
    "scatter_amin": each((3, 2), index, (2, 2), dim=0),
    "masked_select": each((2, 3), yes),
    "masked_place": each((4,), yes),
    "gather": [*each((3, 2), index, dim=0), *each((), np.array([0, 0]), dim=0)],
    "gather_backward": each((2, 2), index, size=(3, 2), dim=0),
    "scatter_add": [*each((3, 2), index, (3, 2), dim=0), *each((), np.array(0), (), dim=0)],
    "index_select": [*each((2, 3), vector, dim=1), *each((), np.array([0]), dim=0)],
    "index_select_backward": [*each((2, 3), vector, size=(2, 4), dim=1), *each((), np.array([0]), size=(), dim=0)],
    "index_add": [
        *each((2, 3), vector, (2, 3), dim=1),
        *each((2, 3), vector, (2, 3), dim=1, alpha=2.0),
        *each((), np.array([0]), (), dim=0),
    ],
    "embedding": each((4, 2), index),
    "gelu": each((2, 3)),
    "transpose_back": each((2, 3, 4)),
    "mse_loss": [*[s for r in REDUCTIONS for s in each((2, 3), (2, 3), reduction=r)], *each((1,), (1,))],
    "smooth_l1_loss": [s for r in REDUCTIONS for s in each((2, 3), (2, 3), reduction=r, beta=0.7)],
    "huber_loss": [s for r in REDUCTIONS for s in each((2, 3), (2, 3), reduction=r, delta=0.7)],
    "binary_cross_entropy": each(np.array([0.2, 0.9]), np.array([0.3, 0.8])),
    "bce_with_logits": each((3,), np.array([0.3, 1.0, 0.0])),
    "nll_loss": [s for r in REDUCTIONS for s in each((2, 3), np.array([2, 0]), P((2,)), reduction=r)],
    "nll_loss2d": [s for r in REDUCTIONS for s in each((1, 3, 1, 2), np.array([[[2, 0]]]), P((1, 1, 2)), reduction=r)],
    "per_example": each((), examples=4),
    "batch_norm": each((4, 3), (3,), (3,), eps=1e-5),
    "frozen_batch_norm": each((4, 3), (3,), (3,), (3,), P((3,)), eps=1e-5),
    "layer_norm": each((2, 3), (3,), (3,), dim=(1,), eps=1e-5),
    "mkldnn_rnn_layer": [
        *each((3, 2, 3), (8, 3), (8, 2), (8,), (8,), (2, 2), (2, 2)),
        *each((2, 1, 1), (8, 1), (8, 2), (8,), (8,), (1, 2), (1, 2), reverse=True),
    ],
    "correlation": each((1, 4, 4, 5), (2, 2, 2, 3), windows=SLIDING, groups=2),
    "convolution": each((2, 1, 4, 5), (2, 1, 2, 3), (2,), windows=SLIDING),
    "correlation_image": each((1, 2, 2, 5), (2, 2, 2, 3), windows=SLIDING, groups=2),
    "correlation_weight": each((1, 2, 2, 5), (1, 4, 4, 5), windows=SLIDING, groups=2),
    "max_pool": each((1, 2, 4, 5), windows=SLIDING),
    "max_pool_spread": each((1, 1, 2, 5), np.arange(10).reshape(1, 1, 2, 5) % 6, windows=SLIDING),
    "max_pool_pick": each((1, 1, 4, 5), np.arange(10).reshape(1, 1, 2, 5) % 6, windows=SLIDING),
    "avg_pool": [
        *[s for m in (True, False) for s in each((1, 2, 4, 5), windows=SLIDING, margins=m)],
        *each((1, 1, 5), windows=SHORT),
    ],
    "avg_pool_spread": each((1, 2, 2, 5), windows=SLIDING),
    "correlation_transposed": each((1, 2, 2, 5), (2, 2, 2, 3), windows=SLIDING, groups=2),
    "conv_transposed": each((1, 2, 2, 5), (2, 2, 2, 3), (4,), windows=SLIDING, groups=2),
    "threshold": each((2, 3), threshold=0.1, value=2.0),
    "threshold_": each((2, 3), threshold=0.1, value=2.0),
    "threshold_slope": each((2, 3), (2, 3), threshold=0.1),
    **{name: each((2, 3), lambd=0.3) for name in ("hardshrink", "softshrink")},
    **{name: each((2, 3), (2, 3), lambd=0.3) for name in ("hardshrink_slope", "softshrink_slope")},
    **{name: each(np.array([-4.0, -1.3, 0.7, 2.2, 3.4])) for name in ("hardsigmoid", "hardswish", "mish")},
    **{name: each((5,), np.array([-4.0, -1.3, 0.7, 2.2, 3.4])) for name in ("hardsigmoid_slope", "hardswish_slope")},
    "glu": [*each((2, 4), dim=1), *each((2, 3, 2), dim=2)],
    "prelu": [*each((2, 3), (1, 3)), *each((2, 3), (2, 3))],
    "elu_": [*each((2, 3)), *each((2, 3), alpha=1.6, scale=1.05)],
    "celu_": each((2, 3), alpha=0.5, input_scale=2.0),
    "leaky_relu_": each((2, 3), negative_slope=0.1),
    **{name: each((2, 3), number=0.7) for name in ("add_number", "sub_number", "mul_number")},
    **{name: [*each((2, 3), (3,), alpha=0.7), *each((), (2, 1), alpha=2)] for name in ("add_scaled", "sub_scaled")},
    "xlogy": [*each((2, 3), P((2, 3))), *each(P(()), P((3,)))],
    **{name: each((1, 2, 3), by=RESIZED[name]) for name in RESIZED if "1d" in name and "spread" not in name},
    **{name: each((1, 2, 3, 4), by=RESIZED[name]) for name in RESIZED if "2d" in name and "spread" not in name},
    **{name: each((1, 2, 3, 4, 2), by=RESIZED[name]) for name in RESIZED if "3d" in name and "spread" not in name},
    **{name: each((1, 2, *RESIZED[name].out), by=RESIZED[name]) for name in RESIZED if "spread" in name},
    "adaptive_avg_pool": each((1, 2, 5, 4), size=(2, 3)),
    "adaptive_avg_pool_spread": each((1, 2, 2, 3), size=(5, 4)),
    "adaptive_max_pool": each((1, 2, 5, 4), size=(2, 3)),
    "pixel_shuffle": each((1, 8, 2, 3), factor=2),
    "pixel_unshuffle": each((1, 2, 4, 6), factor=2),
    "binary_cross_entropy_weighted": each(np.array([0.2, 0.9]), np.array([0.3, 0.8]), P((2,))),
    "bce_with_logits_weighted": [s for r in REDUCTIONS for s in each((3,), P((3,)), P((1,)), reduction=r)],
    "bce_with_logits_positive": [s for r in REDUCTIONS for s in each((3,), P((3,)), P((3,)), P((1,)), reduction=r)],
    "soft_margin_loss": [s for r in REDUCTIONS for s in each((3,), np.array([1.0, -1.0, 1.0]), reduction=r)],
    "group_norm": [*each((2, 4, 3), (4,), (4,), groups=2, eps=1e-5), *each((3, 4), (4,), (4,), groups=1, eps=0.1)],
    "cdist": [
        *[s for p in (2.0, 1.0, 1.5, 3.0, np.inf) for s in each((2, 3), (4, 3), p=p)],
        *each((2, 1, 2, 3), (1, 3, 3), p=2.0),
    ],
    "trilinear": each((3, 2), (4, 2, 3), (3, 3)),
    "safe_softmax": [*each((2, 3), dim=1), *each((), dim=0)],
    "attention": each((1, 2, 3, 2), (1, 2, 4, 2), (1, 2, 4, 2), scale=0.7),
    "attention_masked": each((1, 2, 3, 2), (1, 2, 4, 2), (1, 2, 4, 2), np.array([0.5, 0.0, -1.0, 0.3]), scale=0.7),
    "constant_pad": each((2, 3), margins=((1, -1), (0, 2)), value=3.0),
}

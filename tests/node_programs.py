"""Calls of layers and functions in all settings that choose another node, for test_node_graphs.py.

`GRAPHS[name]` is (function of torch and inputs, the inputs). An input is a size: random numbers that may require grad;
or a function of torch that makes a tensor. Each call is recorded with each of its inputs requiring grad, and alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

GRAPHS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {}


def graph(name: str, run: Callable[..., Any], *inputs: Any) -> None:
    assert name not in GRAPHS, name
    GRAPHS[name] = run, inputs


def described(options: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in options.items())


def functional(name: str, *inputs: Any, **options: Any) -> None:
    """`F.name` of these inputs."""
    sizes = ", ".join(str(i) if isinstance(i, tuple) else "·" for i in inputs)
    run = lambda t, *xs: getattr(t.nn.functional, name)(*xs, **options)  # noqa: E731
    text = f"F.{name}({', '.join(filter(None, (sizes, described(options))))})"
    while text in GRAPHS:  # the same settings with another kind of tensor
        text += "'"
    graph(text, run, *inputs)


def whole(*size: int, high: int) -> Callable[[Any], Any]:
    """Integers below `high`."""
    return lambda t: (t.arange(size[0] if size else 1) % high).reshape(size if size else ())


def chances(*size: int) -> Callable[[Any], Any]:
    """Numbers between 0 and 1 that require grad."""
    return lambda t: t.rand(*size).requires_grad_()


SIGNS = lambda t: t.tensor([1.0, -1.0, 1.0])  # noqa: E731
ROW, IMAGE, VOLUME = (2, 4, 6), (2, 4, 6, 5), (2, 4, 3, 4, 5)
SPACE = {1: ROW, 2: IMAGE}

# -- activations --------------------------------------------------------------------------------

PLAIN = "relu relu6 elu selu celu leaky_relu silu mish hardswish hardsigmoid hardtanh".split()
for name in [*PLAIN, "gelu", "softplus", "softsign", "tanhshrink", "hardshrink", "softshrink", "logsigmoid"]:
    functional(name, (2, 4))
    functional(name, ())
for name in ("tanh", "sigmoid", "softmax", "log_softmax", "softmin"):
    functional(name, (2, 4), **({"dim": 1} if "soft" in name else {}))
for name in PLAIN:
    # the input is no leaf: a leaf can't be changed in place
    graph(f"F.{name} in place", lambda t, x, n=name: getattr(t.nn.functional, n)(x * 1, inplace=True), (2, 4))
    graph(f"F.{name} of a view", lambda t, x, n=name: getattr(t.nn.functional, n)((x * 1)[0], inplace=True), (2, 4))
for name in ("relu_", "elu_", "leaky_relu_"):
    graph(f"F.{name}", lambda t, x, n=name: getattr(t.nn.functional, n)(x * 1), (2, 4))
functional("gelu", (2, 4), approximate="tanh")
functional("threshold", (2, 4), threshold=0.1, value=2.0)
graph("F.threshold in place", lambda t, x: t.nn.functional.threshold(x * 1, 0.1, 2.0, True), (2, 4))
for dim in (0, 1, -1):
    functional("glu", (2, 4), dim=dim)
functional("prelu", (2, 4), (1,))
functional("prelu", (2, 4), (4,))
functional("prelu", (2, 4), ())
functional("prelu", IMAGE, (4,))
functional("prelu", (3,), (1,))
functional("prelu", (), (1,))

# -- convolutions -------------------------------------------------------------------------------

for axes in (1, 2):
    image, kernel = SPACE[axes], (3,) * axes
    for options in ({}, {"groups": 2}, {"stride": 2, "padding": 1}, {"padding": "same"}, {"dilation": 2}):
        weight = (6, 4 // options.get("groups", 1), *kernel)
        functional(f"conv{axes}d", image, weight, (6,), **options)
        functional(f"conv{axes}d", image, weight, **options)
        if options.get("padding") != "same":
            turned = (4, 6 // options.get("groups", 1), *kernel)
            functional(f"conv_transpose{axes}d", image, turned, (6,), **options)
            functional(f"conv_transpose{axes}d", image, turned, **options)
    functional(f"conv{axes}d", image, (6, 4, *(2,) * axes), (6,), padding="same")
    functional(f"conv{axes}d", image, (6, 4, *(2,) * axes), padding="valid")
    functional(f"conv{axes}d", image[1:], (6, 4, *kernel), (6,))
    functional(f"conv_transpose{axes}d", image[1:], (4, 6, *kernel), (6,))

# -- pools --------------------------------------------------------------------------------------

for axes in (1, 2):
    for image in (SPACE[axes], SPACE[axes][1:]):
        for options in ({}, {"stride": 1}, {"padding": 1}, {"ceil_mode": True}):
            functional(f"max_pool{axes}d", image, kernel_size=2, **options)
            functional(f"avg_pool{axes}d", image, kernel_size=2, **options)
        functional(f"max_pool{axes}d", image, kernel_size=2, return_indices=True)
        functional(f"max_pool{axes}d", image, kernel_size=2, dilation=2)
        for size in (1, 2, 3, SPACE[axes][-1]):
            functional(f"adaptive_avg_pool{axes}d", image, output_size=size)
            functional(f"adaptive_max_pool{axes}d", image, output_size=size)
        functional(f"adaptive_max_pool{axes}d", image, output_size=2, return_indices=True)
functional("avg_pool2d", IMAGE, kernel_size=2, divisor_override=3)
functional("avg_pool2d", IMAGE, kernel_size=2, padding=1, count_include_pad=False)
for size in ((1, 1), (None, 1), (1, None), (None, None), (2, 3)):
    functional("adaptive_avg_pool2d", IMAGE, output_size=size)
    functional("adaptive_max_pool2d", IMAGE, output_size=size)

# -- sizes --------------------------------------------------------------------------------------

for options in ({"scale_factor": 2}, {"scale_factor": 2.0}, {"size": 7}, {"scale_factor": 0.5}):
    functional("interpolate", ROW, **options)
    functional("interpolate", IMAGE, **options)
    for corners in (None, True, False):
        functional("interpolate", ROW, mode="linear", align_corners=corners, **options)
        functional("interpolate", IMAGE, mode="bilinear", align_corners=corners, **options)
functional("interpolate", IMAGE, scale_factor=(1.5, 2.0))
functional("interpolate", IMAGE, scale_factor=1.5, recompute_scale_factor=True)
for image in (IMAGE, IMAGE[1:]):
    functional("pixel_shuffle", image, upscale_factor=2)
    functional("pixel_shuffle", image, upscale_factor=1)
for image in ((2, 4, 6, 4), (4, 6, 4)):
    functional("pixel_unshuffle", image, downscale_factor=2)
for axes in (1, 2):
    for mode in ("reflect", "replicate", "circular"):
        for pads in ((1, 2), (0, 0), (2, 0)):
            functional("pad", SPACE[axes], pad=pads * axes, mode=mode)
            functional("pad", SPACE[axes][1:], pad=pads * axes, mode=mode)
    functional("pad", SPACE[axes], pad=(1, -1) * axes, mode="replicate")
    functional("pad", SPACE[axes], pad=(1, -1) * axes, mode="circular")
    for pads in ((1, 1), (0, 0), (1, -1)):
        functional("pad", SPACE[axes], pad=pads * axes)
        functional("pad", SPACE[axes], pad=pads * axes, value=2.0)

# -- norms --------------------------------------------------------------------------------------

for size in ((3, 4), ROW, IMAGE):
    for training in (True, False):
        for affine in ((), ((4,),), ((4,), (4,))):
            for tracking in (True, False) if training else (True,):

                def batch(t: Any, x: Any, *affine: Any, training: Any = training, tracking: Any = tracking) -> Any:
                    running = (t.zeros(4), t.ones(4)) if tracking else (None, None)
                    return t.nn.functional.batch_norm(x, *running, *affine, training=training)

                what = f"{size}, affine {len(affine)}, training={training}, tracking={tracking}"
                graph(f"F.batch_norm({what})", batch, size, *affine)
for size in ((3, 4), ROW, IMAGE):
    for affine in ((), ((4,),), ((4,), (4,))):
        graph(
            f"F.group_norm({size}, affine {len(affine)})",
            lambda t, x, *affine: t.nn.functional.group_norm(x, 2, *affine),
            size,
            *affine,
        )
        if len(size) > 2:
            functional("instance_norm", size) if not affine else graph(
                f"F.instance_norm({size}, affine {len(affine)})",
                lambda t, x, *affine: t.nn.functional.instance_norm(x, None, None, *affine),
                size,
                *affine,
            )
for n in (1, 2):
    last = IMAGE[-n:]
    for affine in ((), (last,), (last, last)):
        graph(
            f"F.layer_norm(last {n}, affine {len(affine)})",
            lambda t, x, *affine, last=last: t.nn.functional.layer_norm(x, last, *affine),
            IMAGE,
            *affine,
        )
        if len(affine) < 2:
            graph(
                f"F.rms_norm(last {n}, affine {len(affine)})",
                lambda t, x, *affine, last=last: t.nn.functional.rms_norm(x, last, *affine),
                IMAGE,
                *affine,
            )
functional("rms_norm", (3, 4), normalized_shape=(4,), eps=0.1)
for p in (2.0, 1.0, 3.0):
    functional("normalize", (3, 4), p=p)
functional("normalize", ROW, dim=-1)

# -- linear, lookup, dropout --------------------------------------------------------------------

for size in ((4,), (3, 4), (2, 3, 4), (2, 2, 3, 4)):
    functional("linear", size, (5, 4), (5,))
    functional("linear", size, (5, 4))
functional("linear", (3, 4), (4,))
graph(
    "F.linear of a turned input",
    lambda t, x, w, b: t.nn.functional.linear(x.transpose(0, 1), w, b),
    (2, 3, 4),
    (5, 4),
    (5,),
)
functional("bilinear", (3, 2), (3, 4), (5, 2, 4), (5,))
functional("bilinear", (3, 2), (3, 4), (5, 2, 4))
functional("bilinear", (2, 3, 2), (2, 3, 4), (5, 2, 4), (5,))
functional("bilinear", (2,), (4,), (5, 2, 4), (5,))
functional("embedding", whole(3, high=3), (5, 2))
functional("embedding", whole(3, high=3), (5, 2), padding_idx=1)
functional("embedding", whole(3, high=3), (5, 2), max_norm=100.0)
functional("one_hot", whole(3, high=3))
for name, size in (("dropout", (3, 4)), ("dropout1d", ROW), ("dropout1d", ROW[1:]), ("dropout2d", IMAGE)):
    for p, training in ((0.5, True), (0.0, True), (1.0, True), (0.5, False)):
        functional(name, size, p=p, training=training)
        graph(
            f"F.{name}({size}) in place, p={p}, training={training}",
            lambda t, x, n=name, p=p, on=training: getattr(t.nn.functional, n)(x * 1, p, on, True),
            size,
        )
for options in ({}, {"is_causal": True}, {"scale": 0.5}):
    functional("scaled_dot_product_attention", (2, 3, 5, 4), (2, 3, 5, 4), (2, 3, 5, 4), **options)
functional("scaled_dot_product_attention", (5, 4), (5, 4), (5, 4))
functional("scaled_dot_product_attention", (2, 3, 5, 4), (2, 3, 5, 4), (2, 3, 5, 4), (5, 5))
functional("scaled_dot_product_attention", (2, 3, 5, 4), (2, 3, 5, 4), (2, 3, 5, 4), lambda t: t.ones(5, 5).tril() > 0)
functional("scaled_dot_product_attention", (2, 3, 5, 4), (2, 3, 5, 4), (2, 3, 5, 4), dropout_p=0.5)

# -- losses -------------------------------------------------------------------------------------

for reduction in ("mean", "sum", "none"):
    one = {"reduction": reduction}
    for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "soft_margin_loss", "kl_div"):
        functional(name, (3, 4), (3, 4), **one)
    for name in ("mse_loss", "l1_loss", "huber_loss"):
        graph(
            f"F.{name} weighted, {reduction}",
            lambda t, x, y, w, n=name, o=one: getattr(t.nn.functional, n)(x, y, weight=w, **o),
            *((3, 4), (3, 4), lambda t: t.rand(3, 4)),
        )
    functional("mse_loss", (3, 4), (4,), **one)
    functional("smooth_l1_loss", (3, 4), (3, 4), beta=0.0, **one)
    functional("kl_div", (3, 4), (3, 4), log_target=True, **one)
    functional("kl_div", (3, 4), lambda t: t.rand(3, 4), **one)
    functional("binary_cross_entropy", chances(3, 4), chances(3, 4), **one)
    functional("binary_cross_entropy", chances(3, 4), chances(3, 4), lambda t: t.rand(3, 4), **one)
    functional("binary_cross_entropy_with_logits", (3, 4), chances(3, 4), **one)
    for weight, positive in ((True, False), (False, True), (True, True)):

        def logits(t: Any, x: Any, y: Any, w: Any, o: Any = one, a: bool = weight, b: bool = positive) -> Any:
            call = t.nn.functional.binary_cross_entropy_with_logits
            return call(x, y, weight=w if a else None, pos_weight=w if b else None, **o)

        graph(
            f"F.binary_cross_entropy_with_logits(weight {weight}, pos_weight {positive}, {reduction})",
            logits,
            *((3, 4), chances(3, 4), lambda t: t.rand(3, 4)),
        )
    for name in ("nll_loss", "cross_entropy"):
        for size in ((3, 4), ROW, IMAGE, VOLUME, (4,)):
            places = (size[0], *size[2:]) if len(size) > 1 else ()
            target = lambda t, s=places: t.zeros(s, dtype=t.int64) + 1  # noqa: E731
            functional(name, size, target, **one)
            functional(name, size, target, lambda t: t.rand(4), **one)
            functional(name, size, target, ignore_index=0, **one)
            if name == "cross_entropy":
                functional(name, size, target, label_smoothing=0.1, **one)
                functional(name, size, target, lambda t: t.rand(4), label_smoothing=0.1, **one)
                functional(name, size, lambda t, s=size: t.rand(s), label_smoothing=0.1, **one)
                functional(name, size, lambda t, s=size: t.rand(s).requires_grad_(), **one)
                functional(name, size, lambda t, s=size: t.rand(s), lambda t: t.rand(4), **one)
    for options in ({}, {"log_input": False}, {"full": True}):
        functional("poisson_nll_loss", chances(3, 4), chances(3, 4), **options, **one)
    for full in (False, True):
        functional("gaussian_nll_loss", (3, 4), (3, 4), chances(3, 4), full=full, **one)
        functional("gaussian_nll_loss", (3, 4), (3, 4), chances(3), full=full, **one)
    functional("cosine_embedding_loss", (3, 4), (3, 4), SIGNS, **one)
    functional("cosine_embedding_loss", (3, 4), (3, 4), SIGNS, margin=0.5, **one)
    functional("margin_ranking_loss", (3,), (3,), SIGNS, **one)
    functional("margin_ranking_loss", (3,), (3,), SIGNS, margin=0.5, **one)
    functional("hinge_embedding_loss", (3,), SIGNS, **one)
    functional("triplet_margin_loss", (3, 4), (3, 4), (3, 4), **one)
    functional("triplet_margin_loss", (3, 4), (3, 4), (3, 4), swap=True, p=1.0, **one)
    functional("multilabel_soft_margin_loss", (3, 4), lambda t: t.ones(3, 4), **one)
    functional("multilabel_soft_margin_loss", (3, 4), lambda t: t.ones(3, 4), lambda t: t.rand(4), **one)
functional("kl_div", (3, 4), (3, 4), reduction="batchmean")
for dim in (0, 1):
    functional("cosine_similarity", (3, 4), (3, 4), dim=dim)
functional("cosine_similarity", (3, 4), (4,))
for options in ({}, {"p": 1.0}, {"keepdim": True}):
    functional("pairwise_distance", (3, 4), (3, 4), **options)

# -- layers that are more than their function ---------------------------------------------------


def module(name: str, make: Callable[[Any], Any], *inputs: Any) -> None:
    """A layer, in training and at rest; its parameters require grad."""
    for mode in (True, False):
        graph(f"{name}, {'training' if mode else 'at rest'}", lambda t, *xs, m=mode: make(t).train(m)(*xs), *inputs)


for axes, image in SPACE.items():
    for mode in ("zeros", "reflect", "replicate", "circular"):
        module(
            f"Conv{axes}d {mode}",
            lambda t, a=axes, m=mode: getattr(t.nn, f"Conv{a}d")(4, 2, 3, padding=1, padding_mode=m),
            image,
        )
    module(f"Conv{axes}d without bias", lambda t, a=axes: getattr(t.nn, f"Conv{a}d")(4, 2, 3, bias=False), image)
    module(f"ConvTranspose{axes}d", lambda t, a=axes: getattr(t.nn, f"ConvTranspose{a}d")(4, 2, 3, 2), image)
    module(f"LazyConv{axes}d", lambda t, a=axes: getattr(t.nn, f"LazyConv{a}d")(2, 3), image)
    for options in ({}, {"affine": True}, {"track_running_stats": True}, {"affine": True, "track_running_stats": True}):
        module(
            f"InstanceNorm{axes}d {options}",
            lambda t, a=axes, o=options: getattr(t.nn, f"InstanceNorm{a}d")(4, **o),
            image,
        )
        module(
            f"InstanceNorm{axes}d {options} of one example",
            lambda t, a=axes, o=options: getattr(t.nn, f"InstanceNorm{a}d")(4, **o),
            image[1:],
        )
    for options in ({}, {"affine": False}, {"track_running_stats": False}, {"bias": False}):
        module(
            f"BatchNorm{axes}d {options}",
            lambda t, a=axes, o=options: getattr(t.nn, f"BatchNorm{a}d")(4, **o),
            image,
        )
for make in (
    "GroupNorm(2, 4)",
    "GroupNorm(2, 4, affine=False)",
    "GroupNorm(2, 4, bias=False)",
    "LayerNorm((6, 5))",
    "LayerNorm(5, bias=False)",
    "LayerNorm(5, elementwise_affine=False)",
    "RMSNorm(5)",
    "RMSNorm(5, elementwise_affine=False)",
    "PReLU()",
    "PReLU(4)",
    "Softmax2d()",
    "Flatten()",
    "Flatten(0)",
    "Unflatten(1, (2, 2))",
    "Identity()",
    "ZeroPad2d(1)",
    "ConstantPad2d(1, 2.0)",
    "ReflectionPad2d(1)",
    "ReplicationPad2d(1)",
    "Upsample(scale_factor=2)",
    "UpsamplingNearest2d(scale_factor=2)",
    "UpsamplingBilinear2d(scale_factor=2)",
    "Dropout(0.5)",
    "Dropout2d(0.5)",
    "PixelShuffle(2)",
    "LazyLinear(2)",
    "Linear(5, 2)",
    "Linear(5, 2, bias=False)",
    "GLU(1)",
):
    module(make, lambda t, text=make: eval(f"t.nn.{text}", {"t": t}), IMAGE)
for make in ("ZeroPad1d(1)", "ConstantPad1d(1, 2.0)", "ReflectionPad1d(1)", "ReplicationPad1d(1)", "Dropout1d(0.5)"):
    module(make, lambda t, text=make: eval(f"t.nn.{text}", {"t": t}), ROW)
module("Embedding", lambda t: t.nn.Embedding(5, 2), whole(3, high=3))
module("Bilinear", lambda t: t.nn.Bilinear(2, 3, 4), (5, 2), (5, 3))


def without_grad(t: Any) -> list[Any]:
    """Layers under no_grad, and with frozen parameters: no node."""
    with t.no_grad():
        under = t.nn.GroupNorm(2, 4)(t.randn(2, 4, 3))
    frozen = t.nn.ConvTranspose2d(1, 1, 2).requires_grad_(False)
    return [under, frozen(t.randn(1, 1, 3, 3)), t.nn.Mish()(t.randn(2))]


graph("no grad", without_grad)

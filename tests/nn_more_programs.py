"""More layers, losses and what modules keep, as programs (nn_programs.py).

Importing this file adds them to `PROGRAMS`. Read next: nn_wrong_programs.py.
"""

from __future__ import annotations

import copy
import itertools
import zlib
from typing import Any

from nn_programs import layer, program

# -- layers -------------------------------------------------------------------------------------


def table(rows: dict[str, list[tuple[Any, ...]]], *inputs: Any) -> None:
    """Layers by name, each with several sets of arguments (the last may be a dict), on the same inputs."""
    for name, settings in rows.items():
        for args in settings:
            options = args[-1] if args and isinstance(args[-1], dict) else {}
            args = args[:-1] if options else args
            text = ", ".join([*map(repr, args), *(f"{k}={v!r}" for k, v in options.items())])
            make = lambda t, n=name, a=args, o=options: getattr(t.nn, n)(*a, **o)  # noqa: E731
            layer(f"{name}({text})", make, *inputs)


ONCE: list[tuple[Any, ...]] = [()]
table(
    {
        **dict.fromkeys(("SELU", "ReLU6", "Hardsigmoid", "Hardswish", "Mish", "Tanhshrink"), ONCE),
        **{"CELU": [(), (0.5,)], "Hardshrink": [(), (0.1,)], "Softshrink": [(), (0.1,)], "Threshold": [(0.1, 20.0)]},
        **{"GLU": [(), (0,)], "PReLU": [(), (4,), (1, 0.1)], "Softmin": [(1,), (0,)], "Unflatten": [(1, (2, 2))]},
        **{"RMSNorm": [(4,), ((2, 4), 1e-3, {"elementwise_affine": False})]},
    },
    (2, 4),
)
table({"Softmax2d": ONCE, "PixelShuffle": [(2,)], "Dropout2d": [(), (0.3, True)]}, (2, 4, 2, 3))
table(
    {"PixelUnshuffle": [(2,)], "InstanceNorm2d": [(2,), (2, {"affine": True, "track_running_stats": True})]},
    (2, 2, 4, 2),
)
table({"Dropout1d": [(), (0.3,)], "InstanceNorm1d": [(3,), (3, {"affine": True, "momentum": 0.3})]}, (2, 3, 4))
table({"GroupNorm": [(2, 4), (4, 4, 0.1), (1, 4, {"affine": False}), (2, 4, {"bias": False})]}, (2, 4, 3))
table({"BatchNorm1d": [(3, {"bias": False}), (3, 1e-5, 0.1, True, True, None, None)]}, (4, 3))
layer("Dropout2d at rest", lambda t: t.nn.Dropout2d().eval(), (1, 2, 2, 2))
layer("Bilinear", lambda t: t.nn.Bilinear(2, 3, 4), (5, 2), (5, 3))
layer("Bilinear without bias", lambda t: t.nn.Bilinear(2, 3, 1, bias=False), (2, 5, 2), (2, 5, 3))
for options in (
    {},
    {"stride": 2, "padding": 1},
    {"stride": 3, "output_padding": 2, "bias": False},
    {"groups": 2, "dilation": 2},
):
    layer(f"ConvTranspose1d {options}", lambda t, o=options: t.nn.ConvTranspose1d(4, 2, 3, **o), (2, 4, 5))
    layer(f"ConvTranspose2d {options}", lambda t, o=options: t.nn.ConvTranspose2d(4, 6, (3, 2), **o), (1, 4, 3, 4))
layer("ConvTranspose2d of one image", lambda t: t.nn.ConvTranspose2d(1, 1, 2), (1, 3, 3))
for mode in ("reflect", "replicate", "circular"):
    layer(f"Conv1d {mode}", lambda t, m=mode: t.nn.Conv1d(1, 2, 3, padding=1, padding_mode=m), (2, 1, 4))
    layer(f"Conv2d {mode}", lambda t, m=mode: t.nn.Conv2d(1, 1, (3, 2), padding="same", padding_mode=m), (1, 3, 4))
for name, args in (("ConstantPad", (2, 1.5)), ("ZeroPad", (1,)), ("ReflectionPad", (2,)), ("ReplicationPad", (2,))):
    layer(f"{name}1d", lambda t, n=name, a=args: getattr(t.nn, n + "1d")(*a), (1, 2, 4))
    layer(f"{name}1d of two sizes", lambda t, n=name, a=args: getattr(t.nn, n + "1d")((1, 0), *a[1:]), (2, 4))
    layer(f"{name}2d", lambda t, n=name, a=args: getattr(t.nn, n + "2d")((1, 0, 2, 1), *a[1:]), (1, 1, 3, 3))
for size in (1, 3, 4, 7):
    layer(f"AdaptiveAvgPool1d {size}", lambda t, s=size: t.nn.AdaptiveAvgPool1d(s), (1, 2, 7))
    layer(f"AdaptiveMaxPool1d {size}", lambda t, s=size: t.nn.AdaptiveMaxPool1d(s), (2, 7))
for size in (1, 2, (3, 2), (None, 4), (5, None)):
    layer(f"AdaptiveAvgPool2d {size}", lambda t, s=size: t.nn.AdaptiveAvgPool2d(s), (1, 2, 5, 4))
    layer(f"AdaptiveMaxPool2d {size}", lambda t, s=size: t.nn.AdaptiveMaxPool2d(s), (1, 2, 5, 4))
layer("AvgPool2d divided otherwise", lambda t: t.nn.AvgPool2d(2, 1, 1, divisor_override=3), (2, 2, 3, 3))
for options in (
    {"scale_factor": 2},
    {"size": (5, 3)},
    {"scale_factor": 2, "mode": "bilinear"},
    {"size": 5, "mode": "bilinear", "align_corners": True},
    {"scale_factor": (1.5, 0.7), "mode": "bilinear", "align_corners": False},
    {"scale_factor": (1.5, 0.7)},
):
    layer(f"Upsample {options}", lambda t, o=options: t.nn.Upsample(**o), (1, 2, 3, 4))
layer("Upsample of rows", lambda t: t.nn.Upsample(scale_factor=3, mode="linear"), (1, 2, 3))
layer("LazyConv1d", lambda t: t.nn.LazyConv1d(2, 2), (2, 3, 4))
layer("UpsamplingNearest2d", lambda t: t.nn.UpsamplingNearest2d(scale_factor=2), (1, 1, 2, 2))
layer("UpsamplingBilinear2d", lambda t: t.nn.UpsamplingBilinear2d(size=3), (1, 1, 2, 2))


def indices(torch: Any) -> Any:
    """Where the pools found their largest numbers."""
    torch.manual_seed(0)
    F, image = torch.nn.functional, torch.randn(2, 2, 5, 4)
    out = [F.max_pool2d(image, 2, return_indices=True), torch.nn.MaxPool2d(3, 1, 1, return_indices=True)(image)]
    out += [F.max_pool2d(image[0], (2, 1), 2, dilation=2, ceil_mode=True, return_indices=True)]
    out += [
        F.max_pool1d(image[0], 2, return_indices=True),
        F.max_pool1d(image[0, 0].repeat(1, 2), 3, 2, 1, 1, True, True),
    ]
    out += [F.adaptive_max_pool2d(image, (2, 3), return_indices=True), F.adaptive_max_pool1d(image[0], 3, True)]
    ties = torch.ones(1, 4, 4)
    return out, [F.max_pool2d(ties, 2, return_indices=True), F.adaptive_max_pool2d(ties, 3, return_indices=True)]


program("indices of pools", indices)


def embeddings(torch: Any) -> Any:
    nn, index = torch.nn, torch.tensor([[0, 2], [1, 2]])
    rows = torch.tensor([[3.0, 4.0], [0.3, 0.4], [-6.0, 8.0]])
    fixed, free = nn.Embedding.from_pretrained(rows), nn.Embedding.from_pretrained(rows.clone(), False, padding_idx=-1)
    short = nn.Embedding.from_pretrained(rows.clone(), freeze=False, max_norm=1.0)
    out = [repr(fixed), repr(free), repr(short), fixed.weight.requires_grad, fixed(index), free(index), short(index)]
    (free(index).sum() + (short(index) ** 2).sum()).backward()
    return out, free.weight.grad, short.weight.grad, short.weight, fixed.weight.data_ptr() == rows.data_ptr()


program("embeddings of given rows", embeddings)

# -- losses -------------------------------------------------------------------------------------

PAIR = ((3, 4), lambda t: t.rand(3, 4))
SIGNS = lambda t: t.tensor([1.0, -1.0, 1.0])  # noqa: E731
REDUCTIONS: list[tuple[Any, ...]] = [(), ({"reduction": "sum"},), ({"reduction": "none"},)]
table(
    {
        **{
            "HuberLoss": [*REDUCTIONS, ({"delta": 0.3},)],
            "SoftMarginLoss": REDUCTIONS,
            "SmoothL1Loss": [({"beta": 0.0},)],
        },
        **{"MultiLabelSoftMarginLoss": [*REDUCTIONS], "PoissonNLLLoss": [*REDUCTIONS, ({"full": True},)]},
        **{"KLDivLoss": [*REDUCTIONS, ({"reduction": "batchmean"},), ({"reduction": "sum", "log_target": True},)]},
    },
    *PAIR,
)
table({"PoissonNLLLoss": [({"log_input": False},)]}, lambda t: t.rand(3, 4).requires_grad_(), lambda t: t.rand(3, 4))
table({"PoissonNLLLoss": [(True, True)]}, (4,), lambda t: t.tensor([0.0, 1.0, 2.0, 7.0]))
table({"KLDivLoss": [(None, None, "sum")]}, (4,), lambda t: t.tensor([0.0, 0.5, 0.5, 0.0]))
table({"GaussianNLLLoss": [*REDUCTIONS, ({"full": True, "eps": 0.5},)]}, *PAIR, lambda t: t.rand(3, 4))
table({"GaussianNLLLoss": [({"full": False},)]}, *PAIR, lambda t: t.ones(3))
table({"CosineEmbeddingLoss": [*REDUCTIONS, (0.5,)]}, (3, 4), (3, 4), SIGNS)
table({"MarginRankingLoss": [*REDUCTIONS, (0.5,)]}, (3,), (3,), SIGNS)
table({"HingeEmbeddingLoss": [*REDUCTIONS, (0.5,)]}, (3,), SIGNS)
table({"TripletMarginLoss": [*REDUCTIONS, (0.5, {"swap": True}), ({"p": 1.0},)]}, (3, 4), (3, 4), (3, 4))
table({"CosineSimilarity": [(), (0,)], "PairwiseDistance": [(), (1.0,), ({"keepdim": True},)]}, (3, 4), (3, 4))


def reductions_of_old(torch: Any) -> Any:
    """size_average and reduce: what every loss makes of them."""
    nn, F, out = torch.nn, torch.nn.functional, {}
    torch.manual_seed(0)
    x, y, classes = torch.rand(2, 3), torch.rand(2, 3), torch.tensor([0, 2])
    for average, reduces in itertools.product((None, True, False), repeat=2):
        options, said = {"size_average": average, "reduce": reduces}, []
        for (
            name
        ) in "MSELoss L1Loss SmoothL1Loss BCELoss BCEWithLogitsLoss KLDivLoss PoissonNLLLoss SoftMarginLoss".split():
            loss = getattr(nn, name)(**options)
            said += [loss.reduction, loss(x, y)]
        said += [loss(x, classes) for loss in (nn.CrossEntropyLoss(**options), nn.NLLLoss(**options))]
        said += [f(x, y, **options) for f in (F.mse_loss, F.l1_loss, F.smooth_l1_loss, F.binary_cross_entropy)]
        said += [F.cross_entropy(x, classes, None, average, -100, reduces), F.nll_loss(x, classes, **options)]
        out[f"{average} {reduces}"] = said
    return out


program("size_average and reduce", reductions_of_old)


def weighted(torch: Any) -> Any:
    """A weight for each element."""
    F, out = torch.nn.functional, []
    x, y, w = torch.tensor([1.0, 3.0], requires_grad=True), torch.tensor([1.5, 1.0]), torch.tensor([1.0, 3.0])
    for f, reduction in itertools.product((F.mse_loss, F.l1_loss, F.huber_loss), ("mean", "sum", "none")):
        loss = f(x, y, reduction=reduction, weight=w)
        out += [loss, torch.autograd.grad(loss.sum(), x)]
    return out


program("weighted losses", weighted)

# -- nothing at all -----------------------------------------------------------------------------


def empties(name: str, make: Any, *sizes: tuple[int, ...]) -> None:
    """A layer on inputs some of whose sizes are 0, each by itself: its output and gradients, or its error."""

    def run(torch: Any) -> Any:
        torch.manual_seed(0)
        module = make(torch)
        outputs = module(*[torch.zeros(size, requires_grad=True) for size in sizes])
        outputs = [out for out in (outputs if isinstance(outputs, tuple) else (outputs,)) if hasattr(out, "sum")]
        sum(out.sum() for out in outputs).backward()
        return outputs, [param.grad for param in module.parameters()], list(module.buffers())

    program(f"empty {name} {sizes}", run)


for sizes in ((0, 3), (2, 0, 3), (0,)):
    empties("Linear", lambda t: t.nn.Linear(3, 2), sizes)
empties("Linear of no features", lambda t: t.nn.Linear(0, 2), (4, 0))
empties("Linear to no features", lambda t: t.nn.Linear(2, 0), (4, 2))
for size in ((0, 2, 5), (1, 0, 5), (1, 2, 0)):
    empties("Conv1d", lambda t: t.nn.Conv1d(2, 3, 2), size)
    empties("Conv1d padded", lambda t: t.nn.Conv1d(2, 3, 2, padding=1), size)
for size in ((0, 2, 4, 4), (1, 2, 0, 4), (1, 0, 4, 4)):
    for name in ("MaxPool2d", "AvgPool2d"):
        empties(name, lambda t, n=name: getattr(t.nn, n)(2), size)
    if size[1]:
        empties("AdaptiveAvgPool2d", lambda t: t.nn.AdaptiveAvgPool2d(2), size)
    empties("Conv2d", lambda t: t.nn.Conv2d(2, 3, 2), size)
for kind in ("RNN", "LSTM", "GRU"):
    for size in ((3, 0, 2), (0, 1, 2), (0, 2)):
        empties(kind, lambda t, k=kind: getattr(t.nn, k)(2, 4), size)
    empties(f"{kind}Cell", lambda t, k=kind: getattr(t.nn, k + "Cell")(2, 4), (0, 2))
    empties(f"{kind}Cell of hidden size 0", lambda t, k=kind: getattr(t.nn, k + "Cell")(2, 0), (3, 2))
    empties(f"{kind} of hidden size 0", lambda t, k=kind: getattr(t.nn, k)(2, 0), (3, 1, 2))
    empties(f"{kind} of input size 0", lambda t, k=kind: getattr(t.nn, k)(0, 2), (3, 1, 0))
for size in ((0, 3), (0, 3, 2), (2, 3, 0)):
    empties("BatchNorm1d", lambda t: t.nn.BatchNorm1d(3), size)
    empties("BatchNorm1d at rest", lambda t: t.nn.BatchNorm1d(3).eval(), size)
    if size[2:] != (0,):  # whose bias has a gradient of nan in PyTorch, and none of us knows why
        empties("GroupNorm", lambda t: t.nn.GroupNorm(3, 3), size)
    empties("InstanceNorm1d", lambda t: t.nn.InstanceNorm1d(3), size)
empties("LayerNorm", lambda t: t.nn.LayerNorm(3), (0, 3))
empties("LayerNorm of nothing", lambda t: t.nn.LayerNorm(0), (2, 0))
for name in ("ReLU", "Tanh", "GELU", "Softplus", "PReLU", "Dropout", "Flatten", "ELU", "LogSigmoid", "Hardswish"):
    empties(name, lambda t, n=name: getattr(t.nn, n)(), (0, 2))
for name in ("Softmax", "LogSoftmax"):
    for size in ((0, 2), (2, 0)):
        empties(name, lambda t, n=name: getattr(t.nn, n)(1), size)
for name in ("MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "BCEWithLogitsLoss", "BCELoss", "KLDivLoss"):
    for reduction in ("mean", "sum", "none"):
        empties(f"{name} {reduction}", lambda t, n=name, r=reduction: getattr(t.nn, n)(reduction=r), (0, 2), (0, 2))


def no_examples(torch: Any) -> Any:
    out: list[Any] = []
    for loss, size in itertools.product((torch.nn.CrossEntropyLoss, torch.nn.NLLLoss), ((0, 3), (0, 3, 2), (2, 3, 0))):
        for reduction in ("mean", "sum", "none"):
            scores = torch.zeros(size, requires_grad=True)
            result = loss(reduction=reduction)(scores, torch.zeros((size[0], *size[2:]), dtype=torch.int64))
            result.sum().backward()
            out += [result, scores.grad]
    embedding = torch.nn.Embedding(3, 2)
    found = embedding(torch.zeros(0, dtype=torch.int64))
    found.sum().backward()
    return out, found, embedding.weight.grad, repr(torch.nn.Embedding(0, 2)), torch.nn.Embedding(2, 0).weight


program("losses of no examples", no_examples)

# -- what a module keeps ------------------------------------------------------------------------


def part(torch: Any) -> Any:
    """A module of a class whose name is the same everywhere."""
    return type("Part", (torch.nn.Module,), {"__module__": "net"})()


ACTIONS: dict[str, Any] = {
    "parameter": lambda t, m: setattr(m, "x", t.nn.Parameter(t.ones(2))),
    "tensor": lambda t, m: setattr(m, "x", t.zeros(1)),
    "module": lambda t, m: setattr(m, "x", part(t)),
    "None": lambda t, m: setattr(m, "x", None),
    "number": lambda t, m: setattr(m, "x", 3),
    "delete": lambda t, m: delattr(m, "x"),
    "register_buffer": lambda t, m: m.register_buffer("x", t.ones(1)),
    "register_buffer, not persistent": lambda t, m: m.register_buffer("x", t.ones(1), persistent=False),
    "register_buffer of None": lambda t, m: m.register_buffer("x", None),
    "register_parameter": lambda t, m: m.register_parameter("x", t.nn.Parameter(t.ones(1))),
    "register_parameter of None": lambda t, m: m.register_parameter("x", None),
    "register_parameter of a tensor": lambda t, m: m.register_parameter("x", t.ones(1)),
    "add_module": lambda t, m: m.add_module("x", part(t)),
    "add_module of None": lambda t, m: m.add_module("x", None),
    "pop": lambda t, m: m._parameters.pop("x"),
}


def kept(torch: Any, module: Any) -> str:
    """Where `x` is, and what it is."""
    places = [name for name, owned in vars(module).items() if isinstance(owned, dict | set) and "x" in owned]
    found = type(getattr(module, "x", "")).__name__
    counts = [len(list(f())) for f in (module.parameters, module.buffers, module.children, module.state_dict)]
    return f"{' '.join(places)} {'own' if 'x' in vars(module) else ''} {found} {counts}"


def act(torch: Any, module: Any, action: str) -> str:
    try:
        ACTIONS[action](torch, module)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return kept(torch, module)


def attributes(torch: Any, first: str) -> Any:
    """After one action and another: what is kept, and of a third one, of every kind, a digest."""
    out = {}
    for second in ACTIONS:
        module = torch.nn.Module()
        act(torch, module, first)
        said = act(torch, module, second)
        thirds = []
        for third in ACTIONS:
            module = torch.nn.Module()
            act(torch, module, first)
            act(torch, module, second)
            thirds.append(act(torch, module, third))
        out[second] = f"{said} | {zlib.crc32(repr(thirds).encode()):x}"
    return out


for first in ACTIONS:
    program(f"attributes after {first}", lambda t, first=first: attributes(t, first))


def names_refused(torch: Any) -> Any:
    """Names that can't be, for each of the three."""
    out = []
    for name in ("a.b", "", "forward", 3, "training"):
        for register, value in (
            ("register_parameter", torch.nn.Parameter(torch.ones(1))),
            ("register_buffer", torch.ones(1)),
            ("add_module", torch.nn.ReLU()),
        ):
            for module in (torch.nn.Module(), torch.nn.Module.__new__(torch.nn.Module)):
                try:
                    getattr(module, register)(name, value)
                    out.append("fine")
                except Exception as error:
                    out.append(f"{type(error).__name__}: {error}")
    return out


program("names that can't be", names_refused)


def keys(torch: Any) -> Any:
    """What stands in `vars(module)`, and what a copy has of it."""
    module = torch.nn.Linear(2, 1)
    module.note = "text"
    module.register_forward_hook(print_nothing)
    other = copy.deepcopy(module)
    bare = torch.nn.Linear.__new__(torch.nn.Linear)
    bare.__setstate__(dict(vars(module)))
    shallow = copy.copy(module)
    apart = other.weight is not module.weight and other.weight.equal(module.weight)
    same = shallow.weight is module.weight and bare.weight is module.weight
    return (
        list(vars(module)),
        list(vars(other)),
        apart,
        same,
        len(other._forward_hooks),
        repr(bare),
        [n in dir(module) for n in ("weight", "bias", "note")],
    )


def print_nothing(*args: Any) -> None:
    pass


program("vars of a module", keys)


def functional_style(torch: Any) -> Any:
    """The dicts themselves changed, as libraries for meta-learning do."""
    layer, x = torch.nn.Linear(1, 1), torch.ones(1, 1)
    layer._parameters["weight"] = torch.full((1, 1), 2.0)
    layer._parameters["bias"] = None
    first = layer(x)
    del layer._parameters["weight"]
    layer.weight = torch.full((1, 1), 3.0)
    return first, layer(x), list(layer.state_dict()), hasattr(layer, "bias")


program("parameters put in by hand", functional_style)


def trained(torch: Any) -> Any:
    """An overridden `train` is asked, also through its parent."""

    class Frozen(torch.nn.BatchNorm1d):
        def train(self, mode: bool = True) -> Any:
            return super().train(False)

    net = torch.nn.Sequential(Frozen(2), torch.nn.Sequential(Frozen(2)))
    return [module.training for module in net.train().modules()], [m.training for m in net.eval().modules()]


program("an overridden train", trained)


def norms_that_stop(torch: Any) -> Any:
    """track_running_stats changed after construction, running statistics taken away."""
    torch.manual_seed(0)
    out = []
    for later, training, without in itertools.product((True, False), (True, False), (True, False)):
        for start in (True, False):
            norm = torch.nn.BatchNorm1d(2, track_running_stats=start)
            norm.track_running_stats = later
            if without:
                norm.running_mean = norm.running_var = None
            norm.train(training)
            try:
                out += [norm(torch.randn(3, 2)), list(norm.state_dict().values())]
            except Exception as error:
                out.append(type(error).__name__)
    return out


program("norms that stop tracking", norms_that_stop)

# -- state --------------------------------------------------------------------------------------


def stateful(torch: Any) -> Any:
    nn = torch.nn

    class Counting(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer, self.calls = nn.Linear(1, 1), 0

        def get_extra_state(self) -> Any:
            return {"calls": self.calls}

        def set_extra_state(self, state: Any) -> None:
            self.calls = state["calls"]

    class Renamed(nn.Linear):
        def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
            super()._save_to_state_dict(destination, prefix, keep_vars)
            destination[prefix + "w"] = destination.pop(prefix + "weight")

        def _load_from_state_dict(self, state_dict: Any, prefix: str, *others: Any) -> None:
            state_dict[prefix + "weight"] = state_dict.pop(prefix + "w")
            super()._load_from_state_dict(state_dict, prefix, *others)

    return nn.Sequential(Counting(), Renamed(1, 1), nn.BatchNorm1d(1))


def extra_state(torch: Any) -> Any:
    net, other = stateful(torch), stateful(torch)
    net[0].calls = 5
    state = net.state_dict()
    said = [list(state), list(state._metadata.items()), repr(other.load_state_dict(state)), other[0].calls]
    same = other[1].weight.equal(net[1].weight)
    del state["0._extra_state"]
    return said, same, repr(other.load_state_dict(state, strict=False))


def extra_state_missing(torch: Any) -> Any:
    state = stateful(torch).state_dict()
    del state["0._extra_state"]
    state["1._extra_state"] = 3
    state["5.weight"] = torch.ones(1)
    state["2.bias"] = torch.ones(3)
    state["2.deep.bias"] = 1
    del state["2.num_batches_tracked"], state["2.weight"]
    stateful(torch).load_state_dict(state)


program("extra state", extra_state)
program("extra state that is missing", extra_state_missing)


def state_hooks(torch: Any) -> Any:
    """All six kinds, in the order in which they are called."""
    net, said = torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.ReLU()), []
    net[0].register_state_dict_pre_hook(lambda m, prefix, keep: said.append(["pre", prefix, keep]))
    net[0].register_state_dict_post_hook(
        lambda m, state, prefix, meta: said.append(["post", list(state), prefix, meta])
    )
    net._register_state_dict_hook(lambda m, state, prefix, meta: {"got": list(state)})
    net[0].register_load_state_dict_pre_hook(
        lambda m, state, prefix, meta, *more: said.append([list(state), prefix, meta, more])
    )
    net._register_load_state_dict_pre_hook(lambda state, prefix, *more: said.append(["load", list(state), prefix]))
    handle = net[0].register_load_state_dict_post_hook(lambda m, keys: keys.missing_keys.clear())
    out = net.state_dict(keep_vars=True), repr(net.load_state_dict({}))
    handle.remove()
    return out, said, repr(net.load_state_dict({}, strict=False))


program("hooks of the state", state_hooks)


def wrong_state_hooks(torch: Any) -> Any:
    out = []
    for register, hook in (
        ("register_state_dict_post_hook", lambda *args: 1),
        ("register_load_state_dict_post_hook", lambda *args: 1),
    ):
        net = torch.nn.Linear(1, 1)
        getattr(net, register)(hook)
        try:
            net.load_state_dict(net.state_dict())
        except Exception as error:
            out.append(f"{type(error).__name__}: {error}")
    return out


program("hooks of the state that give something", wrong_state_hooks)


def assigned(torch: Any) -> Any:
    """`assign=True`: whose tensors they are then, and what requires grad."""
    net, state = torch.nn.Linear(1, 1), {"weight": torch.ones(1, 1), "bias": torch.nn.Parameter(torch.ones(1))}
    net.weight.requires_grad_(False)
    net.load_state_dict(state, assign=True)
    one = torch.nn.BatchNorm1d(1)
    one.load_state_dict({"weight": torch.tensor([2.0]), "running_var": torch.tensor([3.0])}, strict=False, assign=True)
    return [p.requires_grad for p in net.parameters()], net.bias is state["bias"], one.state_dict()


program("state that is assigned", assigned)
program("state_dict by position", lambda t: list(t.nn.Linear(1, 1).state_dict(None, "a.")))
program("state_dict into another", lambda t: list(t.nn.Linear(1, 1).state_dict(destination=t.nn.ReLU().state_dict())))

# -- hooks --------------------------------------------------------------------------------------


def every_hook(torch: Any) -> Any:
    """Arguments that are no tensors, keywords, several outputs; first ones and always called ones."""

    class Two(torch.nn.Module):
        def forward(self, x: Any, times: Any, y: Any = None, plus: float = 0.0) -> Any:
            return x * times + plus, "text", y

    module, said = Two(), []
    module.register_forward_pre_hook(lambda m, args: said.append(["pre", args]))
    module.register_forward_pre_hook(lambda m, args, kw: (args, {**kw, "plus": 1.0}), with_kwargs=True)
    module.register_forward_pre_hook(lambda m, args: said.append("first"), prepend=True)
    module.register_forward_hook(lambda m, args, kw, out: said.append(["kw", kw, out]), with_kwargs=True)
    module.register_forward_hook(lambda m, args, out: said.append("before it"), prepend=True)
    module.register_full_backward_hook(lambda m, gi, go: said.append(["backward", gi, go]))
    module.register_full_backward_hook(lambda m, gi, go: (gi[0] * 10, None, None))
    module.register_full_backward_pre_hook(lambda m, go: said.append(["backward pre", go]))
    x, y = torch.ones(2, requires_grad=True), torch.ones(1, requires_grad=True)
    out = module(x, 3.0, y)
    (out[0].sum() + out[2].sum()).backward()
    with torch.no_grad():
        quiet = module(x, 1.0)
    return said, out, x.grad, y.grad, quiet


def hooks_and_errors(torch: Any) -> Any:
    class Failing(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            raise KeyError("x")

    module, said = Failing(), []
    module.register_forward_hook(lambda m, args, out: said.append(["always", out]), always_call=True)
    module.register_forward_hook(lambda m, args, out: said.append("never"))
    try:
        module(1)
    except KeyError as error:
        said.append(str(error))
    module.register_forward_hook(lambda m, args, out: 1 / 0, always_call=True)
    try:
        module(1)
    except KeyError as error:
        said.append(str(error))
    return said


def older_hook(torch: Any) -> Any:
    layer, said = torch.nn.Linear(2, 1, bias=False), []
    layer.register_backward_hook(lambda m, gi, go: said.append([[None if g is None else g.shape for g in gi], go]))
    layer(torch.ones(3, 2)).sum().backward()
    relu = torch.nn.ReLU()
    relu.register_backward_hook(lambda m, gi, go: (gi[0] * 5,))
    x = torch.ones(1, requires_grad=True)
    relu(x * 2).sum().backward()
    return said, x.grad


program("every hook", every_hook)
program("hooks and errors", hooks_and_errors)
program("an older backward hook", older_hook)
for name, kind, hook in (
    ("too many gradients", "register_full_backward_hook", lambda m, gi, go: (gi[0], None)),
    ("too many gradients before", "register_full_backward_pre_hook", lambda m, go: (go[0], None)),
    ("no pair", "register_forward_pre_hook", lambda m, args, kw: 3),
):

    def hooked(torch: Any, kind: str = kind, hook: Any = hook) -> Any:
        relu = torch.nn.ReLU()
        getattr(relu, kind)(hook, **({"with_kwargs": True} if "forward" in kind else {}))
        relu(torch.ones(1, requires_grad=True)).sum().backward()

    program(f"a hook that gives {name}", hooked)


def both_kinds(torch: Any) -> Any:
    relu = torch.nn.ReLU()
    relu.register_backward_hook(print_nothing)
    relu.register_full_backward_hook(print_nothing)


program("both kinds of backward hooks", both_kinds)

# -- containers, access, types ------------------------------------------------------------------


def containers_changed(torch: Any) -> Any:
    nn = torch.nn
    row = nn.Sequential(nn.ReLU(), nn.Tanh(), nn.Sigmoid())
    said = [repr(row.insert(1, nn.ELU())), repr(row.pop(0)), repr(row + nn.Sequential(nn.ReLU()))]
    del row[0]
    said += [repr(row), repr(row * 2), repr(row.extend(nn.Sequential(nn.ELU()))), repr(row[1:])]
    items = nn.ModuleList([nn.ReLU(), nn.Tanh()])
    items.insert(1, nn.Sigmoid())
    items += [nn.ELU()]
    said += [repr(items), repr(items.pop(-1)), repr(items + [nn.ReLU()]), len(items)]
    del items[:2]
    named = nn.ModuleDict([["a", nn.ReLU()], ("b", nn.Tanh())])
    named.update({"c": nn.ELU()})
    said += [repr(items), repr(named.pop("a")), repr(named), list(named), nn.Tanh() in row, len(nn.ModuleList())]
    del named["b"]
    named.clear()
    return said, len(named)


def containers_of_parameters(torch: Any) -> Any:
    nn = torch.nn
    items = nn.ParameterList([torch.ones(2), nn.Parameter(torch.zeros(1, 2)), 3])
    items.append(torch.ones(1))
    items[0] = torch.zeros(3)
    named = nn.ParameterDict({"a": torch.ones(2), "b": 5})
    named["c"] = nn.Parameter(torch.ones(1, 1))
    said = [repr(items), len(items), [n for n, _ in items.named_parameters()], repr(items[1:3]), items[-1]]
    said += [repr(named), list(named.keys()), len(named), "a" in named, named.pop("a"), list(named.state_dict())]
    said += [[n for n, _ in named.named_parameters()], len(list(named.buffers()))]
    return said, repr(nn.ParameterList()), [type(v).__name__ for v in named.values()], named.get("z", 7)


program("containers that are changed", containers_changed)
program("containers of parameters", containers_of_parameters)


def reached(torch: Any) -> Any:
    net, out = torch.nn.Sequential(torch.nn.Linear(1, 2), torch.nn.Sequential(torch.nn.BatchNorm1d(2))), []
    for get, name in (
        *(("get_submodule", name) for name in ("", "1.0", "1.5", "0.weight")),
        *(("get_parameter", name) for name in ("0.weight", "0.other", "1.0.running_mean", "7.weight")),
        *(("get_buffer", name) for name in ("1.0.running_var", "0.weight", "1.0.other")),
    ):
        try:
            found = getattr(net, get)(name)
            out.append(found.shape if hasattr(found, "shape") else repr(found))
        except Exception as error:
            out.append(f"{type(error).__name__}: {error}")
    return out


program("parts by name", reached)


def of_types(torch: Any) -> Any:
    """The type at its place among the arguments, and changed later."""
    nn, double = torch.nn, torch.float64
    made = [
        nn.Linear(2, 3, True, None, double),
        nn.Bilinear(2, 3, 1, True, None, double),
        nn.Conv1d(1, 1, 1, 1, 0, 1, 1, True, "zeros", None, double),
        nn.ConvTranspose2d(1, 1, 1, 1, 0, 0, 1, True, 1, "zeros", None, double),
        nn.BatchNorm1d(2, 1e-5, 0.1, True, True, None, double),
        nn.LayerNorm(2, 1e-5, True, True, None, double),
        nn.GroupNorm(1, 2, 1e-5, True, None, double),
        nn.Embedding(2, 2, None, None, 2.0, False, False, None, False, None, double),
        nn.RNN(1, 2, 1, "tanh", True, False, 0.0, False, 0, None, double),
        nn.LSTM(1, 2, 1, True, False, 0.0, False, 0, None, double),
        nn.GRUCell(1, 2, True, None, double),
        nn.RNNCell(1, 2, True, "tanh", None, double),
        nn.PReLU(1, 0.25, None, double),
    ]
    types = [sorted({str(t.dtype) for t in m.state_dict().values()}) for m in made]
    half = [str(t.dtype) for t in nn.BatchNorm1d(1).half().state_dict().values()]
    return types, half, [str(t.dtype) for t in nn.BatchNorm1d(1).type(double).state_dict().values()]


program("types of parameters", of_types)


def vectors(torch: Any) -> Any:
    utils, net = torch.nn.utils, torch.nn.Linear(2, 1)
    vector = torch.tensor([1.0, 2.0, 3.0])
    utils.vector_to_parameters(vector, net.parameters())
    net.weight.grad, net.bias.grad = torch.tensor([[-3.0, 0.5]]), torch.tensor([float("nan")])
    shared = net.weight.data_ptr() == vector.data_ptr()
    joined = utils.parameters_to_vector(net.parameters())
    given = utils.clip_grad_value_(net.parameters(), 1)
    total = utils.get_total_norm([torch.tensor([3.0]), torch.tensor([4.0])])
    some = torch.zeros(2, requires_grad=True)
    some.grad = torch.tensor([3.0, 4.0])
    utils.clip_grads_with_norm_([some], 1.0, torch.tensor(5.0))
    return joined, joined.requires_grad, shared, given, net.weight.grad, net.bias.grad, total, some.grad


program("parameters as a vector", vectors)
program("clipping what is not finite", lambda t: clip_nan(t, True))
program("clipping a vector of numbers", lambda t: t.nn.utils.vector_to_parameters([1.0], []))


def clip_nan(torch: Any, strict: bool) -> Any:
    w = torch.zeros(1, requires_grad=True)
    w.grad = torch.tensor([float("inf")])
    return torch.nn.utils.clip_grad_norm_([w], 1.0, error_if_nonfinite=strict)


def further_initialisers(torch: Any) -> Any:
    torch.manual_seed(0)
    init, out = torch.nn.init, []
    out += [init.trunc_normal_(torch.empty(3, 40)), init.trunc_normal_(torch.empty(5), 1.0, 2.0, 0.5, 1.5)]
    out += [init.orthogonal_(torch.empty(3, 4)), init.orthogonal_(torch.empty(4, 2, 1), gain=2)]
    out += [init.dirac_(torch.ones(2, 2, 3)), init.dirac_(torch.ones(4, 2, 3, 3), 2)]
    out += [init.sparse_(torch.empty(5, 3), 0.4, 0.1)]
    generator = torch.Generator().manual_seed(3)
    out += [
        getattr(init, name)(torch.empty(2, 3), generator=generator) for name in ("xavier_uniform_", "kaiming_normal_")
    ]
    out += [init.uniform_(torch.empty(2), 1.0, 2.0, generator), init.normal_(torch.empty(2), 0.0, 1.0, generator)]
    return out, [float(init.calculate_gain("leaky_relu", p)) for p in (None, 0.2, 0)], init.calculate_gain("conv3d")


program("init further", further_initialisers)
program("init by an older name", lambda t: [t.nn.init.eye_(t.ones(2, 2)), t.nn.init.constant(t.ones(2), 3)])


def lazy_layers(torch: Any) -> Any:
    torch.manual_seed(0)
    nn, x = torch.nn, torch.ones(2, 3, 5, 5)
    net = nn.Sequential(
        nn.LazyConv2d(4, 3, padding=1, groups=1), nn.Flatten(), nn.LazyLinear(2), nn.LazyLinear(1, bias=False)
    )
    held, before = list(net.parameters()), repr(net)
    out = net(x)
    same = all(a is b for a, b in zip(held, net.parameters(), strict=True))
    return before, repr(net), out, same, [p.shape for p in held], net[0].in_channels, net(x)


program("lazy layers", lazy_layers)


def attention(torch: Any) -> Any:
    torch.manual_seed(0)
    attend, out = torch.nn.functional.scaled_dot_product_attention, []
    q, k, v = (torch.randn(2, 3, n, 4, requires_grad=True) for n in (5, 6, 6))
    added, allowed = torch.randn(5, 6), torch.ones(5, 6).tril() > 0
    for options in ({}, {"attn_mask": added}, {"attn_mask": allowed}, {"is_causal": True}, {"scale": 0.3}):
        result = attend(q, k, v, **options)
        out += [result, torch.autograd.grad(result.sin().sum(), (q, k, v))]
    return out


program("attention", attention)

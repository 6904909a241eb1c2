"""Small programs over nn and optim, written once for PyTorch and minigrad: what comes out must be the same.

A program takes the module `torch` (or minigrad) and gives tensors, numbers and texts, nested at will.
`PROGRAMS` holds them by name; goldens/record_nn.py records what real PyTorch makes of them.
Read next: nn_api_programs.py, where the rest is; test_nn_goldens.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

PROGRAMS: dict[str, Callable[[Any], Any]] = {}
LAYERS: dict[str, tuple[Callable[[Any], Any], tuple[Any, ...]]] = {}  # how those of `layer` are made, and their inputs


def program(name: str, run: Callable[[Any], Any]) -> None:
    assert name not in PROGRAMS, name
    PROGRAMS[name] = run


def flat(things: Any) -> list[Any]:
    """The leaves of nested lists and tuples; of a PackedSequence its data."""
    if hasattr(things, "batch_sizes"):
        return [things.data]
    return [leaf for thing in things for leaf in flat(thing)] if isinstance(things, tuple | list) else [things]


def nodes(fn: Any) -> list[str]:
    """The names of all nodes behind one, each once, in the order of a walk that takes inputs from left to right."""
    seen, todo, names = set(), [fn], []
    while todo:
        node = todo.pop()
        if node is not None and node not in seen:
            seen.add(node)
            names.append(node.name().replace("torch::autograd::", ""))
            todo.extend(edge[0] for edge in reversed(node.next_functions))
    return names


def layer(name: str, make: Callable[[Any], Any], *inputs: Any, graph: bool = False) -> None:
    """Make a module after a seed, call it, go backward: its text, outputs, gradients, buffers, nodes.

    An input is a size (random numbers that require grad) or a function of torch. The first word of the name is that
    of the module's class; test_nn_module.py finds its slopes there, too.
    """
    LAYERS[name] = make, inputs

    def run(torch: Any) -> Any:
        torch.manual_seed(0)
        module = make(torch)
        given = [i(torch) if callable(i) else torch.randn(*i, requires_grad=True) for i in inputs]
        outputs = flat(module(*given))
        sum((out * out).sum() + out.sum() for out in outputs).backward()
        return {
            "text": repr(module),
            "parameters": " ".join(name for name, _ in module.named_parameters()),
            "outputs": outputs,
            "gradients": [p.grad for p in module.parameters()],
            "input gradients": [x.grad for x in flat(given) if x.is_leaf and x.requires_grad],
            "buffers": list(module.buffers()),
            "nodes": [" ".join(nodes(out.grad_fn)) for out in outputs] if graph else [],
        }

    program(name, run)


# -- layers -------------------------------------------------------------------------------------

layer("Linear", lambda t: t.nn.Linear(3, 2), (4, 3), graph=True)
layer("Linear of more axes", lambda t: t.nn.Linear(3, 2), (2, 2, 3), graph=True)
layer("Linear of a vector", lambda t: t.nn.Linear(3, 2), (3,), graph=True)
layer("Linear without bias", lambda t: t.nn.Linear(3, 2, bias=False), (2, 3), graph=True)
layer("Identity", lambda t: t.nn.Identity(5, x=1), (3,))
layer("Flatten", lambda t: t.nn.Flatten(), (2, 2, 2), graph=True)
layer("Embedding", lambda t: t.nn.Embedding(5, 2), lambda t: t.tensor([[1, 2], [4, 4]]))
layer("Embedding padding_idx", lambda t: t.nn.Embedding(5, 2, padding_idx=-1), lambda t: t.tensor([1, 4, 1]))
layer("Dropout", lambda t: t.nn.Dropout(0.3), (5, 4), graph=True)
layer("Dropout of all", lambda t: t.nn.Dropout(1.0), (3,))
layer("Dropout in place", lambda t: t.nn.Sequential(t.nn.Tanh(), t.nn.Dropout(0.5, inplace=True)), (6,))
layer("Dropout at rest", lambda t: t.nn.Dropout(0.3).eval(), (4,))
layer("BatchNorm1d", lambda t: t.nn.BatchNorm1d(2), (4, 2), graph=True)
layer("BatchNorm1d of rows", lambda t: t.nn.BatchNorm1d(2, momentum=None, eps=0.1), (2, 2, 3))
layer("BatchNorm1d without affine", lambda t: t.nn.BatchNorm1d(2, affine=False), (4, 2), graph=True)
layer("BatchNorm1d without tracking", lambda t: t.nn.BatchNorm1d(2, track_running_stats=False).eval(), (4, 2))
layer("BatchNorm1d at rest", lambda t: t.nn.BatchNorm1d(2).eval(), (4, 2), graph=True)
layer("BatchNorm2d", lambda t: t.nn.BatchNorm2d(2), (2, 2, 2, 2))
layer("LayerNorm", lambda t: t.nn.LayerNorm(3), (2, 3), graph=True)
layer("LayerNorm of two axes", lambda t: t.nn.LayerNorm((2, 3), bias=False), (2, 2, 3))
layer("LayerNorm without affine", lambda t: t.nn.LayerNorm([3], elementwise_affine=False), (2, 3))
for options in (
    {},
    {"stride": 2},
    {"padding": 1, "dilation": 2},
    {"groups": 2, "bias": False},
    {"padding": "same", "dilation": 2},
):
    layer(f"Conv1d {options}", lambda t, options=options: t.nn.Conv1d(2, 2, 2, **options), (1, 2, 5))
layer("Conv2d", lambda t: t.nn.Conv2d(1, 2, (2, 3), padding=(1, 0), stride=(2, 1)), (2, 1, 3, 4), graph=True)
layer("Conv2d of one image", lambda t: t.nn.Conv2d(2, 1, 3, padding="valid"), (2, 4, 3))
layer("Conv2d groups", lambda t: t.nn.Conv2d(2, 4, (1, 3), groups=2, padding="same"), (1, 2, 3, 2))
for pool in ("MaxPool", "AvgPool"):
    for options in ({}, {"stride": 1}, {"padding": 1}, {"ceil_mode": True}, {"padding": 1, "ceil_mode": True}):
        layer(f"{pool}1d {options}", lambda t, p=pool, o=options: getattr(t.nn, p + "1d")(2, **o), (1, 2, 5))
        layer(f"{pool}2d {options}", lambda t, p=pool, o=options: getattr(t.nn, p + "2d")(2, **o), (1, 1, 3, 5))
layer("MaxPool2d dilation", lambda t: t.nn.MaxPool2d((2, 1), 1, dilation=2), (1, 4, 4))
layer("AvgPool2d of the image alone", lambda t: t.nn.AvgPool2d(2, padding=1, count_include_pad=False), (1, 1, 3, 3))
for name in ("ReLU", "SiLU", "LeakyReLU", "ELU", "Hardtanh", "GELU", "Softplus", "Softsign", "Tanh", "Sigmoid"):
    layer(name, lambda t, name=name: getattr(t.nn, name)(), (3, 3), graph=True)
layer("LogSigmoid", lambda t: t.nn.LogSigmoid(), (3, 3), graph=True)
layer("Softmax", lambda t: t.nn.Softmax(dim=1), (2, 3), graph=True)
layer("LogSoftmax", lambda t: t.nn.LogSoftmax(dim=-1), (2, 3), graph=True)
for name, options in (
    ("ReLU", {"inplace": True}),
    ("LeakyReLU", {"negative_slope": 0.2, "inplace": True}),
    ("ELU", {"alpha": 0.5}),
    ("Hardtanh", {"min_val": -0.5, "max_val": 0.4, "inplace": True}),
    ("GELU", {"approximate": "tanh"}),
    ("Softplus", {"beta": 2.0, "threshold": 1.0}),
):
    layer(f"{name} {options}", lambda t, n=name, o=options: t.nn.Sequential(t.nn.Tanh(), getattr(t.nn, n)(**o)), (3, 3))
layer(
    "Sequential",
    lambda t: t.nn.Sequential(
        t.nn.Linear(4, 3), t.nn.BatchNorm1d(3), t.nn.ReLU(), t.nn.Dropout(0.5), t.nn.Linear(3, 2)
    ),
    (5, 4),
    graph=True,
)

# -- recurrent ----------------------------------------------------------------------------------

layer("RNN", lambda t: t.nn.RNN(2, 3), (3, 2, 2), graph=True)
layer("RNN batch_first", lambda t: t.nn.RNN(1, 2, batch_first=True), (1, 4, 1), graph=True)
layer("RNN of a hidden state", lambda t: t.nn.RNN(2, 3), (2, 2, 2), (1, 2, 3), graph=True)
layer("RNN without batch", lambda t: t.nn.RNN(2, 3, batch_first=True), (3, 2), (1, 3))
layer("RNN relu, no bias", lambda t: t.nn.RNN(2, 2, nonlinearity="relu", bias=False), (3, 1, 2))
layer("RNN layers", lambda t: t.nn.RNN(2, 2, 2, bidirectional=True), (3, 2, 2), (4, 2, 2), graph=True)
layer("RNN dropout", lambda t: t.nn.RNN(2, 2, 2, dropout=0.5), (2, 2, 2))
for kind in ("LSTM", "GRU"):
    layer(kind, lambda t, k=kind: getattr(t.nn, k)(2, 2), (3, 2, 2))
    layer(
        f"{kind} layers",
        lambda t, k=kind: getattr(t.nn, k)(1, 2, 2, batch_first=True, bidirectional=True),
        (2, 3, 1),
        (lambda t: (t.randn(4, 2, 2), t.randn(4, 2, 2))) if kind == "LSTM" else (4, 2, 2),
    )
layer("LSTM without batch", lambda t: t.nn.LSTM(2, 2), (3, 2), lambda t: (t.randn(1, 2), t.randn(1, 2)))
layer("RNNCell", lambda t: t.nn.RNNCell(2, 3), (2, 2), graph=True)
layer("RNNCell relu", lambda t: t.nn.RNNCell(2, 3, bias=False, nonlinearity="relu"), (2,), (3,))
layer("LSTMCell", lambda t: t.nn.LSTMCell(2, 2), (2, 2), lambda t: (t.randn(2, 2), t.randn(2, 2)))
layer("LSTMCell of zeros", lambda t: t.nn.LSTMCell(2, 2), (2,))
layer("GRUCell", lambda t: t.nn.GRUCell(2, 2), (2, 2), (2, 2))


def packed(name: str, enforce_sorted: bool, **options: Any) -> None:
    def run(torch: Any) -> Any:
        torch.manual_seed(0)
        rnn = torch.nn.utils.rnn
        module = getattr(torch.nn, name)(2, 2, **options)
        padded = torch.randn(4, 3, 2)
        sequence = rnn.pack_padded_sequence(
            padded, torch.tensor([4, 3, 1] if enforce_sorted else [1, 4, 2]), enforce_sorted=enforce_sorted
        )
        output, state = module(sequence)
        again, lengths = rnn.pad_packed_sequence(output, batch_first=True, padding_value=-9.0, total_length=5)
        sum((x * x).sum() for x in (again, *flat(state))).backward()
        indices = [i for i in (sequence.sorted_indices, sequence.unsorted_indices) if i is not None]
        return (
            sequence.data,
            sequence.batch_sizes,
            indices,
            again,
            lengths,
            state,
            [p.grad for p in module.parameters()],
        )

    program(f"packed {name} {enforce_sorted} {options}", run)


for kind in ("RNN", "LSTM", "GRU"):
    packed(kind, True)
    packed(kind, False, num_layers=2, bidirectional=True)


def sequences(torch: Any) -> Any:
    rnn = torch.nn.utils.rnn
    parts = [torch.arange(3.0), torch.arange(2.0) + 5, torch.ones(1)]
    one = rnn.pack_sequence(parts)
    padded = rnn.pad_sequence(parts[::-1], padding_value=-1.0)
    return (
        one.data,
        one.batch_sizes,
        rnn.pad_packed_sequence(one),
        padded,
        rnn.pad_sequence(parts, batch_first=True, padding_side="left"),
    )


program("sequences", sequences)


def seeds_rnn(steps: int) -> None:
    """The net of the posts: how many nodes its loss has, and its gradients' size."""

    def run(torch: Any) -> Any:
        torch.manual_seed(1)
        rnn, out = torch.nn.RNN(1, 32, batch_first=True), torch.nn.Linear(32, 1)
        x = torch.linspace(0, 3, steps).view(1, steps, 1)
        states, h = rnn(x, None)
        prediction = torch.stack([out(states[:, i, :]) for i in range(states.size(1))], dim=1)
        loss = torch.nn.MSELoss()(prediction, x)
        count = len(nodes(loss.grad_fn))
        loss.backward()
        return count, loss, h.norm(), [p.grad.norm() for p in (*rnn.parameters(), *out.parameters())]

    program(f"the posts' RNN, {steps} steps", run)


for steps in (10, 20, 30):
    seeds_rnn(steps)

# -- losses as modules, initialisation, clipping ------------------------------------------------

for name, options in (
    ("MSELoss", {}),
    ("MSELoss", {"reduction": "sum"}),
    ("L1Loss", {}),
    ("SmoothL1Loss", {"beta": 0.5}),
    ("BCEWithLogitsLoss", {}),
):
    layer(
        f"{name} {options}",
        lambda t, n=name, o=options: getattr(t.nn, n)(**o),
        (2, 3),
        lambda t: t.rand(2, 3),
        graph=True,
    )
layer("BCELoss", lambda t: t.nn.BCELoss(), lambda t: t.rand(3).requires_grad_(), lambda t: t.rand(3), graph=True)
layer("CrossEntropyLoss", lambda t: t.nn.CrossEntropyLoss(), (2, 3), lambda t: t.tensor([2, 0]))
layer("NLLLoss", lambda t: t.nn.NLLLoss(t.tensor([1.0, 2.0, 3.0])), (2, 3), lambda t: t.tensor([2, 0]))
layer(
    "CrossEntropyLoss options",
    lambda t: t.nn.CrossEntropyLoss(t.tensor([1.0, 2.0, 3.0]), ignore_index=1, label_smoothing=0.2),
    (4, 3),
    lambda t: t.tensor([2, 1, 0, 2]),
)
layer(
    "BCEWithLogitsLoss pos_weight",
    lambda t: t.nn.BCEWithLogitsLoss(pos_weight=t.tensor([3.0])),
    (3,),
    lambda t: t.rand(3),
)

INITS = "uniform_ normal_ ones_ zeros_ eye_ xavier_uniform_ xavier_normal_ kaiming_uniform_ kaiming_normal_"


def initialisers(torch: Any) -> Any:
    torch.manual_seed(0)
    init, out = torch.nn.init, {}
    for name in INITS.split():
        out[name] = getattr(init, name)(torch.nn.Parameter(torch.zeros(3, 4)))
    out["constant_"] = init.constant_(torch.zeros(2), 0.5)
    out["fan_out"] = init.kaiming_uniform_(torch.zeros(2, 3, 2), mode="fan_out", nonlinearity="relu")
    out["gains"] = [float(init.calculate_gain(n)) for n in ("linear", "tanh", "relu", "sigmoid", "leaky_relu", "selu")]
    return out


program("init", initialisers)


def clipping(torch: Any) -> Any:
    out = []
    for norm_type in (2.0, 1.0, float("inf")):
        params = [torch.zeros(2, requires_grad=True), torch.zeros(1, requires_grad=True), torch.zeros(1)]
        params[0].grad, params[1].grad = torch.tensor([3.0, -4.0]), torch.tensor([12.0])
        out += [torch.nn.utils.clip_grad_norm_(params, 2.0, norm_type), params[0].grad, params[1].grad]
        out += [torch.nn.utils.clip_grad_norm_(params[0], 10.0)]
    return out


program("clipping", clipping)

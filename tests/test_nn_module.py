"""Modules beyond the numbers: memory, second derivatives, and what a reader meets in a notebook."""

import gc
import re
import weakref

import nn_api_programs  # noqa: F401  # it adds its programs
import nn_more_programs  # noqa: F401  # and so does this
import nn_wrong_programs  # noqa: F401  # and so does this
import pytest
from goldens.record_nn import attempt
from nn_programs import LAYERS, PROGRAMS

import minigrad as torch
from minigrad import nn
from minigrad.autograd import gradcheck, gradgradcheck


def test_dir_names_what_a_module_owns():
    net = nn.Linear(1, 1)
    net.child = nn.ReLU()
    net.register_buffer("seen", torch.zeros(1))
    assert {"weight", "bias", "child", "seen", "forward", "in_features"} <= set(dir(net))


def test_a_module_and_its_graph_go_without_the_garbage_collector():
    gc.disable()
    try:
        net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Dropout(), nn.LSTM(3, 2))
        net[0].register_full_backward_hook(lambda module, grad_input, grad_output: None)
        x = torch.ones(4, 2, requires_grad=True)
        output, (h, c) = net(x)
        (output.sum() + h.sum() + c.sum()).backward()
        gone = [weakref.ref(net), weakref.ref(net[0].weight), weakref.ref(output), weakref.ref(output.grad_fn)]
        del net, output, h, c
        assert [ref() for ref in gone] == [None] * 4
    finally:
        gc.enable()


CLASSES = {name: kind for name, kind in vars(nn).items() if isinstance(kind, type) and issubclass(kind, nn.Module)}
SAMPLES: dict = {}  # class: how a sample is made, and its inputs
for _name, _how in LAYERS.items():
    if all(isinstance(size, tuple) for size in _how[1]):
        SAMPLES.setdefault(re.match(r"\w+", _name)[0], _how)
SAMPLES |= {  # smaller than those that are recorded: differences take long
    **{name: (lambda t, n=name: getattr(t.nn, n)(2, 2), ((2, 2, 2),)) for name in ("RNN", "LSTM", "GRU")},
    **{name: (lambda t, n=name: getattr(t.nn, n)(1, 2), ((2, 1),)) for name in ("RNNCell", "LSTMCell", "GRUCell")},
    "ConvTranspose2d": (lambda t: t.nn.ConvTranspose2d(1, 2, 2), ((1, 1, 2, 2),)),
    "Conv2d": (lambda t: t.nn.Conv2d(1, 2, 2, padding=1), ((1, 1, 2, 2),)),
}
NO_DIFFERENCES = {  # layers whose slopes are not held against differences, and why
    **dict.fromkeys(("Dropout", "Dropout1d", "Dropout2d"), "each time other elements are left out"),
    **dict.fromkeys(("LazyConv1d", "LazyConv2d", "LazyLinear"), "become another layer when they are first used"),
    **dict.fromkeys(
        ("Module", "Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict"), "hold others"
    ),
    "Embedding": "its input is no number; the slope of its weight is that of the operator `embedding`",
}


def test_every_layer_and_loss_has_a_program():
    """Those of nn_programs.py and its like, which are held to what PyTorch gives, make each class at least once."""
    made, before = set(), nn.Module.__init__

    def noticed(self, *args, **options):
        made.update(type(self).__mro__)
        before(self, *args, **options)

    nn.Module.__init__ = noticed
    try:
        for run in PROGRAMS.values():
            attempt(torch, run)
    finally:
        nn.Module.__init__ = before
    for name, kind in CLASSES.items():
        call = f'layer("{name}", lambda t: t.nn.{name}(…), (2, 3))'
        assert kind in made, f"give {name} a line in tests/nn_more_programs.py: {call}; then python -m tests.goldens"


@pytest.mark.parametrize("name", [name for name in CLASSES if not name.endswith("Loss") and name not in NO_DIFFERENCES])
def test_slopes_of_layers_agree_with_differences_once_and_twice(name):
    assert name in SAMPLES, f'give {name} a line in tests/nn_more_programs.py that begins with layer("{name}", …)'
    make, sizes = SAMPLES[name]
    torch.manual_seed(0)
    layer = make(torch).double()
    for part in layer.modules():  # what is kept from call to call would make each call another function
        if getattr(part, "track_running_stats", False):
            part.momentum = 0.0
    inputs = [torch.randn(*size, dtype=torch.float64, requires_grad=True) for size in sizes]
    names, values = zip(*layer.named_parameters(), strict=True) if list(layer.parameters()) else ((), ())

    def run(*given):
        for name, value in zip(names, given[len(inputs) :], strict=True):
            owner, _, name = name.rpartition(".")
            vars(layer.get_submodule(owner))[name] = value  # found before the parameter of that name
        out = layer(*given[: len(inputs)])
        return out[0] if isinstance(out, tuple) else out

    given = [*inputs, *(v.detach().clone().requires_grad_() for v in values)]
    assert gradcheck(run, given)
    assert gradgradcheck(run, given)


def test_a_packed_batch_gives_what_each_sequence_gives_alone():
    torch.manual_seed(0)
    lstm, sequences = nn.LSTM(2, 3, 2, bidirectional=True), [torch.randn(n, 2) for n in (2, 5, 1)]
    packed = nn.utils.rnn.pack_sequence(sequences, enforce_sorted=False)
    output, (h, c) = lstm(packed)
    padded, lengths = nn.utils.rnn.pad_packed_sequence(output)
    assert lengths.tolist() == [2, 5, 1]
    for i, sequence in enumerate(sequences):
        alone, (h_alone, c_alone) = lstm(sequence)
        assert padded[: len(sequence), i].allclose(alone, atol=1e-6)
        assert h[:, i].allclose(h_alone, atol=1e-6) and c[:, i].allclose(c_alone, atol=1e-6)

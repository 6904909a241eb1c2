"""Modules beyond the numbers: memory, second derivatives, and what a reader meets in a notebook."""

import gc
import weakref

import pytest

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


class Both(nn.Module):
    """A layer of two inputs, given one and its square."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        return self.layer(x, x * x)


LAYERS = {
    "RNN": lambda: nn.RNN(2, 2),
    "LSTM": lambda: nn.LSTM(2, 2, batch_first=True),
    "GRU": lambda: nn.GRU(2, 2),
    "BatchNorm1d": lambda: nn.BatchNorm1d(2, track_running_stats=False),
    "LayerNorm": lambda: nn.LayerNorm((2, 2)),
    "Conv1d": lambda: nn.Conv1d(2, 3, 2, padding=1),
    "AvgPool1d": lambda: nn.AvgPool1d(2, 1),
    "Linear": lambda: nn.Linear(2, 3),
    "Bilinear": lambda: Both(nn.Bilinear(2, 2, 1)),
    "GroupNorm": lambda: nn.GroupNorm(1, 2),
    "InstanceNorm1d": lambda: nn.InstanceNorm1d(2, affine=True),
    "RMSNorm": lambda: nn.RMSNorm(2),
    "ConvTranspose1d": lambda: nn.ConvTranspose1d(2, 3, 2, stride=2, padding=1, output_padding=1),
    "Conv1d, reflecting": lambda: nn.Conv1d(2, 1, 2, padding=1, padding_mode="reflect"),
    "AdaptiveAvgPool1d": lambda: nn.AdaptiveAvgPool1d(3),
    "AdaptiveMaxPool1d": lambda: nn.AdaptiveMaxPool1d(1),
    "Upsample": lambda: nn.Upsample(scale_factor=1.5, mode="linear"),
    "PReLU": lambda: nn.PReLU(2),
    "GLU": lambda: nn.GLU(),
    "Mish": lambda: nn.Mish(),
    "SELU": lambda: nn.SELU(),
    "CosineSimilarity": lambda: Both(nn.CosineSimilarity()),
    "PairwiseDistance": lambda: Both(nn.PairwiseDistance()),
}


@pytest.mark.parametrize("name", LAYERS)
def test_slopes_of_layers_agree_with_differences_once_and_twice(name):
    torch.manual_seed(0)
    layer = LAYERS[name]().double()
    x = torch.randn(2, 2, 2, dtype=torch.float64, requires_grad=True)
    names, values = zip(*layer.named_parameters(), strict=True) if list(layer.parameters()) else ((), ())

    def run(x, *values):
        for name, value in zip(names, values, strict=True):
            owner, _, name = name.rpartition(".")
            vars(layer.get_submodule(owner))[name] = value  # found before the parameter of that name
        out = layer(x)
        return out[0] if isinstance(out, tuple) else out

    given = [x, *(v.detach().clone().requires_grad_() for v in values)]
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

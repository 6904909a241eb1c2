"""An LSTM on a CPU is one node a layer and direction where PyTorch has one, MkldnnRnnLayerBackward0; else unrolled."""

import warnings

import pytest

SETTINGS = {
    "plain": {},
    "two layers": {"num_layers": 2},
    "both ways": {"bidirectional": True},
    "no bias": {"bias": False},
    "two layers, both ways": {"num_layers": 2, "bidirectional": True},
}


def made(torch, dtype=None, **settings):
    """An LSTM of 3 inputs and 4 units whose parameters are the same for both libraries."""
    lstm = torch.nn.LSTM(3, 4, dtype=dtype or torch.float32, **settings)
    with torch.no_grad():
        for k, p in enumerate(lstm.parameters()):
            p.copy_(torch.arange(float(p.numel())).add(k).sin().mul(0.5).view(p.shape))
    return lstm


def sequence(torch, dtype=None):
    return torch.arange(30.0, dtype=dtype or torch.float32).div(10).sin().view(5, 2, 3).requires_grad_()


def names(node, seen=None):
    """The graph's nodes by name, each once, in the order of a walk."""
    seen = [] if seen is None else seen
    if node is not None and node not in seen:
        seen.append(node)
        for before, _ in node.next_functions:
            names(before, seen)
    return [node.name() for node in seen]


def edges(node):
    return [(before and before.name(), output) for before, output in node.next_functions]


def slopes(torch, dtype=None, **settings):
    """Everything that comes out, first gradients, and gradients of their squares, flat, in float64."""
    lstm, x = made(torch, dtype, **settings), sequence(torch, dtype)
    k = settings.get("num_layers", 1) * (2 if settings.get("bidirectional") else 1)
    h, c = (torch.arange(8.0 * k, dtype=x.dtype).add(i).cos().view(k, 2, 4).requires_grad_() for i in (0, 1))
    y, (h_n, c_n) = lstm(x, (h, c))
    weights = torch.arange(float(y.numel()), dtype=x.dtype).cos().view(y.shape)
    loss = (y * weights).sum() + (h_n * h_n).sum() + (c_n**3).sum()
    wanted = [x, h, c, *lstm.parameters()]
    first = torch.autograd.grad(loss, wanted, create_graph=True)
    second = torch.autograd.grad(sum((g * g).sum() for g in first), wanted)
    return torch.cat([t.detach().double().reshape(-1) for t in (y, h_n, c_n, *first, *second)])


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS.keys())
def test_at_once_and_one_by_one_give_the_same_numbers_and_slopes(torch, settings):
    at_once, one_by_one = slopes(torch, **settings), slopes(torch, torch.float64, **settings)
    # Slopes of up to 2,700 are added up in float32, whose last digit there is 2e-4: each processor has its own order
    assert torch.allclose(at_once, one_by_one, rtol=1e-5, atol=5e-5)


def test_the_nodes_and_their_edges(torch):
    x = sequence(torch)
    y, (h_n, c_n) = made(torch)(x)
    leaf = "torch::autograd::AccumulateGrad"
    assert names(y.grad_fn) == ["MkldnnRnnLayerBackward0"] + [leaf] * 5
    assert edges(y.grad_fn) == [(leaf, 0)] * 5 + [(None, 0)] * 2
    assert edges(h_n.grad_fn) == [("MkldnnRnnLayerBackward0", 1)]
    assert edges(c_n.grad_fn) == [("MkldnnRnnLayerBackward0", 2)]
    assert y.output_nr == 0 and y.grad_fn._saved_reverse is False
    assert y.grad_fn._saved_result0.equal(y) and y.grad_fn._saved_hx_.shape == (2, 4)


def test_nodes_around_it(torch):
    x = sequence(torch)
    h = torch.zeros(4, 2, 4, requires_grad=True)
    y, (h_n, _) = made(torch, num_layers=2, bidirectional=True)(x, (h, h.detach()))
    assert (
        y.grad_fn.name() == "CatBackward0"
        and [name for name, _ in edges(h_n.grad_fn)] == ["MkldnnRnnLayerBackward0"] * 4
    )
    assert names(y.grad_fn).count("SelectBackward0") == 4
    assert made(torch, batch_first=True)(x)[0].grad_fn.name() == "TransposeBackward0"
    without = edges(made(torch, bias=False)(x)[0].grad_fn)
    assert [name is None for name, _ in without] == [False, False, False, True, True, True, True]


@pytest.mark.parametrize("case", ["float64", "switched off", "packed", "empty batch"])
def test_where_it_is_unrolled(torch, case):
    x = sequence(torch)
    if case == "float64":
        y, _ = made(torch, torch.float64)(x.double())
    elif case == "switched off":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PyTorch tells of Intel's GPUs
            with torch.backends.mkldnn.flags(enabled=False):
                y, _ = made(torch)(x)
    elif case == "packed":
        y = made(torch)(torch.nn.utils.rnn.pack_sequence([x[:3, 0], x[:2, 1]]))[0].data
    else:
        y, _ = made(torch)(torch.zeros(5, 0, 3))
    assert "MkldnnRnnLayerBackward0" not in names(y.grad_fn)
    assert y.grad_fn.name() in ("StackBackward0", "CatBackward0")


def test_its_output_may_not_be_changed_before_backward(torch):
    lstm, x = made(torch), sequence(torch)
    y, (h_n, _) = lstm(x)
    h_n.mul_(2)
    y.mul_(2)
    with pytest.raises(RuntimeError, match="output 0 of MkldnnRnnLayer, is at version 1; expected version 0"):
        y.sum().backward()


def test_what_it_saved_is_freed(torch):
    y, _ = made(torch)(sequence(torch))
    y.sum().backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.sum().backward()


def test_biases_have_gradients_of_their_own(torch):
    lstm = made(torch)
    lstm(sequence(torch))[0].sum().backward()
    before = lstm.bias_hh_l0.grad.clone()
    assert torch.allclose(lstm.bias_ih_l0.grad, before)
    lstm.bias_ih_l0.grad.zero_()
    assert lstm.bias_hh_l0.grad.equal(before)


@pytest.mark.parametrize("settings", [{}, {"bidirectional": True}], ids=["one way", "both ways"])
@pytest.mark.parametrize("asks", [True, False], ids=["input asks", "parameters alone"])
def test_slopes_from_the_gates_that_were_kept_are_those_that_are_recorded(torch, settings, asks):
    """Many units, so that the way back is gone in several parts."""
    torch.manual_seed(0)
    lstm = torch.nn.LSTM(3, 64, **settings)
    x = torch.randn(9, 130, 3, requires_grad=asks)
    y, (h_n, c_n) = lstm(x)
    loss = (y * torch.arange(9.0).view(9, 1, 1).cos()).sum() + (h_n * h_n).sum() + (c_n**3).sum()
    wanted = [x][: int(asks)] + [*lstm.parameters()]
    plain = torch.autograd.grad(loss, wanted, retain_graph=True)
    if torch.__name__ == "minigrad":  # to PyTorch, "derivative for mkldnn_rnn_layer_backward is not implemented"
        recorded = torch.autograd.grad(loss, wanted, create_graph=True)
        assert all(torch.allclose(a, b, rtol=1e-4, atol=1e-3) for a, b in zip(plain, recorded, strict=True))
    again = torch.autograd.grad(loss, wanted)
    assert all(torch.equal(a, b) for a, b in zip(plain, again, strict=True))  # what was kept is as it was


def test_the_gates_are_kept_as_bytes_where_they_are_needed(torch):
    lstm = made(torch)
    node = lstm(sequence(torch))[0].grad_fn
    assert node._saved_result3.dtype is torch.uint8 and node._saved_train is True
    assert [kept.requires_grad for kept in (node._saved_result0, node._saved_result3)] == [True, False]
    assert len(node._input_metadata) == 3

"""`nn`'s losses, and its recurrent layers with the size of the graph that they unroll."""

import math

import pytest
from saying import says, warns


@pytest.fixture
def nn(torch):
    return torch.nn


# Losses


def test_mse_warns_when_sizes_differ_because_they_broadcast(torch, nn):
    text = (
        "Using a target size (torch.Size([3, 1])) that is different to the input size (torch.Size([3])). This "
        "will likely lead to incorrect results due to broadcasting. Please ensure they have the same size."
    )
    with warns(text):
        assert nn.MSELoss()(torch.arange(3.0), torch.arange(3.0)[:, None]).item() == pytest.approx(4 / 3)


@pytest.mark.parametrize("reduction, expected", [("mean", 2.5), ("sum", 5), ("none", [1, 4])])
def test_mse_reductions(torch, nn, reduction, expected):
    loss = nn.MSELoss(reduction=reduction)(torch.tensor([1.0, 2.0], requires_grad=True), torch.zeros(2))
    assert loss.tolist() == expected and loss.grad_fn.name() == "MseLossBackward0"


def test_mse_gives_the_target_a_gradient_too(torch, nn):
    x, target = torch.ones(2, requires_grad=True), torch.zeros(2, requires_grad=True)
    nn.MSELoss()(x, target).backward()
    assert x.grad.tolist() == [1, 1] and target.grad.tolist() == [-1, -1]


@pytest.mark.parametrize(
    "error, text, call",
    [
        (IndexError, "Target 3 is out of bounds.", lambda t, f: f(t.ones(2, 3), t.tensor([0, 3]))),
        (
            ValueError,
            "Expected input batch_size (2) to match target batch_size (3).",
            lambda t, f: f(t.ones(2, 3), t.tensor([0, 1, 2])),
        ),
        (
            RuntimeError,
            "expected target dtype to be Long or Byte, but got Float",
            lambda t, f: f(t.ones(2, 3), t.tensor([0.0, 1.0])),
        ),
        (
            ValueError,
            "Expected input batch_size (1) to match target batch_size (0).",
            lambda t, f: f(t.ones(1, 3), t.tensor(0)),
        ),
        (
            RuntimeError,
            "0D or 1D target tensor expected, multi-target not supported",
            lambda t, f: f(t.ones(2, 3), t.tensor([[0], [1]])),
        ),
    ],
)
def test_what_cross_entropy_refuses(torch, nn, error, text, call):
    with says(error, text):
        call(torch, nn.CrossEntropyLoss())


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_cross_entropy_is_minus_the_log_of_the_right_ones_softmax(torch, nn, reduction):
    x = torch.tensor([[1.0, 2.0, 3.0], [1.0, 0.0, -1.0]], requires_grad=True)
    loss = nn.CrossEntropyLoss(reduction=reduction)(x, torch.tensor([2, 0]))
    each = [-math.log(math.e**3 / (math.e + math.e**2 + math.e**3)), -math.log(math.e / (math.e + 1 + 1 / math.e))]
    expected = {"mean": sum(each) / 2, "sum": sum(each), "none": each}[reduction]
    assert loss.tolist() == pytest.approx(expected)
    loss.sum().backward()
    assert x.grad.sum(1).tolist() == pytest.approx([0, 0], abs=1e-6)


def test_cross_entropy_of_one_sample_and_of_probabilities(torch, nn):
    loss = nn.CrossEntropyLoss()
    assert loss(torch.ones(3), torch.tensor(1)).item() == pytest.approx(math.log(3))
    assert loss(torch.ones(2, 3), torch.full((2, 3), 1 / 3)).item() == pytest.approx(math.log(3))


@pytest.mark.parametrize("size", [(3,), (2, 3), (2, 3, 4), (2, 3, 2, 2)])
def test_cross_entropy_with_probabilities_weighs_and_smooths_them(torch, nn, size):
    dim, numbers = min(len(size) - 1, 1), torch.arange(math.prod(size) * 1.0).view(size)
    x, target, weight = numbers.cos(), numbers.sin().softmax(dim), torch.tensor([1.0, 2.0, 0.5])
    classes = weight.view(3, *[1] * (len(size) - 1 - dim))
    each = -((target * 0.8 + 0.2 / 3) * classes * x.log_softmax(dim)).sum(dim)
    loss = nn.CrossEntropyLoss(weight, reduction="none", label_smoothing=0.2)
    assert torch.allclose(loss(x, target), each)
    assert torch.allclose(nn.CrossEntropyLoss(weight, label_smoothing=0.2)(x, target), each.mean())


def test_labels_smoothed_to_1_make_all_classes_alike(torch, nn):
    x, target = torch.tensor([[1.0, 2.0]]), torch.tensor([0])
    all_alike = nn.CrossEntropyLoss(label_smoothing=1.0)(x, target)
    assert torch.allclose(all_alike, -x.log_softmax(1).mean())
    with says(RuntimeError, "label_smoothing must be between 0.0 and 1.0. Got: 1.5"):
        nn.CrossEntropyLoss(label_smoothing=1.5)(x, target)


def test_a_class_of_minus_100_does_not_count(torch, nn):
    x = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
    for loss in (nn.CrossEntropyLoss(), nn.NLLLoss()):
        assert loss(x, torch.tensor([-100, 0])).item() == loss(x[1:], torch.tensor([0])).item()


@pytest.mark.parametrize("places", [(), (4,), (2, 3), (2, 1, 3)])
def test_each_place_has_its_loss(torch, nn, places):
    x, target = torch.ones(2, 3, *places), torch.zeros(2, *places, dtype=torch.int64)
    assert nn.NLLLoss(reduction="none")(x, target).tolist() == (target - 1.0).tolist()


def test_binary_cross_entropy_of_what_is_sure_is_bounded(torch, nn):
    loss = nn.BCELoss(reduction="none")(torch.tensor([0.0, 1.0, 1.0]), torch.tensor([1.0, 1.0, 0.0]))
    assert loss.tolist() == [100, 0, 100]


@pytest.mark.parametrize("name", ["binary_cross_entropy", "binary_cross_entropy_with_logits"])
def test_each_binary_cross_entropy_can_have_its_weight(torch, nn, name):
    function, x, target = getattr(nn.functional, name), torch.tensor([0.5, 0.5]), torch.tensor([1.0, 0.0])
    first, second = function(x, target, reduction="none").tolist()
    weight = torch.tensor([3.0, 0.5])
    assert function(x, target, weight, reduction="none").tolist() == pytest.approx([3 * first, second / 2])
    assert function(x, target, weight).item() == pytest.approx((3 * first + second / 2) / 2)


@pytest.mark.parametrize("loss", ["MSELoss", "L1Loss", "SmoothL1Loss", "BCELoss", "BCEWithLogitsLoss"])
def test_an_unknown_reduction_is_an_error(torch, nn, loss):
    with says(ValueError, "average is not a valid value for reduction"):
        getattr(nn, loss)(reduction="average")(torch.ones(2), torch.ones(2))
    with says(ValueError, "average is not a valid value for reduction"):
        nn.NLLLoss(reduction="average")(torch.ones(1, 2), torch.tensor([0]))


@pytest.mark.parametrize("loss", ["MSELoss", "SmoothL1Loss", "CrossEntropyLoss"])
def test_the_mean_by_the_name_that_it_had_in_2018(torch, nn, loss):
    x, target = torch.tensor([[1.0, 3.0], [2.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    with warns():
        layer = getattr(nn, loss)(reduction="elementwise_mean")
    with warns("reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead."):
        assert layer(x, target).equal(getattr(nn, loss)()(x, target))


# Layers by their functions


def test_dropout_trains_unless_told_otherwise_and_leaves_its_input(torch, nn):
    x = torch.ones(10_000)
    y = nn.functional.dropout(x)
    assert set(y.tolist()) == {0, 2} and 0.9 < y.mean().item() < 1.1 and x.sum().item() == 10_000


def test_batch_norm_takes_what_it_has_learned_unless_it_trains(torch, nn):
    x, mean, var = torch.tensor([[1.0], [3.0]]), torch.tensor([1.0]), torch.tensor([4.0])
    y = nn.functional.batch_norm(x, mean, var)
    assert y.flatten().tolist() == pytest.approx([0, 1], abs=1e-5) and (mean.item(), var.item()) == (1, 4)


def test_batch_norm_without_momentum_averages_all_batches(torch, nn):
    norm = nn.BatchNorm1d(1, momentum=None)
    for mean in (1.0, 2.0, 6.0):
        norm(torch.tensor([[mean - 1], [mean + 1]]))
    assert norm.running_mean.item() == pytest.approx(3) and norm.running_var.item() == pytest.approx(2)


@pytest.mark.parametrize("name, first", [("max_pool2d", [5, 7, 13, 15]), ("avg_pool2d", [2.5, 4.5, 10.5, 12.5])])
def test_a_pool_takes_a_single_image(torch, nn, name, first):
    y = getattr(nn.functional, name)(torch.arange(32.0).view(2, 4, 4), 2)
    assert y.shape == (2, 2, 2) and y.flatten().tolist() == [*first, *(n + 16 for n in first)]
    if name == "max_pool2d":
        with says(RuntimeError, "non-empty 3D or 4D (batch mode) tensor expected for input"):
            nn.functional.max_pool2d(torch.ones(1, 1, 1, 4, 4), 2)


def test_a_convolution_may_have_places_beside_its_image(torch, nn):
    one = torch.ones(1, 1, 1)
    assert nn.functional.conv1d(one, one, padding=2).flatten().tolist() == [0, 0, 1, 0, 0]
    with says(RuntimeError, "non-positive groups is not supported"):
        nn.functional.conv1d(one, one, groups=0)


def test_what_a_loss_compares_may_lie_in_any_order(torch, nn):
    x, target = torch.arange(48.0).reshape(2, 2, 2, 2, 3).permute(4, 3, 2, 1, 0), torch.zeros(3, 2, 2, 2).long()
    right = nn.functional.cross_entropy(x.contiguous(), target)
    assert torch.equal(nn.functional.cross_entropy(x, target), right)


def test_an_embedding_takes_int32_and_nothing_at_all(torch, nn):
    table = nn.Embedding(3, 2, padding_idx=-3)
    assert table.padding_idx == 0
    assert table(torch.tensor([2], dtype=torch.int32)).equal(table.weight[2:])
    assert table(torch.zeros(0, dtype=torch.int64)).shape == (0, 2)
    assert nn.functional.one_hot(torch.zeros(0, dtype=torch.int64), 3).shape == (0, 3)


# Recurrent


def test_rnn_gives_the_output_and_the_last_hidden_state(torch, nn):
    output, h = nn.RNN(1, 4, 2)(torch.ones(5, 3, 1))
    assert output.shape == (5, 3, 4) and h.shape == (2, 3, 4) and torch.equal(output[-1], h[-1])
    output, h = nn.RNN(1, 4, batch_first=True)(torch.ones(3, 5, 1))
    assert output.shape == (3, 5, 4) and h.shape == (1, 3, 4)
    output, h = nn.RNN(1, 4)(torch.ones(5, 1), torch.zeros(1, 4))
    assert output.shape == (5, 4) and h.shape == (1, 4)


def test_rnn_without_a_hidden_state_starts_at_zeros(torch, nn):
    rnn, x = nn.RNN(1, 4), torch.ones(5, 3, 1)
    assert torch.equal(rnn(x)[0], rnn(x, torch.zeros(1, 3, 4))[0])


@pytest.mark.parametrize("nonlinearity", ["tanh", "relu"])
def test_rnn_computes_its_formula(torch, nn, nonlinearity):
    rnn, x = nn.RNN(2, 3, nonlinearity=nonlinearity), torch.tensor([[[1.0, 2.0]], [[-1.0, 0.5]]])
    h = torch.zeros(1, 3)
    for step in x:
        h = step @ rnn.weight_ih_l0.T + rnn.bias_ih_l0 + h @ rnn.weight_hh_l0.T + rnn.bias_hh_l0
        h = getattr(h, nonlinearity)()
    assert torch.allclose(rnn(x)[1][0], h, atol=1e-6)


def test_a_step_at_a_time_is_the_same_as_all_at_once(torch, nn):
    rnn, x = nn.RNN(1, 4), torch.arange(5.0).view(5, 1, 1)
    h = None
    for step in x:
        output, h = rnn(step[None], h)
    assert torch.allclose(rnn(x)[1], h, atol=1e-6)


def test_recurrent_parameters_have_pytorchs_names(nn):
    assert [n for n, _ in nn.RNN(1, 4).named_parameters()] == [
        "weight_ih_l0",
        "weight_hh_l0",
        "bias_ih_l0",
        "bias_hh_l0",
    ]
    assert [n for n, _ in nn.RNN(1, 4, 2, bias=False).named_parameters()] == [
        "weight_ih_l0",
        "weight_hh_l0",
        "weight_ih_l1",
        "weight_hh_l1",
    ]


@pytest.mark.parametrize(
    "error, text, call",
    [
        (
            RuntimeError,
            "input.size(-1) must be equal to input_size. Expected 1, got 2",
            lambda t: t.nn.RNN(1, 4)(t.ones(1, 3, 2)),
        ),
        (
            RuntimeError,
            "Expected hidden size (1, 1, 4), got [1, 2, 4]",
            lambda t: t.nn.RNN(1, 4, batch_first=True)(t.ones(1, 3, 1), t.ones(1, 2, 4)),
        ),
        (
            RuntimeError,
            "Expected hidden size (2, 3, 4), got [1, 3, 4]",
            lambda t: t.nn.RNN(1, 4, 2)(t.ones(1, 3, 1), t.ones(1, 3, 4)),
        ),
        (
            RuntimeError,
            "For unbatched 2-D input, hx should also be 2-D but got 3-D tensor",
            lambda t: t.nn.RNN(1, 4)(t.ones(3, 1), t.ones(1, 2, 4)),
        ),
        (
            RuntimeError,
            "For batched 3-D input, hx should also be 3-D but got 2-D tensor",
            lambda t: t.nn.RNN(1, 4)(t.ones(3, 1, 1), t.ones(1, 4)),
        ),
        (
            ValueError,
            "RNN: Expected input to be 2D or 3D, got 1D tensor instead",
            lambda t: t.nn.RNN(1, 4)(t.ones(3)),
        ),
        (
            ValueError,
            "Unknown nonlinearity 'foo'. Select from 'tanh' or 'relu'.",
            lambda t: t.nn.RNN(1, 4, nonlinearity="foo"),
        ),
        (ValueError, "hidden_size must be greater than zero", lambda t: t.nn.RNN(1, 0)),
        (ValueError, "num_layers must be greater than zero", lambda t: t.nn.RNN(1, 4, 0)),
        (TypeError, "hidden_size should be of type int, got: float", lambda t: t.nn.RNN(1, 2.5)),
        (
            ValueError,
            "RNN input dtype (torch.float64) does not match weight dtype (torch.float32). Convert input: "
            "input.to(torch.float32), or convert model: model.to(torch.float64)",
            lambda t: t.nn.RNN(1, 4)(t.ones(3, 2, 1).double()),
        ),
    ],
)
def test_what_rnn_refuses(torch, error, text, call):
    with says(error, text):
        call(torch)


def nodes_behind(tensor):
    """How many graph nodes a tensor's gradient would pass through, the leaves' included."""
    seen, todo = set(), [tensor.grad_fn]
    while todo:
        node = todo.pop()
        if node is not None and node not in seen:
            seen.add(node)
            todo += [next_node for next_node, _ in node.next_functions]
    return len(seen)


@pytest.mark.parametrize("steps, nodes", [(10, 84), (20, 154), (30, 224)])
def test_the_posts_rnn_grows_by_seven_nodes_a_time_step(torch, nn, steps, nodes):
    rnn, out = nn.RNN(1, 32, batch_first=True), nn.Linear(32, 1)
    output, h = rnn(torch.ones(1, steps, 1), None)
    prediction = torch.stack([out(output[:, step, :]) for step in range(steps)], dim=1)
    assert nodes_behind(nn.MSELoss()(prediction, torch.ones(1, steps, 1))) == nodes


def test_the_outputs_of_an_rnn_have_pytorchs_nodes(torch, nn):
    output, h = nn.RNN(1, 4)(torch.ones(3, 2, 1))
    assert output.grad_fn.name() == h.grad_fn.name() == "StackBackward0"
    assert nn.RNN(1, 4, batch_first=True)(torch.ones(2, 3, 1))[0].grad_fn.name() == "TransposeBackward1"


def test_data_of_a_hidden_state_cuts_the_graph_between_iterations(torch, nn):
    rnn, h = nn.RNN(1, 4), None
    for _ in range(2):
        output, h = rnn(torch.ones(3, 1, 1), h)
        output.sum().backward()
        h = h.data
    assert not h.requires_grad


def test_without_the_cut_the_second_backward_runs_into_the_first_graph(torch, nn):
    rnn = nn.RNN(1, 4)
    output, h = rnn(torch.ones(3, 1, 1))
    output.sum().backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        rnn(torch.ones(3, 1, 1), h)[0].sum().backward()


def test_the_cosine_of_vectors_that_are_broadcast_is_never_above_1(torch):
    x = torch.tensor([[3.0, 0.0], [4.0, 1.0]])
    cosine = torch.nn.functional.cosine_similarity
    assert torch.allclose(cosine(x, torch.tensor([[1.0, 2.0]]), 0), torch.tensor([0.9899495, 0.70710678]))
    assert torch.allclose(cosine(x, torch.tensor([1.0, 0.0]), 1), torch.tensor([1.0, 0.9701425]))


def names_behind(tensor):
    """The names of all nodes behind a tensor."""
    names, waiting = set(), [tensor.grad_fn]
    while waiting:
        if (node := waiting.pop()) is not None:
            names.add(node.name())
            waiting += [node for node, _ in node.next_functions]
    return names


@pytest.mark.parametrize("kind", ["LSTMCell", "GRUCell", "GRU"])
def test_the_node_that_cuts_gates_apart_has_pytorchs_name(torch, kind):
    x = torch.ones(2, 4, requires_grad=True)
    out = getattr(torch.nn, kind)(4, 3)(x)
    names = names_behind(out if kind == "GRUCell" else out[0])
    assert "UnsafeSplitBackward0" in names and "SplitBackward0" not in names


def test_the_node_of_packed_rows_has_pytorchs_name(torch):
    x = torch.ones(3, 2, 4, requires_grad=True)
    packed = torch.nn.utils.rnn.pack_padded_sequence(x, [3, 2])
    assert packed.data.grad_fn.name() == "PackPaddedSequenceBackward0"
    packed.data.sum().backward()
    assert x.grad.sum(2).tolist() == [[4.0, 4.0], [4.0, 4.0], [4.0, 0.0]]

"""`nn`: modules and what they print, hold and refuse."""

from collections import OrderedDict

import pytest
from saying import says, warns


@pytest.fixture
def nn(torch):
    return torch.nn


@pytest.fixture
def net(torch, nn):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.rnn = nn.RNN(input_size=1, hidden_size=4, num_layers=1, batch_first=True)
            self.out = nn.Linear(4, 1)

        def forward(self, x):
            output, _ = self.rnn(x)
            return self.out(output)

    torch.manual_seed(1)
    return Net()


# What a module prints


def test_a_module_prints_its_tree(nn, net):
    assert repr(net) == (
        "Net(\n  (rnn): RNN(1, 4, batch_first=True)\n  (out): Linear(in_features=4, out_features=1, bias=True)\n)"
    )


@pytest.mark.parametrize(
    "text, make",
    [
        ("Linear(in_features=3, out_features=4, bias=False)", lambda nn: nn.Linear(3, 4, bias=False)),
        ("RNN(1, 4, num_layers=2)", lambda nn: nn.RNN(1, 4, 2)),
        ("RNN(1, 4)", lambda nn: nn.RNN(1, 4, nonlinearity="relu")),
        ("Embedding(10, 3)", lambda nn: nn.Embedding(10, 3)),
        ("Dropout(p=0.5, inplace=False)", lambda nn: nn.Dropout()),
        (
            "BatchNorm1d(3, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)",
            lambda nn: nn.BatchNorm1d(3),
        ),
        ("ReLU()", lambda nn: nn.ReLU()),
        ("Tanh()", lambda nn: nn.Tanh()),
        ("Sigmoid()", lambda nn: nn.Sigmoid()),
        ("MSELoss()", lambda nn: nn.MSELoss()),
        ("CrossEntropyLoss()", lambda nn: nn.CrossEntropyLoss()),
        ("Module()", lambda nn: nn.Module()),
        ("Sequential()", lambda nn: nn.Sequential()),
        ("Sequential(\n  (0): ReLU()\n  (1): Tanh()\n)", lambda nn: nn.Sequential(nn.ReLU(), nn.Tanh())),
        (
            "Sequential(\n  (0): Sequential(\n    (0): ReLU()\n  )\n)",
            lambda nn: nn.Sequential(nn.Sequential(nn.ReLU())),
        ),
        ("Sequential(\n  (act): ReLU()\n)", lambda nn: nn.Sequential(OrderedDict(act=nn.ReLU()))),
    ],
)
def test_modules_print_as_in_pytorch(nn, text, make):
    assert repr(make(nn)) == text


@pytest.mark.parametrize(
    "text, make",
    [
        ("LSTM(1, 4)", lambda nn: nn.LSTM(1, 4)),
        ("GRU(1, 4, bias=False)", lambda nn: nn.GRU(1, 4, bias=False)),
        ("RNNCell(1, 4)", lambda nn: nn.RNNCell(1, 4)),
        (
            "RNN(1, 4, num_layers=2, batch_first=True, bidirectional=True)",
            lambda nn: nn.RNN(1, 4, 2, batch_first=True, bidirectional=True),
        ),
        ("ModuleList(\n  (0): ReLU()\n  (1): Tanh()\n)", lambda nn: nn.ModuleList([nn.ReLU(), nn.Tanh()])),
        ("ModuleList(\n  (0-1): 2 x ReLU()\n)", lambda nn: nn.ModuleList([nn.ReLU(), nn.ReLU()])),
        ("LayerNorm((3,), eps=1e-05, elementwise_affine=True, bias=True)", lambda nn: nn.LayerNorm(3)),
        ("Conv2d(1, 2, kernel_size=(3, 3), stride=(1, 1))", lambda nn: nn.Conv2d(1, 2, 3)),
        (
            "MaxPool2d(kernel_size=2, stride=2, padding=0, dilation=1, ceil_mode=False)",
            lambda nn: nn.MaxPool2d(2),
        ),
        ("LeakyReLU(negative_slope=0.01)", lambda nn: nn.LeakyReLU()),
        ("Softmax(dim=1)", lambda nn: nn.Softmax(dim=1)),
    ],
)
def test_further_modules_print_as_in_pytorch(nn, text, make):
    assert repr(make(nn)) == text


def test_a_module_may_say_more_of_itself(nn):
    class Scaled(nn.Module):
        def extra_repr(self):
            return "scale=2"

    assert repr(Scaled()) == "Scaled(scale=2)"


def test_a_parameter_prints_as_one(torch, nn):
    assert repr(nn.Parameter(torch.ones(2))) == "Parameter containing:\ntensor([1., 1.], requires_grad=True)"


# What it holds


def test_parameters_come_in_the_order_of_assignment_with_dotted_names(net):
    names = "rnn.weight_ih_l0 rnn.weight_hh_l0 rnn.bias_ih_l0 rnn.bias_hh_l0 out.weight out.bias".split()
    assert [name for name, _ in net.named_parameters()] == names == list(net.state_dict())
    assert [name for name, _ in net.named_modules()] == ["", "rnn", "out"]
    assert [name for name, _ in net.named_children()] == ["rnn", "out"]


def test_a_parameter_is_a_tensor_that_requires_grad(torch, nn):
    p = nn.Parameter(torch.ones(2))
    assert isinstance(p, torch.Tensor) and p.requires_grad and p.is_leaf
    assert not nn.Parameter(torch.ones(2), requires_grad=False).requires_grad
    assert not isinstance(torch.ones(2), nn.Parameter)


def test_a_shared_parameter_counts_once(nn):
    layer = nn.Linear(2, 2)
    assert len(list(nn.Sequential(layer, nn.ReLU(), layer).parameters())) == 2


def test_what_is_assigned_is_registered_by_its_kind(torch, nn):
    m = nn.Module()
    m.weight, m.layer, m.note, m.tensor = nn.Parameter(torch.ones(1)), nn.ReLU(), "text", torch.ones(1)
    m.register_buffer("average", torch.zeros(1))
    m.register_parameter("missing", None)
    assert [n for n, _ in m.named_parameters()] == ["weight"] and [n for n, _ in m.named_buffers()] == ["average"]
    assert list(m.state_dict()) == ["weight", "average"] and list(m.children()) == [m.layer]
    del m.weight
    m.layer = None
    assert list(m.parameters()) == [] and m.missing is None


@pytest.mark.parametrize(
    "error, text, do",
    [
        (
            TypeError,
            "cannot assign 'int' as parameter 'p' (torch.nn.Parameter or None expected)",
            lambda t, m: setattr(m, "p", 3),
        ),
        (AttributeError, "'Module' object has no attribute 'foo'", lambda t, m: m.foo),
        (KeyError, "'parameter name can\\'t contain \".\"'", lambda t, m: m.register_parameter("a.b", None)),
        (
            TypeError,
            "cannot assign 'torch.FloatTensor' object to parameter 'a' (torch.nn.Parameter or None required)",
            lambda t, m: m.register_parameter("a", t.ones(1)),
        ),
        (
            TypeError,
            "cannot assign 'int' object to buffer 'a' (torch Tensor or None required)",
            lambda t, m: m.register_buffer("a", 3),
        ),
        (TypeError, "int is not a Module subclass", lambda t, m: m.add_module("a", 3)),
        (NotImplementedError, 'Module [Module] is missing the required "forward" function', lambda t, m: m(3)),
        (ValueError, "training mode is expected to be boolean", lambda t, m: m.train(3)),
        (TypeError, "int is not a Module subclass", lambda t, m: t.nn.Sequential(3)),
        (IndexError, "index 1 is out of range", lambda t, m: t.nn.Sequential(m)[1]),
        (TypeError, "Expected state_dict to be dict-like, got <class 'int'>.", lambda t, m: m.load_state_dict(3)),
    ],
)
def test_what_a_module_refuses(torch, nn, error, text, do):
    m = nn.Module()
    m.p = nn.Parameter(torch.ones(1))
    with says(error, text):
        do(torch, m)


@pytest.mark.parametrize(
    "text, assign",
    [
        ("cannot assign module before Module.__init__() call", lambda t, m: setattr(m, "a", t.nn.ReLU())),
        (
            "cannot assign parameters before Module.__init__() call",
            lambda t, m: setattr(m, "a", t.nn.Parameter(t.ones(1))),
        ),
    ],
)
def test_forgetting_super_init_is_told(torch, nn, text, assign):
    class Forgetful(nn.Module):
        def __init__(self):
            assign(torch, self)

    with says(AttributeError, text):
        Forgetful()


def test_train_and_eval_reach_every_child(nn):
    model = nn.Sequential(nn.Dropout(), nn.Sequential(nn.BatchNorm1d(2)))
    assert model.eval() is model and not model[1][0].training
    assert model.train() is model and model[1][0].training and not model.train(False)[0].training


def test_apply_visits_children_first(nn):
    seen = []
    model = nn.Sequential(nn.ReLU(), nn.Tanh())
    assert model.apply(lambda m: seen.append(type(m).__name__)) is model
    assert seen == ["ReLU", "Tanh", "Sequential"]


def test_zero_grad_sets_none_or_zeros(torch, nn):
    model = nn.Linear(2, 1)
    model(torch.ones(1, 2)).backward()
    model.zero_grad(set_to_none=False)
    assert model.weight.grad.tolist() == [[0, 0]]
    model.zero_grad()
    assert model.weight.grad is None


def test_requires_grad_and_dtype_of_a_whole_module(torch, nn):
    model = nn.Linear(2, 1)
    weight = model.weight
    assert not any(p.requires_grad for p in model.requires_grad_(False).parameters())
    assert model.double().weight.dtype == torch.float64 and model.weight is weight
    assert model.to(torch.float32).weight.dtype == torch.float32 and model.float() is model


def test_sequential_is_a_list_of_modules(torch, nn):
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    assert len(model) == 3 and model[-1] is list(model)[2] and isinstance(model[:2], nn.Sequential)
    assert [n for n, _ in model.named_parameters()] == ["0.weight", "0.bias", "2.weight", "2.bias"]
    assert model(torch.ones(5, 2)).shape == (5, 1)


def test_a_state_dict_shares_memory_and_needs_no_gradient(torch, nn):
    model = nn.Linear(2, 1)
    state = model.state_dict()
    assert isinstance(state, OrderedDict) and not state["weight"].requires_grad
    with torch.no_grad():
        model.weight.fill_(7)
    assert state["weight"].tolist() == [[7, 7]]


def test_loading_a_state_dict_copies_values_into_the_same_parameters(torch, nn):
    model, other = nn.Linear(2, 1), nn.Linear(2, 1)
    weight = model.weight
    assert repr(model.load_state_dict(other.state_dict())) == "<All keys matched successfully>"
    assert model.weight is weight and torch.equal(weight, other.weight) and weight.requires_grad
    with torch.no_grad():
        other.weight.add_(1)
    assert not torch.equal(weight, other.weight)


@pytest.mark.parametrize(
    "complaint, change",
    [
        ('\tMissing key(s) in state_dict: "bias". ', lambda t, s: s.pop("bias")),
        ('\tUnexpected key(s) in state_dict: "foo". ', lambda t, s: s.update(foo=t.ones(1))),
        (
            "\tsize mismatch for weight: copying a param with shape torch.Size([3]) from checkpoint, the shape "
            "in current model is torch.Size([1, 2]).",
            lambda t, s: s.update(weight=t.ones(3)),
        ),
    ],
)
def test_a_state_dict_that_does_not_fit(torch, nn, complaint, change):
    model = nn.Linear(2, 1)
    state = OrderedDict(model.state_dict())
    change(torch, state)
    with says(RuntimeError, f"Error(s) in loading state_dict for Linear:\n{complaint}"):
        model.load_state_dict(state)


def test_a_state_dict_may_fit_in_part(torch, nn):
    keys = nn.Linear(2, 1).load_state_dict({"weight": torch.ones(1, 2), "foo": torch.ones(1)}, strict=False)
    assert keys.missing_keys == ["bias"] and keys.unexpected_keys == ["foo"]


def test_calling_a_module_runs_forward_and_its_hooks(torch, nn):
    seen, model = [], nn.ReLU()
    model.register_forward_pre_hook(lambda module, inputs: seen.append(("before", len(inputs))))
    handle = model.register_forward_hook(lambda module, inputs, output: seen.append(("after", output.tolist())))
    model(torch.tensor([-1.0, 2.0]))
    handle.remove()
    model(torch.tensor([1.0]))
    assert seen == [("before", 1), ("after", [0, 2]), ("before", 1)]


# Layers


@pytest.mark.parametrize(
    "shape, nodes",
    [
        ((2, 3), "AddmmBackward0"),
        ((3,), "ViewBackward0"),
        ((2, 2, 3), "ViewBackward0"),
    ],
)
def test_linear_takes_any_number_of_dimensions(torch, nn, shape, nodes):
    y = nn.Linear(3, 4)(torch.ones(shape))
    assert y.shape == (*shape[:-1], 4) and y.grad_fn.name() == nodes


@pytest.mark.parametrize("dims, rows", [((2,), 2), ((), 1), ((2, 2), 4)])
def test_linear_tells_the_shapes_that_do_not_fit(torch, nn, dims, rows):
    with says(RuntimeError, f"mat1 and mat2 shapes cannot be multiplied ({rows}x5 and 3x4)"):
        nn.Linear(3, 4)(torch.ones(*dims, 5))


def test_linear_wants_its_own_dtype(torch, nn):
    with says(RuntimeError, "mat1 and mat2 must have the same dtype, but got Double and Float"):
        nn.Linear(3, 4)(torch.ones(2, 3).double())


def test_linear_wants_a_tensor(nn):
    with says(TypeError, "linear(): argument 'input' (position 1) must be Tensor, not int"):
        nn.Linear(3, 4)(3)


def test_initial_parameters_lie_within_one_over_the_root(nn):
    for model, bound in ((nn.Linear(16, 8), 1 / 4), (nn.RNN(3, 16), 1 / 4)):
        for p in model.parameters():
            assert -bound <= p.min().item() and p.max().item() <= bound and p.abs().max().item() > bound / 2


def test_a_layer_may_have_no_inputs_or_no_outputs(torch, nn):
    with warns("Initializing zero-element tensors is a no-op"):
        assert nn.Linear(0, 3)(torch.ones(2, 0)).tolist() == [[0, 0, 0], [0, 0, 0]]
    with warns("Initializing zero-element tensors is a no-op"):
        assert nn.Linear(3, 0)(torch.ones(2, 3)).shape == (2, 0)


def test_embedding_picks_rows(torch, nn):
    e = nn.Embedding(10, 3, padding_idx=0)
    y = e(torch.tensor([[1, 1], [0, 9]]))
    assert y.shape == (2, 2, 3) and y[1, 0].tolist() == [0, 0, 0] and y.grad_fn.name() == "EmbeddingBackward0"
    y.sum().backward()
    assert e.weight.grad[:, 0].tolist() == [0, 2, 0, 0, 0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize("places", [[1], [2, 0, 2]])
def test_what_was_looked_up_can_be_differentiated_twice(torch, nn, places):
    for look_up in (torch.nn.functional.embedding, lambda index, table: table.index_select(0, index)):
        e = torch.ones(3, 2, requires_grad=True)
        (first,) = torch.autograd.grad((look_up(torch.tensor(places), e) ** 2).sum(), e, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), e)
        assert first.tolist() == second.tolist() == [[2.0 * places.count(i)] * 2 for i in range(3)]


@pytest.mark.parametrize(
    "error, text, make",
    [
        (IndexError, "index out of range in self", lambda t: t.nn.Embedding(10, 3)(t.tensor([10]))),
        (
            RuntimeError,
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            "torch.FloatTensor instead (while checking arguments for embedding)",
            lambda t: t.nn.Embedding(10, 3)(t.ones(1)),
        ),
        (ValueError, "dropout probability has to be between 0 and 1, but got 2", lambda t: t.nn.Dropout(2)),
        (
            RuntimeError,
            "mixed dtype (CPU): all inputs must share same datatype.",
            lambda t: t.nn.functional.layer_norm(t.ones(2, 3).double(), (3,), t.ones(3)),
        ),
        (
            RuntimeError,
            "mixed dtype (CPU): expect parameter to have scalar type of Float",
            lambda t: t.nn.functional.layer_norm(t.ones(2, 3), (3,), t.ones(3).double()),
        ),
        (
            RuntimeError,
            "mixed dtype (CPU): all inputs must share same datatype.",
            lambda t: t.nn.functional.batch_norm(t.ones(2, 3).double(), None, None, t.ones(3), training=True),
        ),
        (
            RuntimeError,
            "mixed dtype (CPU): all inputs must share same datatype.",
            lambda t: t.nn.BatchNorm1d(3).eval()(t.ones(2, 3).double()),
        ),
        (
            ValueError,
            "Expected more than 1 value per channel when training, got input size torch.Size([1, 3])",
            lambda t: t.nn.BatchNorm1d(3)(t.ones(1, 3)),
        ),
        (ValueError, "expected 2D or 3D input (got 1D input)", lambda t: t.nn.BatchNorm1d(3)(t.ones(3))),
        (RuntimeError, "running_mean should contain 4 elements not 3", lambda t: t.nn.BatchNorm1d(3)(t.ones(2, 4))),
    ],
)
def test_what_layers_refuse(torch, error, text, make):
    with says(error, text):
        make(torch)


def test_dropout_scales_what_it_keeps_and_does_nothing_in_eval(torch, nn):
    layer, x = nn.Dropout(0.5), torch.ones(100)
    assert set(layer(x).tolist()) == {0, 2} and layer.eval()(x) is x
    assert nn.Dropout(0.0)(x).tolist() == x.tolist() and nn.Dropout(1.0)(x).sum().item() == 0


def test_batch_norm_normalises_and_remembers(torch, nn):
    layer = nn.BatchNorm1d(2)
    x = torch.tensor([[1.0, 10.0], [3.0, 30.0]])
    y = layer(x)
    assert torch.allclose(y, torch.tensor([[-1.0, -1.0], [1.0, 1.0]]), atol=1e-4)
    assert torch.allclose(layer.running_mean, torch.tensor([0.2, 2.0]))
    assert torch.allclose(layer.running_var, torch.tensor([1.1, 20.9])) and layer.num_batches_tracked.item() == 1
    expected = (x - layer.running_mean) / (layer.running_var + 1e-5).sqrt()
    assert torch.allclose(layer.eval()(x), expected) and layer.num_batches_tracked.item() == 1
    assert list(layer.state_dict()) == ["weight", "bias", "running_mean", "running_var", "num_batches_tracked"]


def test_a_lazy_layer_that_is_loaded_waits_no_more(torch):
    nn, x = torch.nn, torch.ones(5, 3)
    net = nn.Sequential(nn.LazyLinear(4), nn.ReLU(), nn.LazyLinear(2))
    out = net(x)
    other = nn.Sequential(nn.LazyLinear(4), nn.ReLU(), nn.LazyLinear(2))
    assert str(other.load_state_dict(net.state_dict())) == "<All keys matched successfully>"
    assert other[0].weight.shape == (4, 3) and torch.equal(other(x), out) and other[0].in_features == 3
    assert repr(other[2]) == "Linear(in_features=4, out_features=2, bias=True)"


def test_parameters_is_a_generator_function(torch):
    assert repr(torch.nn.Linear(1, 1).parameters()).startswith("<generator object Module.parameters at 0x")


@pytest.mark.parametrize("kind", ["Module", "ReLU", "Sequential", "Linear"])
def test_a_module_that_forgot_its_super_init_says_so_when_called(torch, nn, kind):
    class Net(getattr(nn, kind)):
        def __init__(self):
            pass

        def forward(self, x):
            return x

    with says(AttributeError, "'Net' object has no attribute '_backward_hooks'"):
        Net()(torch.ones(1))


def test_what_names_the_parts_of_a_module_prints_as_a_generator_of_its_own_name(torch):
    model = torch.nn.Linear(1, 1)
    for (
        name
    ) in "parameters named_parameters buffers named_buffers children named_children modules named_modules".split():
        assert repr(getattr(model, name)()).startswith(f"<generator object Module.{name} at "), name

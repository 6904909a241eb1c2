"""What people pass to viz that is not quite right gets a sentence, and what they are used to is taken."""

import pytest

import minigrad
import viz
from viz.graph.names import plain


def product(torch):
    w = torch.tensor([2.0], requires_grad=True)
    return w * w, w


@pytest.mark.parametrize("function", [viz.draw, viz.step])
@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["y"], r"names must be a dict \{name: tensor\}, but got a list"),
        ("y", r"names must be a dict \{name: tensor\}, but got a str"),
        ({"y": 3}, r"names\['y'\] must be a tensor, but got int"),
        ({3: None}, r"a name must be a string, but got 3"),
    ],
)
def test_names_that_are_none(torch, function, names, said):
    with pytest.raises(TypeError, match=said):
        function(product(torch)[0], names=names)


def test_names_of_a_recording_are_looked_at_before_it_begins():
    with pytest.raises(TypeError, match="names must be a dict"):
        viz.record(names=["y"])


def test_names_may_be_pairs_as_named_parameters_gives_them(torch):
    net = torch.nn.Linear(2, 1)
    y = net(torch.ones(1, 2))
    for names in (dict(net.named_parameters()), net.named_parameters()):
        drawn = {node.name for node in viz.draw(y, names=names).graph.nodes}
        assert {"weight", "bias"} <= drawn


def test_params_are_what_torchviz_calls_names(torch):
    """make_dot(y, params=…) names these; the reader's variables are found besides."""
    net = torch.nn.Linear(2, 1)
    y = net(torch.ones(1, 2)).sum()
    drawn = {node.name for node in viz.draw(y, params=dict(net.named_parameters())).graph.nodes}
    assert {"weight", "bias", "y"} <= drawn
    with pytest.raises(TypeError, match="params must be a dict"):
        viz.draw(y, params=["weight"])


@pytest.mark.parametrize("options", [{"fps": 0}, {"fps": -1}, {"keep": 0}, {"keep": 1.5}, {"fps": "fast"}])
def test_a_live_plot_that_would_show_nothing(options):
    ((name, value),) = options.items()
    with pytest.raises(ValueError, match=f"{name} must be .*, but got {value!r}"):
        viz.live(**options)


def test_an_unknown_unfold(torch):
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 3))
    for fold in (True, False, "auto"):
        with pytest.raises(ValueError, match="nothing here is called '4': there are '0: Linear', '1: Tanh'"):
            viz.draw(net, torch.ones(4, 2), fold=fold, unfold="4")
        assert viz.draw(net, torch.ones(4, 2), fold=fold, unfold="0").graph.clusters
    with pytest.raises(ValueError, match="nothing here is called 'mul': nothing was folded"):
        viz.draw(product(torch)[0], unfold="mul")
    with pytest.raises(TypeError, match="unfold must be the name of a box, or several, but got 3"):
        viz.draw(net, torch.ones(4, 2), unfold=3)


def test_several_boxes_can_stay_unfolded(torch):
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 3), torch.nn.Linear(3, 1))
    drawn = viz.draw(net, torch.ones(4, 2), fold=True, unfold=["0", "3: Linear"])
    assert {node.name for node in drawn.graph.nodes if node.kind == "folded"} == {"2: Linear"}


def test_the_clinics_first_argument_is_no_language():
    with pytest.raises(TypeError, match=r"clinic\(lang='en'\)"):
        viz.clinic("en")


def test_a_tensor_without_a_graph(torch):
    with pytest.raises(ValueError, match="has no graph: it does not require grad"):
        viz.draw(torch.ones(2))
    with torch.no_grad():
        y = product(torch)[0]
    with pytest.raises(ValueError, match="no_grad"):
        viz.draw(y)
    w = torch.ones(2, requires_grad=True)
    assert [node.kind for node in viz.draw(w).graph.nodes] == ["leaf"]
    assert len(viz.draw(torch.ones(2), show="storage").graph.nodes) == 1  # who shares memory may be asked of any


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda y, net: [[y]], r"got list\. Pass the tensors one by one: draw\(\*tensors\)$"),
        (lambda y, net: [(y, y)], r"got tuple\. Pass the tensors one by one"),
        (lambda y, net: [{"y": y}], r"got dict\. Pass the tensors one by one: draw\(\*tensors\.values\(\)\)$"),
        (lambda y, net: [y.grad_fn], r"got MulBackward0\. Pass the tensor that has this grad_fn$"),
        (lambda y, net: [type(net), y], r"got type\. Pass an object of the class: draw\(Linear\(…\), x\)$"),
        (lambda y, net: [y, net], "got Linear$"),
        (lambda y, net: [3], "got int$"),
    ],
)
def test_what_has_no_graph_is_told_what_has_one(torch, make, said):
    """Each thing is looked at once: nothing is refused by one reader in the words of another."""
    with pytest.raises(TypeError, match=r"draw\(\) shows the graph behind tensors, but " + said):
        viz.draw(*make(product(torch)[0], torch.nn.Linear(2, 1)))


def test_a_session_is_told_what_can_be_drawn():
    import minigrad.static as tf

    with tf.Graph().as_default() as graph, tf.Session() as session:
        doubled = tf.constant(1.0) * 2.0
        with pytest.raises(TypeError, match=r"got Session\. Pass session\.graph, or session\.plan\(…\)"):
            viz.draw(session)
        with pytest.raises(TypeError, match="a whole graph is drawn alone"):
            viz.draw(doubled, graph)


@pytest.mark.parametrize("name", ["after", "block", "reach", "control_inputs", "get_operations", "plan", "graph"])
def test_a_module_may_call_its_parts_as_a_static_graph_does(torch, name):
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            setattr(self, name, torch.nn.Linear(2, 1))

        def forward(self, x):
            return getattr(self, name)(x)

    drawn = viz.draw(Net(), torch.ones(4, 2))
    assert [node.name for node in drawn.graph.nodes if node.kind == "operator"] == ["TBackward0", "AddmmBackward0"]


def test_a_function_may_be_called_with_what_jit_gives(torch):
    doubled = minigrad.jit(lambda x: x * 2)
    drawn = viz.draw(lambda x, f: x * len(repr(type(f))), product(torch)[1], doubled)
    assert [node.name for node in drawn.graph.nodes if node.kind == "operator"] == ["MulBackward0"]


@pytest.mark.parametrize("name", ["\ud800", "h\x00", "</script>", "权重"])
def test_any_name_can_be_saved(tmp_path, name):
    y, w = product(minigrad)
    viz.step(y, names={name: w}).save(tmp_path / "page.html")
    assert "<svg" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("operator", "called"),
    [
        ("MaxPool2DWithIndicesBackward0", "max_pool2d"),
        ("AvgPool2DBackward0", "avg_pool2d"),
        ("AdaptiveAvgPool2DBackward0", "adaptive_avg_pool2d"),
        ("UpsampleNearest2DBackward0", "upsample_nearest2d"),
        ("NllLoss2DBackward0", "nll_loss2d"),
        ("ConvolutionBackward0", "convolution"),
        ("NativeBatchNormBackward0", "batch_norm"),
        ("NativeLayerNormBackward0", "layer_norm"),
        ("ScaledDotProductFlashAttentionForCpuBackward0", "scaled_dot_product_attention"),
        ("MkldnnRnnLayerBackward0", "rnn_layer"),
        ("ThnnFusedLstmCellBackward0", "lstm_cell"),
        ("PreluKernelBackward0", "prelu"),
        ("LinalgVectorNormBackward0", "vector_norm"),
        ("UnsafeViewBackward0", "view"),
        ("torch::autograd::CopySlices", "CopySlices"),
        ("torch::autograd::AccumulateGrad", "AccumulateGrad"),
        ("BinaryCrossEntropyWithLogitsBackward0", "binary_cross_entropy_with_logits"),
        ("TBackward0", "t"),
        ("Im2ColBackward0", "im2col"),
    ],
)
def test_operators_are_called_as_people_call_them(operator, called):
    assert plain(operator) == called


def test_a_change_in_a_view_is_a_circle_with_its_name(torch):
    y = product(torch)[0].expand(3) * 1
    y[0] = 5.0
    drawn = viz.draw(y)
    assert "CopySlices" in drawn.svg and "torch::autograd" not in drawn.svg

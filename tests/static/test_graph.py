"""Building: names, shapes, scopes, and the errors that are known before anything runs."""

import numpy as np
import pytest

import minigrad.static as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def notes(error):
    return "\n".join(error.value.__notes__)


def test_operators_only_build(graph):
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    assert repr(x * 2) == "<tf.Tensor 'mul:0' shape=(?, 1) dtype=float32>"
    assert [op.name for op in graph.get_operations()] == ["x", "mul/y", "mul"]
    assert str(tf.placeholder(tf.int32)) == 'Tensor("Placeholder:0", dtype=int32)'
    assert repr(x.op) == "<tf.Operation 'x' type=Placeholder>"
    assert x.shape.as_list() == [None, 1] and x.get_shape().ndims == 2
    assert (x.graph, x.op.outputs[0], x.name) == (graph, x, "x:0")


def test_names_are_unique_and_prefixed():
    names = [tf.constant(1.0, name="x").name for _ in range(3)]
    with tf.name_scope("a") as scope:
        names += [scope, tf.constant(1.0, name="x").name, (tf.constant(2.0) + 1.0).name]
        with tf.name_scope("b"):
            names.append(tf.constant(1.0, name="x").name)
    with tf.name_scope("a"):
        names.append(tf.constant(1.0, name="X").name)
    with tf.name_scope(scope):
        names.append(tf.constant(1.0, name="x").name)
    assert names == ["x:0", "x_1:0", "x_2:0", "a/", "a/x:0", "a/add:0", "a/b/x:0", "a_1/X:0", "a/x_1:0"]
    assert tf.constant(1.0, name="x_1").name == "x_1_1:0"


def test_equality_is_identity():
    a = tf.constant(1.0)
    b = tf.constant(1.0)
    assert a == a and a != b and len({a, b}) == 2


def test_shapes_are_worked_out():
    x = tf.placeholder(tf.float32, [None, 1])
    assert tf.reshape(x, [1, -1, 1]).shape.as_list() == [1, None, 1]
    assert (x + tf.ones([5, 4])).shape == [5, 4]
    assert tf.matmul(x, tf.ones([1, 7])).shape.as_list() == [None, 7]
    assert tf.concat([x, x], 1).shape.as_list() == [None, 2]
    assert tf.concat([x, tf.ones([2, 1])], 0).shape.as_list() == [None, 1]
    assert tf.reduce_mean(x, 0, keepdims=True).shape == [1, 1]
    assert tf.reshape(tf.ones([2, 3]), [-1, 2]).shape == [3, 2]
    assert tf.reshape(x, [tf.shape(x)[0], 1, 1]).shape.as_list() == [None, 1, 1]
    assert tf.transpose(tf.ones([2, 3, 4]), [2, 0, 1]).shape == [4, 2, 3]
    assert tf.zeros([2, 5])[0, 1:4:2].shape == [2]
    assert tf.placeholder(tf.float32).shape.ndims is None
    assert tf.one_hot([1, 2], 3).shape == [2, 3]
    assert tf.range(2, 9, 3).shape == [3]


def test_types_as_in_tensorflow():
    i = tf.constant([1, 2, 3])
    assert (i.dtype, tf.constant(1.5).dtype, tf.constant(True).dtype) == (tf.int32, tf.float32, tf.bool)
    assert tf.constant(np.ones(2)).dtype == tf.float64
    assert ((i / 2).dtype, (i // 2).dtype, tf.reduce_mean(i).dtype) == (tf.float64, tf.int32, tf.int32)
    assert (tf.ones([2, 3]) + np.ones((2, 3))).dtype is tf.float32
    assert (np.ones(3, np.float32) * tf.ones([3])).dtype is tf.float32
    assert (tf.float32, str(tf.float32), tf.as_dtype("int64")) == ("float32", "<dtype: 'float32'>", tf.int64)


MISTAKES = [
    (lambda a, b: a + b, "but are 2 and 4 for 'add' (op: 'AddV2') with input shapes: [2,3], [4,5]."),
    (lambda a, b: tf.matmul(a, b), "but are 3 and 4 for 'MatMul' (op: 'MatMul') with input shapes: [2,3], [4,5]."),
    (lambda a, b: tf.matmul(a, tf.ones([3])), "Shape must be rank 2 but is rank 1 for 'MatMul'"),
    (lambda a, b: tf.reshape(a, [4]), "Cannot reshape a tensor with 6 elements to shape [4] (4 elements)"),
    (lambda a, b: tf.concat([a, b], 0), "Dimension 0 in both shapes must be equal, but are 3 and 5. Shapes are"),
    (lambda a, b: tf.stack([a, b]), "but are 2 and 4. Shapes are [2,3] and [4,5]"),
    (lambda a, b: tf.reduce_sum(a, 5), "Invalid reduction dimension 5 for input with 2 dimensions"),
    (lambda a, b: a[2], "slice index 2 of dimension 0 out of bounds"),
    (lambda a, b: a.set_shape([2, 4]), "Shapes (2, 3) and (2, 4) are not compatible"),
    (lambda a, b: tf.losses.mean_squared_error(a[0], a[:1]), "Shapes (1, 3) and (3,) are incompatible"),
    (lambda a, b: tf.constant("text"), "Failed to convert a str"),
]
MISTAKES_OF_TYPE = [
    (lambda a, i: a + i, "Input 'y' of 'AddV2' Op has type int32 that does not match type float32 of argument 'x'."),
    (lambda a, i: i * 2.5, "Expected int32 passed to parameter 'y' of op 'Mul', got 2.5 of type 'float' instead."),
    (lambda a, i: bool(a), "Using a `tf.Tensor` as a Python `bool` is not allowed."),
    (lambda a, i: list(a), "Iterating over a symbolic `tf.Tensor` is not allowed."),
    (lambda a, i: len(a), "len is not well defined for a symbolic Tensor (a:0)."),
    (lambda a, i: a["k"], "Only integers, slices"),
]


@pytest.mark.parametrize(("build", "words"), MISTAKES)
def test_mistakes_known_when_building(build, words):
    with pytest.raises(ValueError) as error:
        build(tf.ones([2, 3], name="a"), tf.ones([4, 5], name="b"))
    assert words in str(error.value)


@pytest.mark.parametrize(("build", "words"), MISTAKES_OF_TYPE)
def test_mistakes_of_type(build, words):
    with pytest.raises(TypeError) as error:
        build(tf.ones([2, 3], name="a"), tf.constant([1, 2, 3]))
    assert words in str(error.value)


def test_an_error_says_which_lines_built_the_inputs():
    first = tf.ones([2, 3], name="first")
    with pytest.raises(ValueError) as error:
        tf.matmul(first, tf.ones([4, 5]))
    assert "'first' (Const) was built at test_graph.py, line" in notes(error)
    assert '`first = tf.ones([2, 3], name="first")`' in notes(error)


def test_graphs_do_not_mix(graph):
    a = tf.constant(1.0)
    with tf.Graph().as_default():
        b = tf.constant(2.0)
    with pytest.raises(ValueError, match="must be from the same graph as"):
        a + b


def test_a_finalized_graph_takes_no_more(graph):
    """The leak that beginners make: an assignment built anew in every turn of a Python loop."""
    w = tf.Variable(1.0)
    tf.global_variables_initializer()
    counts = [len(graph.get_operations())]
    for _ in range(3):
        w.assign(w + 1)
        counts.append(len(graph.get_operations()))
    assert counts == [5, 8, 11, 14]
    graph.finalize()
    with pytest.raises(RuntimeError, match="Graph is finalized and cannot be modified."):
        w.assign(w + 1)


def test_default_graphs():
    mine = tf.Graph()
    with mine.as_default():
        assert tf.get_default_graph() is mine
        with pytest.raises(AssertionError):
            tf.reset_default_graph()
    assert tf.get_default_graph() is not mine


def test_looking_up_by_name(graph):
    a = tf.constant(1.0, name="a")
    assert graph.get_tensor_by_name("a:0") is a and graph.get_operation_by_name("a") is a.op
    with pytest.raises(ValueError, match="The name 'a' refers to an Operation, not a Tensor."):
        graph.get_tensor_by_name("a")
    with pytest.raises(KeyError, match="The operation, 'b', does not exist in the graph."):
        graph.get_tensor_by_name("b:0")
    with pytest.raises(KeyError, match="exists but only has 1 outputs"):
        graph.get_tensor_by_name("a:1")


def test_variables_have_tensorflows_names():
    v = tf.Variable(tf.ones([2]))
    w = tf.Variable(2.0, name="w", trainable=False)
    assert repr(v) == "<tf.Variable 'Variable:0' shape=(2,) dtype=float32_ref>"
    with tf.variable_scope("layer"):
        kernel = tf.get_variable("kernel", [3, 2])
    assert [x.name for x in tf.global_variables()] == ["Variable:0", "w:0", "layer/kernel:0"]
    assert tf.trainable_variables() == [v, kernel]
    assert (w.op.type, w.initializer.type, w.value().name) == ("VariableV2", "Assign", "w/read:0")


def test_get_variable_finds_or_makes():
    first = tf.get_variable("v", [2, 2])
    with pytest.raises(ValueError, match="Variable v already exists, disallowed.") as error:
        tf.get_variable("v", [2, 2])
    assert "line" in notes(error)
    with tf.variable_scope("", reuse=True):
        assert tf.get_variable("v", [2, 2]) is first
        with pytest.raises(ValueError, match="specified shape \\(3,\\) and found shape \\(2, 2\\)"):
            tf.get_variable("v", [3])
        with pytest.raises(ValueError, match="Variable u does not exist"):
            tf.get_variable("u", [2])
    with tf.variable_scope("", reuse=tf.AUTO_REUSE):
        assert tf.get_variable("u", [2]) is tf.get_variable("u", [2])


def test_gradients_of_nothing_are_none():
    x, y = tf.constant(1.0), tf.constant(2.0)
    assert tf.gradients(x * 2, [y]) == [None]
    for step in (tf.floor, tf.round, tf.ceil):
        assert tf.gradients(step(x), x) == [None]
    assert tf.gradients(tf.cast(x, tf.int32), x) == [None]
    assert tf.gradients(tf.stop_gradient(x), x) == [None]
    with pytest.raises(ValueError, match="Must pass one grad_y for each y in ys"):
        tf.gradients(x, x, grad_ys=[x, x])
    with pytest.raises(ValueError, match="are not compatible"):
        tf.gradients(tf.ones([2]), x, grad_ys=[tf.ones([3])])


def test_optimizers_need_variables_that_the_loss_depends_on():
    loss = tf.constant(1.0)
    with pytest.raises(ValueError, match="No variables to optimize."):
        tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    tf.Variable(1.0, name="w")
    with pytest.raises(ValueError, match="No gradients provided for any variable, check your graph"):
        tf.train.GradientDescentOptimizer(0.1).minimize(loss)


def test_adam_names_its_slots():
    w = tf.Variable(1.0, name="w")
    step = tf.train.AdamOptimizer().minimize(w * w)
    assert (step.name, step.type) == ("Adam", "NoOp")
    assert [v.name for v in tf.global_variables()] == [
        "w:0",
        "beta1_power:0",
        "beta2_power:0",
        "w/Adam:0",
        "w/Adam_1:0",
    ]
    assert tf.trainable_variables() == [w]

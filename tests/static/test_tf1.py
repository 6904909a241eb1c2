"""Optimizers, cells, assignments and types against real TensorFlow: goldens/tf1.json, recorded by record_tf1.py."""

import json
from pathlib import Path

import numpy as np
import pytest
from training import CELLS, TRAINED, TYPES, type_of

import minigrad.static as tf

GOLDEN = json.loads((Path(__file__).parents[1] / "goldens" / "tf1.json").read_text(encoding="utf-8"))


def named(functions):
    return pytest.mark.parametrize("build", functions, ids=lambda f: f.__name__)


@pytest.fixture(autouse=True)
def a_graph_of_its_own():
    with tf.Graph().as_default():
        yield


def same(values, golden, rtol=2e-5):
    assert [(str(v.dtype), list(v.shape)) for v in values] == [(dtype, shape) for dtype, shape, _ in golden]
    for value, (_, shape, expected) in zip(values, golden, strict=True):
        np.testing.assert_allclose(value, np.reshape(expected, shape), rtol=rtol, atol=2e-6)


@named(CELLS)
def test_cells_give_tensorflows_values_and_slopes_under_its_names(build):
    with tf.Session() as session:
        values = session.run(*build(tf))
    same(values, GOLDEN["cells"][build.__name__]["values"])
    assert [v.name for v in tf.trainable_variables()] == GOLDEN["cells"][build.__name__]["variables"]


@named(TRAINED)
def test_steps_give_tensorflows_values_under_its_names(build):
    same(build(tf), GOLDEN["trained"][build.__name__]["values"])
    assert [v.name for v in tf.global_variables()] == GOLDEN["trained"][build.__name__]["variables"]


@pytest.mark.parametrize("name", TYPES)
def test_a_spelling_names_tensorflows_type(name):
    ours, theirs = type_of(tf, TYPES[name]), GOLDEN["types"][name]
    if theirs.startswith("TypeError") or hasattr(tf, theirs):
        assert ours == theirs
    else:
        assert ours.startswith(f"TypeError: TensorFlow has tf.{theirs}, minigrad.static does not: it has bool, ")


def test_every_type_is_recorded_under_all_its_names():
    every = tf.DType.of.values()
    assert {name for dtype in every for name in (dtype.name, dtype.short)} < set(TYPES)
    assert {dtype.name for dtype in every} < set(GOLDEN["types"].values())


# -- what is said ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value, shape",
    [([[1, 2]], "(1, 2)"), ([1, 2, 3], "(3,)"), (5, "()"), (np.zeros((2, 3, 1)), "(2, 3, 1)"), ([[[]]], "(1, 1, 0)")],
)
def test_a_feed_of_a_wrong_shape_is_told_in_names_and_shapes(value, shape):
    x = tf.placeholder("float", [None, 3], name="x")
    with tf.Session() as session, pytest.raises(ValueError) as error:
        session.run(x, {x: value})
    assert str(error.value) == f"Cannot feed value of shape {shape} for Tensor 'x:0', which has shape '(?, 3)'"
    assert "'x' (Placeholder) was built at test_tf1.py, line" in error.value.__notes__[0]


def test_a_nest_that_is_fed_has_as_many_parts_as_its_key():
    x, y = tf.placeholder("float", [2]), tf.placeholder("float", [])
    with tf.Session() as session:
        assert session.run(x * y, {(x, y): (np.ones(2), 2.0)}).tolist() == [2, 2]
        with pytest.raises(ValueError, match="Key had 2 elements, but value had 1 elements. Key: "):
            session.run(x, {(x, y): (np.ones(2),)})


@pytest.mark.parametrize(
    "where, names",
    [
        (tf, "metrics summary estimator data keras image gfile string"),
        (tf.nn, "conv2d max_pool moments nce_loss"),
        (tf.train, "Saver Coordinator AdagradOptimizer"),
        (tf.layers, "conv2d flatten batch_normalization"),
        (tf.losses, "softmax_cross_entropy"),
        (tf.errors, "OutOfRangeError"),
        (tf.nn.rnn_cell, "GRUCell"),
        (tf.contrib, "layers seq2seq learn"),
    ],
)
def test_what_stays_out_says_so(where, names):
    place = where.__name__.replace("minigrad.static", "tf").replace("tf.rnn_cell", "tf.nn.rnn_cell")
    for name in names.split():
        with pytest.raises(AttributeError) as error:
            getattr(where, name)
        assert str(error.value).endswith(
            f"has no attribute '{name}'. TensorFlow 1 has {place}.{name}, minigrad.static does not: see 'What is not "
            "here' in its README"
        )
    with pytest.raises(AttributeError, match="has no attribute 'flaot32'. Did you mean: 'float32'?"):
        tf.flaot32  # noqa: B018
    with pytest.raises(ImportError, match="TensorFlow 1 has tf.contrib.layers, minigrad.static does not"):
        from minigrad.static.contrib import layers  # noqa: F401


def test_splits_that_cannot_be():
    x = tf.placeholder("float", [None, 3], name="x")
    with pytest.raises(ValueError, match="Dimension size must be evenly divisible by 2 but is 3"):
        tf.split(x, 2, 1)
    with pytest.raises(ValueError, match=r"can't split axis of size 3 into pieces of size \[1,1\]"):
        tf.split(x, [1, 1], 1)
    with pytest.raises(ValueError, match=r"Dimension size, given by scalar input 2 must be in range \[-2, 2\)"):
        tf.split(x, 2, 2)
    said = (
        r"evenly divide the split dimension, but got split_dim 0 \(size = 3\) and num_split 2\n\t \[\[{{node cut}}\]\]"
    )
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match=said):
        session.run(tf.split(x, 2, name="cut"), {x: np.ones((3, 3))})


def test_get_variable_goes_by_the_name_that_was_asked_for():
    tf.Variable(1, name="scalar")
    made = tf.get_variable("scalar", initializer=tf.constant(2))
    assert made.name == "scalar_1:0"
    with pytest.raises(ValueError, match="Variable scalar already exists, disallowed. Did you mean to set reuse=True"):
        tf.get_variable("scalar", initializer=tf.constant(2))
    with tf.variable_scope("", reuse=True):
        assert tf.get_variable("scalar") is made
        with pytest.raises(ValueError, match="Variable scalar_1 does not exist"):
            tf.get_variable("scalar_1")


def test_get_variable_with_a_value():
    with pytest.raises(ValueError, match="If initializer is a constant, do not specify shape."):
        tf.get_variable("a", [2], initializer=np.zeros(2))
    with pytest.raises(
        ValueError, match="Initializer type '<dtype: 'int32'>' and explicit dtype '<dtype: 'float32'>' don"
    ):
        tf.get_variable("a", initializer=2, dtype=tf.float32)
    with pytest.raises(
        ValueError, match="Variable a did not get an initializer, so its `shape` argument must be specified"
    ):
        tf.get_variable("a")


def test_cells_that_cannot_be():
    rnn = tf.nn.rnn_cell
    with pytest.raises(ValueError, match="Parameter input_keep_prob must be between 0 and 1. Received 1.5"):
        rnn.DropoutWrapper(rnn.BasicLSTMCell(3), input_keep_prob=1.5)
    with pytest.raises(NotImplementedError, match="variational_recurrent=True"):
        rnn.DropoutWrapper(rnn.BasicLSTMCell(3), variational_recurrent=True)
    with pytest.raises(ValueError, match="Must specify at least one cell for MultiRNNCell."):
        rnn.MultiRNNCell([])
    with pytest.raises(TypeError, match="cells must be a list or tuple, but received: 5."):
        rnn.MultiRNNCell(5)
    with pytest.raises(ValueError, match="Some cells return tuples of states, but the flag state_is_tuple is not set."):
        rnn.MultiRNNCell([rnn.BasicLSTMCell(2)], state_is_tuple=False)
    with pytest.raises(NotImplementedError, match="no `sequence_length`"):
        tf.nn.static_bidirectional_rnn(rnn.BasicRNNCell(2), rnn.BasicRNNCell(2), [], sequence_length=[1])


def test_dropout_zeroes_its_share_scales_the_rest_and_spares_c():
    rnn = tf.nn.rnn_cell
    plain, x, keep = rnn.BasicLSTMCell(200), tf.ones([50, 3]), tf.placeholder("float", [])
    start = plain.zero_state(50, tf.float32)
    expected, before = plain(x, start)
    cell = rnn.DropoutWrapper(plain, output_keep_prob=keep, state_keep_prob=0.25, seed=1)
    output, after = cell(x, start)
    assert cell.trainable_variables == plain.trainable_variables == tf.trainable_variables()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        values, got, c, h, old = session.run([expected, output, after.c, after.h, before], {keep: 0.5})
        again = session.run(output, {keep: 0.5})
    assert abs((got == 0).mean() - 0.5) < 0.02 and abs((h == 0).mean() - 0.75) < 0.02
    np.testing.assert_allclose(got[got != 0], values[got != 0] / 0.5, rtol=1e-6)
    np.testing.assert_array_equal(c, old.c)
    assert ((got == 0) != (again == 0)).any()


def test_settings_of_machines_change_nothing():
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    with tf.device("/gpu:1"):
        x = tf.constant(2.0)
    with tf.Session(config=config) as session:
        assert session.run(x) == 2.0

"""The compiler's passes: any subset of them gives the same bits, and each does what it says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad.static as tf
from minigrad._compiler.passes import INEXACT, PASSES

ROWS, COLUMNS = 9, 17  # enough numbers that the order of a sum shows in its last bits
# Each takes tensors of shape (?, COLUMNS) or (ROWS, COLUMNS) and gives one; some make what a pass looks for
STEPS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / (tf.abs(b) + 1.0),
    "maximum": lambda a, b: tf.maximum(a, b),
    "where": lambda a, b: tf.where(a > b, a, b * 2.0),
    "plus zero": lambda a, b: a + 0.0,
    "times one": lambda a, b: 1.0 * a,
    "minus minus": lambda a, b: tf.negative(-a),
    "minus": lambda a, b: -a,
    "plus minus": lambda a, b: a + (-b),
    "third": lambda a, b: a / 3.0,
    "half": lambda a, b: a / 2.0,
    "square": lambda a, b: tf.tanh(a) * tf.tanh(a),
    "power": lambda a, b: (a * 0.5) ** 2.0 + b**1.0,
    "exp": lambda a, b: tf.exp(tf.minimum(a, 1.0)),
    "sigmoid": lambda a, b: tf.sigmoid(a),
    "twice transposed": lambda a, b: tf.transpose(tf.transpose(a)),
    "through another shape": lambda a, b: tf.reshape(tf.transpose(tf.reshape(a, [COLUMNS, -1])), tf.shape(a)),
    "column sums": lambda a, b: a - tf.reduce_sum(b, 0),
    "row means": lambda a, b: a * tf.reduce_mean(b, 1, keepdims=True),
    "total": lambda a, b: a * tf.tanh(tf.reduce_sum(b * 0.3)),
    "product": lambda a, b: tf.matmul(a, tf.matmul(b, a, transpose_a=True)) * 0.01,
    "concat": lambda a, b: tf.concat([a, b], 0)[: tf.shape(a)[0]],
    "slice": lambda a, b: a + b[:1],
    "stack": lambda a, b: tf.reduce_max(tf.stack([a, b]), 0),
    "constants": lambda a, b: a * (tf.constant(2.0) * 3.0 + 1.0) + tf.ones([COLUMNS]) * tf.zeros([COLUMNS]),
    "spread": lambda a, b: tf.fill(tf.shape(a), 0.5) * a,
    "loop": lambda a, b: tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, tf.tanh(v + b) * 1.0), [0, a])[1],
    "no turns": lambda a, b: tf.while_loop(lambda i, v: i < 0, lambda i, v: (i + 1, v + b), [0, a])[1],
    "branch": lambda a, b: tf.cond(tf.reduce_sum(a) > 0.0, lambda: a * b + a * b, lambda: b - a),
    "scan": lambda a, b: tf.scan(lambda s, e: s * 0.5 + e, a),
    "random": lambda a, b: a + tf.random_normal(tf.shape(a), seed=7),
    "stop": lambda a, b: tf.stop_gradient(a) * b,
}
steps = st.lists(
    st.tuples(st.sampled_from(sorted(STEPS)), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=7
)


def build(program, differentiate):
    """Three sources, the steps one after the other, and (fetches, feeds, an assignment)."""
    x = tf.placeholder(tf.float32, [None, COLUMNS], name="x")
    y = tf.placeholder(tf.float32, [ROWS, COLUMNS], name="y")
    w = tf.Variable(FED[2], name="w")
    values = [x, y, w * 1.0, tf.transpose(tf.reshape(w, [COLUMNS, ROWS]))]
    for name, i, j in program:
        values.append(STEPS[name](values[-1 - i % len(values)], values[-1 - j % len(values)]))
    fetches = values[-3:]
    if differentiate:
        fetches += [g for g in tf.gradients(values[-1], [x, y, w]) if g is not None]
    assign = w.assign(values[-1] * 0.5)
    return fetches + [assign, w.assign_add(values[-2])], {x: FED[0], y: FED[1]}


rng = np.random.default_rng(0)
FED = rng.standard_normal((3, ROWS, COLUMNS)).astype(np.float32)
FED[2, 0, :3] = 0.0, -0.0, 1.0


def run(program, differentiate, passes):
    """Two runs of the same program, and the variable afterwards, as arrays."""
    with tf.Graph().as_default(), tf.Session(passes=passes) as session:
        fetches, feeds = build(program, differentiate)
        session.run(tf.global_variables_initializer())
        fetches = fetches[: len(fetches) - len(program) % 2]  # now and then without the second assignment
        values = session.run(fetches, feeds) + session.run(fetches, feeds)
        return [*values, session.run(tf.global_variables()[0])]


@settings(max_examples=100, deadline=None)
@given(steps, st.booleans(), st.sets(st.sampled_from(sorted(PASSES))))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_any_passes_give_the_same_bits(program, differentiate, passes):
    plain = run(program, differentiate, [])
    for chosen in (passes, set(PASSES)):
        exact = not chosen & INEXACT
        for a, b in zip(plain, run(program, differentiate, chosen), strict=True):
            assert (np.shape(a), a.dtype) == (np.shape(b), b.dtype)
            if exact:
                assert a.tobytes() == b.tobytes()
            else:
                size = np.abs(a[np.isfinite(a)]).max(initial=0)  # of the largest: small ones may be differences
                np.testing.assert_allclose(b, a, rtol=1e-5, atol=1e-5 * size)


def test_what_comes_out_of_a_loop_is_not_written_over_by_what_went_in():
    with tf.Graph().as_default():
        x, n = tf.placeholder(tf.float32, [4]), tf.placeholder(tf.int32, [])
        start = tf.exp(x)  # dead after the loop, unless that takes no turn and hands it on
        y = tf.while_loop(lambda i, v: i < n, lambda i, v: (i + 1, v + 1.0), [0, start])[1]
        z = tf.sin(x)
        for passes in ([], PASSES):
            values = tf.Session(passes=passes).run([z * y, z + y], {x: [0, 0, 0, 0], n: 0})
            np.testing.assert_array_equal(values, [[0] * 4, [1] * 4])


def test_a_sum_keeps_its_order():
    """An array that is written into lies in memory as the one that would have been made."""
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [COLUMNS, ROWS])
        turned = tf.tanh(tf.transpose(x))  # lies in memory as x does
        y = tf.reduce_sum(tf.exp(tf.sin(tf.transpose(x))) + tf.reshape(x, [ROWS, COLUMNS]) + turned, 0)
        plain, all_of_them = (tf.Session(passes=p).run(y, {x: FED[0].T}) for p in ([], set(PASSES) - INEXACT))
        assert plain.tobytes() == all_of_them.tobytes()


def test_a_division_by_a_constant_is_right_to_a_millionth():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None])
        y = x / 3.0
        values = np.geomspace(1e-30, 1e30, 1000).astype(np.float32)
        exact, near = (tf.Session(passes=p).run(y, {x: values}) for p in ([], ["approximate"]))
        assert np.abs(near / exact - 1).max() < 1e-6
        assert (near != exact).any()


def test_a_loop_keeps_no_lists_that_nobody_reads():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [2])
        y = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, tf.tanh(v) * v), [0, x])[1]
        dy = tf.gradients(y, x)[0]
        session = tf.Session()
        assert ".append(" in session.plan(dy, [x]).source
        assert ".append(" not in session.plan(y, [x]).source
        assert ".append(" in tf.Session(passes=set(PASSES) - {"prune"}).plan(y, [x]).source


def test_passes_leave_the_graph_as_it_was():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [2])
        y = tf.exp(x) * tf.exp(x) + 0.0
        before = [(op, op.type, list(op.inputs), op.onto, op.frees) for op in graph.get_operations()]
        tf.Session().run(y, {x: [1, 2]})
        assert [(op, op.type, list(op.inputs), op.onto, op.frees) for op in graph.get_operations()] == before


@pytest.mark.parametrize(
    "make, type",
    [
        (lambda a, b: a * a, "Square"),
        (lambda a, b: a**2.0, "Square"),
        (lambda a, b: a + (-b), "Sub"),
        (lambda a, b: a - (-b), "AddV2"),
        (lambda a, b: a / 2.0, "Mul"),
        (lambda a, b: a / 3.0, "Mul"),
    ],
)
def test_what_stands_for_an_operation_says_what_it_does(make, type):
    with tf.Graph().as_default(), tf.Session() as session:
        a, b = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32, [2])
        block = session.plan(make(a, b), [a, b]).block
        assert block.outputs[0].op.type == type

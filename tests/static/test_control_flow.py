"""Loops and branches: their values, their gradients, and what can't be done with them."""

import numpy as np
import pytest

import minigrad.static as tf


@pytest.fixture
def session():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        session.operations = lambda: len(graph.get_operations())
        yield session


def central(session, y, x, feeds, step=1e-4):
    """The gradient of a scalar by small steps, for tensors of float64."""
    at = np.array(feeds[x], np.float64)
    out = np.zeros_like(at)
    for place in np.ndindex(at.shape):
        for sign in (1, -1):
            moved = at.copy()
            moved[place] += sign * step
            out[place] += sign * session.run(y, {**feeds, x: moved}) / (2 * step)
    return out


def test_the_forms_of_loop_variables(session):
    single = tf.while_loop(lambda i: i < 10, lambda i: i + 1, [tf.constant(0)])
    i, (a, b) = tf.while_loop(lambda i, p: i < 3, lambda i, p: (i + 1, (p[1], p[0])), (0, (1.0, 2.0)))
    named = tf.while_loop(lambda d: d["n"] < 5, lambda d: {"n": d["n"] + 2}, [{"n": tf.constant(0)}])
    assert single.name == "while/Exit:0"
    assert session.run([single, i, a, b, named["n"]]) == [10, 3, 2.0, 1.0, 6]
    assert session.run(tf.while_loop(lambda i: i < 10, lambda i: i + 1, [0], maximum_iterations=4)) == 4


def test_the_body_is_built_once(session):
    calls = []

    def body(i):
        calls.append(i)
        return i + 1

    n = tf.placeholder(tf.int32, [])
    loop = tf.while_loop(lambda i: i < n, body, [0])
    before = session.operations()
    assert [session.run(loop, {n: k}) for k in (0, 1, 100)] == [0, 1, 100]
    assert len(calls) == 1 and session.operations() == before


def test_a_changed_shape_or_type_is_refused(session):
    with pytest.raises(ValueError) as error:
        tf.while_loop(lambda v: tf.size(v) < 10, lambda v: tf.concat([v, v], 0), [tf.ones([1])])
    assert str(error.value) == (
        "Input tensor 'ones:0' enters the loop with shape (1,), but has shape (2,) after one iteration. To allow the "
        "shape to vary across iterations, use the `shape_invariants` argument of tf.while_loop to specify a "
        "less-specific shape."
    )
    with pytest.raises(TypeError, match="enters the loop with type int32, but has type float32 after one iteration"):
        tf.while_loop(lambda i: i < 3, lambda i: tf.cast(i, tf.float32), [0])
    with pytest.raises(ValueError, match="don't have the same nested structure"):
        tf.while_loop(lambda i, j: i < 3, lambda i, j: i + 1, [0, 0])
    with pytest.raises(ValueError, match="The shape invariant specified for .* is not compatible"):
        tf.while_loop(lambda v: v[0] < 1, lambda v: v, [tf.ones([2])], shape_invariants=[tf.TensorShape([3])])
    with pytest.raises(TypeError, match="does not match expected type of bool"):
        tf.while_loop(lambda i: i, lambda i: i + 1, [0])
    with pytest.raises(ValueError, match="Shape must be rank 0 but is rank 1"):
        tf.while_loop(lambda v: v < 1, lambda v: v, [tf.ones([2])])


def test_the_inside_of_a_loop_stays_inside(session):
    kept = []
    tf.while_loop(lambda i: i < 3, lambda i: kept.append(i * 2) or i + 1, [0])
    with pytest.raises(ValueError, match="has been marked as not fetchable"):
        session.run(kept[0])
    with pytest.raises(
        ValueError, match="Cannot use 'while/mul' as input to 'add' because 'while/mul' is in a while loop"
    ):
        kept[0] + 1
    tf.cond(tf.constant(True), lambda: kept.append(tf.constant(1.0) * 2) or kept[1], lambda: tf.constant(0.0))
    with pytest.raises(ValueError, match="because 'cond/mul' is in a cond branch"):
        kept[1] + 1


def test_one_branch_runs_and_what_is_outside_runs_anyhow(session):
    p, w = tf.placeholder(tf.bool, []), tf.Variable(0.0)
    outside = w.assign_add(10.0)

    def yes():
        with tf.control_dependencies([outside]):
            return w.assign_add(1.0)

    y = tf.cond(p, yes, lambda: tf.constant(-1.0))
    session.run(w.initializer)
    assert session.run(y, {p: False}) == -1.0 and session.run(w) == 10.0
    assert session.run(y, {p: True}) == 21.0 and session.run(w) == 21.0


def test_branches_that_do_not_match(session):
    p, v = tf.constant(True), tf.constant(1.0)
    with pytest.raises(ValueError, match="must have the same type"):
        tf.cond(p, lambda: v, lambda: tf.constant(1))
    with pytest.raises(ValueError, match="don't have the same nested structure"):
        tf.cond(p, lambda: v, lambda: (v, v))
    with pytest.raises(TypeError, match="'pred' must not be a Python bool."):
        tf.cond(True, lambda: v, lambda: v)
    assert session.run(tf.cond(p, lambda: w_up(), lambda: tf.no_op())) is not None


def w_up():
    return tf.no_op()


def test_assigning_in_a_loop(session):
    w = tf.Variable(1.0)
    session.run(w.initializer)

    def body(i):
        with tf.control_dependencies([w.assign_add(tf.cast(i, tf.float32))]):
            return i + 1

    session.run(tf.while_loop(lambda i: i < 4, body, [0]))
    assert session.run(w) == 7.0


def test_gradients_through_loops_to_any_order(session):
    x = tf.placeholder(tf.float64, [2])
    n = tf.placeholder(tf.int32, [])
    _, y = tf.while_loop(lambda i, v: i < n, lambda i, v: (i + 1, tf.sin(v) * x + v * v * 0.1), [0, x * 0.5])
    orders = [tf.reduce_sum(y)]
    for _ in range(3):
        orders.append(tf.reduce_sum(tf.gradients(orders[-1], x)[0]))
    firsts = [tf.gradients(order, x)[0] for order in orders[:3]]
    for turns in (0, 1, 4):
        feeds = {x: [0.3, -0.8], n: turns}
        for order, first in zip(orders, firsts, strict=False):
            np.testing.assert_allclose(
                session.run(first, feeds), central(session, order, x, feeds), rtol=1e-5, atol=1e-7
            )


def test_gradients_through_scans_branches_and_nested_loops_to_second_order(session):
    x = tf.placeholder(tf.float64, [3, 2])

    def inner(s, e):
        bent = tf.cond(tf.reduce_sum(e) > 0.0, lambda: tf.tanh(s * e), lambda: s * s - e)
        return tf.while_loop(lambda i, v: i < 2, lambda i, v: (i + 1, v * tf.cos(e) + bent), [0, s])[1]

    y = tf.reduce_sum(tf.scan(inner, x, initializer=tf.constant([0.5, -0.5], tf.float64)) ** 2)
    (first,) = tf.gradients(y, [x])
    total = tf.reduce_sum(first * first)
    (second,) = tf.gradients(total, [x])
    feeds = {x: np.array([[0.3, 0.4], [-0.9, 0.2], [0.5, -0.1]])}
    np.testing.assert_allclose(session.run(first, feeds), central(session, y, x, feeds), rtol=1e-6)
    np.testing.assert_allclose(session.run(second, feeds), central(session, total, x, feeds), rtol=1e-6)


def test_gradients_inside_a_loop(session):
    def descend(i, v):
        return i + 1, v - 0.1 * tf.gradients(v * v * v * v, v)[0]

    _, v = tf.while_loop(lambda i, v: i < 3, descend, [0, tf.constant(1.0)])
    w = 1.0
    for _ in range(3):
        w -= 0.1 * 4 * w**3
    assert session.run(v) == pytest.approx(w)


def test_a_gradient_adds_the_same_number_of_operators_for_every_length(session):
    x = tf.placeholder(tf.float32, [None, None, 2])
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicRNNCell(3), x, dtype=tf.float32)
    grads = tf.gradients(outputs, tf.trainable_variables())
    session.run(tf.global_variables_initializer())
    before = session.operations()
    for batch, time in ((2, 7), (5, 3), (1, 0)):
        assert session.run(outputs, {x: np.ones((batch, time, 2))}).shape == (batch, time, 3)
        assert [g.shape for g in session.run(grads, {x: np.ones((batch, time, 2))})] == [(5, 3), (3,)]
    assert session.operations() == before


def test_scans(session):
    x = tf.placeholder(tf.int32, [None])
    running = tf.scan(lambda a, e: a + e, x)
    assert session.run(running, {x: [1, 2, 3]}).tolist() == [1, 3, 6]
    with pytest.raises(tf.errors.InvalidArgumentError):  # nothing to start from
        session.run(running, {x: []})
    started = tf.scan(lambda a, e: a + e, x, initializer=10)
    assert session.run(started, {x: [1, 2]}).tolist() == [11, 13] and session.run(started, {x: []}).shape == (0,)
    backwards = tf.scan(lambda a, e: a + e, x, reverse=True)
    assert session.run(backwards, {x: [1, 2, 3]}).tolist() == [6, 5, 3]
    a, b = tf.scan(lambda s, e: (s[0] + e, s[1] * e), x, initializer=(0, 1))
    assert [v.tolist() for v in session.run([a, b], {x: [1, 2, 3]})] == [[1, 3, 6], [1, 2, 6]]
    two = tf.map_fn(lambda e: (e, e * e), x, dtype=(tf.int32, tf.int32))
    assert [v.tolist() for v in session.run(two, {x: [2, 3]})] == [[2, 3], [4, 9]]
    assert session.run(tf.map_fn(lambda e: e + 1, x), {x: []}).shape == (0,)


def test_static_and_dynamic_rnn_agree(session):
    x = tf.placeholder(tf.float32, [2, 4, 3])
    lengths = tf.constant([4, 2])
    cell = tf.nn.rnn_cell.BasicRNNCell(5)
    dynamic, last = tf.nn.dynamic_rnn(cell, x, sequence_length=lengths, dtype=tf.float32)
    before = session.operations()
    steps, end = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), sequence_length=lengths, dtype=tf.float32)
    assert session.operations() > before + 4 * 5
    session.run(tf.global_variables_initializer())
    feeds = {x: np.random.default_rng(0).standard_normal((2, 4, 3))}
    a, b, c, d = session.run([dynamic, tf.stack(steps, 1), last, end], feeds)
    np.testing.assert_allclose(a, b, rtol=1e-6)
    np.testing.assert_allclose(c, d, rtol=1e-6)
    assert (a[1, 2:] == 0).all() and (c[1] == a[1, 1]).all()


def test_what_dynamic_rnn_needs_to_know(session):
    cell = tf.nn.rnn_cell.BasicRNNCell(4)
    with pytest.raises(ValueError, match="If no initial_state is provided, argument `dtype` must be specified"):
        tf.nn.dynamic_rnn(cell, tf.ones([1, 2, 3]))
    with pytest.raises(ValueError, match="Input size .depth of inputs. must be accessible via shape inference"):
        tf.nn.dynamic_rnn(cell, tf.placeholder(tf.float32, [None, None, None]), dtype=tf.float32)
    with pytest.raises(ValueError, match="must have rank at least 3"):
        tf.nn.dynamic_rnn(cell, tf.ones([2, 3]), dtype=tf.float32)


def test_an_error_inside_a_loop_says_where(session):
    x = tf.placeholder(tf.float32, [None])
    y = tf.placeholder(tf.float32, [None])
    _, z = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v + y), [0, x])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Incompatible shapes: \[2\] vs. \[3\]") as error:
        session.run(z, {x: [1, 2], y: [1, 2, 3]})
    assert "lambda i, v: (i + 1, v + y)" in error.value.__notes__[0]

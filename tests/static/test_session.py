"""Running: feeds, fetches, state, and the errors that only a run can know."""

import collections
from traceback import walk_tb

import numpy as np
import pytest

import minigrad.static as tf


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


def test_every_form_of_fetch(session):
    a, b = tf.constant(1.0, name="a"), tf.constant([2, 3], name="b")
    Pair = collections.namedtuple("Pair", "first second")
    got = session.run([a, (b, "b:0"), {"k": a.op, "l": [a, a]}, Pair(a, [b]), "a"])
    assert got[0] == 1.0 and type(got[0]) is np.float32
    assert type(got[1]) is tuple and got[1][1].tolist() == [2, 3] and got[1][1].dtype == np.int32
    assert got[2] == {"k": None, "l": [1.0, 1.0]}
    assert type(got[3]) is Pair and got[3].first == 1.0 and got[3].second[0].tolist() == [2, 3]
    assert got[4] is None and session.run([]) == [] and session.run((a,)) == (1.0,) and session.run([a]) == [1.0]
    assert session.run(tf.group(a)) is None


def test_fetches_that_cannot_be(session):
    tf.constant(1.0, name="a")
    with pytest.raises(ValueError, match="Argument `fetch` = nope cannot be interpreted as a Tensor."):
        session.run("nope")
    with pytest.raises(TypeError, match='Argument `fetch` = 5 has invalid type "int"'):
        session.run(5)
    with pytest.raises(TypeError, match="Argument `fetch` = None has invalid type"):
        session.run([None])
    with tf.Graph().as_default():
        other = tf.constant(1.0)
    with pytest.raises(ValueError, match="is not an element of this graph"):
        session.run(other)


def test_only_ancestors_are_computed(session):
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32, name="y")
    z = x * 2
    z + y
    assert session.run(z, {x: 3}) == 6
    assert session.run(z, {x: 3, y: 4}) == 6


def test_an_unfed_placeholder(session):
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    with pytest.raises(tf.errors.InvalidArgumentError) as error:
        session.run(x * 2)
    assert str(error.value) == "You must feed a value for placeholder tensor 'x' with dtype float and shape [?,1]"
    assert "'x' (Placeholder) was built at test_session.py, line" in error.value.__notes__[0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="'z' with dtype int32\n"):
        session.run(tf.placeholder(tf.int32, name="z") + 1)


def test_only_the_readers_lines_and_the_last_of_ours_are_shown_in_a_traceback(session):
    """IPython and pytest leave out frames with `__tracebackhide__`; five frames stood above "You must feed"."""
    x = tf.placeholder(tf.float32, [], name="x")
    for wrong in (
        lambda: session.run(x + 1.0),
        lambda: session.run(x + 1.0, {x: [1.0, 2.0]}),
        lambda: tf.while_loop(lambda i: i < 3, lambda i: None, [0]),
    ):
        with pytest.raises((ValueError, tf.errors.InvalidArgumentError)) as caught:
            wrong()
        frames = [frame for frame, _ in walk_tb(caught.value.__traceback__)]
        ours = [frame for frame in frames if "minigrad" in frame.f_code.co_filename and "tests" not in str(frame)]
        assert len(ours) > 1 and all(frame.f_locals.get("__tracebackhide__") for frame in ours)


def test_feeds_are_cast_and_checked(session):
    x, i = tf.placeholder(tf.float32, [None, 1], name="x"), tf.placeholder(tf.int32, [1])
    assert session.run(i * 1, {i: [2.7]}).tolist() == [2]
    assert session.run(x * 1, {"x:0": np.ones((2, 1))}).dtype == np.float32
    for bad in (np.ones((3, 2)), np.ones((3, 2), np.float32)):
        with pytest.raises(ValueError) as error:
            session.run(x, {x: bad})
        assert str(error.value) == "Cannot feed value of shape (3, 2) for Tensor 'x:0', which has shape '(?, 1)'"
    with pytest.raises(TypeError, match="The value of a feed cannot be a tf.Tensor object."):
        session.run(x, {x: tf.ones([1, 1])})
    with pytest.raises(
        TypeError, match="Cannot interpret feed_dict key as Tensor: The name 'x' refers to an Operation"
    ):
        session.run(x, {"x": 1})
    with pytest.raises(
        TypeError, match="Cannot interpret feed_dict key as Tensor: Can not convert a int into a Tensor."
    ):
        session.run(x, {5: 1})
    with pytest.raises(ValueError, match="could not convert string"):
        session.run(x, {x: "abc"})


@pytest.mark.parametrize("before", [True, False])
def test_feeds_that_are_no_dict_and_two_fetches_without_a_list(session, before):
    """Also where an earlier run with these fetches and feeds has left its plan. The words are TensorFlow 2.21's."""
    x = tf.placeholder(tf.float32, [])
    y = x * 2
    if before:
        session.run(y, {x: 1.0})
    for feeds, kind in (([x], "list"), (3, "int"), ("x", "str"), ((x,), "tuple")):
        with pytest.raises(TypeError, match="must be a dictionary or .* instead of") as error:
            session.run(y, feeds)
        assert str(error.value).endswith(f"instead of '{kind}'.")
    for more in ({"options": {x: 1.0}}, {"run_metadata": {}}):
        with pytest.raises(TypeError, match="fetched in a list"):
            session.run(y, {x: 1.0}, **more)
    with pytest.raises(TypeError, match="fetched in a list"):
        session.run(x, y, {x: 1.0})
    assert session.run(y, {x: 1.0}, options=None, run_metadata=None) == 2


def test_any_tensor_can_be_fed(session):
    a = tf.zeros([2], name="a")
    b = a + 1
    c = b * 2
    w = tf.Variable([5.0, 5.0])
    assert session.run([c, b], {b: [3, 4]})[0].tolist() == [6, 8]
    assert session.run(c, {a: [1, 2]}).tolist() == [4, 6]
    assert session.run(w + 1, {w: [1, 2]}).tolist() == [2, 3]  # and need not be initialised then
    assert session.run([a, c], {a: [1, 2]})[0].tolist() == [1, 2]


def test_what_is_fetched_is_the_readers_own(session):
    w = tf.Variable([1.0, 2.0])
    x = tf.placeholder(tf.float32, [2])
    fed = np.ones(2, np.float32)
    c = tf.constant([1.0, 1.0])
    session.run(w.initializer)
    for value in session.run([w, x, c, tf.reshape(w, [1, 2]), w.assign(x), w.assign_add(x)], {x: fed}):
        value[...] = 99
    assert fed.tolist() == [1, 1] and session.run(c).tolist() == [1, 1] and session.run(w).tolist() in ([1, 1], [2, 2])
    session.run(w.assign(x), {x: fed})
    fed[0] = 7
    assert session.run(w).tolist() == [1, 1]


def test_state_is_in_the_session(session):
    w = tf.Variable(1.0, name="w")
    up = w.assign_add(1.0)
    init = tf.global_variables_initializer()
    with tf.Session() as other:
        session.run(init), other.run(init)
        session.run(up), session.run(up), other.run(up)
        assert (session.run(w), other.run(w)) == (3.0, 2.0)


def test_uninitialised(session):
    w = tf.Variable(1.0, name="w")
    for fetch in (w, w + 1, w.assign_add(1.0), w.read_value()):
        with pytest.raises(tf.errors.FailedPreconditionError, match="Attempting to use uninitialized value w") as error:
            session.run(fetch)
        assert "test_session.py, line" in error.value.__notes__[0]
        assert str(error.value).endswith("use session.run(tf.global_variables_initializer())")
    session.run(w.assign(3.0))
    assert session.run(w) == 3.0


def test_adam_built_after_the_initialiser_was_run_is_not_initialised(session):
    w = tf.Variable(1.0, name="w")
    session.run(tf.global_variables_initializer())
    with pytest.raises(tf.errors.FailedPreconditionError, match="Attempting to use uninitialized value"):
        session.run(tf.train.AdamOptimizer().minimize(w * w))


def test_assigning_is_an_operation(session):
    w = tf.Variable(1.0)
    session.run(w.initializer)
    change = w.assign(5.0)
    assert session.run(w) == 1.0
    assert session.run(change) == 5.0
    assert (session.run(w), w.eval()) == (5.0, 5.0)
    w.load(7.0)
    assert (session.run(w.assign_sub(2.0)), session.run(w)) == (5.0, 5.0)
    with pytest.raises(ValueError, match="Shapes must be equal rank, but are 0 and 1"):
        w.assign([1.0, 2.0])


def test_a_failed_run_changes_no_variable(session):
    w, x = tf.Variable(1.0), tf.placeholder(tf.float32, [None])
    session.run(w.initializer)
    with pytest.raises(tf.errors.InvalidArgumentError):
        session.run([w.assign(2.0), tf.constant([1.0, 2.0, 3.0]) + x], {x: [1, 2]})
    assert session.run(w) == 1.0


def test_variables_of_changing_shape_are_checked_when_assigned(session):
    x = tf.placeholder(tf.float32, [None])
    w = tf.Variable([1.0, 2.0], name="w")
    free = tf.Variable([1.0], validate_shape=False)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"lhs shape= \[2\] rhs shape= \[3\]"):
        session.run(w.assign(x), {x: [1, 2, 3]})
    assert session.run(free.assign(x), {x: [1, 2, 3]}).tolist() == [1, 2, 3]


def test_control_dependencies_order_what_is_made_inside(session):
    w = tf.Variable(1.0)
    session.run(w.initializer)
    up = w.assign_add(1.0)
    outside = w.read_value() * 1.0
    with tf.control_dependencies([up]):
        after = w.read_value()
        same = tf.identity(outside)
        with tf.control_dependencies(None):
            free = w.read_value()
    assert session.run(outside) == 1.0 and session.run(free) == 1.0
    assert session.run(after) == 2.0
    session.run(same)
    assert session.run(w) == 3.0


def test_run_time_errors_name_the_operator_the_shapes_and_the_line(session):
    a = tf.placeholder(tf.float32, [None, None])
    b = tf.placeholder(tf.float32, [None, None])
    feeds = {a: np.ones((2, 3)), b: np.ones((4, 5))}
    cases = [
        (tf.matmul(a, b, name="m"), "Matrix size-incompatible: In[0]: [2,3], In[1]: [4,5]\n\t [[{{node m}}]]"),
        (tf.add(a, b, name="s"), "Incompatible shapes: [2,3] vs. [4,5]\n\t [[{{node s}}]]"),
        (tf.reshape(a, [5], name="r"), "Input to reshape is a tensor with 6 values"),
        (tf.concat([a, b], 0, name="c"), "ConcatOp : Dimensions of inputs should match: [2,3] vs. [4,5]"),
    ]
    for tensor, words in cases:
        with pytest.raises(tf.errors.InvalidArgumentError) as error:
            session.run(tensor, feeds)
        assert words in str(error.value)
        assert error.value.op.name == tensor.op.name
        assert f"'{tensor.op.name}' ({tensor.op.type}) was built at test_session.py, line" in error.value.__notes__[0]


def test_closed_empty_and_missing_sessions():
    with tf.Graph().as_default():
        with pytest.raises(
            RuntimeError, match="The Session graph is empty. Add operations to the graph before calling"
        ):
            tf.Session().run("a")
        a = tf.constant(1.0)
        with tf.Session() as session:
            assert a.eval() == 1.0 and tf.get_default_session() is session
        with pytest.raises(RuntimeError, match="Attempted to use a closed Session."):
            session.run(a)
        with pytest.raises(
            ValueError, match=r"Cannot evaluate tensor using `eval\(\)`: No default session is registered."
        ):
            a.eval()
        with pytest.raises(
            ValueError, match=r"Cannot execute operation using `run\(\)`: No default session is registered"
        ):
            a.op.run()
        with pytest.raises(ValueError, match="Either session argument should be provided"):
            tf.Variable(1.0).load(2.0)
        live = tf.InteractiveSession()
        assert a.eval() == 1.0
        live.close()
        assert tf.get_default_session() is None


def test_random_numbers_are_drawn_once_a_run(session):
    tf.set_random_seed(3)
    a = tf.random_normal([1000])
    u, i = tf.random_uniform([1000], 2.0, 3.0), tf.random_uniform([1000], 0, 5, tf.int32)
    t = tf.truncated_normal([1000], 1.0, 0.1)
    first, same, second = *session.run([a, a * 1.0]), session.run(a)
    assert (first == same).all() and (first != second).any()
    with tf.Session() as other:
        assert (other.run(a) == first).all()
    assert abs(first.mean()) < 0.1 and abs(first.std() - 1) < 0.1
    u, i, t = session.run([u, i, t])
    assert (2 <= u).all() and (u < 3).all() and set(i) == {0, 1, 2, 3, 4} and i.dtype == np.int32
    assert abs(t - 1).max() <= 0.2
    x = tf.placeholder(tf.float32, [None])
    assert session.run(tf.random_normal(tf.shape(x)), {x: [1, 2]}).shape == (2,)
    dropped = session.run(tf.nn.dropout(tf.ones([1000]), rate=0.25, seed=1))
    assert set(np.round(dropped, 4)) == {0, np.float32(1.3333)} and 650 < (dropped > 0).sum() < 850


def test_without_seeds_two_sessions_differ():
    with tf.Graph().as_default():
        a = tf.random_normal([3])
        assert (tf.Session().run(a) != tf.Session().run(a)).any()


def test_initialisers(session):
    values = {
        "zeros": tf.zeros_initializer(),
        "constant": tf.constant_initializer(0.5),
        "normal": tf.random_normal_initializer(1.0, 0.1, seed=1),
        "uniform": tf.random_uniform_initializer(-1, 1, seed=1),
        "glorot": tf.glorot_uniform_initializer(seed=1),
    }
    made = {name: tf.get_variable(name, [40, 60], initializer=init) for name, init in values.items()}
    session.run(tf.global_variables_initializer())
    got = session.run(made)
    assert (got["zeros"] == 0).all() and (got["constant"] == 0.5).all()
    assert abs(got["normal"].mean() - 1) < 0.01 and got["uniform"].min() < -0.9
    assert np.sqrt(6 / 100) * 0.95 < abs(got["glorot"]).max() <= np.sqrt(6 / 100)


def test_a_plan_can_be_read(session):
    secret = "x_then_a_newline"
    x = tf.placeholder(tf.float32, [None, 2], name=secret)
    y = tf.reduce_sum(tf.exp(x) * tf.exp(x), name="import_os")
    plan = session.plan(y, {x: [[1, 2]]})
    assert "exp_0 = exp(feed_0)" in plan.source and "square(exp_0" in plan.source
    assert secret not in plan.source and "import_os" not in plan.source
    stages = {stage.name: stage for stage in plan.passes}
    assert stages["merge"].count == 1 and stages["simplify"].count == 1
    assert len(stages["merge"].before.operations) == len(stages["merge"].after.operations) + 1
    assert plan.peak_bytes is None
    z = tf.tanh(tf.ones([1000]) * tf.Variable(tf.zeros([1000])))
    assert session.plan(tf.sin(z)).peak_bytes == 4000
    assert tf.Session(passes=[]).plan(tf.sin(z)).peak_bytes == 16000


def test_a_plan_is_compiled_once(session, monkeypatch):
    x = tf.placeholder(tf.float32, [])
    y = x * 2
    made = []
    plan_class = tf.session.Plan
    monkeypatch.setattr(tf.session, "Plan", lambda *a: made.append(a) or plan_class(*a))
    for i in range(3):
        assert session.run(y, {x: i}) == session.run({"a": [y]}, {x: i})["a"][0] == 2 * i
    assert len(made) == 1
    session.run([y, x], {x: 1})
    assert len(made) == 2

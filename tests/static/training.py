"""What TensorFlow 1's tutorials name most often: optimizers, recurrent cells, assignments, spellings of types.

`CELLS` give fetches and feeds as programs.py does; `TRAINED` give arrays after some steps. `record_tf1.py` records what
real TensorFlow makes of them. Read next: test_tf1.py.
"""

import numpy as np
from programs import ramp

# -- cells --------------------------------------------------------------------------------------


def weighted(tf, values, feeds, *more):
    """The values, and gradients of all of them together; every variable is fed with its own numbers."""
    loss = tf.add_n([tf.reduce_sum(v * v) for v in values])
    variables = tf.trainable_variables()
    feeds = feeds | {v: ramp(*v.shape.as_list()) * (0.4 + 0.1 * i) for i, v in enumerate(variables)}
    return [*values, *tf.gradients(loss, [*more, *variables])], feeds


def parts(tf, state):
    return [part for each in state for part in parts(tf, each)] if isinstance(state, tuple) else [state]


def unrolled(tf, cell, lengths=None):
    x = tf.placeholder("float", [None, None, 2])
    outputs, state = tf.nn.dynamic_rnn(cell, x, sequence_length=lengths, dtype=tf.float32)
    return weighted(tf, [outputs, *parts(tf, state)], {x: ramp(2, 4, 2)}, x)


def basic_lstm(tf):
    return unrolled(tf, tf.nn.rnn_cell.BasicLSTMCell(3))


def basic_lstm_with_lengths(tf):
    return unrolled(tf, tf.nn.rnn_cell.BasicLSTMCell(3, forget_bias=0.5, activation=tf.nn.relu), [4, 2])


def basic_lstm_with_one_state(tf):
    return unrolled(tf, tf.nn.rnn_cell.BasicLSTMCell(3, state_is_tuple=False))


def lstm(tf):
    return unrolled(tf, tf.nn.rnn_cell.LSTMCell(3, forget_bias=0.3))


def lstm_with_peepholes(tf):
    return unrolled(tf, tf.nn.rnn_cell.LSTMCell(3, use_peepholes=True))


def lstm_with_a_projection(tf):
    return unrolled(tf, tf.nn.rnn_cell.LSTMCell(3, use_peepholes=True, num_proj=2, cell_clip=0.3, proj_clip=0.2))


def lstm_with_one_state(tf):
    return unrolled(tf, tf.nn.rnn_cell.LSTMCell(3, num_proj=2, state_is_tuple=False))


def on_top_of_each_other(tf):
    rnn = tf.nn.rnn_cell
    return unrolled(tf, rnn.MultiRNNCell([rnn.BasicRNNCell(2), rnn.BasicLSTMCell(3), rnn.LSTMCell(2)]), [3, 4])


def on_top_of_each_other_with_one_state(tf):
    rnn = tf.nn.rnn_cell
    return unrolled(tf, rnn.MultiRNNCell([rnn.BasicRNNCell(n) for n in (2, 3)], state_is_tuple=False))


def one_cell_on_top_of_itself(tf):
    return unrolled(tf, tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.BasicLSTMCell(2)] * 2))


def dropout_that_keeps_all(tf):
    rnn, keep = tf.nn.rnn_cell, tf.constant(1.0)
    cells = [rnn.DropoutWrapper(rnn.BasicLSTMCell(2), keep, keep, keep), rnn.DropoutWrapper(rnn.BasicRNNCell(3))]
    return unrolled(tf, rnn.MultiRNNCell(cells))


def step_by_step(tf):
    x = tf.placeholder(tf.float32, [2, 4, 2])
    cell, lengths = tf.nn.rnn_cell.BasicLSTMCell(3), tf.constant([2, 4])
    outputs, state = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), sequence_length=lengths, dtype=tf.float32)
    return weighted(tf, [tf.stack(outputs), *state], {x: ramp(2, 4, 2)}, x)


def from_both_ends(tf):
    x = tf.placeholder(tf.float32, [None, 4, 2])
    cells = tf.nn.rnn_cell.BasicLSTMCell(3), tf.nn.rnn_cell.BasicRNNCell(2)
    outputs, there, back = tf.nn.static_bidirectional_rnn(*cells, tf.unstack(x, axis=1), dtype=tf.float32)
    return weighted(tf, [tf.stack(outputs), *there, back], {x: ramp(2, 4, 2)}, x)


def from_both_ends_in_a_loop(tf):
    x = tf.placeholder(tf.float32, [None, None, 2])
    cells = tf.nn.rnn_cell.BasicLSTMCell(3), tf.nn.rnn_cell.LSTMCell(2)
    outputs, states = tf.nn.bidirectional_dynamic_rnn(*cells, x, dtype=tf.float32)
    return weighted(tf, [*outputs, *parts(tf, states)], {x: ramp(2, 4, 2)}, x)


def splits(tf):
    x = tf.placeholder(tf.float32, [None, 6])
    pieces = tf.split(x, 2, 0) + tf.split(x, 3, -1) + tf.split(x, [1, 3, 2], 1) + tf.split(x, [1, -1, 2], axis=1)
    values = [*pieces, pieces[0] * pieces[1]]
    return values + [tf.gradients(v * v, x)[0] for v in values], {x: ramp(4, 6)}


def labels_with_another_axis(tf):
    x, one_hot = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 3])
    loss = tf.nn.softmax_cross_entropy_with_logits_v2(logits=x, labels=tf.stop_gradient([one_hot]))
    old = tf.nn.softmax_cross_entropy_with_logits(labels=one_hot, logits=tf.reshape(x, [2, -1, 3]))
    return [loss, old, *tf.gradients(loss, x), *tf.gradients(old * old, x)], {x: ramp(4, 3), one_hot: np.eye(4, 3)}


CELLS = [
    basic_lstm, basic_lstm_with_lengths, basic_lstm_with_one_state, lstm, lstm_with_peepholes, lstm_with_a_projection,
    lstm_with_one_state, on_top_of_each_other, on_top_of_each_other_with_one_state, one_cell_on_top_of_itself,
    dropout_that_keeps_all, step_by_step, from_both_ends, from_both_ends_in_a_loop, splits, labels_with_another_axis,
]  # fmt: skip

# -- steps --------------------------------------------------------------------------------------


def steps(tf, make, dtype="float32"):
    """What the variables hold, the optimizer's own among them, after each of five steps."""
    a, b = tf.Variable(ramp(3), dtype=dtype, name="a"), tf.Variable(0.5, dtype=dtype, name="b")
    rate = tf.placeholder("float", [])
    loss = tf.reduce_sum(tf.exp(a * b) + a * a) * b
    step = make(rate).minimize(loss)
    seen = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for turn in range(5):
            session.run(step, {rate: 0.1 / (turn + 1)})
            seen += session.run(tf.global_variables())
    return seen


def momentum(tf):
    return steps(tf, lambda rate: tf.train.MomentumOptimizer(rate, 0.9))


def momentum_of_nesterov(tf):
    return steps(tf, lambda rate: tf.train.MomentumOptimizer(rate, momentum=0.8, use_nesterov=True), "float64")


def rmsprop(tf):
    return steps(tf, lambda rate: tf.train.RMSPropOptimizer(rate))


def rmsprop_with_momentum(tf):
    return steps(tf, lambda rate: tf.train.RMSPropOptimizer(rate, 0.7, 0.6, 1e-3), "float64")


def rmsprop_centered(tf):
    return steps(tf, lambda rate: tf.train.RMSPropOptimizer(rate, decay=0.8, momentum=0.5, epsilon=0.1, centered=True))


def adam(tf):
    return steps(tf, lambda rate: tf.train.AdamOptimizer(rate, 0.8, 0.95))


def assignments(tf):
    w = tf.Variable([1.0, 2.0], name="w")
    counter = tf.Variable(3, collections=[tf.GraphKeys.LOCAL_VARIABLES], trainable=False, name="counter")
    changes = [tf.assign(w, w * 3.0), tf.assign_add(w, [1.0, 10.0]), tf.assign_sub(w, [0.5, 0.25])]
    by_value = tf.get_variable("by_value", initializer=tf.constant([4, 5]))
    by_number = tf.get_variable("by_number", initializer=[1.5, 2.5])
    seen = []
    with tf.Session() as session, tf.device("/cpu:0"):
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        for change in [*changes, tf.assign_add(counter, 4), by_value, by_number]:
            seen.append(session.run(change))
        seen += session.run([w, counter, len(tf.global_variables()) * tf.ones_like(counter)])
    return seen


def a_state_fed_back(tf):
    cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.LSTMCell(2), tf.nn.rnn_cell.BasicRNNCell(3)])
    x, start = tf.placeholder(tf.float32, [1, None, 2]), cell.zero_state(1, tf.float32)
    outputs, end = tf.nn.dynamic_rnn(cell, x, initial_state=start)
    feeds = {v: ramp(*v.shape.as_list()) for v in tf.trainable_variables()} | {x: ramp(1, 3, 2)}
    seen = []
    with tf.Session() as session:
        for _ in range(3):
            value, state = session.run([outputs, end], feeds)
            seen += [value, *parts(tf, state)]
            feeds[start] = state
    return seen


TRAINED = [
    momentum, momentum_of_nesterov, rmsprop, rmsprop_with_momentum, rmsprop_centered, adam, assignments,
    a_state_fed_back,
]  # fmt: skip

# -- types --------------------------------------------------------------------------------------

SPELLINGS = (
    "float double half int long uint bool str string object single f4 f8 f d e i l i4 i8 u1 b ? intc byte short int_ "
    "float_ longlong float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16 complex64 "
    "complex128 qint8 quint8 qint16 quint16 qint32 resource variant float16_ref float32_ref float64_ref int8_ref "
    "int16_ref int32_ref int64_ref uint8_ref bool_ref <f4 nope"
).split()
TYPES = {spelling: spelling for spelling in SPELLINGS} | {
    "<float>": float, "<int>": int, "<bool>": bool, "<str>": str, "None": None, "[]": [], "array": np.ones(2),
    **{f"np.{n}": getattr(np, n) for n in "float16 float32 float64 int8 int16 int32 int64 uint8 bool_".split()},
    **{f"dtype {name}": np.dtype(name) for name in "float32 float64 int32 int64 bool".split()},
}  # fmt: skip


def type_of(tf, spelling):
    """What a spelling names: the type's name, or the text of the TypeError."""
    try:
        return tf.as_dtype(spelling).base_dtype.name
    except TypeError as error:
        return f"TypeError: {error}"

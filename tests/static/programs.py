"""Programs that run on TensorFlow 1's graph mode and on minigrad.static, and give arrays to compare.

Each takes the module `tf` and gives a list of fetches and a dict of feeds; `record_static.py` records what real
TensorFlow makes of them, test_against_tensorflow.py compares. Read next: test_against_tensorflow.py.
"""

import numpy as np


def ramp(*shape):
    """Numbers from -1 to 1, rising slowly: the same on every machine, all different."""
    return np.linspace(-1, 1, int(np.prod(shape))).reshape(shape).astype(np.float32)


def arithmetic(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.placeholder(tf.float32, [3])
    z = (x + y) * (x - 2.0) / (y * y + 1.5) - x**3 + 2.0 / (x + 4.0)
    return [z, *tf.gradients(z, [x, y])], {x: ramp(2, 3), y: ramp(3)}


def functions(tf):
    x = tf.placeholder(tf.float32, [None])
    names = (
        "exp log1p tanh sigmoid sin cos square abs sign negative floor sqrt rsqrt reciprocal log erf expm1 sinh cosh"
    )
    values = [getattr(tf, name)(x * x + 1.3 if name in "sqrt rsqrt reciprocal log" else x) for name in names.split()]
    values += [
        tf.nn.relu(x),
        tf.nn.elu(x),
        tf.nn.softplus(x),
        tf.nn.leaky_relu(x),
        tf.nn.softmax(x),
        tf.nn.log_softmax(x),
    ]
    grads = [tf.gradients(v, x)[0] for v in values]
    return values + [g for g in grads if g is not None], {x: ramp(6) * 0.9}


def second_order(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.tanh(x) * tf.exp(-x) + tf.reduce_sum(x * x, 1, keepdims=True) * x
    first = tf.gradients(y, x)[0]
    second = tf.gradients(first, x)[0]
    return [first, second, tf.gradients(second, x)[0]], {x: ramp(3, 2)}


def ties(tf):
    x = tf.placeholder(tf.float32, [4])
    y = tf.constant([1.0, 0.0, 2.0, -1.0])
    values = [
        tf.maximum(x, y),
        tf.minimum(x, y),
        tf.nn.relu(x),
        tf.abs(x),
        tf.reduce_max(x),
        tf.clip_by_value(x, 0.0, 1.0),
        tf.sign(x),
    ]
    return [tf.gradients(v, x)[0] for v in values] + tf.gradients(values[0], [y]), {x: [1.0, 0.0, 1.0, 0.0]}


def powers(tf):
    x = tf.placeholder(tf.float32, [4])
    y = tf.placeholder(tf.float32, [4])
    return [tf.pow(x, y), *tf.gradients(tf.pow(x, y), [x, y])], {x: [2.0, 0.5, -2.0, 1.0], y: [3.0, 2.0, 2.0, 0.0]}


def reductions(tf):
    x = tf.placeholder(tf.float32, [None, None, 2])
    values = [
        tf.reduce_sum(x),
        tf.reduce_sum(x, 1),
        tf.reduce_mean(x, [0, 2]),
        tf.reduce_mean(x, axis=-1, keepdims=True),
        tf.reduce_max(x, 1),
        tf.reduce_min(x, [0, 1]),
        tf.reduce_logsumexp(x, 2),
        tf.reduce_mean(x),
        tf.cumsum(x, 1),
    ]
    return values + [tf.gradients(v * v, x)[0] for v in values], {x: ramp(2, 3, 2)}


def products(tf):
    a = tf.placeholder(tf.float32, [None, 3])
    b = tf.placeholder(tf.float32, [3, None])
    c = tf.placeholder(tf.float32, [2, None, 3])
    values = [tf.matmul(a, b), tf.matmul(a, a, transpose_b=True), tf.matmul(b, a, transpose_a=True, transpose_b=True)]
    values += [tf.matmul(c, c, transpose_b=True), a @ b]
    grads = [g for v in values for g in tf.gradients(v * v, [a, b, c]) if g is not None]
    return values + grads, {a: ramp(2, 3), b: ramp(3, 2), c: ramp(2, 2, 3)}


def shapes(tf):
    x = tf.placeholder(tf.float32, [None, 4])
    n = tf.shape(x)[0]
    values = [
        tf.reshape(x, [-1]),
        tf.reshape(x, [n, 2, 2]),
        tf.transpose(x),
        tf.concat([x, x * 2.0], 0),
        tf.concat([x, x * 2.0], axis=1),
        tf.stack([x, -x], axis=1),
        tf.expand_dims(x, 1),
        tf.squeeze(tf.expand_dims(x, -1), [2]),
        tf.tile(x, [2, 1]),
        x[1],
        x[:, 1:3],
        x[::2, ::-1],
        x[..., None],
        x[n - 1],
        tf.gather(x * 1.0, [1, 1, 0]),
        tf.unstack(x, axis=1)[2],
        tf.split(x, 2, 1)[1],
        tf.where(x > 0, x, x * x),
        tf.fill([n], 2.0) * x[:, 0],
        tf.zeros([n, 2]) + x[:, :2],
        tf.ones_like(x) * x,
    ]
    grads = [tf.gradients(v * v, x)[0] for v in values]
    return [*values, *grads, tf.shape(x), tf.size(x), tf.rank(x), tf.range(n), tf.one_hot([1, 0], 3)], {x: ramp(3, 4)}


def integers(tf):
    i = tf.placeholder(tf.int32, [3])
    values = [
        i + 2,
        i * i,
        i // 2,
        i % 2,
        i / 2,
        -i,
        tf.reduce_sum(i),
        tf.reduce_mean(i),
        tf.cast(i, tf.float32),
        i > 1,
    ]
    values += [tf.equal(i, 2), tf.argmax(i), tf.logical_not(i > 1), tf.cast(i > 1, tf.int64), 7 - i, tf.maximum(i, 2)]
    return values, {i: [3, -1, 2]}


def partial_gradients(tf):
    x, y = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32, [2])
    a = x * y
    b = a * x
    values = tf.gradients([a, b], [x, y]) + tf.gradients(b, [x, y], grad_ys=[tf.constant([1.0, 10.0])])
    values += tf.gradients(b, [x, y], stop_gradients=[a]) + tf.gradients(b * tf.stop_gradient(a), [x, a])
    return [v for v in values if v is not None], {x: [2.0, 3.0], y: [5.0, 7.0]}


def loop(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    w = tf.placeholder(tf.float32, [2, 2])
    n = tf.placeholder(tf.int32, [])
    _, y = tf.while_loop(lambda i, h: i < n, lambda i, h: (i + 1, tf.tanh(tf.matmul(h, w)) + x), [0, x])
    dx, dw = tf.gradients(y, [x, w])
    return [y, dx, dw], {x: ramp(3, 2), w: [[0.5, 0.2], [-0.3, 0.8]], n: 4}


def loop_that_stands_still(tf):
    fetches, feeds = loop(tf)
    return fetches, {key: (0 if np.ndim(value) == 0 else value) for key, value in feeds.items()}


def loops_in_loops(tf):
    x = tf.placeholder(tf.float32, [2])

    def inner(i, v):
        return tf.while_loop(lambda j, u: j < i, lambda j, u: (j + 1, u * x + tf.sin(u)), [0, v])[1]

    _, y = tf.while_loop(lambda i, v: i < 4, lambda i, v: (i + 1, inner(i, v)), [1, x])
    return [y, *tf.gradients(y, [x])], {x: [0.3, 0.7]}


def growing(tf):
    x = tf.placeholder(tf.float32, [1, 2])
    _, y = tf.while_loop(
        lambda i, v: i < 3,
        lambda i, v: (i + 1, tf.concat([v, v * 2.0], 0)),
        [tf.constant(0), x],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 2])],
    )
    return [y, *tf.gradients(y * y, [x])], {x: [[1.0, 2.0]]}


def branches(tf):
    x, p = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.bool, [])
    y = tf.cond(p, lambda: tf.exp(x) * x, lambda: x - 1.0)
    z = tf.cond(tf.logical_not(p), lambda: tf.sin(y) * y, lambda: tf.square(y))
    (dx,) = tf.gradients(z, [x])
    return [y, z, dx, *tf.gradients(dx, [x])], {x: [0.5, 2.0], p: True}


def the_other_branch(tf):
    fetches, feeds = branches(tf)
    return fetches, {key: (False if value is True else value) for key, value in feeds.items()}


def branches_in_loops(tf):
    x = tf.placeholder(tf.float32, [])
    _, y = tf.while_loop(
        lambda i, v: i < 5,
        lambda i, v: (i + 1, tf.cond(v > 1.0, lambda: tf.sqrt(v) * x, lambda: v * v + x)),
        [0, x],
    )
    return [y, *tf.gradients(y, [x])], {x: 0.8}


def scans(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    a = tf.scan(lambda a, e: a * e + a, x)
    b = tf.scan(lambda a, e: tf.tanh(a + e), x, initializer=tf.constant([0.5, -0.5]))
    c = tf.map_fn(lambda e: tf.exp(e) * e, x)
    return [a, b, c, *tf.gradients(a, [x]), *tf.gradients([b, c], [x])], {x: ramp(4, 2)}


def recurrent(tf):
    x = tf.placeholder(tf.float32, [None, None, 2])
    lengths = tf.placeholder(tf.int32, [None])
    cell = tf.nn.rnn_cell.BasicRNNCell(3)
    outputs, state = tf.nn.dynamic_rnn(cell, x, sequence_length=lengths, dtype=tf.float32)
    kernel, bias = tf.trainable_variables()
    loss = tf.reduce_sum(outputs * outputs) + tf.reduce_sum(state)
    grads = tf.gradients(loss, [x, kernel, bias])
    return [outputs, state, *grads], {x: ramp(2, 4, 2), lengths: [4, 2], kernel: ramp(5, 3), bias: ramp(3)}


def layers(tf):
    x, y = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 2])
    out = tf.layers.dense(x, 2, activation=tf.nn.relu)
    kernel, bias = tf.trainable_variables()
    loss = tf.losses.mean_squared_error(labels=y, predictions=out)
    cross = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=out)
    values = [out, loss, cross, *tf.gradients(loss, [x, kernel, bias]), *tf.gradients(cross, [x])]
    return values, {x: ramp(4, 3), y: ramp(4, 2), kernel: ramp(3, 2), bias: [0.1, 0.2]}


PROGRAMS = [
    arithmetic, functions, second_order, ties, powers, reductions, products, shapes, integers, partial_gradients, loop,
    loop_that_stands_still, loops_in_loops, growing, branches, the_other_branch, branches_in_loops, scans, recurrent,
    layers,
]  # fmt: skip

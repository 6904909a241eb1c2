"""The posts' two TensorFlow programs, as functions of the module `tf`: they give their losses.

Initial weights come from NumPy, so that TensorFlow and minigrad.static start from the same. In float32 the losses
soon show rounding alone: TensorFlow's own then differ by per cents from those that it computes in float64.
Read next: test_against_tensorflow.py.
"""

import numpy as np


def two_layer(tf, dtype="float32"):
    """The two-layer net, 500 steps of gradient descent written into the graph."""
    rng = np.random.RandomState(0)
    n, d_in, hidden, d_out = 64, 1000, 100, 10
    x = tf.placeholder(dtype, shape=(None, d_in))
    y = tf.placeholder(dtype, shape=(None, d_out))
    w1 = tf.Variable(tf.random_normal((d_in, hidden), dtype=dtype))
    w2 = tf.Variable(tf.random_normal((hidden, d_out), dtype=dtype))

    h = tf.matmul(x, w1)
    h_relu = tf.maximum(h, tf.zeros(1, dtype))
    y_pred = tf.matmul(h_relu, w2)
    loss = tf.reduce_sum((y - y_pred) ** 2.0)
    grad_w1, grad_w2 = tf.gradients(loss, [w1, w2])

    learning_rate = 1e-6
    new_w1 = w1.assign(w1 - learning_rate * grad_w1)
    new_w2 = w2.assign(w2 - learning_rate * grad_w2)

    losses = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        w1.load(rng.randn(d_in, hidden), sess)
        w2.load(rng.randn(hidden, d_out), sess)
        x_value = rng.randn(n, d_in)
        y_value = rng.randn(n, d_out)
        for _ in range(500):
            loss_value, _, _ = sess.run([loss, new_w1, new_w2], feed_dict={x: x_value, y: y_value})
            losses.append(float(loss_value))
    return losses, [v.name for v in tf.global_variables()]


def dynamic_rnn(tf, dtype="float32"):
    """sin predicts cos: the state of one run is fed back into the next, sequences of 10, 20 or 30 steps."""
    random = np.random.RandomState(1)
    rng = np.random.RandomState(0)
    hidden_size = 32

    def rnn(x):
        rnn_cell = tf.nn.rnn_cell.BasicRNNCell(num_units=hidden_size)
        init_state = rnn_cell.zero_state(1, dtype)
        r_out, h_state = tf.nn.dynamic_rnn(cell=rnn_cell, inputs=x, initial_state=init_state)
        outs = tf.layers.dense(tf.reshape(r_out, [-1, hidden_size]), 1)
        return outs, h_state, init_state

    _x = tf.placeholder(dtype, [None, 1], name="x")
    _y = tf.placeholder(dtype, [None, 1], name="y")
    logits, h_state, init_state = rnn(tf.reshape(_x, [1, -1, 1]))
    total_loss = tf.losses.mean_squared_error(labels=_y, predictions=logits)
    train_step = tf.train.AdamOptimizer(0.02).minimize(total_loss)

    losses, state, i = [], None, 0
    with tf.Session() as sess:
        tf.global_variables_initializer().run()
        for variable in tf.trainable_variables():
            limit = np.sqrt(6 / sum(variable.shape.as_list() * 2)) if len(variable.shape) > 1 else 0.0
            variable.load(rng.uniform(-limit, limit, variable.shape.as_list()), sess)
        for _ in range(60):
            periods = random.randint(1, 4)
            steps = np.linspace(i * np.pi, (i + periods) * np.pi, 10 * periods, dtype=np.float32)
            i += periods
            feed_dict = {_x: np.sin(steps)[:, np.newaxis], _y: np.cos(steps)[:, np.newaxis]}
            if state is not None:
                feed_dict[init_state] = state
            _, loss, state = sess.run([train_step, total_loss, h_state], feed_dict)
            losses.append(float(loss))
    return losses, [v.name for v in tf.global_variables()]


SEEDS = [two_layer, dynamic_rnn]

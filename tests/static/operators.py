"""Small graphs that TensorFlow's optimiser made smaller: each gives fetches and feeds, to count operators in.

Read next: test_against_tensorflow.py.
"""

import numpy as np


def folding(tf):
    x = tf.placeholder(tf.float32, [3])
    return [x * (tf.constant(2.0) * 3.0 + 1.0)], {x: np.ones(3)}


def subexpressions(tf):
    x = tf.placeholder(tf.float32, [3])
    return [tf.exp(x) * tf.exp(x) + tf.exp(x)], {x: np.ones(3)}


def double_negation_and_transposes(tf):
    x = tf.placeholder(tf.float32, [2, 3])
    return [tf.negative(tf.negative(tf.transpose(tf.transpose(x)))) * 2.0], {x: np.ones((2, 3))}


def division(tf):
    x = tf.placeholder(tf.float32, [3])
    return [x / 4.0], {x: np.ones(3)}


def first_example(tf):
    w, x = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    y = (w + x) * (w + 1.0)
    return [y, *tf.gradients(y, [w, x])], {w: 1.0, x: 2.0}


COUNTED = [folding, subexpressions, double_negation_and_transposes, division, first_example]

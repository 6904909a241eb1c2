"""One rule table, two engines: the static one computes what the dynamic one does, gradients included."""

import numpy as np
import pytest

import minigrad as torch
import minigrad.static as tf

rng = np.random.default_rng(0)
A, B = (rng.uniform(0.5, 2.0, (4, 5)).astype(np.float32) for _ in range(2))
M = rng.standard_normal((5, 3)).astype(np.float32)

# the same formula in both vocabularies, of a (4, 5), b (4, 5) and m (5, 3)
FORMULAS = {
    "arithmetic": (lambda a, b, m: (a + b) * a - b / a, lambda a, b, m: (a + b) * a - b / a),
    "functions": (
        lambda a, b, m: tf.exp(-a) * tf.log(b) + tf.sqrt(a) * tf.tanh(b) - tf.sigmoid(a * b),
        lambda a, b, m: torch.exp(-a) * torch.log(b) + torch.sqrt(a) * torch.tanh(b) - torch.sigmoid(a * b),
    ),
    "product": (
        lambda a, b, m: tf.nn.relu(tf.matmul(a, m)) + tf.reduce_sum(tf.matmul(b, m), 0),
        lambda a, b, m: torch.relu(a @ m) + (b @ m).sum(0),
    ),
    "reductions": (
        lambda a, b, m: a - tf.reduce_mean(b, 1, keepdims=True) * tf.reduce_sum(a * b),
        lambda a, b, m: a - b.mean(1, keepdim=True) * (a * b).sum(),
    ),
    "softmax": (
        lambda a, b, m: tf.nn.softmax(a) * tf.nn.log_softmax(b),
        lambda a, b, m: torch.softmax(a, 1) * torch.log_softmax(b, 1),
    ),
    "powers": (lambda a, b, m: a**3 - b**2.0 + a**0.5, lambda a, b, m: a**3 - b**2.0 + a**0.5),
    "shapes": (
        lambda a, b, m: tf.reshape(tf.transpose(a), [4, 5]) * tf.concat([b[:2], a[2:]], 0),
        lambda a, b, m: a.t().reshape(4, 5) * torch.cat([b[:2], a[2:]]),
    ),
}


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("shapes", ["known", "unknown"])
def test_both_engines_compute_the_same(name, shapes):
    static, dynamic = FORMULAS[name]
    arrays = (A, B, M)
    leaves = [torch.from_numpy(x.copy()).requires_grad_() for x in arrays]
    out = dynamic(*leaves)
    first = torch.autograd.grad(out.sum(), leaves, create_graph=True, allow_unused=True)
    second = torch.autograd.grad(sum((g * g).sum() for g in first if g is not None), leaves, allow_unused=True)
    with tf.Graph().as_default(), tf.Session() as session:
        xs = [tf.placeholder(tf.float32, x.shape if shapes == "known" else [None, x.shape[1]]) for x in arrays]
        y = static(*xs)
        once = tf.gradients(y, xs)
        twice = tf.gradients([g * g for g in once if g is not None], xs)
        pairs = [(y, out), *zip(once, first, strict=True), *zip(twice, second, strict=True)]
        for ours, theirs in pairs:
            if theirs is None or ours is None:
                nothing = ours if ours is not None else theirs
                assert nothing is None or not np.any(np.asarray(value(nothing, session, xs, arrays)))
            else:
                got = session.run(ours, dict(zip(xs, arrays, strict=True)))
                np.testing.assert_allclose(got, theirs.detach().numpy(), rtol=2e-5, atol=2e-6)


def value(tensor, session, xs, arrays):
    """The value of a tensor of either engine."""
    if isinstance(tensor, tf.Tensor):
        return session.run(tensor, dict(zip(xs, arrays, strict=True)))
    return tensor.detach().numpy()


def test_the_value_is_the_same_bit_for_bit():
    with tf.Graph().as_default(), tf.Session() as session:
        a, b, m = tf.constant(A), tf.constant(B), tf.constant(M)
        for name in ("arithmetic", "functions", "product", "softmax", "shapes"):
            static, dynamic = FORMULAS[name]
            eager = dynamic(*(torch.from_numpy(x) for x in (A, B, M)))
            assert session.run(static(a, b, m)).tobytes() == eager.numpy().tobytes(), name

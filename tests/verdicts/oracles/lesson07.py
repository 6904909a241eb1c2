"""Lesson 7: derivatives from differences, and what happens to the gradient that arrives."""

import numpy as np

from .tools import array, near, oracle


def _passed(operator, torch, at, upstream, *more):
    """Value, gradient, and whether the gradient that arrived is unchanged."""
    leaf = torch.tensor(at, requires_grad=True)
    h = leaf.clone()  # an operator's result: its `.grad` is not where gradients arrive
    y = operator.apply(h, *more)
    arrived = torch.tensor(upstream)
    kept = []
    y.register_hook(lambda grad: kept.append(grad))
    y.backward(arrived)
    unchanged = near(kept[0], upstream, 0, 0) and near(arrived, upstream, 0, 0) and near(h, at, 0, 0)
    return array(y), None if leaf.grad is None else array(leaf.grad), unchanged


@oracle
def relu_backward(make, torch):
    MyReLU = make()
    random = np.random.default_rng(14)
    for shape in ((2,), (5,), (3, 4), (1,), (2, 2, 2)) * 8:
        at, upstream = random.normal(size=shape), random.normal(size=shape)
        value, gradient, unchanged = _passed(MyReLU, torch, at, upstream)
        if not near(value, np.maximum(at, 0)) or gradient is None or not near(gradient, upstream * (at > 0)):
            return f"shape {shape}"
        if not unchanged:
            return "the gradient that arrives is changed"


@oracle
def leaky_relu(make, torch):
    LeakyReLU = make()
    random = np.random.default_rng(15)
    for shape in ((2,), (5,), (3, 4), (1,)) * 8:
        at, upstream, leak = random.normal(size=shape), random.normal(size=shape), float(random.uniform(0.01, 0.9))
        value, gradient, unchanged = _passed(LeakyReLU, torch, at, upstream, leak)
        slope = np.where(at < 0, leak, 1)
        if not near(value, at * slope) or gradient is None or not near(gradient, upstream * slope):
            return f"shape {shape}, leak {leak}"
        if not unchanged:
            return "the gradient that arrives is changed"


@oracle
def own_operator(make, torch):
    MyOperator = make()
    random = np.random.default_rng(16)
    slopes = []
    for _ in range(12):
        at = random.uniform(-2.5, 2.5, 6)
        upstream = random.normal(size=6)
        value, gradient, unchanged = _passed(MyOperator, torch, at, upstream)
        if value.shape != at.shape:
            return "not one number for each"
        exact = value.dtype == np.float64 and near(array(MyOperator.apply(torch.tensor(at.astype("float32")))), value)
        step = 1e-5 if exact else 1e-3
        around = []
        for nudge in (-step, step):
            around.append(array(MyOperator.apply(torch.tensor(at + nudge))).astype(float))
        coarse = np.max(np.abs(array(MyOperator.apply(torch.tensor(at + 1e-7))).astype(float) - value)) > 1e-3
        left, right = (value - around[0]) / step, (around[1] - value) / step
        smooth = np.isfinite(left) & np.isfinite(right) & (np.abs(left - right) < 0.02 * (1 + np.abs(left)))
        if coarse or not smooth.any():
            continue
        alone = at.copy()
        alone[0] += 0.1
        if not near(array(MyOperator.apply(torch.tensor(alone)))[1:], value[1:]):
            return "it mixes its numbers"
        is_ = (left + right) / 2
        if gradient is None or not near(gradient[smooth], (upstream * is_)[smooth], 5e-3, 5e-3):
            return f"the gradient at {at}"
        if not unchanged:
            return "the gradient that arrives is changed"
        slopes += list(is_[smooth])
        if near(value, at * at):
            return "it is the square"
    if not slopes:
        return "there is no slope to measure"
    return "its slope is the same everywhere" if np.ptp(slopes) < 0.01 else None

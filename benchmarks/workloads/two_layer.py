"""The two-layer net 64×1000×100×10 on random numbers: mostly matrix products, so BLAS limits the speed.

PyTorch and minigrad run the well-known tutorial program. Read next: mlp.py.
"""

import numpy as np

from . import peers

N, D_IN, H, D_OUT = 64, 1000, 100, 10
LEARNING_RATE = 1e-6
ZERO = np.float32(0)  # a Python 0 would turn MyGrad's arrays into float64


def numbers():
    """(x, y), [w1, w2]: the same for all sides."""
    rng = np.random.default_rng(0)
    x, y, *weights = (rng.standard_normal(s, np.float32) for s in ((N, D_IN), (N, D_OUT), (D_IN, H), (H, D_OUT)))
    return (x, y), weights


def torch(torch, size):
    (x, y), weights = numbers()
    x, y = torch.from_numpy(x), torch.from_numpy(y)
    weights = [torch.tensor(w, requires_grad=True) for w in weights]

    def run():
        w1, w2 = weights
        losses = []
        for _ in range(size):
            y_pred = x.mm(w1).clamp(min=0).mm(w2)
            loss = (y_pred - y).pow(2).sum()
            losses.append(loss.item())
            loss.backward()
            with torch.no_grad():
                w1 -= LEARNING_RATE * w1.grad
                w2 -= LEARNING_RATE * w2.grad
                w1.grad.zero_()
                w2.grad.zero_()
        return losses

    return run


def by_hand(params, x, y):
    w1, w2 = params
    h = x @ w1
    relu = np.maximum(h, 0)
    error = relu @ w2 - y
    loss = np.square(error).sum()
    grad_y = 2 * error
    grad_h = grad_y @ w2.T
    grad_h[h < 0] = 0
    return loss.item(), None, (x.T @ grad_h, relu.T @ grad_y)


def no_tape(size):
    """Make the arrays of the program above, one by one, with its sums of gradients: the least work of any tape."""
    (x, y), (w1, w2) = numbers()
    grad1, grad2 = np.zeros_like(w1), np.zeros_like(w2)

    def step():
        h = x.dot(w1)
        relu = np.maximum(h, ZERO)
        error = relu.dot(w2) - y
        loss = np.square(error).sum()
        grad_y = error * 2
        np.add(grad2, relu.T.dot(grad_y), out=grad2)
        grad_h = np.where(h >= 0, grad_y.dot(w2.T), ZERO)
        np.add(grad1, x.T.dot(grad_h), out=grad1)
        for param, grad in ((w1, grad1), (w2, grad2)):
            np.subtract(param, LEARNING_RATE * grad, out=param)
            grad.fill(0)
        return loss.item()

    return lambda: [step() for _ in range(size)]


def loss(xp, params, x, y):
    w1, w2 = params
    return ((xp.maximum(x @ w1, ZERO) @ w2 - y) ** 2).sum(), None


others = {**peers.sides(peers.descent(numbers, LEARNING_RATE), by_hand, loss), "no tape": no_tape}

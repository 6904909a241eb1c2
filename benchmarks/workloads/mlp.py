"""A 2-16-16-1 MLP with ReLU on 100 points, mean squared error, plain SGD: a usual size for learning.

The net is micrograd's own example; in micrograd, each number is a node. Read next: lstm.py.
"""

import numpy as np

from . import peers

SIZES = (2, 16, 16, 1)
LEARNING_RATE = 0.05
ZERO = np.float32(0)  # a Python 0 would turn MyGrad's arrays into float64


def numbers():
    """(x, y), [w, b, w, b, w, b]: the same for all sides."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((100, 2), np.float32)
    params = []
    for fan_in, fan_out in zip(SIZES, SIZES[1:], strict=False):
        params += [rng.standard_normal((fan_out, fan_in), np.float32) * fan_in**-0.5, np.zeros(fan_out, np.float32)]
    return (x, np.sign(x[:, :1] * x[:, 1:])), params


def torch(torch, size):
    nn = torch.nn
    model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 1))
    (x, y), params = numbers()
    x, y = torch.from_numpy(x), torch.from_numpy(y)
    with torch.no_grad():
        for parameter, array in zip(model.parameters(), params, strict=True):
            parameter.copy_(torch.from_numpy(array))
    optimizer = torch.optim.SGD(model.parameters(), lr=LEARNING_RATE)
    loss_func = nn.MSELoss()

    def run():
        losses = []
        for _ in range(size):
            loss = loss_func(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses

    return run


def micrograd(size):
    from micrograd.nn import MLP

    (x, y), (w1, b1, w2, b2, w3, b3) = numbers()
    model = MLP(2, list(SIZES[1:]))
    for layer, w, b in zip(model.layers, (w1, w2, w3), (b1, b2, b3), strict=True):
        for neuron, weights, bias in zip(layer.neurons, w.tolist(), b.tolist(), strict=True):
            neuron.b.data = bias
            for value, weight in zip(neuron.w, weights, strict=True):
                value.data = weight
    points, targets = x.tolist(), y[:, 0].tolist()

    def run():
        losses = []
        for _ in range(size):
            loss = sum((model(point) - target) ** 2 for point, target in zip(points, targets, strict=True))
            loss = loss * (1 / len(points))
            model.zero_grad()
            loss.backward()
            for parameter in model.parameters():
                parameter.data -= LEARNING_RATE * parameter.grad
            losses.append(loss.data)
        return losses

    return run


def by_hand(params, x, y):
    w1, b1, w2, b2, w3, b3 = params
    h1 = np.maximum(x @ w1.T + b1, 0)
    h2 = np.maximum(h1 @ w2.T + b2, 0)
    error = h2 @ w3.T + b3 - y
    grad_y = error * (2 / error.size)
    grad_h2 = grad_y @ w3 * (h2 > 0)
    grad_h1 = grad_h2 @ w2 * (h1 > 0)
    grads = (grad_h1.T @ x, grad_h1.sum(0), grad_h2.T @ h1, grad_h2.sum(0), grad_y.T @ h2, grad_y.sum(0))
    return np.square(error).mean().item(), None, grads


def loss(xp, params, x, y):
    w1, b1, w2, b2, w3, b3 = params
    h1 = xp.maximum(x @ w1.T + b1, ZERO)
    h2 = xp.maximum(h1 @ w2.T + b2, ZERO)
    return ((h2 @ w3.T + b3 - y) ** 2).mean(), None


others = {**peers.sides(peers.descent(numbers, LEARNING_RATE), by_hand, loss), "micrograd": micrograd}

"""A 784-128-10 net on batches of 64 digits, cross entropy, plain SGD: the usual first homework.

Each iteration takes the next of ten batches of noise, in the size of MNIST's pictures. Read next: lenet.py.
"""

import numpy as np

from . import peers

BATCHES, BATCH, SIZES = 10, 64, (784, 128, 10)
LEARNING_RATE = 0.1


def numbers():
    """(x, labels), [w, b, w, b]: the same for all sides."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((BATCHES, BATCH, SIZES[0]), np.float32)
    params = []
    for fan_in, fan_out in zip(SIZES, SIZES[1:], strict=False):
        params += [rng.standard_normal((fan_out, fan_in), np.float32) * fan_in**-0.5, np.zeros(fan_out, np.float32)]
    return (x, rng.integers(0, SIZES[-1], (BATCHES, BATCH))), [param.astype(np.float32) for param in params]


def torch(torch, size):
    nn = torch.nn
    model = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))
    (x, labels), params = numbers()
    batches = [*zip(map(torch.from_numpy, x), map(torch.from_numpy, labels), strict=True)]
    with torch.no_grad():
        for parameter, array in zip(model.parameters(), params, strict=True):
            parameter.copy_(torch.from_numpy(array))
    optimizer = torch.optim.SGD(model.parameters(), lr=LEARNING_RATE)
    loss_func = nn.CrossEntropyLoss()

    def run():
        losses = []
        for i in range(size):
            x, labels = batches[i % BATCHES]
            loss = loss_func(model(x), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses

    return run


def numpy(size):
    (x, labels), params = numbers()

    def step(x, labels):
        w1, b1, w2, b2 = params
        h = x @ w1.T
        h += b1
        np.maximum(h, 0, out=h)
        scores = h @ w2.T
        scores += b2
        loss, grad_y = peers.cross_entropy(scores, labels)
        grad_h = grad_y @ w2
        grad_h *= h > 0
        peers.descend(params, (grad_h.T @ x, grad_h.sum(0), grad_y.T @ h, grad_y.sum(0)), LEARNING_RATE)
        return loss

    return lambda: [step(x[i % BATCHES], labels[i % BATCHES]) for i in range(size)]


others = {"numpy": numpy}

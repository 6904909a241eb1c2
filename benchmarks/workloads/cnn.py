"""A small convolutional net on 8 pictures of 28×28: two conv layers, each with ReLU and pooling, and a linear layer.

In NumPy, a convolution is one matrix product over all windows. Read next: digits.py.
"""

from functools import reduce

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from . import peers

BATCH, CLASSES = 8, 10
LEARNING_RATE = 0.05


def numbers():
    """x, labels, [w, b, w, b, w, b]: the same for all sides."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((BATCH, 1, 28, 28), np.float32)
    params = []
    for size in ((8, 1, 3, 3), (16, 8, 3, 3), (CLASSES, 16 * 7 * 7)):
        params += [rng.standard_normal(size, np.float32) * np.prod(size[1:]) ** -0.5, np.zeros(size[0], np.float32)]
    return x, rng.integers(0, CLASSES, BATCH), [param.astype(np.float32) for param in params]


def torch(torch, size):
    nn = torch.nn
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(16 * 7 * 7, CLASSES),
    )
    x, labels, params = numbers()
    x, labels = torch.from_numpy(x), torch.from_numpy(labels)
    with torch.no_grad():
        for parameter, array in zip(model.parameters(), params, strict=True):
            parameter.copy_(torch.from_numpy(array))
    optimizer = torch.optim.SGD(model.parameters(), lr=LEARNING_RATE)
    loss_func = nn.CrossEntropyLoss()

    def run():
        losses = []
        for _ in range(size):
            loss = loss_func(model(x), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses

    return run


def windows(x, kernel=3, padding=1):
    """Every window of the zero-padded pictures as a row: (batch · height · width, channels · kernel²)."""
    padded = np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding))) if padding else x
    seen = sliding_window_view(padded, (kernel, kernel), axis=(2, 3))
    return seen.transpose(0, 2, 3, 1, 4, 5).reshape(-1, x.shape[1] * kernel * kernel)


def conv_relu_pool(x, w, b, padding=1):
    """One block: its output, and the values that its derivatives need."""
    seen = windows(x, w.shape[-1], padding)
    batch = len(x)
    height, width = (n + 2 * padding - w.shape[-1] + 1 for n in x.shape[2:])
    relu = np.maximum(seen @ w.reshape(len(w), -1).T + b, 0).reshape(batch, height // 2, 2, width // 2, 2, len(w))
    corners = (relu[:, :, i, :, j] for i in (0, 1) for j in (0, 1))
    pooled = reduce(np.maximum, corners)  # NumPy's max over two axes takes eight times as long
    return pooled.transpose(0, 3, 1, 2), (seen, relu, pooled)


def slopes_of_block(grad, kept):
    """The gradient of the products before bias and ReLU, and the gradients of w and b."""
    seen, relu, pooled = kept
    spread = grad.transpose(0, 2, 3, 1)[:, :, None, :, None, :]
    grad_z = np.where((relu == pooled[:, :, None, :, None, :]) & (relu > 0), spread, 0)
    grad_z = grad_z.reshape(-1, relu.shape[-1])
    return grad_z, grad_z.T @ seen, grad_z.sum(0)


def numpy(size):
    x, labels, params = numbers()
    w1, b1, w2, b2, w3, b3 = params

    def step():
        block1, kept1 = conv_relu_pool(x, w1, b1)
        block2, kept2 = conv_relu_pool(block1, w2, b2)
        flat = block2.reshape(BATCH, -1)
        loss, grad_scores = peers.cross_entropy(flat @ w3.T + b3, labels)
        grad_z2, grad_w2, grad_b2 = slopes_of_block((grad_scores @ w3).reshape(block2.shape), kept2)
        turned = w2[:, :, ::-1, ::-1].transpose(1, 0, 2, 3).reshape(len(w1), -1)  # backward is a convolution, too
        back = windows(grad_z2.reshape(BATCH, 14, 14, -1).transpose(0, 3, 1, 2)) @ turned.T
        _, grad_w1, grad_b1 = slopes_of_block(back.reshape(BATCH, 14, 14, -1).transpose(0, 3, 1, 2), kept1)
        grads = grad_w1, grad_b1, grad_w2, grad_b2, grad_scores.T @ flat, grad_scores.sum(0)
        peers.descend(params, grads, LEARNING_RATE)
        return loss

    return lambda: [step() for _ in range(size)]


others = {"numpy": numpy}

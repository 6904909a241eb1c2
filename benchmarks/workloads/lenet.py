"""LeNet on batches of 64 pictures of 28×28, cross entropy, plain SGD: the second homework.

The NumPy side uses the convolutions of cnn.py, with windows of 5×5. Read next: lstm_homework.py.
"""

import numpy as np

from . import peers
from .cnn import conv_relu_pool, slopes_of_block, windows

BATCH, CLASSES = 64, 10
SIZES = ((6, 1, 5, 5), (16, 6, 5, 5), (120, 400), (84, 120), (CLASSES, 84))
LEARNING_RATE = 0.05


def numbers():
    """x, labels, [w, b, w, b …]: the same for all sides."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((BATCH, 1, 28, 28), np.float32)
    params = []
    for size in SIZES:
        params += [rng.standard_normal(size, np.float32) * np.prod(size[1:]) ** -0.5, np.zeros(size[0], np.float32)]
    return x, rng.integers(0, CLASSES, BATCH), [param.astype(np.float32) for param in params]


def torch(torch, size):
    nn = torch.nn
    model = nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(400, 120),
        nn.ReLU(),
        nn.Linear(120, 84),
        nn.ReLU(),
        nn.Linear(84, CLASSES),
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


def numpy(size):
    x, labels, params = numbers()
    w1, b1, w2, b2, w3, b3, w4, b4, w5, b5 = params

    def step():
        block1, kept1 = conv_relu_pool(x, w1, b1, 2)
        block2, kept2 = conv_relu_pool(block1, w2, b2, 0)
        h2 = block2.reshape(BATCH, -1)
        h3 = np.maximum(h2 @ w3.T + b3, 0)
        h4 = np.maximum(h3 @ w4.T + b4, 0)
        loss, grad_y = peers.cross_entropy(h4 @ w5.T + b5, labels)

        grad_h4 = grad_y @ w5 * (h4 > 0)
        grad_h3 = grad_h4 @ w4 * (h3 > 0)
        grad_z2, grad_w2, grad_b2 = slopes_of_block((grad_h3 @ w3).reshape(block2.shape), kept2)
        turned = w2[:, :, ::-1, ::-1].transpose(1, 0, 2, 3).reshape(len(w1), -1)  # backward is a convolution, too
        back = windows(grad_z2.reshape(BATCH, 10, 10, -1).transpose(0, 3, 1, 2), 5, 4) @ turned.T
        _, grad_w1, grad_b1 = slopes_of_block(back.reshape(BATCH, 14, 14, -1).transpose(0, 3, 1, 2), kept1)
        grads = [grad_w1, grad_b1, grad_w2, grad_b2]
        for grad, entered in ((grad_h3, h2), (grad_h4, h3), (grad_y, h4)):
            grads += [grad.T @ entered, grad.sum(0)]
        peers.descend(params, grads, LEARNING_RATE)
        return loss

    return lambda: [step() for _ in range(size)]


others = {"numpy": numpy}

"""How NumPy, MyGrad and autograd train: on plain arrays, with `slopes(params, *data)`.

`slopes` returns the loss, any other value to keep (a hidden state), and the gradients. For NumPy, it is
written by hand; for the others, a `loss(xp, params, *data)` is enough, with `xp` their version of NumPy.
Read next: two_layer.py, which uses all three.
"""

import numpy as np


def sides(train, by_hand, loss):
    """The three sides of a workload; `train(slopes)` makes one of them."""
    return {
        "numpy": lambda size: train(by_hand, size),
        "mygrad": lambda size: train(mygrad_slopes(loss), size),
        "autograd": lambda size: train(autograd_slopes(loss), size),
    }


def descent(numbers, rate):
    """Plain gradient descent with `size` iterations per run. `numbers()` returns the data and the parameters."""

    def train(slopes, size):
        data, params = numbers()

        def run():
            losses = []
            for _ in range(size):
                loss, _, grads = slopes(params, *data)
                descend(params, grads, rate)
                losses.append(loss)
            return losses

        return run

    return train


def descend(params, grads, rate):
    """Make one step of plain gradient descent, in place."""
    for param, grad in zip(params, grads, strict=True):
        param -= rate * grad.reshape(param.shape)


def cross_entropy(scores, labels):
    """Cross entropy by hand: the mean over the batch, and its gradient."""
    rows = np.arange(len(labels))
    scores = scores - scores.max(axis=1, keepdims=True)
    grad = np.exp(scores)
    total = grad.sum(axis=1, keepdims=True)
    loss = (np.log(total[:, 0]) - scores[rows, labels]).mean().item()
    grad /= total
    grad[rows, labels] -= 1
    grad /= len(labels)
    return loss, grad


def adam(params, rate, beta1=0.9, beta2=0.999, eps=1e-8):
    """Adam as PyTorch computes it; `update(grads)` changes the params in place."""
    means, squares = [np.zeros_like(p) for p in params], [np.zeros_like(p) for p in params]
    step = 0

    def update(grads):
        nonlocal step
        step += 1
        now, correction = rate / (1 - beta1**step), (1 - beta2**step) ** 0.5
        for param, grad, mean, square in zip(params, grads, means, squares, strict=True):
            mean += (1 - beta1) * (grad - mean)
            square *= beta2
            square += (1 - beta2) * grad * grad
            param -= now * mean / (np.sqrt(square) / correction + eps)

    return update


def mygrad_slopes(loss):
    import mygrad

    def slopes(params, *data):
        tensors = [mygrad.tensor(array, copy=False) for array in params]
        value, kept = loss(mygrad, tensors, *data)
        value.backward()
        return value.item(), getattr(kept, "data", None), [tensor.grad for tensor in tensors]

    return slopes


def autograd_slopes(loss):
    import autograd.numpy
    from autograd import value_and_grad

    def slopes(params, *data):
        kept = None

        def of(params):
            nonlocal kept
            value, kept = loss(autograd.numpy, params, *data)
            return value

        value, grads = value_and_grad(of)(params)
        return float(value), getattr(kept, "_value", None), grads

    return slopes

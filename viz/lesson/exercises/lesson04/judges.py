"""Lesson 4, shapes: the three gradients of a layer, a scale that was spread over a row (to be mended), and the table of
all slopes, a row for each backward pass.
"""

import numpy as np


def _tensors(torch, random, *sizes):
    return [torch.tensor(random.normal(size=size).astype(np.float32)) for size in sizes]


def layers(torch, random):
    yield tuple(
        torch.tensor(each) for each in ([[1.0], [2.0]], [[3.0, -1.0]], [0.5, 4.0], [[1.0, 10.0], [100.0, 1000.0]])
    )
    for rows, wide, out in ((2, 3, 2), (5, 2, 3), (3, 3, 3)):
        yield tuple(_tensors(torch, random, (rows, wide), (wide, out), (out,), (rows, out)))


def scales(torch, random):
    X = [[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0]]
    scaled = [[2.0, 4.0, 0.0], [0.0, 3.0, 6.0], [1.0, 0.0, 1.0], [-1.0, -1.0, -1.0]]
    yield torch.tensor(X), torch.tensor(scaled), torch.ones(4, 1)
    for _ in range(2):
        yield tuple(_tensors(torch, random, (4, 3), (4, 3), (4, 1)))


def squares(v):
    return v * v


def maps(torch, random):
    yield squares, torch.tensor([1.0, 3.0], requires_grad=True)
    for outputs, inputs in ((3, 2), (2, 4), (4, 4)):
        (A,) = _tensors(torch, random, (outputs, inputs))

        def mix(v, A=A):
            return (A @ v) * (A @ v)

        yield mix, torch.tensor(random.normal(size=inputs).astype(np.float32), requires_grad=True)

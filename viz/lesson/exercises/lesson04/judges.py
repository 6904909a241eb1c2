"""What the pages of lesson 4 can't contain: points to try, ways of running, checks."""

import numpy as np

from ...judges import drawn


def squares(v):
    return v * v


def maps(torch, random):
    yield squares, torch.tensor([1.0, 3.0], requires_grad=True)
    for outputs, inputs in ((3, 2), (2, 4), (4, 4)):
        (A,) = drawn(torch, random, (outputs, inputs))

        def mix(v, A=A):
            return (A @ v) * (A @ v)

        yield mix, torch.tensor(random.normal(size=inputs).astype(np.float32), requires_grad=True)

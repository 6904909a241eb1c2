"""What the pages of lesson 4 can't contain: points to try, ways of running, checks."""

import numpy as np

from ...judges import drawn


def maps(torch, random):
    """Functions whose name in a reply is their own line; no table is square or diagonal."""

    def known(v):
        return torch.stack([v[0] * v[1], v[0] + v[1], 5 * v[1]])

    known.__name__ = "lambda v: torch.stack([v[0] * v[1], v[0] + v[1], 5 * v[1]])"
    yield known, torch.tensor([2.0, 3.0], requires_grad=True)
    for outputs, inputs in ((3, 2), (2, 4), (5, 4)):
        (A,) = drawn(torch, random, (outputs, inputs))

        def mixed(v, A=A):
            return (A @ v) * (A @ v)

        mixed.__name__ = f"lambda v: (A @ v) * (A @ v)  # A is ({outputs}, {inputs})"
        yield mixed, torch.tensor(random.normal(size=inputs).astype(np.float32), requires_grad=True)


def exact_or_near(given, torch, f, v):
    """The reader's table; or "near", if it has the derivatives only nearly, as nudging gives them."""
    came = given(f, v)
    exact = torch.autograd.functional.jacobian(f, v.detach())
    if not isinstance(came, torch.Tensor) or came.shape != exact.shape:
        return came
    apart = (came.detach() - exact).abs().max().item()
    size = exact.abs().max().item()
    return "near" if 1e-4 * size < apart < 0.03 * size else came

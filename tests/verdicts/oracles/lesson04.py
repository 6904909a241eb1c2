"""Lesson 4: derivatives from differences in float64, and products written as sums."""

import numpy as np

from .tools import array, near, oracle


def _maps(torch):
    random = np.random.default_rng(4)
    yield lambda v: torch.stack([v[0] * v[1], v[0] + v[1], 5 * v[1]]), np.array([2.0, 3.0])
    yield lambda v: torch.stack([v[0] * v[0]]), np.array([1.5, 0.5, 1.0])  # one row
    yield lambda v: torch.stack([v[0], v[0] * v[0] * v[0]]), np.array([0.7])  # one column
    yield lambda v: v.exp(), random.normal(size=3)
    for rows, columns in ((3, 2), (2, 4), (5, 4), (4, 4)):
        A = random.normal(size=(rows, columns))
        yield lambda v, A=A: (torch.tensor(A, dtype=v.dtype) @ v).sin(), random.normal(size=columns)


@oracle
def jacobian(make, torch):
    jacobian = make()
    for f, at in _maps(torch):
        v = torch.tensor(at, dtype=torch.float32, requires_grad=True)
        came = jacobian(f, v)
        columns = []
        for j in range(len(at)):
            nudge = np.zeros(len(at))
            nudge[j] = 1e-5
            high, low = (array(f(torch.tensor(each))) for each in (at + nudge, at - nudge))
            columns.append((high - low) / 2e-5)
        if not isinstance(came, torch.Tensor) or not near(came, np.stack(columns, 1), 1e-4, 1e-4):
            return f"of {at}"


@oracle
def scale_of_a_row(make, torch):
    descend = make()
    random = np.random.default_rng(5)
    for rows, columns in ((4, 3), (2, 2), (3, 5), (1, 4), (5, 1), *((4, 3) for _ in range(40))):
        X, target = random.uniform(-1, 1, (2, rows, columns))
        c = random.normal(size=(rows, 1))
        given = torch.tensor(c)
        came = descend(torch.tensor(X), torch.tensor(target), given)
        for _ in range(20):
            for r in range(rows):
                c[r, 0] -= 0.05 * sum(2 * (c[r, 0] * X[r, k] - target[r, k]) * X[r, k] for k in range(columns))
        if not near(came, c):
            return f"with {rows} rows, {columns} columns"


@oracle
def three_gradients(make, torch):
    gradients = make()
    random = np.random.default_rng(6)
    for rows, ins, outs in ((2, 3, 4), (5, 2, 3), (1, 1, 1), (1, 3, 2), (3, 1, 2), (3, 3, 3), (2, 2, 2)):
        X, W, b, G = (random.normal(size=size) for size in ((rows, ins), (ins, outs), outs, (rows, outs)))
        came = gradients(*(torch.tensor(each) for each in (X, W, b, G)))
        is_ = (
            np.einsum("ro,io->ri", G, W),
            np.einsum("ri,ro->io", X, G),
            np.einsum("ro->o", G),
        )
        if len(came) != 3 or not all(isinstance(each, torch.Tensor) for each in came):
            return "no three tensors"
        if not all(near(a, b) for a, b in zip(came, is_, strict=True)):
            return f"for {rows}, {ins}, {outs}"

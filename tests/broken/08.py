"""Data from NumPy: the weight of a fish from its length, width and height."""

import numpy as np

import minigrad as torch
from minigrad import nn

random = np.random.default_rng(0)
sizes = random.uniform(0.5, 2.0, (60, 3))
weights = 1.5 * sizes[:, 0] + 0.8 * sizes[:, 1] - 0.3 * sizes[:, 2] + 0.2


def batches(size=20):
    for start in range(0, len(sizes), size):
        yield torch.from_numpy(sizes[start : start + size]), torch.from_numpy(weights[start : start + size, None])


torch.manual_seed(0)
net = nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for _ in range(200):
    for size, weight in batches():
        loss = nn.functional.mse_loss(net(size), weight)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print("loss at the end:", loss.item())

"""An RNN learns cos from sin, with 10, 20 or 30 time steps at random in every iteration: another graph each time."""

import matplotlib.pyplot as plt
import numpy as np

import minigrad as torch
from minigrad import nn

torch.manual_seed(1)
np.random.seed(1)
INPUT_SIZE = 1
LR = 0.02


class RNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(
            input_size=1,
            hidden_size=32,
            num_layers=1,
            batch_first=True,  # (batch, time step, input size)
        )
        self.out = nn.Linear(32, 1)

    def forward(self, x, h_state):
        r_out, h_state = self.rnn(x, h_state)
        outs = []
        for time_step in range(r_out.size(1)):  # Python's own loop: here the graph grows
            outs.append(self.out(r_out[:, time_step, :]))
        return torch.stack(outs, dim=1), h_state


def count_nodes(tensor):
    """How many nodes the graph behind a tensor has."""
    nodes, todo = set(), [tensor.grad_fn]
    while todo:
        node = todo.pop()
        if node is not None and node not in nodes:
            nodes.add(node)
            todo += [before for before, _ in node.next_functions]
    return len(nodes)


rnn = RNN()
print(rnn)
optimizer = torch.optim.Adam(rnn.parameters(), lr=LR)
loss_func = nn.MSELoss()
h_state = None

plt.figure(1, figsize=(12, 5))
step = 0
for _ in range(60):
    dynamic_steps = np.random.randint(1, 4)
    start, end = step * np.pi, (step + dynamic_steps) * np.pi
    step += dynamic_steps
    steps = np.linspace(start, end, 10 * dynamic_steps, dtype=np.float32)
    print(len(steps))

    x_np = np.sin(steps)
    y_np = np.cos(steps)
    x = torch.from_numpy(x_np[np.newaxis, :, np.newaxis])
    y = torch.from_numpy(y_np[np.newaxis, :, np.newaxis])

    prediction, h_state = rnn(x, h_state)
    h_state = h_state.data  # cut the graph between iterations

    loss = loss_func(prediction, y)
    print("loss", loss.item(), "nodes", count_nodes(loss))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

    plt.plot(steps, y_np.flatten(), "r-")
    plt.plot(steps, prediction.data.numpy().flatten(), "b-")
plt.close()

"""The recurrent net that learns cos from sin, with another number of time steps in every iteration.

`torch` is the program of the lesson without plots and prints: unrolled, one graph per iteration. The NumPy
program keeps no tape: its derivatives are written by hand, and it multiplies all time steps at once where it can.
Read next: mlp.py.
"""

import numpy as np

from . import peers

INPUT_SIZE, HIDDEN = 1, 32
LR = 0.02


def net(torch):
    """The program's net, initialised with PyTorch's seed 1."""
    nn = torch.nn

    class RNN(nn.Module):
        def __init__(self):
            super().__init__()
            self.rnn = nn.RNN(input_size=INPUT_SIZE, hidden_size=HIDDEN, num_layers=1, batch_first=True)
            self.out = nn.Linear(HIDDEN, 1)

        def forward(self, x, h_state):
            r_out, h_state = self.rnn(x, h_state)
            outs = []
            for time_step in range(r_out.size(1)):
                outs.append(self.out(r_out[:, time_step, :]))
            return torch.stack(outs, dim=1), h_state

    torch.manual_seed(1)
    return RNN()


def torch(torch, size):
    def run():
        np.random.seed(1)
        rnn = net(torch)
        optimizer = torch.optim.Adam(rnn.parameters(), lr=LR)
        loss_func = torch.nn.MSELoss()
        h_state = None
        losses = []
        step = 0
        for _ in range(size):
            dynamic_steps = np.random.randint(1, 4)
            start, end = step * np.pi, (step + dynamic_steps) * np.pi
            step += dynamic_steps
            steps = np.linspace(start, end, 10 * dynamic_steps, dtype=np.float32)
            x_np = np.sin(steps)
            y_np = np.cos(steps)
            x = torch.from_numpy(x_np[np.newaxis, :, np.newaxis])
            y = torch.from_numpy(y_np[np.newaxis, :, np.newaxis])

            prediction, h_state = rnn(x, h_state)
            h_state = h_state.data

            loss = loss_func(prediction, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses

    return run


def train(slopes, size):
    """The same training on plain arrays: see peers.py."""
    import minigrad  # only for PyTorch's initial weights

    weights = [parameter.detach().numpy() for parameter in net(minigrad).parameters()]

    def run():
        np.random.seed(1)
        params = [array.copy() for array in weights]
        update = peers.adam(params, LR)
        h_state = np.zeros(HIDDEN, np.float32)
        losses = []
        step = 0
        for _ in range(size):
            dynamic_steps = np.random.randint(1, 4)
            start, end = step * np.pi, (step + dynamic_steps) * np.pi
            step += dynamic_steps
            steps = np.linspace(start, end, 10 * dynamic_steps, dtype=np.float32)
            loss, h_state, grads = slopes(params, np.sin(steps)[:, None], np.cos(steps)[:, None], h_state)
            update(grads)
            losses.append(loss)
        return losses

    return run


def by_hand(params, x, y, h):
    w_in, w_hidden, b_in, b_hidden, w_out, b_out = params
    states = np.empty((len(x) + 1, HIDDEN), np.float32)
    states[0] = h
    drive = x @ w_in.T + (b_in + b_hidden)
    for t in range(len(x)):
        states[t + 1] = np.tanh(drive[t] + w_hidden @ states[t])
    before, after = states[:-1], states[1:]
    error = after @ w_out.T + b_out - y

    grad_y = error * (2 / error.size)
    from_output = grad_y @ w_out
    slope = 1 - after * after  # the derivative of tanh
    grad_drive = np.empty_like(drive)
    from_future = np.zeros(HIDDEN, np.float32)
    for t in reversed(range(len(x))):
        grad_drive[t] = (from_output[t] + from_future) * slope[t]
        from_future = grad_drive[t] @ w_hidden
    grad_b = grad_drive.sum(0)
    grads = (grad_drive.T @ x, grad_drive.T @ before, grad_b, grad_b, grad_y.T @ after, grad_y.sum(0))
    return np.square(error).mean().item(), after[-1], grads


def no_tape(params, x, y, h):
    """Make the arrays of the program above, one by one, with its sums of gradients: the least work of any tape."""
    w_in, w_hidden, b_in, b_hidden, w_out, b_out = params
    h = h.reshape(1, HIDDEN)
    parts = x.dot(w_in.T) + b_in
    before, after, outs = [], [], []
    for t in range(len(x)):
        before.append(h)
        h = np.tanh((h.dot(w_hidden.T) + b_hidden) + parts[t : t + 1])
        after.append(h)
    states = np.stack(after)
    for t in range(len(x)):
        outs.append(states[t].dot(w_out.T) + b_out)
    error = np.stack(outs)[:, 0] - y

    grads = [0, 0, 0, 0, 0, 0]
    grad_outs, grad_states = error * (2 / error.size), [None] * len(x)
    for t in reversed(range(len(x))):
        grad_y = grad_outs[t : t + 1]
        grad_states[t] = grad_y.dot(w_out)
        grads[4], grads[5] = grads[4] + grad_y.T.dot(states[t]), grads[5] + grad_y[0]
    grad_states, grad_parts, from_future = np.stack(grad_states), [None] * len(x), 0
    for t in reversed(range(len(x))):
        grad = (grad_states[t] + from_future) * (1 - after[t] * after[t])
        grad_parts[t] = grad
        grads[1], grads[3] = grads[1] + grad.T.dot(before[t]), grads[3] + grad[0]
        from_future = grad.dot(w_hidden)
    grad_parts = np.stack(grad_parts)[:, 0]
    grads[0], grads[2] = grad_parts.T.dot(x), grad_parts.sum(0)
    return np.square(error).mean().item(), h[0], grads


def loss(xp, params, x, y, h):
    w_in, w_hidden, b_in, b_hidden, w_out, b_out = params
    outs = []
    for t in range(len(x)):
        h = xp.tanh(w_in @ x[t] + b_in + w_hidden @ h + b_hidden)
        outs.append(w_out @ h + b_out)
    return ((xp.stack(outs) - y) ** 2).mean(), h


others = {**peers.sides(train, by_hand, loss), "no tape": lambda size: train(no_tape, size)}


def torch_one_sequence(torch, size):
    """`size` time steps, forward and backward, without an update: for growth.py."""
    rnn, loss_func = net(torch), torch.nn.MSELoss()
    steps = np.linspace(0, np.pi * size / 10, size, dtype=np.float32)
    x, y = (torch.from_numpy(f(steps)[np.newaxis, :, np.newaxis]) for f in (np.sin, np.cos))

    def run():
        rnn.zero_grad()
        loss = loss_func(rnn(x, None)[0], y)
        loss.backward()
        return [loss.item()]

    return run

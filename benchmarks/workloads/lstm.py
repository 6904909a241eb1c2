"""An LSTM of 32 units over 30 time steps, one sequence, mean squared error, plain SGD.

Each step has four gates, so each node does more arithmetic than in the plain RNN. Read next: cnn.py.
"""

import numpy as np

from . import peers

STEPS, HIDDEN = 30, 32
LEARNING_RATE = 0.05
ONE = np.float32(1)  # a Python 1 would turn MyGrad's arrays into float64


def numbers():
    """(x, y), [w_in, w_hidden, b_in, b_hidden, w_out, b_out]: the same for all sides."""
    rng = np.random.default_rng(0)
    sizes = (4 * HIDDEN, 1), (4 * HIDDEN, HIDDEN), (4 * HIDDEN,), (4 * HIDDEN,), (1, HIDDEN), (1,)
    params = [rng.uniform(-(HIDDEN**-0.5), HIDDEN**-0.5, size).astype(np.float32) for size in sizes]
    time = np.linspace(0, 3 * np.pi, STEPS, dtype=np.float32)[:, None]
    return (np.sin(time), np.cos(time)), params


def torch(torch, size):
    (x, y), params = numbers()
    x, y = torch.from_numpy(x[np.newaxis]), torch.from_numpy(y[np.newaxis])
    lstm, out = torch.nn.LSTM(1, HIDDEN, batch_first=True), torch.nn.Linear(HIDDEN, 1)
    parameters = [*lstm.parameters(), *out.parameters()]
    with torch.no_grad():
        for parameter, array in zip(parameters, params, strict=True):
            parameter.copy_(torch.from_numpy(array))
    optimizer = torch.optim.SGD(parameters, lr=LEARNING_RATE)
    loss_func = torch.nn.MSELoss()

    def run():
        losses = []
        for _ in range(size):
            r_out, _ = lstm(x)
            loss = loss_func(out(r_out), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses

    return run


def by_hand(params, x, y):
    w_in, w_hidden, b_in, b_hidden, w_out, b_out = params
    drive = x @ w_in.T + (b_in + b_hidden)
    h, c = np.zeros((2, STEPS + 1, HIDDEN), np.float32)
    gates = np.empty((STEPS, 4, HIDDEN), np.float32)
    for t in range(STEPS):
        gates[t] = (drive[t] + w_hidden @ h[t]).reshape(4, HIDDEN)
        gates[t, 2] = np.tanh(gates[t, 2])
        gates[t, [0, 1, 3]] = 1 / (1 + np.exp(-gates[t, [0, 1, 3]]))
        i, f, g, o = gates[t]
        c[t + 1] = f * c[t] + i * g
        h[t + 1] = o * np.tanh(c[t + 1])
    error = h[1:] @ w_out.T + b_out - y

    grad_y = error * (2 / error.size)
    from_output = grad_y @ w_out
    tanh_c = np.tanh(c[1:])
    grad_gates = np.empty_like(gates)
    grad_h = grad_c = np.zeros(HIDDEN, np.float32)
    for t in reversed(range(STEPS)):
        i, f, g, o = gates[t]
        grad_h = grad_h + from_output[t]
        grad_c = grad_c + grad_h * o * (1 - tanh_c[t] * tanh_c[t])
        grad_gates[t, 0] = grad_c * g * i * (1 - i)
        grad_gates[t, 1] = grad_c * c[t] * f * (1 - f)
        grad_gates[t, 2] = grad_c * i * (1 - g * g)
        grad_gates[t, 3] = grad_h * tanh_c[t] * o * (1 - o)
        grad_c = grad_c * f
        grad_h = grad_gates[t].ravel() @ w_hidden
    grad_drive = grad_gates.reshape(STEPS, -1)
    grad_b = grad_drive.sum(0)
    grads = (grad_drive.T @ x, grad_drive.T @ h[:-1], grad_b, grad_b, grad_y.T @ h[1:], grad_y.sum(0))
    return np.square(error).mean().item(), None, grads


def loss(xp, params, x, y):
    w_in, w_hidden, b_in, b_hidden, w_out, b_out = params
    h = c = np.zeros(HIDDEN, np.float32)
    outs = []
    for t in range(STEPS):
        i, f, g, o = xp.reshape(w_in @ x[t] + b_in + w_hidden @ h + b_hidden, (4, HIDDEN))
        c = sigmoid(xp, f) * c + sigmoid(xp, i) * xp.tanh(g)
        h = sigmoid(xp, o) * xp.tanh(c)
        outs.append(w_out @ h + b_out)
    return ((xp.stack(outs) - y) ** 2).mean(), None


def sigmoid(xp, array):
    return ONE / (ONE + xp.exp(-array))


others = peers.sides(peers.descent(numbers, LEARNING_RATE), by_hand, loss)

"""nn.LSTM(64, 128) over 64 time steps of a batch of 32, a linear layer on the last state, cross entropy, plain SGD.

The net is so large that the products, and not Python, should take most of the time. Read next: transformer.py.
"""

import numpy as np

from . import peers

FEATURES, HIDDEN, STEPS, BATCH, CLASSES = 64, 128, 64, 32, 10
LEARNING_RATE = 0.1


def numbers():
    """x, labels, [w_in, w_hidden, b_in, b_hidden, w_out, b_out]: the same for all sides."""
    rng = np.random.default_rng(0)
    sizes = (4 * HIDDEN, FEATURES), (4 * HIDDEN, HIDDEN), (4 * HIDDEN,), (4 * HIDDEN,), (CLASSES, HIDDEN), (CLASSES,)
    params = [rng.uniform(-(HIDDEN**-0.5), HIDDEN**-0.5, size).astype(np.float32) for size in sizes]
    return rng.standard_normal((STEPS, BATCH, FEATURES), np.float32), rng.integers(0, CLASSES, BATCH), params


def torch(torch, size):
    x, labels, params = numbers()
    x, labels = torch.from_numpy(x), torch.from_numpy(labels)
    lstm, out = torch.nn.LSTM(FEATURES, HIDDEN), torch.nn.Linear(HIDDEN, CLASSES)
    parameters = [*lstm.parameters(), *out.parameters()]
    with torch.no_grad():
        for parameter, array in zip(parameters, params, strict=True):
            parameter.copy_(torch.from_numpy(array))
    optimizer = torch.optim.SGD(parameters, lr=LEARNING_RATE)
    loss_func = torch.nn.CrossEntropyLoss()

    def run():
        losses = []
        for _ in range(size):
            r_out, _ = lstm(x)
            loss = loss_func(out(r_out[-1]), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses

    return run


def numpy(size):
    x, labels, params = numbers()
    x = x.reshape(STEPS * BATCH, FEATURES)
    w_in, w_hidden, b_in, b_hidden, w_out, b_out = params
    h, c = np.zeros((2, STEPS + 1, BATCH, HIDDEN), np.float32)
    tanh_c = np.empty((STEPS, BATCH, HIDDEN), np.float32)
    sigmoids = np.r_[0 : 2 * HIDDEN, 3 * HIDDEN : 4 * HIDDEN]
    half = np.ones(4 * HIDDEN, np.float32)  # σ(x) = ½ tanh(½ x) + ½, so one tanh computes all four gates
    half[sigmoids] = 0.5
    more = 1 - half

    def step():
        drive = x @ (w_in * half[:, None]).T
        drive += (b_in + b_hidden) * half
        gates = drive.reshape(STEPS, BATCH, 4 * HIDDEN)  # the loop turns them into the gates in place
        from_state = np.ascontiguousarray((w_hidden * half[:, None]).T)
        for t, gate in enumerate(gates):
            gate += h[t] @ from_state
            np.tanh(gate, out=gate)
            gate *= half
            gate += more
            i, f, g, o = (gate[:, k * HIDDEN : (k + 1) * HIDDEN] for k in range(4))
            np.multiply(f, c[t], out=c[t + 1])
            c[t + 1] += i * g
            np.tanh(c[t + 1], out=tanh_c[t])
            np.multiply(o, tanh_c[t], out=h[t + 1])
        loss, grad_y = peers.cross_entropy(h[-1] @ w_out.T + b_out, labels)

        grads = np.empty_like(gates)
        grad_h, grad_c = grad_y @ w_out, np.zeros((BATCH, HIDDEN), np.float32)
        for t in reversed(range(STEPS)):
            i, f, g, o = (gates[t, :, k * HIDDEN : (k + 1) * HIDDEN] for k in range(4))
            grad = grads[t].reshape(BATCH, 4, HIDDEN)
            grad_c += grad_h * o * (1 - tanh_c[t] * tanh_c[t])
            grad[:, 0] = grad_c * g * (i * (1 - i))
            grad[:, 1] = grad_c * c[t] * (f * (1 - f))
            grad[:, 2] = grad_c * i * (1 - g * g)
            grad[:, 3] = grad_h * tanh_c[t] * (o * (1 - o))
            grad_c *= f
            grad_h = grads[t] @ w_hidden
        rows = grads.reshape(STEPS * BATCH, 4 * HIDDEN)
        bias, before = rows.sum(0), h[:-1].reshape(STEPS * BATCH, HIDDEN)
        slopes = rows.T @ x, rows.T @ before, bias, bias, grad_y.T @ h[-1], grad_y.sum(0)
        peers.descend(params, slopes, LEARNING_RATE)
        return loss

    return lambda: [step() for _ in range(size)]


others = {"numpy": numpy}

"""A transformer block of width 64, as in lectures: four causal heads, GELU; 16 sequences of 32 steps, Adam.

The code is that of a small GPT: one linear layer for queries, keys and values, and a mask filled with -inf.
Read next: ../pairing.py.
"""

import math

import numpy as np

from . import peers

BATCH, STEPS, WIDTH, HEADS = 16, 32, 64, 4
LEARNING_RATE, EPS = 1e-3, 1e-5


def numbers():
    """(x, y), [weight, bias of: norm, queries keys and values, projection, norm, up, down]: the same for all sides."""
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((2, BATCH, STEPS, WIDTH), np.float32)
    params = []
    for size in ((WIDTH,), (3 * WIDTH, WIDTH), (WIDTH, WIDTH), (WIDTH,), (4 * WIDTH, WIDTH), (WIDTH, 4 * WIDTH)):
        weight = np.ones(size) if len(size) == 1 else rng.standard_normal(size) * size[1] ** -0.5
        params += [weight.astype(np.float32), np.zeros(size[0], np.float32)]
    return (x, y), params


def block(torch):
    """An instance of the transformer block, with this library."""
    nn = torch.nn

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1 = nn.LayerNorm(WIDTH)
            self.attend = nn.Linear(WIDTH, 3 * WIDTH)
            self.project = nn.Linear(WIDTH, WIDTH)
            self.norm2 = nn.LayerNorm(WIDTH)
            self.up = nn.Linear(WIDTH, 4 * WIDTH)
            self.gelu = nn.GELU()
            self.down = nn.Linear(4 * WIDTH, WIDTH)
            self.register_buffer("mask", torch.tril(torch.ones(STEPS, STEPS)))

        def attention(self, x):
            b, t, c = x.size()
            q, k, v = self.attend(x).split(WIDTH, dim=2)
            q, k, v = (part.view(b, t, HEADS, c // HEADS).transpose(1, 2) for part in (q, k, v))
            att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
            att = att.masked_fill(self.mask[:t, :t] == 0, float("-inf"))
            att = torch.nn.functional.softmax(att, dim=-1)
            y = (att @ v).transpose(1, 2).contiguous().view(b, t, c)
            return self.project(y)

        def forward(self, x):
            x = x + self.attention(self.norm1(x))
            return x + self.down(self.gelu(self.up(self.norm2(x))))

    return Block()


def torch(torch, size):
    model = block(torch)
    (x, y), params = numbers()
    x, y = torch.from_numpy(x), torch.from_numpy(y)
    with torch.no_grad():
        for parameter, array in zip(model.parameters(), params, strict=True):
            parameter.copy_(torch.from_numpy(array))
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE)
    loss_func = torch.nn.MSELoss()

    def run():
        losses = []
        for _ in range(size):
            loss = loss_func(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses

    return run


def normed(x, weight, bias):
    """A layer norm over rows: its output, and the values that its derivatives need."""
    unit = x - x.mean(axis=1, keepdims=True)
    inverse = 1 / np.sqrt(np.square(unit).mean(axis=1, keepdims=True) + np.float32(EPS))
    unit *= inverse
    return unit * weight + bias, (unit, inverse, weight)


def slopes_of_norm(grad, kept):
    """The gradients of the layer norm's input, weight and bias."""
    unit, inverse, weight = kept
    grad_unit = grad * weight
    common = unit * (grad_unit * unit).mean(axis=1, keepdims=True) + grad_unit.mean(axis=1, keepdims=True)
    return (grad_unit - common) * inverse, (grad * unit).sum(0), grad.sum(0)


def by_hand(params, x, y, erf, hidden):
    nw1, nb1, w_attend, b_attend, w_project, b_project, nw2, nb2, w_up, b_up, w_down, b_down = params
    n1, kept1 = normed(x, nw1, nb1)
    parts = (n1 @ w_attend.T + b_attend).reshape(BATCH, STEPS, 3, HEADS, -1)
    q, k, v = np.ascontiguousarray(parts.transpose(2, 0, 3, 1, 4))  # each (batch, heads, steps, width of a head)
    scale = 1 / math.sqrt(q.shape[-1])
    att = q @ k.transpose(0, 1, 3, 2)
    att *= scale
    att[..., hidden] = -np.inf
    att -= att.max(axis=-1, keepdims=True)
    np.exp(att, out=att)
    att /= att.sum(axis=-1, keepdims=True)
    seen = (att @ v).transpose(0, 2, 1, 3).reshape(x.shape)
    middle = x + seen @ w_project.T + b_project
    n2, kept2 = normed(middle, nw2, nb2)
    up = n2 @ w_up.T + b_up
    share = (erf(up * np.float32(0.5**0.5)) + 1) * 0.5
    bent = up * share
    error = middle + bent @ w_down.T + b_down - y

    grad_out = error * (2 / error.size)
    grad_up = grad_out @ w_down
    grad_up *= share + up * np.exp(up * up * -0.5) * np.float32((2 * np.pi) ** -0.5)
    grad_middle, grad_nw2, grad_nb2 = slopes_of_norm(grad_up @ w_up, kept2)
    grad_middle += grad_out
    grad_seen = (grad_middle @ w_project).reshape(BATCH, STEPS, HEADS, -1).transpose(0, 2, 1, 3)
    grad_parts = np.empty(parts.shape, np.float32)
    grad_q, grad_k, grad_v = grad_parts.transpose(2, 0, 3, 1, 4)
    grad_v[...] = att.transpose(0, 1, 3, 2) @ grad_seen
    grad_att = grad_seen @ v.transpose(0, 1, 3, 2)
    grad_att -= (grad_att * att).sum(axis=-1, keepdims=True)
    grad_att *= att
    grad_att *= scale
    grad_q[...], grad_k[...] = grad_att @ k, grad_att.transpose(0, 1, 3, 2) @ q
    grad_parts = grad_parts.reshape(len(x), -1)
    _, grad_nw1, grad_nb1 = slopes_of_norm(grad_parts @ w_attend, kept1)
    grads = [grad_nw1, grad_nb1, grad_parts.T @ n1, grad_parts.sum(0), grad_middle.T @ seen, grad_middle.sum(0)]
    grads += [grad_nw2, grad_nb2, grad_up.T @ n2, grad_up.sum(0), grad_out.T @ bent, grad_out.sum(0)]
    return np.square(error).mean().item(), grads


def numpy(size):
    from minigrad.ops.error_function import erf  # NumPy has no erf

    (x, y), params = numbers()
    x, y = x.reshape(-1, WIDTH), y.reshape(-1, WIDTH)
    hidden = np.triu(np.ones((STEPS, STEPS), bool), 1)
    update = peers.adam(params, LEARNING_RATE)

    def run():
        losses = []
        for _ in range(size):
            loss, grads = by_hand(params, x, y, lambda array: erf(np, array), hidden)
            update(grads)
            losses.append(loss)
        return losses

    return run


others = {"numpy": numpy}

"""An LSTM over a whole sequence as one operator, as in PyTorch on a CPU, where Intel's kernels compute it.

One pass back through time computes all slopes together. It needs the gates at every time step, which forward stores as
bytes in its fourth output. Slopes that are recorded themselves compute the gates again from the inputs, so that the
gates have derivatives, too.
Imports backend, rules and ops/note.py.
Read next: ../nn/recurrent.py, which calls it, and which also computes an LSTM by single operators.
"""

import numpy as np

from .._machine import backend
from ..core.rules import op
from .note import note

IN_CACHE = 16384  # number of elements of each gate, in several time steps, that fit into the processor's cache
OUTPUTS = ("result0", "result1", "result2", "result3")


def _quarters(units):
    """The columns of the gates i, f, g, o."""
    return [slice(k * units, (k + 1) * units) for k in range(4)]


def _halved(xp, rows, units, dtype):
    """½ for the columns of i, f and o, and 1 for those of g; then 1 minus that. Each has a row for each example: one
    row with broadcasting would take twice the time."""
    half = xp.full((rows, 4 * units), 0.5, dtype=dtype)
    half[:, 2 * units : 3 * units] = 1.0
    return half, 1 - half


@op("MkldnnRnnLayerBackward0", kind="recurrent", outputs=OUTPUTS, each=True)
def mkldnn_rnn_layer(
    xp, input, weight0, weight1, weight2, weight3, hx_, cx_, *, reverse=False, train=False, into_input=True
):
    """One layer in one direction: the states at all times (time, batch, units), the last state, the last cell state,
    and, if `train`, the gates as bytes. `into_input`: whether the input needs a gradient.

    weight0 to weight3 are W_ih, W_hh, b_ih and b_hh, with rows for the gates i, f, g, o in this order; hx_ and cx_ are
    the first states. σ(x) = ½ tanh(½ x) + ½, so one tanh computes all four gates.
    """
    steps, batch, _ = input.shape
    units = hx_.shape[1]
    halves, rests = _halved(xp, max(batch, 1), units, input.dtype)
    half = halves[0, :]
    gates = xp.reshape(input, (steps * batch, -1)) @ (weight0.T * half)
    gates += (weight2 + weight3) * half
    gates, from_state = xp.reshape(gates, (steps, batch, -1)), xp.empty(weight1.T.shape, dtype=input.dtype)
    from_state[...] = weight1.T * half  # row by row: for few rows, OpenBLAS takes three times as long with columns
    i, f, g, o = _quarters(units)
    result, h, c = xp.empty((steps, batch, units), dtype=input.dtype), hx_, cx_
    for t in range(steps)[:: -1 if reverse else 1]:
        gate = gates[t, ...]
        gate += h @ from_state
        backend.into(xp, gate, xp.tanh, gate)
        gate *= halves
        gate += rests
        c = gate[:, f] * c + gate[:, i] * gate[:, g]
        result[t, ...] = h = gate[:, o] * xp.tanh(c)
    return result, h, c, backend.as_bytes(xp, gates if train else gates[:0, ...])


def _back_on_arrays(grad, input, weight0, weight1, hx_, cx_, result0, result3, reverse, into_input):
    """`_back_through_time` from the stored gates, in NumPy and in place."""
    steps, batch, units = result0.shape
    grad_out, grad_h, grad_c = grad[0], grad[1].copy(), grad[2].copy()
    gates, (i, f, g, o) = result3.view(result0.dtype).reshape(steps, batch, -1), _quarters(units)
    way, cells = range(steps)[:: -1 if reverse else 1], np.empty((steps + 1, batch, units), gates.dtype)
    now, before = (cells[:-1], cells[1:]) if reverse else (cells[1:], cells[:-1])
    before[way[0]] = cx_
    np.multiply(gates[:, :, i], gates[:, :, g], out=now)
    for t in way:
        now[t] += gates[t, :, f] * before[t]
    grads = np.empty_like(gates)
    of_cell, of_state = grads.reshape(steps, batch, 4, units)[:, :, :3], grads[:, :, o]
    several = max(1, IN_CACHE // (batch * units))
    for part in [way[start : start + several] for start in range(0, steps, several)][::-1]:
        some = slice(min(part), max(part) + 1)
        gate, to, tanh_c = gates[some], grads[some], np.tanh(now[some])
        np.multiply(gate, gate, out=to)  # the derivative of σ is σ - σ², that of tanh is 1 - tanh²
        np.subtract(gate, to, out=to)
        to[:, :, g] += 1 - gate[:, :, g]
        to[:, :, i] *= gate[:, :, g]
        to[:, :, f] *= before[some]
        to[:, :, g] *= gate[:, :, i]
        to[:, :, o] *= tanh_c
        tanh_c *= tanh_c
        to_cell = np.subtract(1, tanh_c, out=tanh_c)
        to_cell *= gate[:, :, o]
        for t in part[::-1]:
            grad_h += grad_out[t]
            grad_c += grad_h * to_cell[t - some.start]
            of_cell[t] *= grad_c[:, np.newaxis]
            of_state[t] *= grad_h
            grad_c *= gates[t, :, f]
            grad_h = grads[t].dot(weight1)
    rows, out = grads.reshape(steps * batch, 4 * units), result0.reshape(steps * batch, units)
    late, out = (rows[:-batch], out[batch:]) if reverse else (rows[batch:], out[:-batch])
    bias = np.add.reduce(rows, 0)
    found = {
        "weight0": rows.T.dot(input.reshape(steps * batch, -1)),
        "weight1": late.T.dot(out) + grads[way[0]].T.dot(hx_),
        "weight2": bias,
        "weight3": bias.copy(),
        "hx_": grad_h,
        "cx_": grad_c,
    }
    return found | {"input": rows.dot(weight0).reshape(input.shape)} if into_input else found


def _back_through_time(
    F, grad, input, weight0, weight1, weight2, weight3, hx_, cx_, result0, result3, reverse, into_input
):
    """All slopes of `mkldnn_rnn_layer`, by name, from the gradients of its first three outputs."""
    if isinstance(result3, np.ndarray) and result3.size:
        return _back_on_arrays(grad, input, weight0, weight1, hx_, cx_, result0, result3, reverse, into_input)
    steps, batch, units = result0.shape
    grad_out, grad_h, grad_c = grad[:3]
    x, out = input, result0
    if reverse:
        x, out, grad_out = (F.flip(each, dims=(0,)) for each in (x, out, grad_out))
    x = F.reshape_to(x, size=(steps * batch, x.shape[-1]))
    before = F.cat(F.reshape_to(hx_, size=(1, batch, units)), F.slice_dim(out, dim=0, start=0, stop=steps - 1, step=1))
    before = F.reshape_to(before, size=(steps * batch, units))
    gates = F.mm(x, F.t(weight0)) + F.mm(before, F.t(weight1)) + (weight2 + weight3)
    i, f, g, o = F.unbind(F.reshape_to(gates, size=(steps, batch, 4, units)), dim=2)
    i, f, g, o = F.sigmoid(i), F.sigmoid(f), F.tanh(g), F.sigmoid(o)
    forget, cells = F.unbind(f, dim=0), [cx_]
    for kept, new in zip(forget, F.unbind(i * g, dim=0), strict=True):
        cells.append(kept * cells[-1] + new)
    tanh_c = F.tanh(F.stack(*cells[1:], dim=0))
    to_c = F.unbind(o * (1 - tanh_c * tanh_c), dim=0)
    to_gates = g * i * (1 - i), F.stack(*cells[:-1], dim=0) * f * (1 - f), i * (1 - g * g), tanh_c * o * (1 - o)
    to_gates = F.unbind(F.cat(*to_gates, dim=2), dim=0)
    grad_out, found = F.unbind(grad_out, dim=0), []
    for t in reversed(range(steps)):
        grad_h = grad_h + grad_out[t]
        grad_c = grad_c + grad_h * to_c[t]
        found.append(F.cat(grad_c, grad_c, grad_c, grad_h, dim=1) * to_gates[t])
        grad_c = grad_c * forget[t]
        grad_h = F.mm(found[-1], weight1)
    grads = F.reshape_to(F.stack(*found[::-1], dim=0), size=(steps * batch, 4 * units))
    to_input = F.reshape_to(F.mm(grads, weight0), size=input.shape)
    bias = F.sum_dim(grads, dim=(0,))
    return {
        "input": F.flip(to_input, dims=(0,)) if reverse else to_input,
        "weight0": F.mm(F.t(grads), x),
        "weight1": F.mm(F.t(grads), before),
        "weight2": bias,
        "weight3": F.clone(bias),
        "hx_": grad_h,
        "cx_": grad_c,
    }


mkldnn_rnn_layer.slope(**dict.fromkeys(mkldnn_rnn_layer.inputs, _back_through_time))
note(
    mkldnn_rnn_layer,
    needs_sizes="A sequence is gone through step by step, so its length must be known",
    shape=lambda input, w0, w1, w2, w3, h, c, train, **_: [
        *(None if None in (input, h) else (*input[:2], h[1]), h, c),
        (None if train else 0,),
    ],
    gives=(None, None, None, "uint8"),
)

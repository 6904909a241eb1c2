"""An LSTM's walk along a sequence as one operator: PyTorch's on a CPU, where Intel's kernels do it.

For its slopes the walk is taken back once, and all of them come out of it. What it needs on the way, the gates and
the cell states, is computed again from what was saved: the inputs, and the state at every time step.
Imports rules and ops/note.py.
Read next: ../nn/recurrent.py, where it is called; there the same walk stands as single operators, too.
"""

from ..core.rules import op
from .note import note


@op("MkldnnRnnLayerBackward0", kind="recurrent", outputs=("result0", "result1", "result2"), each=True)
def mkldnn_rnn_layer(xp, input, weight0, weight1, weight2, weight3, hx_, cx_, *, reverse=False):
    """One layer in one direction: the states at all times (time, batch, units), the last state, the last cell state.

    weight0 to weight3 are W_ih, W_hh, b_ih and b_hh, the gates i, f, g, o below each other; hx_ and cx_ the first
    states. σ(x) = ½ tanh(½ x) + ½, so that one tanh serves all four gates.
    """
    steps, batch, _ = input.shape
    units = hx_.shape[1]
    i, f, g, o = (slice(k * units, (k + 1) * units) for k in range(4))
    from_input = xp.reshape(input, (steps * batch, -1)) @ weight0.T + (weight2 + weight3)
    halves = []
    for x in (from_input, weight1.T):  # of all but g, which is a tanh as it is, and is put last
        halves.append(xp.concat((x[:, i] * 0.5, x[:, f] * 0.5, x[:, o] * 0.5, x[:, g]), axis=1))
    from_input, from_state = xp.reshape(halves[0], (steps, batch, -1)), halves[1]
    sigmoids, i, f, o, g = slice(3 * units), i, f, g, o  # where they are now
    result, h, c = xp.empty((steps, batch, units), dtype=input.dtype), hx_, xp.asarray(cx_, copy=True)
    for t in range(steps)[:: -1 if reverse else 1]:
        gates = h @ from_state
        gates += from_input[t, ...]
        gates = xp.tanh(gates)
        gates[:, sigmoids] *= 0.5
        gates[:, sigmoids] += 0.5
        c *= gates[:, f]
        c += gates[:, i] * gates[:, g]
        result[t, ...] = h = gates[:, o] * xp.tanh(c)
    return result, h, c


def _back_through_time(F, grad, input, weight0, weight1, weight2, weight3, hx_, cx_, result0, reverse):
    """All slopes of `mkldnn_rnn_layer`, by name, from the gradients of its three outputs."""
    steps, batch, units = result0.shape
    grad_out, grad_h, grad_c = grad
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
    shape=lambda input, w0, w1, w2, w3, h, c, reverse: [None if None in (input, h) else (*input[:2], h[1]), h, c],
)

"""RNN, LSTM, GRU: the same step at every time step of a sequence, which passes a hidden state to the next.

A layer first multiplies all time steps by W_ih at once, then loops over them. The loop calls ordinary operators,
as in PyTorch: the graph grows with the sequence, and backward goes back through time. For an LSTM in float32
without a packed sequence, PyTorch has one operator for the whole loop, and so has minigrad (../ops/recurrent.py).
`torch.backends.mkldnn.flags(enabled=False)` switches it off.
Imports cell and utils.rnn. Read next: cell.py for the three steps; utils/rnn.py.
"""

import warnings
from itertools import accumulate

from .._call.operators import OPERATORS
from .._engine.switches import modes
from .._machine.dtypes import float32
from .._tensors.creation import zeros
from .._tensors.methods.shape import cat, stack
from ..backends import mkldnn
from .cell import STEPS, Recurrent, gru_step, lstm_step
from .dropout import dropout
from .linear import linear
from .module import unusual
from .utils.rnn import PackedSequence


def at_once_here(input) -> bool:
    """Whether PyTorch computes an LSTM over this input by one operator of Intel's library, for all time steps."""
    fits = input.dtype is float32 and input.device.type == "cpu" and input.dim() == 3 and input.numel() > 0
    return fits and mkldnn.enabled


def lstm_at_once(input, weights, first, reverse: bool):
    """One layer in one direction as one operator: the outputs of all time steps, and the two final states."""
    w_ih, w_hh, *biases = weights
    if biases[0] is None:
        biases = [zeros(w_ih.shape[0], dtype=input.dtype)] * 2
    taken = input, w_ih, w_hh, *biases, *first
    train = modes.recording and any([x.requires_grad for x in taken])
    outs = OPERATORS["mkldnn_rnn_layer"](*taken, reverse=reverse, train=train, into_input=input.requires_grad)
    return outs[:3]


class RNNBase(Recurrent):
    """Base of RNN, LSTM and GRU: the parameters of all layers and directions, the checks, the loop over time."""

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
    ):
        super().__init__()
        if proj_size and not self.has_cell_state:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        if proj_size:
            raise NotImplementedError("minigrad's LSTM has no projections (proj_size)")
        for name, value in (("input_size", input_size), ("hidden_size", hidden_size), ("num_layers", num_layers)):
            if not isinstance(value, int):
                raise TypeError(f"{name} should be of type int, got: {type(value).__name__}")
            if value <= 0:
                raise ValueError(f"{name} must be greater than zero")
        if isinstance(dropout, bool) or not 0 <= dropout <= 1:
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
            )
        if dropout > 0 and num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects "
                f"num_layers greater than 1, but got dropout={dropout} and num_layers={num_layers}",
                stacklevel=2,
            )
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout, self.bidirectional = bias, batch_first, dropout, bidirectional
        self._directions = ("", "_reverse") if bidirectional else ("",)
        for layer in range(num_layers):
            columns = hidden_size * len(self._directions) if layer else input_size
            for direction in self._directions:
                self._make_parameters(f"_l{layer}{direction}", columns, device=device, dtype=dtype)
        self.reset_parameters()

    def forward(self, input, hx=None):
        states = self._listed(hx)
        if isinstance(input, PackedSequence):  # unequal lengths: the batch shrinks when a sequence ends
            sizes, order, back = input.batch_sizes.tolist(), input.sorted_indices, input.unsorted_indices
            if order is not None:
                states = [s.index_select(1, order) for s in states]
            output, states = self._run(input.data, states, sizes)
            if back is not None:
                states = [s.index_select(1, back) for s in states]
            return input._replace(data=output), self._given(states)
        self._check_axes(input, states)
        batched = input.dim() == 3
        if not batched:
            input, states = input.unsqueeze(1), [s.unsqueeze(1) for s in states]
        elif self.batch_first:
            input = input.transpose(0, 1)
        time, batch, _ = input.shape
        output, states = self._run(input, states, [batch] * time)
        if not batched:
            output, states = output.squeeze(1), [s.squeeze(1) for s in states]
        elif self.batch_first:
            at_once = self.has_cell_state and at_once_here(input)
            output = output.transpose(0, 1) if at_once else OPERATORS["transpose_back"](output)
        return output, self._given(states)

    # -- checks -----------------------------------------------------------------------------------

    def _check_axes(self, input, states) -> None:
        """Check that the input has two or three axes, and that the hidden states have the same number."""
        n, name = input.dim(), self._get_name()
        if n not in (2, 3):
            what = " tensor" if name == "RNN" else ""
            raise ValueError(f"{name}: Expected input to be 2D or 3D, got {n}D{what} instead")
        if any(s.dim() != n for s in states):
            found = ", ".join(f"{s.dim()}-D" for s in states)
            what, got = ("hx and cx", f"({found}) tensors") if self.has_cell_state else ("hx", f"{found} tensor")
            kind = "batched" if n == 3 else "unbatched"
            raise RuntimeError(f"For {kind} {n}-D input, {what} should also be {n}-D but got {got}")

    def _start(self, input, batch: int, states):
        """The initial states, each (layers · directions, batch, hidden): zeros if none are given."""
        weight = self.weight_ih_l0
        if input.dtype is not weight.dtype:
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({weight.dtype}). Convert input: "
                f"input.to({weight.dtype}), or convert model: model.to({input.dtype})"
            )
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.shape[-1]}"
            )
        size = (self.num_layers * len(self._directions), batch, self.hidden_size)
        for i, state in enumerate(states):
            if state.shape != size:
                name = f"hidden[{i}]" if self.has_cell_state else "hidden"
                raise RuntimeError(f"Expected {name} size {size}, got {list(state.shape)}")
        return states or [zeros(size, dtype=input.dtype, device=input.device)] * (1 + self.has_cell_state)

    # -- the loop over time -----------------------------------------------------------------------

    def _run(self, input, states, sizes):
        """Run all layers on (time, batch, features), or on packed rows; `sizes` is the batch size of each time step."""
        if not sizes:
            raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
        states = self._start(input, sizes[0], states)
        at_once = self.has_cell_state and at_once_here(input)
        along = (([s[i] for i in range(s.shape[0])] if at_once else s.unbind(0)) for s in states)
        starts = zip(*along, strict=True)  # the states of each layer and direction
        ends = []
        for layer in range(self.num_layers):
            if layer and self.dropout:
                input = dropout(input, self.dropout, self.training)
            outputs = []
            for direction in self._directions:
                weights, first = self._parameters_of(f"_l{layer}{direction}"), next(starts)
                if at_once:
                    output, *end = lstm_at_once(input, weights, first, reverse=direction != "")
                else:
                    output, end = self._one_by_one(input, weights, first, sizes, -1 if direction else 1)
                outputs.append(output)
                ends.append(end)
            input = cat(outputs, -1) if self.bidirectional else outputs[0]
        return input, [stack(each) for each in zip(*ends, strict=True)]

    def _one_by_one(self, input, weights, first, sizes, way):
        """One layer in one direction, by single operators: the outputs of all time steps, and the final states."""
        w_ih, w_hh, b_ih, b_hh = weights
        parts = linear(input, w_ih, b_ih)
        if parts.dim() == 3:
            join, steps = stack, parts.unbind(0)
        else:
            rows = zip(sizes, accumulate(sizes), strict=True)
            join, steps = cat, [parts.narrow(0, end - n, n) for n, end in rows]
        along, end = self._walk(steps[::way], sizes[::way], first, w_hh, b_hh)
        return join(along[::way]), end

    def _walk(self, steps, sizes, first, w_hh, b_hh):
        """One layer in one direction: the output of every time step, and the final states.

        For packed sequences, the batch shrinks from step to step, or grows if time runs backwards.
        """
        step, before, states = self.step, sizes[0], first
        if before < sizes[-1]:
            states = tuple(s[:before] for s in first)
        outputs, ended = [], []
        for x, now in zip(steps, sizes, strict=True):
            if now < before:  # some sequences have ended: their states are final
                ended.append(tuple(s[now:] for s in states))
                states = tuple(s[:now] for s in states)
            elif now > before:  # some sequences begin here
                states = tuple(cat([s, f[before:now]]) for s, f in zip(states, first, strict=True))
            before, states = now, step(x, states, w_hh, b_hh)
            outputs.append(states[0])
        if ended:
            states = tuple(cat(parts) for parts in zip(states, *reversed(ended), strict=True))
        return outputs, states

    def flatten_parameters(self) -> None:
        """Does nothing: PyTorch makes the weights contiguous in GPU memory, which minigrad doesn't need."""

    def extra_repr(self) -> str:
        defaults = {"num_layers": 1, "bias": True, "batch_first": False, "dropout": 0.0, "bidirectional": False}
        return f"{self.input_size}, {self.hidden_size}" + unusual(self, **defaults)


class RNN(RNNBase):
    """h' = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu, at every time step.

    Input (time, batch, input_size), with `batch_first` (batch, time, input_size), or (time, input_size) without
    a batch; `hx` (layers · directions, batch, hidden_size) is zeros by default. Returns (output, h_n): the last
    layer's states at all times (…, directions · hidden_size), and all layers' states at the last time step.

    >>> import minigrad as torch
    >>> rnn = torch.nn.RNN(input_size=1, hidden_size=32, batch_first=True)
    >>> output, h_n = rnn(torch.zeros(4, 10, 1))
    >>> output.shape, h_n.shape
    (torch.Size([4, 10, 32]), torch.Size([1, 4, 32]))
    """

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        nonlinearity="tanh",
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
    ):
        if nonlinearity not in STEPS:
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(
            input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, proj_size, device, dtype
        )
        self.nonlinearity, self.step = nonlinearity, STEPS[nonlinearity]


class LSTM(RNNBase):
    """Long short-term memory (Hochreiter & Schmidhuber 1997): gates control what the cell state keeps and outputs.

    Called like RNN, but the state is a pair: `output, (h_n, c_n) = lstm(input, (h_0, c_0))`.
    """

    gates, has_cell_state, step = 4, True, staticmethod(lstm_step)


class GRU(RNNBase):
    """Gated recurrent unit (Cho et al. 2014): like an LSTM with two gates and no cell state. Called like RNN."""

    gates, step = 3, staticmethod(gru_step)

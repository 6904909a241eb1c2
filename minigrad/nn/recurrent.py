"""RNN, LSTM, GRU: the same small step for every time step of a sequence, with a hidden state handed on.

A layer first multiplies all time steps by W_ih at once, then walks along them. The walk is ordinary
operators, one after the other, as in PyTorch: the graph grows with the sequence, and backward goes back
through time. Imports cell, functional and utils.rnn. Read next: cell.py for the three steps; utils/rnn.py.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

from ..compiled import OPERATORS
from ..creation import empty, zeros
from ..methods.shape import cat, stack
from . import init
from .cell import gru_step, lstm_step, relu_step, tanh_step
from .linear import linear
from .module import Module
from .parameter import Parameter
from .regular import dropout
from .utils.rnn import PackedSequence


class RNNBase(Module):
    """What the three share: the parameters of all layers and directions, the checks, the walk."""

    gates = 1  # how many rows of W each hidden unit has
    step: Any  # (a time step's part of the input, states, W_hh, b_hh) -> new states
    has_cell_state = False

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        **kind: Any,
    ):
        super().__init__()
        for name, value in (("input_size", input_size), ("hidden_size", hidden_size)):
            if not isinstance(value, int):
                raise TypeError(f"{name} should be of type int, got: {type(value).__name__}")
        for name, value in (("input_size", input_size), ("hidden_size", hidden_size), ("num_layers", num_layers)):
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
        rows = self.gates * hidden_size
        for layer in range(num_layers):
            columns = input_size if layer == 0 else hidden_size * (1 + bidirectional)
            for name in (n for reverse in range(1 + bidirectional) for n in self._names(layer, reverse)):
                size = (rows, columns if "_ih" in name else hidden_size) if name.startswith("weight") else (rows,)
                setattr(self, name, Parameter(empty(size, **kind)))
        self.reset_parameters()

    def _names(self, layer: int, reverse: int) -> list[str]:
        """The parameters of a layer in one direction."""
        kinds = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")[: 4 if self.bias else 2]
        return [f"{kind}_l{layer}{'_reverse' if reverse else ''}" for kind in kinds]

    def reset_parameters(self) -> None:
        """Draw all parameters anew, uniform in ±1/√hidden_size."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for param in self.parameters():
            init.uniform_(param, -bound, bound)

    def forward(self, input: Any, hx: Any = None) -> Any:
        if isinstance(input, PackedSequence):
            return self._forward_packed(input, hx)
        name = type(self).__name__
        if input.dim() not in (2, 3):
            what = " tensor" if name == "RNN" else ""
            raise ValueError(f"{name}: Expected input to be 2D or 3D, got {input.dim()}D{what} instead")
        batched = input.dim() == 3
        if hx is not None:
            self._check_axes(hx, batched)
        if not batched:
            input = input.unsqueeze(1)
            hx = None if hx is None else tuple(h.unsqueeze(1) for h in hx) if self.has_cell_state else hx.unsqueeze(1)
        elif self.batch_first:
            input = input.transpose(0, 1)
        states = self._states(input, input.shape[1], hx)
        if not input.shape[0]:
            raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
        output, states = self._run(input, states, None)
        if not batched:
            output, states = output.squeeze(1), [s.squeeze(1) for s in states]
        elif self.batch_first:
            output = OPERATORS["transpose_back"](output)
        return output, tuple(states) if self.has_cell_state else states[0]

    def _forward_packed(self, packed: PackedSequence, hx: Any) -> Any:
        """Sequences of unequal length, packed: the batch shrinks as the shorter ones end."""
        sizes = packed.batch_sizes.tolist()
        if hx is not None and packed.sorted_indices is not None:
            order = packed.sorted_indices
            hx = tuple(h.index_select(1, order) for h in hx) if self.has_cell_state else hx.index_select(1, order)
        states = self._states(packed.data, sizes[0], hx)
        output, states = self._run(packed.data, states, sizes)
        if packed.unsorted_indices is not None:
            states = [s.index_select(1, packed.unsorted_indices) for s in states]
        return packed._replace(data=output), tuple(states) if self.has_cell_state else states[0]

    # -- checks -----------------------------------------------------------------------------------

    def _check_axes(self, hx: Any, batched: bool) -> None:
        """Has the hidden state as many axes as the input?"""
        wanted, kind = (3, "batched") if batched else (2, "unbatched")
        if self.has_cell_state:
            h, c = hx[0], hx[1]
            if h.dim() != wanted or c.dim() != wanted:
                raise RuntimeError(
                    f"For {kind} {wanted}-D input, hx and cx should also be {wanted}-D but got ({h.dim()}-D, "
                    f"{c.dim()}-D) tensors"
                )
        elif hx.dim() != wanted:
            raise RuntimeError(f"For {kind} {wanted}-D input, hx should also be {wanted}-D but got {hx.dim()}-D tensor")

    def _states(self, input: Any, batch: int, hx: Any) -> list[Any]:
        """The initial states, each (layers · directions, batch, hidden): zeros, or `hx` if it fits."""
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
        size = (self.num_layers * (1 + self.bidirectional), batch, self.hidden_size)
        if hx is None:
            return [zeros(size, dtype=input.dtype, device=input.device) for _ in range(1 + self.has_cell_state)]
        states = list(hx) if self.has_cell_state else [hx]
        for i, state in enumerate(states):
            if state._data.shape != size:
                name = f"hidden[{i}]" if self.has_cell_state else "hidden"
                raise RuntimeError(f"Expected {name} size {size}, got {list(state.shape)}")
        return states

    # -- the walk ---------------------------------------------------------------------------------

    def _run(self, layer_input: Any, states: list[Any], sizes: list[int] | None) -> tuple[Any, list[Any]]:
        """All layers over (time, batch, features), or over packed rows with the batch `sizes` of the time steps."""
        starts = list(zip(*(s.unbind(0) for s in states), strict=True))  # a tuple of states a layer and direction
        ends: list[tuple[Any, ...]] = []
        for layer in range(self.num_layers):
            if layer and self.dropout:
                layer_input = dropout(layer_input, self.dropout, self.training)
            outputs = []
            for reverse in range(1 + self.bidirectional):
                w_ih, w_hh, *biases = (getattr(self, name) for name in self._names(layer, reverse))
                b_ih, b_hh = biases or (None, None)
                parts = linear(layer_input, w_ih, b_ih)
                steps = parts.unbind(0) if sizes is None else rows_of(parts, sizes)
                along, end = self._walk(steps, starts[len(ends)], w_hh, b_hh, bool(reverse))
                outputs.append(stack(along) if sizes is None else cat(along))
                ends.append(end)
            layer_input = cat(outputs, -1) if self.bidirectional else outputs[0]
        return layer_input, [stack(each) for each in zip(*ends, strict=True)]

    def _walk(self, steps: Any, states: Any, w_hh: Any, b_hh: Any, reverse: bool) -> tuple[list[Any], Any]:
        """One layer in one direction: the output of every time step, and the states at the end.

        In packed sequences the batch shrinks on the way, or, backwards, grows.
        """
        step, first, outputs, ended = self.step, states, [], []
        if reverse:
            steps = steps[::-1]
        before = len(steps[0])
        if len(first[0]) != before:
            states = tuple(s[:before] for s in first)
        for x in steps:
            now = len(x)
            if now < before:  # some sequences are over: their state is final
                ended.append(tuple(s[now:] for s in states))
                states = tuple(s[:now] for s in states)
            elif now > before:  # some sequences begin here
                states = tuple(cat([s, f[before:now]]) for s, f in zip(states, first, strict=True))
            before, states = now, step(x, states, w_hh, b_hh)
            outputs.append(states[0])
        if ended:
            states = tuple(cat(parts) for parts in zip(states, *reversed(ended), strict=True))
        return outputs[::-1] if reverse else outputs, states

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        defaults = {"num_layers": 1, "bias": True, "batch_first": False, "dropout": 0.0, "bidirectional": False}
        for name, default in defaults.items():
            if getattr(self, name) != default:
                text += f", {name}={getattr(self, name)}"
        return text


def rows_of(packed: Any, sizes: list[int]) -> list[Any]:
    """The rows of each time step."""
    starts = [sum(sizes[:t]) for t in range(len(sizes))]
    return [packed.narrow(0, start, n) for start, n in zip(starts, sizes, strict=True)]


class RNN(RNNBase):
    """h' = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu, at every time step.

    Input (time, batch, input_size), with `batch_first` (batch, time, input_size), or (time, input_size) without
    a batch; `hx` (layers · directions, batch, hidden_size), zeros if left out. Gives (output, h_n): the last
    layer's states at all times (…, directions · hidden_size), and all layers' states at the last one.

    >>> import minigrad as torch
    >>> rnn = torch.nn.RNN(input_size=1, hidden_size=32, batch_first=True)
    >>> output, h_n = rnn(torch.zeros(4, 10, 1))
    >>> output.shape, h_n.shape
    (torch.Size([4, 10, 32]), torch.Size([1, 4, 32]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        *args: Any,
        **kwargs: Any,
    ):
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(input_size, hidden_size, num_layers, *args, **kwargs)
        self.nonlinearity = nonlinearity
        self.step = tanh_step if nonlinearity == "tanh" else relu_step


class LSTM(RNNBase):
    """Long short-term memory (Hochreiter & Schmidhuber 1997): gates decide what a cell state keeps and shows.

    As RNN, but the state is a pair: `output, (h_n, c_n) = lstm(input, (h_0, c_0))`.
    """

    gates, has_cell_state, step = 4, True, staticmethod(lstm_step)


class GRU(RNNBase):
    """Gated recurrent unit (Cho et al. 2014): like an LSTM with two gates and no cell state. Called as RNN is."""

    gates, step = 3, staticmethod(gru_step)

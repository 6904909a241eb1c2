"""One time step of a recurrent network: the three formulas, and modules that take a single step.

Each step is given the input's part of the gates (W_ih x + b_ih), computed before, and adds the state's.
Imports module and functional. Read next: recurrent.py, which walks along a sequence.
"""

from __future__ import annotations

import math
from typing import Any

from ..creation import empty, zeros
from . import init
from .linear import linear
from .module import Module
from .parameter import Parameter

State = tuple[Any, ...]  # (h,) or (h, c), each of size (batch, hidden)


def tanh_step(x: Any, state: State, w_hh: Any, b_hh: Any) -> State:
    """h' = tanh(W_hh h + b_hh + x)."""
    return ((linear(state[0], w_hh, b_hh) + x).tanh(),)


def relu_step(x: Any, state: State, w_hh: Any, b_hh: Any) -> State:
    """h' = relu(W_hh h + b_hh + x)."""
    return ((linear(state[0], w_hh, b_hh) + x).relu(),)


def lstm_step(x: Any, state: State, w_hh: Any, b_hh: Any) -> State:
    """c' = f c + i g and h' = o tanh(c'): input gate i, forget gate f, candidate g, output gate o."""
    h, c = state
    i, f, g, o = (linear(h, w_hh, b_hh) + x).chunk(4, 1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


def gru_step(x: Any, state: State, w_hh: Any, b_hh: Any) -> State:
    """h' = n + z (h - n) with n = tanh(x_n + r h_n): reset gate r, update gate z, candidate n."""
    (h,) = state
    x_r, x_z, x_n = x.chunk(3, 1)
    h_r, h_z, h_n = linear(h, w_hh, b_hh).chunk(3, 1)
    r, z = (h_r + x_r).sigmoid(), (h_z + x_z).sigmoid()
    n = (x_n + h_n * r).tanh()
    return ((h - n) * z + n,)


class CellBase(Module):
    """What the cells share: four parameters, and the checks."""

    gates = 1
    step: Any
    has_cell_state = False

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, **kind: Any):
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows = self.gates * hidden_size
        self.weight_ih = Parameter(empty(rows, input_size, **kind))
        self.weight_hh = Parameter(empty(rows, hidden_size, **kind))
        self.register_parameter("bias_ih", Parameter(empty(rows, **kind)) if bias else None)
        self.register_parameter("bias_hh", Parameter(empty(rows, **kind)) if bias else None)
        bound = 1.0 / math.sqrt(hidden_size) if hidden_size else 0
        for param in self.parameters():
            init.uniform_(param, -bound, bound)

    def forward(self, input: Any, hx: Any = None) -> Any:
        name = type(self).__name__
        if input.dim() not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input.dim()}D instead")
        states = (() if hx is None else tuple(hx)) if self.has_cell_state else (() if hx is None else (hx,))
        for i, state in enumerate(states):
            if state.dim() not in (1, 2):
                what = f"hx[{i}]" if self.has_cell_state else "hidden"
                raise ValueError(f"{name}: Expected {what} to be 1D or 2D, got {state.dim()}D instead")
        batched = input.dim() == 2
        if not batched:
            input, states = input.unsqueeze(0), tuple(s if s.dim() == 2 else s.unsqueeze(0) for s in states)
        if input.shape[1] != self.input_size:
            raise RuntimeError(f"input has inconsistent input_size: got {input.shape[1]} expected {self.input_size}")
        for i, state in enumerate(states):
            if state.shape[0] != input.shape[0]:
                raise RuntimeError(
                    f"Input batch size {input.shape[0]} doesn't match hidden{i} batch size {state.shape[0]}"
                )
            if state.shape[1] != self.hidden_size:
                raise RuntimeError(
                    f"hidden{i} has inconsistent hidden_size: got {state.shape[1]}, expected {self.hidden_size}"
                )
        if not states:
            start = zeros(input.shape[0], self.hidden_size, dtype=input.dtype, device=input.device)
            states = (start, start) if self.has_cell_state else (start,)
        x = linear(input, self.weight_ih, self.bias_ih)
        states = self.step(x, states, self.weight_hh, self.bias_hh)
        if not batched:
            states = tuple(s.squeeze(0) for s in states)
        return states if self.has_cell_state else states[0]

    def extra_repr(self) -> str:
        return f"{self.input_size}, {self.hidden_size}" + ("" if self.bias else f", bias={self.bias}")


class RNNCell(CellBase):
    """h' = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu: input (batch, input_size), state (batch, hidden_size).

    >>> import minigrad as torch
    >>> cell = torch.nn.RNNCell(3, 4)
    >>> cell(torch.zeros(2, 3)).shape
    torch.Size([2, 4])
    """

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh", **kind: Any):
        super().__init__(input_size, hidden_size, bias, **kind)
        self.nonlinearity = nonlinearity
        if nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {nonlinearity}")
        self.step = tanh_step if nonlinearity == "tanh" else relu_step

    def extra_repr(self) -> str:
        return super().extra_repr() + ("" if self.nonlinearity == "tanh" else f", nonlinearity={self.nonlinearity}")


class LSTMCell(CellBase):
    """One step of an LSTM: `h, c = cell(x, (h, c))`."""

    gates, has_cell_state, step = 4, True, staticmethod(lstm_step)


class GRUCell(CellBase):
    """One step of a GRU: `h = cell(x, h)`."""

    gates, step = 3, staticmethod(gru_step)

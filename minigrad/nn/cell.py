"""One time step of a recurrent network: the three formulas, and modules that take a single step.

A step receives the input's part of the gates (W_ih x + b_ih), which is computed beforehand, and adds the state's part.
States are (h,) or (h, c), each of size (batch, hidden).
Imports linear and init. Read next: recurrent.py, which walks along a sequence.
"""

import math

from .._call.operators import OPERATORS
from .._tensors.creation import empty, zeros
from .._tensors.methods.named import rename
from . import init
from .linear import linear
from .module import Module, unusual
from .parameter import Parameter


def from_state(h, w_hh, b_hh):
    """W_hh h + b_hh: `linear` without its checks, which are done once for all time steps."""
    turned = OPERATORS["t"](w_hh)
    return OPERATORS["mm"](h, turned) if b_hh is None else OPERATORS["addmm"](b_hh, h, turned)


def gates_of(x, count):
    """The parts of `x` along its columns, one for each gate. The node has the name that PyTorch gives it here."""
    parts = x.chunk(count, 1)
    if parts[0]._fn is not None:
        rename(parts[0]._fn[0], "UnsafeSplitBackward0")
    return parts


def tanh_step(x, state, w_hh, b_hh):
    """h' = tanh(W_hh h + b_hh + x)."""
    return ((from_state(state[0], w_hh, b_hh) + x).tanh(),)


def relu_step(x, state, w_hh, b_hh):
    """h' = relu(W_hh h + b_hh + x)."""
    return ((from_state(state[0], w_hh, b_hh) + x).relu(),)


def lstm_step(x, state, w_hh, b_hh):
    """c' = f c + i g and h' = o tanh(c'): input gate i, forget gate f, candidate g, output gate o."""
    h, c = state
    i, f, g, o = gates_of(from_state(h, w_hh, b_hh) + x, 4)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


def gru_step(x, state, w_hh, b_hh):
    """h' = n + z (h - n) with n = tanh(x_n + r h_n): reset gate r, update gate z, candidate n."""
    (h,) = state
    x_r, x_z, x_n = gates_of(x, 3)
    h_r, h_z, h_n = gates_of(from_state(h, w_hh, b_hh), 3)
    r, z = (h_r + x_r).sigmoid(), (h_z + x_z).sigmoid()
    n = (x_n + h_n * r).tanh()
    return ((h - n) * z + n,)


STEPS = {"tanh": tanh_step, "relu": relu_step}


class Recurrent(Module):
    """Base of cells and layers: creates the parameters, and handles a state of one tensor or two."""

    gates = 1  # rows of W for each hidden unit
    step = staticmethod(tanh_step)  # (the input's part, states, W_hh, b_hh) -> new states
    has_cell_state = False

    def _make_parameters(self, suffix: str, columns: int, **kind) -> None:
        rows = self.gates * self.hidden_size
        for name, size in (("weight_ih", (rows, columns)), ("weight_hh", (rows, self.hidden_size))):
            setattr(self, name + suffix, Parameter(empty(size, **kind)))
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name + suffix, Parameter(empty(rows, **kind)) if self.bias else None)

    def _parameters_of(self, suffix: str):
        return [getattr(self, name + suffix) for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]

    def reset_parameters(self) -> None:
        """Draw all parameters again, uniformly from ±1/√hidden_size."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size else 0
        for param in self.parameters():
            init.uniform_(param, -bound, bound)

    def _listed(self, hx):
        """The given states as a list: [h] or [h, c], and [] for None."""
        return [] if hx is None else list(hx) if self.has_cell_state else [hx]

    def _given(self, states):
        """The states as they are returned to the user: h, or (h, c)."""
        return tuple(states) if self.has_cell_state else states[0]


class CellBase(Recurrent):
    """Base of the cells: four parameters, and the checks."""

    def __init__(self, input_size: int, hidden_size: int, bias=True, device=None, dtype=None):
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        self._make_parameters("", input_size, device=device, dtype=dtype)
        self.reset_parameters()

    def forward(self, input, hx=None):
        states = self._listed(hx)
        names = ("input", "hx[0]", "hx[1]") if self.has_cell_state else ("input", "hidden")
        for name, given in zip(names, (input, *states), strict=False):
            n = given.dim()
            if n not in (1, 2):
                raise ValueError(f"{self._get_name()}: Expected {name} to be 1D or 2D, got {n}D instead")
        batched = input.dim() == 2
        if not batched:
            input, states = input.unsqueeze(0), [s if s.dim() == 2 else s.unsqueeze(0) for s in states]
        batch, features = input.shape
        if features != self.input_size:
            raise RuntimeError(f"input has inconsistent input_size: got {features} expected {self.input_size}")
        for i, (rows, units) in enumerate(state.shape for state in states):
            if rows != batch:
                raise RuntimeError(f"Input batch size {batch} doesn't match hidden{i} batch size {rows}")
            if units != self.hidden_size:
                raise RuntimeError(f"hidden{i} has inconsistent hidden_size: got {units}, expected {self.hidden_size}")
        if not states:
            states = [zeros(batch, self.hidden_size, dtype=input.dtype, device=input.device)] * 2
        w_ih, w_hh, b_ih, b_hh = self._parameters_of("")
        states = self.step(linear(input, w_ih, b_ih), states[: 1 + self.has_cell_state], w_hh, b_hh)
        return self._given(states if batched else [s.squeeze(0) for s in states])

    def extra_repr(self) -> str:
        return f"{self.input_size}, {self.hidden_size}" + unusual(self, bias=True)


class RNNCell(CellBase):
    """h' = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu: input (batch, input_size), state (batch, hidden_size).

    >>> import minigrad as torch
    >>> cell = torch.nn.RNNCell(3, 4)
    >>> cell(torch.zeros(2, 3)).shape
    torch.Size([2, 4])
    """

    def __init__(self, input_size: int, hidden_size: int, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, device, dtype)
        if nonlinearity not in STEPS:
            raise RuntimeError(f"Unknown nonlinearity: {nonlinearity}")
        self.nonlinearity, self.step = nonlinearity, STEPS[nonlinearity]

    def extra_repr(self) -> str:
        return super().extra_repr() + unusual(self, nonlinearity="tanh")


class LSTMCell(CellBase):
    """One step of an LSTM: `h, c = cell(x, (h, c))`."""

    gates, has_cell_state, step = 4, True, staticmethod(lstm_step)


class GRUCell(CellBase):
    """One step of a GRU: `h = cell(x, h)`."""

    gates, step = 3, staticmethod(gru_step)

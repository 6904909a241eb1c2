"""RNN: the same small step for every element of a sequence, h' = tanh(W_ih x + b_ih + W_hh h + b_hh).

The steps are ordinary operators in a Python loop, so the graph grows with the sequence, node for node as
PyTorch's does: that is what "dynamic" means. Imports module and functional. Read next: dropout.py.
"""

from __future__ import annotations

import math
from typing import Any

from ..creation import empty, zeros
from ..dispatch import OPERATORS
from ..methods.shape import cat, stack
from . import functional as F
from . import init
from .module import Module
from .parameter import Parameter


class RNN(Module):
    """A recurrent net of tanh (or relu) units: output, h_n = rnn(input, h_0).

    input: (time, batch, input_size), with `batch_first` (batch, time, input_size), or without batch (time, input_size).
    h_0, h_n: (num_layers * directions, batch, hidden_size); zeros if h_0 is left out. output: the last layer's states,
    sized like the input but for the last axis, directions * hidden_size.
    Parameters: weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0, … and `_reverse`, uniform in ±1/√hidden_size.
    Raises RuntimeError in PyTorch's words for sizes that do not fit.

    >>> import minigrad as torch
    >>> rnn = torch.nn.RNN(1, 4, batch_first=True)
    >>> output, h_n = rnn(torch.zeros(2, 10, 1))
    >>> rnn, output.shape, h_n.shape
    (RNN(1, 4, batch_first=True), torch.Size([2, 10, 4]), torch.Size([1, 2, 4]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
    ):
        super().__init__()
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.nonlinearity, self.bias, self.batch_first = nonlinearity, bias, batch_first
        self.dropout, self.bidirectional = float(dropout), bidirectional
        for suffix, width in self._parts():
            for name, size in (
                ("weight_ih", (hidden_size, width)),
                ("weight_hh", (hidden_size, hidden_size)),
                *((("bias_ih", (hidden_size,)), ("bias_hh", (hidden_size,))) if bias else ()),
            ):
                self.register_parameter(name + suffix, Parameter(empty(*size)))
        self.reset_parameters()

    def _parts(self) -> list[tuple[str, int]]:
        """(suffix of the parameters' names, size of the input) for every layer and direction."""
        directions = ["", "_reverse"] if self.bidirectional else [""]
        wide = self.hidden_size * len(directions)
        return [
            (f"_l{layer}{direction}", wide if layer else self.input_size)
            for layer in range(self.num_layers)
            for direction in directions
        ]

    def reset_parameters(self) -> None:
        """Draw all parameters anew, in the order of their names' first appearance."""
        bound = 1 / math.sqrt(self.hidden_size) if self.hidden_size else 0
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def forward(self, input: Any, hx: Any = None) -> tuple[Any, Any]:
        self._check(input, hx)
        batched = input.dim() == 3
        if batched:
            steps = input.transpose(0, 1) if self.batch_first else input
        else:
            steps, hx = input.unsqueeze(1), None if hx is None else hx.unsqueeze(1)
        parts = [suffix for suffix, _ in self._parts()]
        if hx is None:
            hx = zeros(len(parts), steps.size(1), self.hidden_size, dtype=input.dtype, device=input.device)
        per_layer = 2 if self.bidirectional else 1
        ends = []
        for layer in range(self.num_layers):
            outputs = []
            for k in range(layer * per_layer, (layer + 1) * per_layer):
                states = self._run(steps, hx[k], parts[k])
                ends.append(states[0] if parts[k].endswith("_reverse") else states[-1])
                outputs.append(stack(states, 0))
            steps = outputs[0] if len(outputs) == 1 else cat(outputs, -1)
            if self.dropout and layer < self.num_layers - 1:
                steps = F.dropout(steps, self.dropout, self.training)
        h_n = stack(ends, 0)
        if not batched:
            return steps.squeeze(1), h_n.squeeze(1)
        return (steps.transpose(0, 1) if self.batch_first else steps), h_n

    def _run(self, steps: Any, h: Any, suffix: str) -> list[Any]:
        """The states of one layer in one direction, in the order of time."""
        weight_ih, weight_hh = getattr(self, "weight_ih" + suffix), getattr(self, "weight_hh" + suffix)
        bias_ih, bias_hh = (getattr(self, b + suffix) if self.bias else None for b in ("bias_ih", "bias_hh"))
        squash = OPERATORS[self.nonlinearity]
        backwards = suffix.endswith("_reverse")
        inputs = F.linear(steps, weight_ih, bias_ih).unbind(0)  # one product for all time steps
        states = []
        for x in reversed(inputs) if backwards else inputs:
            h = squash(F.linear(h, weight_hh, bias_hh) + x)
            states.append(h)
        return states[::-1] if backwards else states

    def _check(self, input: Any, hx: Any) -> None:
        if input.dim() not in (2, 3):
            raise ValueError(f"RNN: Expected input to be 2D or 3D, got {input.dim()}D instead")
        if input.size(-1) != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.size(-1)}"
            )
        if hx is None:
            return
        if hx.dim() != input.dim():
            kind = "batched 3-D" if input.dim() == 3 else "unbatched 2-D"
            raise RuntimeError(f"For {kind} input, hx should also be {input.dim()}-D but got {hx.dim()}-D tensor")
        batch = (input.size(0 if self.batch_first else 1),) if input.dim() == 3 else ()
        expected = (len(self._parts()), *batch, self.hidden_size)
        if tuple(hx.shape) != expected:
            raise RuntimeError(f"Expected hidden size {expected}, got {list(hx.shape)}")

    def extra_repr(self) -> str:
        parts = [f"{self.input_size}, {self.hidden_size}"]
        for name, usual in (
            ("num_layers", 1),
            ("bias", True),
            ("batch_first", False),
            ("dropout", 0.0),
            ("bidirectional", False),
        ):
            if getattr(self, name) != usual:
                parts.append(f"{name}={getattr(self, name)}")
        return ", ".join(parts)

"""Long short-term memory (Hochreiter and Schmidhuber 1997): `BasicLSTMCell`, and `LSTMCell` with its extras.

The state is two tensors, `LSTMStateTuple(c, h)`: the memory and the output. Imports cells.
Read next: wrappers.py, cells made of cells.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .arrays import concat, split
from .cells import RNNCell
from .math import clip_by_value, matmul, sigmoid, tanh


class LSTMStateTuple(NamedTuple):
    """The state of an LSTM: the memory `c` and the output `h` (batch, units each)."""

    c: Any
    h: Any


class LSTMCell(RNNCell):
    r"""c' = sigmoid(f + forget_bias) c + sigmoid(i) tanh(j), h' = sigmoid(o) tanh(c'), where [i, j, f, o] = [x, h] W + b.

    `num_units`: the length of c, and of h, unless h is projected to the length `num_proj`.
    `use_peepholes` makes the gates depend on c; `cell_clip` and `proj_clip` clip c and the projected h to ± this limit.
    With `state_is_tuple=False`, the state is one tensor, c and h concatenated.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default():
    ...     cell = tf.nn.rnn_cell.LSTMCell(4)
    ...     output, state = cell(tf.zeros([2, 3]), cell.zero_state(2, tf.float32))
    ...     print(output.shape, state.c.shape, *tf.trainable_variables(), sep="\n")
    (2, 4)
    (2, 4)
    <tf.Variable 'lstm_cell/kernel:0' shape=(7, 16) dtype=float32_ref>
    <tf.Variable 'lstm_cell/bias:0' shape=(16,) dtype=float32_ref>
    """  # noqa: E501

    scope_name = "lstm_cell"

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        num_unit_shards: Any = None,
        num_proj_shards: Any = None,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Callable[[Any], Any] | None = None,
        reuse: Any = None,
        name: str | None = None,
        dtype: Any = None,
    ):
        super().__init__(reuse, name)
        self.num_units, self.output_size = num_units, num_proj or num_units
        self.use_peepholes, self.initializer, self.num_proj = use_peepholes, initializer, num_proj
        self.cell_clip, self.proj_clip = cell_clip, proj_clip
        self.forget_bias, self.activation = forget_bias, activation or tanh
        self.state_is_tuple = state_is_tuple
        sizes = LSTMStateTuple(num_units, self.output_size)
        self.state_size = sizes if state_is_tuple else sum(sizes)

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        c, h = state if self.state_is_tuple else split(state, [self.num_units, self.output_size], 1)
        gates = self.affine(inputs, h, 4 * self.num_units, self.initializer)
        i, j, f, o = split(gates, 4, 1)
        keep = sigmoid(self.peep(f + self.forget_bias, "w_f_diag", c))
        c = clipped(keep * c + sigmoid(self.peep(i, "w_i_diag", c)) * self.activation(j), self.cell_clip)
        h = sigmoid(self.peep(o, "w_o_diag", c)) * self.activation(c)
        if self.num_proj is not None:
            sizes = [self.num_units, self.num_proj]
            down = self.variable("projection/kernel", sizes, inputs.dtype, self.initializer)
            h = clipped(matmul(h, down), self.proj_clip)
        return h, LSTMStateTuple(c, h) if self.state_is_tuple else concat([c, h], 1)

    def peep(self, gate: Any, name: str, c: Any) -> Any:
        """A gate plus its peephole, a weight times c for each unit; without peepholes, only the gate."""
        if not self.use_peepholes:
            return gate
        return gate + self.variable(name, [self.num_units], c.dtype, self.initializer) * c


class BasicLSTMCell(LSTMCell):
    """LSTMCell without its extras; its variables are in the scope `basic_lstm_cell`."""

    scope_name = "basic_lstm_cell"

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Callable[[Any], Any] | None = None,
        reuse: Any = None,
        name: str | None = None,
        dtype: Any = None,
    ):
        super().__init__(
            num_units,
            forget_bias=forget_bias,
            state_is_tuple=state_is_tuple,
            activation=activation,
            reuse=reuse,
            name=name,
        )


def clipped(x: Any, limit: float | None) -> Any:
    """x clipped to ± limit; unchanged if the limit is None."""
    return x if limit is None else clip_by_value(x, -limit, limit)

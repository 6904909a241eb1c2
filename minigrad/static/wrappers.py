"""Cells made of cells: `MultiRNNCell` stacks several cells, `DropoutWrapper` applies dropout to one.

Imports cells, lstm and dropout. Read next: rnn.py.
"""

from __future__ import annotations

from typing import Any

from .arrays import concat, split
from .cells import RNNCell
from .dropout import dropout
from .lstm import LSTMStateTuple
from .variables import Variable, variable_scope


class MultiRNNCell(RNNCell):
    """Several cells; the output of each is the input of the next. The state is a tuple of their states.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default():
    ...     cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.BasicRNNCell(n) for n in (4, 5)])
    ...     output, state = cell(tf.zeros([2, 3]), cell.zero_state(2, tf.float32))
    ...     print(output.shape, tf.trainable_variables()[2].name)
    (2, 5) multi_rnn_cell/cell_1/basic_rnn_cell/kernel:0
    """

    scope_name = "multi_rnn_cell"

    def __init__(self, cells: Any, state_is_tuple: bool = True):
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not isinstance(cells, list | tuple):
            raise TypeError(f"cells must be a list or tuple, but received: {cells}.")
        super().__init__()
        self.cells, self.state_is_tuple = list(cells), state_is_tuple
        sizes = tuple(cell.state_size for cell in cells)
        if not state_is_tuple and any(isinstance(size, tuple) for size in sizes):
            raise ValueError(
                f"Some cells return tuples of states, but the flag state_is_tuple is not set.  State sizes are: {sizes}"
            )
        self.state_size = sizes if state_is_tuple else sum(sizes)
        self.output_size = cells[-1].output_size

    @property
    def trainable_variables(self) -> list[Variable]:
        return list(dict.fromkeys(v for cell in self.cells for v in cell.trainable_variables))

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        before = state if self.state_is_tuple else split(state, [cell.state_size for cell in self.cells], 1)
        after = []
        for i, (cell, part) in enumerate(zip(self.cells, before, strict=True)):
            with variable_scope(f"cell_{i}"):
                inputs, part = cell(inputs, part)
            after.append(part)
        return inputs, tuple(after) if self.state_is_tuple else concat(after, 1)

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        if not self.state_is_tuple:
            return super().zero_state(batch_size, dtype)
        return tuple(cell.zero_state(batch_size, dtype) for cell in self.cells)


class DropoutWrapper(RNNCell):
    """A cell whose inputs, outputs and state pass through `tf.nn.dropout`, with new random numbers in each step.

    Each `…_keep_prob` is a number or a tensor; 1 means no dropout. Of an LSTM's state, only h is dropped, never c.
    The variables belong to the wrapped cell, under its own names.
    """

    def __init__(
        self,
        cell: RNNCell,
        input_keep_prob: Any = 1.0,
        output_keep_prob: Any = 1.0,
        state_keep_prob: Any = 1.0,
        variational_recurrent: bool = False,
        input_size: Any = None,
        dtype: Any = None,
        seed: int | None = None,
    ):
        super().__init__()
        for name, keep in (
            ("input_keep_prob", input_keep_prob),
            ("output_keep_prob", output_keep_prob),
            ("state_keep_prob", state_keep_prob),
        ):
            if isinstance(keep, int | float) and not 0 <= keep <= 1:
                raise ValueError(f"Parameter {name} must be between 0 and 1. Received {keep}")
        if variational_recurrent:
            raise NotImplementedError(
                "DropoutWrapper(variational_recurrent=True), one draw for all steps, is not in minigrad.static; "
                "without it, each step draws new random numbers."
            )
        self.cell, self.seed = cell, seed
        self.input_keep_prob, self.output_keep_prob, self.state_keep_prob = (
            input_keep_prob,
            output_keep_prob,
            state_keep_prob,
        )

    @property
    def wrapped_cell(self) -> RNNCell:
        return self.cell

    @property
    def state_size(self) -> Any:
        return self.cell.state_size

    @property
    def output_size(self) -> Any:
        return self.cell.output_size

    @property
    def trainable_variables(self) -> list[Variable]:
        return self.cell.trainable_variables

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        return self.cell.zero_state(batch_size, dtype)

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        output, state = self.cell(self.drop(inputs, self.input_keep_prob), state, scope)
        return self.drop(output, self.output_keep_prob), self.drop_state(state)

    def drop(self, x: Any, keep: Any) -> Any:
        return x if isinstance(keep, int | float) and keep >= 1 else dropout(x, keep, seed=self.seed)

    def drop_state(self, state: Any) -> Any:
        """Apply dropout to every part of a state except an LSTM's c."""
        if isinstance(state, LSTMStateTuple):
            return LSTMStateTuple(state.c, self.drop(state.h, self.state_keep_prob))
        if isinstance(state, tuple):
            return tuple(self.drop_state(part) for part in state)
        return self.drop(state, self.state_keep_prob)

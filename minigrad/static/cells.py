"""One step of a recurrent network: the base class of the cells, and the simplest cell, `BasicRNNCell`.

Imports variables, math and arrays. Read next: lstm.py, then rnn.py, which loops over the steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .arrays import concat, zeros
from .convert import convert
from .graph import get_default_graph
from .initializers import zeros_initializer
from .math import matmul, tanh
from .structure import flatten, pack
from .tensor import binary
from .variables import Variable, get_variable, variable_scope


class RNNCell:
    """Base class of the cells: a step is `cell(inputs, state)`, which returns the output and the next state.

    A cell defines the length of its state (`state_size`: a number, or a nest of them) and of its output
    (`output_size`), and its step (`call`). The first step creates the variables in the variable scope around it;
    all later steps use them again.
    """

    scope_name = "rnn_cell"  # the variable scope of a cell without a `name`
    state_size: Any
    output_size: Any

    def __init__(self, reuse: Any = None, name: str | None = None):
        self.reuse = reuse
        self.name = name
        self.variables: dict[str, Variable] = {}

    @property
    def trainable_variables(self) -> list[Variable]:
        return list(self.variables.values())

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        """One step: `inputs` (batch, depth) and the previous state give the output and the next state."""
        state = pack(state, [convert(part) for part in flatten(state)])
        with variable_scope(scope or self.name or self.scope_name, reuse=self.reuse):
            return self.call(convert(inputs), state)

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        raise NotImplementedError

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """The state before the first step: zeros of shape (batch_size, units) for each part of the state."""
        with get_default_graph().name_scope(type(self).__name__ + "ZeroState"):
            return pack(self.state_size, [zeros([batch_size, n], dtype) for n in flatten(self.state_size)])

    def variable(self, name: str, shape: list[int], dtype: Any, initializer: Any = None) -> Variable:
        """A variable of the cell, created in its first step."""
        if name not in self.variables:
            self.variables[name] = get_variable(name, shape, dtype, initializer)
        return self.variables[name]

    def affine(self, inputs: Any, state: Any, width: int, initializer: Any = None) -> Any:
        """[inputs, state] W + b, with the cell's `kernel` and `bias`; the result has `width` columns."""
        depth = inputs.dims[-1] if inputs.dims is not None else None
        if depth is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {inputs.shape}")
        kernel = self.variable("kernel", [depth + state.dims[-1], width], inputs.dtype, initializer)
        bias = self.variable("bias", [width], inputs.dtype, zeros_initializer())
        return binary("add", "BiasAdd", matmul(concat([inputs, state], 1), kernel), bias)


class BasicRNNCell(RNNCell):
    r"""h' = tanh([x, h] W + b): the new state, which is also the output.

    `num_units`: the length of the state. The kernel W (input + units, units) starts Glorot uniform, the bias starts
    at 0; the first call creates both in the variable scope around it.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default():
    ...     cell = tf.nn.rnn_cell.BasicRNNCell(4)
    ...     output, state = cell(tf.zeros([2, 3]), cell.zero_state(2, tf.float32))
    ...     print(output, *tf.trainable_variables(), sep="\n")
    Tensor("basic_rnn_cell/Tanh:0", shape=(2, 4), dtype=float32)
    <tf.Variable 'basic_rnn_cell/kernel:0' shape=(7, 4) dtype=float32_ref>
    <tf.Variable 'basic_rnn_cell/bias:0' shape=(4,) dtype=float32_ref>
    """

    scope_name = "basic_rnn_cell"

    def __init__(
        self,
        num_units: int,
        activation: Callable[[Any], Any] | None = None,
        reuse: Any = None,
        name: str | None = None,
        dtype: Any = None,
    ):
        super().__init__(reuse, name)
        self.num_units = self.state_size = self.output_size = num_units
        self.activation = activation or tanh

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        output = self.activation(self.affine(inputs, state, self.num_units))
        return output, output

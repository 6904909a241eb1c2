"""One step of a recurrent network: `tf.nn.rnn_cell.BasicRNNCell`, also known as `tf.contrib.rnn.BasicRNNCell`.

Imports variables, math and arrays. Read next: rnn.py, which takes the steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .arrays import concat, zeros
from .build import convert
from .graph import get_default_graph
from .initializers import zeros_initializer
from .math import matmul, tanh
from .tensor import binary
from .variables import Variable, get_variable, variable_scope


class BasicRNNCell:
    r"""h' = tanh([x, h] W + b): the new state, which is also the output.

    `num_units`: the length of the state. The kernel W has the shape (input + units, units) and starts Glorot
    uniform, the bias starts at 0; both are made in the first call, in the variable scope around it.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default():
    ...     cell = tf.nn.rnn_cell.BasicRNNCell(4)
    ...     output, state = cell(tf.zeros([2, 3]), cell.zero_state(2, tf.float32))
    ...     print(output, *tf.trainable_variables(), sep="\n")
    Tensor("basic_rnn_cell/Tanh:0", shape=(2, 4), dtype=float32)
    <tf.Variable 'basic_rnn_cell/kernel:0' shape=(7, 4) dtype=float32_ref>
    <tf.Variable 'basic_rnn_cell/bias:0' shape=(4,) dtype=float32_ref>
    """

    def __init__(
        self,
        num_units: int,
        activation: Callable[[Any], Any] | None = None,
        reuse: Any = None,
        name: str | None = None,
        dtype: Any = None,
    ):
        self.num_units = num_units
        self.activation = activation or tanh
        self.reuse = reuse
        self.name = name
        self.kernel: Variable | None = None
        self.bias: Variable | None = None

    @property
    def state_size(self) -> int:
        return self.num_units

    output_size = state_size

    @property
    def trainable_variables(self) -> list[Variable]:
        return [v for v in (self.kernel, self.bias) if v is not None]

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        """One step: `inputs` (batch, depth) and `state` (batch, units) give the output and the next state."""
        inputs, state = convert(inputs), convert(state)
        with variable_scope(scope or self.name or "basic_rnn_cell", reuse=self.reuse):
            if self.kernel is None or self.bias is None:
                depth = inputs.dims[-1] if inputs.dims is not None else None
                if depth is None:
                    raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {inputs.shape}")
                self.kernel = get_variable("kernel", [depth + self.num_units, self.num_units], inputs.dtype)
                self.bias = get_variable("bias", [self.num_units], inputs.dtype, zeros_initializer())
            output = self.activation(
                binary("add", "BiasAdd", matmul(concat([inputs, state], 1), self.kernel), self.bias)
            )
        return output, output

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Zeros of shape (batch_size, units), for the first step."""
        with get_default_graph().name_scope(type(self).__name__ + "ZeroState"):
            return zeros([batch_size, self.num_units], dtype)

"""Bidirectional recurrent networks: two cells, one of which reads the sequence backwards.

Imports rnn. Read next: nn.py.
"""

from __future__ import annotations

from typing import Any

from .arrays import concat, reverse
from .convert import convert
from .rnn import dynamic_rnn, static_rnn
from .variables import variable_scope


def refuse(sequence_length: Any) -> None:
    """NotImplementedError for sequences of different lengths, because each would have to be reversed separately."""
    if sequence_length is not None:
        raise NotImplementedError(
            "minigrad.static's bidirectional networks have no `sequence_length`: TensorFlow turns every sequence of "
            "the batch by itself (tf.reverse_sequence), which is not here."
        )


def static_bidirectional_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: list[Any],
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any, Any]:
    """The outputs of all steps, concatenated (batch, forward + backward), and the last states of both cells.

    `inputs`: a list of tensors (batch, depth), one for each step.
    """
    refuse(sequence_length)
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as fw:
            there, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype, scope=fw)
        with variable_scope("bw") as bw:
            back, state_bw = static_rnn(cell_bw, inputs[::-1], initial_state_bw, dtype, scope=bw)
    return [concat(pair, 1) for pair in zip(there, back[::-1], strict=True)], state_fw, state_bw


def bidirectional_dynamic_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """The outputs of both cells as a pair, and their last states as a pair. `inputs` as in `dynamic_rnn`."""
    refuse(sequence_length)
    x, time = convert(inputs), [0 if time_major else 1]
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as fw:
            there, state_fw = dynamic_rnn(
                cell_fw, x, initial_state=initial_state_fw, dtype=dtype, time_major=time_major, scope=fw
            )
        with variable_scope("bw") as bw:
            back, state_bw = dynamic_rnn(
                cell_bw, reverse(x, time), initial_state=initial_state_bw, dtype=dtype, time_major=time_major, scope=bw
            )
    return (there, reverse(back, time)), (state_fw, state_bw)

"""Recurrent networks: `static_rnn` unrolls the sequence in the graph, `dynamic_rnn` is a loop for any length.

Imports control_flow, arrays and variables. Read next: bidirectional.py.
"""

from __future__ import annotations

from typing import Any

from .arrays import expand_dims, range_, shape, transpose, where, zeros, zeros_like
from .control_flow import walk
from .convert import convert
from .graph import get_default_graph
from .math import greater_equal
from .structure import flatten, pack
from .tensor import merge
from .variables import variable_scope


def dynamic_rnn(
    cell: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state: Any = None,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> tuple[Any, Any]:
    """The outputs of all steps, and the last state; the graph contains one loop for any length.

    `inputs`: (batch, time, depth), or (time, batch, depth) if `time_major`; batch and time may both be unknown.
    Starts from `initial_state`, or from zeros of `dtype`. After the length of a sequence, given in
    `sequence_length` (a number for each sequence of the batch), its outputs are 0 and its state doesn't change.
    """
    x = convert(inputs)
    if x.dims is not None and len(x.dims) < 3:
        raise ValueError(f"Shape {x.shape} must have rank at least 3")
    graph = get_default_graph()
    with variable_scope(scope or "rnn"):
        if not time_major:
            x = transpose(x, [1, 0, 2])
        if x.dims is None or x.dims[2] is None:
            raise ValueError(
                "Input size (depth of inputs) must be accessible via shape inference, but saw value None for "
                f"input={x}."
            )
        batch = shape(x)[1] if x.dims[1] is None else x.dims[1]
        state = initial_state
        if state is None:
            if dtype is None:
                raise ValueError("If no initial_state is provided, argument `dtype` must be specified")
            state = cell.zero_state(batch, dtype)
        starts = [convert(s) for s in flatten(state)]
        sources = [x]
        if sequence_length is not None:
            lengths = convert(sequence_length)
            sources.append(range_(0, shape(x)[0], dtype=lengths.dtype))

        def turn(carried: list[Any], steps: list[Any]) -> tuple[list[Any], list[Any]]:
            output, after = cell(steps[0], pack(state, carried))
            ends = flatten(after)
            if sequence_length is not None:
                over = expand_dims(greater_equal(steps[1], lengths), 1)
                output = where(over, zeros_like(output), output)
                ends = [where(over, old, new) for old, new in zip(carried, ends, strict=True)]
            return ends, [output]

        empty = zeros([1, batch, cell.output_size], x.dtype)  # the shape of the outputs if there are no steps
        with graph.name_scope("while"):
            last, (outputs,) = walk(graph, turn, starts, sources, [empty], False)
        outputs.dims = merge(outputs.dims, (x.dims[0], *outputs.dims[1:]))
        if not time_major:
            outputs = transpose(outputs, [1, 0, 2])
    return outputs, pack(state, last)


def static_rnn(
    cell: Any,
    inputs: list[Any],
    initial_state: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """The outputs of all steps as a list, and the last state; every step adds its operations to the graph.

    `inputs`: a list of tensors (batch, depth), one for each step.
    """
    if not isinstance(inputs, list | tuple):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")
    steps = [convert(x) for x in inputs]
    outputs = []
    with variable_scope(scope or "rnn"):
        state = initial_state
        if state is None:
            if dtype is None:
                raise ValueError("If no initial_state is provided, dtype must be specified")
            batch = steps[0].dims[0]
            state = cell.zero_state(shape(steps[0])[0] if batch is None else batch, dtype)
        for time, x in enumerate(steps):
            output, after = cell(x, state)
            if sequence_length is not None:
                over = expand_dims(greater_equal(convert(time, convert(sequence_length).dtype), sequence_length), 1)
                output = where(over, zeros_like(output), output)
                after = pack(after, [where(over, a, b) for a, b in zip(flatten(state), flatten(after), strict=True)])
            outputs.append(output)
            state = after
    return outputs, state

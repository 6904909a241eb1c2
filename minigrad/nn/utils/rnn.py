"""Sequences of unequal length in one batch: padded with a filler, or packed without it.

A packed batch has the rows of the first time step of all sequences, then those of the second …; the sequences
are sorted by decreasing length, so the batch only shrinks. `batch_sizes` is the number of rows of each step.
Imports creation and operators. Read next: ../recurrent.py, whose modules take a PackedSequence.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..._call.operators import OPERATORS
from ..._machine.dtypes import int64
from ..._messages.foreign import refuses_foreign
from ..._tensors.creation import as_tensor, full, tensor
from ..._tensors.methods.named import name_node


class PackedSequence(NamedTuple):
    """Sequences without padding. Returned by `pack_padded_sequence` and `pack_sequence`.

    `data` (rows, features), `batch_sizes` (time steps); `sorted_indices` and `unsorted_indices` (batch) convert to
    the sorted order and back; they are None if the sequences were sorted.
    """

    data: Any
    batch_sizes: Any = None
    sorted_indices: Any = None
    unsorted_indices: Any = None


def _places(sizes):
    """Two int64 arrays, (time step, sequence) of every row, where `sizes` has the number of rows of each time step."""
    places = [(t, b) for t, n in enumerate(sizes) for b in range(n)]
    return tuple(tensor(each)._data for each in zip(*places, strict=True))


@refuses_foreign
def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True) -> PackedSequence:
    """Pack (time, batch, …), or with `batch_first` (batch, time, …), given the length of each sequence.

    `lengths` must decrease unless `enforce_sorted` is False. Raises RuntimeError for invalid lengths.

    >>> import minigrad as torch
    >>> padded = torch.tensor([[1, 2, 3], [4, 5, 0]])
    >>> packed = pack_padded_sequence(padded, [3, 2], batch_first=True)
    >>> packed.data, packed.batch_sizes
    (tensor([1, 4, 2, 5, 3]), tensor([2, 2, 1]))
    """
    lengths = as_tensor(lengths, dtype=int64)
    order = back = None
    if batch_first:
        input = input.transpose(0, 1)
    if not enforce_sorted:
        lengths, order = lengths.sort(descending=True)
        input, back = input.index_select(1, order), order.argsort()
    lengths, batch = lengths.tolist(), input.shape[1]
    if len(lengths) != batch:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(lengths)} (batch_size={batch})"
        )
    if lengths != sorted(lengths, reverse=True):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you "
            "do not need ONNX exportability."
        )
    if lengths[-1] <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    sizes = [sum(n > t for n in lengths) for t in range(lengths[0])]
    data = OPERATORS["index"](input, indices=_places(sizes))
    name_node(data, "PackPaddedSequenceBackward0")
    return PackedSequence(data, tensor(sizes), order, back)


@refuses_foreign
def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """(padded, lengths), the inverse of `pack_padded_sequence`; padded to `total_length` time steps if given."""
    data, sizes = sequence.data, sequence.batch_sizes.tolist()
    steps = total_length or len(sizes)
    if steps < len(sizes):
        raise ValueError(
            "Expected total_length to be at least the length of the longest sequence in input, but got "
            f"total_length={total_length} and max sequence length being {len(sizes)}"
        )
    filler = full((steps, sizes[0], *data.shape[1:]), padding_value, dtype=data.dtype, device=data.device)
    padded = OPERATORS["index_put"](filler, data, indices=_places(sizes))
    lengths = tensor([sum(n > b for n in sizes) for b in range(sizes[0])])
    if batch_first:
        padded = padded.transpose(0, 1)
    if sequence.unsorted_indices is not None:
        back = sequence.unsorted_indices
        padded, lengths = padded.index_select(0 if batch_first else 1, back), lengths[back]
    return padded, lengths


@refuses_foreign
def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Stack tensors (length, …), padded to the longest: (longest, batch, …), or with `batch_first` (batch, longest, …).

    >>> import minigrad as torch
    >>> pad_sequence([torch.ones(3), torch.ones(1)], batch_first=True)
    tensor([[1., 1., 1.],
            [1., 0., 0.]])
    """
    first, longest = sequences[0], max(len(s) for s in sequences)
    size = len(sequences), longest, *first.shape[1:]
    out = full(size, padding_value, dtype=first.dtype, device=first.device)
    for i, s in enumerate(sequences):
        start = longest - len(s) if padding_side == "left" else 0
        out[i, start : start + len(s)] = s
    return out if batch_first else out.transpose(0, 1)


@refuses_foreign
def pack_sequence(sequences, enforce_sorted=True) -> PackedSequence:
    """Pack tensors (length, …) of unequal length."""
    return pack_padded_sequence(pad_sequence(sequences), [len(s) for s in sequences], enforce_sorted=enforce_sorted)

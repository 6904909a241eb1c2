"""Sequences of unequal length in one batch: padded with a filler, or packed without any.

Packed means: the rows of the first time step of all sequences, then those of the second …; the sequences
are sorted by falling length, so the batch only shrinks. `batch_sizes` says how many rows a step has.
Imports creation, dispatch and tensor. Read next: ../recurrent.py, whose modules take a PackedSequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...compiled import OPERATORS
from ...creation import as_tensor, full, tensor
from ...dtypes import int64


class PackedSequence(NamedTuple):
    """Sequences without filler. Made by `pack_padded_sequence` and `pack_sequence`.

    `data` (rows, features), `batch_sizes` (time steps); `sorted_indices` and `unsorted_indices` (batch) lead to
    the sorted order and back, None if the sequences came sorted.
    """

    data: Any
    batch_sizes: Any
    sorted_indices: Any = None
    unsorted_indices: Any = None

    def places(self) -> tuple[Any, Any]:
        """(time step, which sequence) of every row: int64 arrays."""
        time = [t for t, n in enumerate(self.batch_sizes.tolist()) for _ in range(n)]
        which = [b for n in self.batch_sizes.tolist() for b in range(n)]
        return tensor(time, dtype=int64)._data, tensor(which, dtype=int64)._data


def pack_padded_sequence(
    input: Any, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Pack (time, batch, …), or with `batch_first` (batch, time, …), of which each sequence has its own length.

    `lengths` must fall unless `enforce_sorted` is False. Raises RuntimeError for lengths that can't be.

    >>> import minigrad as torch
    >>> padded = torch.tensor([[1, 2, 3], [4, 5, 0]])
    >>> packed = pack_padded_sequence(padded, [3, 2], batch_first=True)
    >>> packed.data, packed.batch_sizes
    (tensor([1, 4, 2, 5, 3]), tensor([2, 2, 1]))
    """
    lengths = as_tensor(lengths, dtype=int64)
    order = back = None
    if not enforce_sorted:
        lengths, order = lengths.sort(descending=True)
        input = input.index_select(0 if batch_first else 1, order)
        back = order.argsort()
    if batch_first:
        input = input.transpose(0, 1)
    sizes = lengths.tolist()
    if len(sizes) != input.shape[1]:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(sizes)} (batch_size={input.shape[1]})"
        )
    if sizes != sorted(sizes, reverse=True):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you "
            "do not need ONNX exportability."
        )
    if sizes[-1] <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    if sizes[0] > input.shape[0]:
        raise RuntimeError(f"Expected all lengths to be at most {input.shape[0]}, but got {sizes[0]}")
    batch_sizes = tensor([sum(n > t for n in sizes) for t in range(sizes[0])])
    packed = PackedSequence(None, batch_sizes, order, back)
    return packed._replace(data=OPERATORS["index"](input, indices=packed.places()))


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Any, Any]:
    """(padded, lengths): what `pack_padded_sequence` undoes; padded to `total_length` time steps if given."""
    sizes = sequence.batch_sizes.tolist()
    steps = total_length or len(sizes)
    if steps < len(sizes):
        raise ValueError(
            "Expected total_length to be at least the length of the longest sequence in input, but got "
            f"total_length={total_length} and max sequence length being {len(sizes)}"
        )
    data, (time, which) = sequence.data, sequence.places()
    filler = full((steps, sizes[0], *data.shape[1:]), padding_value, dtype=data.dtype, device=data.device)
    padded = OPERATORS["index_put"](filler, data, indices=(time, which))
    lengths = tensor([sum(n > b for n in sizes) for b in range(sizes[0])])
    if batch_first:
        padded = padded.transpose(0, 1)
    if sequence.unsorted_indices is not None:
        back = sequence.unsorted_indices
        padded, lengths = padded.index_select(0 if batch_first else 1, back), lengths[back]
    return padded, lengths


def pad_sequence(
    sequences: Sequence[Any], batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Any:
    """Stack tensors (length, …) of unequal length: (longest, batch, …), or with `batch_first` (batch, longest, …).

    >>> import minigrad as torch
    >>> pad_sequence([torch.ones(3), torch.ones(1)], batch_first=True)
    tensor([[1., 1., 1.],
            [1., 0., 0.]])
    """
    longest = max(len(s) for s in sequences)
    first = sequences[0]
    size = (len(sequences), longest, *first.shape[1:])
    out = full(size, padding_value, dtype=first.dtype, device=first.device)
    for i, s in enumerate(sequences):
        start = longest - len(s) if padding_side == "left" else 0
        out[i, start : start + len(s)] = s
    return out if batch_first else out.transpose(0, 1)


def pack_sequence(sequences: Sequence[Any], enforce_sorted: bool = True) -> PackedSequence:
    """Pack tensors (length, …) of unequal length."""
    return pack_padded_sequence(pad_sequence(sequences), [len(s) for s in sequences], enforce_sorted=enforce_sorted)


__all__ = ["PackedSequence", "pack_padded_sequence", "pack_sequence", "pad_packed_sequence", "pad_sequence"]

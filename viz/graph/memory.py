"""Finds tensors that share memory: views, `detach()`, `.data`, and tensors changed in place.

Two tensors share a storage if their bytes overlap, counted from the beginning of the storage to the last element. This
uses `data_ptr`, `storage_offset`, `stride` and `shape`, so it works for minigrad's tensors and PyTorch's.
Imports the standard library only. Read autograd.py next.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, TypeVar

Key = TypeVar("Key", bound=Hashable)


def storages(tensors: Mapping[Key, Any]) -> dict[Key, int]:
    """Numbers the storages of the `tensors`, by key. An empty tensor has no storage.

    >>> import minigrad as torch
    >>> w = torch.ones(3, requires_grad=True)
    >>> storages({"w": w, "part": w[:2], "cut": w.detach(), "copy": w.clone()})
    {'w': 0, 'part': 0, 'cut': 0, 'copy': 1}
    """
    spans = sorted((*place, i, key) for i, (key, tensor) in enumerate(tensors.items()) if (place := span(tensor)))
    groups: list[list[tuple[int, Key]]] = []
    reached = 0
    for start, end, i, key in spans:
        if not groups or start >= reached:
            groups.append([])
        groups[-1].append((i, key))
        reached = max(reached, end)
    # Addresses differ from run to run, so storages are numbered in the order of the tensors.
    return {key: number for number, group in enumerate(sorted(sorted(group) for group in groups)) for _, key in group}


def span(tensor: Any) -> tuple[int, int] | None:
    """The addresses from the beginning of the storage to the end of the last element; None if there are none."""
    try:
        first, size = tensor.data_ptr(), tensor.element_size()
        steps = [(n - 1) * stride for n, stride in zip(tensor.shape, tensor.stride(), strict=True)]
        start, end = first - tensor.storage_offset() * size, first + (1 + sum(steps)) * size
    except (RuntimeError, NotImplementedError):  # PyTorch's sparse and fake tensors have no address
        return None
    return (start, end) if end > start and first else None


def version(tensor: Any) -> int | None:
    """How often the memory was changed in place; None where that is not counted (inference tensors)."""
    try:
        return int(tensor._version)
    except RuntimeError:
        return None

"""PyTorch's messages for sizes and types that a single operator does not take. Rows have them as notes.

`words=product` names a function that returns an error for a row's arrays, after NumPy has refused them, or None if it
finds none.
Imports ops/sizes.py and NumPy. Read next: ../_call/check.py, which calls them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .sizes import looked_up_size

# -- sizes --------------------------------------------------------------------------------------


def broadcast(a: Sequence[int], b: Sequence[int]) -> tuple[int, ...]:
    """The size that two sizes broadcast to; RuntimeError in PyTorch's words if they don't."""
    n = max(len(a), len(b))
    pairs = list(zip((1,) * (n - len(a)) + tuple(a), (1,) * (n - len(b)) + tuple(b), strict=True))
    for i, (p, q) in reversed(list(enumerate(pairs))):  # PyTorch names the last axis that does not fit
        if p != q and p != 1 and q != 1:
            raise RuntimeError(
                f"The size of tensor a ({p}) must match the size of tensor b ({q}) at non-singleton dimension {i}"
            )
    return tuple(q if p == 1 else p for p, q in pairs)


def expanded(target: Sequence[int], existing: Sequence[int]) -> RuntimeError:
    """The error of an `expand` to an impossible size."""
    lead = len(target) - len(existing)
    d = next((i for i in reversed(range(lead, len(target))) if existing[i - lead] not in (1, target[i])), 0)
    return RuntimeError(
        f"The expanded size of the tensor ({target[d]}) must match the existing size ({existing[d - lead]}) at "
        f"non-singleton dimension {d}.  Target sizes: {list(target)}.  Tensor sizes: {list(existing)}"
    )


def x(shape: Sequence[int]) -> str:
    """A matrix size as PyTorch writes it: 2x3."""
    return "x".join(map(str, shape))


def unlike_matrices(first: Sequence[int], second: Sequence[int]) -> RuntimeError:
    return RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({x(first)} and {x(second)})")


def product(arrays: list[Any], params: dict[str, Any]) -> Exception | None:
    """The error of mm, or of addmm, whose first operand is the matrix that is added."""
    first, second = (tuple(a.shape) for a in arrays[-2:])
    if len(first) == 2 and first[1] != second[0]:
        return unlike_matrices(first, second)
    return None if len(arrays) == 2 else expanded((first[0], second[1]), arrays[0].shape)


def matrix_and_vector(arrays: list[Any], params: dict[str, Any]) -> Exception | None:
    matrix, vector = (tuple(a.shape) for a in arrays)
    if len(matrix) == 2 and matrix[1] != vector[0]:
        return RuntimeError(f"size mismatch, got input ({matrix[0]}), mat ({x(matrix)}), vec ({vector[0]})")
    return None


def two_vectors(arrays: list[Any], params: dict[str, Any]) -> Exception | None:
    first, second = (list(a.shape) for a in arrays)
    if first == second:
        return None
    return RuntimeError(
        f"inconsistent tensor size, expected tensor {first} and src {second} to have the same number of elements, but "
        f"got {first[0]} and {second[0]} elements respectively"
    )


def spread(arrays: list[Any], params: dict[str, Any]) -> Exception | None:
    return expanded(params["size"], arrays[0].shape)


def overwritten(arrays: list[Any], params: dict[str, Any]) -> Exception | None:
    """The error of a copy whose source doesn't fit the target's size."""
    size = list(broadcast(arrays[0].shape, arrays[-1].shape))
    return RuntimeError(f"output with shape {list(arrays[0].shape)} doesn't match the broadcast shape {size}")


def stacked(arrays: list[Any], params: dict[str, Any]) -> Exception | None:
    first = arrays[0].shape
    i, other = next((i, a.shape) for i, a in enumerate(arrays) if a.shape != first)
    return RuntimeError(
        f"stack expects each tensor to be equal size, but got {list(first)} at entry 0 and {list(other)} at entry {i}"
    )


def joined(arrays: list[Any], params: dict[str, Any]) -> Exception | None:
    dim, first = params["dim"], arrays[0].shape
    for i, array in enumerate(arrays):
        if array.ndim != len(first):
            return RuntimeError(f"Tensors must have same number of dimensions: got {len(first)} and {array.ndim}")
        for d, n in enumerate(array.shape):
            if d != dim and n != first[d]:
                return RuntimeError(
                    f"Sizes of tensors must match except in dimension {dim}. Expected size {first[d]} but got size {n} "
                    f"for tensor number {i} in the list."
                )
    return None


def extreme(name: str) -> Any:
    """The error of an extreme of no elements."""

    def words(arrays: list[Any], params: dict[str, Any]) -> Exception | None:
        dims = params["dim"] if isinstance(params["dim"], tuple) else (params["dim"],)
        d = next((d for d in dims if not arrays[0].shape[d]), 0)
        return IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")

    return words


def masked(arrays: list[Any], params: dict[str, Any]) -> Exception | None:
    broadcast(arrays[-1].shape, arrays[0].shape)
    return None


# -- places ---------------------------------------------------------------------------------------


def looked_up(arrays: list[Any], params: dict[str, Any]) -> Exception | None:
    first, indices = tuple(arrays[0].shape), params["indices"]
    return misplaced(first, indices) or out_of_bounds(first, indices)


def put(arrays: list[Any], params: dict[str, Any]) -> Exception | None:
    first, last, indices = tuple(arrays[0].shape), tuple(arrays[-1].shape), params["indices"]
    return misplaced(first, indices) or unfitting(first, last, indices) or out_of_bounds(first, indices)


def wrong_mask(shape: Sequence[int], indices: tuple[Any, ...]) -> IndexError | None:
    """The error for a mask whose size differs from that of its axes. NumPy accepts some of these."""
    dim = 0
    for index in indices:
        is_mask = not isinstance(index, slice) and index.dtype.kind == "b"
        for i, n in enumerate(index.shape if is_mask else ()):
            if dim + i < len(shape) and n != shape[dim + i]:
                return IndexError(
                    f"The shape of the mask {list(index.shape)} at index {i} does not match the shape of the indexed "
                    f"tensor {list(shape)} at index {dim + i}"
                )
        dim += index.ndim if is_mask else 1
    return None


def places(indices: tuple[Any, ...]) -> tuple[list[Any], list[int]]:
    """The index arrays, with masks replaced by the indices of their True elements; and the axis of each."""
    arrays: list[Any] = []
    axes: list[int] = []
    dim = 0
    for index in indices:
        found: tuple[Any, ...] = (index,)
        if isinstance(index, slice):
            found = ()
            dim += 1
        elif index.dtype.kind == "b":
            found = index.nonzero()
        arrays += found
        axes += range(dim, dim + len(found))
        dim += len(found)
    return arrays, axes


def misplaced(shape: tuple[int, ...], indices: tuple[Any, ...]) -> IndexError | None:
    """The error for index arrays that don't fit the tensor or each other."""
    if wrong := wrong_mask(shape, indices):
        return wrong
    arrays, axes = places(indices)
    dim = len(axes) + sum(isinstance(index, slice) for index in indices)
    if dim > len(shape):
        return IndexError(f"too many indices for tensor of dimension {len(shape)} (got {dim})")
    try:
        np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError:
        said = ", ".join(str(list(array.shape)) for array in arrays)
        return IndexError(f"shape mismatch: indexing tensors could not be broadcast together with shapes {said}")
    return None


def out_of_bounds(shape: tuple[int, ...], indices: tuple[Any, ...]) -> IndexError | None:
    """The error for the first index that is out of range. PyTorch checks one looked-up element after the other; NumPy
    checks one axis after the other."""
    arrays, axes = places(indices)
    sizes = [shape[axis] for axis in axes]
    wrong = [(array < -n) | (array >= n) for array, n in zip(arrays, sizes, strict=True)]
    if any(w.any() and not n for w, n in zip(wrong, sizes, strict=True)):
        return IndexError("index is out of bounds for dimension with size 0")
    wrong, arrays = [*np.broadcast_arrays(*wrong)], [*np.broadcast_arrays(*arrays)]
    outside = [int(w.argmax()) for w in wrong if w.any()]
    if not outside:
        return None
    first = min(outside)
    place = next(i for i, w in enumerate(wrong) if w.flat[first])
    return IndexError(
        f"index {arrays[place].flat[first]} is out of bounds for dimension {place} with size {sizes[place]}"
    )


def unfitting(shape: tuple[int, ...], given: tuple[int, ...], indices: tuple[Any, ...]) -> RuntimeError | None:
    """The error for values of size `given` that don't broadcast to the looked-up elements."""
    try:
        size = looked_up_size(shape, indices)
        fits = np.broadcast_shapes(size, given) == size
    except IndexError:  # another function reports invalid indices
        return None
    except ValueError:
        fits = False
    if fits:
        return None
    return RuntimeError(
        f"shape mismatch: value tensor of shape {list(given)} cannot be broadcast to indexing result of shape "
        f"{list(size)}"
    )


# -- types ----------------------------------------------------------------------------------------


def subtraction(kinds: set[str]) -> None:
    if kinds == {"b"}:
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
            "operator instead."
        )
    if "b" in kinds:
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, "
            "use the `~` or `logical_not()` operator instead."
        )


def negation(arrays: list[Any], params: dict[str, Any]) -> Exception | None:
    if str(arrays[0].dtype) != "bool":
        return None
    return RuntimeError(
        "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the "
        "`~` or `logical_not()` operator instead."
    )


def inversion(kinds: set[str]) -> None:
    if "f" in kinds:
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")


def all_bools(arrays: list[Any]) -> bool:
    """True for a product of bools, which PyTorch refuses unless it is empty."""
    return all(a.size and a.dtype == bool for a in arrays)


def softmax_kernel(name: str, ndim: int, params: dict[str, Any]) -> str:
    return name + ("_lastdim_kernel_impl" if params["dim"] >= ndim - 1 else "_kernel_impl")


def mixed_product(kinds: list[Any]) -> Exception:
    first, second = kinds[-2:]
    return RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {first.c_name} != {second.c_name}")


def mixed_sum(kinds: list[Any]) -> Exception:
    """The error of addmm for mixed types."""
    first, second = kinds[-2:]
    who, other = ("mat1", first) if kinds[0] is second else ("self", kinds[0])
    return RuntimeError(f"{who} and mat2 must have the same dtype, but got {other.legacy} and {second.legacy}")


def mixed_vectors(kinds: list[Any]) -> Exception:
    first, second = (kind.legacy for kind in kinds)
    return RuntimeError(f"dot : expected both vectors to have same dtype, but found {first} and {second}")


def mixed_stacks(kinds: list[Any]) -> Exception:
    first, second = (kind.legacy for kind in kinds)
    return RuntimeError(f"expected scalar type {first} but found {second}")


def mixed_with_a_vector(kinds: list[Any]) -> Exception:
    first, second = (kind.legacy for kind in kinds)
    return RuntimeError(f"addmv input tensors must have the same dtype, but got {second}, {first}, and {second}")

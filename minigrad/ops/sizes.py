"""The shape of an operator's result, from the shapes of its inputs, before any values exist.

These rules (broadcast, reduce, matmul, reshape, concat, index …) work on tuples of int and None. Each row notes its
rule as `shape`: `note(mm, shape=product)`. If shapes don't fit, the error has TensorFlow's words. Imports NumPy. Read
next: ../_compiler/shapes.py, which calls them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Dims = tuple[int | None, ...] | None  # (None, 3): two axes, the first of unknown length; None: unknown
# a parameter whose value is known only at run time
UNKNOWN: Any = type("Unknown", (), {"__repr__": lambda self: "unknown"})()


class Mismatch(Exception):
    """The shapes don't fit. `build` adds the operator's name and raises ValueError."""


def known(dims: Dims) -> Any:
    """True if every length of this shape is known."""
    return dims is not None and None not in dims


def show_list(dims: Any) -> str:
    """A shape as TensorFlow's errors write it: [?,3]."""
    return "<unknown>" if dims is None else "[" + ",".join("?" if n is None else str(n) for n in dims) + "]"


def same(dims: Dims, /, *_: Any, **__: Any) -> Dims:
    """The shape of the first input."""
    return dims


def no_axes(*_: Any, **__: Any) -> Dims:
    """The shape of one number."""
    return ()


def broadcast(*all_dims: Dims) -> Dims:
    """The common shape after broadcasting.

    >>> broadcast((None, 3), (3,)), broadcast((None, 1), (4, 5)), broadcast(None, (2,))
    ((None, 3), (4, 5), None)
    """
    out: tuple[int | None, ...] = ()
    for dims in all_dims:
        if dims is None:
            return None
        n = max(len(out), len(dims))
        pairs = list(zip((1,) * (n - len(out)) + out, (1,) * (n - len(dims)) + dims, strict=True))
        for p, q in pairs:
            if p is not None and q is not None and p != q and 1 not in (p, q):
                raise Mismatch(f"Dimensions must be equal, but are {p} and {q}")
        out = tuple(q if p == 1 else p if q == 1 else p if q is None else q for p, q in pairs)
    return out


def reduced(dims: Dims, /, dim: Any = None, keepdim: bool = False, **_: Any) -> Dims:
    """The shape after reducing the axes `dim` (an int, a tuple; None: all of them)."""
    if dims is None:
        return () if dim is None and not keepdim else None
    every = range(len(dims))
    gone = set(every) if dim is None else {dim % len(dims)} if isinstance(dim, int) else {d % len(dims) for d in dim}
    if keepdim:
        return tuple(1 if d in gone else dims[d] for d in every)
    return tuple(dims[d] for d in every if d not in gone)


def product(a: Dims, b: Dims) -> Dims:
    """The shape of a matrix product."""
    for dims in (a, b):
        if dims is not None and len(dims) != 2:
            raise Mismatch(f"Shape must be rank 2 but is rank {len(dims)}")
    if a is not None and b is not None and None not in (a[1], b[0]) and a[1] != b[0]:
        raise Mismatch(f"Dimensions must be equal, but are {a[1]} and {b[0]}")
    return (a[0] if a else None, b[1] if b else None)


def stacked_product(a: Dims, b: Dims) -> Dims:
    if a is None or b is None:
        return None
    if min(len(a), len(b)) < 2:
        raise Mismatch(f"Shape must be at least rank 2 but is rank {min(len(a), len(b))}")
    return (*(broadcast(a[:-2], b[:-2]) or ()), *product(a[-2:], b[-2:]))  # type: ignore[misc]


def reshaped(dims: Dims, size: Any) -> Dims:
    """The shape after `reshape`; a -1 is replaced if its value is known.

    >>> reshaped((None, 1), (1, -1, 1)), reshaped((2, 3), (-1,))
    ((1, None, 1), (6,))
    """
    if size is None:
        return None
    count = math.prod(dims) if dims is not None and known(dims) else None  # type: ignore[arg-type]
    rest = math.prod(n for n in size if n not in (-1, None))
    holes = [n for n in size if n in (-1, None)]
    if count is None or None in size:
        return tuple(None if n in (-1, None) else n for n in size)
    if len(holes) > 1:
        raise Mismatch(
            f"Only one input size may be -1, not both {size.index(-1)} and {len(size) - 1 - size[::-1].index(-1)}"
        )
    if (holes and rest and count % rest) or (not holes and rest != count):
        elements = "" if holes else f" ({rest} elements)"
        raise Mismatch(f"Cannot reshape a tensor with {count} elements to shape {show_list(size)}{elements}")
    return tuple((count // rest if rest else 0) if n == -1 else n for n in size)


def concatenated(*all_dims: Dims, dim: int) -> Dims:
    """The shape of several parts joined along axis `dim`."""
    ranked = [dims for dims in all_dims if dims is not None]
    if not ranked:
        return None
    out = list(ranked[0])
    for dims in ranked[1:]:
        if len(dims) != len(out):
            raise Mismatch(
                f"Ranks of all input tensors should match: shape[0] = {show_list(ranked[0])} vs. {show_list(dims)}"
            )
        for d, n in enumerate(dims):
            if d == dim:
                continue
            if n is not None and out[d] is not None and n != out[d]:
                shapes = [show_list(tuple(m for e, m in enumerate(s) if e != dim)) for s in (ranked[0], dims)]
                raise Mismatch(
                    f"Dimension {d - (d > dim)} in both shapes must be equal, but are {out[d]} and {n}. "
                    f"Shapes are {shapes[0]} and {shapes[1]}."
                )
            out[d] = n if out[d] is None else out[d]
    lengths = [dims[dim] if dims is not None else None for dims in all_dims]
    out[dim] = None if None in lengths else sum(lengths)  # type: ignore[arg-type]
    return tuple(out)


def stacked(*all_dims: Dims, dim: int) -> Dims:
    """The shape of several parts of one shape, stacked on a new axis `dim`."""
    one: Dims = None
    for dims in all_dims:
        if one is None or dims is None:
            one = one or dims
            continue
        pairs = list(zip(one, dims, strict=False))
        wrong = next((i for i, (a, b) in enumerate(pairs) if None not in (a, b) and a != b), None)
        if len(one) != len(dims) or wrong is not None:
            which = (
                f"Dimension {wrong} in both shapes must be equal, but are {pairs[wrong][0]} and {pairs[wrong][1]}"
                if wrong is not None
                else "Shapes must be equal rank"
            )
            raise Mismatch(f"{which}. Shapes are {show_list(one)} and {show_list(dims)}.")
        one = tuple(b if a is None else a for a, b in pairs)
    return None if one is None else (*one[:dim], len(all_dims), *one[dim:])


def sliced(dims: Dims, indices: Any) -> Dims:
    """The shape of `x[indices]`, for numbers, slices, `None` and `...`; unknown numbers are None in a tuple."""
    if dims is None:
        return None
    taken = sum(1 for k in indices if k is not None and k is not Ellipsis)
    if taken > len(dims):
        raise Mismatch(f"Index out of range using input dim {len(dims)}; input has only {len(dims)} dims")
    out: list[int | None] = []
    d = 0
    for key in indices:
        if key is Ellipsis:
            out += dims[d : d + len(dims) - taken]
            d += len(dims) - taken
        elif isinstance(key, slice):
            out.append(cut(dims[d], key))
            d += 1
        elif key is None:
            out.append(1)
        else:
            if isinstance(key, int) and dims[d] is not None and not -dims[d] <= key < dims[d]:  # type: ignore[operator]
                raise Mismatch(f"slice index {key} of dimension {d} out of bounds")
            d += 1
    return (*out, *dims[d:])


def cut(n: int | None, key: slice) -> int | None:
    """The length of a slice of an axis."""
    if key == slice(None) or n is None:
        return n if key == slice(None) else None
    told = all(p is None or isinstance(p, int) for p in (key.start, key.stop, key.step))
    return len(range(n)[key]) if told else None


def transposed(dims: Dims, dim0: int, dim1: int) -> Dims:
    """The shape with two of its axes exchanged; a shape without axes is unchanged."""
    if not dims:
        return dims
    out = list(dims)
    out[dim0], out[dim1] = out[dim1], out[dim0]
    return tuple(out)


def permuted(axes: Dims, *_: Any, dims: tuple[int, ...]) -> Dims:
    return None if axes is None else tuple(axes[d] for d in dims)


def unsqueezed(dims: Dims, dim: int) -> Dims:
    return None if dims is None else (*dims[:dim], 1, *dims[dim:])


def squeezed(dims: Dims, dim: tuple[int, ...] | None = None) -> Dims:
    """The shape without the axes of length 1 among `dim` (None: among all axes)."""
    if not known(dims):
        return None  # the number of remaining axes is known only at run time
    gone = [d for d in (range(len(dims)) if dim is None else dim) if dims[d] == 1]  # type: ignore[arg-type, index]
    return tuple(n for d, n in enumerate(dims) if d not in gone)  # type: ignore[arg-type]


def unit_squeezed(dims: Dims, dim: tuple[int, ...]) -> Dims:
    """The shape without the axes `dim`, which must have length 1."""
    if dims is None:
        return None
    for d in dim:
        if dims[d] not in (1, None):
            raise Mismatch(f"Can not squeeze dim[{d}], expected a dimension of 1, got {dims[d]}")
    return tuple(n for d, n in enumerate(dims) if d not in dim)


def tiled(dims: Dims, repeats: Any) -> Dims:
    if dims is None or repeats is None:
        return None
    dims = (1,) * (len(repeats) - len(dims)) + dims
    return tuple(None if None in (n, r) else n * r for n, r in zip(dims, repeats, strict=True))


def taken(dims: Dims, index: Dims, dim: int) -> Dims:
    return None if dims is None or index is None else (*dims[:dim], *index, *dims[dim + 1 :])


def as_given(*_: Any, size: Any, **__: Any) -> Dims:
    return None if size is None else tuple(size)


def counted(start: Any, stop: Any, step: Any, dtype: Any) -> Dims:
    return (None,) if UNKNOWN in (start, stop, step) else (max(0, math.ceil((stop - start) / step)),)


def looked_up_size(size: Any, indices: tuple[Any, ...]) -> tuple[int, ...]:
    """The shape of looked-up elements; IndexError or ValueError if NumPy rejects the indices."""
    first = (each if isinstance(each, slice) or each.dtype.kind == "b" else each * 0 for each in indices)
    return np.broadcast_to(np.zeros(()), size)[tuple(first)].shape

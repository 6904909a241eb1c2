"""PyTorch's words for what does not fit: sizes that don't broadcast, axes out of range, wrong shapes.

Values are tried first and explained only when NumPy refuses, so that a right call pays nothing.
Imports dtypes and rules. Read next: dispatch.py, which asks here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .rules import Rule


def axis(dim: Any, ndim: int, name: str = "dim") -> int:
    """A dimension number between 0 and ndim - 1, from one that may count from the end.

    >>> axis(-1, 3)
    2
    """
    if isinstance(dim, bool) or not hasattr(dim, "__index__"):
        raise TypeError(f"argument '{name}' must be int, not {type(dim).__name__}")
    low, high = -max(ndim, 1), max(ndim, 1) - 1
    if not low <= dim <= high:
        raise IndexError(f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})")
    return int(dim) + max(ndim, 1) if dim < 0 else int(dim)


def axes(dim: Any, ndim: int) -> tuple[int, ...]:
    """Several dimension numbers, each between 0 and ndim - 1; none (or None) means all."""
    if dim is None or (isinstance(dim, tuple | list) and not dim):
        return tuple(range(ndim))
    dims = tuple(axis(d, ndim) for d in (dim if isinstance(dim, tuple | list) else (dim,)))
    if len(set(dims)) != len(dims):
        repeated = next(d for d in dims if dims.count(d) > 1)
        raise RuntimeError(f"dim {repeated} appears multiple times in the list of dims")
    return dims if ndim else ()


def sizes(size: tuple[Any, ...]) -> tuple[int, ...]:
    """`f(2, 3)`, `f((2, 3))` and `f(torch.Size([2, 3]))` mean the same."""
    if len(size) == 1 and isinstance(size[0], tuple | list):
        size = tuple(size[0])
    for n in size:
        if isinstance(n, bool) or not hasattr(n, "__index__"):
            raise TypeError(
                f"argument 'size' must be tuple of ints, but found element of type {type(n).__name__} at pos "
                f"{size.index(n)}"
            )
    return tuple(int(n) for n in size)


def fill_in(size: tuple[int, ...], count: int) -> tuple[int, ...]:
    """A size with its one -1 worked out, checked against the number of elements."""
    given = list(size)
    if any(n < -1 for n in size):
        raise RuntimeError(f"invalid shape dimension {next(n for n in size if n < -1)}")
    if size.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    if -1 in size:
        rest = math.prod(n for n in size if n != -1)
        if rest == 0 and count == 0:
            raise RuntimeError(
                f"cannot reshape tensor of 0 elements into shape {given} because the unspecified dimension size -1 "
                "can be any value and is ambiguous"
            )
        size = tuple((count // rest if rest else 0) if n == -1 else n for n in size)
    if math.prod(size) != count:
        raise RuntimeError(f"shape '{given}' is invalid for input of size {count}")
    return size


def broadcast(a: Sequence[int], b: Sequence[int]) -> tuple[int, ...]:
    """The size that two sizes broadcast to; RuntimeError in PyTorch's words if they don't."""
    n = max(len(a), len(b))
    pairs = zip((1,) * (n - len(a)) + tuple(a), (1,) * (n - len(b)) + tuple(b), strict=True)
    out = []
    for i, (p, q) in enumerate(pairs):
        if p != q and p != 1 and q != 1:
            raise RuntimeError(
                f"The size of tensor a ({p}) must match the size of tensor b ({q}) at non-singleton dimension {i}"
            )
        out.append(q if p == 1 else p)
    return tuple(out)


def expanded(target: Sequence[int], existing: Sequence[int]) -> RuntimeError:
    """The error of an `expand` that can't be."""
    lead = len(target) - len(existing)
    d = next((i for i in reversed(range(lead, len(target))) if existing[i - lead] not in (1, target[i])), 0)
    return RuntimeError(
        f"The expanded size of the tensor ({target[d]}) must match the existing size ({existing[d - lead]}) at "
        f"non-singleton dimension {d}.  Target sizes: {list(target)}.  Tensor sizes: {list(existing)}"
    )


def explain(rule: Rule, arrays: list[Any], params: dict[str, Any], error: Exception) -> Exception:
    """The error to raise when a value refused its arrays; the refusal itself if nothing better is known."""
    shapes = [tuple(a.shape) for a in arrays]
    try:
        match rule.name:
            case "mm":
                return RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({x(shapes[0])} and {x(shapes[1])})")
            case "addmm":
                if shapes[1][-1] != shapes[2][0]:
                    return RuntimeError(
                        f"mat1 and mat2 shapes cannot be multiplied ({x(shapes[1])} and {x(shapes[2])})"
                    )
                return expanded((shapes[1][0], shapes[2][1]), shapes[0])
            case "mv":
                return RuntimeError(
                    f"size mismatch, got input ({shapes[0][0]}), mat ({x(shapes[0])}), vec ({shapes[1][0]})"
                )
            case "dot":
                return RuntimeError(
                    f"inconsistent tensor size, expected tensor {list(shapes[0])} and src {list(shapes[1])} to "
                    "have the "
                    f"same number of elements, but got {shapes[0][0]} and {shapes[1][0]} elements respectively"
                )
            case "bmm":
                if shapes[0][0] != shapes[1][0]:
                    wanted = [shapes[0][0], shapes[0][2]]
                else:
                    wanted = [shapes[0][0], shapes[0][2]]
                return RuntimeError(
                    f"Expected size for first two dimensions of batch2 tensor to be: {wanted} but got: "
                    f"{list(shapes[1][:2])}."
                )
            case "expand":
                return expanded(params["size"], shapes[0])
            case "copy":
                broadcast(shapes[0], shapes[1])
                return RuntimeError(
                    f"output with shape {list(shapes[0])} doesn't match the broadcast shape "
                    f"{list(broadcast(shapes[0], shapes[1]))}"
                )
            case "stack":
                i = next(i for i, s in enumerate(shapes) if s != shapes[0])
                return RuntimeError(
                    f"stack expects each tensor to be equal size, but got {list(shapes[0])} at entry 0 and "
                    f"{list(shapes[i])} at entry {i}"
                )
            case "cat":
                return unequal(shapes, params["dim"])
            case "neg" | "sub" | "rsub" if str(arrays[0].dtype) == "bool":
                if rule.name == "neg":
                    return RuntimeError(
                        "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a "
                        "mask, use the `~` or `logical_not()` operator instead."
                    )
                return RuntimeError(
                    "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
                    "`logical_xor()` operator instead."
                )
        if rule.kind in ("elementwise", "question", "choice"):
            for shape in shapes[1:]:
                broadcast(shapes[0], shape)
    except RuntimeError as better:
        return better
    if isinstance(error, IndexError):
        words = str(error).replace("for axis", "for dimension")
        return IndexError(words)
    return error if isinstance(error, TypeError) else RuntimeError(str(error))


def unequal(shapes: list[tuple[int, ...]], dim: int) -> RuntimeError:
    """The error of a `cat` whose parts don't fit."""
    first = shapes[0]
    for i, shape in enumerate(shapes):
        if len(shape) != len(first):
            return RuntimeError(f"Tensors must have same number of dimensions: got {len(first)} and {len(shape)}")
        for d, (n, m) in enumerate(zip(first, shape, strict=True)):
            if d != dim and n != m:
                return RuntimeError(
                    f"Sizes of tensors must match except in dimension {dim}. Expected size {n} but got size {m} for "
                    f"tensor number {i} in the list."
                )
    return RuntimeError("zero-dimensional tensor (at position 0) cannot be concatenated")


def x(shape: Sequence[int]) -> str:
    """A matrix size as PyTorch writes it: 2x3."""
    return "x".join(map(str, shape))

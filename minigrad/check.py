"""PyTorch's words for what does not fit: sizes that don't broadcast, axes out of range, wrong shapes.

Values are tried first and explained only when NumPy refuses, so that a right call pays nothing.
Imports core and dtypes. Read next: dispatch.py, which asks here.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import dtypes
from .core.rules import Rule
from .device import device, device_of
from .ops.indexing import looked_up_size


def type_name(x: Any) -> str:
    """The name of x's type, as C has it: of NumPy's with the module."""
    kind = type(x)
    return f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__


def as_int(n: Any, wish: str) -> int:
    """`n` as an int, if it is a whole number or a tensor of one; else a TypeError that says what was wished."""
    try:
        if not isinstance(n, bool):
            return operator.index(n)
    except TypeError:
        pass
    raise TypeError(f"{wish}, not {type_name(n)}")


def axis(dim: Any, ndim: int) -> int:
    """A dimension number between 0 and ndim - 1, from one that may count from the end.

    >>> axis(-1, 3)
    2
    """
    if type(dim) is int and 0 <= dim < ndim:
        return dim
    dim = as_int(dim, "argument 'dim' must be int")
    low, high = -max(ndim, 1), max(ndim, 1) - 1
    if not low <= dim <= high:
        raise IndexError(f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})")
    return dim + max(ndim, 1) if dim < 0 else dim


def axes(dim: Any, ndim: int) -> tuple[int, ...]:
    """Several dimension numbers, each between 0 and ndim - 1; none (or None) means all."""
    if dim is None or dim is ... or (isinstance(dim, tuple | list) and not dim):
        return tuple(range(ndim))
    dims = tuple(axis(d, ndim) for d in (dim if isinstance(dim, tuple | list) else (dim,)))
    for d in dims:
        if dims.count(d) > 1:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return dims if ndim else ()


def sizes(size: tuple[Any, ...], who: str, name: str = "size") -> tuple[int, ...]:
    """`f(2, 3)`, `f((2, 3))` and `f(torch.Size([2, 3]))` mean the same. `who` is f's name, for the error."""
    if len(size) == 1 and isinstance(size[0], tuple | list):
        size = tuple(size[0])
    return tuple(
        n if type(n) is int else as_int(n, f"{who}(): argument '{name}' (position 1) must be tuple of ints")
        for n in size
    )


def fill_in(size: tuple[int, ...], count: int) -> tuple[int, ...]:
    """A size with its one -1 worked out, checked against the number of elements."""
    given = list(size)
    for i, n in enumerate(size):
        if n < -1:
            raise RuntimeError(f"invalid shape dimension {n} at index {i} of shape {given}")
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
    pairs = list(zip((1,) * (n - len(a)) + tuple(a), (1,) * (n - len(b)) + tuple(b), strict=True))
    for i, (p, q) in reversed(list(enumerate(pairs))):  # the last that does not fit is named
        if p != q and p != 1 and q != 1:
            raise RuntimeError(
                f"The size of tensor a ({p}) must match the size of tensor b ({q}) at non-singleton dimension {i}"
            )
    return tuple(q if p == 1 else p for p, q in pairs)


def expanded(target: Sequence[int], existing: Sequence[int]) -> RuntimeError:
    """The error of an `expand` that can't be."""
    lead = len(target) - len(existing)
    d = next((i for i in reversed(range(lead, len(target))) if existing[i - lead] not in (1, target[i])), 0)
    return RuntimeError(
        f"The expanded size of the tensor ({target[d]}) must match the existing size ({existing[d - lead]}) at "
        f"non-singleton dimension {d}.  Target sizes: {list(target)}.  Tensor sizes: {list(existing)}"
    )


ONLY_WHOLE = {  # operators that take no floats, and what their kernels are called
    **{name: name for name in ("bitwise_and", "bitwise_or", "bitwise_xor")},
    **{"bitwise_left_shift": "lshift", "bitwise_right_shift": "rshift"},
}


def check_types(rule: Rule, inputs: tuple[Any, ...], params: dict[str, Any]) -> None:
    """Raise, in PyTorch's words, if the operator does not take these types. Asked on the general way alone."""
    types = [x._data.dtype for x in inputs if hasattr(x, "_data")]
    if not types or not all(hasattr(x, "_data") or isinstance(x, int | float | np.generic) for x in inputs):
        return  # another error comes first
    first, kinds = types[0], {each.kind for each in types}
    numbers = [x for x in inputs if isinstance(x, int | float)]
    kinds |= {"b" if isinstance(x, bool) else "f" if isinstance(x, float) else "i" for x in numbers}
    floats = "f" in kinds if rule.kind == "elementwise" else first.kind == "f"
    if (rule.dtypes == "floating" and not floats) or (rule.dtypes in ("number", "divide") and kinds == {"b"}):
        raise only_floats(rule.name, dtypes.from_numpy(first).legacy, np.ndim(inputs[0]), params)
    if rule.dtypes == "divide" and "f" not in kinds:  # NumPy only warns, and gives 0
        divisor = params.get("other", inputs[-1])
        if np.any(getattr(divisor, "_data", divisor) == 0):
            raise RuntimeError("ZeroDivisionError")
    if (
        rule.kind == "matmul"
        and (rule.name == "dot" or all(x._data.size for x in inputs))
        and not unlike(rule, inputs)
        and (kinds == {"b"} or (rule.name == "bmm" and first.kind == "b"))
    ):
        called = {"mm": "addmm_impl_cpu_", "addmm": "addmm_impl_cpu_", "mv": "addmv_impl_cpu"}.get(rule.name, rule.name)
        raise NotImplementedError(f"\"{called}\" not implemented for 'Bool'")
    if rule.name in ("sub", "rsub") and "b" in kinds:
        if all(x is True or x is False or getattr(x, "dtype", None) is dtypes.bool for x in inputs):
            raise RuntimeError(
                "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
                "`logical_xor()` operator instead."
            )
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, "
            "use the `~` or `logical_not()` operator instead."
        )
    if rule.name == "bitwise_not" and first.kind == "f":
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    if rule.name in ONLY_WHOLE and all(hasattr(x, "_data") for x in inputs):
        broadcast(*(x._data.shape for x in inputs))
    if rule.name in ONLY_WHOLE:
        for x in inputs:
            if isinstance(x, float) or (hasattr(x, "_data") and x._data.dtype.kind == "f"):
                tensors = [x._data for x in inputs if hasattr(x, "_data")]
                ranks = [(dtypes.from_numpy(a.dtype), 2 if a.ndim else 1) for a in tensors]
                common = dtypes.result_type([*ranks, *((dtypes.number_type(number), 0) for number in numbers)])
                raise NotImplementedError(f"\"{ONLY_WHOLE[rule.name]}_cpu\" not implemented for '{common.legacy}'")


def only_floats(name: str, kind: str, ndim: int, params: dict[str, Any]) -> Exception:
    """The error of an operator for floating-point numbers alone that met others, or for numbers that met bools."""
    match name.removesuffix("_dim"):
        case "mean":
            return RuntimeError(
                "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
                f"Got: {kind}"
            )
        case "std" | "var":
            return RuntimeError("std and var only support floating point and complex dtypes")
        case "relu":
            return RuntimeError("Boolean inputs not supported for relu")
        case "hardtanh":
            return RuntimeError("Bool inputs not supported for hardtanh")
        case "argmax" | "argmin":
            return RuntimeError(f"{name}(): does not support bool input")
        case "topk":
            return RuntimeError("topk does not support bool dtypes on CPU")
        case "floor" | "ceil" | "round" | "trunc":
            name += "_vml_cpu"
        case "bitwise_left_shift" | "bitwise_right_shift":
            name = ONLY_WHOLE[name] + "_cpu"
        case "addcmul":
            name += "_cpu_out"
        case "floor_divide" | "floor_divide_" | "div_rounded":
            name = "div_floor_cpu"
        case "logsigmoid":
            name = "log_sigmoid_cpu"
        case "gelu" | "gelu_tanh":
            name = "GeluKernelImpl"
        case "vector_norm":
            return RuntimeError(f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {kind}")
        case "softmax" | "log_softmax":
            name += "_lastdim_kernel_impl" if params["dim"] >= ndim - 1 else "_kernel_impl"
        case "pow_base":
            name = "pow"
        case _ if name != "pow":
            name = name.removesuffix("_tensor").removesuffix("_scalar") + "_cpu"
    return NotImplementedError(f"\"{name}\" not implemented for '{kind}'")


def unlike(rule: Rule, inputs: tuple[Any, ...]) -> RuntimeError | None:
    """The error of a product whose sizes don't fit, which PyTorch looks at before it looks at the types."""
    shapes = [tuple(x._data.shape) for x in inputs]
    if rule.name in ("mm", "mv") and len(shapes[0]) == 2 and shapes[0][1] != shapes[1][0]:
        return explain(rule, [x._data for x in inputs], {}, RuntimeError())  # type: ignore[return-value]
    if rule.name == "dot" and shapes[0] != shapes[1] and len({x._data.dtype for x in inputs}) == 1:
        return explain(rule, [x._data for x in inputs], {}, RuntimeError())  # type: ignore[return-value]
    return None


def mixed(rule: Rule, kinds: list[dtypes.dtype]) -> RuntimeError:
    """The error of a product of two types."""
    first, second = kinds[-2:]
    if rule.kind == "norm":
        wide = any(kind not in (kinds[0], dtypes.float32) for kind in kinds)
        what = "expect parameter to have scalar type of Float" if wide else "all inputs must share same datatype."
        return RuntimeError(f"mixed dtype (CPU): {what}")
    if rule.name == "addmm":
        who, other = ("mat1", first) if kinds[0] is second else ("self", kinds[0])
        return RuntimeError(f"{who} and mat2 must have the same dtype, but got {other.legacy} and {second.legacy}")
    if rule.name == "dot":
        return RuntimeError(
            f"dot : expected both vectors to have same dtype, but found {first.legacy} and {second.legacy}"
        )
    if rule.name == "bmm":
        return RuntimeError(f"expected scalar type {first.legacy} but found {second.legacy}")
    if rule.name == "mv":
        return RuntimeError(
            f"addmv input tensors must have the same dtype, but got {second.legacy}, {first.legacy}, and "
            f"{second.legacy}"
        )
    return RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {first.c_name} != {second.c_name}")


def explain(rule: Rule, arrays: list[Any], params: dict[str, Any], error: Exception) -> Exception:
    """The error to raise when a value refused its arrays; the refusal itself if nothing better is known."""
    places = [device_of(array) for array in arrays]
    if any(place != places[0] for place in places):
        return apart(rule, places)
    shapes = [tuple(array.shape) for array in arrays]
    first, last = shapes[0], shapes[-1]
    try:
        match rule.name:
            case "mm" | "addmm" if shapes[-2][-1] != last[0]:
                return RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({x(shapes[-2])} and {x(last)})")
            case "addmm":
                return expanded((shapes[1][0], last[1]), first)
            case "mv":
                return RuntimeError(f"size mismatch, got input ({first[0]}), mat ({x(first)}), vec ({last[0]})")
            case "dot":
                return RuntimeError(
                    f"inconsistent tensor size, expected tensor {list(first)} and src {list(last)} to have the "
                    f"same number of elements, but got {first[0]} and {last[0]} elements respectively"
                )
            case "expand":
                return expanded(params["size"], first)
            case "copy":
                size = list(broadcast(first, last))
                return RuntimeError(f"output with shape {list(first)} doesn't match the broadcast shape {size}")
            case "stack":
                i, other = next((i, shape) for i, shape in enumerate(shapes) if shape != first)
                return RuntimeError(
                    f"stack expects each tensor to be equal size, but got {list(first)} at entry 0 and "
                    f"{list(other)} at entry {i}"
                )
            case "cat":
                dim, n = params["dim"], len(first)
                for i, shape in enumerate(shapes):
                    if len(shape) != n:
                        return RuntimeError(f"Tensors must have same number of dimensions: got {n} and {len(shape)}")
                    for d in range(n):
                        if d != dim and shape[d] != first[d]:
                            return RuntimeError(
                                f"Sizes of tensors must match except in dimension {dim}. Expected size {first[d]} but "
                                f"got size {shape[d]} for tensor number {i} in the list."
                            )
            case "neg" if str(arrays[0].dtype) == "bool":
                return RuntimeError(
                    "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a "
                    "mask, use the `~` or `logical_not()` operator instead."
                )
            case "max_dim" | "min_dim" | "amax" | "amin" | "argmax" | "argmin":
                dims = params["dim"] if isinstance(params["dim"], tuple) else (params["dim"],)
                d = next((d for d in dims if not first[d]), 0)
                name = rule.name.removesuffix("_dim")
                return IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")
            case "index":
                return misplaced(first, params["indices"]) or out_of_bounds(first, params["indices"]) or error
            case "index_put":
                wrong = misplaced(first, params["indices"]) or unfitting(first, last, params["indices"])
                return wrong or out_of_bounds(first, params["indices"]) or error
            case "masked_fill":
                broadcast(last, first)
        if rule.kind in ("elementwise", "question", "choice"):
            for shape in shapes[1:]:
                broadcast(first, shape)
    except RuntimeError as better:
        return better
    return error if isinstance(error, TypeError) else RuntimeError(str(error))


def apart(rule: Rule, places: list[device]) -> RuntimeError:
    """The error of tensors that are on different devices."""
    i, other = next((i, place) for i, place in enumerate(places) if place != places[0])
    said = "Expected all tensors to be on the same device, but"
    if rule.kind not in ("matmul", "shape"):
        return RuntimeError(f"{said} found at least two devices, {places[0]} and {other}!")
    name = rule.inputs[0 if rule.variadic else i]
    return RuntimeError(
        f"{said} got {name} is on {other}, different from other tensors on {places[0]} (when checking argument in "
        f"method wrapper_CUDA_{rule.name})"
    )


def wrong_mask(shape: Sequence[int], indices: tuple[Any, ...]) -> IndexError | None:
    """What is wrong with a mask that hasn't the size of the axes that it stands for. NumPy lets some pass."""
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
    """Index arrays, masks as the places that they take; and the axis of each."""
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
    """What is wrong with index arrays that don't fit the tensor, or one another."""
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
    """The first element looked up that lies outside, on its first axis of which that is so: PyTorch goes through the
    elements, where NumPy goes through the axes."""
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
    """What is wrong with values of the size `given`, if they don't broadcast to what is looked up."""
    try:
        size = looked_up_size(shape, indices)
        fits = np.broadcast_shapes(size, given) == size
    except IndexError:  # the places are wrong themselves
        return None
    except ValueError:
        fits = False
    if fits:
        return None
    return RuntimeError(
        f"shape mismatch: value tensor of shape {list(given)} cannot be broadcast to indexing result of shape "
        f"{list(size)}"
    )


def x(shape: Sequence[int]) -> str:
    """A matrix size as PyTorch writes it: 2x3."""
    return "x".join(map(str, shape))


# -- what no tensor can be made of ---------------------------------------------------------------


def ragged(numbers: Any, kind: np.dtype[Any]) -> Exception:
    """What is wrong with nested lists that make no array: the first list gives the size, who differs is named."""
    level, dim = [numbers], 0
    while isinstance(level[0], list):
        for part in level:
            if not isinstance(part, list):
                return TypeError("not a sequence")
            if len(part) != len(level[0]):
                return ValueError(f"expected sequence of length {len(level[0])} at dim {dim} (got {len(part)})")
        level, dim = [part for parts in level for part in parts], dim + 1
    return TypeError(
        "must be real number, not list" if kind.kind == "f" else "'list' object cannot be interpreted as an integer"
    )

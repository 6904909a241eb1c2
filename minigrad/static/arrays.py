"""Shapes and slices under TensorFlow's names: reshape, transpose, concat, slices, zeros and ones …

Sizes may be numbers or symbols: `tf.reshape(x, [tf.shape(x)[0], -1])`.
Imports convert. Read next: variables.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._compiler.build import build, foresee
from .._compiler.graph import Output
from .._compiler.types import as_dtype
from .convert import constant, convert
from .graph import get_default_graph
from .math import cast, equal
from .types import TensorShape, as_dims


def placeholder(dtype: Any, shape: Any = None, name: str = "Placeholder") -> Any:
    """A symbol that is fed when the graph runs. `shape` may contain None for unknown sizes, or be None.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     x = tf.placeholder(tf.float32, [None], name="x")
    ...     session.run(x * 2, {x: [1, 2, 3]})
    array([2., 4., 6.], dtype=float32)
    """
    return get_default_graph().add("Placeholder", [], [(as_dims(shape), as_dtype(dtype))], name=name).outputs[0]


def sized(shape: Any) -> Any:
    """A size in the form that `build` takes: a tuple of ints and symbols, or one symbol for all."""
    if isinstance(shape, Output) or hasattr(shape, "_as_tensor"):
        known = foresee(convert(shape))
        return known if isinstance(known, tuple) and None not in known else convert(shape)
    if isinstance(shape, TensorShape):
        return tuple(shape.as_list())
    if not isinstance(shape, list | tuple | np.ndarray):
        shape = (shape,)
    parts = (getattr(n, "value", n) for n in shape)
    return tuple(n if isinstance(n, Output) else int(n) for n in parts)


def identity(input: Any, name: str = "Identity") -> Any:
    """The value of `input` as a new operation, for example to add control dependencies to it."""
    return build("identity", convert(input), name=name)


def stop_gradient(input: Any, name: str = "StopGradient") -> Any:
    """The value of `input`, which `gradients` treats as a constant."""
    return build("stop_gradient", convert(input), name=name)


def shape(input: Any, name: str = "Shape", out_type: Any = "int32") -> Any:
    """The shape at run time, as a vector of integers."""
    return build("shape_of", convert(input), name=name, dtype=as_dtype(out_type).numpy)


def size(input: Any, name: str = "Size", out_type: Any = "int32") -> Any:
    """The number of elements at run time."""
    return build("size_of", convert(input), name=name, dtype=as_dtype(out_type).numpy)


def rank(input: Any, name: str = "Rank") -> Any:
    """The number of axes."""
    return build("size_of", shape(input), name=name, dtype=np.dtype("int32"))


def reshape(tensor: Any, shape: Any, name: str = "Reshape") -> Any:
    """The elements in another shape; one size may be -1 and is then inferred."""
    return build("reshape_to", convert(tensor, name="tensor"), name=name, size=sized(shape))


def transpose(a: Any, perm: Any = None, name: str = "transpose") -> Any:
    """The axes in the order `perm`, reversed by default."""
    a = convert(a, name="a")
    if perm is None:
        if a.dims is None:
            raise ValueError("transpose needs `perm` where the number of dimensions is unknown.")
        perm = range(len(a.dims))[::-1]
    return build("permute", a, name=name, dims=tuple(int(d) % len(perm) for d in perm))


def expand_dims(input: Any, axis: int | None = None, name: str = "ExpandDims", dim: int | None = None) -> Any:
    """A new axis of length 1 at `axis`."""
    x, axis = convert(input), axis if axis is not None else dim or 0
    return build("unsqueeze", x, name=name, dim=axis % (len(x.dims) + 1) if x.dims is not None else axis)


def squeeze(input: Any, axis: Any = None, name: str = "Squeeze", squeeze_dims: Any = None) -> Any:
    """The tensor without the given axes of length 1, by default without all axes known to have length 1."""
    x, axis = convert(input), axis if axis is not None else squeeze_dims
    given = (
        [d for d, n in enumerate(x.dims) if n == 1]
        if axis is None
        else axis
        if isinstance(axis, list | tuple)
        else [axis]
    )
    return build("squeeze_dim", x, name=name, dim=tuple(d % len(x.dims) for d in given))


def concat(values: Any, axis: int, name: str = "concat") -> Any:
    """Concatenate tensors along an axis."""
    parts = every(values)
    n = next((len(p.dims) for p in parts if p.dims is not None), 1)
    return build("cat", *parts, name=name, dim=axis % n)


def stack(values: Any, axis: int = 0, name: str = "stack") -> Any:
    """Stack tensors of the same shape along a new axis."""
    parts = every(values)
    n = next((len(p.dims) for p in parts if p.dims is not None), 0)
    return build("stack", *parts, name=name, dim=axis % (n + 1))


def every(values: Any) -> list[Any]:
    """Convert several values to tensors of one dtype, that of the first tensor."""
    like = next((v.dtype for v in values if hasattr(v, "dtype")), None)
    return [convert(v, getattr(v, "dtype", None) or like, name=f"values_{i}") for i, v in enumerate(values)]


def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Any]:
    """The parts along an axis of known length, as a list of tensors."""
    x = convert(value)
    if num is None and (x.dims is None or x.dims[axis] is None):
        raise ValueError(f"Cannot infer argument `num` from shape {x.shape}")
    return build("unbind", x, name=name, dim=axis % len(x.dims))


def split(value: Any, num_or_size_splits: Any, axis: int = 0, name: str = "split") -> list[Any]:
    """Split a tensor along an axis into equal parts, or into parts of given lengths, one of which may be -1.

    If the length of the axis is unknown, the run checks whether equal parts are possible.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default():
    ...     tf.split(tf.placeholder(tf.float32, [None, 6]), 2)
    [<tf.Tensor 'split:0' shape=(?, 6) dtype=float32>, <tf.Tensor 'split:1' shape=(?, 6) dtype=float32>]
    """
    x = convert(value)
    if x.dims is None:
        raise ValueError(f"split needs the number of dimensions, which is unknown: {x}")
    if not -len(x.dims) <= axis < len(x.dims):
        raise ValueError(
            f"Dimension size, given by scalar input {axis} must be in range [-{len(x.dims)}, {len(x.dims)})"
        )
    axis, n = axis % len(x.dims), x.dims[axis]
    if not isinstance(num_or_size_splits, int):
        return build("split", x, name=name, sizes=lengths(num_or_size_splits, n), dim=axis)
    if n is None:
        return build("split_evenly", x, name=name, count=num_or_size_splits, dim=axis)
    if n % num_or_size_splits:
        raise ValueError(f"Dimension size must be evenly divisible by {num_or_size_splits} but is {n}")
    return build("split", x, name=name, sizes=(n // num_or_size_splits,) * num_or_size_splits, dim=axis)


def lengths(wanted: Any, n: int | None) -> tuple[int, ...]:
    """The lengths of parts, where -1 means the remaining length. ValueError unless the sum is `n`."""
    sizes = [int(size) for size in wanted]
    if sizes.count(-1) == 1 and n is not None:
        sizes[sizes.index(-1)] = n - sum(sizes) - 1
    if min(sizes, default=0) < 0 or n not in (None, sum(sizes)):
        shown = ",".join(map(str, wanted))
        raise ValueError(f"can't split axis of size {'?' if n is None else n} into pieces of size [{shown}]")
    return tuple(sizes)


def tile(input: Any, multiples: Any, name: str = "Tile") -> Any:
    """The tensor repeated along each axis."""
    return build("repeat", convert(input), name=name, repeats=sized(multiples))


def broadcast_to(input: Any, shape: Any, name: str = "BroadcastTo") -> Any:
    """The tensor broadcast to a shape."""
    return build("expand", convert(input), name=name, size=sized(shape))


def gather(params: Any, indices: Any, axis: int = 0, name: str = "GatherV2") -> Any:
    """The parts of `params` at `indices` (integers) along an axis."""
    return build("take", convert(params), convert(indices), name=name, dim=axis)


def slice_(input_: Any, begin: Any, size: Any, name: str = "Slice") -> Any:
    """The slice that starts at `begin` and has `size` elements along each axis; -1 means up to the end."""
    pairs = zip(begin, size, strict=True)
    return build(
        "strided_slice",
        convert(input_),
        name=name,
        indices=tuple(slice(b, None if n == -1 else b + n) for b, n in pairs),
    )


def reverse(tensor: Any, axis: Any, name: str = "ReverseV2") -> Any:
    """The tensor with the given axes reversed."""
    x = convert(tensor)
    return build("flip", x, name=name, dims=tuple(a % len(x.dims) for a in axis))


def where(condition: Any, x: Any = None, y: Any = None, name: str = "Select") -> Any:
    """x where the condition is True, y elsewhere."""
    if x is None or y is None:
        raise ValueError("x and y must both be given: the places where a condition holds have no shape to build with.")
    x, y = every([x, y])
    return build("where", convert(condition), x, y, name=name)


# -- new tensors --------------------------------------------------------------------------------


def fill(dims: Any, value: Any, name: str = "Fill") -> Any:
    """A tensor in which every element has one value."""
    return build("expand", convert(value, name="value"), name=name, size=sized(dims))


def full(shape: Any, value: float, dtype: Any, name: str) -> Any:
    size = sized(shape)
    if isinstance(size, tuple) and all(isinstance(n, int) for n in size) and int(np.prod(size)) < 1000:
        return constant(value, dtype, shape=size, name=name)
    return build("fill_with", name=name, size=size, value=value, dtype=as_dtype(dtype).numpy, graph=get_default_graph())


def zeros(shape: Any, dtype: Any = "float32", name: str = "zeros") -> Any:
    """Zeros of a shape, which may contain symbols."""
    return full(shape, 0, dtype, name)


def ones(shape: Any, dtype: Any = "float32", name: str = "ones") -> Any:
    """Ones of a shape, which may contain symbols."""
    return full(shape, 1, dtype, name)


def zeros_like(tensor: Any, dtype: Any = None, name: str = "zeros_like") -> Any:
    """Zeros with the shape of another tensor."""
    x = convert(tensor)
    return build("zeros_like", x if dtype is None else cast(x, dtype), name=name)


def ones_like(tensor: Any, dtype: Any = None, name: str = "ones_like") -> Any:
    """Ones with the shape of another tensor."""
    x = convert(tensor)
    return build("ones_like", x if dtype is None else cast(x, dtype), name=name)


def range_(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Any:
    """The numbers from start (default 0) up to the limit, which is not included."""
    if limit is None:
        start, limit = 0, start
    kind = dtype or next((v.dtype for v in (start, limit, delta) if hasattr(v, "dtype")), None)
    if kind is None:
        kind = "float32" if any(isinstance(v, float) for v in (start, limit, delta)) else "int32"
    sizes = {"start": start, "stop": limit, "step": delta}
    return build("count_up", name=name, **sizes, dtype=as_dtype(kind).numpy, graph=get_default_graph())


def linspace(start: float, stop: float, num: int, name: str = "LinSpace") -> Any:
    """`num` float32 numbers from start to stop, evenly spaced."""
    return constant(np.linspace(start, stop, num), "float32", name=name)


def one_hot(indices: Any, depth: int, dtype: Any = "float32", name: str = "one_hot") -> Any:
    """For each index, a vector of zeros with a one at that position."""
    x = convert(indices, name="indices")
    last = len(x.dims) if x.dims is not None else -1
    return cast(equal(expand_dims(x, last), constant(np.arange(depth), x.dtype)), dtype, name)

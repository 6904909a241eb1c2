"""`x[…]` and its like: looking numbers up, and writing them.

Basic indices (ints, slices, …, None) make views, one operator an axis, as in PyTorch; index tensors,
lists and masks make copies. Imports dispatch, inplace, check and arguments. Read next: inplace.py.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..arguments import takes_tensors
from ..check import axis, broadcast, expanded, type_name
from ..compiled import OPERATORS as _op
from ..inplace import in_place
from ..modes import modes
from ..storage import TensorBase
from ..views import base_of

PLAIN, ALL = {int, slice}, slice(None)
INTEGERS = (np.dtype("int64"), np.dtype("int32"))


def _settled(index: Any, ndim: int) -> list[Any]:
    """The index as a list with one item an axis: `...` spelt out, tensors as arrays, everything checked."""
    if isinstance(index, list) and any(isinstance(item, list | tuple | slice | TensorBase) for item in index):
        index = tuple(index)  # as PyTorch still does: x[[a, b]] means x[a, b] where a and b are lists
    items = [_plain(item) for item in (index if isinstance(index, tuple) else (index,))]
    used = sum(np.ndim(item) if _is_mask(item) else 1 for item in items if item is not None and item is not Ellipsis)
    if used > ndim:
        if not ndim and isinstance(index, int):
            raise IndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to "
                "convert a 0-dim tensor to a number"
            )
        if not ndim and isinstance(index, slice):
            raise IndexError("slice() cannot be applied to a 0-dim tensor.")
        raise IndexError(f"too many indices for tensor of dimension {ndim}")
    for i, item in enumerate(items):
        if item is Ellipsis:
            items[i : i + 1] = [slice(None)] * (ndim - used)
            break
    return items


def _plain(item: Any) -> Any:
    """One item of an index without a tensor in it: tensors and lists as arrays, a 0-d integer tensor as an int."""
    if isinstance(item, TensorBase):
        data = item._data
        if data.dtype.kind == "f":
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        if data.dtype == np.uint8:
            data = _byte_mask(data)
        # a copy: the graph keeps the index, and the reader may change theirs
        return int(data) if not data.ndim and data.dtype != bool else data.copy()
    if isinstance(item, list | range | np.ndarray):
        data = np.asarray(item, dtype=None if len(item) else np.int64)
        return _byte_mask(data) if data.dtype == np.uint8 else data
    if isinstance(item, str):
        raise TypeError("new(): invalid data type 'str'")
    if not (item is None or item is Ellipsis or isinstance(item, int | slice) or hasattr(item, "__index__")):
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
            f"(got {type(item).__name__})"
        )
    return item


def _byte_mask(data: Any) -> Any:
    """Bytes as an index say yes or no, as bools do, and did before there were bools."""
    if data.ndim:
        warnings.warn(
            "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.", stacklevel=5
        )
    return data.astype(bool)


def _is_mask(item: Any) -> bool:
    """Does it say of each place whether it is taken? A single True or False does, too."""
    return isinstance(item, bool) or getattr(item, "dtype", None) == np.dtype(bool)


def _is_basic(item: Any) -> bool:
    return item is None or (isinstance(item, slice | int | np.integer) and not isinstance(item, bool))


def _with_axes(self: Any, items: list[Any]) -> tuple[Any, tuple[Any, ...]]:
    """A single True or False stands for a new axis, `x[True]` for `x[None]`: the tensor with it, and its indices."""
    indices, dim = [], 0
    for item in items:
        if _is_mask(item) and not np.ndim(item):
            self, item = self.unsqueeze(dim), np.reshape(item, 1)
        indices.append(item)
        if item is not None:
            dim += np.ndim(item) if _is_mask(item) else 1
    return self, tuple(indices)


def _places(name: str, self: Any, dim: int, index: Any, src: Any = None) -> int:
    """The axis `dim`, if `index` (and, for scatter, `src`) fits `self` along it; else raise."""
    dim = axis(dim, self._data.ndim)
    if index._data.dtype not in INTEGERS and index._data.size:
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
    if src is not None and src._data.dtype != self._data.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    size, mine = _one_axis(index), _one_axis(self)
    for who, other in (("input" if src is None else "self", self), ("src", src)):
        if other is not None and len(_one_axis(other)) != len(size):
            raise RuntimeError(f"Index tensor must have the same number of dimensions as {who} tensor")
    wide = [d for d, (n, m) in enumerate(zip(size, mine, strict=True)) if d != dim and n > m]
    if src is None and wide:
        raise RuntimeError(
            f"Size does not match at dimension {wide[0]} expected index {list(size)} to be no larger than self "
            f"{list(self._data.shape)} apart from dimension {dim}"
        )
    if src is not None and (wide or any(n > m for n, m in zip(size, _one_axis(src), strict=True))):
        raise RuntimeError(
            f"Expected index {list(size)} to be no larger than self {list(self._data.shape)} apart from dimension "
            f"{dim} and to be no larger size than src {list(src._data.shape)}"
        )
    wrong = index._data[(index._data < 0) | (index._data >= mine[dim])]
    if wrong.size:
        raise RuntimeError(f"index {wrong.flat[0]} is out of bounds for dimension {dim} with size {mine[dim]}")
    return dim


def _adding(self: Any, dim: int, index: Any, source: Any) -> int:
    """The axis `dim`, if index_add's `index` and `source` fit `self` along it; else raise."""
    dim = axis(dim, self._data.ndim)
    if index._data.ndim > 1:
        raise IndexError(
            f"index_add_(): Index is supposed to be a vector, but got dim: {index._data.ndim} with type: "
            f"{index.dtype.legacy} and size: {list(index._data.shape)}"
        )
    if index._data.dtype not in INTEGERS:
        raise RuntimeError(f"index_add_(): Expected dtype int32/int64 for index but got: {index.dtype.legacy}")
    if source._data.dtype != self._data.dtype:
        raise RuntimeError(
            f"index_add_(): self ({self.dtype.legacy}) and source ({source.dtype.legacy}) must have the same scalar "
            "type"
        )
    mine, theirs = list(self._data.shape), list(source._data.shape)
    if mine[:dim] + mine[dim + 1 :] != theirs[:dim] + theirs[dim + 1 :] or len(mine) != len(theirs):
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "
            f"{mine} source.shape = {theirs}"
        )
    if not theirs and index._data.size != 1:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if index._data.size != (theirs[dim] if theirs else 1):
        raise RuntimeError(
            f"index_add_(): Number of indices ({index._data.size}) should be equal to source.size(dim): "
            f"({theirs[dim] if theirs else 1}), for dim: {dim}"
        )
    return dim


def _one_axis(tensor: Any) -> tuple[int, ...]:
    """The size, where a single number counts as a vector of one."""
    return tensor._data.shape or (1,)


def _guarded(tensor: Any, index: Any) -> Any:
    """Let the node of `tensor`, if it has one, refuse a backward once the index tensors have changed or were freed."""
    node = base_of(tensor)._fn if modes.grad else None
    if node is not None:
        given = index if isinstance(index, tuple) else (index,)
        node.guards = [(t, t.versions(), t.versions()[0]) if isinstance(t, TensorBase) else ... for t in given]
        node.watched = True
    return tensor


def _put(self: Any, index: Any, indices: tuple[Any, ...], values: Any, accumulate: bool = False) -> Any:
    """Write (or add) `values` at `indices`: the settled form of `index`, which backward shall find unchanged."""
    if values._data.dtype != self._data.dtype:
        arrays = [i for i in indices if isinstance(i, np.ndarray)]
        if accumulate or values._data.size != 1 or len(arrays) != 1 or arrays[0].dtype != bool:
            raise RuntimeError(  # PyTorch takes one number for a mask as masked_fill does
                f"Index put requires the source and destination dtypes match, got {self.dtype.legacy} for the "
                f"destination and {values.dtype.legacy} for the source."
            )
        values = values.to(self.dtype)
    try:
        in_place("index_put", self, values, indices=indices, accumulate=accumulate)
    except RuntimeError as error:
        if "NumPy" not in str(error) and "could not be broadcast" not in str(error):
            raise
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(values._data.shape)} cannot be broadcast to indexing result "
            f"of shape {list(self._data[indices].shape)}"
        ) from None
    return _guarded(self, index)


class Indexing(TensorBase):
    """Mixed into Tensor."""

    __slots__ = ()

    def __getitem__(self: Any, index: Any) -> Any:
        items: Any = index if type(index) is tuple else (index,)
        if len(items) > self._data.ndim or not PLAIN.issuperset(map(type, items)):
            items = _settled(index, self._data.ndim)
            if not all(map(_is_basic, items)):
                self, indices = _with_axes(self, items)
                return _guarded(_op["index"](self, indices=indices), index)
        out, dim = self, 0
        for item in items:
            if item is None:
                out, dim = _op["unsqueeze"](out, dim=dim), dim + 1
            elif isinstance(item, slice):
                if item != ALL:  # x[:, 0]: a whole axis needs no operator
                    out = _slice(out, dim, item)
                dim += 1
            else:
                n = out._data.shape[dim]
                if not -n <= item < n:
                    axis_of_self = self._data.ndim - (out._data.ndim - dim)  # not counting the new ones
                    raise IndexError(f"index {item} is out of bounds for dimension {axis_of_self} with size {n}")
                out = _op["select"](out, dim=dim, index=int(item) % n)
        if out is not self:
            return out
        if isinstance(index, slice):
            return _op["slice_dim"](self, dim=0, start=0, stop=len(self), step=1)
        return _op["alias"](self)

    def __setitem__(self: Any, index: Any, value: Any) -> None:
        items = _settled(index, self._data.ndim)
        number = isinstance(value, int | float | np.integer)
        if number:
            value = self.new_full((), value)
        elif not isinstance(value, TensorBase):
            raise TypeError(f"can't assign a {type_name(value)} to a torch.{self.dtype.legacy}Tensor")
        if not all(map(_is_basic, items)):
            self, indices = _with_axes(self, items)
            _put(self, index, indices, value)
            return
        window = self if all(item == slice(None) for item in items) else self[index]
        if number:
            in_place("fill_tensor" if self._data.ndim else "copy", window, value)
            return
        size, given = window._data.shape, value._data.shape
        lead = len(given) - len(size)
        if lead > 0 and all(n == 1 for n in given[:lead]):
            value, lead = value.view(given[lead:]), 0
        if lead > 0 or any(n not in (1, m) for n, m in zip(reversed(given), reversed(size), strict=False)):
            raise expanded(size, value._data.shape)
        in_place("copy", window, value)

    def index_put_(self: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
        """Write (or add) `values` at the places that the index tensors name."""
        return _put(self, tuple(indices), tuple(map(_plain, indices)), values, accumulate)

    @takes_tensors
    def gather(self: Any, dim: int, index: Any) -> Any:
        """Along `dim`, the elements that `index` names; the result has the size of `index`."""
        return _op["gather"](self, index, dim=_places("gather", self, dim, index))

    @takes_tensors
    def scatter_add(self: Any, dim: int, index: Any, src: Any) -> Any:
        """A copy with `src` added, along `dim`, at the places that `index` names."""
        return _op["scatter_add"](self, index, src, dim=_places("scatter", self, dim, index, src))

    @takes_tensors
    def scatter_add_(self: Any, dim: int, index: Any, src: Any) -> Any:
        """`scatter_add` in place."""
        return in_place("scatter_add", self, index, src, dim=_places("scatter", self, dim, index, src))

    @takes_tensors
    def index_select(self: Any, dim: int, index: Any) -> Any:
        """The places along `dim` that the vector `index` names."""
        dim = axis(dim, self._data.ndim)
        if index._data.ndim > 1:
            raise IndexError("index_select(): Index is supposed to be a vector")
        if index._data.dtype not in INTEGERS:
            raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
        if not self._data.ndim and index._data.size != 1:
            raise RuntimeError(
                f"index_select(): Index to scalar can have only 1 value, got {index._data.size} value(s)"
            )
        n = self._data.shape[dim] if self._data.ndim else 1
        if index._data.size and not n and self._data.ndim > 1:
            raise RuntimeError("index_select(): self indexing axis dim should be positive")
        if index._data.size and (index._data.max() >= n or index._data.min() < 0):
            raise IndexError("index out of range in self")
        return _op["index_select"](self, index if index._data.ndim else index.view(1), dim=dim)

    @takes_tensors
    def index_add(self: Any, dim: int, index: Any, source: Any, *, alpha: float = 1) -> Any:
        """A copy with `alpha * source` added at the places along `dim` that `index` names."""
        dim = _adding(self, dim, index, source)
        return _op["index_add"](self, index, source if alpha == 1 else source * alpha, dim=dim)

    @takes_tensors
    def index_add_(self: Any, dim: int, index: Any, source: Any, *, alpha: float = 1) -> Any:
        """`index_add` in place."""
        dim = _adding(self, dim, index, source)
        return in_place("index_add", self, index, source if alpha == 1 else source * alpha, dim=dim)

    @takes_tensors
    def masked_select(self: Any, mask: Any) -> Any:
        """The elements where `mask` is True, in a vector."""
        if mask._data.dtype != bool:
            raise RuntimeError("masked_select: expected BoolTensor for mask")
        size = broadcast(mask._data.shape, self._data.shape)
        return _op["masked_select"](self if self._data.shape == size else self.expand(size), mask.expand(size))

    def nonzero(self: Any, *, as_tuple: bool = False) -> Any:
        """The places of the elements that are not 0: a row each, or a vector an axis."""
        places = np.atleast_1d(self._data).nonzero()
        if as_tuple:
            return tuple(self.new_tensor(place) for place in places)
        return self.new_tensor(np.stack(places, axis=1)[:, : self._data.ndim])


def _slice(tensor: Any, dim: int, item: slice) -> Any:
    n = tensor._data.shape[dim]
    step = 1 if item.step is None else int(item.step)
    if step <= 0:
        raise ValueError("step must be greater than zero" if step else "slice step cannot be zero")
    ends = (int(end) if isinstance(end, TensorBase) else end for end in (item.start, item.stop))
    start, stop, _ = slice(*ends).indices(n)
    if (start, stop, step) == (0, n, 1):
        return tensor
    return _op["slice_dim"](tensor, dim=dim, start=start, stop=max(stop, start), step=step)

"""`x[…]` and related methods: reading elements by index, and writing them.

indices.py explains an index: first views, one operator each, then indices that are looked up together, which makes a
copy. Imports indices, inplace, check and arguments. Read next: indices.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._call.arguments import no_tensor, takes_tensors
from ..._call.check import axis, broadcast, type_name, unfitting, wrong_mask
from ..._call.operators import OPERATORS as _op
from ..._engine.overlap import among_itself, as_read, fills_mask, one_by_one, refuse_index, refuse_memory
from ..._engine.storage import TensorBase
from ..._engine.switches import modes, told
from ..._engine.views import base_of
from ..._machine.dtypes import int64, uint8
from ..._messages.foreign import refuse as refuse_foreign
from ...ops.note import known
from ..indices import MASKS, SIMPLE, WHOLE, cut, looked_up, plan, warn_of_bytes
from ..inplace import in_place, is_leaf, refuse_change, refuse_writing, replaced

_select, _slice = _op["select"], _op["slice_dim"]
INTEGERS = (np.dtype("int64"), np.dtype("int32"))


def _follow(tensor: Any, steps: list[tuple[str, dict[str, Any]]]) -> Any:
    """The view that results from the steps of a plan."""
    for name, params in steps:
        tensor = _op[name](tensor, **params)
    return tensor


def _window(tensor: Any, items: tuple[Any, ...]) -> Any:
    """The view for an index of ints and slices alone, without a plan, which is faster. None for any other index."""
    sizes = tensor._data.shape
    if len(items) > len(sizes) or not SIMPLE.issuperset(map(type, items)):
        return None
    out, dim = tensor, 0
    for item, n in zip(items, sizes, strict=False):
        if type(item) is int:
            if not -n <= item < n:
                return None
            out = _select(out, dim=dim, index=item % n)
        else:
            if item.start is not None or item.stop is not None or item.step is not None:
                ends = cut(item, n)
                if ends is not None:
                    out = _slice(out, dim=dim, **ends)
            dim += 1
    return out


def _places(name: str, self: Any, dim: int, index: Any, src: Any = None) -> int:
    """The axis `dim`. Raises unless `index` (and, for scatter, `src`) fits `self` along it."""
    dim = axis(dim, self._data.ndim)
    if index._data.dtype not in INTEGERS and index._data.size:
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
    if src is not None and src._data.dtype != self._data.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    size, mine = _one_axis(index), _one_axis(self)
    if len(mine) != len(size):
        who = "input" if src is None else "self"
        raise RuntimeError(f"Index tensor must have the same number of dimensions as {who} tensor")
    wide = [d for d, (n, m) in enumerate(zip(size, mine, strict=True)) if d != dim and n > m]
    if src is not None and len(_one_axis(src)) != len(size):
        theirs = src._data.shape
        shorter = 0 < len(theirs) < len(size)
        if shorter and not wide and all(n <= m for n, m in zip(size, theirs, strict=False)):
            axis(len(theirs), len(theirs))  # PyTorch's comparison of sizes reaches an axis that `src` lacks
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
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
    """The axis `dim`. Raises unless index_add's `index` and `source` fit `self` along it."""
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
    if not theirs and index._data.size != 1:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if len(theirs) > 0 and dim >= len(theirs):
        raise RuntimeError(
            f"index_add_(): Indexing dim {dim} is out of bounds of the source tensor with dim {len(theirs)}"
        )
    if index._data.size != (theirs[dim] if theirs else 1):
        raise RuntimeError(
            f"index_add_(): Number of indices ({index._data.size}) should be equal to source.size(dim): "
            f"({theirs[dim] if theirs else 1}), for dim: {dim}"
        )
    if mine[:dim] + mine[dim + 1 :] != theirs[:dim] + theirs[dim + 1 :] or len(mine) != len(theirs):
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "
            f"{mine} source.shape = {theirs}"
        )
    n = mine[dim] if mine else 1
    if index._data.size and (index._data.max() >= n or index._data.min() < 0):
        raise IndexError("index out of range in self")
    return dim


def _scaled(source: Any, alpha: Any) -> tuple[Any, Any]:
    """The numbers that index_add adds, and their factor: integers are multiplied beforehand, in their own type."""
    return (source, alpha) if alpha == 1 or source._data.dtype.kind == "f" else (source * alpha, 1)


def _one_axis(tensor: Any) -> tuple[int, ...]:
    """The size, where a number without axes counts as a vector of length 1."""
    return tensor._data.shape or (1,)


def _with(given: Any, function: Any, *inputs: Any, **params: Any) -> Any:
    """`function(*inputs, **params)`; observers count the index tensors in `given` among the inputs."""
    if not modes.observers:
        return function(*inputs, **params)
    modes.beside = tuple(each for each in given if isinstance(each, TensorBase))
    try:
        return function(*inputs, **params)
    finally:
        modes.beside = ()


def _guarded(tensor: Any, given: Any) -> Any:
    """Make the node of `tensor`, if any, refuse a backward after the index tensors have changed or were freed."""
    node = base_of(tensor)._fn if modes.recording else None
    if node is not None:
        node.guards = [(t, t.versions(), t.versions()[0]) if isinstance(t, TensorBase) else ... for t in given]
        node.watched = True
    return tensor


def _put(self: Any, given: Any, indices: tuple[Any, ...], values: Any, accumulate: bool = False) -> Any:
    """Write (or add) `values` at `indices`, arrays made from `given`, which must be unchanged at backward."""
    refuse_writing(self, values)
    bytes_ = [getattr(each, "dtype", None) for each in given if each is not None] == [uint8]
    if not accumulate and values._data.size == 1 and bytes_:
        raise RuntimeError("masked_fill_ only supports boolean masks, but got mask with dtype unsigned char")
    params = {"indices": indices, "accumulate": accumulate}
    masked = fills_mask(values, params)
    wrong: Any = wrong_mask(self._data.shape, indices)
    other_type = values._data.dtype != self._data.dtype
    if not wrong and other_type and not masked:
        wrong = unfitting(self._data.shape, values._data.shape, indices) or RuntimeError(
            f"Index put requires the source and destination dtypes match, got {self.dtype.legacy} for the "
            f"destination and {values.dtype.legacy} for the source."
        )
    if wrong:
        refuse_memory("index_put", self, (values,), params)
    refuse_index(self, given, masked)
    warn_of_bytes(given)
    if wrong:
        try:
            raise wrong
        finally:
            del wrong  # the error holds this frame: with the name it would be a cycle
    if other_type:
        values = values.to(self.dtype)
    _with(given, in_place, "index_put", self, values, **params)
    return _guarded(self, given)


def _write(window: Any, value: Any) -> None:
    """Copy `value`, broadcast, into the memory of a view; a single number fills it."""
    size, given = window._data.shape, value._data.shape
    if not given and size:
        in_place("fill_tensor", window, value)
        return
    value = _without_leading_ones(value) if given != size else value
    in_place("copy", window, value if value._data.shape == size else value.expand(size))


def _without_leading_ones(value: Any) -> Any:
    """The value without leading axes of length 1, of which PyTorch allows any number."""
    size = value._data.shape
    ones = next((i for i, n in enumerate(size) if n != 1), len(size))
    return value.view(size[ones:]) if ones else value


class Indexing(TensorBase):
    """Mixed into Tensor."""

    __slots__ = ()

    def __getitem__(self: Any, index: Any) -> Any:
        if type(index) is int and self._data.ndim and -(n := self._data.shape[0]) <= index < n:
            return _select(self, dim=0, index=index % n)  # as the plan does, in a third of the time
        kind = type(index)
        out = _window(self, (index,) if kind is slice else index) if kind is slice or kind is tuple else None
        if out is None:
            steps, indices, given = plan(index, self._data.shape)
            out = _follow(self, steps)
            if indices:
                warn_of_bytes(given)
                empty = any(each is not WHOLE and not each.size for each in indices)
                if empty and (wrong := wrong_mask(out._data.shape, indices)):  # NumPy lets such a mask pass
                    try:
                        raise wrong
                    finally:
                        del wrong  # the error holds this frame: with the name it would be a cycle
                return _guarded(_with(given, _op["index"], out, indices=indices), given)
        if out is not self:
            return out
        # a slice alone always runs an operator, even if it selects everything
        return _op["slice_dim"](self, dim=0, start=0, stop=len(self), step=1) if kind is slice else _op["alias"](self)

    def __setitem__(self: Any, index: Any, value: Any) -> None:
        if isinstance(value, int | float | np.integer):
            value = self.new_full((), value)
        elif not isinstance(value, TensorBase):
            refuse_foreign("An assignment", value)
            raise TypeError(f"can't assign a {type_name(value)} to a torch.{self.dtype.legacy}Tensor")
        if index is False:
            return
        steps, indices, given = plan(None if index is True else index, self._data.shape)
        window = _follow(self, steps)
        if indices:
            _put(window, given, indices, _without_leading_ones(value))
        else:
            _write(window, value)

    def __delitem__(self, index: Any) -> None:
        raise TypeError("Tensor does not support deleting items")

    def index_put_(self: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
        """Write (or add) `values` at the places given by the index tensors."""
        if not isinstance(values, TensorBase):
            raise no_tensor("index_put_", "values", 2, values)
        if not isinstance(indices, tuple | list):
            raise TypeError(
                f"index_put_(): argument 'indices' (position 1) must be tuple of Tensors, not {type_name(indices)}"
            )
        for i, each in enumerate(indices):
            if not isinstance(each, TensorBase):
                raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type_name(each)}")
        if len(indices) > (n := self._data.ndim):  # the index tensors are counted, and a mask counts as one
            raise IndexError(f"too many indices for tensor of dimension {n} (got {len(indices)})")
        # here PyTorch ignores a single True or False beside other indices
        indices = [each for each in indices if each._data.ndim or each._data.dtype not in MASKS] or indices
        return _put(self, indices, looked_up([each._data for each in indices]), values, accumulate)

    @takes_tensors
    def gather(self: Any, dim: int, index: Any) -> Any:
        """Along `dim`, the elements at `index`; the result has the size of `index`.

        Raises RuntimeError unless `index` has integers, as many axes as the tensor, and valid indices.

        >>> scores = torch.tensor([[0.1, 0.9], [0.8, 0.2]])
        >>> scores.gather(1, torch.tensor([[1], [0]]))  # of each row, one element
        tensor([[0.9000],
                [0.8000]])
        """
        return _op["gather"](self, index, dim=_places("gather", self, dim, index))

    @takes_tensors
    def scatter_add(self: Any, dim: int, index: Any, src: Any) -> Any:
        """A copy with `src` added, along `dim`, at the places given by `index`.

        Raises RuntimeError for indices out of range, and for another type.

        >>> votes = torch.tensor([2, 0, 2])
        >>> torch.zeros(3, dtype=torch.int64).scatter_add(0, votes, torch.ones(3, dtype=torch.int64))
        tensor([1, 0, 2])
        """
        return _op["scatter_add"](self, index, src, dim=_places("scatter", self, dim, index, src))

    @takes_tensors
    def scatter_add_(self: Any, dim: int, index: Any, src: Any) -> Any:
        """`scatter_add` in place."""
        refuse_writing(self, src)
        return in_place("scatter_add", self, index, src, dim=_places("scatter", self, dim, index, src))

    @takes_tensors
    def index_select(self: Any, dim: int, index: Any) -> Any:
        """The slices along `dim` that the vector `index` selects. Raises IndexError for an index out of range.

        >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
        >>> x.index_select(0, torch.tensor([1, 1])).sum().backward()
        >>> x.grad  # row 1 was taken twice
        tensor([[0., 0.],
                [2., 2.]])
        """
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
        wrong = index._data[(index._data >= n) | (index._data < 0)]
        if wrong.size and self._data.ndim > 1 and dim == 1:  # PyTorch uses other code along columns
            raise RuntimeError(f"INDICES element is out of DATA bounds, id={wrong.flat[0]} axis_dim={n}")
        if wrong.size:
            raise IndexError("index out of range in self")
        return _op["index_select"](self, index if index._data.ndim else index.view(1), dim=dim)

    @takes_tensors
    def index_add(self: Any, dim: int, index: Any, source: Any, *, alpha: float = 1) -> Any:
        """A copy with `alpha * source` added at the indices in `index` along `dim`.

        >>> x, rows = torch.zeros(3, 2), torch.tensor([2, 2])
        >>> x.index_add(0, rows, torch.tensor([[1.0, 2.0], [10.0, 20.0]]))
        tensor([[ 0.,  0.],
                [ 0.,  0.],
                [11., 22.]])
        """
        dim = _adding(self, dim, index, source)
        source, alpha = _scaled(source, alpha)
        return _op["index_add"](self, index, source, dim=dim, alpha=alpha)

    @takes_tensors
    def index_add_(self: Any, dim: int, index: Any, source: Any, *, alpha: float = 1) -> Any:
        """`index_add` in place."""
        refuse_writing(self, source)
        dim = _adding(self, dim, index, source)
        refuse_change("index_add", self, index, source)
        if among_itself(self, source) and self._data.ndim and not is_leaf(source):
            row = np.moveaxis(self._data, dim, 0)[0]
            places = one_by_one(row, row) or [(slice(None),) * row.ndim]
            turns = [
                ((*at[:dim], int(to), *at[dim:]), (*at[:dim], i, *at[dim:]))
                for i, to in enumerate(index._data.reshape(-1))
                for at in places
            ]
            source = replaced(source, as_read(self, source, turns, lambda old, more: old + alpha * more))
        source, alpha = _scaled(source, alpha)
        return in_place("index_add", self, index, source, dim=dim, alpha=alpha)

    @takes_tensors
    def masked_select(self: Any, mask: Any) -> Any:
        """The elements where `mask` is True, in a vector.

        >>> x = torch.tensor([[1, 5], [7, 2]])
        >>> x.masked_select(x > 2)
        tensor([5, 7])
        """
        if mask._data.dtype != bool:
            raise RuntimeError("masked_select: expected BoolTensor for mask")
        size = broadcast(mask._data.shape, self._data.shape)
        return _op["masked_select"](self if self._data.shape == size else self.expand(size), mask.expand(size))

    @takes_tensors
    @known(out=True)
    def nonzero(self: Any, *, as_tuple: bool = False) -> Any:
        """The indices of the elements that are not 0: one row for each, or one vector for each axis.

        >>> x = torch.tensor([[0, 5], [7, 0]])
        >>> x.nonzero(), x.nonzero(as_tuple=True)
        (tensor([[0, 1],
                [1, 0]]), (tensor([0, 1]), tensor([1, 0])))
        """
        places = np.atleast_1d(self._data).nonzero()
        if as_tuple:
            return told("nonzero", (self,), tuple(self.new_tensor(place, dtype=int64) for place in places))
        return told("nonzero", (self,), self.new_tensor(np.stack(places, axis=1)[:, : self._data.ndim], dtype=int64))

"""Tensor: an array that remembers where it came from.

A leaf was not computed by a recorded operator: it is a parameter or a constant. If an operator uses
a tensor that requires grad, its result has a node, `grad_fn`, and the nodes lead back to the
leaves. Backward adds each leaf's gradient to its `.grad`; a tensor in between keeps its gradient
only after `retain_grad()`. `_fn` is None for a leaf, else the Node or (Node, output index).
Imports rules. Next: seams.py.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from numpy import asarray, generic, ndarray

from .rules import OPERATORS


def method_of(name: str) -> Any:
    """Make the method that runs this row of the table."""

    def method(self: Any, *others: Any) -> Any:
        """Call the row's function in OPERATORS. In core alone, `+` and `*` on Tensors run it."""
        return OPERATORS[name](self, *others)

    return method


class Tensor:
    """The fields and the methods for the graph. ../_tensors/tensor.py adds all other methods."""

    __slots__ = tuple("__dict__ __weakref__ _data _fn _grad _requires_grad _versions _view".split())

    _data: Any  # the array
    _requires_grad: bool
    _grad: Any  # a Tensor, or None
    _fn: Any  # None (a leaf), the Node that computed it, or (Node, output index)
    _versions: list[Any] | None  # None until `versions()` is first called
    _view: Any  # None in the core; for views, ../_engine/views.py sets it

    result: type[Tensor]  # the class of results; ../_tensors/tensor.py sets it to its subclass
    __hash__ = object.__hash__

    shape: Any = property(lambda self: self._data.shape)
    dtype: Any = property(lambda self: self._data.dtype)
    ndim: Any = property(lambda self: self._data.ndim)

    # -- its place in the graph --------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        """True if backward computes a gradient for this tensor."""
        return self._requires_grad

    @property
    def grad(self) -> Any:
        """The sum of the gradients that backward brought here; None before the first."""
        return self._grad

    @property
    def grad_fn(self) -> Any:
        """The node of the operator that computed this tensor; None for a leaf."""
        return self._fn[0] if isinstance(self._fn, tuple) else self._fn

    @property
    def output_nr(self) -> int:
        """The index of this tensor among the outputs of its grad_fn."""
        return self._fn[1] if isinstance(self._fn, tuple) else 0

    @property
    def is_leaf(self) -> bool:
        """True if no recorded operator computed this tensor."""
        return self.grad_fn is None

    def retain_grad(self) -> None:
        """Keep this tensor's gradient in `.grad`, though it is no leaf. The node refers to the
        tensor weakly: the tensor refers to the node, so a strong reference would be a cycle."""
        if self.grad_fn is not None:
            node = self.grad_fn
            node.retains = {**(node.retains or {}), self.output_nr: weakref.ref(self)}
            node.watched = True

    def detach(self) -> Any:
        """A leaf on the same memory that requires no gradient. It shares the version counter with
        this tensor."""
        out = wrap(self._data)
        out._versions = self.versions()
        return out

    def versions(self) -> list[Any]:
        """The version counter: a list whose first item counts the changes of this memory in place.
        Tensors that share memory share the list. Its other two items, None here, belong to
        ../_engine/views.py.

        Each change in place adds one: `x += 1`, or the engine when it adds to an existing `.grad`.
        A node that saves a tensor saves the count too, and backward compares the two.

        Most tensors are never changed, so the list is made at the first call. Some nodes save
        their own result, as an array without its tensor (node.py, "what a node has saved"). Tensor
        and node must share one list: each looks here whether the other has already made it.
        """
        if self._versions is None:
            kept = getattr(self._fn, "saved_result", None)
            if isinstance(kept, tuple) and kept[0] is self._data:
                self._versions = kept[1]
            else:
                self._versions = new_versions()
                if kept is self._data:
                    self._fn.saved_result = (self._data, self._versions, 0)
        return self._versions

    # -- Python's operators, for the core alone: ../_tensors/methods/arithmetic.py replaces these

    if not TYPE_CHECKING:  # a type checker reads the declarations in ../_tensors/methods/
        __add__ = __radd__ = method_of("add")
        __sub__, __rsub__, __neg__ = method_of("sub"), method_of("rsub"), method_of("neg")
        __mul__ = __rmul__ = method_of("mul")
        __truediv__ = method_of("div")
        __eq__, __ne__ = method_of("eq"), method_of("ne")
        __lt__, __le__ = method_of("lt"), method_of("le")
        __gt__, __ge__ = method_of("gt"), method_of("ge")
        __and__, __or__ = method_of("bitwise_and"), method_of("bitwise_or")
        __invert__ = method_of("bitwise_not")

    def __rtruediv__(self, number: Any) -> Any:
        return OPERATORS["div"](number, self)

    def __pow__(self, exponent: Any) -> Any:
        if isinstance(exponent, Tensor):
            return OPERATORS["pow"](self, exponent)
        return OPERATORS["pow_scalar"](self, exponent=exponent)

    def __repr__(self) -> str:
        made = f", grad_fn={self.grad_fn!r}" if self.grad_fn is not None else ""
        return f"Tensor({self._data!r}{made})"


Tensor.result = Tensor


def new_versions() -> list[Any]:
    """A version counter for memory that was never changed and has no views."""
    return [0, None, None]


def wrap(data: Any, requires_grad: bool = False) -> Any:
    """Make a leaf that holds this array; a NumPy scalar becomes a 0-d array."""
    out = object.__new__(Tensor.result)
    out._data = data if type(data) is ndarray else as_array(data)
    out._requires_grad = requires_grad
    out._fn = out._grad = out._view = out._versions = None
    return out


def as_array(data: Any) -> Any:
    """Turn a NumPy scalar, which is immutable, into a 0-d array; return any array as it is."""
    return asarray(data) if isinstance(data, generic) else data

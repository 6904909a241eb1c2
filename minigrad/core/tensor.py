"""Tensor: an array that remembers where it came from.

A leaf is what no operator computed: a parameter, a constant. What an operator made of a tensor that
requires grad has a node, `grad_fn`, behind it, and the nodes lead back to the leaves. Backward adds
up a leaf's gradient in its `.grad`; a tensor in between keeps its own only after `retain_grad()`.
`_fn` says what made it: None for a leaf, a Node, or (Node, which of its outputs).
Imports rules. Next: seams.py.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from numpy import asarray, generic, ndarray

from .rules import OPERATORS


def method_of(name: str) -> Any:
    """The method that runs this row of the table."""

    def method(self: Any, *others: Any) -> Any:
        return OPERATORS[name](self, *others)

    return method


class Tensor:
    """The fields, and what concerns the graph. ../_tensors/tensor.py adds all other methods."""

    __slots__ = tuple("__dict__ __weakref__ _data _fn _grad _requires_grad _versions _view".split())

    _data: Any  # the array
    _requires_grad: bool
    _grad: Any  # a Tensor, or None
    _fn: Any  # what made it: None (a leaf), a Node, or (Node, which output)
    _versions: list[Any] | None  # None: never changed in place, and not asked for yet
    _view: Any  # None here: whose memory it looks at is known to ../_engine/views.py

    result: type[Tensor]  # the class of what operators give; ../_tensors/tensor.py makes it its own
    __hash__ = object.__hash__

    shape: Any = property(lambda self: self._data.shape)
    dtype: Any = property(lambda self: self._data.dtype)
    ndim: Any = property(lambda self: self._data.ndim)

    # -- its place in the graph --------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        """Do gradients flow to here?"""
        return self._requires_grad

    @property
    def grad(self) -> Any:
        """What backward has summed up here; None before."""
        return self._grad

    @property
    def grad_fn(self) -> Any:
        """The node of the operator that made it; None for a leaf."""
        return self._fn[0] if isinstance(self._fn, tuple) else self._fn

    @property
    def output_nr(self) -> int:
        """Which output of its grad_fn it is."""
        return self._fn[1] if isinstance(self._fn, tuple) else 0

    @property
    def is_leaf(self) -> bool:
        """True if no recorded operator made it."""
        return self.grad_fn is None

    def retain_grad(self) -> None:
        """Let this non-leaf keep its gradient too. Its node holds it weakly, since it holds the
        node: the engine puts there what comes by."""
        if self.grad_fn is not None:
            node = self.grad_fn
            node.retains = {**(node.retains or {}), self.output_nr: weakref.ref(self)}
            node.watched = True

    def detach(self) -> Any:
        """The same memory without history: a leaf that needs no gradient. It counts changes with
        the tensor it comes from."""
        out = wrap(self._data)
        out._versions = self.versions()
        return out

    def versions(self) -> list[Any]:
        """The version counter: a list that begins with how often this memory was changed in place.
        Tensors that share memory hold the same list; behind the count ../_engine/views.py keeps
        notes.

        What changes a tensor adds one: ../_tensors/inplace.py for `x += 1`, the engine where
        `.grad` grows. A node that saves a tensor notes the count, and compares it in backward.

        Most tensors are never changed, so the list is made when first asked for. Two may ask:
        the tensor itself, and its node, which saved it by its array (node.py, "what a node has
        saved"). The first to ask makes the list, and the other is given the same one.
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

    # -- Python's operators: `grad * other` in a slope, on Tensors, comes here and is recorded

    if not TYPE_CHECKING:  # which is shown those of ../_tensors/methods/
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
    """Never changed, nor looked at from elsewhere."""
    return [0, None, None]


def wrap(data: Any, requires_grad: bool = False) -> Any:
    """A leaf around an array; NumPy's immutable 0-d scalars become arrays again."""
    out = object.__new__(Tensor.result)
    out._data = data if type(data) is ndarray else as_array(data)
    out._requires_grad = requires_grad
    out._fn = out._grad = out._view = out._versions = None
    return out


def as_array(data: Any) -> Any:
    """NumPy's 0-d scalars made arrays again; any other kind of array as it is."""
    return asarray(data) if isinstance(data, generic) else data

"""What a tensor is made of, and who shares memory with whom.

A tensor is six fields. `_versions` is a list shared by every view of one memory and by `detach()`: PyTorch's
version counter, the line of the last in-place change, and weak references to the views. Most tensors are never
changed or shared, so the list is made when first asked for, by `versions()`. `_view` remembers how a view was
made; what follows from that stands in views.py.
Imports nothing of the library. Read next: graph.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any


class NoVersions(list[Any]):
    """The version list of tensors made under inference_mode: whoever wants to save one asks here, in vain."""

    def __getitem__(self, index: Any) -> Any:
        raise RuntimeError(
            "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
            "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use "
            "it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
        )


NO_VERSIONS = NoVersions([0])


def new_versions() -> list[Any]:
    """Never changed, nor viewed."""
    return [0, None, None]


class TensorBase:
    """The fields; tensor.py adds everything that a reader calls."""

    __slots__ = ("__dict__", "__weakref__", "_data", "_fn", "_grad", "_requires_grad", "_versions", "_view")

    _data: Any  # the array
    _requires_grad: bool
    _grad: TensorBase | None
    _fn: Any  # what made it: None (a leaf), a Node, or (Node, which output)
    _versions: list[Any] | None  # None: never changed in place, and nobody shares its memory
    _view: tuple[Any, ...] | None  # how a view was made: see views.register_view

    # rarely used, so kept in __dict__ when set
    _hooks: dict[int, Any] | None = None
    _post_hooks: dict[int, Any] | None = None
    _accumulator: Any = None
    _retained = False  # its gradient was retained when `detach_` made it a leaf
    _claims = False  # an inference tensor that was asked to require grad: it says so, and nothing is recorded on it
    _asked = False  # a view on which `requires_grad_()` was called
    _watched = False  # a leaf with hooks, or that may have ceased to be one: backward has to look

    __hash__ = object.__hash__

    @property
    def _inference(self) -> bool:
        """Was it made under inference_mode?"""
        return self._versions is NO_VERSIONS

    def versions(self) -> list[Any]:
        """The list of changes that everybody who shares this memory holds. Before it is there nothing can have
        changed; so whoever makes it tells the node that keeps this tensor as its result to watch it too."""
        if self._versions is None:
            kept = getattr(self._fn, "saved_result", None)
            if isinstance(kept, tuple) and kept[0] is self._data:
                self._versions = kept[1]
            else:
                self._versions = new_versions()
                if kept is self._data:
                    self._fn.saved_result = (self._data, self._versions, 0)
        return self._versions

    if TYPE_CHECKING:  # the methods that tensor.py adds

        def __getattr__(self, name: str) -> Any: ...

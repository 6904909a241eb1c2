"""What PyTorch knows of a tensor beside its place in the graph: who shares its memory, inference mode, hooks.

The core's list of versions is shared by every view of one memory and by `detach()`. Here it holds PyTorch's version
counter, the line of the last in-place change, and weak references to the views. `_view` remembers how a view was
made; what follows from that stands in views.py.
Imports core and switches. Read next: nodes.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.tensor import Tensor
from .switches import modes as modes


class NoVersions(list[Any]):
    """The version list of tensors made under inference_mode: to save one for backward is an error."""

    def __getitem__(self, index: Any) -> Any:
        raise RuntimeError(
            "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
            "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use "
            "it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
        )


NO_VERSIONS = NoVersions([0])


class TensorBase(Tensor):
    """The core's fields, and PyTorch's; _tensors/tensor.py adds everything that a reader calls."""

    __slots__ = ()

    _view: tuple[Any, ...] | None  # how a view was made: see views.register_view

    # rarely used, so kept in __dict__ when set
    _hooks: dict[int, Any] | None = None
    _post_hooks: dict[int, Any] | None = None
    _accumulator: Any = None
    _memory: Any = None  # the array that it looks at the beginning of, after `resize_`
    _retained = False  # its gradient was retained when `detach_` made it a leaf
    _claims = False  # an inference tensor that was asked to require grad: it says so, and nothing is recorded on it
    _asked = False  # a view on which `requires_grad_()` was called
    _watched = False  # a leaf with hooks, or that may have ceased to be one: backward has to look

    __hash__ = object.__hash__

    @property
    def _inference(self) -> bool:
        """Was it made under inference_mode?"""
        return self._versions is NO_VERSIONS

    if TYPE_CHECKING:  # the methods that _tensors/tensor.py adds

        def __getattr__(self, name: str) -> Any: ...

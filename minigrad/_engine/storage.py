"""PyTorch's facts about a tensor that are not its place in the graph: shared memory, inference mode, hooks.

All views of one memory, and `detach()`, share the core's version list. Here, that list holds PyTorch's version counter,
the line of the last in-place change, and weak references to the views. `_view` stores how a view was made; views.py
explains its effects.
Imports core and switches. Read next: nodes.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.tensor import Tensor
from .switches import modes as modes


class NoVersions(list[Any]):
    """The version list of tensors made under inference_mode; they can't be saved for backward."""

    def __getitem__(self, index: Any) -> Any:
        raise RuntimeError(
            "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
            "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use "
            "it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
        )


NO_VERSIONS = NoVersions([0])


class TensorBase(Tensor):
    """The core's fields and PyTorch's; _tensors/tensor.py adds all that users call."""

    __slots__ = ()

    _view: tuple[Any, ...] | None  # for a view, see views.register_view

    # rarely used, so stored in __dict__ when set
    _hooks: dict[int, Any] | None = None
    _post_hooks: dict[int, Any] | None = None
    _accumulator: Any = None
    _memory: Any = None  # the larger array at whose start this tensor's array lies, after `resize_`
    _retained = False  # its gradient was retained when `detach_` made it a leaf
    # an inference tensor on which `requires_grad_` was called: the flag is True, but nothing is recorded
    _claims = False
    _asked = False  # a view on which `requires_grad_()` was called
    _watched = False  # True for a leaf that has hooks, or that may no longer be a leaf: backward must check

    __hash__ = object.__hash__

    @property
    def _inference(self) -> bool:
        """Was it made under inference_mode?"""
        return self._versions is NO_VERSIONS

    if TYPE_CHECKING:  # the methods that _tensors/tensor.py adds

        def __getattr__(self, name: str) -> Any: ...

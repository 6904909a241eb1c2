"""Parameter: a leaf tensor that a module owns and that an optimizer may change.

Imports tensor. Read next: module.py, which collects them.
"""

from collections.abc import Iterable
from typing import Any

from .._messages.foreign import refuse
from .._tensors.copies import attributes
from .._tensors.creation import empty
from .._tensors.tensor import Tensor
from ..core.tensor import wrap


class Parameter(Tensor):
    """A Tensor that appears in a Module's `parameters()` once it is assigned to an attribute.

    It shares the memory of `data`, and requires grad by default. The results of operators on it are ordinary
    Tensors.

    >>> import minigrad as torch
    >>> torch.nn.Parameter(torch.ones(2))
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """

    __slots__ = ()
    called = "torch.nn.parameter"  # shown by `print(type(p))`

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        refuse("Parameter()", data)
        out = empty(0) if data is None else data.detach()
        if requires_grad and not out.is_floating_point():
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        out.requires_grad_(requires_grad)
        out.__class__ = cls
        return out

    def __deepcopy__(self, memo: dict[Any, Any]) -> Any:
        """A copy with its own memory and without the gradient, as in PyTorch (a plain tensor's copy keeps it)."""
        if id(self) not in memo:
            memo[id(self)] = type(self)(wrap(self._data.copy(order="K")), bool(self._requires_grad))
        return memo[id(self)]

    def __reduce_ex__(self, protocol: Any) -> Any:
        return restored, (self.data, bool(self._requires_grad), attributes(self))

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()


def restored(data: Any, requires_grad: bool, noted: dict[str, Any]) -> Parameter:
    """The unpickled parameter."""
    out = Parameter(data, requires_grad)
    for name, x in noted.items():
        setattr(out, name, x)
    return out


def forget(params: Iterable[Any], set_to_none: bool) -> None:
    """The code of `zero_grad`, for modules and optimizers: each `.grad` becomes None, or zeros."""
    for param in params:
        grad = param._grad
        if set_to_none or grad is None:
            param._grad = None
        else:
            if grad.grad_fn is not None:
                grad.detach_()
            grad.requires_grad_(False).zero_()

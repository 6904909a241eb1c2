"""Tensor: the class that a PyTorch user calls.

This file adds what concerns the graph (`grad`, `grad_fn`, `backward` …) to core/tensor.py, which explains the idea.
The operators are in methods/, one file a family, and use those of _call/operators.py.
Imports all of the above. Read next: autograd/__init__.py.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .._call.arguments import as_methods, no_tensor
from .._engine.backward import end_at_the_reader, send_back
from .._engine.hooks import Handle, Hooks, Registered
from .._engine.nodes import Node
from .._engine.storage import TensorBase
from .._engine.switches import modes, told, untraceable
from .._engine.views import ask, forget, made_by
from .._machine import dtypes
from .._machine.device import device as Device
from .._machine.device import move
from .._messages import names
from .._messages.foreign import CURE, type_name
from ..core.modes import switched
from ..core.tensor import Tensor as CoreTensor
from ..core.tensor import wrap
from . import printing
from .methods.aliases import Aliases
from .methods.arithmetic import Arithmetic
from .methods.attributes import Attributes
from .methods.attributes import Size as Size
from .methods.conversion import Conversion
from .methods.elementwise import Elementwise
from .methods.in_place import InPlace
from .methods.indexing import Indexing
from .methods.linalg import Linalg
from .methods.order import Order
from .methods.overwriting import Overwriting, underscored
from .methods.pieces import Pieces
from .methods.pointwise import Pointwise
from .methods.products import Products
from .methods.random import Random
from .methods.reduction import Reduction
from .methods.scattering import Scattering
from .methods.shape import Shape
from .methods.storages import Storages

NON_LEAF_GRAD = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
    "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, "
    "use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access the "
    "leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information."
)


class Rarer(Elementwise, Order, Pieces, Scattering, Products, Random, Overwriting, Storages, Aliases):
    """The families of methods that programs use less often."""

    __slots__ = ()


class Tensor(
    Pointwise,
    Arithmetic,
    InPlace,
    Reduction,
    Shape,
    Linalg,
    Indexing,
    Conversion,
    Attributes,
    Rarer,
    TensorBase,
    metaclass=names.Printed,
):
    """An array that remembers which operator made it. `minigrad.tensor`, `zeros`, `randn` … and operators create it.

    >>> import minigrad as torch
    >>> w = torch.tensor([2.0], requires_grad=True)
    >>> y = w * w
    >>> y
    tensor([4.], grad_fn=<MulBackward0>)
    >>> y.backward()
    >>> w.grad
    tensor([4.])
    """

    __slots__ = ()
    __array_priority__ = 1000  # so that `array * tensor` calls the tensor's operator

    def __new__(cls, *data: Any, size: Any = None, device: Any = None) -> Any:
        """PyTorch's old constructor: `Tensor([1, 2])` holds these numbers, `Tensor(2, 3)` has this size."""
        from .creation import old_constructor

        if device is not None and Device(device).type != "cpu":
            kind = Device(device).type
            raise RuntimeError(f"legacy constructor expects device type: cpu but device type: {kind} was passed")
        if len(data) == 1 and isinstance(data[0], TensorBase):
            return data[0].detach()  # of whatever type
        return old_constructor(dtypes.get_default_dtype(), *data, size=size)

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """PyTorch itself calls this when one of its functions is given a tensor of minigrad."""
        raise TypeError(f"{func.__name__}() of PyTorch itself got a Tensor of minigrad. {CURE}")

    def __repr__(self) -> str:
        cpu = self.device.type == "cpu"
        return printing.format_tensor(
            np.asarray(self._data if cpu else move(self._data, Device("cpu"))),
            requires_grad=self._requires_grad,
            grad_fn_name=None if self.grad_fn is None else type(self.grad_fn).__name__,
            device=None if cpu else str(self.device),
            default_dtype=repr(dtypes.get_default_dtype()),
        )

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if not self._data.ndim else object.__format__(self, spec)

    # -- its place in the graph -------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        """Does this tensor need a gradient?"""
        return bool(self._requires_grad) or self._claims

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise RuntimeError("requires_grad must be a bool")
        if value and self._data.dtype.kind != "f":
            raise RuntimeError("only Tensors of floating point and complex dtype can require gradients")
        if made_by(self) is not None and value:
            raise RuntimeError("you can only change requires_grad flags of leaf variables.")
        self.requires_grad_(value)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Switch on or off whether this leaf needs a gradient."""
        if requires_grad is not True and requires_grad is not False:
            raise no_tensor("requires_grad_", "requires_grad", 1, requires_grad, "bool")
        if made_by(self) is not None:
            if not requires_grad:
                raise RuntimeError(
                    "you can only change requires_grad flags of leaf variables. If you want to use a computed variable "
                    "in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
                )
            return self
        if requires_grad and self._data.dtype.kind != "f":
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        if requires_grad and self._inference and not modes.inference:
            raise RuntimeError("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.")
        if self._inference:
            self._claims = bool(requires_grad)
        else:
            ask(self, bool(requires_grad))
        return self

    @property
    def grad_fn(self) -> Node | None:
        """The node of the operator that made this tensor; None for a leaf."""
        fn = self._fn[0] if isinstance(self._fn, tuple) else self._fn
        return None if fn is None or fn.nowhere else fn

    @property
    def grad(self) -> Any:
        """The sum of the gradients from backward(); None before it. Only leaves have it, or after `retain_grad()`."""
        if self._grad is None and made_by(self) is not None and self._requires_grad and not self.retains_grad:
            warnings.warn(NON_LEAF_GRAD, UserWarning, stacklevel=2)
        return self._grad

    @grad.setter
    def grad(self, value: Any) -> None:
        if value is None:
            self._grad = None
            return
        if not isinstance(value, TensorBase):
            raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {type_name(value)}")
        if value is self:
            raise RuntimeError("can't assign Variable as its own grad")
        if value._data.dtype != self._data.dtype:
            raise RuntimeError(
                f"attempting to assign a gradient with dtype '{dtypes.from_numpy(value._data.dtype).legacy.lower()}' "
                f"to a tensor with grad_dtype '{self.dtype.legacy}'. The gradient must match the tensor's grad_dtype "
                "(defaults to the tensor's dtype). You can set the tensor's grad_dtype attribute with a specific "
                "dtype, or None to allow any dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and "
                "its gradient may break downstream systems that assume they match."
            )
        if value._data.shape != self._data.shape:
            raise RuntimeError(
                f"attempting to assign a gradient of size '{list(value._data.shape)}' to a tensor of size "
                f"'{list(self._data.shape)}'. Please ensure that the gradient and the tensor are the same size"
            )
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    def backward(
        self, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False, inputs: Any = None
    ) -> None:
        """Send gradients from here back to the leaves, where they add up in `.grad`.

        `gradient` has this tensor's size and may be left out for one element. See `autograd.backward`.
        """
        try:
            send_back(self, gradient, retain_graph, create_graph, inputs)
        except BaseException as error:
            end_at_the_reader(error, self)
            raise

    def retain_grad(self) -> None:
        """Let this non-leaf keep its gradient in `.grad` too."""
        if not self._requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if switched:
            untraceable("registers a hook")
        if made_by(self) is not None and not self.retains_grad:  # False also for a view whose history is invalid
            super().retain_grad()

    @property
    def retains_grad(self) -> bool:
        """True for a non-leaf on which `retain_grad()` was called, and also after `detach_()`."""
        if self._retained:
            return True
        made = made_by(self)
        node, output = made if isinstance(made, tuple) else (made, 0)
        ref = (node.retains or {}).get(output) if node is not None else None
        return ref is not None and ref() is self

    def register_hook(self, hook: Callable[[Any], Any]) -> Handle:
        """Call `hook(grad)` when the gradient of this tensor is complete; a returned value replaces the gradient."""
        if not self._requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        node = self.grad_fn
        if node is None:
            self._watched = True
            return Handle.into(self, "_hooks", hook, Registered.callbacks, Registered.counted)
        node.watched = True
        if node.tensor_hooks is None:
            node.tensor_hooks = {}
        return Handle(node.tensor_hooks.setdefault(self.output_nr, Hooks(Registered.callbacks)), hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Any], None]) -> Handle:
        """Call `hook(leaf)` each time a gradient has been added to this leaf's `.grad`."""
        if self.grad_fn is not None:
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        if not self._requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        self._watched = True
        return Handle.into(self, "_post_hooks", hook, Registered.callbacks, Registered.counted)

    def detach(self) -> Tensor:
        """A leaf on the same memory that requires no gradient. It shares the version counter with this tensor."""
        out = CoreTensor.detach(self)
        return told("detach", (self,), out) if switched else out

    def detach_(self) -> Tensor:
        """Remove this tensor's own history. Under inference_mode no tensor has one, and nothing is removed."""
        if modes.inference:
            return self
        if self._view is not None:
            raise RuntimeError(
                "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for "
                "training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence "
                "detach_() cannot be called on these gradients. To fix this error, please refer to the "
                "Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."
            )
        kept = self.retains_grad
        forget(self)
        self._retained = self._retained or kept
        return self

    @property
    def data(self) -> Tensor:
        """The same memory without history. Changes to it are *not counted*, so autograd does not detect them."""
        out = wrap(self._data)
        if self._inference:
            out._versions = self._versions
        return told("data", (self,), out) if switched else out

    @data.setter
    def data(self, value: Any) -> None:
        if not isinstance(value, TensorBase):
            raise TypeError(f"Variable data has to be a tensor, but got {type_name(value)}")
        self._data = value._data

    @property
    def _version(self) -> int:
        if self._inference:
            raise RuntimeError("Inference tensors do not track version counter.")
        return self.versions()[0]

    @property
    def _base(self) -> Any:
        return None if self._view is None else self._view[0]

    def _is_view(self) -> bool:
        return self._view is not None

    def is_inference(self) -> bool:
        """Was this tensor made under `inference_mode`?"""
        return self._inference

    def __dir__(self) -> list[str]:
        return sorted(name for name in object.__dir__(self) if not isinstance(vars(Tensor).get(name), names.Absent))

    # -- others like it ----------------------------------------------------------------------------

    @names.explains_keywords
    def new_tensor(self, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Any:
        """A new leaf from data, with this tensor's type unless `dtype` is given."""
        from .creation import tensor

        kind, where = self.dtype if dtype is None else dtype, self.device if device is None else device
        return tensor(data, dtype=kind, device=where, requires_grad=requires_grad)

    @names.explains_keywords
    def new(self, *data: Any) -> Any:
        """The older constructor of this tensor's type: `x.new(2, 3)` has that size, `x.new([1, 2])` these numbers."""
        from .creation import old_constructor

        return old_constructor(self.dtype, *data)

    @names.explains_keywords
    def new_empty(self, *size: Any, **kind: Any) -> Any:
        """Zeros of this tensor's type unless `dtype` is given; PyTorch leaves the memory as it was."""
        return self.new_zeros(*size, **kind)

    @names.explains_keywords
    def new_full(self, size: Any, fill_value: Any, **kind: Any) -> Any:
        """One number everywhere, of this tensor's type unless `dtype` is given."""
        from .creation import full

        return full(size, fill_value, **{"dtype": self.dtype, "device": self.device, **kind})

    @names.explains_keywords
    def new_zeros(self, *size: Any, **kind: Any) -> Any:
        """Zeros of this tensor's type unless `dtype` is given."""
        from .creation import zeros

        return zeros(*size, **{"dtype": self.dtype, "device": self.device, **kind})

    @names.explains_keywords
    def new_ones(self, *size: Any, **kind: Any) -> Any:
        """Ones of this tensor's type unless `dtype` is given."""
        from .creation import ones

        return ones(*size, **{"dtype": self.dtype, "device": self.device, **kind})


underscored(Tensor)
for _family in Tensor.__mro__[1:-1]:
    as_methods(_family)
names.mark_absent(Tensor)
CoreTensor.result = Tensor

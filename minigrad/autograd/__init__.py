"""Autograd's public functions: `backward`, `grad`, modes, `Function`, and the old name `Variable`."""
# `as` makes each imported name public for editors and mypy, too

import warnings as _warnings
from typing import Any

from .._engine.backward import backward as backward
from .._engine.backward import grad as grad
from .._engine.storage import TensorBase as _TensorBase
from .._messages.foreign import type_name as _type_name
from .._messages.names import missing as _missing
from .._tensors.tensor import Tensor as _Tensor
from . import functional as functional
from . import graph as graph
from .function import Function as Function
from .grad_mode import detect_anomaly as detect_anomaly
from .grad_mode import enable_grad as enable_grad
from .grad_mode import inference_mode as inference_mode
from .grad_mode import is_grad_enabled as is_grad_enabled
from .grad_mode import no_grad as no_grad
from .grad_mode import saved_tensors_hooks as saved_tensors_hooks
from .grad_mode import set_detect_anomaly as set_detect_anomaly
from .grad_mode import set_grad_enabled as set_grad_enabled
from .gradcheck import GradcheckError as GradcheckError
from .gradcheck import gradcheck as gradcheck
from .gradcheck import gradgradcheck as gradgradcheck


class _VariableMeta(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _Tensor)


class Variable(metaclass=_VariableMeta):
    """The old name of Tensor: `Variable(t, requires_grad=True)` returns a tensor that shares t's memory."""

    def __new__(cls, data: Any, requires_grad: bool = False, volatile: bool = False) -> Any:
        if volatile:
            said = "volatile was removed and now has no effect. Use `with torch.no_grad():` instead."
            _warnings.warn(said, stacklevel=2)
            if requires_grad:
                raise ValueError("Variable can't be volatile and require_grad at the same time!")
        if not isinstance(data, _TensorBase):
            raise TypeError(f"Variable data has to be a tensor, but got {_type_name(data)}")
        return data.detach().requires_grad_(requires_grad)


__getattr__ = _missing(__name__)

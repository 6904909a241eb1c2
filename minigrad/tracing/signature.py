"""What decides which trace fits a call: shapes and types of tensors, whatever else is given, the modes of modules.

Arguments and results may be nested tuples, lists and dicts. Imports nn.module. Read next: call.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..nn.module import Module
from ..storage import TensorBase
from .ghost import parts


def tensors_in(value: Any) -> list[Any]:
    """The tensors in nested tuples, lists and dicts, in order."""
    return [each for each in parts(value) if isinstance(each, TensorBase)]


def rebuilt(value: Any, change: Callable[[Any], Any]) -> Any:
    """The same nest, with other tensors."""
    if isinstance(value, TensorBase):
        return change(value)
    if isinstance(value, dict):
        return type(value)((key, rebuilt(each, change)) for key, each in value.items())
    if isinstance(value, tuple | list):
        made = [rebuilt(each, change) for each in value]
        return type(value)._make(made) if hasattr(value, "_make") else type(value)(made)
    return value


def described(value: Any) -> Any:
    """What of an argument decides which trace fits. TypeError for what can't be compared later."""
    if isinstance(value, TensorBase):
        data = value._data
        return data.shape, data.dtype, bool(value._requires_grad), value.__class__, data.__class__
    if isinstance(value, tuple | list):
        return value.__class__, tuple([described(each) for each in value])
    if isinstance(value, dict):
        return value.__class__, tuple([(key, described(each)) for key, each in value.items()])
    try:
        hash(value)
    except TypeError:
        raise TypeError(f"an argument is of type {type(value).__name__}, which Python cannot hash") from None
    return value.__class__, value


def modules_of(function: Any) -> list[Module]:
    """The modules that a function uses by name: itself, whose method it is, those of its closure and its globals."""
    if isinstance(function, Module):
        return [function]
    found = [getattr(function, "__self__", None)]
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    if code is not None:
        for cell in function.__closure__ or ():
            try:
                found.append(cell.cell_contents)
            except ValueError:  # a name that has no value yet
                continue
        found += [function.__globals__.get(name) for name in code.co_names]
    return [each for each in dict.fromkeys(x for x in found if isinstance(x, Module))]


def state_of(module: Module) -> tuple[Any, ...]:
    """What of a module is no tensor's number: its mode, and which tensors and modules it holds."""
    held = [id(t) for t in (*module._parameters.values(), *module._buffers.values())]
    inside = [state_of(each) for each in module._modules.values() if each is not None]
    return id(module), module.training, *held, *inside


# -- in words ---------------------------------------------------------------------------------------


def said(part: Any) -> str:
    """A part of a signature, in words."""
    if len(part) == 5:
        shape, dtype, asks, *_ = part
        return f"{dtype}{list(shape)}" + (" requires_grad" if asks else "")
    kind, value = part
    if kind in (tuple, list):
        return "[" + ", ".join(map(said, value)) + "]"
    return repr(value)


def name_of(function: Any) -> str:
    return getattr(function, "__name__", type(function).__name__)


def names_of(function: Any) -> list[str]:
    """The names of a function's arguments, for the picture."""
    function = getattr(function, "forward", function)
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    names = list(code.co_varnames[: code.co_argcount]) if code is not None else []
    return names[1:] if names[:1] == ["self"] else names

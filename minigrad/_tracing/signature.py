"""The signature, which decides which trace fits a call: the keys of its arguments, and the state of modules.

Arguments and results may be nested tuples, lists and dicts. Imports nn.module and keys. Read next: call.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._engine.storage import TensorBase
from ..nn.module import Module
from .keys import BITS, unpack


def tensors_in(value: Any) -> list[Any]:
    """The tensors in nested tuples, lists and dicts, in order."""
    if isinstance(value, TensorBase):
        return [value]
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, tuple | list):
        return []
    return [tensor for each in value for tensor in tensors_in(each)]


def rebuilt(value: Any, change: Callable[[Any], Any]) -> Any:
    """The same nest with each tensor replaced by `change` of it."""
    if isinstance(value, TensorBase):
        return change(value)
    if isinstance(value, dict):
        return type(value)((key, rebuilt(each, change)) for key, each in value.items())
    if isinstance(value, tuple | list):
        made = [rebuilt(each, change) for each in value]
        return type(value)._make(made) if hasattr(value, "_make") else type(value)(made)
    return value


def modules_of(function: Any) -> list[Module]:
    """The modules that a function uses by name: itself, the owner of the method, those in its closure and globals."""
    if isinstance(function, Module):
        return [function]
    found = [getattr(function, "__self__", None)]
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    if code is not None:
        for cell in function.__closure__ or ():
            try:
                found.append(cell.cell_contents)
            except ValueError:  # a name without a value yet
                continue
        found += [function.__globals__.get(name) for name in code.co_names]
    return [each for each in dict.fromkeys(x for x in found if isinstance(x, Module))]


def state_of(module: Module) -> tuple[Any, ...]:
    """A module's state without its numbers: its mode, and the identities of its tensors and modules."""
    held = [id(t) for t in (*module._parameters.values(), *module._buffers.values())]
    inside = [state_of(each) for each in module._modules.values() if each is not None]
    return id(module), module.training, *held, *inside


# -- descriptions -----------------------------------------------------------------------------------


def said(part: Any) -> str:
    """The description of a part of a signature."""
    if len(part) >= 5:
        shape, dtype, asks, *_ = part
        return f"{dtype}{list(shape)}" + (" requires_grad" if asks else "")
    kind, value = part[0], part[-1]
    if kind is float:
        return repr(unpack(value)[0])
    if kind is complex:
        return repr(complex(*BITS[complex].unpack(value)))
    if issubclass(kind, dict) and len(part) == 2:
        return "{" + ", ".join(f"{said(key)}: {said(each)}" for key, each in value) + "}"
    if issubclass(kind, tuple | list) and len(part) == 2:
        return "[" + ", ".join(map(said, value)) + "]"
    return repr(value)


def name_of(function: Any) -> str:
    return getattr(function, "__name__", type(function).__name__)


def names_of(function: Any) -> list[str]:
    """The names of a function's arguments, for drawings."""
    function = getattr(function, "forward", function)
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    names = list(code.co_varnames[: code.co_argcount]) if code is not None else []
    return names[1:] if names[:1] == ["self"] else names

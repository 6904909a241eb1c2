"""A whole module in a file of `save`: the name of its class, and its attributes as data.

PyTorch pickles modules, and a pickle can run any code. Here a file can only name a class of modules that the program
has already defined. The object is created without calling the class, and gets the attributes in the file: numbers,
strings, tensors, other modules, lists and dicts of these; minigrad's own functions and distributions; and `apply` of
a Function that the program defines.
Imports nn and distributions, and is imported when `save` or `load` meets a module. Read next: __init__.py.
"""

from __future__ import annotations

import sys
from types import FunctionType, MethodType
from typing import Any

from ..autograd.function import Function
from ..distributions.distribution import Distribution
from ..nn.module import Module

OURS = __name__.partition(".")[0]
APPLY = vars(Function)["apply"].__func__


def described(thing: Any, place: str, encode: Any) -> dict[str, Any] | None:
    """The description of a module, a distribution, a function of ours, or an `apply`; None for any other object."""
    if isinstance(thing, FunctionType):
        if not is_ours(thing.__module__):
            return None
        public = [[place, thing.__name__] for place in (OURS, f"{OURS}.linalg")]  # these names do not change
        for name in (*public, [thing.__module__, thing.__qualname__]):
            if found(name) is thing:
                return {"kind": "function", "name": name}
        return None
    if isinstance(thing, MethodType) and thing.__func__ is APPLY:
        return {"kind": "apply", "class": name_of(thing.__self__, place)}
    if not isinstance(thing, Module) and not (isinstance(thing, Distribution) and is_ours(type(thing).__module__)):
        return None
    name = name_of(type(thing), place)
    return {"kind": "object", "class": name, "attributes": encode(without_hooks(vars(thing)), f"vars({place})")}


def name_of(kind: Any, place: str) -> list[str]:
    """The [module, qualified name] by which a program that loads the file will find the class."""
    name = [kind.__module__, kind.__qualname__]
    if found(name) is not kind:
        raise AttributeError(  # PyTorch's first words, although nothing is pickled here
            f"Can't pickle local object {name[1]!r}. {place} is of a class that can't be found again by its name: it "
            "was defined inside a function, or defined again since. Save the module's state_dict()."
        )
    return name


def without_hooks(attributes: dict[str, Any]) -> dict[str, Any]:
    """The attributes without hooks: hooks are functions, and a module is saved without them, as a tensor is."""
    hooks = Module._no_hooks()
    return {name: x for name, x in attributes.items() if name not in hooks}


def made(said: dict[str, Any]) -> Any:
    """A new object of the described class, still without attributes; or the described function or `apply`."""
    name = said["name" if said["kind"] == "function" else "class"]
    thing = found(name)
    if said["kind"] == "function":
        thing = thing or found([OURS, name[1]])  # an older file may name a module of ours that has moved since
        if not is_ours(name[0]) or not isinstance(thing, FunctionType) or not is_ours(thing.__module__):
            raise ValueError(f"{name} is no function of minigrad's")
        return thing
    if thing is None:
        there = sys.modules.get(name[0], f"module {name[0]!r}")
        raise AttributeError(
            f"Can't get attribute {name[1]!r} on {there}. The file holds an object of that class: define or import the "
            "class first. minigrad imports nothing that a file names."
        )
    apply = said["kind"] == "apply"
    if not isinstance(thing, type) or not issubclass(thing, Function if apply else Module | Distribution):
        raise ValueError(f"{name} is no class of {'functions' if apply else 'modules'}")
    return MethodType(APPLY, thing) if apply else object.__new__(thing)


def fill(thing: Any, attributes: Any) -> None:
    """Set the object's attributes."""
    if type(attributes) is not dict or not all(type(name) is str for name in attributes):
        raise ValueError("attributes are a dict with names")
    if isinstance(thing, Module):
        Module.__setstate__(thing, without_hooks(attributes))
    else:
        vars(thing).update(attributes)


def is_ours(module: Any) -> bool:
    return isinstance(module, str) and module.partition(".")[0] == OURS  # a function made by `eval` may have None


def found(name: Any) -> Any:
    """The object with this [module, qualified name] in the modules already imported; None if there is none."""
    module, path = name
    thing: Any = sys.modules.get(module)
    for part in path.split("."):
        thing = vars(thing).get(part) if thing is not None and hasattr(thing, "__dict__") else None
    return thing

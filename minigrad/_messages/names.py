"""Hints for a missing name (PyTorch has it, or a similar name exists), and the printed names of types.

Scripts in tests/goldens recorded the lists: names.txt has PyTorch's public names (record_names.py), submodules.txt its
modules whose parents exist in minigrad (record_submodules.py), keywords.txt the keywords of its functions and methods
that minigrad does not take (record_keywords.py), tensorflows.txt the names of TensorFlow 1.
Imports nothing else of minigrad. Read next: _as_torch/submodules.py, the same for modules; README.md, "What is not
here".
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, NoReturn

ABSENT = ". PyTorch has {}.{}, minigrad does not: see 'What is not here' in its README"
ABSENT_STATIC = ". TensorFlow 1 has {}.{}, minigrad.static does not: see 'What is not here' in its README"
PRIVATE = {"minigrad.nn.attention"}  # PyTorch's public module of that name is another one


@functools.cache
def pytorchs() -> dict[str, frozenset[str]]:
    """PyTorch's public names, by module: "torch.nn", and "torch.Tensor" too."""
    return _read("names.txt")


@functools.cache
def submodules() -> dict[str, frozenset[str]]:
    """PyTorch's modules, also private ones, by their parent module."""
    return _read("submodules.txt")


@functools.cache
def keywords() -> dict[str, frozenset[str]]:
    """The keywords that PyTorch takes and minigrad does not, by the name of the function or method."""
    return _read("keywords.txt")


@functools.cache
def tensorflows() -> dict[str, frozenset[str]]:
    """TensorFlow 1's public names, by module: "tf.nn"."""
    return _read("tensorflows.txt")


def _read(file: str) -> dict[str, frozenset[str]]:
    with open(os.path.join(os.path.dirname(__file__), file), encoding="ascii") as names:  # pathlib: 4 ms at import
        lines = names.read().splitlines()
    return {place: frozenset(names.split()) for place, _, names in (line.partition(":") for line in lines)}


def hint(place: str, name: str, ours: Iterable[str]) -> str:
    """The hint for `name`, which is not among `ours` in `place` (PyTorch's name of the module); "" if there is none.

    >>> hint("torch", "fft", [])
    ". PyTorch has torch.fft, minigrad does not: see 'What is not here' in its README"
    >>> hint("torch", "zeroes", ["zeros", "ones"])
    ". Did you mean: 'zeros'?"
    """
    from difflib import get_close_matches

    static = place.partition(".")[0] == "tf"
    theirs = (tensorflows() if static else pytorchs()).get(place, frozenset()) | submodules().get(place, frozenset())
    absent = ABSENT_STATIC if static else ABSENT
    if name in theirs:
        return absent.format(place, name)
    if nearest := get_close_matches(name, {each for each in ours if not each.startswith("_")}, 3, 0.6):
        # for `Dataloader`, suggest DataLoader before the module dataloader
        nearest.sort(key=lambda near: near[0] != name[0])
        return f". Did you mean: '{nearest[0]}'?"
    for near in get_close_matches(name, theirs, 1, 0.8):
        return absent.format(place, near)
    return ""


def missing(module: str, lazy: Mapping[str, str] | None = None, place: str | None = None) -> Callable[[str], Any]:
    """The `__getattr__` of a module: an AttributeError for `module.name`, an ImportError for `from module import name`.

    `lazy`: names that are imported at their first use, and the module of each.

    `place`: the module's name in PyTorch or TensorFlow, if it is not "torch" and the part after "minigrad".

    >>> import minigrad as torch
    >>> torch.optim.SDG
    Traceback (most recent call last):
        ...
    AttributeError: module 'minigrad.optim' has no attribute 'SDG'. Did you mean: 'SGD'?
    """

    def __getattr__(name: str) -> Any:
        if lazy and name in lazy:
            found = import_module(lazy[name])
            return found if lazy[name].endswith(f".{name}") else getattr(found, name)
        if name.startswith("_"):  # Python itself tries such names, so no hint is needed
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        here = sys.modules[module]
        said = hint(place or "torch" + module.removeprefix("minigrad"), name, dir(here))
        if _is_imported_from(sys._getframe(1), f"{module}.{name}" in PRIVATE):
            raise ImportError(f"cannot import name {name!r} from {module!r}{said}", name=module, path=here.__file__)
        raise _unhinted(f"module {module!r} has no attribute {name!r}{said}", name)

    return __getattr__


def refused_keyword(error: BaseException, who: str = "") -> TypeError | None:
    """The error for a keyword that only PyTorch takes, made from Python's own error; None for any other error.

    who: the function that the program called, if that is not the function that raised.
    """
    if type(error) is TypeError and "() got an unexpected keyword argument '" in (said := str(error)):
        called, _, rest = said.partition("() got")
        functions = {called.rpartition(".")[2], who}
        if any(rest.split("'")[1] in keywords().get(name, ()) for name in functions):
            end = ". PyTorch takes it, minigrad does not: see 'What is not here' in its README"
            return TypeError(said.partition(". Did you mean")[0] + end)
    return None


def refuse_given(who: str, **given: Any) -> None:
    """Raise TypeError for a keyword of PyTorch's that is given and has no meaning in minigrad."""
    for name, value in given.items():
        if value is not None:
            end = "PyTorch takes it, minigrad does not: see 'What is not here' in its README"
            raise TypeError(f"{who}() got the keyword argument '{name}'. {end}")


def explains_keywords(function: Any) -> Any:
    """A decorator for functions outside the hot path: an error for an unknown keyword says if PyTorch takes it."""

    @functools.wraps(function)
    def explaining(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            if better := refused_keyword(error, function.__name__):
                try:
                    raise better from None
                finally:
                    del better  # the error holds this frame: with the name it would be a cycle
            raise

    return explaining


def hide_private() -> None:
    """Remove private modules that have the name of a public one of PyTorch's, such as `nn.attention`, from their
    package: Python makes each imported module an attribute of its package."""
    for name in PRIVATE:
        place, _, child = name.rpartition(".")
        if place in sys.modules:
            vars(sys.modules[place]).pop(child, None)


def _is_imported_from(frame: Any, private: bool) -> bool:
    """True if this frame runs `from … import …`, which turns an AttributeError into an ImportError without our text.

    private: the name is also a private module, which Python would import after it has looked for the name.
    """
    from opcode import opmap

    if private and frame.f_code.co_name == "_handle_fromlist":
        return True
    return frame.f_lasti >= 0 and frame.f_code.co_code[frame.f_lasti] == opmap["IMPORT_FROM"]


def _unhinted(text: str, name: str) -> AttributeError:
    """An error to which Python can't add a suggestion of its own, because it doesn't know the object."""
    return AttributeError(text, name=name, obj=None)


class Printed(type):
    """A metaclass: its classes print as PyTorch's do, so `print(type(x))` gives PyTorch's text.

    Their `__module__` is not changed, because pickle, inspect and doctest use it.

    >>> import minigrad as torch
    >>> print(type(torch.ones(1)), torch.Tensor.__module__)
    <class 'torch.Tensor'> minigrad._tensors.tensor
    """

    called = "torch"  # the module in the printed name

    def __repr__(cls) -> str:
        if cls.__module__.startswith("minigrad."):
            return f"<class '{cls.called}.{cls.__name__}'>"
        return super().__repr__()  # a user's subclass

    def _repr_pretty_(cls, printer: Any, cycle: bool) -> None:  # a notebook prints the name without `<class …>`
        printer.text(repr(cls)[8:-2])


class Absent:
    """A placeholder for a method of PyTorch's class that minigrad lacks; reading it raises the error.

    A `__getattr__` could raise the same error, but would make every attribute of a tensor take three times as long.
    """

    __slots__ = ("name", "place")

    def __init__(self, name: str, place: str = "torch.Tensor"):
        self.name, self.place = name, place

    def __get__(self, tensor: Any, kind: type) -> NoReturn:
        whose = f"type object {kind.__name__!r}" if tensor is None else f"{kind.__name__!r} object"
        said = ABSENT.format(self.place, self.name)
        raise _unhinted(f"{whose} has no attribute {self.name!r}{said}", self.name)


class InPlaceOfAModule:
    """A public function, `jit`, whose name is a module in PyTorch: its missing names, `torch.jit.trace`, are explained.

    It is called, documented and pickled as the function is.
    """

    def __init__(self, function: Any, made: str):
        functools.update_wrapper(self, function)
        self.made = made  # what the function does, and how it is called

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__wrapped__(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:  # so that `inspect` and `help` know a routine
        return self if instance is None else functools.partial(self, instance)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        called: str = self.__name__
        said = f"In PyTorch, torch.{called} is a module; here, {called} is a function, which {self.made}"
        raise _unhinted(f"function 'minigrad.{called}' has no attribute {name!r}. {said}", name)

    def __reduce__(self) -> str:
        return self.__name__

    def __repr__(self) -> str:
        return f"<function minigrad.{self.__name__}>"


METHODS = {  # methods of PyTorch's other classes that minigrad lacks; tests/test_names.py compares them with PyTorch
    "torch.nn.Module": frozenset("bfloat16 compile ipu mtia set_submodule share_memory to_empty xpu".split()),
    "torch.distributions.Distribution": frozenset(
        "cdf enumerate_support expand icdf log_prob sample_n set_default_validate_args".split()
    ),
    "torch.optim.Optimizer": frozenset(
        f"register_{what}_dict_{when}_hook" for what in ("state", "load_state") for when in ("pre", "post")
    ),
}


def lacks(place: str, name: str) -> str:
    """The hint for a method of PyTorch's class `place` that minigrad lacks; "" for any other name."""
    return ABSENT.format(place, name) if name in METHODS[place] else ""


def mark_absent(kind: Any, place: str = "torch.Tensor") -> None:
    """Put an `Absent` for each method of PyTorch's class that `kind` lacks.

    >>> import minigrad as torch
    >>> torch.ones(1).to_sparse
    Traceback (most recent call last):
        ...
    AttributeError: 'Tensor' object has no attribute 'to_sparse'. PyTorch has torch.Tensor.to_sparse, minigrad does not: see 'What is not here' in its README
    >>> hasattr(torch.Tensor, "to_sparse")
    False
    """  # noqa: E501
    theirs = METHODS.get(place) or pytorchs()[place]
    for name in theirs.difference(dir(kind)):
        setattr(kind, name, Absent(name, place))

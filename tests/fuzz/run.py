"""Run a program in a library, and tell all that can be seen of it.

After a statement (in every second program only after the last: looking can itself change what happens next) each
variable is looked at: value, size, type, strides, flags, grad_fn, version, `.grad` and whose object that is. What the
program prints, the warnings and the error of each statement are told at once. A sight is (what must be equal, arrays
that must be close).
Read next: differences.py.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import re
import warnings
from collections.abc import Iterator
from types import CodeType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from .helpers import HELPERS

LARGE = 1e4  # a program that comes to such numbers ends: from there on, rounding decides
VARIABLE = re.compile(r"[vgm]\d+")
PRINTED = re.compile(r"(?<![\w.])\d+\.\d*(?:e[-+]\d+)?")
WITHOUT_CPP = re.compile(r" \(Triggered internally at .*", re.DOTALL)


class Sight(NamedTuple):
    """What one statement led to: the parts that must be equal, and the arrays that must be close."""

    exact: dict[str, Any]
    arrays: dict[str, np.ndarray[Any, Any]]


@functools.lru_cache(4096)
def compiled(line: str) -> CodeType:
    return compile(line, "<program>", "exec")


class World:
    """One library with one program's variables."""

    helpers: dict[str, dict[str, Any]] = {}

    def __init__(self, library: ModuleType):
        self.library = library
        if library.__name__ not in self.helpers:
            self.helpers[library.__name__] = space = {"torch": library}
            for text in HELPERS.values():
                exec(text, space)
        space = self.helpers[library.__name__]
        space["print"] = self.print
        self.space = {**space, "copy": copy}
        self.grads: list[Any] = []  # every `.grad` object seen, kept so that its id stays its own
        self.versions: dict[int, Any] = {}  # of each tensor, when it was first seen
        self.printed: list[Any] = []
        self.warned: list[warnings.WarningMessage] = []
        self.arrays: dict[str, np.ndarray[Any, Any]] = {}
        self.tensor = library.Tensor

    def print(self, *things: Any) -> None:
        """The program's own `print`: keeps what can be seen of each thing."""
        self.printed.append((self.library.is_grad_enabled(), *map(self.told, things)))

    def told(self, thing: Any) -> Any:
        if isinstance(thing, self.tensor):
            return self.tensor_seen(f"printed {len(self.arrays)}", thing, brief=True)
        if isinstance(thing, tuple | list):
            return type(thing).__name__, *map(self.told, thing)
        if isinstance(thing, str) and thing.startswith("tensor("):
            return self.text(thing)
        if isinstance(thing, float):
            self.arrays[f"printed {len(self.arrays)}"] = np.array(thing)
            return "float"
        return str(thing)

    def text(self, printed: str) -> str:
        """A printed tensor: its numbers join the arrays, since rounding may move the last digit that is shown; how wide
        each is, its sign and all else must be equal."""
        numbers = PRINTED.findall(printed)
        self.arrays[f"printed {len(self.arrays)}"] = np.array([float(each) for each in numbers])
        return PRINTED.sub(lambda number: re.sub(r"\d", "0", number[0]), printed)

    def run(self, line: str) -> tuple[str, str] | None:
        """One statement; the error that came, in a line, if one did."""
        try:
            exec(compiled(line), self.space)
        except Exception as error:
            return said(error)
        return None

    def sight(self, error: Any, look: bool) -> Sight:
        """Everything there is to see now."""
        warned = [(w.category.__name__, WITHOUT_CPP.sub("", str(w.message)).partition("\n")[0]) for w in self.warned]
        exact = {"error": error, "warnings": warned, "printed": self.printed}
        self.printed = []
        if look:
            exact["grad mode"] = self.library.is_grad_enabled()
            for name, thing in list(self.space.items()):
                if VARIABLE.fullmatch(name):
                    exact[name] = self.seen(name, thing)
        self.warned.clear()
        arrays, self.arrays = self.arrays, {}
        return Sight(exact, arrays)

    def seen(self, name: str, thing: Any) -> Any:
        if isinstance(thing, self.tensor):
            return self.tensor_seen(name, thing)
        if name[0] == "m":
            named = [*thing.named_parameters(), *thing.named_buffers()]
            return [(n, self.tensor_seen(f"{name}.{n}", x)) for n, x in named]
        return type(thing).__name__

    def tensor_seen(self, name: str, x: Any, brief: bool = False) -> dict[str, Any]:
        """The flags of a tensor; its numbers join the arrays."""
        try:
            node = x.grad_fn
            seen = {"size": tuple(x.shape), "dtype": str(x.dtype), "requires_grad": x.requires_grad}
            if brief:
                seen["grad_fn"] = node is not None
            else:
                by_create_graph = name[0] == "g"  # the nodes of gradients need not be called as PyTorch calls them
                seen |= {
                    "is_leaf": x.is_leaf,
                    "grad_fn": node is not None if by_create_graph or node is None else node.name(),
                    "output_nr": x.output_nr,
                    "retains_grad": x.retains_grad,
                    "type": type(x).__name__,
                }
                seen["changes"] = self.changes(x)
                if not by_create_graph:  # nor are they laid out alike
                    seen["stride"] = strides(x)
                if x.is_leaf or x.retains_grad:
                    seen["grad"] = self.grad_seen(name, x.grad)
            with self.library.no_grad():
                self.arrays[name] = x.detach().numpy().copy()
        except Exception as error:
            return {"looking": said(error)}
        return seen

    def changes(self, x: Any) -> Any:
        """How often it was changed since it was first seen: PyTorch's own operators count some of their inner steps."""
        if x.is_inference():
            return "inference"
        first = self.versions.setdefault(id(x), (x._version, x))[0]
        return x._version - first

    def grad_seen(self, name: str, grad: Any) -> Any:
        if grad is None:
            return None
        same = [i for i, other in enumerate(self.grads) if other is grad]
        if not same:
            same = [len(self.grads)]
            self.grads.append(grad)
        self.arrays[name + ".grad"] = grad.detach().numpy().copy()
        return {
            "object": same[0],
            "size": tuple(grad.shape),
            "dtype": str(grad.dtype),
            "requires_grad": grad.requires_grad,
            "is_leaf": grad.is_leaf,
        }


def strides(x: Any) -> tuple[Any, ...]:
    """How memory is walked, where it is walked at all: an axis of size one has any stride."""
    if not x.numel():
        return ()
    return tuple(s for n, s in zip(x.shape, x.stride(), strict=True) if n > 1)


@contextlib.contextmanager
def quiet(world: World) -> Iterator[None]:
    """Modes and warnings are as before afterwards; the world's warnings are its own."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minigrad\b")  # as at its import
        world.warned = caught
        once = not world.library.is_warn_always_enabled()
        world.library.set_warn_always(True)  # what came in an earlier program comes in this one too
        try:
            yield
        finally:
            world.library.set_grad_enabled(True)
            world.library.set_warn_always(not once)


def too_large(sight: Sight) -> bool:
    return any(
        a.dtype.kind == "f" and a.size and np.abs(np.nan_to_num(a, posinf=0, neginf=0)).max() > LARGE
        for a in sight.arrays.values()
    )


def outcome(lines: list[str], library: ModuleType, look: bool, world: World | None = None) -> list[Sight]:
    """The sights of a program, statement by statement, in a new world or the one given."""
    world, sights = world or World(library), []
    with quiet(world):
        for i, line in enumerate(lines):
            sights.append(world.sight(world.run(line), look or i == len(lines) - 1))
            if too_large(sights[-1]):
                break
    return sights


def said(error: Exception) -> tuple[str, str]:
    """The kind of an error and the first line of its text. Where Python 3.14 words its own otherwise, as 3.11 does."""
    line = str(error).partition("\n")[0]
    return type(error).__name__, line.replace("is not a container or iterable", "is not iterable")

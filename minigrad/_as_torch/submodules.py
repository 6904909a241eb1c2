"""Which modules a PyTorch program may import, and the error for one that minigrad lacks: `import minigrad.fft`.

Python asks `Absent` last, after all other finders. A module that is only probed for, by `importlib.util.find_spec`, is
simply not found.
Imports names. Read next: finder.py.
"""

from __future__ import annotations

import sys
from typing import Any

from .._messages.names import ABSENT, PRIVATE, submodules


def ours(name: str) -> str:
    """minigrad's name for PyTorch's module or function `name`.

    >>> ours("torch.nn.functional")
    'minigrad.nn.functional'
    """
    return "minigrad" + name.removeprefix("torch")


def is_public(name: str) -> bool:
    """Has minigrad PyTorch's module `name`? A module of ours that only shares the name does not count.

    >>> [is_public(f"torch.{name}") for name in ("nn.functional", "fft", "nn.attention", "_call")]
    [True, False, False, False]
    """
    from importlib.util import find_spec  # imported here, because it would slow `import minigrad`

    place, _, child = name.rpartition(".")
    if not place:
        return name == "torch"
    if ours(name) in PRIVATE or child not in submodules().get(place, ()) or not is_public(place):
        return False
    return ours(name) in sys.modules or find_spec(ours(name)) is not None


def hint(name: str) -> str:
    """The hint about PyTorch's module `name`, which minigrad lacks; "" if there is none.

    >>> hint("torch.fft")
    ". PyTorch has torch.fft, minigrad does not: see 'What is not here' in its README"
    >>> hint("torch.optin")
    ". Did you mean: 'torch.optim'?"
    """
    from difflib import get_close_matches

    place, _, child = name.rpartition(".")
    theirs = submodules().get(place, frozenset())
    if child in theirs:
        return ABSENT.format(place, child)
    here = [each for each in sorted(theirs) if is_public(f"{place}.{each}")] if is_public(place) else []
    near = get_close_matches(child, here, 1, 0.8)
    return f". Did you mean: '{place}.{near[0]}'?" if near else ""


def not_found(name: str, called: str) -> ModuleNotFoundError:
    """The error of importing PyTorch's module `name`, which the program calls `called`."""
    said = hint(name).replace("'torch.", "'minigrad.") if called != name else hint(name)
    return ModuleNotFoundError(f"No module named {called!r}{said}", name=called)


def is_imported(frame: Any) -> bool:
    """Does an import ask the finder from this frame? Otherwise `importlib.util.find_spec` does."""
    return frame.f_back is not None and frame.f_back.f_code.co_name == "_find_and_load_unlocked"


class Absent:
    """The last of Python's finders: it finds nothing, and raises an error for a PyTorch module that minigrad lacks."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> None:
        if not name.startswith("minigrad.") or not is_imported(sys._getframe(1)):
            return
        theirs = "torch" + name.removeprefix("minigrad")
        if hint(theirs):
            raise not_found(theirs, name)


def explain_absent() -> None:
    """Add `Absent` to Python's finders, once, however often minigrad is imported."""
    if not any(getattr(finder, "__module__", "") == __name__ for finder in sys.meta_path):
        sys.meta_path.append(Absent)

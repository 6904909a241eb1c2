"""`minigrad.install_as_torch()`: after it, `import torch` gives minigrad, so that a program runs unchanged.

Python's import system asks the finders in `sys.meta_path` for a module. Our finder comes first and answers for `torch`
and every module below it: `torch.nn` is the module `minigrad.nn` itself, so there are never two copies. A module that
minigrad lacks is not found, and the error says so; nothing of the real PyTorch is imported.
A process that multiprocessing starts gets the folder standin/ in its `sys.path`: there `import torch` does the same.
Imports submodules. Read next: programs.py, which runs a program in this way.
"""

from __future__ import annotations

import os
import sys
import threading
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from .submodules import is_imported, is_public, not_found, ours

STANDIN = os.path.join(os.path.dirname(__file__), "standin")
LOCK = threading.Lock()


class Alias(ModuleSpec):
    """The module spec of `torch.nn` and its like. During the import, the module keeps the package that it is in."""

    parent = property(lambda self: self.loader_state)  # relative imports in the module start from this package


class AsTorch:
    """Finds `torch` and the modules below it. It also is their loader, which only returns minigrad's modules."""

    @classmethod
    def find_spec(cls, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != "torch" and not name.startswith("torch."):
            return None
        if is_public(name):
            module = import_module(ours(name))
            return Alias(name, cls, origin=module.__file__, loader_state=module.__package__)  # type: ignore[arg-type]
        if is_imported(sys._getframe(1)) or find_spec(ours(name)):  # otherwise Python would find our private modules
            raise not_found(name, name)
        return None

    @staticmethod
    def create_module(spec: ModuleSpec) -> ModuleType:
        module = import_module(ours(spec.name))
        spec.own = module.__spec__  # type: ignore[attr-defined]
        return module

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """The module has run already. Restore its own spec, which Python has just overwritten."""
        module.__spec__ = module.__spec__.own  # type: ignore[union-attr]


class Standin:
    """The result of `install_as_torch`. `remove()` undoes the installation, and so does the end of a `with` block."""

    def remove(self) -> None:
        """From now on, `import torch` means PyTorch again. Names that a program has imported keep their values."""
        with LOCK:
            sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not AsTorch]
            sys.path[:] = [folder for folder in sys.path if folder != STANDIN]
            for name, module in list(sys.modules.items()):
                if is_torchs(name) and module is sys.modules.get(ours(name)):
                    del sys.modules[name]

    def __enter__(self) -> Standin:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()

    def __repr__(self) -> str:
        now = AsTorch in sys.meta_path
        return f"<`import torch` gives minigrad{'' if now else ' no longer'}>"


def is_torchs(name: str) -> bool:
    """Is this the name of PyTorch, or of a module in it?"""
    return name == "torch" or name.startswith("torch.")


def install_as_torch() -> Standin:
    """Make every later `import torch`, submodules included, give minigrad, so that a program runs on it unchanged.

    Call it before the first import of torch. In a terminal, `python -m minigrad PROGRAM` does the same for a program.
    Calling it again changes nothing; `remove()` on the result undoes it.
    Raises RuntimeError if PyTorch itself is imported already.

    >>> import minigrad
    >>> with minigrad.install_as_torch():
    ...     import torch.nn as nn
    ...     from torch.optim import SGD
    >>> nn is minigrad.nn, SGD is minigrad.optim.SGD
    (True, True)
    """
    with LOCK:
        for name, module in list(sys.modules.items()):
            if is_torchs(name) and module is not None and module is not sys.modules.get(ours(name)):
                place = getattr(module, "__file__", None) or "an unknown place"
                raise RuntimeError(
                    f"install_as_torch(): {name!r} is imported already, from {place}. It is PyTorch itself, and its "
                    "tensors do not work with minigrad's. Restart the kernel (or the program), and call "
                    "minigrad.install_as_torch() before the first line that imports torch, or a library that does."
                )
        if AsTorch not in sys.meta_path:
            sys.meta_path.insert(0, AsTorch)
        if STANDIN not in sys.path:
            sys.path.insert(1, STANDIN)  # sys.path[0] is the program's own folder
    return Standin()

"""A world: a function that changes how the tests are started.

It gets a `Start`, which says what is started, where, with which environment; and a folder for what it needs. The first
sentence of its docstring says what it changes. A world that a machine cannot make raises `Absent`.
Read next: environments.py, machines.py, windows.py: the worlds.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]


class Absent(Exception):
    """This machine cannot make that world."""


@dataclass
class Start:
    """How the tests are started."""

    folder: Path  # of this world alone
    python: str
    root: Path = ROOT
    environ: dict[str, str] = field(default_factory=lambda: dict(os.environ))
    before: list[str] = field(default_factory=list)  # a command that runs Python, as another user for example
    options: list[str] = field(default_factory=lambda: ["-p", "no:cacheprovider", "-p", "no:randomly"])  # for pytest
    afterwards: ExitStack = field(default_factory=ExitStack)
    tests: list[str] | None = None  # the tests that this world runs by itself; [] is the whole fast tier
    says: str = ""  # the sentence with which the tests are to end, instead of running

    def copy(self, name: str = "copy") -> Path:
        """Start the tests in a copy of the working tree: what git knows, and what it does not ignore."""
        self.root = self.folder / name
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
        for each in filter(None, names):
            if (ROOT / each).exists():
                (self.root / each).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / each, self.root / each)
        return self.root

    def write(self, name: str, text: str) -> Path:
        """A file in the world's folder."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def command(self, tests: list[str]) -> list[str]:
        return [*self.before, self.python, "-m", "pytest", "-q", *self.options, *tests]


WORLDS: dict[str, Callable[[Start], None]] = {}


def world(function: Callable[[Start], None]) -> Callable[[Start], None]:
    """Enter this function among the worlds: `def no_home` is the world `no-home`."""
    WORLDS[function.__name__.strip("_").replace("_", "-")] = function
    return function


def what(name: str) -> str:
    """What a world changes: the first sentence of its docstring."""
    return (WORLDS[name].__doc__ or "").partition("\n")[0].rstrip(".")

"""The programs of the clinic's corpus: 100 with a known fault and a known cure, and 200 that are right.

They were written from people's questions before the author had read the clinic. A faulty program in `faulty/` has a
head: the class of its cure (`cures.txt` says what each class is, and what a text must contain to name it) and the
question. `#!` marks its line: if several are marked, one of them is enough; of lines with `#!!`, all are needed. Half
of the faulty programs, those whose names have the smaller hashes, were set aside before the first run.

The right programs are in `healthy/`, and `loops.py` makes the rest of parts.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from . import loops

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Program:
    """One program. `lines`: one of them must be named; `needed`: all of them. Both are empty for a right program."""

    name: str
    code: str
    cure: str = ""
    asked: str = ""
    silent: bool = False  # it raises no error
    only: str = ""  # the only library that runs it
    lines: frozenset[int] = field(default=frozenset())
    needed: frozenset[int] = field(default=frozenset())

    @property
    def key(self) -> str:
        return hashlib.sha256(self.name.encode()).hexdigest()

    def code_for(self, library: str) -> str:
        """The same lines, for this library."""
        return re.sub(r"(?m)^import torch\b(?!\.)", f"import {library} as torch", self.code).replace(
            "import torch.", f"import {library}."
        )


def parts(path: Path) -> list[tuple[str, str]]:
    """(name, text) of each part of a file."""
    return [tuple(part.split("\n", 1)) for part in re.split(r"(?m)^== ", path.read_text("utf-8"))[1:]]  # type: ignore[misc]


@cache
def faulty() -> tuple[Program, ...]:
    found = []
    for path in sorted((HERE / "faulty").glob("*.txt")):
        for name, text in parts(path):
            head, _, code = text.partition("--\n")
            known = dict(line.split(": ", 1) for line in head.splitlines())
            numbered = [*enumerate(code.splitlines(), 1)]
            needed = {i for i, line in numbered if line.endswith("#!!")}
            marked = {i for i, line in numbered if line.endswith("#!")}
            assert marked or needed, name
            found.append(
                Program(
                    name,
                    re.sub(r"\s*#!!?$", "", code, flags=re.M),
                    known["cure"],
                    known["asked"],
                    path.stem == "silent",
                    known.get("only", ""),
                    frozenset(marked),
                    frozenset(needed),
                )
            )
    return tuple(found)


@cache
def aside() -> tuple[Program, ...]:
    """The half of the faulty programs that was set aside before the first run."""
    return tuple(sorted(faulty(), key=lambda program: program.key)[: len(faulty()) // 2])


@cache
def opened() -> tuple[Program, ...]:
    return tuple(program for program in faulty() if program not in aside())


@cache
def healthy() -> tuple[Program, ...]:
    written = [Program(name, code) for path in sorted((HERE / "healthy").glob("*.txt")) for name, code in parts(path)]
    return (*written, *(Program(name, code) for name, code in loops.programs()))


@cache
def cures() -> dict[str, re.Pattern[str]]:
    """What a text must contain to name the cure of each class."""
    found = {}
    for line in (HERE / "cures.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, rest = line.partition(": ")
            found[name] = re.compile(rest.partition(" | ")[2], re.I)
    return found

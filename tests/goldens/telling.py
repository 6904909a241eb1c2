"""Sentences for an operator, a layer or a program that has no record, or that PyTorch can't run.

`record` reads a file of records for a test, `answers` asks PyTorch in a script that records.
Imports the standard library alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any


def record(file: Path) -> Record:
    """The content of a file of records."""
    return Record(json.loads(file.read_text(encoding="utf-8")), file)


class Record(dict[str, Any]):
    """Records by name. A name without a record raises LookupError with the command that records it."""

    def __init__(self, found: dict[str, Any], file: Path):
        super().__init__(found)
        self.file = file

    def __missing__(self, name: str) -> Any:
        command = f"python -m tests.goldens {self.file.stem}"
        raise LookupError(f"{self.file.name} has no record of {name!r} yet: run `{command}`, which needs PyTorch")


def answers(names: Iterable[str], ask: Callable[[str], Any]) -> dict[str, Any]:
    """What `ask` gives for each name. If PyTorch lacks one of them, the script stops with a sentence."""
    found = {}
    for name in names:
        try:
            found[name] = ask(name)
        except AttributeError as error:
            raise SystemExit(
                f"{name!r} can't be recorded, because PyTorch lacks it: {error}. If the name is right, keep the "
                "operator in a program of your own: see 'An operator that PyTorch lacks' in CONTRIBUTING.md."
            ) from None
    return found

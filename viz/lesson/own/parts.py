"""Lesson 13's engine as text: the parts of _engine.md, which the lesson gives in cells, and the reader's own parts.

In this order, one after another, the parts are a whole engine. The names are those of minigrad/core/. The reader's
parts are the solutions on the pages of the exercises.
Imports pages.py, written.py and exercises/. Read next: file.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...beside import text_of
from .. import written
from ..exercises import pages
from ..pages import read


def _pages(name: str) -> tuple[str, str]:
    """The code of the cell and of the solution on the page of an exercise."""
    return written.codes(pages()[name].read_text(encoding="utf-8"), f"{name}.md")


def _parts() -> Iterator[tuple[str, str]]:
    """All parts in order: (author, text). The author is "" for the lesson, else the exercise with that solution."""
    page = read(text_of("lesson/own/_engine.md"), "_engine.md")
    for section in page.sections[2:]:  # the first two are before the title, and the title
        if section.blocks:
            yield "", f"\n{section.blocks[0].text}\n"
        else:
            yield section.title, _pages(section.title)[1]


_PARTS = [*_parts()]
PROGRAM = _PARTS.pop()[1]  # the end of the reader's file
PLACES = {name: place for place, (name, _) in enumerate(_PARTS) if name}
_RUN = _PARTS[PLACES["own_run"]][1]
_TYPED = "\n\n".join(text for name, text in _PARTS if name)  # all solutions
SHARED = _pages("own_leaves")[0]  # the cell of that exercise, before the reader has changed it


def _before(exercise: str) -> str:
    """The text of the engine up to the place where this exercise begins."""
    return "\n\n\n".join(text.strip("\n") for _, text in _PARTS[: PLACES[exercise]]) + "\n"


def engine(until: str = "own_backward") -> dict[str, Any]:
    """The names of the engine up to this exercise, after running it.

    >>> own = engine()
    >>> w = own["Tensor"](3.0, requires_grad=True)
    >>> a = w * w
    >>> (a * a + a).backward()
    >>> w.grad
    Tensor(114.0)
    """
    names: dict[str, Any] = {"__name__": "engine"}
    text = "\n\n\n".join(text.strip("\n") for _, text in _PARTS[: PLACES[until] + 1])
    exec(compile(text, "<engine>", "exec"), names)
    return names


def _put(name: str, names: dict[str, Any]) -> None:
    """Run our version of a part, for a file that does not show it."""
    exec(compile(_PARTS[PLACES[name]][1], f"<ours: {name}>", "exec"), names)

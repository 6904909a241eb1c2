"""The faults that the clinic knows: what each error says, what it means, and what to do.

They are on the pages in cases/, which are Markdown, as the exercises are. A section is a case: a code block with the
pattern of the error's text, a paragraph that explains the error, and a list of cures. If a pattern has several lines,
one of them must fit. The word `tensors` after the backticks sets `Case.tensors`. A heading "In a loop" begins the list
`in_loop`.

A case is found by the text of its error, which is PyTorch's, so it also works for PyTorch's own errors; a case without
a pattern needs more than a text, see inquiry.py and watch.py. Imports the catalogues and lesson/pages.py. Read lines.py
next, which finds the reader's lines that took part in the error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import IO

from ..beside import text_of
from ..lesson import pages
from ..locale import Text, room

tr = room("errors")
PAGES = ("autograd", "values", "models", "data", "training", "static")
VALUES = {
    "net": "net",
    "name": "w",
    "column": "(n, 1)",
    "row": "(n)",
    "square": "(n, n)",
}  # where the program's own are not known


@dataclass(frozen=True)
class Case:
    """One kind of fault: `pattern` finds the text of its error, `what` explains it, and `cures` say what to do.

    pattern: "" for a fault that raises no error, or whose text is the same as another's.
    in_loop: what to do first if the line that stopped is in a loop.
    tensors: whether to show the shapes and types of the tensors in that line.
    """

    name: str
    pattern: str
    what: Text
    cures: tuple[Text, ...]
    in_loop: tuple[Text, ...] = ()
    tensors: bool = False


def read(source: str, file: str, say: Callable[[str, int], Text]) -> tuple[Case, ...]:
    """The cases on a page. say: makes a Text of an English text and the number of its line."""
    found: list[Case] = []
    page = pages.read(source, file)
    for section in page.sections[2:]:  # the first two are before the title, and the title
        items = tuple(say(block.text, block.line) for block in section.blocks if block.kind == "item")
        if section.title == "In a loop":
            found[-1] = replace(found[-1], in_loop=items)
            continue
        told = [block for block in section.blocks if block.kind == "text"]
        if not told or not items:
            raise page.mistake(
                section.line, f"`{section.title}` needs a paragraph that explains it, and a list of cures"
            )
        codes = [block for block in section.blocks if block.kind == "code"]
        pattern = "|".join(line for block in codes for line in block.lines)
        tensors = any("tensors" in block.info.split() for block in codes)
        found.append(Case(section.title, pattern, say(told[0].text, told[0].line), items, tensors=tensors))
    return tuple(found)


def texts(file: IO[bytes]) -> Iterator[tuple[int, str, tuple[str, str], list[str]]]:
    """The texts of a page, for Babel: (line, "pgettext", ("", English), comments)."""
    found: list[tuple[int, str]] = []

    def say(english: str, line: int) -> Text:
        found.append((line, english))
        return Text(english, tr)

    read(file.read().decode("utf-8"), file.name, say)
    for line, english in sorted(found):
        yield line, "pgettext", ("", english), []


@cache
def page(name: str) -> tuple[Case, ...]:
    """The cases on one page, read on first use."""

    def say(english: str, line: int) -> Text:
        return Text(english, tr).filled(**{key: value for key, value in VALUES.items() if f"{{{key}}}" in english})

    return read(text_of(f"errors/cases/{name}.md"), f"{name}.md", say)


@cache
def known() -> tuple[Case, ...]:
    """All cases."""
    return tuple(case for name in PAGES for case in page(name))


def case_of(text: str) -> Case | None:
    """The case whose error has this `text`.

    >>> case_of("grad can be implicitly created only for scalar outputs").name
    'scalar'
    """
    return next((case for case in known() if case.pattern and re.search(case.pattern, text)), None)


def called(name: str) -> Case:
    """The case with this name."""
    return next(case for case in known() if case.name == name)

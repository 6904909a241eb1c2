"""A page of Markdown for exercises or questions: its settings, its sections, and their content.

Only this much of Markdown has a meaning here: settings between two lines of `---` at the top, headings with `#`,
paragraphs, lists, and code between two lines of three backticks. All other text is shown as it is written, except that
text between single backticks is set as code. A comment, <!-- like this -->, is for authors alone.
Every part knows its line, so that messages can name file and line.
Imports the standard library alone. Read next: written.py, which makes an exercise from a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

FENCE = re.compile(r"(`{3,}|~{3,})\s*(.*)")
HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*")
ITEM = re.compile(r"(\d+[.)]|[-*+])\s+(.*)")
FIRST_ITEM = re.compile(r"(1[.)]|-)\s+(.*)")  # ends a paragraph even without an empty line


class Mistake(ValueError):
    """A mistake in a file of exercises. Its text begins with the file and the line."""

    def __init__(self, file: str, line: int, text: str):
        super().__init__(f"{file}, line {line}: {text}")
        self.file, self.line = file, line


class Mistakes(ValueError):
    """Several mistakes, a line each; `all` lists them."""

    def __init__(self, mistakes: Sequence[Mistake]):
        super().__init__("\n".join([f"{len(mistakes)} mistakes:", *map(str, mistakes)]))
        self.all = mistakes


def raise_all(mistakes: Sequence[Mistake]) -> None:
    """Raise the mistake, or all of them as one error; if there is none, do nothing."""
    if mistakes:
        raise mistakes[0] if len(mistakes) == 1 else Mistakes(mistakes)


@dataclass(frozen=True)
class Block:
    """A paragraph, an item of a list, or a piece of code.

    kind: "text", "item" or "code". line: its first line; for code, the line of its opening backticks.
    info: for code, the text after the backticks; for an item, its number or sign.
    """

    kind: str
    line: int
    lines: tuple[str, ...]
    info: str = ""

    @property
    def text(self) -> str:
        """A paragraph or an item as one line; code with all its lines."""
        return "\n".join(self.lines) if self.kind == "code" else " ".join(self.lines)


@dataclass
class Section:
    """A heading and the text under it, up to the next heading. The first section of a page has no heading."""

    title: str
    level: int
    line: int
    blocks: list[Block] = field(default_factory=list)


@dataclass
class Noted:
    """In a `with`, a mistake is added to this list and goes no further."""

    mistakes: list[Mistake]

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type | None, error: BaseException | None, trace: Any) -> bool:
        if isinstance(error, Mistake):
            self.mistakes.append(error)
        return isinstance(error, Mistake)


@dataclass
class Page:
    """A page that has been read. settings: {name: (value, line)}."""

    file: str
    settings: dict[str, tuple[str, int]]
    sections: list[Section]
    mistakes: list[Mistake] = field(default_factory=list)

    def noted(self) -> Noted:
        """Note a mistake in one part of the page, so that the other parts are still read."""
        return Noted(self.mistakes)

    def finish(self) -> None:
        """Raise what was noted, each mistake once, in the order of the lines."""
        once = {str(mistake): mistake for mistake in self.mistakes}
        raise_all(sorted(once.values(), key=lambda mistake: mistake.line))

    def mistake(self, line: int, text: str) -> Mistake:
        """The error to raise for a mistake in this line."""
        return Mistake(self.file, line, text)


def read(source: str, file: str) -> Page:
    """The page with this text. file: its name in messages. Raises Mistake if the text cannot be read."""
    lines = [line.rstrip() for line in source.removeprefix("\ufeff").splitlines()]
    settings, start = _settings(lines, file)
    page = Page(file, settings, [Section("", 0, start + 1)])
    blocks, at = page.sections[-1].blocks, start
    while at < len(lines):
        line, first = lines[at], at
        at += 1
        if fence := FENCE.fullmatch(line):
            end = next((n for n in range(at, len(lines)) if lines[n].strip() == fence[1]), None)
            if end is None:
                raise Mistake(file, first + 1, f"this code has no end: a line of {fence[1]} is missing after it")
            blocks.append(Block("code", first + 1, tuple(lines[at:end]), fence[2]))
            at = end + 1
        elif heading := HEADING.fullmatch(line):
            page.sections.append(Section(heading[2], len(heading[1]), first + 1))
            blocks = page.sections[-1].blocks
        elif FENCE.fullmatch(line.strip()):
            raise Mistake(file, first + 1, "code must begin at the left margin, without spaces before the backticks")
        elif line.startswith("<!--"):
            while "-->" not in line and at < len(lines):
                line, at = lines[at], at + 1
        elif line:
            item = ITEM.fullmatch(line)
            held = [item[2] if item else line.strip()]
            while at < len(lines) and lines[at] and not _begins(lines[at], bool(item)):
                held.append(lines[at].strip())
                at += 1
            blocks.append(Block("item" if item else "text", first + 1, tuple(held), item[1] if item else ""))
    return page


def _begins(line: str, in_list: bool) -> bool:
    """Whether this line begins a new block, and does not continue a paragraph or an item."""
    item = ITEM if in_list else FIRST_ITEM
    return bool(FENCE.fullmatch(line.strip()) or HEADING.fullmatch(line) or item.fullmatch(line))


def _settings(lines: list[str], file: str) -> tuple[dict[str, tuple[str, int]], int]:
    """The settings at the top, and the number of their lines."""
    if not lines or lines[0] != "---":
        return {}, 0
    end = next((n for n in range(1, len(lines)) if lines[n] == "---"), None)
    if end is None:
        raise Mistake(file, 1, "the settings have no end: a second line of --- is missing")
    settings: dict[str, tuple[str, int]] = {}
    last = ""
    for at in range(1, end):
        line = lines[at]
        if last and line.startswith((" ", "\t")):
            settings[last] = f"{settings[last][0]} {line.strip()}".strip(), settings[last][1]
        elif line.strip() and not line.startswith("#"):
            name, colon, value = line.partition(":")
            if not colon:
                raise Mistake(file, at + 1, f"a setting is written `name: value`, but this line is `{line.strip()}`")
            last = name.strip()
            if last in settings:
                raise Mistake(file, at + 1, f"the setting `{last}` is given twice")
            settings[last] = value.strip(), at + 1
    return settings, end + 1


def other(file: str) -> bool:
    """Whether a Markdown file of this name is no exercise: README.md, and names that begin with _ or a dot."""
    return file.lower() == "readme.md" or file.startswith(("_", "."))


def nearest(name: str, names: Iterable[str]) -> str:
    """The name among these that is most like this one; "" if none is."""
    spelt = {each.lower(): each for each in names}
    near = get_close_matches(name.lower(), spelt, 1, 0.6)
    return spelt[near[0]] if near else ""


def known(name: str, names: Iterable[str]) -> str:
    """A hint for a name that is not among these: the nearest of them, or all."""
    names = list(names)
    if near := nearest(name, names):
        return f"did you mean `{near}`?"
    return f"there are {', '.join(f'`{each}`' for each in names)}" if names else "there are none"

"""Our docstrings as reStructuredText. They are written for `help`: plain text, with code between single backticks.

A line that begins with the name of a parameter and a colon begins an item of a list. Lines that are indented by
themselves stay as they are, and so do examples. Everything else is a paragraph, in which nothing but code is markup.
Imports the standard library alone.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

ITEM = re.compile(r"(\*{0,2}\w+(?:, \*{0,2}\w+)*): (?=\S)")


def parameters(thing: Any) -> set[str]:
    """The names of what it is called with, or none."""
    try:
        return set(inspect.signature(thing).parameters)
    except (TypeError, ValueError):
        return set()


def as_rst(lines: list[str], names: set[str]) -> list[str]:
    """The lines of a docstring as reStructuredText. names: those of the parameters."""
    found: list[str] = []
    block: list[str] = []  # the lines of a paragraph or of an item
    item = False
    i = 0

    def end() -> None:
        nonlocal item
        if block:
            text = " ".join(block)
            if item:
                name, _, text = text.partition(": ")
                found.append("* " + ", ".join(f"``{each}``" for each in name.split(", ")) + f": {escaped(text)}")
            else:
                found.append(escaped(text))
            found.append("")
        block.clear()
        item = False

    while i < len(lines):
        line = lines[i].rstrip()
        if not line:
            end()
        elif line.lstrip().startswith(">>>"):
            end()
            i = copy(lines, i, found, len(line) - len(line.lstrip()))
            continue
        elif line[0] == " " and not block:
            i = literal(lines, i, found)
            continue
        else:
            start = ITEM.match(line)
            if start and {each.lstrip("*") for each in start[1].split(", ")} <= names:
                end()
                item = True
            elif line.startswith("Raises "):
                end()
            block.append(line.strip())
        i += 1
    end()
    return found


def copy(lines: list[str], i: int, found: list[str], indent: int) -> int:
    """Append the example that begins with line i, up to an empty line; returns the line after it."""
    found.append(".. code-block:: pycon")
    found.append("")
    while i < len(lines) and lines[i].strip():
        found.append("   " + lines[i].rstrip()[indent:])
        i += 1
    found.append("")
    return i


def literal(lines: list[str], i: int, found: list[str]) -> int:
    """Append the indented lines from line i on as they are; returns the line after them."""
    found += [".. code-block:: text", ""]
    while i < len(lines) and (not lines[i].strip() or lines[i][0] == " "):
        if lines[i].lstrip().startswith(">>>"):
            break
        found.append("   " + lines[i].rstrip())
        i += 1
    found.append("")
    return i


def escaped(text: str) -> str:
    """Text in which code is marked by single backticks, and nothing else is markup."""
    pieces = re.split(r"`([^`]+)`", text)
    written = ""
    for place, piece in enumerate(pieces):
        if place % 2 == 0:
            written += re.sub(r"([\\*_|`])", r"\\\1", piece)
        elif piece.strip():
            before = "\\ " if written and re.match(r"[\w…·)\]}]", written[-1]) else ""
            after = "\\ " if re.match(r"[\w(]", pieces[place + 1]) else ""
            written += f"{before}``{piece.strip()}``{after}"
    # A line must not begin a list, a directive or a block
    written = re.sub(r"^(?=[-+•#.:>=~^'\"]|\(?\w{1,3}[.)] )", r"\\", written)
    return re.sub(r"::$", r":\\:", written)


def summary(text: str | None) -> str:
    """The first sentence of a docstring, as reStructuredText."""
    first = " ".join((inspect.cleandoc(text or "").split("\n\n")[0]).split())
    sentence = re.match(r"(?:[^`]|`[^`]*`)*?[.:](?= [A-Z`]|$)", first)
    return escaped(sentence[0] if sentence else first)

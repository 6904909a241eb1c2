"""The questions before and after a lesson: how one is declared, and how it is read from a page.

    ## backward updates w

    ### Before

    w is 2. After `y = w * w` and `y.backward()`, what is w?

    - [x] 2
      Backward computes slopes and moves nothing.
    - [ ] smaller
      An optimizer moves w, and there is none.

    ```python proof
    answer = …
    ```

The heading names the belief, `[x]` marks the right choice, and the lines below a choice are the reply to it. An item
`- [?]` holds the reply to "I don't know yet" after the lesson: where to look again. Code without `proof` is shown with
the question. If a choice is noted under another name than its shown text, that name
follows in braces.
Imports pages.py. Read next: ask.py, which asks them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import IO, Any

from ..locale import Room
from . import pages
from .pages import Block, Page
from .task import Words

CHOICE = re.compile(r"\[([ x])\] (.*?)(?: \{([^{}]+)\})?")


@dataclass(frozen=True, kw_only=True)
class Ask:
    """One question.

    ask: the question; text between backticks is set as code.
    choices: {a choice: the reply to it}; for the right choice, the reason.
    right: the right choice.
    code: a program that is shown with the question.
    proof: code that is not shown. After `code` and `proof`, which may use `torch`, `answer` is the right choice: a
        test runs them on minigrad and on PyTorch.
    labels: {a choice: its shown text}, if it must be translated.
    unknown: the reply to "I don't know yet": where to look again.
    """

    ask: Words
    choices: Mapping[str, Words]
    right: str
    proof: str
    code: str = ""
    labels: Mapping[str, Words] = field(default_factory=dict)
    unknown: Words = ""


@dataclass(frozen=True)
class Probe:
    """One belief, with a question before and one after the lesson."""

    lesson: int | str  # a number, or the name of a teacher's folder
    belief: str
    before: Ask
    after: Ask


PROBES: dict[int, list[Probe]] = {}  # by lesson; filled for a lesson when its questions are first used
FOLDERS: dict[str, list[Probe]] = {}  # the questions in teachers' folders, by the folder's name


def probe(lesson: int, belief: str, *, before: Ask, after: Ask) -> Probe:
    """Declare a question of a lesson.

    belief: a short name for the belief that the question tests, as "backward updates w"; the start page shows it.
    before, after: the question, and the same in other words.
    """
    made = Probe(lesson, belief, before, after)
    for each in (before, after):
        if each.right not in each.choices:
            raise ValueError(f"{each.right!r} is not among the choices of {belief!r}")
    PROBES.setdefault(lesson, []).append(made)
    return made


def read(source: str, file: str, lesson: int | str, words: Room | None) -> None:
    """Declare the questions on this page. lesson: its number, or the name of a teacher's folder. Raises Mistake."""
    found = _asks(pages.read(source, file), lambda text, line, belief: words(text, belief) if words else text)
    probes = [Probe(lesson, belief, **asks) for belief, asks in found]
    if isinstance(lesson, str):
        FOLDERS[lesson] = probes
    else:
        PROBES[lesson] = probes  # in one step: Ctrl-C leaves all or none


def texts(file: IO[bytes], keywords: Any = (), tags: Any = (), options: Any = None) -> list[tuple]:
    """The texts of a page of questions, for Babel: (line, "pgettext", (context, English), comments)."""
    found: list[tuple] = []

    def say(text: str, line: int, belief: str) -> str:
        found.append((line, "pgettext", (belief, text), []))
        return text

    _asks(pages.read(file.read().decode("utf-8"), PurePath(file.name).name), say)
    return found


def _asks(page: Page, say: Callable[[str, int, str], Any]) -> list[tuple[str, dict[str, Ask]]]:
    found: list[tuple[str, dict[str, Ask]]] = []
    for section in page.sections:
        if section.level == 2:
            found.append((section.title, {}))
        elif section.level == 3:
            when = section.title.lower()
            if when not in ("before", "after") or not found or when in found[-1][1]:
                raise page.mistake(section.line, "below a `## belief` stand one `### Before` and one `### After`")
            with page.noted():
                found[-1][1][when] = _ask(page, section, found[-1][0], say)
    page.finish()
    for belief, asks in found:
        if len(asks) != 2:
            raise page.mistake(1, f"`{belief}` needs a section `### Before` and a section `### After`")
    return found


def _ask(page: Page, section: pages.Section, belief: str, say: Callable[[str, int, str], Any]) -> Ask:
    asked = [block for block in section.blocks if block.kind == "text"]
    if len(asked) != 1:
        raise page.mistake(section.line, "a question is one paragraph")
    question = say(asked[0].text, asked[0].line, belief)
    choices: dict[str, Words] = {}
    labels: dict[str, Words] = {}
    right: list[str] = []
    unknown: Words = ""
    for block in section.blocks:
        if block.kind == "item" and block.lines[0].strip() == "[?]" and block.lines[1:]:
            unknown = say(" ".join(block.lines[1:]), block.line + 1, belief)
        elif block.kind == "item":
            choice, label = _choice(page, block, right)
            labels[choice] = label if _is_python(label) else say(label, block.line, belief)
            choices[choice] = say(" ".join(block.lines[1:]), block.line + 1, belief)
    if len(right) != 1:
        raise page.mistake(section.line, "one of the choices is right: mark it with [x]")
    codes = {"proof" in block.info.split(): block.text for block in section.blocks if block.kind == "code"}
    if True not in codes:
        raise page.mistake(section.line, "the proof is missing: code behind ```python proof, which computes `answer`")
    return Ask(
        ask=question,
        choices=choices,
        right=right[0],
        proof=codes[True],
        code=codes.get(False, ""),
        labels=labels,
        unknown=unknown,
    )


def _choice(page: Page, block: Block, right: list[str]) -> tuple[str, str]:
    """The noted and the shown name of a choice; a choice that is marked as right is added to `right`."""
    found = CHOICE.fullmatch(block.lines[0])
    if not found or not block.lines[1:]:
        raise page.mistake(block.line, "a choice is written - [ ] choice, with the reply in indented lines below it")
    choice = found[3] or found[2]
    if found[1] == "x":
        right.append(choice)
    return choice, found[2]


def _is_python(label: str) -> bool:
    """Whether a choice is a value, such as 3 or None, which is the same in every language."""
    try:
        return not isinstance(ast.literal_eval(label), bool)
    except (SyntaxError, ValueError):
        return False

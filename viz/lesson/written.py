"""An exercise as a page, a Markdown file: task, cell, hints, solution, wrong answers. exercises/README.md shows one.

    task = read(source, "my_folder/cube.md", "cube", judges)

A wrong answer is code, and the paragraph below it is its reply. The code is a whole answer, or, if the cell has a
`...`, the lines that replace it, or a diff of the solution. The folder's judges.py contains what the page cannot,
and the page names it: the points, the way of running, a check of its own.
Reading a page runs none of its code. Mistakes are reported with file and line, before any reader sees the exercise.
Imports pages.py, calls.py, task.py. Read next: exercises/__init__.py, which finds the files.
"""

from __future__ import annotations

import ast
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import IO, Any

from ..locale import Room
from . import pages
from . import task as tasks
from .calls import ALLOWED as ALLOWED
from .calls import points_of as points_of
from .judges import NAMED
from .pages import Block, Page, Section, known, nearest
from .task import Task, Wrong, defines, function, operator, order, value

KINDS: dict[str, Callable[..., Task]] = {"function": function, "operator": operator, "value": value, "order": order}
JUDGES = ("points", "run", "verify", "tell", "draw", "setup")  # settings that name an object in judges.py
TEXTS = ("where", "untried")
NUMBERS = ("rel", "near")
SWITCHES = ("may_change", "silent", "warns", "check_slope")
SETTINGS = ("kind", *JUDGES, *TEXTS, *NUMBERS, *SWITCHES, "shown")
ONLY = {"check_slope": "operator", "shown": "order"}
PIECES = {"with": "has", "without": "lacks"}  # marks of a wrong answer, as they are written and as they are kept
SECTIONS = ("Calls", "Setup", "Hints", "Solution", "Wrong answers", "Parts", "Told", "Remarks")

Say = Callable[[str, int], Any]  # (English, its line) -> the text to keep


def read(
    source: str, file: str, name: str, judge: Callable[[str], Any], words: Room | None = None, **more: Any
) -> Task:
    """Declare the exercise on this page.

    file: its name in messages. judge: returns the object with a name in judges.py; raises KeyError, with all names.
    words: where its translations are. more: what else is known about the exercise, such as the number of its lesson.
    Raises Mistake.
    """
    say: Say = lambda english, line: words(english, name) if words else english  # noqa: E731
    return _Written(pages.read(source, file), name, judge, say).task(**more)


def codes(source: str, file: str) -> tuple[str, str]:
    """The code of the cell and of the solution on this page, each with a line end before and after it."""
    page = _Written(pages.read(source, file), "", lambda name: None, lambda english, line: english)
    _, cell = page.top()
    return f"\n{cell.text}\n", f"\n{page.solution(cell)[0].text}\n"


def texts(file: IO[bytes], keywords: Any = (), tags: Any = (), options: Any = None) -> Iterator[tuple]:
    """The texts of an exercise, for Babel: (line, "pgettext", (context, English), comments)."""
    from pathlib import PurePath

    name = PurePath(file.name).stem
    found: list[tuple[int, str]] = []

    def say(english: str, line: int) -> str:
        found.append((line, english))
        return english

    _Written(pages.read(file.read().decode("utf-8"), file.name), name, lambda name: None, say).parts()
    for line, english in sorted(found):
        yield line, "pgettext", (name, english), []


class _Written:
    """A page that is being turned into an exercise."""

    def __init__(self, page: Page, name: str, judge: Callable[[str], Any], say: Say):
        self.page, self.name, self.judge = page, name, judge
        if len(page.sections) > 1 and page.sections[1].level == 1 and not page.sections[0].blocks:
            page.sections.pop(0)  # a title above the task
        self.say = say
        self.sections = self._sections()
        self.kind = self._kind()
        self.wants = ""

    def task(self, **more: Any) -> Task:
        """The exercise, declared."""
        given = self.parts() | more
        if "points" not in given and self.kind != "value":
            line = self.page.sections[0].line
            raise self.page.mistake(
                line, "the check needs something to try: add a section `## Calls`, or a setting `points:`"
            )
        if self.name in tasks.TASKS:
            raise self.page.mistake(1, f"there is an exercise named {self.name!r} already: rename the file")
        return KINDS[self.kind](self.name, **given)

    def parts(self) -> dict[str, Any]:
        """All settings and texts of the page, as arguments for `function`, `operator`, `value` or `order`."""
        noted = self.page.noted
        given: dict[str, Any] = {}
        for name, (text, line) in self.page.settings.items():
            if name != "kind":
                with noted():
                    given[name] = self._setting(name, text, line)
        if "untried" in given:
            given["unmended"] = given.pop("untried")
        with noted():
            given |= self._answers()
        with noted():
            given["hints"] = self._hints()
        for title in ("Parts", "Remarks", "Told"):
            if section := self.sections.get(title.lower()):
                with noted():
                    given[title.lower()] = self._named(section)
        if told := given.pop("told", None):
            if "tell" in given:
                raise self.page.mistake(self.sections["told"].line, "give the section `## Told` or `tell:`, not both")
            given["tell"] = lambda came: told.get(came) if isinstance(came, str) else None
        if section := self.sections.get("setup"):
            with noted():
                given["setup"] = self._one_code(section).text
        if self.wants and (section := self.sections.get("calls")):
            with noted():
                if "points" in given:
                    raise self.page.mistake(section.line, "give the section `## Calls` or `points:`, not both")
                given["points"] = points_of(self.page, self._one_code(section), self.wants)
        self.page.finish()
        return given

    def _answers(self) -> dict[str, Any]:
        """The task, the cell, the solution and the wrong answers."""
        task, cell = self.top()
        given: dict[str, Any] = {"task": task}
        solution = None
        with self.page.noted():
            solution, because = self.solution(cell)
            if because:
                given["because"] = because
            if self.kind == "order":
                at = [line.strip() for line in cell.lines].index("...")
                frame = *cell.lines[:at], cell.lines[at].replace("...", "{lines}"), *cell.lines[at + 1 :]
                given |= {"frame": "\n".join(frame), "lines": rows(solution.text)}
            else:
                given |= {"gap": cell.text + "\n", "solution": solution.text + "\n"}
        given["wrong"] = self._wrong(cell, solution)
        return given

    # -- settings and sections ----------------------------------------------------------------------

    def _sections(self) -> dict[str, Section]:
        found: dict[str, Section] = {}
        for section in self.page.sections[1:]:
            title = nearest(section.title, SECTIONS).lower()
            with self.page.noted():
                if title != section.title.lower():
                    told = f"there is no section `{section.title}`: {known(section.title, SECTIONS)}"
                    raise self.page.mistake(section.line, told)
                if title in found:
                    raise self.page.mistake(section.line, f"the section `{section.title}` stands twice")
            found.setdefault(title, section)  # a misspelt one, too: its text is read and checked
        return found

    def _kind(self) -> str:
        kind, line = self.page.settings.get("kind", ("function", 1))
        if kind not in KINDS:
            raise self.page.mistake(line, f"there is no kind of exercise `{kind}`: {known(kind, KINDS)}")
        return kind

    def _setting(self, name: str, text: str, line: int) -> Any:
        """The value of a setting."""
        if name not in SETTINGS:
            raise self.page.mistake(line, f"there is no setting `{name}`: {known(name, SETTINGS)}")
        if not text:
            raise self.page.mistake(line, f"the setting `{name}` is empty")
        if name in ONLY and self.kind != ONLY[name]:
            raise self.page.mistake(line, f"`{name}` is a setting of the kind `{ONLY[name]}`")
        if name in NUMBERS:
            return self._number(name, text, line)
        if name in SWITCHES:
            if text not in ("yes", "no"):
                raise self.page.mistake(line, f"`{name}` is yes or no, not `{text}`")
            return text == "yes"
        if name == "shown":
            return tuple(int(self._number(name, each, line)) - 1 for each in text.split())
        return self._judge(name, text, line) if name in JUDGES else self.say(text, line)

    def _number(self, name: str, text: str, line: int) -> float:
        try:
            return float(text)
        except ValueError:
            raise self.page.mistake(line, f"`{name}` needs a number, not `{text}`") from None

    def _judge(self, setting: str, name: str, line: int) -> Any:
        if name in NAMED.get(setting, {}):
            return NAMED[setting][name]
        try:
            return self.judge(name)
        except KeyError as error:
            own = error.args[0]
            told = "judges.py has no" if own else "there is no judges.py beside this file, so there is no"
            raise self.page.mistake(line, f"{told} `{name}`: {known(name, [*own, *NAMED.get(setting, {})])}") from None

    def _section(self, title: str, needs: str) -> Section:
        section = self.sections.get(title.lower())
        if section is None:
            raise self.page.mistake(1, f"the section `## {title}` is missing: {needs}")
        return section

    def _one_code(self, section: Section) -> Block:
        codes = [block for block in section.blocks if block.kind == "code"]
        if len(codes) != 1:
            many = "no code" if not codes else "more than one piece of code"
            raise self.page.mistake(section.line, f"`{section.title}` holds {many}; it takes one")
        return codes[0]

    # -- the content of sections --------------------------------------------------------------------

    def top(self) -> tuple[Any, Block]:
        """The task, and the cell."""
        top = self.page.sections[0]
        told = [block for block in top.blocks if block.kind != "code"]
        if not told:
            raise self.page.mistake(top.line, "the task is missing: begin with a paragraph that says what to write")
        cells = [block for block in top.blocks if block.kind == "code"]
        if len(cells) != 1:
            many = "is missing" if not cells else "stands twice"
            raise self.page.mistake(
                (cells or top.blocks)[-1].line,
                f"the cell {many}: below the task stands one piece of code, which the reader's cell begins with",
            )
        cell = cells[0]
        self._parsed(cell, cell.text)
        names = defines(cell.text)
        if not names:
            raise self.page.mistake(cell.line, "the cell defines no function, class or name, so nothing can be checked")
        self.wants = names[-1]
        if self.kind == "order":
            if [line.strip() for line in cell.lines].count("...") != 1:
                raise self.page.mistake(cell.line, "the code needs one line `...`, where the lines to order go")
        return self._text(told), cell

    def _text(self, blocks: Sequence[Block]) -> Any:
        return self.say(" ".join(block.text for block in blocks), blocks[0].line)

    def _hints(self) -> list[Any]:
        section = self._section("Hints", "a list `1.`, `2.` …, first a question, last nearly the solution")
        items = [block for block in section.blocks if block.kind == "item"]
        for block in section.blocks:
            if block.kind != "item":
                raise self.page.mistake(block.line, "a hint is an item of the list: begin the line with `1.`, `2.` …")
        if not items:
            raise self.page.mistake(section.line, "there is no hint: write a list `1.`, `2.` …")
        return [self._text([item]) for item in items]

    def solution(self, cell: Block) -> tuple[Block, Any]:
        section = self._section("Solution", "one way to write the answer")
        code = self._one_code(section)
        told = [block for block in section.blocks if block.kind != "code"]
        if self.kind == "order":
            self._parsed(code, code.text)
        else:
            code = replace(code, lines=tuple(self._code(code, cell, cell).splitlines()))
        return code, self._text(told) if told else ""

    def _wrong(self, cell: Block, solution: Block | None) -> list[Wrong]:
        """The wrong answers: pieces of code, and the replies below them.

        If the solution can't be read, only code that fills the cell's gap can be.
        """
        section = self.sections.get("wrong answers")
        groups: list[tuple[list[Block], list[Block]]] = []
        for block in section.blocks if section else []:
            code = block.kind == "code"
            if code and (not groups or groups[-1][1]):
                groups.append(([], []))
            with self.page.noted():
                if not groups:
                    raise self.page.mistake(block.line, "this reply has no code above it")
                groups[-1][0 if code else 1].append(block)
        found: list[Wrong] = []
        for codes, reply in groups:
            with self.page.noted():
                if not reply:
                    raise self.page.mistake(
                        codes[-1].line, "this answer has no reply: write a paragraph below the code"
                    )
                told = self._text(reply)
            for each in codes if reply else ():
                if solution or self.kind != "order" and self._gaps(cell) and not _is_diff(each):
                    with self.page.noted():
                        found.append(self._answer(each, cell, solution or cell, told))
        return found

    def _answer(self, block: Block, cell: Block, solution: Block, told: Any) -> Wrong:
        how = self._how(block) | {"place": f"{self.page.file}, line {block.line}"}
        if self.kind == "order":
            return Wrong("", told, order=self._order(block, solution), **how)
        return Wrong(self._code(block, cell, solution), told, **how)

    def _how(self, block: Block) -> dict[str, Any]:
        """The options after the backticks: `python uses="no_grad" anyhow`, `diff without=".step("`."""
        how: dict[str, Any] = {}
        try:
            words = shlex.split(block.info)[1:]
        except ValueError:
            raise self.page.mistake(block.line, "a quotation mark is missing behind the backticks") from None
        for word in words:
            name, equals, names = word.partition("=")
            if name == "uses" and equals:
                how["uses"] = names
            elif name in PIECES and names:
                how[PIECES[name]] = tuple(names.split(" or "))
            elif word in ("anyhow", "endless"):
                how[word] = True
            else:
                choice = known(word, ('uses="…"', 'with="…"', 'without="…"', "anyhow", "endless"))
                raise self.page.mistake(block.line, f"a wrong answer can't be marked `{word}`: {choice}")
        return how

    def _order(self, block: Block, solution: Block) -> tuple[int, ...]:
        right = rows(solution.text)
        given = rows(block.text)
        for row in given:
            if row not in right:
                raise self.page.mistake(block.line, f"the solution has no line `{row.splitlines()[0]}`")
        if sorted(given) != sorted(right):
            raise self.page.mistake(block.line, "a wrong order holds each line of the solution once")
        return tuple(right.index(row) for row in given)

    def _code(self, block: Block, cell: Block, solution: Block) -> str:
        """The whole answer that a piece of code stands for."""
        if _is_diff(block):
            changed = self._changed(block, solution, "cell" if solution is cell else "solution")
            return self._parsed(block, changed) + "\n"
        if _defines(block.text, self.wants):
            return self._parsed(block, block.text) + "\n"
        gaps = self._gaps(cell)
        if not gaps:
            self._parsed(block, block.text)
            raise self.page.mistake(
                block.line, f"this code does not define `{self.wants}`, and the cell has no `...` that it could fill"
            )
        indent = cell.lines[gaps[0]][: len(cell.lines[gaps[0]]) - len(cell.lines[gaps[0]].lstrip())]
        filling = [indent + line if line else "" for line in block.lines]
        text = "\n".join((*cell.lines[: gaps[0]], *filling, *cell.lines[gaps[-1] + 1 :]))
        return self._parsed(block, text, before=gaps[0]) + "\n"

    def _gaps(self, cell: Block) -> list[int]:
        """The lines of the cell that have a `...`."""
        return [at for at, line in enumerate(cell.lines) if "..." in line.partition("#")[0]]

    def _changed(self, block: Block, old: Block, called: str) -> str:
        """The old code with the changes of a diff: lines with `-` are removed, lines with `+` added, others stay."""
        lines = list(old.lines)
        start = 0
        for number, hunk in _hunks(block):
            before = [line[1:] for line in hunk if line[:1] != "+"]
            after = [line[1:] for line in hunk if line[:1] != "-"]
            places = [at for at in range(start, len(lines)) if lines[at : at + len(before)] == before]
            if not before or len(places) != 1:
                told = "does not have this line" if len(before) == 1 else "does not have these lines, one after another"
                if places and before:
                    told = "has this more than once, so add a line of those around it"
                elif not before:
                    told = "must show where: add a line of it, with `-` or a space before it"
                raise self.page.mistake(block.line + number, f"the {called} {told}: `{hunk[0][1:].strip()}`")
            lines[places[0] : places[0] + len(before)] = after
            start = places[0] + len(after)
        return "\n".join(lines)

    def _named(self, section: Section) -> Mapping[str, Any]:
        """A list of names and texts: "- `name`: text"."""
        found = {}
        for block in section.blocks:
            parts = block.text.split("`", 2)
            if block.kind != "item" or len(parts) != 3 or parts[0] or not parts[2].startswith(": "):
                raise self.page.mistake(block.line, f"an item of `{section.title}` is written - `name`: text")
            found[parts[1]] = self.say(parts[2][2:].strip(), block.line)
        return found

    def _parsed(self, block: Block, text: str, before: int = 0) -> str:
        """The text, if Python can parse it. before: the number of its lines before those of the block."""
        try:
            ast.parse(text)
        except SyntaxError as error:
            line = min(max((error.lineno or 1) - before, 1), max(len(block.lines), 1))
            raise self.page.mistake(block.line + line, f"Python can't read this: {error.msg}") from None
        return text


def _is_diff(block: Block) -> bool:
    return block.info.split()[:1] == ["diff"]


def _hunks(block: Block) -> Iterator[tuple[int, list[str]]]:
    """The changes of a diff, each with the number of its first line; lines with `@@` separate them."""
    hunk: list[str] = []
    for number, line in enumerate(block.lines, 1):
        if line.startswith("@@"):
            if hunk:
                yield number - len(hunk), hunk
            hunk = []
        else:
            hunk.append(line)
    if hunk:
        yield len(block.lines) - len(hunk) + 1, hunk


def rows(text: str) -> list[str]:
    """The lines to put in order. An indented line belongs to the one above it."""
    found: list[str] = []
    for line in text.splitlines():
        if found and line[:1] in (" ", "\t"):
            found[-1] += "\n" + line
        elif line:
            found.append(line)
    return found


def _defines(code: str, name: str) -> bool:
    try:
        return name in defines(code)
    except SyntaxError:
        return False

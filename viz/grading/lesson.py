"""What a lesson asks, and what a notebook has changed of it. All of this is read, and nothing is run.

Imports viz.lesson; submissions.py. Read next: rerun.py.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from ..lesson import exercises
from ..lesson.folder import exercises as exercises_in
from ..lesson.task import TASKS, Task
from .submissions import Submission

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"  # in a checkout; an installed package has none
ASKS = re.compile(r"""\bexercise\(\s*["']([\w .-]+)["']""")
QUESTIONS = re.compile(r"\bviz\.(before|after)\(")
MAGIC = re.compile(r"^(\s*)[%!?].*$", re.M)


@cache
def tasks(lesson: int) -> tuple[Task, ...]:
    """The exercises of a lesson, in the order of its notebook."""
    names = [name for name, file in exercises.pages().items() if exercises.lesson_of(file) == lesson]
    order = [name for cell in original(lesson) for name in asked(cell["source"])]
    names.sort(key=lambda name: (order.index(name) if name in order else len(order), name))
    found = (TASKS.get(name) or exercises.find(name) for name in names)
    return tuple(task for task in found if task is not None)


@cache
def original(lesson: int) -> tuple[dict[str, Any], ...]:
    """The cells of the lesson as the course has it; none where the course's notebooks are not there."""
    from .submissions import content, notebook

    for file in NOTEBOOKS.glob(f"{lesson:02}_*.ipynb"):
        return tuple(notebook("", file.name, content(file), {}).cells)
    return ()


def load(folders: Iterable[Path]) -> None:
    """Read a lecturer's own exercises. Raises what `viz.exercises` raises."""
    for folder in folders:
        OWN[folder.resolve().name] = Own(folder.resolve(), tuple(exercises_in(folder).names))


def handed_out() -> list[str]:
    """The names of the notebooks that lie beside own exercises, the longest first."""
    return sorted((path.name for own in OWN.values() for path in own.folder.glob("*.ipynb")), key=len, reverse=True)


def own_of(submission: Submission) -> str | None:
    """The folder of own exercises that a notebook is about: it asks for one of them, or it is a notebook of there."""
    names = {name for cell in submission.cells for name in asked(cell["source"])}
    for folder, own in OWN.items():
        if names & {*own.names} or own.original(submission.file):
            return folder
    return None


def tasks_of(submission: Submission, lesson: int | str) -> tuple[Task, ...]:
    """The exercises of a notebook: the lesson's, and the lecturer's own that it asks for, or should."""
    sources = [cell["source"] for cell in (*submission.cells, *first_cells(submission, lesson))]
    names = list(dict.fromkeys(name for source in sources for name in asked(source)))
    ours = [TASKS[name] for own in OWN.values() for name in own.names if name in names]
    ours.sort(key=lambda task: names.index(task.name))
    return (*(tasks(lesson) if isinstance(lesson, int) else ()), *ours)


def first_cells(submission: Submission, lesson: int | str) -> tuple[dict[str, Any], ...]:
    """The cells of a notebook as it was handed out, if we have it."""
    return original(lesson) if isinstance(lesson, int) else OWN[lesson].original(submission.file)


@dataclass(frozen=True)
class Own:
    """A folder of a lecturer's own exercises."""

    folder: Path
    names: tuple[str, ...]

    def original(self, file: str) -> tuple[dict[str, Any], ...]:
        """The cells of the folder's notebook of this name; a student's name may be before it."""
        from .submissions import content, notebook

        name = PurePosixPath(file).name
        for path in sorted(self.folder.glob("*.ipynb"), key=lambda path: -len(path.name)):
            if name == path.name or re.search(r"[_\W]" + re.escape(path.name) + "$", name):
                return tuple(notebook("", path.name, content(path), {}).cells)
        return ()


OWN: dict[str, Own] = {}  # by the folder's name


def asked(source: str) -> list[str]:
    """The names of the exercises that a cell asks for."""
    return ASKS.findall(source)


def lesson_of(submission: Submission) -> int | str | None:
    """The number of the lesson that a notebook is, or the name of the folder of own exercises."""
    return lesson_number(submission) or own_of(submission)


def lesson_number(submission: Submission) -> int | None:
    if submission.lesson is not None and exercises.asked(submission.lesson):
        return submission.lesson
    names = [name for cell in submission.cells for name in asked(cell["source"])]
    found = {exercises.lesson_of(exercises.pages()[name]) for name in names if name in exercises.pages()}
    return found.pop() if len(found) == 1 else None


def changes(submission: Submission, lesson: int | str) -> list[str]:
    """What a lecturer should know of a notebook before they believe it: missing cells, another `viz`."""
    told = []
    ours, theirs = first_cells(submission, lesson), submission.cells
    known = {cell["id"] for cell in theirs}
    if ours and known & {cell["id"] for cell in ours}:  # else another editor has given all cells new ids
        gone = [cell for cell in ours if cell["id"] not in known]
        lost = [cell["id"] for cell in gone if asked(cell["source"]) or QUESTIONS.search(cell["source"])]
        if lost:
            told.append(f"cells with an exercise or questions are missing: {', '.join(lost)}")
        if len(gone) > len(lost):
            told.append(f"{len(gone) - len(lost)} other cells of the lesson are missing")
    same = {cell["source"] for cell in ours}
    for cell in theirs:
        if cell["kind"] == "code" and cell["source"] not in same:
            if replaced(cell["source"]):
                told.append(f"{called(cell['source'])} replaces viz, or a part of it")
            if says_right(cell["source"]):
                told.append(f"{called(cell['source'])} prints a ✓ of its own")
    return told


def called(source: str) -> str:
    """What a note calls a cell: by its exercise, else by its first line."""
    if names := asked(source):
        return f"the cell of {', '.join(names[:3])}"
    lines = [line.strip() for line in source.splitlines() if line.strip()]
    if not lines:
        return "an empty cell"
    return f"the cell that begins with `{lines[0] if len(lines[0]) <= 40 else lines[0][:37] + '…'}`"


def says_right(source: str) -> bool:
    """Whether a cell holds the sign of a right answer in a text of its own."""
    return any(
        isinstance(node, ast.Constant) and isinstance(node.value, str) and "✓" in node.value for node in nodes(source)
    )


def replaced(source: str) -> bool:
    """Whether a cell gives the name `viz` to something else, or assigns to a part of it."""
    aliases = {"viz"}
    for node in nodes(source):
        match node:
            case ast.Import(names=names):
                for each in names:
                    if each.asname == "viz" and each.name != "viz":
                        return True
                    if each.name.partition(".")[0] == "viz" and each.asname:
                        aliases.add(each.asname)
            case ast.ImportFrom(module=str(module), names=names):
                if any((each.asname or each.name) == "viz" for each in names):
                    return True
                if module.partition(".")[0] == "viz":
                    aliases |= {each.asname or each.name for each in names}
            case ast.FunctionDef(name="viz") | ast.ClassDef(name="viz") | ast.Name(id="viz", ctx=ast.Store()):
                return True
            case ast.Name(id="viz", ctx=ast.Del()):
                return True
    for node in nodes(source):
        match node:
            case ast.Attribute(ctx=ast.Store()) if root(node) in aliases:
                return True
            case ast.Call(func=ast.Name(id="setattr"), args=[first, *_]) if root(first) in aliases:
                return True
    return False


def root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


@cache
def nodes(source: str) -> tuple[ast.AST, ...]:
    """The nodes of a cell's code, whose magic lines are left out; none if it is no Python."""
    try:
        return tuple(ast.walk(ast.parse(MAGIC.sub(r"\1pass", source))))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()

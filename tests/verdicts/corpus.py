"""The answers of the corpus: those in answers/, written by hand, and mutants of the solutions, made by a program.

answers/NAME.txt has two parts, `== right` and `== wrong`. Blocks are separated by `--`. A block is one of these:

    what fills the gap of the cell, or the whole answer with its `def` or `class`
    changes of the solution, one a line: `old => new`, where `⏎` begins a new line with the old line's indentation

`⟦a || b || c⟧` in a block makes three answers of it. Several such places take turns: the first answer has the first
of each, and so on. A block that begins with `# open: REASON` is an answer on which the task leaves the verdict open.

Which half of the corpus an answer belongs to is decided by the hash of its code: `Answer.aside`.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from viz.lesson.exercises import load
from viz.lesson.task import TASKS, Task, defines

from .mutants import mutants

load()
FOLDER = Path(__file__).parent / "answers"
ORDERS = 60  # for an exercise whose lines must be put in order: as many that may be right, and as many others
MUTANTS = 30  # for each exercise, at most
SEED = "2026-11-27"  # of the halves, and of the choice of mutants


@dataclass(frozen=True)
class Answer:
    """An answer to an exercise.

    said: "right" or "wrong", as its author has labelled it; "" for a mutant.
    left_open: why the task leaves the verdict open; "" if it does not.
    """

    name: str
    code: str
    said: str = ""
    left_open: str = ""

    @property
    def key(self) -> str:
        return hashlib.sha256(f"{SEED} {self.name} {self.code}".encode()).hexdigest()

    @property
    def aside(self) -> bool:
        """Whether it belongs to the half that is set aside unseen."""
        return int(self.key[:8], 16) % 2 == 1


def answers(name: str) -> list[Answer]:
    """All answers to an exercise; no two have the same code."""
    task = TASKS[name]
    found: dict[str, Answer] = {task.gap: Answer(name, "")}  # the untouched cell is no answer
    for each in [*_by_hand(task), *_mutants(task)]:
        found.setdefault(each.code, each)
    return [each for each in found.values() if each.code]


def _by_hand(task: Task) -> Iterator[Answer]:
    if task.kind == "order":
        yield from _orders(task)
        return
    yield Answer(task.name, task.solution, "right")
    for said, block, reason in blocks(task.name):
        for text in expanded(block):
            yield Answer(task.name, whole(task, text), said, reason)


def _orders(task: Task) -> list[Answer]:
    """Orders of the lines: those in which each gradient is complete before it is used, and others by chance."""
    complete, others = [], []
    for order in itertools.permutations(range(len(task.lines))):
        sides = [task.lines[number].partition("=") for number in order]
        early = any(
            re.search(rf"\b{name}\b", before[2])
            for at, (left, _, _) in enumerate(sides)
            if (name := left.strip(" +")).endswith("_grad")
            for before in sides[: at + 1]
        )
        (others if early else complete).append(Answer(task.name, " ".join(map(str, order))))
    return complete[:ORDERS] + sorted(others, key=lambda each: each.key[8:])[:ORDERS]


def _mutants(task: Task) -> list[Answer]:
    if task.kind == "order":
        return []
    made = {code for code in mutants(task.solution) if code not in (task.gap, task.solution)}
    chosen = sorted((Answer(task.name, code) for code in made), key=lambda each: each.key[8:])
    return chosen[:MUTANTS]


def blocks(name: str) -> Iterator[tuple[str, str, str]]:
    """(right or wrong, text, why it is open) for each block of a file."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    for part in re.split(r"^== ", text, flags=re.M)[1:]:
        said, _, rest = part.partition("\n")
        for block in re.split(r"^--\n", rest, flags=re.M):
            reason = ""
            if found := re.match(r"# open: (.*)\n", block):
                reason, block = found[1], block[found.end() :]
            if block.strip():
                yield said.strip(), block.strip("\n"), reason


def expanded(block: str) -> list[str]:
    """The answers that a block with `⟦a || b⟧` stands for."""
    places = [each.split("||") for each in re.findall("⟦(.*?)⟧", block, flags=re.S)]
    found = []
    for turn in range(max(map(len, places), default=1)):
        chosen = iter([each[turn % len(each)].strip(" ") for each in places])
        found.append(re.sub("⟦.*?⟧", lambda _, chosen=chosen: next(chosen), block, flags=re.S))
    return found


def whole(task: Task, text: str) -> str:
    """The whole code of an answer."""
    lines = text.splitlines()
    if all(" => " in line or line.endswith(" =>") for line in lines):
        code = task.solution
        for line in lines:
            old, _, new = line.partition(" =>")
            code = _changed(code, old, new[1:])
        return code
    if task.wants in _defined(text) or task.kind == "value":
        return text + "\n"
    cell = task.gap.splitlines()
    gaps = [at for at, line in enumerate(cell) if "..." in line.partition("#")[0]]
    indent = re.match(" *", cell[gaps[0]])[0]
    filling = [indent + line if line else "" for line in lines]
    return "\n".join([*cell[: gaps[0]], *filling, *cell[gaps[-1] + 1 :]]) + "\n"


def _changed(code: str, old: str, new: str) -> str:
    """The code with the first `old` replaced by `new`. A line of which nothing is left is removed."""
    at = code.find(old)
    assert at >= 0, f"there is no {old!r} in\n{code}"
    start, end = code.rfind("\n", 0, at) + 1, code.find("\n", at + len(old))
    line = code[start : len(code) if end < 0 else end]
    indent = re.match(" *", line)[0]
    line = line.replace(old, new.replace("⏎", "\n" + indent), 1)
    return code[:start] + (line + code[end:] if line.strip() else code[end + 1 :])


def _defined(text: str) -> list[str]:
    try:
        return defines(text)
    except SyntaxError:
        return []

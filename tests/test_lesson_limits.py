"""How long a lesson may be, and how soon the reader may act.

A lesson has two sittings of at most 30 minutes. A sitting has at most 450 words, 13 cells and 6 stops; lesson 13 may
have twice as much. Words are those that a reader sees before answering anything: Markdown, comments in code, and the
first frame of each question, exercise and explorer. A stop is a prediction, an exercise or one question of
`viz.before` or `viz.after`.

`python tests/test_lesson_limits.py` prints the figures of all lessons.
The helper is lessons.py.
"""

import io
import json
import re
import sys
import tokenize
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from lessons import Lesson

from viz.explore.panel import Panel
from viz.lesson.ask import Questions
from viz.lesson.exercise import Exercise

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))
WORDS, CELLS, STOPS = 450, 13, 6
BEFORE_THE_FIRST, WITHOUT_ACTION = 40, 100  # words
WITHIN = 6  # cells, in which the one thing of the lesson begins
BACK = "# Run this, also after a break"  # the first line of a second sitting's first cell
START = "00"  # the start page is no lesson: it has one thing to play with, a link and the map

# The call that begins the one thing of each lesson (lesson 13's is the finished engine, at its end).
ONE_THING = {
    "01": "viz.explore.rectangle(",
    "02": "viz.explore.ledger(",
    "03": "viz.explore.slots(",
    "04": "viz.explore.row_and_column(",
    "05": "viz.explore.draw_curve(",
    "06": "viz.explore.shelf(",
    "07": "viz.explore.kink(",
    "08": "viz.explore.unrolled(",
    "09": "viz.trainer(",
    "10": "viz.clinic",
    "11": "viz.explore.ring(",
    "12": "jit(",
}


@dataclass
class Sitting:
    """What one sitting asks of a reader."""

    cells: int = 0
    stops: int = 0
    words: dict[str, int] = field(default_factory=dict)  # by where they stand

    def add(self, where: str, words: int) -> None:
        self.words[where] = self.words.get(where, 0) + words

    @property
    def total(self) -> int:
        return sum(self.words.values())

    def __str__(self) -> str:
        parts = ", ".join(f"{where} {words}" for where, words in self.words.items())
        return f"{self.total} words ({parts}), {self.cells} cells, {self.stops} stops"


def words(text: str) -> int:
    """The words of a text as a reader sees it: without markup, addresses and drawn code."""
    text = re.sub(r"```.*?```|<[^>]*>|\]\([^)]*\)", " ", text, flags=re.S)
    return sum(bool(re.search(r"\w", word)) for word in text.split())


def comments(code: str) -> int:
    """The words in the comments and docstrings of a cell."""
    found = 0
    previous, depth = tokenize.NEWLINE, 0
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT:
            found += words(token.string)
        elif (
            token.type == tokenize.STRING and not depth and previous in (tokenize.NEWLINE, tokenize.INDENT, tokenize.NL)
        ):
            found += words(token.string)
        depth += (token.string in tuple("([{")) - (token.string in tuple(")]}"))
        previous = token.type
    return found


def first_frame(ran) -> tuple[int, int]:
    """The words and the stops of what one run of a cell shows."""
    told, stops = 0, 0
    for question in ran.predictions:
        told += words(question.question) + words(" ".join(map(str, question.choices or ())))
        stops += 1
    for shown in ran.asking:
        if isinstance(shown, Questions):
            told += sum(words(str(ask.ask)) + words(" ".join(map(str, ask.choices))) for ask in shown.asks)
            stops += len(shown.asks)
        elif isinstance(shown, Exercise):
            told += words(str(shown.task.task))
            stops += 1
        elif isinstance(shown, Panel):
            told += words(shown.told)
    return told, stops


def sittings(path: Path) -> list[Sitting]:
    """What each sitting of this lesson holds."""
    with Lesson(path).open() as lesson:
        ran = iter(lesson.run_all())
    found = [Sitting()]
    for cell in cells(path):
        source = "".join(cell["source"])
        if source.startswith(BACK):
            found.append(Sitting())
        now = found[-1]
        now.cells += 1
        if cell["cell_type"] == "markdown":
            now.add("text", words(source))
        else:
            told, stops = first_frame(next(ran))
            now.add("comments", comments(source))
            now.add("first frames", told)
            now.stops += stops
    return found


def cells(path: Path) -> list[dict]:
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def problems(path: Path) -> list[str]:
    """In which ways this lesson is longer than a lesson may be, or lets the reader wait."""
    number, found = path.stem[:2], []
    more = 2 if number == "13" else 1
    all_sittings = sittings(path)
    if len(all_sittings) != 2:
        found.append(f"a lesson has two sittings, and the second one begins with a cell {BACK!r}")
    for name, sitting in zip(("first", "second"), all_sittings, strict=False):
        if sitting.total > WORDS * more or sitting.cells > CELLS * more or sitting.stops > STOPS * more:
            found.append(f"{name} sitting: {sitting}")
    stretch, first, asked = 0, True, False
    for place, cell in enumerate(cells(path)):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            stretch += words(source)
            limit = BEFORE_THE_FIRST if first else WITHOUT_ACTION
            if stretch > limit:
                found.append(f"cell {place}: {stretch} words without an action, of {limit}")
        else:
            asked = asked or "viz.before(" in source
            if first and asked:
                found.append("it begins with questions: let the reader cause something first")
            stretch, first = 0, False
    if number in ONE_THING:
        begins = "\n".join("".join(cell["source"]) for cell in cells(path)[:WITHIN])
        if ONE_THING[number] not in begins:
            found.append(f"{ONE_THING[number]}…) does not begin within the first {WITHIN} cells")
    return found


def lessons():
    for path in NOTEBOOKS:
        if path.stem[:2] != START:
            yield pytest.param(path, id=path.stem)


@pytest.mark.parametrize("path", list(lessons()))
def test_a_lesson_is_short_and_lets_the_reader_act(path):
    assert not problems(path)


@pytest.mark.parametrize("path", [path for path in NOTEBOOKS if path.stem[:2] != START], ids=lambda path: path.stem)
def test_the_second_sitting_runs_in_a_fresh_kernel(path):
    code = [cell for cell in cells(path) if cell["cell_type"] == "code"]
    starts = ["".join(cell["source"]).startswith(BACK) for cell in code].index(True)
    with Lesson(path).open() as lesson:
        for number in range(starts, len(code)):
            ran = lesson.run(number)
            meant = "raises-exception" in code[number]["metadata"].get("tags", [])
            assert meant or not ran.error, f"code cell {number}: {ran.error}"
            assert "NameError" not in ran.error


if __name__ == "__main__":
    for path in NOTEBOOKS:
        if path.stem[:2] != START and (not sys.argv[1:] or path.stem[:2] in sys.argv[1:]):
            print(
                path.stem, *(f"\n    {sitting}" for sitting in sittings(path)), *(f"\n  ✗ {p}" for p in problems(path))
            )

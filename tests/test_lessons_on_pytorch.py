"""Lessons with `import torch` in place of `import minigrad as torch`: every cell prints, draws and raises the same.

Run by `pytest -m torch`. Numbers may differ in their last digits, for another machine adds up in another order.
"""

import math
import re
from itertools import islice
from pathlib import Path

import pytest
from lessons import Lesson

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
LESSONS = ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10"]
TRACEBACK = re.compile(r"^\S*-{70}.*", re.M | re.S)  # through the library's own lines
# PyTorch's graph tells where a tensor was made at most, and there the line has another name; tests/clinic/ holds it
FORWARD = re.compile(r"^ *(?:ran forward|made|saved it|changed it) here:.*\n", re.M)
ADVICE = re.compile(r"^  (saved it|changed it) here:.*\n|^What to do:\n(  · .*\n?)+", re.M)  # in those lines' words
# advice that only PyTorch needs, and advice in the words of the line that made the change
ASKED = re.compile(
    r"\n  · (To see which line ran that operator|PyTorch does not report which lines these are).*"
    r"|(?<=: write )`.+?` instead of `.+?`, or insert `.+?`(?= before that line)"
)
STOPPED = re.compile(r"^  stopped here:.*\n", re.M)  # PyTorch looks at what was saved when forward has returned
LENGTH = re.compile(r"^The clinic explains this error below .*\n", re.M)  # said before a long traceback, as TRACEBACK
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+\.\d*(?:e[-+]?\d+)?(?!\w)")


@pytest.mark.torch
@pytest.mark.parametrize("number", LESSONS)
def test_a_lesson_says_the_same_on_pytorch(number):
    (path,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
    here, there = told(path), told(path, "torch")
    for cell, ours, theirs in zip(Lesson(path).cells, here, there, strict=True):
        assert NUMBER.sub("#", ours) == NUMBER.sub("#", theirs), cell
        for a, b in zip(NUMBER.findall(ours), NUMBER.findall(theirs), strict=True):
            assert math.isclose(float(a), float(b), rel_tol=1e-3, abs_tol=1e-6), cell


@pytest.mark.torch
@pytest.mark.parametrize("library", ["minigrad", "torch"])
def test_the_network_of_lesson_8_learns_as_the_lesson_says(library):
    first = on(next(cell for cell in Lesson(NOTEBOOKS / "08_rnn_unrolled.ipynb").cells if "def echo" in cell), library)
    learned = {T: [learns(first, T, seed) for seed in range(8)] for T in (10, 30)}
    assert learned[10].count(True) == 8 and learned[30].count(True) == 1


@pytest.mark.torch
@pytest.mark.parametrize("library", ["minigrad", "torch"])
def test_the_old_state_helps_in_lesson_9_as_its_answer_says(library):
    """With the sliders' first values it does for each seed; with the largest learning rate, for a few."""
    second = [
        on(cell, library) for cell in Lesson(NOTEBOOKS / "09_random_time_steps.ipynb").cells if "piece(start" in cell
    ]
    helped = {rate: sum(state_helps(second, rate, seed) for seed in range(1, 9)) for rate in (0.02, 0.1)}
    print(helped)
    assert helped[0.02] == 8 and helped[0.1] <= 4


def state_helps(cells: list[str], rate: float, seed: int) -> bool:
    """Is the mean loss of the last ten iterations lower if the next piece gets the old state?"""
    names: dict = {}
    for cell in (next(cell for cell in cells if "class RNN" in cell), next(c for c in cells if "keep_state" in c)):
        program = cell.replace("(1)\n", f"({seed})\n").partition("\npanel = ")[0].replace("import viz\n", "")
        exec(program, names)
    trainings = (names["train_pieces"](30, 32, rate, keep) for keep in (True, False))
    kept, dropped = (sum([each["loss"].item() for each in training][-10:]) for training in trainings)
    return kept < dropped


def learns(cell: str, T: int, seed: int) -> bool:
    """Does the program of this cell learn the task within 300 iterations?"""
    program = cell.replace("manual_seed(1)", f"manual_seed({seed})").partition("viz.trainer(")[0]
    names: dict = {}
    exec(program.replace("import viz\n", "").partition("\nimport math\n")[2], names)  # without the lines for Colab
    losses = [each["loss"].item() for each in islice(names["echo"](T), 300)]
    return sum(losses[-10:]) / 10 < 0.1


def told(path: Path, library: str = "minigrad") -> list[str]:
    """What each code cell says: its error, what it prints, and what it shows, in words."""
    lesson = Lesson(path)
    if library != "minigrad":
        lesson.cells = [on(cell, library) for cell in lesson.cells]
    with lesson.open():
        all_cells = lesson.run_all()
    said = ["\n".join([ran.error, TRACEBACK.sub("", ran.printed), *map(repr, ran.shown)]) for ran in all_cells]
    said = [LENGTH.sub("", FORWARD.sub("", text)) for text in said]
    more = {"06": ASKED, "07": STOPPED, "10": ADVICE}.get(path.stem[:2])
    return [more.sub("", text) for text in said] if more else said


def on(cell: str, library: str) -> str:
    """A cell as it is with another library."""
    cell = cell.replace("import minigrad as torch", f"import {library} as torch")
    return cell.replace("from minigrad import", f"from {library} import")

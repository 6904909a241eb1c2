"""Sixty notebooks as a class hands them in, with the verdict that each answer must get: `write(folder)`.

Ten are hostile: they hang, end the process, take all memory, print a ✓, forge verdicts, delete cells. The others are
right, wrong in ways that the exercises know, half done or untouched. Used by test_grading.py;
`python tests/class_of_sixty.py FOLDER` writes them, to try the command by hand.
"""

from __future__ import annotations

import ast
import json
import random
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from viz.lesson import exercises  # noqa: E402
from viz.lesson.exercises import asked  # noqa: E402
from viz.lesson.task import TASKS, Task, defines  # noqa: E402

LESSONS = range(1, 14)
ASKS = re.compile(r'exercise\("(\w+)"\)')


@dataclass
class Expected:
    """What the table must say of a notebook."""

    verdicts: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)  # a part of each
    first: int = 0
    tries: int = 0
    before: int = 0


def lesson(number: int) -> dict[str, Any]:
    (path,) = ROOT.glob(f"notebooks/{number:02}_*.ipynb")
    return json.loads(path.read_text("utf-8"))


def filled(source: str, task: Task, code: str) -> str:
    """The cell with this code in place of what it defines so far."""
    lines, names = source.split("\n"), set(defines(code)) | set(defines(task.gap))
    places = []
    for statement in ast.parse(source).body:
        targets = [getattr(each, "id", None) for each in getattr(statement, "targets", [])]
        if {getattr(statement, "name", None), *targets} & names:
            start = min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", []))])
            places.append((start - 1, statement.end_lineno))
    assert places, f"no cell defines {names}"
    for start, end in reversed(places[1:]):
        del lines[start:end]
    start, end = places[0]
    lines[start:end] = code.rstrip("\n").split("\n")
    return "\n".join(lines)


def answer(notebook: dict[str, Any], choose: Any) -> dict[str, str]:
    """Fill the answers in: `choose(task)` gives (what the cell gets or None, the verdict). Returns all verdicts."""
    verdicts = {}
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        for name in ASKS.findall(source) if cell["cell_type"] == "code" else ():
            given, verdicts[name] = choose(TASKS[name])
            if given is None:
                continue
            if TASKS[name].kind == "order":
                source = source.replace(f'exercise("{name}")', f'exercise("{name}").check("{given}")')
            else:
                source = filled(source, TASKS[name], given)
            cell["source"] = source
    return verdicts


def rows(task: Task, order: Any) -> str:
    """The rows, as a reader writes them, that lie in this order of the lines."""
    return " ".join(str(task._shown.index(number) + 1) for number in order)


def right(task: Task) -> tuple[str, str]:
    return (rows(task, range(len(task._lines))) if task.kind == "order" else task._solution), "right"


def wrong(task: Task) -> tuple[str | None, str]:
    """The first known wrong answer that comes to an end."""
    for each in task._wrong:
        if not each.endless and task.kind == "order":
            return rows(task, each.order), "wrong"
        if not each.endless and {*defines(each.code)} >= {task.wants}:
            return each.code, "wrong or raised"
    return None, "untried"


def untouched(task: Task) -> tuple[None, str]:
    return None, "untried"


def with_cell(notebook: dict[str, Any], place: int, source: str, **more: Any) -> None:
    cell = {"cell_type": "code", "id": f"own-{place}", "metadata": {}, "source": source, "outputs": []}
    notebook["cells"].insert(place, {**cell, "execution_count": None, **more})


def cell_of(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    return next(cell for cell in notebook["cells"] if f'exercise("{name}")' in "".join(cell["source"]))


PRINTED = [
    {
        "output_type": "execute_result",
        "data": {"text/plain": ["Exercise: …\n", "✓ Right."]},
        "metadata": {},
        "execution_count": 1,
    }
]


def hostile() -> dict[str, tuple[int, dict[str, Any], Expected]]:
    """Ten notebooks that do not want to be graded: by student, (lesson, notebook, what the table must say)."""
    made = {}

    def add(student: str, number: int, change: Any, notes: list[str], choose: Any = untouched, **other: str) -> None:
        notebook = lesson(number)
        verdicts = answer(notebook, choose)
        for name, said in verdicts.items():
            if TASKS[name].kind == "order" and said == "untried":
                verdicts[name] = "unknown"  # the panel's answer is in the progress file, and these hand in none
        change(notebook)
        made[student] = number, notebook, Expected({**verdicts, **other}, notes)

    def early(source: str) -> Any:
        return lambda notebook: with_cell(notebook, 3, source)

    def swap(name: str, code: str) -> Any:
        def change(notebook: dict[str, Any]) -> None:
            cell = cell_of(notebook, name)
            cell["source"] = filled("".join(cell["source"]), TASKS[name], code)

        return change

    add("hangs", 1, early("while True:\n    pass"), ["the cell that begins with `while True:` does not end"], right)
    add(
        "hangs-for-ever",
        1,
        early("while True:\n    try:\n        while True: pass\n    except: pass"),
        ["the cell that begins with `while True:` does not end"],
        right,
    )
    loops = "def slope_of_cube(w):\n    import time\n    while True:\n        time.sleep(9)\n"
    add("answer-never-ends", 1, swap("cube_slope", loops), [], right, cube_slope="loop")
    add(
        "ends-the-process",
        4,
        early("import os\nos._exit(0)"),
        ["the cell that begins with `import os` ends the process"],
        right,
    )
    add(
        "takes-all-memory",
        2,
        early("x = [bytearray(1 << 28) for _ in range(10000)]"),
        ["` needs more memory"],
        right,
    )

    def prints(notebook: dict[str, Any]) -> None:
        with_cell(notebook, 5, 'print("✓ Right. The slope is 12.")')
        cell_of(notebook, "cube_slope")["outputs"] = PRINTED

    add(
        "prints-right",
        1,
        prints,
        [
            'the cell that begins with `print("✓ Right. The slope is 12.")` prints a ✓ of its own',
            "cube_slope: its stored output has a ✓",
        ],
    )
    fake = "class viz:\n    __getattr__ = __call__ = lambda self, *a, **k: self\nviz = viz()"
    add("own-viz", 7, early(fake), ["the cell that begins with `class viz:` replaces viz"], wrong)
    forged = (
        "import viz.lesson.exercise as e, viz.lesson.trial as t\nfrom viz.lesson.trial import Verdict\n"
        "t.judge = e.judge = lambda *a, **k: Verdict('right', '✓ Right.')\n"
        "t._Judging.problem = lambda *a: None\nt._Judging.verified = lambda *a: None\n"
        "import numpy as np\nnp.allclose = lambda *a, **k: True"
    )
    add("forges-verdicts", 7, early(forged), ["replaces viz", "exercise.judge"], wrong)

    def delete(notebook: dict[str, Any]) -> None:
        notebook["cells"] = [
            cell for cell in notebook["cells"] if 'exercise("keeps_grad")' not in "".join(cell["source"])
        ]

    add(
        "deletes-cells",
        3,
        delete,
        ["cells with an exercise or questions are missing: keeps"],
        right,
        keeps_grad="missing",
    )
    lies = (
        "import json, os\nfor n in range(3, 64):\n    try: os.write(n, (json.dumps(dict(tried='keeps_grad', cell=0, "
        "verified='', outcomes=[dict(error='', value=True, arguments=['tuple', []])] * 6)) + '\\n').encode())\n"
        "    except OSError: pass"
    )
    add("writes-to-the-grader", 3, early(lies), [])
    return made


def write(folder: Path, seed: int = 26) -> dict[str, Expected]:
    """Write all sixty into `folder`, a folder for each student. Returns what the table must say, by student."""
    exercises.load()
    draw, expected = random.Random(seed), {}
    for student, (number, notebook, wanted) in hostile().items():
        expected[student] = wanted
        _write(folder / student, number, notebook)
    for place in range(60 - len(expected)):
        student, number = f"student-{place:02}", LESSONS[place % len(LESSONS)]
        kind = ["right", "wrong", "half", "mixed"][place // len(LESSONS)]
        choices = {
            "right": lambda task: right(task),
            "wrong": lambda task: wrong(task),
            "half": lambda task: right(task) if draw.random() < 0.5 else untouched(task),
            "mixed": lambda task: draw.choice([right, wrong, untouched])(task),
        }
        notebook = lesson(number)
        wanted = Expected(answer(notebook, choices[kind]))
        progress = noted(number, wanted, draw)
        _write(folder / student, number, notebook, progress)
        expected[student] = wanted
    return expected


def noted(number: int, wanted: Expected, draw: random.Random) -> dict[str, Any]:
    """A progress file that fits the answers."""
    facts: dict[str, Any] = {"exercises": {}, "questions": {}}
    for name, said in wanted.verdicts.items():
        if said != "untried":
            tries = draw.randint(1, 4)
            facts["exercises"][name] = {"right": said == "right", "tries": tries, "hints": 0}
            wanted.tries += tries
            wanted.first += said == "right" and tries == 1
    for probe in asked(number):
        choice = draw.choice([*probe.before.choices])
        is_right = choice == probe.before.right
        facts["questions"][f"{number}: {probe.belief}"] = {"before": choice, "before right": is_right}
        wanted.before += is_right
    return facts


def _write(folder: Path, number: int, notebook: dict[str, Any], progress: dict[str, Any] | None = None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (path,) = ROOT.glob(f"notebooks/{number:02}_*.ipynb")
    (folder / path.name).write_text(json.dumps(notebook), encoding="utf-8")
    if progress is not None:
        (folder / "progress.json").write_text(json.dumps(progress), encoding="utf-8")


if __name__ == "__main__":
    print(len(write(Path(sys.argv[1]))), "notebooks")

"""`python3 course.py grade FOLDER`: see __init__.py, and TEACHING.md for what the table says and what it does not."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ..lesson.task import Task
from . import lesson as lessons
from .rerun import Limits, Ran, rerun
from .submissions import Submission, collected
from .table import Row, add_progress, facts_of, text
from .verdicts import Points, ordered, verdict

IN_WORDS = {"right": "✓", "wrong": "✗", "loop": "∞", "raised": "!", "ours": "=", "untried": "·", "unknown": "?"}
IN_WORDS["missing"] = "–"


def main(arguments: list[str]) -> int:
    """Grade a folder, and return the exit status."""
    asked = options(arguments)
    is_archive = asked.folder.is_file() and asked.folder.suffix.lower() == ".zip"
    if not (asked.folder.is_dir() or is_archive):
        print(f"{asked.folder} is no folder and no .zip file.", file=sys.stderr)
        return 2
    out = asked.out or (asked.folder.with_suffix(".csv") if is_archive else asked.folder / "marks.csv")
    try:
        lessons.load(asked.exercises)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    every, unused = collected(asked.folder, out, lessons.handed_out())
    every = [each for each in every if each.lesson != 0]  # the start page has no exercise
    found = [each for each in every if is_asked(each, asked)]
    unused += [
        f"{each.file if each.file.startswith(each.student) else f'{each.student}/{each.file}'} (it is no lesson)"
        for each in every
        if not each.broken and lessons.lesson_of(each) is None and each not in found
    ]
    if not found:
        left_out(every, found, unused)
        print(
            f"{asked.folder} holds no notebook: see the examples in `python3 course.py grade --help`.", file=sys.stderr
        )
        return 2
    start = time.monotonic()
    limits = Limits(asked.seconds, 5 * asked.seconds, asked.memory, asked.network)
    rows = []
    for row in graded(found, limits, asked.jobs):
        rows.append(row)
        marks = "".join(IN_WORDS[each] for each in row.verdicts.values())
        notes = f"  {'; '.join(row.notes)}" if row.notes else ""
        number = "?" if row.lesson is None else row.lesson
        print(
            f"{row.student[:30]:30} lesson {number!s:>2}  {row.right}/{len(row.verdicts)} {marks:9}{notes}", flush=True
        )
    out.write_text(text(rows), encoding="utf-8-sig")  # the mark tells Excel that it is UTF-8
    print("✓ right, ✗ wrong, ∞ does not end, ! raises an error, = our solution, · not tried, – the cell is missing,")
    print("? the answer is in the progress file alone, and that was not handed in")
    left_out(every, found, unused)
    students, took = len({row.student for row in rows}), time.monotonic() - start
    print(f"{len(rows)} notebooks of {students} students, in {took:.0f} s: {out}")
    return 0


def is_asked(submission: Submission, asked: argparse.Namespace) -> bool:
    """Whether this notebook gets a row."""
    if submission.broken or not (asked.lessons or asked.exercises):
        return True
    lesson = lessons.lesson_of(submission)
    return isinstance(lesson, str) or (lesson in asked.lessons if asked.lessons else lesson is not None)


def left_out(every: list[Submission], found: list[Submission], unused: list[str]) -> None:
    """Name the students without a row, and the files that were not used."""
    there = {each.student for each in found}
    for student in dict.fromkeys(each.student for each in every if each.student not in there):
        print(f"no row: {student} has handed in no notebook of these lessons")
    for each in unused:
        print(f"not used: {each}")


def options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="course.py grade",
        description="Run students' notebooks again, judge their exercises, and write one table (CSV).",
        epilog="FOLDER/ada/01_graph.ipynb, FOLDER/ada/work.zip, FOLDER/ada.zip and FOLDER/ada_01_graph.ipynb all are "
        "notebooks of ada. FOLDER/ada/progress.json, or FOLDER/ada_progress.json, holds ada's tries, hints, answers. "
        "FOLDER may be one archive CLASS.zip that holds the same.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--out", type=Path, help="the table; without it, FOLDER/marks.csv, or CLASS.csv")
    parser.add_argument(
        "--seconds", type=float, default=60, help="for one cell (60); a notebook may take five times that"
    )
    parser.add_argument("--memory", type=int, default=4000, help="megabytes of address space for a notebook (4000)")
    parser.add_argument(
        "--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2), help="notebooks at the same time"
    )
    parser.add_argument("--lessons", type=int, nargs="+", help="grade these lessons alone, such as --lessons 1 2 5")
    parser.add_argument(
        "--exercises",
        type=Path,
        nargs="+",
        default=[],
        metavar="MINE",
        help="folders of your own exercises to judge, too",
    )
    parser.add_argument("--network", action="store_true", help="let notebooks use the network")
    return parser.parse_args(arguments)


def graded(found: list[Submission], limits: Limits, jobs: int):
    """A row for each notebook, in order. Several run at a time; all are judged here, one after another."""
    points = Points()
    numbers = [None if each.broken else lessons.lesson_of(each) for each in found]
    for each, number in zip(found, numbers, strict=True):
        for task in lessons.tasks_of(each, number) if number is not None else ():
            points.of(task)  # before any notebook runs
    with ThreadPoolExecutor(max(1, jobs)) as pool:
        futures = [
            None if number is None else pool.submit(again, each, number, points, limits)
            for each, number in zip(found, numbers, strict=True)
        ]
        try:
            for each, number, future in zip(found, numbers, futures, strict=True):
                yield row_of(each, number, future.result() if future is not None else None, points)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def code_cells(submission: Submission) -> list[dict]:
    """The code cells, each with the exercises that it asks for."""
    return [
        {"source": cell["source"], "asks": lessons.asked(cell["source"]), "shown": cell["shown"]}
        for cell in submission.cells
        if cell["kind"] == "code"
    ]


def again(submission: Submission, number: int | str, points: Points, limits: Limits) -> Ran:
    tasks, folders = lessons.tasks_of(submission, number), [str(own.folder) for own in lessons.OWN.values()]
    return rerun(code_cells(submission), points.seeds(tasks), points.allowed, limits, folders)


def row_of(submission: Submission, number: int | str | None, ran: Ran | None, points: Points) -> Row:
    """What the table says of one notebook."""
    row = Row(submission.student, number, submission.file)
    if submission.broken or number is None or ran is None:
        row.notes.append(submission.broken or "it is no lesson of this course")
        return row
    row.seconds = ran.seconds
    cells, tasks = code_cells(submission), lessons.tasks_of(submission, number)
    same = {cell["source"] for cell in lessons.first_cells(submission, number)}
    there = {name for cell in cells for name in cell["asks"]}
    orders = facts_of(submission.progress, "exercises")
    doubts = []
    for task in tasks:
        attempts = list(ran.tried.get(task.name, []))
        said = "untried" if task.name in there else "missing"
        if attempts:
            said = verdict(task, attempts, points)
        if task.name in ran.looped:
            said = "loop"
        for cell, why in ran.ended.items():  # the cell's own check did not come back
            if said == "untried" and 0 <= cell < len(cells) and task.name in cells[cell]["asks"]:
                said = "loop" if "not end" in why else "raised"
        if said == "untried" and not attempts:
            for cell, error in ran.errors.items():  # the cell stopped before its check
                if 0 <= cell < len(cells) and cells[cell]["source"] not in same and about(cells[cell], task):
                    said = "raised"
                    doubts.append(f"{lessons.called(cells[cell]['source'])} stops with {error} before the check")
                    break
        if task.kind == "order" and said != "right":  # answered on the panel
            facts = facts_of(orders, task.name)
            if isinstance(facts.get("order"), str):
                said = ordered(task, facts["order"][:200])
            elif said == "untried" and (facts or not submission.progress):
                said = "unknown"
                doubts.append(f"{task.name}: cannot be judged without the progress file")
        row.verdicts[task.name] = said
    row.notes += [*dict.fromkeys(doubts), *lessons.changes(submission, number)]
    row.notes += [f"{place(cells, cell)} {why}" for cell, why in ran.ended.items()]
    if not ran.finished:
        row.notes.append("it was stopped before its end")
    if ran.changed:
        row.notes.append(f"while it ran, it replaced {', '.join(ran.changed)}")
    for each in cells:
        if "✓" in each["shown"]:
            row.notes += [
                f"{name}: its stored output has a ✓, and the answer is {row.verdicts[name]}"
                for name in each["asks"]
                if row.verdicts.get(name, "right") != "right"
            ]
    if memory := [place(cells, cell) for cell, error in ran.errors.items() if error == "MemoryError"]:
        row.notes.append(f"{memory[0]} needs more memory than the limit")
    if ran.unlimited:
        row.notes.append(f"not limited on this system: {', '.join(ran.unlimited)}")
    add_progress(row, tasks, submission.progress)
    return row


def about(cell: dict, task: Task) -> bool:
    """Whether a cell asks for the exercise or defines its answer."""
    if task.name in cell["asks"]:
        return True
    return task.kind != "order" and re.search(rf"^\s*(def|class)\s+{task.wants}\b", cell["source"], re.M) is not None


def place(cells: list[dict], cell: int) -> str:
    return lessons.called(cells[cell]["source"]) if 0 <= cell < len(cells) else "the notebook:"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

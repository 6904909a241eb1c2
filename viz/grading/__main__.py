"""`python3 course.py grade FOLDER`: see __init__.py, and TEACHING.md for what the table says and what it does not."""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import lesson as lessons
from .rerun import Limits, Ran, rerun
from .submissions import Submission, submissions
from .table import Row, add_progress, text
from .verdicts import Points, ordered, verdict

IN_WORDS = {"right": "✓", "wrong": "✗", "loop": "∞", "raised": "!", "ours": "=", "untried": "·", "missing": "–"}


def main(arguments: list[str]) -> int:
    """Grade a folder, and return the exit status."""
    asked = options(arguments)
    if not asked.folder.is_dir():
        print(f"{asked.folder} is no folder.", file=sys.stderr)
        return 2
    out = asked.out or asked.folder / "marks.csv"
    found = [each for each in submissions(asked.folder) if each.lesson != 0]  # the start page has no exercise
    if asked.lessons:
        found = [each for each in found if each.broken or lessons.lesson_of(each) in asked.lessons]
    if not found:
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
    print("✓ right, ✗ wrong, ∞ does not end, ! raises an error, = our solution, · not tried, – the cell is missing")
    students, took = len({row.student for row in rows}), time.monotonic() - start
    print(f"{len(rows)} notebooks of {students} students, in {took:.0f} s: {out}")
    return 0


def options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="course.py grade",
        description="Run students' notebooks again, judge their exercises, and write one table (CSV).",
        epilog="FOLDER/ada/01_graph.ipynb, FOLDER/ada.zip and FOLDER/ada_01_graph.ipynb all are notebooks of ada; a "
        "progress.json beside a notebook holds tries, hints and answers.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--out", type=Path, help="the table; without it, FOLDER/marks.csv")
    parser.add_argument(
        "--seconds", type=float, default=60, help="for one cell (60); a notebook may take five times that"
    )
    parser.add_argument("--memory", type=int, default=4000, help="megabytes of address space for a notebook (4000)")
    parser.add_argument(
        "--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2), help="notebooks at the same time"
    )
    parser.add_argument("--lessons", type=int, nargs="+", help="grade these lessons alone, such as --lessons 1 2 5")
    parser.add_argument("--network", action="store_true", help="let notebooks use the network")
    return parser.parse_args(arguments)


def graded(found: list[Submission], limits: Limits, jobs: int):
    """A row for each notebook, in order. Several run at a time; all are judged here, one after another."""
    points = Points()
    numbers = [None if each.broken else lessons.lesson_of(each) for each in found]
    for lesson in sorted({number for number in numbers if number is not None}):
        for task in lessons.tasks(lesson):
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
    """The code cells, each with its place in the notebook and the exercises that it asks for."""
    return [
        {"place": place, "source": cell["source"], "asks": lessons.asked(cell["source"]), "shown": cell["shown"]}
        for place, cell in enumerate(submission.cells)
        if cell["kind"] == "code"
    ]


def again(submission: Submission, number: int, points: Points, limits: Limits) -> Ran:
    tasks = lessons.tasks(number)
    return rerun(code_cells(submission), points.seeds(tasks), points.allowed, limits)


def row_of(submission: Submission, number: int | None, ran: Ran | None, points: Points) -> Row:
    """What the table says of one notebook."""
    row = Row(submission.student, number, submission.file)
    if submission.broken or number is None or ran is None:
        row.notes.append(submission.broken or "it is no lesson of this course")
        return row
    row.seconds = ran.seconds
    cells, tasks = code_cells(submission), lessons.tasks(number)
    there = {name for cell in cells for name in cell["asks"]}
    orders = submission.progress.get("exercises")
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
        if task.kind == "order" and said != "right" and isinstance(orders, dict):  # answered on the panel
            facts = orders.get(task.name)
            if isinstance(facts, dict) and isinstance(facts.get("order"), str):
                said = ordered(task, facts["order"][:200])
        row.verdicts[task.name] = said
    row.notes += lessons.changes(submission, number)
    row.notes += [f"cell {place(cells, cell)} {why}" for cell, why in ran.ended.items()]
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
        row.notes.append(f"cell {memory[0]} needs more memory than the limit")
    if ran.unlimited:
        row.notes.append(f"not limited on this system: {', '.join(ran.unlimited)}")
    add_progress(row, tasks, submission.progress)
    return row


def place(cells: list[dict], cell: int) -> str:
    return str(cells[cell]["place"]) if 0 <= cell < len(cells) else "?"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

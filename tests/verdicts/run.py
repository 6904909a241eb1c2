"""Ask the check about each answer of the corpus, and compare its verdict with the truth.

python -m tests.verdicts.run                  the half that is open
python -m tests.verdicts.run descend share    these exercises
python -m tests.verdicts.run --aside          the half set aside
python -m tests.verdicts.run --all            both
python -m tests.verdicts.run --torch          with PyTorch, where the exercise allows it
python -m tests.verdicts.run --again 20       twenty verdicts on each answer: a check draws other points each time
python -m tests.verdicts.run --hints 100      as many wrong answers with a hint, drawn by a fixed seed
python -m tests.verdicts.run --hints 100 --seed 7     drawn by another one
"""

from __future__ import annotations

import hashlib
import io
import linecache
import math
import sys
import time
import warnings
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

import numpy as np

import minigrad
from viz.lesson.limit import TooLong, within
from viz.lesson.task import TASKS, Task
from viz.lesson.trial import Verdict, judge
from viz.locale import pick

from .corpus import Answer, answers
from .oracles import ORACLES

ON_MINIGRAD = {"if_in_a_trace"}  # its trace is a feature of minigrad


@dataclass(frozen=True)
class Result:
    """An answer with its truth ("" if it is right, else what is wrong) and the check's verdict."""

    answer: Answer
    truth: str
    verdict: Verdict

    @property
    def false(self) -> bool:
        """Whether the verdict is wrong."""
        return not self.answer.left_open and self.verdict.right != (not self.truth)


def made(task: Task, code: str, torch: Any) -> Any:
    """What a reader has made by running `code` in a cell; raises what the code raises."""
    file = f"<answer {task.name} {hashlib.sha256(code.encode()).hexdigest()[:12]}>"
    names: dict[str, Any] = {"torch": torch, "np": np, "math": math, "__name__": "answer"}
    if task.setup:
        exec(compile(task.setup, f"<setup {task.name}>", "exec"), names)
    linecache.cache[file] = (len(code), None, code.splitlines(True), file)
    exec(compile(code, file, "exec"), names)
    return names[task.wants]


def truth(answer: Answer, torch: Any) -> str:
    """What is wrong with an answer, from the oracle of its exercise; "" if nothing is."""
    task = TASKS[answer.name]
    try:
        with calm():
            return within(2.0, ORACLES[answer.name], lambda: _fresh(task, answer, torch), torch) or ""
    except TooLong:
        return "it does not end"
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and not error.args:
            raise
        return f"{type(error).__name__}: {error}"
    finally:
        torch.set_grad_enabled(True)
        torch.set_default_dtype(torch.float32)


def _fresh(task: Task, answer: Answer, torch: Any) -> Any:
    code = answer.code
    if task.kind == "order":
        code = task.program([int(each) for each in code.split()])
    return made(task, code, torch)


def verdict_on(answer: Answer, torch: Any) -> Verdict:
    """The check's verdict."""
    task = TASKS[answer.name]
    with calm():
        if task.kind == "order":
            return judge(task, tuple(int(each) for each in answer.code.split()), torch=torch)
        try:
            given = made(task, answer.code, torch)
        except Exception as error:  # the cell stops with an error, and nothing is checked
            return Verdict("cell", f"{type(error).__name__}: {error}")
        try:
            return judge(task, given, torch=torch, seconds=1.0)
        finally:
            torch.set_grad_enabled(True)
            torch.set_default_dtype(torch.float32)


class calm:
    """No output and no warnings."""

    def __enter__(self) -> None:
        self.stack = [redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()), warnings.catch_warnings()]
        for each in self.stack:
            each.__enter__()
        warnings.simplefilter("ignore")

    def __exit__(self, *how: Any) -> None:
        for each in reversed(self.stack):
            each.__exit__(*how)


def results(name: str, torch: Any = minigrad, aside: bool | None = None, times: int = 1) -> list[Result]:
    """The results of an exercise: of one half, or, with None, of both. Of `times` verdicts, a false one if any is."""
    found = []
    for each in answers(name):
        if aside is None or each.aside == aside:
            wrong = truth(each, torch)
            for _ in range(times):
                result = Result(each, wrong, verdict_on(each, torch))
                if result.false:
                    break
            found.append(result)
    return found


def names_for(torch: Any) -> list[str]:
    return [name for name in sorted(TASKS) if name in ORACLES and (torch is minigrad or name not in ON_MINIGRAD)]


def drawn(names: Sequence[str], torch: Any, count: int, seed: str = "") -> list[Result]:
    """Wrong answers that get a hint, drawn by a seed."""
    every = [each for name in names for each in answers(name) if not each.left_open and each.said != "right"]
    found: list[Result] = []
    for each in sorted(every, key=lambda each: hashlib.sha256(f"hints {seed}{each.key}".encode()).hexdigest()):
        if len(found) == count:
            break
        result = Result(each, truth(each, torch), verdict_on(each, torch))
        if result.truth and result.verdict.hint:
            found.append(result)
    return found


def main(arguments: list[str]) -> int:
    torch: Any = minigrad
    if "--torch" in arguments:
        import torch
    if "--hints" in arguments:
        seed = arguments[arguments.index("--seed") + 1] if "--seed" in arguments else ""
        count = int(arguments[arguments.index("--hints") + 1])
        for number, each in enumerate(drawn(names_for(torch), torch, count, seed), 1):
            print(shown(each).replace("## ", f"## {number}. ", 1), flush=True)
        return 0
    names = [each for each in arguments if not each.startswith("--") and not each.isdigit()] or names_for(torch)
    aside = None if "--all" in arguments else "--aside" in arguments
    times = int(arguments[arguments.index("--again") + 1]) if "--again" in arguments else 1
    every: list[Result] = []
    print(f"{'exercise':18} right wrong  open  false  hinted     s")
    for name in names:
        start = time.process_time()
        found = results(name, torch, aside, times)
        every += found
        print(f"{name:18} {told(found)} {time.process_time() - start:5.1f}", flush=True)
        for each in found:
            by_hand = each.answer.said and (each.answer.said == "right") != (not each.truth)
            if "--quiet" not in arguments and (each.false or by_hand and not each.answer.left_open):
                print(f"    labelled {each.answer.said or 'by no hand'}, truth: {each.truth or 'right'}")
                print(f"    verdict: {each.verdict.kind}: {each.verdict.text}")
                print("        " + each.answer.code.strip().replace("\n", "\n        "))
    print(f"{'all':18} {told(every)}")
    return sum(each.false for each in every)


def shown(result: Result) -> str:
    """The task, the answer and the reply, for a reader who judges the reply."""
    task, code = TASKS[result.answer.name], result.answer.code.strip()
    if task.kind == "order":
        code = task.program([int(each) for each in code.split()]).strip()
    cell = "" if task.kind == "order" else f"The cell:\n\n```python\n{task.gap.strip()}\n```\n\n"
    text = f"## {task.name}\n\nTask: {pick(task.task, 'en')}\n\n{cell}"
    return text + f"The answer:\n\n```python\n{code}\n```\n\nThe reply: {result.verdict.text}\n"


def told(found: Sequence[Result]) -> str:
    closed = [each for each in found if not each.answer.left_open]
    wrong = [each for each in closed if each.truth]
    hinted = sum(bool(each.verdict.hint) for each in wrong)
    false = sum(each.false for each in found)
    share = f"{hinted / len(wrong):6.1%}" if wrong else "     —"
    return f"{len(closed) - len(wrong):5} {len(wrong):5} {len(found) - len(closed):5} {false:6} {share:>7}"


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))

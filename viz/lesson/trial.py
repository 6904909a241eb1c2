"""Try a reader's answer: `judge(task, given)` says whether it is right, and if not, how it differs.

The reader's code, the solution, and the code of every wrong belief run on the same points, each on new copies of
them. The reader's values are compared with the solution's, to say right or wrong, and with each belief's, to say why.
Any behaviour of the reader's code ends in a sentence: an exception names the line, and an endless loop is stopped.
Imports task.py, compare.py, limit.py, debugger.py, quiet.py, said.py and NumPy. Read next: exercise.py.
"""

from __future__ import annotations

import dis
import importlib
import inspect
import linecache
import math
import os
import re
import secrets
import sysconfig
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ..locale import language, pick
from ..locale.sentences import ended
from .compare import alike, array_of, brief, is_tensor, kind, same
from .debugger import left_by
from .limit import LONG, Allowance, TooLong, within
from .quiet import quiet
from .said import WORDS, counted, kind_in_words
from .task import Task, parameters, plain_call, solutions_shown

EXACT = 1e-4, 1e-6  # the tolerances, relative and absolute, for a wrong answer to be a known one
SECONDS = 5.0  # the limit for a reader's code, for all points together
OURS = (
    os.path.join(Path(__file__).parents[1], ""),
    os.path.join(Path(__file__).parents[2], "minigrad", ""),
    *{sysconfig.get_path(each) for each in ("stdlib", "purelib", "platlib")},
)
LIBRARIES = ("minigrad", "viz", "torch", "numpy", "threading", "importlib")


@dataclass(frozen=True)
class Verdict:
    """The verdict on an answer.

    kind: "right"; "untried"; "wrong" (another value), "type", "shape", "None", "printed", "missing"; "changed" (an
        argument, which belongs to the caller); "raised"; "loop"; "callable", "arguments" (it cannot be called); "busy"
        (the machine is too slow, and nothing was tried).
    text: the sentences; the last is the hint for the belief that gives this answer, which is also in `hint`.
    printed: what the reader's code printed. pictures: two SVGs, the reader's and the solution's.
    """

    kind: str
    text: str
    hint: str = ""
    printed: str = ""
    pictures: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        return self.kind == "right"


@dataclass
class Outcome:
    """The outcome of one run: a value, or an error."""

    arguments: tuple
    value: Any = None
    error: BaseException | None = None
    printed: str = ""


def not_tried(task: Task, lang: str) -> str:
    """The text for an exercise whose cell is unchanged."""
    return pick(task.unmended, lang) if task.unmended else WORDS[lang][task.untried]


def judge(
    task: Task, given: Any, *, torch: types.ModuleType | None = None, lang: str | None = None, seconds: float = SECONDS
) -> Verdict:
    """Say whether `given`, a reader's function, class or value, solves the task.

    torch: the library that the reader uses; by default, the one that their code names, else minigrad.
    seconds: how long their code may run, for all points together.
    """
    lang = language(lang)
    words = WORDS[lang]
    if untouched(task, given):
        return Verdict("untried", not_tried(task, lang))
    torch = library_of(given) or torch or importlib.import_module("minigrad")
    judging = _Judging(task, torch, lang, seconds)
    if task.kind == "order":
        judging.order = tuple(given)
        given = defined(task, task._program(given), torch)
    verdict = judging.not_callable(given) or judging.judge(given)
    if verdict.kind not in ("right", "untried") and unfilled(task, given):
        return Verdict(verdict.kind, f"{verdict.text} {words['left']}", "", verdict.printed)
    return verdict


WITH = {("BEFORE_WITH", ""), ("LOAD_SPECIAL", "__enter__")}  # the start of a `with`: up to Python 3.13, from 3.14 on


class _Judging:
    """The check of one answer, with the data that all steps use."""

    def __init__(self, task: Task, torch: types.ModuleType, lang: str, seconds: float):
        self.task, self.torch, self.lang, self.words, self.seconds = task, torch, lang, WORDS[lang], seconds
        self.seed = secrets.randbits(32)
        self.order: tuple[int, ...] = ()  # the reader's order of the lines
        self.files: set[str] = set()  # the files of their answer: in a notebook, its cell
        self.code = ""  # the source of their answer, if it is known
        self.advice = ""  # the advice to use torch in place of NumPy, where it was given

    def points(self) -> list[tuple]:
        """The arguments of each run: the same numbers each time, in new objects."""
        return [tuple(point) for point in self.task.points(self.torch, np.random.default_rng(self.seed))]

    def not_callable(self, given: Any) -> Verdict | None:
        """A verdict if it cannot be called with as many arguments as the points have, else None."""
        task, words = self.task, self.words
        if task.kind == "value":
            return None
        solution = defined(task, task._solution, self.torch)
        unlike = isinstance(solution, type) and not isinstance(given, type)
        if unlike and hasattr(solution, "backward"):
            return Verdict("callable", "✗ " + words["class"].format(name=task.wants))
        if unlike or not callable(given):
            what = kind_in_words(kind(solution), self.lang).removeprefix("a ")
            return Verdict("callable", "✗ " + words["callable"].format(kind=what, name=task.wants))
        if task.run is plain_call:
            point = self.points()[0]
            try:
                signature = inspect.signature(given)
                signature.bind(*point)
            except TypeError:
                told = words["arguments"].format(
                    name=task.wants,
                    count=counted(len(point), self.lang),
                    point=self.call(point),
                    takes=counted(len(signature.parameters), self.lang),
                )
                return Verdict("arguments", "✗ " + told)
            except ValueError:  # a function written in C has no signature
                pass
        return None

    def judge(self, given: Any) -> Verdict:
        task, words = self.task, self.words
        self.files = {code.co_filename for code in codes_in(inspect.unwrap(given)).values()}
        self.code = _source(given)
        patient = Allowance(LONG * self.seconds, LONG * self.seconds)
        left = patient.work
        wanted = self.run(defined(task, task._solution, self.torch), patient)
        if isinstance(wanted[-1].error, TooLong):
            return Verdict("busy", f"✗ {words['busy']}")
        self.seconds = max(self.seconds, LONG * (left - patient.work))  # a slow machine, or a tracer
        came = self.run(given)
        printed = "".join(outcome.printed for outcome in came)[:600]
        for right, outcome, fresh in zip(wanted, came, self.points(), strict=False):
            if problem := self.problem(right, outcome, fresh):
                hint = self.belief(given, came)
                told = problem[1]
                if hint and self.advice:  # the hint says more than the advice
                    told = told.removesuffix(self.advice).rstrip()
                text = f"✗ {_sentence(self.at(fresh) + told, self.lang)}"
                return Verdict(problem[0], f"{text} {hint}".strip(), hint, printed, self.pictures(given, came))
        for outcome, fresh in zip(came, self.points(), strict=True):
            if not task.may_change and (told := self.changed(outcome.arguments, fresh)):
                hint = self.belief(given, came)
                return Verdict(
                    "changed", f"✗ {_sentence(self.at(fresh) + told, self.lang)} {hint}".strip(), hint, printed
                )
        if failed := self.verified(given):
            return Verdict(
                failed[0], f"✗ {_sentence(failed[1], self.lang)}", failed[2], printed, self.pictures(given, came)
            )
        names = _names_used(given)
        remarks = [pick(told, self.lang) for name, told in task.remarks.items() if name in names]
        told = " ".join([words["right"], pick(task.because, self.lang), *remarks]).strip()
        return Verdict("right", told, "", printed, self.pictures(given, came))

    def run(self, given: Any, allowance: Allowance | None = None) -> list[Outcome]:
        """The outcome of each point. A run that is stopped for its time is the last one."""
        points = self.points()  # making them does not count as the reader's time
        allowance = allowance or Allowance(self.seconds)
        outcomes = []
        for point in points:
            outcomes.append(self.tried(given, point, allowance))
            if isinstance(outcomes[-1].error, TooLong):
                break
        return outcomes

    def tried(self, given: Any, point: tuple, allowance: Allowance) -> Outcome:
        outcome = Outcome(point)
        with quiet() as printed:
            try:
                with self.torch.enable_grad():
                    outcome.value = within(allowance, self.task.run, given, self.torch, *point)
            except BaseException as error:  # any error of the reader's code, even an exit()
                _pass_on_quitting(error)
                outcome.error = error
        outcome.printed = printed.getvalue()
        return outcome

    def problem(self, wanted: Outcome, came: Outcome, fresh: tuple) -> tuple[str, str] | None:
        """The kind of the mistake in one outcome, and a sentence about it; None if there is none."""
        words = self.words
        if came.error is not None:
            if wanted.error is not None and type(came.error) is type(wanted.error):
                return None
            return self.stopped(came.error)
        if wanted.error is not None:
            error = words["an error"].format(name=type(wanted.error).__name__)
            return "wrong", words["expected"].format(wanted=error, given=brief(came.value))
        if came.value is None and wanted.value is not None:
            if came.printed.strip():
                return "printed", words["printed"].format(printed=f"`{came.printed.strip()[:60]}`")
            if self.task.kind != "value":
                return "None", words["None"]
        own = self.task.tell(came.value) if self.task.tell else None
        if own and not self.equal(wanted.value, came.value):
            return "wrong", pick(own, self.lang)
        if isinstance(wanted.value, Mapping) and isinstance(came.value, Mapping):
            for part, value in wanted.value.items():
                name = pick(self.task.parts.get(part, part), self.lang)
                if part not in came.value:
                    return "missing", words["missing"].format(part=name)
                if told := self.differs(value, came.value[part], name):
                    return told
            return None
        return self.differs(wanted.value, came.value)

    def differs(self, wanted: Any, came: Any, part: str = "") -> tuple[str, str] | None:
        if self.equal(wanted, came) and alike(wanted, came):
            return None
        sentence = self.words[("part" if part else "expected") + (" order" if self.order else "")]
        if not alike(wanted, came):
            more = ""
            if (kind(wanted), kind(came)) == ("tensor", "array"):
                self.advice = self.in_torch(self.code)
                more = f" {self.advice}"
            more += f" {self.words['return']}" if part and came is None else ""
            names = [kind_in_words(kind(value), self.lang) for value in (wanted, came)]
            given = names[1] if came is None else f"{names[1]}, `{brief(came)}`"
            return "type", sentence.format(part=part, wanted=names[0], given=given) + more
        a, b = array_of(wanted), array_of(came)
        if a is not None and b is not None and a.shape != b.shape and max(a.size, b.size) > 12:
            return "shape", self.words["shape"].format(wanted=a.shape, given=b.shape)
        if brief(wanted) == brief(came) and isinstance(wanted, (list, tuple)) and isinstance(came, (list, tuple)):
            kinds = [(kind(one), kind(other)) for one, other in zip(wanted, came, strict=True)]
            at = next((at for at, pair in enumerate(kinds) if pair[0] != pair[1]), None)
            if at is not None:  # the same numbers, in a list in place of a tensor
                names = [kind_in_words(each, self.lang) for each in kinds[at]]
                told = self.words["type at"].format(
                    number=at + 1, wanted=names[0], given=names[1], value=brief(came[at])
                )
                return "type", told
        return "wrong", sentence.format(part=part, wanted=f"`{brief(wanted)}`", given=f"`{brief(came)}`")

    def stopped(self, error: BaseException) -> tuple[str, str]:
        """The kind and the sentence for an exception, or for the end of the time, with the reader's line."""
        words, kind = self.words, "loop" if isinstance(error, TooLong) else "raised"
        told = re.sub(r"[\w.<>]*<locals>\.", "", f"{type(error).__name__}: {error}")
        told = told.removesuffix(": ").partition("\n")[0]
        if len(told) > 120:  # some messages add advice after the first sentence
            told = told.partition(". ")[0]
        line = readers_line(error)
        if line is None:
            sentence = words[f"{kind} outside"].format(error=told, seconds=self.seconds)
        else:
            number, text, code = line
            row = self.task.row(self.order, number) if self.order else ""
            where = "in row" if row else "in frame" if self.order else "in line"
            if where == "in line" and self.files and code.co_filename not in self.files:
                where = "in another cell"
            name = code.co_qualname.partition(".<locals>")[0]
            place = words[where].format(line=number, row=row, text=text, name=name)
            if self.order and isinstance(error, NameError):
                told = words["unmade"].format(name=str(error).split("'")[1])
            sentence = words[kind].format(place=place, error=told, seconds=self.seconds)
        in_numpy = any(isinstance(each, np.ndarray) for point in self.points() for each in point)
        by_numpy = kind == "raised" and not in_numpy and _by_numpy(error, line[1] if line else "")
        if by_numpy and self.has_torch():
            self.advice = self.in_torch(line[1] if line else self.code)
            sentence = f"{_ended(sentence, self.lang)} {self.advice}"
        return kind, sentence

    def in_torch(self, code: str) -> str:
        """The advice to compute with tensors. It names a function of `torch` only if the code calls the function
        of this name in NumPy or `math`, and calls no other function there."""
        called = {*re.findall(r"\b((?:np|numpy|math)\.(\w+))\(", code)}
        if len(called) == 1:
            ((old, name),) = called
            if hasattr(self.torch, name):
                return self.words["numpy named"].format(new=f"torch.{name}", old=old)
        return self.words["numpy"]

    def changed(self, after: tuple, before: tuple) -> str:
        """A sentence if the code has changed an argument, which belongs to the caller, else ""."""
        names = parameters(self.task.run) or [f"argument {number}" for number in range(1, len(before) + 1)]
        if self.task.run is plain_call:
            names = list(inspect.signature(defined(self.task, self.task._solution, self.torch)).parameters)
        for number, (was, now) in enumerate(zip(before, after, strict=True)):
            data = array_of(was) is not None or isinstance(was, (list, tuple, dict, str))
            if data and not same(was, now, 0, 0):
                name = names[number] if number < len(names) else str(number + 1)
                return self.words["changed"].format(name=f"`{name}`", before=f"`{brief(was)}`", after=f"`{brief(now)}`")
        return ""

    def verified(self, given: Any) -> tuple[str, str, str] | None:
        """The result of the exercise's own check, if it has one."""
        verify = self.task.verify
        if verify is None:
            return None
        with quiet():
            try:
                random = np.random.default_rng(self.seed)
                told = within(self.seconds, verify, given, self.torch, random)
            except BaseException as error:
                _pass_on_quitting(error)
                return *self.stopped(error), ""
        hint = pick(told, self.lang) if told else ""
        return ("wrong", hint, hint) if told else None

    def belief(self, given: Any, came: Sequence[Outcome]) -> str:
        """The hint of the wrong belief whose code behaves in the same way; if an error ended the answer, in the same
        way up to that point."""
        looped = isinstance(came[-1].error, TooLong)
        names = _names_used(given)
        failed = next((at for at, outcome in enumerate(came, 1) if outcome.error), 0)
        so_far = ""
        for wrong in self.task._wrong:
            if wrong.uses and names.isdisjoint(wrong.uses.split()):
                continue
            if wrong.anyhow:
                return pick(wrong.hint, self.lang)
            if looped or wrong.endless:
                if looped and wrong.endless:
                    return pick(wrong.hint, self.lang)
                continue
            if self.order and failed and self.order[0] != wrong.order[0]:
                continue  # the same error may come of another order
            as_believed = self.agreeing(came, defined(self.task, wrong.code, self.torch))
            if as_believed == len(came):
                return pick(wrong.hint, self.lang)
            if failed and not so_far and as_believed >= failed:
                so_far = pick(wrong.hint, self.lang)
        return so_far

    def agreeing(self, came: Sequence[Outcome], believed: Any) -> int:
        """The number of first outcomes that `believed` has in common with `came`; it runs no further."""
        allowance = Allowance(self.seconds)
        for number, (point, outcome) in enumerate(zip(self.points(), came, strict=False)):
            if not self.alike(outcome, self.tried(believed, point, allowance)):
                return number
        return len(came)

    def alike(self, one: Outcome, other: Outcome) -> bool:
        if type(one.error) is not type(other.error) or _said(one.error) != _said(other.error):
            return False
        if one.error is not None:
            return not self.order or _line(one.error) == _line(other.error)
        rel, near = min(self.task.rel, EXACT[0]), min(self.task.near, EXACT[1])  # a small number is not a nearby one
        if not (alike(other.value, one.value) and same(other.value, one.value, rel, near)):
            return False
        pairs = zip(one.arguments, other.arguments, strict=True)
        return self.task.may_change is not False or all(array_of(a) is None or same(a, b) for a, b in pairs)

    def equal(self, a: Any, b: Any) -> bool:
        return same(a, b, self.task.rel, self.task.near)

    def pictures(self, given: Any, came: Sequence[Outcome]) -> tuple[str, ...]:
        """The pictures that the reader's code and the solution draw."""
        if self.task.draw is None or any(outcome.error for outcome in came):
            return ()
        drawn = []
        for each in (given, defined(self.task, self.task._solution, self.torch)):
            try:
                with quiet():
                    drawn.append(within(self.seconds, self.task.draw, each, self.torch).svg)
            except BaseException as error:  # there is no graph to draw; the sentences already say what is wrong
                _pass_on_quitting(error)
                return ()
        return tuple(drawn)

    def at(self, point: tuple) -> str:
        """The description of a point: "At h = [−2, 3]: ", a call of the reader's function, or the task's own words."""
        if self.task.where:
            return self.words["on"].format(where=pick(self.task.where, self.lang))
        if not point:
            return ""
        return self.words["at"].format(point=self.call(point))

    def call(self, point: tuple) -> str:
        names = parameters(self.task.run)
        if names:
            pairs = zip(names, point, strict=False)
            return ", ".join(f"`{self.argument(name, each)}`" for name, each in pairs)
        return f"`{self.task.wants}({', '.join(map(brief, point))})`"

    def argument(self, name: str, value: Any) -> str:
        """An argument with its name; a value that is a program is shown without one."""
        return brief(value) if hasattr(value, "code") else self.words["with"].format(name=name, value=brief(value))

    def has_torch(self) -> bool:
        """Whether the exercise is about tensors of a library, so that its functions can be recommended."""
        task = self.task
        texts = (pick(task.task, "en"), task.gap, task._solution, task._setup)
        return any("torch" in each for each in texts) or any(
            is_tensor(each) for point in self.points() for each in point
        )


def _by_numpy(error: BaseException, line: str) -> bool:
    """Whether the error comes from passing tensors to NumPy, or to Python's `math`, instead of using `torch`."""
    told = str(error).lower()
    if isinstance(error, NameError):
        return error.name in ("np", "numpy", "math")
    return "numpy" in told or "ndarray" in told or "math." in line and ("scalar" in told or "real number" in told)


def _sentence(text: str, lang: str) -> str:
    """The text with a capital letter and a full stop."""
    return _ended(text[:1].upper() + text[1:], lang)


def _ended(text: str, lang: str) -> str:
    """The text with a full stop, if it has no end mark."""
    return text if text[-1:] in ".?!。？！…" else ended(text, lang)


def _source(given: Any) -> str:
    """The source of a function or of all functions of a class; "" where it is not known."""
    try:
        return "".join(inspect.getsource(code) for code in codes_in(inspect.unwrap(given)).values())
    except (OSError, TypeError, SyntaxError, IndexError):
        return ""


def untouched(task: Task, given: Any) -> bool:
    """Whether the reader has left the gap as it is: no answer, or exactly the code of the cell."""
    if given is None or given is Ellipsis or task.kind == "order" and not given:
        return True
    if task.kind == "value" or task.kind == "order":
        return False
    codes = codes_in(given)
    gap = [code for code in _all_codes(compile(task.gap, "<gap>", "exec")) if code.co_name in codes]
    if codes.keys() - {code.co_name for code in gap}:  # a method that the cell does not have
        return False
    return bool(gap) and all(_essence(code) == _essence(codes[code.co_name]) for code in gap)


def unfilled(task: Task, given: Any) -> bool:
    """Whether the reader's code still contains a `...`."""
    return "..." in task.gap and any(Ellipsis in code.co_consts for code in codes_in(given).values())


def codes_in(given: Any) -> dict[str, types.CodeType]:
    """The compiled code of a function, or of each function in a class, by name."""
    functions = list(vars(given).values()) if isinstance(given, type) else [given]
    functions = [getattr(each, "__func__", each) for each in functions]
    return {each.__code__.co_name: each.__code__ for each in functions if hasattr(each, "__code__")}


def _all_codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _all_codes(constant)


def _names_used(given: Any) -> set[str]:
    """The names from `_names_in` for all code of a function or a class."""
    codes = [each for code in codes_in(given).values() for each in (code, *_all_codes(code))]
    return {name for code in codes for name in _names_in(code)}


def _names_in(code: types.CodeType) -> set[str]:
    """The names that a piece of code uses, those of its keyword arguments, its comparison signs, the attributes
    that it reads ("loss.grad") or sets ("w.grad="), and "with" if it has such a block."""
    keywords = {name for each in code.co_consts if isinstance(each, tuple) for name in each if isinstance(name, str)}
    signs = {step.argrepr for step in dis.get_instructions(code) if step.opname == "COMPARE_OP"}
    blocks = {"with" for step in dis.get_instructions(code) if (step.opname, step.argrepr) in WITH}
    pairs = pairwise(dis.get_instructions(code))
    ends = {"LOAD_ATTR": "", "STORE_ATTR": "="}
    attributes = {
        f"{on.argrepr.split(', ')[-1]}.{step.argrepr}{ends[step.opname]}" for on, step in pairs if step.opname in ends
    }
    return {
        *code.co_names,
        *keywords,
        *attributes,
        *(sign.removeprefix("bool(").removesuffix(")") for sign in signs),
        *blocks,
    }


def _said(error: BaseException | None) -> str:
    """The message of an error, without the name of the function that it is about, and without addresses."""
    return re.sub(r"\S+\(\) (takes|missing|got)", r"\1", re.sub(r" at 0x[0-9a-fA-F]+", "", str(error)))


def _essence(code: types.CodeType) -> list[tuple[str, str]]:
    """The instructions of a piece of code, without its line numbers."""
    return [
        (
            step.opname,
            step.argrepr.partition(" object ")[0] if isinstance(step.argval, types.CodeType) else step.argrepr,
        )
        for step in dis.get_instructions(code)
    ]


def library_of(given: Any) -> types.ModuleType | None:
    """The library that a reader's code uses: minigrad, PyTorch, or None if that is unknown."""
    for base in getattr(given, "__mro__", ()):
        root = base.__module__.partition(".")[0]
        if root in ("minigrad", "torch"):
            return importlib.import_module(root)
    return library_in(getattr(given, "__globals__", {}))


def library_in(names: Mapping[str, Any]) -> types.ModuleType | None:
    """The library among these names: `import torch`, or `import minigrad` under any name."""
    for value in (names.get("torch"), *list(names.values())):
        if isinstance(value, types.ModuleType) and value.__name__ in ("minigrad", "torch"):
            return value
    return None


_texts: dict[str, list[str]] = {}  # the lines of an exercise's code; a traceback can show them, too


def defined(task: Task, code: str, torch: types.ModuleType) -> Any:
    """The object with the task's name that a piece of an exercise's code defines."""
    names: dict[str, Any] = {"torch": torch, "np": np, "math": math, "__name__": "exercise"}
    for number, part in enumerate((task._setup, code)):
        if part:
            file = f"<exercise {task.name} {number} {hash(part):x}>"
            if len(_texts) > 200:  # each tried order of lines is a new text
                oldest = next(iter(_texts))
                del _texts[oldest]
                linecache.cache.pop(oldest, None)
            _texts[file] = part.splitlines(True)
            if solutions_shown():
                linecache.cache[file] = (len(part), None, _texts[file], file)
            exec(compile(part, file, "exec"), names)
    return names[task.wants]


def _line(error: BaseException | None) -> str:
    """The text of the line at which an answer stopped."""
    found = error and readers_line(error)
    return found[1] if found else ""


def readers_line(error: BaseException) -> tuple[int, str, types.CodeType] | None:
    """The last line of the reader's own code in a traceback: its number in its cell, its text, and its code."""
    found = None
    for frame, number in _places(error.__traceback__):
        file = frame.f_code.co_filename
        own = not file.startswith(OURS) and not re.search("site-packages|^<minigrad", file)
        text = "".join(_texts.get(file, [])[number - 1 : number]) or linecache.getline(file, number, frame.f_globals)
        text = text.strip()
        if own and text and frame.f_globals.get("__name__", "").partition(".")[0] not in LIBRARIES:
            found = number, text, frame.f_code
    return found


def _places(trace: types.TracebackType | None) -> Iterator[tuple[types.FrameType, int]]:
    """The frames of a traceback, each with its line. An instruction may have none, and an interrupt may arrive there:
    then it is the line of the last instruction before it that has one."""
    while trace is not None:
        code, number = trace.tb_frame.f_code, trace.tb_lineno
        if number is None:
            before = [line for start, _, line in code.co_lines() if line is not None and start <= trace.tb_lasti]
            number = [code.co_firstlineno, *before][-1]
        yield trace.tb_frame, number
        trace = trace.tb_next


def _pass_on_quitting(error: BaseException) -> None:
    """Let Ctrl-C, and `q` at a debugger's prompt, end the check itself and not only the code that is tried.

    (A TooLong may arrive in the code while a debugger traces it; it does not end the check.)
    """
    if isinstance(error, KeyboardInterrupt) or left_by(error) and not isinstance(error, TooLong):
        raise error

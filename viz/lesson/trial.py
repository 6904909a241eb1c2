"""Try a reader's answer: `judge(task, given)` says whether it is right, and if not, how it differs.

The reader's code, the solution, and the code of every wrong belief run on the same points, each on new copies of
them. The reader's values are compared with the solution's, to say right or wrong, and with each belief's, to say why.
Any behaviour of the reader's code ends in a sentence: an exception names the line, and an endless loop is stopped. What
it has changed outside itself is undone. A failure of our own code is reported as ours.
Imports task.py, compare.py, apart.py, beliefs.py, ended.py, limit.py, quiet.py, reading.py, results.py, said.py,
stopped.py, undo.py and NumPy. Read next: beliefs.py, then exercise.py.
"""

from __future__ import annotations

import importlib
import inspect
import re
import secrets
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..locale import language, pick
from . import results
from .answers import defined, library_in, library_of, unfilled, untouched
from .apart import apart
from .beliefs import belief, returns_nothing
from .compare import array_of, brief, kind, same
from .ended import ended
from .limit import LONG, Allowance, TooLong, signals, within
from .long_ranges import interruptible, needs_care
from .quiet import quiet
from .reading import codes_in, names_used, source_of
from .said import WORDS, changes, counted, kind_in_words, sentence
from .stopped import pass_on_quitting, readers_line, told_of
from .task import Task, parameters, plain_call
from .undo import Kept

__all__ = ["SECONDS", "Verdict", "defined", "judge", "library_in", "library_of", "not_tried", "untouched"]

SECONDS = 5.0  # the limit for a reader's code, for all points together


@dataclass(frozen=True)
class Verdict:
    """The verdict on an answer.

    kind: "right"; "untried"; "wrong" (another value), "type", "shape", "None", "printed", "missing"; "changed" (an
        argument, which belongs to the caller); "raised"; "loop"; "callable", "arguments" (it cannot be called); "busy"
        (the machine is too slow, and nothing was tried); "ours" (our own code failed, and the answer was not judged).
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


class Ours(Exception):
    """The failure is the exercise's or the package's, and not the reader's; `__cause__` says which."""


def not_tried(task: Task, lang: str) -> str:
    """The text for an exercise whose cell is unchanged."""
    return pick(task.unmended, lang) if task.unmended else WORDS[lang][task.untried].replace("{name}", task.wants)


def judge(
    task: Task,
    given: Any,
    *,
    torch: types.ModuleType | None = None,
    lang: str | None = None,
    seconds: float = SECONDS,
    source: str = "",
) -> Verdict:
    """Say whether `given`, a reader's function, class or value, solves the task.

    torch: the library that the reader uses; by default, the one that their code names, else minigrad.
    seconds: how long their code may run, for all points together.
    source: the code that has made a value, where that is known.
    """
    lang = language(lang)
    kept: Kept | None = None
    with signals():
        try:
            if untouched(task, given):
                return Verdict("untried", not_tried(task, lang))
            torch = library_of(given) or torch or importlib.import_module("minigrad")
            kept = Kept(torch)
            judging = _Judging(task, torch, lang, seconds, kept, source)
            if task.kind == "order":
                judging.order = tuple(given)
                given = defined(task, task._program(given), torch)
            verdict = judging.not_callable(given) or judging.judge(given)
            return judging.completed(verdict, given)
        except BaseException as error:
            pass_on_quitting(error)
            return _ours(error.__cause__ if isinstance(error, Ours) and error.__cause__ else error, lang)
        finally:
            if kept is not None:
                kept.put_back()


def _ours(error: BaseException, lang: str) -> Verdict:
    """The verdict if our own code has failed."""
    trace, place = error.__traceback__, ""
    while trace is not None:
        file, number = re.split(r"[\\/]", trace.tb_frame.f_code.co_filename), trace.tb_lineno
        place, trace = f"{'/'.join(file[-2:])}:{number}", trace.tb_next
    return Verdict("ours", "✗ " + WORDS[lang]["ours failed"].format(error=told_of(error), place=place))


class _Judging:
    """The check of one answer, with the data that all steps use."""

    def __init__(
        self, task: Task, torch: types.ModuleType, lang: str, seconds: float, kept: Kept | None = None, source: str = ""
    ):
        self.task, self.torch, self.lang, self.words, self.seconds = task, torch, lang, WORDS[lang], seconds
        self.seed = secrets.randbits(32)
        self.order: tuple[int, ...] = ()  # the reader's order of the lines
        self.files: set[str] = set()  # the files of their answer: in a notebook, its cell
        self.code = ""  # the source of their answer, if it is known
        self.source = source  # that of a value
        self.advice = ""  # the advice to use torch in place of NumPy, where it was given
        self.kept = kept or Kept(torch)
        self.given: Any = None  # the answer
        self.careful = False  # whether `range` is made interruptible
        self.waited = self.stuck = 0.0  # the seconds that the code waited, and those of a call that could not be ended

    def points(self) -> list[tuple]:
        """The arguments of each run: the same numbers each time, in new objects."""
        return [tuple(point) for point in self.task.points(self.torch, np.random.default_rng(self.seed))]

    def defined(self, code: str) -> Any:
        return defined(self.task, code, self.torch)

    def not_callable(self, given: Any) -> Verdict | None:
        """A verdict if it cannot be called with as many arguments as the points have, else None."""
        task, words = self.task, self.words
        if task.kind == "value":
            return None
        solution = self.defined(task._solution)
        unlike = isinstance(solution, type) and not isinstance(given, type)
        if unlike and inspect.isfunction(given):
            return Verdict("callable", "✗ " + words["class needed"].format(name=task.wants))
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
        self.code = source_of(given)
        patient = Allowance(LONG * self.seconds, LONG * self.seconds)
        left = patient.work
        points, solution = self.own_points(), self.defined(task._solution)
        try:  # one watch for all points, since each watch is a thread
            wanted = within(patient, lambda: [self.tried(solution, point, None) for point in points])
        except TooLong:
            return Verdict("busy", f"✗ {words['busy']}")
        for outcome in wanted:
            if outcome.error is not None and not _meant(outcome.error):
                raise Ours from outcome.error
        self.seconds = max(self.seconds, LONG * (left - patient.work))  # a slow machine, or a tracer
        self.careful, self.given = needs_care(given), given
        came = self.run(given)
        self.careful = False
        self.kept.put_back("run")
        printed = "".join(outcome.printed for outcome in came)[:600]
        found = self.first_problem(given, wanted, came)
        if found is not None:
            problem, fresh = found
            hint = self.belief(given, came)
            told = problem[1]
            if hint and self.advice:  # the hint says more than the advice
                told = told.removesuffix(self.advice).rstrip()
            text = f"✗ {sentence(self.at(fresh) + told, self.lang)}"
            return Verdict(problem[0], f"{text} {hint}".strip(), hint, printed, self.pictures(given, came))
        if failed := self.verified(given):
            return Verdict(
                failed[0], f"✗ {sentence(failed[1], self.lang)}", failed[2], printed, self.pictures(given, came)
            )
        names = names_used(given)
        remarks = [pick(told, self.lang) for name, told in task.remarks.items() if name in names]
        told = " ".join([words["right"], pick(task.because, self.lang), *remarks]).strip()
        return Verdict("right", told, "", printed, self.pictures(given, came))

    def belief(self, given: Any, came: Sequence[Outcome]) -> str:
        try:  # one watch for all of them, since each watch is a thread
            return within(LONG * self.seconds, belief, self, given, came)
        except TooLong:
            return ""
        except BaseException as error:
            if all(results.familiar(outcome.value) for outcome in came):
                raise
            pass_on_quitting(error)  # else it is an error of a method of the reader's value
            return ""

    def completed(self, verdict: Verdict, given: Any) -> Verdict:
        """The verdict with what is true of any wrong answer: a `...` is left, something of Python was changed, a
        thread goes on."""
        more = []
        if not verdict.right and verdict.kind not in ("untried", "ours", "busy") and unfilled(self.task, given):
            more, verdict = [self.words["left"]], replace(verdict, hint="", pictures=())
            text = verdict.text
            return replace(verdict, text=f"{text} {more[0]}")
        if self.kept.changed and verdict.kind in ("raised", "loop"):
            more.append(self.words["restored"].format(what=changes(self.kept.changed, self.lang)))
        if self.kept.lost:
            more.append(self.words["lost"].format(what=changes(self.kept.lost, self.lang)))
        if threads := self.kept.goes_on():
            more.append(self.words["thread"].format(names=", ".join(f"`{name}`" for name in threads[:3])))
        return replace(verdict, text=" ".join([verdict.text, *more]))

    def own_points(self) -> list[tuple]:
        """The points; an error is ours."""
        try:
            return self.points()
        except Exception as error:
            raise Ours from error

    def run(self, given: Any) -> list[Outcome]:
        """The outcome of each point. A run that is stopped for its time is the last one."""
        points = self.own_points()  # making them does not count as the reader's time
        allowance = Allowance(self.seconds)
        outcomes = []
        for point in points:
            outcomes.append(self.tried(given, point, allowance))
            if isinstance(outcomes[-1].error, TooLong):
                self.waited, self.stuck = allowance.waited, allowance.stuck
                break
        return outcomes

    def tried(self, given: Any, point: tuple, allowance: Allowance | None) -> Outcome:
        """The outcome of one call. allowance: None if a watch is running already."""
        outcome = Outcome(point)
        with quiet() as printed:
            try:
                with self.torch.enable_grad():
                    watched = (within, allowance, self.called) if allowance else (self.called,)
                    outcome.value = watched[0](*watched[1:], given, *point)
            except BaseException as error:  # any error of the reader's code, even an exit()
                pass_on_quitting(error)
                if allowance is None and isinstance(error, TooLong):
                    raise
                outcome.error = error
        self.kept.put_back("call")
        outcome.printed = printed.getvalue()
        return outcome

    def called(self, given: Any, *point: Any) -> Any:
        """The result that is compared. Python's own functions are as before, when the code of the check goes on."""
        self.kept.ran = self.kept.ran or given is self.given
        try:
            with interruptible(self.careful):
                return self.task.run(given, self.torch, *point)
        finally:
            self.kept.put_builtins()

    def first_problem(
        self, given: Any, wanted: Sequence[Outcome], came: Sequence[Outcome]
    ) -> tuple[tuple[str, str], tuple] | None:
        """The first mistake, and the arguments of its call. The points are in the order of their page: the simplest
        come first."""
        points = self.points()
        for at, (right, outcome) in enumerate(zip(wanted, came, strict=False)):
            if problem := self.problem(given, at, right, outcome):
                return problem, points[at]
        for outcome, fresh in zip(came, points, strict=True):
            if not self.task.may_change and (told := self.changed(outcome.arguments, fresh)):
                return ("changed", told), fresh
        return None

    def problem(self, given: Any, at: int, wanted: Outcome, came: Outcome) -> tuple[str, str] | None:
        """The kind of the mistake in one outcome, and a sentence about it; None if there is none."""
        if came.error is None and not results.familiar(came.value):
            try:  # the value's own methods are the reader's code: they may raise an error, or never end
                return within(self.seconds, self.problem_of_value, given, wanted, came)
            except BaseException as error:
                pass_on_quitting(error)
                told = self.words["strange"].format(kind=type(came.value).__name__, error=told_of(error))
                return "type", told
        if came.error is None:
            return self.problem_of_value(given, wanted, came)
        if wanted.error is not None and type(came.error) is type(wanted.error):
            return None
        if readers_line(came.error) is None and not isinstance(came.error, TooLong):
            if unusable := results.unusable(self, given, at, came.error):
                return unusable
        return ended(self, came.error)

    def problem_of_value(self, given: Any, wanted: Outcome, came: Outcome) -> tuple[str, str] | None:
        words = self.words
        if wanted.error is not None:
            error = words["an error"].format(name=type(wanted.error).__name__)
            return "wrong", words["expected"].format(wanted=error, given=f"`{brief(came.value)}`")
        if came.value is None and wanted.value is not None:
            if came.printed.strip():
                return "printed", words["printed"].format(printed=f"`{came.printed.strip()[:60]}`")
            if self.task.kind != "value":
                return "None", words["None"]
        told = self.difference(given, wanted.value, came.value)
        if told and (name := returns_nothing(self.task, self.code)) and self.task.kind != "value":
            if came.printed.strip():
                return "printed", words["printed"].format(printed=f"`{came.printed.strip()[:60]}`")
            return "None", words["None of"].format(name=name)
        return told

    def difference(self, given: Any, wanted: Any, came: Any) -> tuple[str, str] | None:
        """The kind of the difference between two results, and a sentence about it; None if there is none."""
        own = self.task.tell(came) if self.task.tell else None
        if own and not self.equal(wanted, came):
            return "wrong", pick(own, self.lang)
        if isinstance(wanted, Mapping) and isinstance(came, Mapping):
            for part, value in wanted.items():
                name = pick(self.task.parts.get(part, part), self.lang)
                if part not in came:
                    return "missing", self.words["missing"].format(part=name)
                if told := results.differs(self, value, came[part], name):
                    return told
            return None
        return results.differs(self, wanted, came, given=given)

    def changed(self, after: tuple, before: tuple) -> str:
        """A sentence if the code has changed an argument, which belongs to the caller, else ""."""
        names = parameters(self.task.run) or [f"argument {number}" for number in range(1, len(before) + 1)]
        if self.task.run is plain_call:
            names = list(inspect.signature(self.defined(self.task._solution)).parameters)
        for number, (was, now) in enumerate(zip(before, after, strict=True)):
            data = array_of(was) is not None or isinstance(was, (list, tuple, dict, str))
            if data and not same(was, now, 0, 0):
                name = names[number] if number < len(names) else str(number + 1)
                texts = apart(was, now)
                return self.words["changed"].format(name=f"`{name}`", before=texts[0], after=texts[1])
        return ""

    def verified(self, given: Any) -> tuple[str, str, str] | None:
        """The result of the exercise's own check, if it has one."""
        verify = self.task.verify
        if verify is None:
            return None
        allowance = Allowance(self.seconds)
        try:
            told = self._verdict_of(verify, given, allowance)
        except BaseException as error:
            pass_on_quitting(error)
            self.waited, self.stuck = allowance.waited, allowance.stuck
            if readers_line(error) is None and not isinstance(error, TooLong):
                try:
                    self._verdict_of(verify, self.defined(self.task._solution), Allowance(LONG * self.seconds))
                except Exception as own:  # the solution fails there, too
                    raise Ours from own
            return *ended(self, error), ""
        hint = pick(told, self.lang) if told else ""
        return ("wrong", hint, hint) if told else None

    def _verdict_of(self, verify: Any, given: Any, allowance: Allowance) -> Any:
        try:
            with quiet():
                random = np.random.default_rng(self.seed)
                return within(allowance, verify, given, self.torch, random)
        finally:
            self.kept.ran = True
            self.kept.put_back("run")

    def equal(self, a: Any, b: Any) -> bool:
        return same(a, b, self.task.rel, self.task.near)

    def pictures(self, given: Any, came: Sequence[Outcome]) -> tuple[str, ...]:
        """The pictures that the reader's code and the solution draw."""
        if self.task.draw is None or any(outcome.error for outcome in came):
            return ()
        drawn, self.kept.ran = [], True
        for each in (given, self.defined(self.task._solution)):
            try:
                with quiet():
                    drawn.append(within(self.seconds, self.task.draw, each, self.torch).svg)
            except BaseException as error:  # there is no graph to draw; the sentences already say what is wrong
                pass_on_quitting(error)
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
        names = parameters(self.task.run) or self.task.inputs
        if names:
            pairs = zip(names, point, strict=False)
            return ", ".join(f"`{self.argument(name, each)}`" for name, each in pairs)
        return f"`{self.task.wants}({', '.join(map(brief, point))})`"

    def argument(self, name: str, value: Any) -> str:
        """An argument with its name; a value that is a program is shown without one."""
        return brief(value) if hasattr(value, "code") else self.words["with"].format(name=name, value=brief(value))


def _meant(error: BaseException) -> bool:
    """Whether an error of our solution is part of the exercise: one that it raises itself."""
    line = readers_line(error)
    return line is not None and line[1].startswith(("raise ", "raise", "assert "))

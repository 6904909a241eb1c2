"""How a result differs from the wanted one, in a sentence; and what a result that the check can't use should have been.

`differs` compares two results. `unusable` is asked if the code of the check has stopped with an error after the
reader's function had returned: it calls the function again, looks at what it returns, and compares that with what
our solution returns.
Imports apart.py, compare.py, ended.py, said.py. Read next: trial.py, which calls both.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .apart import DIGITS, apart, entry, place
from .compare import alike, array_of, brief, kind
from .ended import in_torch
from .limit import Allowance, within
from .quiet import quiet
from .said import kind_in_words
from .stopped import told_of

if TYPE_CHECKING:
    from .trial import _Judging

Told = tuple[str, str]  # the kind of a verdict, and its sentence
ONCE = (types.GeneratorType, map, filter, zip, enumerate, reversed, range)  # of these, all but range are read only once
SHORT = 100  # characters of a result that is shown whole, beside its wrong entry


def familiar(value: Any, depth: int = 0) -> bool:
    """Whether no method of the reader's can run when the value is compared and written."""
    kind_of = type(value)
    if kind_of in (int, float, bool, str, bytes, complex, type(None), types.FunctionType) or isinstance(value, ONCE):
        return True
    if isinstance(value, np.generic) or kind_of is np.ndarray:
        return value.dtype != object
    if kind_of in (list, tuple, dict):
        inside = value.values() if kind_of is dict else value
        return depth < 4 and len(value) <= 1000 and all(familiar(each, depth + 1) for each in inside)
    return kind_of.__module__.partition(".")[0] in ("minigrad", "torch")


def differs(judging: _Judging, wanted: Any, came: Any, part: str = "", given: Any = None) -> Told | None:
    """The kind of the difference, and a sentence about it; None if both are the same.

    part: the name of this part of the result. given: the reader's function, if the whole result is compared.
    """
    if judging.equal(wanted, came) and alike(wanted, came):
        return None
    words = judging.words
    expected = words[("part" if part else "expected") + (" order" if judging.order else "")]
    if told := _of_another_form(judging, wanted, came, given):
        return told
    if not alike(wanted, came):
        more = _advice(judging, wanted, came)
        names = [kind_in_words(kind(value), judging.lang) for value in (wanted, came)]
        shown = names[1] if came is None else f"{names[1]}, `{brief(came)}`"
        return "type", expected.format(part=part, wanted=names[0], given=shown) + more
    a, b = array_of(wanted), array_of(came)
    if a is not None and b is not None and a.shape != b.shape and max(a.size, b.size) > 12:
        return "shape", words["shape"].format(wanted=a.shape, given=b.shape)
    path, one, other = place(wanted, came, judging.equal)
    if path and kind(one) != kind(other) and brief(one) == brief(other):  # the same numbers, in a list for a tensor
        names = [kind_in_words(kind(each), judging.lang) for each in (one, other)]
        return "type", words["type at"].format(number=path[0] + 1, wanted=names[0], given=names[1], value=brief(other))
    return "wrong", _wrong(judging, expected, part, wanted, came, path, one, other)


def _wrong(
    judging: _Judging, expected: str, part: str, wanted: Any, came: Any, path: list[int], one: Any, other: Any
) -> str:
    """The sentence for a value that is not the wanted one, with the place of the first difference in it."""
    words, in_words = judging.words, lambda kind: kind_in_words(kind, judging.lang)
    found = entry(one, other, judging.equal)
    index = "".join(f"[{at}]" for at in path[1:]) + (found[0] if found else "")
    if found:
        one, other = found[1:]
    which = ""
    if path:
        results = isinstance(wanted, tuple) and isinstance(came, tuple)
        which = words["result" if results else "entry"].format(number=path[0] + 1, all=len(wanted))
    texts = apart(wanted, came, in_words)
    if (path or found) and (found or max(map(len, texts)) > SHORT or _earlier(wanted, came, path[0])):
        texts = apart(one, other, in_words)
        told = expected.format(part=part, wanted=texts[0], given=texts[1])
        if index:
            told = words["at index"].format(index=index) + told
        return words["in"].format(which=which) + told if which else told
    told = expected.format(part=part, wanted=texts[0], given=texts[1])
    if path and len(wanted) > 1:
        told += " " + words["is wrong"].format(which=which)
    return told


def _earlier(wanted: Any, came: Any, at: int) -> bool:
    """Whether an entry before this one is written in other digits, although the check counts it as the same."""
    digits = next((each for each in DIGITS if brief(wanted, each) != brief(came, each)), DIGITS[-1])
    return any(brief(one, digits) != brief(other, digits) for one, other in zip(wanted[:at], came[:at], strict=True))


def _advice(judging: _Judging, wanted: Any, came: Any) -> str:
    """The advice to compute with tensors, if an array came in place of one."""
    if (kind(wanted), kind(came)) != ("tensor", "array"):
        return ""
    judging.advice = in_torch(judging, judging.code)
    return f" {judging.advice}"


def _of_another_form(judging: _Judging, wanted: Any, came: Any, given: Any) -> Told | None:
    """A generator in place of a list, too few results, an object of the reader's class in place of its result."""
    words = judging.words
    many = isinstance(wanted, (list, tuple))
    name = kind_in_words(kind(wanted), judging.lang)
    if isinstance(came, types.GeneratorType) and not isinstance(wanted, types.GeneratorType):
        if inspect.isgeneratorfunction(inspect.unwrap(given)) if callable(given) else False:
            return "type", words["yields"].format(wanted=name)
        return "type", words["once" if many else "not a generator"].format(wanted=name, given="generator")
    if isinstance(came, ONCE) and many:
        return "type", words["once"].format(wanted=name, given=type(came).__name__)
    if isinstance(given, type) and isinstance(came, given):
        return "type", words["function needed"].format(name=judging.task.wants)
    if isinstance(wanted, tuple) and len(wanted) > 1:
        several = isinstance(came, (list, tuple)) and not _only_the_list(wanted, came)
        count = len(came) if several else 1
        if count != len(wanted):
            return "type", words["results" if several else "one result"].format(
                wanted=len(wanted), count=count, kind=kind_in_words(kind(came), judging.lang), given=brief(came)
            )
    return None


def _only_the_list(wanted: tuple, came: Any) -> bool:
    """Whether `came` is the list that the first of several results should be, and not a list of all results."""
    return isinstance(wanted[0], list) and isinstance(came, list) and not (came and isinstance(came[0], list))


def unusable(judging: _Judging, given: Any, at: int, error: BaseException) -> Told | None:
    """What is wrong with what the reader's code returns, if the check stops with it in a line of its own. None if the
    reader's code itself stops."""
    words = judging.words
    solution = judging.defined(judging.task._solution)
    wanted, stops = _returned(judging, solution, at)
    if stops is not None:  # our own solution fails as well
        from .trial import Ours

        raise Ours from stops
    came, _ = _returned(judging, given, at)
    for (name, one), (_, other) in zip(wanted, came, strict=False):
        if other is None and one is not None:
            called = name if isinstance(given, type) else judging.task.wants
            key = "no generator" if isinstance(one, types.GeneratorType) else "None of"
            return "None", words[key].format(name=called)
        if isinstance(given, type) and not isinstance(solution, type):
            return "callable", words["function needed"].format(name=judging.task.wants)
        if told := _of_another_form(judging, one, other, given):
            return told
        if not alike(one, other):
            names = [kind_in_words(kind(each), judging.lang) for each in (one, other)]
            returned = words["returned"].format(name=name, wanted=names[0], given=f"{names[1]}, `{brief(other)}`")
            return "type", returned + _advice(judging, one, other)
    if isinstance(given, type) and not isinstance(solution, type):
        return "callable", words["function needed"].format(name=judging.task.wants)
    if not came:
        return None
    said = told_of(error).replace("`", "'")
    if said.startswith("ValueError: "):  # the check's own sentence: the reader's code has raised nothing
        said = said.removeprefix("ValueError: ")
    else:
        said = f"`{said}`"
    name, value = came[-1]
    if value is None:  # as the solution's: it is what the code has done that the check can't use
        return "type", words["stops after"].format(name=name, error=said)
    return "type", words["unusable"].format(name=name, value=brief(value), error=said)


def _returned(judging: _Judging, given: Any, at: int) -> tuple[list[tuple[str, Any]], BaseException | None]:
    """What the functions of an answer return in one call of the check, in order, each with the function's name; and
    the error with which the check stops."""
    seen: list[tuple[str, Any]] = []
    error: BaseException | None = None
    with quiet():
        try:
            with judging.torch.enable_grad():
                point = judging.points()[at]
                within(Allowance(judging.seconds), judging.called, _noting(given, seen), *point)
        except Exception as stops:
            error = stops
    judging.kept.ran = True
    judging.kept.put_back("run")
    return seen, error


def _noting(given: Any, seen: list[tuple[str, Any]]) -> Any:
    """The same function or class, which notes what it returns."""
    if isinstance(given, types.FunctionType):
        return _noted(given, given.__name__, seen)
    if isinstance(given, type):
        try:
            return type(given)(given.__name__, (given,), dict(_methods(given, seen)))
        except TypeError:  # a class that can't be derived from
            return given
    return given


def _methods(given: type, seen: list[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    yield "__module__", given.__module__
    for name, each in vars(given).items():
        if isinstance(each, staticmethod):
            yield name, staticmethod(_noted(each.__func__, name, seen))
        elif isinstance(each, types.FunctionType) and not name.startswith("__"):
            yield name, _noted(each, name, seen)


def _noted(function: Callable[..., Any], name: str, seen: list[tuple[str, Any]]) -> Any:
    def noting(*given: Any, **named: Any) -> Any:
        value = function(*given, **named)
        seen.append((name, value))
        return value

    if not isinstance(function, types.FunctionType):
        return noting
    made = types.FunctionType(noting.__code__, function.__globals__, name, None, noting.__closure__)  # in its module
    made.__wrapped__ = function  # type: ignore[attr-defined]
    return made

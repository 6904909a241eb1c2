"""The reply to an answer that makes a known mistake: which of an exercise's wrong answers it behaves like.

A mistake is named only if three things hold. The answer gives what the wrong answer gives, in every call; an answer
that stops must stop with the same error in the same expression. And if the reply mentions a construct that
makes the difference between the wrong answer and the solution (`or`, `.data`, `clip_grad_value_`), the reader's code
contains it.
Imports reading.py, stopped.py, compare.py. Read next: trial.py, which calls it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..locale import pick
from .compare import alike, array_of, same
from .limit import Allowance, TooLong
from .reading import WRITTEN, bound, cell_of, constructs, mentioned, names_used
from .stopped import failing_part, readers_line, without_names
from .task import Task, Wrong

if TYPE_CHECKING:
    from .trial import Outcome, _Judging

EXACT = 1e-4, 1e-6  # the tolerances, relative and absolute, for a wrong answer to be a known one
LOOPS = {"while", "for"}
OR_LIST = re.compile(r"`[^`]+`(?:, `[^`]+`)*,? or `[^`]+`")  # `detach`, `.data` or `no_grad`
NO_EVIDENCE = {"return", "=", "assert", "raise", "if", "for", "in", "while", "with", "and", "or", "not"}


def belief(judging: _Judging, given: Any, came: Sequence[Outcome]) -> str:
    """The reply of the wrong answer that behaves as `given` does; "" if there is none."""
    task = judging.task
    looped = isinstance(came[-1].error, TooLong)
    names = names_used(given)
    own = constructs(judging.source or cell_of(given)) or frozenset(names_used(given))
    failed = any(outcome.error for outcome in came)
    for wrong in task._wrong:
        if wrong.uses and names.isdisjoint(wrong.uses.split()):
            continue
        if not has_constructs(task, wrong, own):
            continue
        if wrong.anyhow:
            return pick(wrong.hint, judging.lang)
        if looped or wrong.endless:
            if looped and wrong.endless and not judging.waited and (own & LOOPS or not constructs(wrong.code) & LOOPS):
                return pick(wrong.hint, judging.lang)
            continue
        if judging.order and failed and judging.order[0] != wrong.order[0]:
            continue  # the same error may come of another order
        if _agrees(judging, came, judging.defined(wrong.code), wrong):
            return pick(wrong.hint, judging.lang)
    return ""


def has_constructs(task: Task, wrong: Wrong, own: frozenset[str]) -> bool:
    """Whether code with these constructs has those that the reply mentions and that tell the wrong answer from the
    solution; one of them, if the reply lists several with "or". Names that the wrong answer gives to values of its own
    do not count."""
    if not own:  # a value, whose code is not known
        return True
    hint = pick(wrong.hint, "en")
    marks = (constructs(wrong.code) - constructs(task._solution) - bound(wrong.code)) & mentioned(hint)
    lists = [mentioned(each[0]) for each in OR_LIST.finditer(hint)]
    return all(any(each & own for each in lists if mark in each) for mark in marks - own)


def _agrees(judging: _Judging, came: Sequence[Outcome], believed: Any, wrong: Wrong) -> bool:
    """Whether `believed` gives the same in every call; it runs no further than the first difference."""
    allowance = Allowance(judging.seconds)
    return all(
        _alike(judging, outcome, judging.tried(believed, point, allowance), wrong)
        for point, outcome in zip(judging.points(), came, strict=False)
    )


def _alike(judging: _Judging, one: Outcome, other: Outcome, wrong: Wrong) -> bool:
    task = judging.task
    if type(one.error) is not type(other.error):
        return False
    if one.error is not None and other.error is not None:
        if without_names(one.error) != without_names(other.error):
            return False
        if judging.order:
            return _line(one.error) == _line(other.error)
        return not judging.code or _fails_alike(task, wrong, one.error, other.error)
    rel, near = min(task.rel, EXACT[0]), min(task.near, EXACT[1])  # a small number is not a nearby one
    if not (alike(other.value, one.value) and same(other.value, one.value, rel, near)):
        return False
    pairs = zip(one.arguments, other.arguments, strict=True)
    return task.may_change is not False or all(array_of(a) is None or same(a, b) for a, b in pairs)


def _fails_alike(task: Task, wrong: Wrong, error: BaseException, other: BaseException) -> bool:
    """Whether the reader's failing line contains what failed in the wrong answer: a text such as "shapes do not match"
    says too little about the cause. A text of autograd's own says enough."""
    if isinstance(error, RuntimeError) and not re.search("shape|size|dimension", without_names(error)):
        return True
    part = {*WRITTEN.findall(failing_part(other))} - NO_EVIDENCE
    own_names = bound(wrong.code) - constructs(task.gap)
    return part - own_names <= {*WRITTEN.findall(_line(error))}


def _line(error: BaseException) -> str:
    """The text of the line at which an answer stopped."""
    found = readers_line(error)
    return found[1] if found else ""

"""The reply to an answer that makes a known mistake: which of an exercise's wrong answers it behaves like.

A mistake is named only if four things hold. The answer gives what the wrong answer gives, in every call; an answer
that stops must stop with the same error in the same expression. If the reply mentions a construct of the wrong answer
(`or`, `.data`, `clip_grad_value_`), the reader's code contains it. If a function of the reader's returns nothing, so
does that of the wrong answer. And if a statement of the reader's has no effect, so has one of the wrong answer: else
that statement is what the reply is about.
Imports reading.py, slips.py, stopped.py, compare.py. Read next: trial.py, which calls it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..locale import pick
from .compare import alike, array_of, same
from .limit import TooLong
from .reading import WRITTEN, bound, cell_of, constructs, mentioned, names_used, returning
from .slips import ENDS, Slip, slips
from .stopped import failing_part, readers_line, without_names
from .task import Task, Wrong

if TYPE_CHECKING:
    from .trial import Outcome, _Judging

EXACT = 1e-4, 1e-6  # the tolerances, relative and absolute, for a wrong answer to be a known one
LOOPS = {"while", "for"}
OR_LIST = re.compile(r"`[^`]+`(?:, `[^`]+`)*,? or `[^`]+`")  # `detach`, `.data` or `no_grad`
NO_EVIDENCE = {"return", "=", "assert", "raise", "if", "for", "in", "while", "with", "and", "or", "not"}


def belief(judging: _Judging, given: Any, came: Sequence[Outcome]) -> str:
    """The reply of the wrong answer that behaves as `given` does; else a sentence about a statement without an effect;
    "" if there is none."""
    task = judging.task
    looped = isinstance(came[-1].error, TooLong)
    cell = judging.source or cell_of(given)
    own = constructs(cell) or frozenset(names_used(given))
    names = names_used(given) | {name for name in own if name.endswith("()")}
    silent, idle = returns_nothing(task, judging.code), {slip.kind for slip in slips_in(judging)}
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
        if idle != {slip.kind for slip in slips_of(task, wrong.code)} or silent != returns_nothing(task, wrong.code):
            continue
        if judging.order and failed and judging.order[0] != wrong.order[0]:
            continue  # the same error may come of another order
        if _agrees(judging, came, judging.defined(wrong.code), wrong):
            return pick(wrong.hint, judging.lang)
    for slip in slips_in(judging):
        key = "never runs" if slip.kind in ENDS.values() else slip.kind
        return judging.words[key].format(**slip._asdict())
    return ""


def slips_in(judging: _Judging) -> tuple[Slip, ...]:
    """The statements without an effect in the cell of an answer."""
    one_cell = len(judging.files) == 1 and not judging.order  # else a line has no number that the reader knows
    cell = cell_of(judging.given) if one_cell and judging.code else ""
    return slips_of(judging.task, cell) if cell != judging.code or cell.startswith(("def ", "class ")) else ()


def slips_of(task: Task, code: str) -> tuple[Slip, ...]:
    """Those of a piece of code, without the lines of the untouched cell: an early `return` leaves them behind."""
    given = {line.strip() for line in task.gap.splitlines()}
    return tuple(slip for slip in slips(code) if slip.text not in given)


def returns_nothing(task: Task, code: str) -> str:
    """The name of a function of an answer that returns no value, where that of the solution returns one; "" if there is
    none, or if the code is not known."""
    wanted, found = returning(task._solution), returning(code)
    names = [task.wants] if task.wants in wanted else [*wanted]
    return next((name for name in names if wanted[name] and not found.get(name, True)), "")


def has_constructs(task: Task, wrong: Wrong, own: frozenset[str]) -> bool:
    """Whether code with these constructs has those of the wrong answer that the reply mentions; one of them, if the
    reply lists several with "or". Names that the wrong answer gives to values of its own do not count."""
    if not own:  # a value, whose code is not known
        return True
    hint = pick(wrong.hint, "en")
    given = constructs(task.gap) & constructs(task._solution)  # the cell's own words, which advice may mention
    marks = (constructs(wrong.code) - (bound(wrong.code) | given)) & mentioned(hint)
    lists = [mentioned(each[0]) for each in OR_LIST.finditer(hint)]
    return all(any(each & own for each in lists if mark in each) for mark in marks - own)


def _agrees(judging: _Judging, came: Sequence[Outcome], believed: Any, wrong: Wrong) -> bool:
    """Whether `believed` gives the same in every call; it runs no further than the first difference."""
    return all(
        _alike(judging, outcome, judging.tried(believed, point, None), wrong)
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
    """Whether the expression that failed contains the words of the one that failed in the wrong answer, in their order:
    a text such as "shapes do not match" says too little about the cause. A text of autograd's own says enough."""
    if isinstance(error, RuntimeError) and not re.search("shape|size|dimension", without_names(error)):
        return True
    own_names = bound(wrong.code) - constructs(task.gap)
    part = [word for word in WRITTEN.findall(failing_part(other)) if word not in NO_EVIDENCE | own_names]
    words = iter(WRITTEN.findall(failing_part(error)))
    return all(word in words for word in part)  # in this order


def _line(error: BaseException) -> str:
    """The text of the line at which an answer stopped."""
    found = readers_line(error)
    return found[1] if found else ""

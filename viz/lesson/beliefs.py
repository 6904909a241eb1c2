"""The reply to an answer that makes a known mistake: which of an exercise's wrong answers it behaves like.

A mistake is named only if all of this holds. The answer gives what the wrong answer gives, in every call; an answer
that stops must stop with the same error in the same expression. If the page marks the wrong answer with pieces of code,
the reader's code has one of them, or has none. If the reply mentions a construct of the wrong answer
(`or`, `.data`, `clip_grad_value_`), the reader's code contains it. If a function of the reader's returns nothing, so
does that of the wrong answer. If a statement of the reader's has no effect, or a line that the cell gave has been
changed, the same is true of the wrong answer: else that statement is what the reply is about. And the reader's code
does not have already what the reply tells the reader to write.
Imports advice.py, reading.py, slips.py, stopped.py, compare.py. Read next: trial.py, which calls it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..locale import pick
from .advice import asked, followed, found, written
from .compare import alike, array_of, same
from .limit import TooLong
from .reading import WRITTEN, bound, cell_of, constructs, mentioned, names_used, returning
from .slips import ENDS, Slip, altered, names_in, slips
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
    changed = changes(task, cell) if judging.files else {}
    for wrong in task._wrong:
        if wrong.uses and names.isdisjoint(wrong.uses.split()):
            continue
        if not has_pieces(wrong, cell) or not has_constructs(task, wrong, own):
            continue
        if wrong.anyhow:
            return pick(wrong.hint, judging.lang)
        if changed and changed.keys() - changes(task, wrong.code).keys():
            continue
        if judging.files and not judging.order and done_already(wrong, cell):
            continue
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
        if slip.text == part_that_failed(came):  # then it has an effect: it stops the code
            continue
        key = "never runs" if slip.kind in ENDS.values() else slip.kind
        return judging.words[key].format(**slip._asdict())
    for line, own_line in changed.items():
        if names_in(own_line) <= names_in(task.gap):  # else the whole code is written in another way
            return judging.words["altered"].format(given=line, own=own_line)
    return ""


def changes(task: Task, code: str) -> dict[str, str]:
    """The lines of a cell with a gap that an answer has changed, and the solution has not."""
    return altered(task.gap, code) if "..." in task.gap and not altered(task.gap, task._solution) else {}


def done_already(wrong: Wrong, code: str) -> bool:
    """Whether code already has what the reply tells the reader to write, or lacks what it asks about. What the wrong
    answer itself has, the reply means in another place."""
    hint = pick(wrong.hint, "en")
    if followed(hint, code) - followed(hint, wrong.code):
        return True
    return bool(asked(hint) & found(wrong.code) - found(code))


def part_that_failed(came: Sequence[Outcome]) -> str:
    """The expression at which an answer stopped."""
    return next((failing_part(outcome.error) for outcome in came if outcome.error is not None), "")


def slips_in(judging: _Judging) -> tuple[Slip, ...]:
    """The statements without an effect in the cell of an answer."""
    one_cell = len(judging.files) == 1 and not judging.order  # else a line has no number that the reader knows
    cell = cell_of(judging.given) if one_cell and judging.code else ""
    return slips_of(judging.task, cell) if cell != judging.code or cell.startswith(("def ", "class ")) else ()


def slips_of(task: Task, code: str) -> tuple[Slip, ...]:
    """Those of a piece of code, without the last line of the untouched cell: a `return` in its gap leaves it behind. An
    attribute that the exercise never calls is no call without its brackets."""
    given = {line.strip() for line in task.gap.splitlines() if line.strip().startswith("return")}
    found = (slip for slip in slips(code) if slip.text not in given)
    calls = _calls(task.gap + task._solution)
    idle = {"calls nothing"}
    return tuple(
        slip._replace(kind="idle") if slip.kind in idle and slip.text.rpartition(".")[2] not in calls else slip
        for slip in found
    )


@lru_cache(maxsize=200)
def _calls(code: str) -> frozenset[str]:
    """The names in a piece of code that are called."""
    return frozenset(re.findall(r"(\w+)\(", code))


def returns_nothing(task: Task, code: str) -> str:
    """The name of a function of an answer that returns no value, where that of the solution returns one; "" if there is
    none, or if the code is not known."""
    wanted, found = returning(task._solution), returning(code)
    names = [task.wants] if task.wants in wanted else [*wanted]
    return next((name for name in names if wanted[name] and not found.get(name, True)), "")


def has_pieces(wrong: Wrong, code: str) -> bool:
    """Whether code has one of the pieces that the wrong answer is marked with, and none of those that it must lack."""
    has = not wrong.has or any(written(piece, code) for piece in wrong.has)
    return has and not any(written(piece, code) for piece in wrong.lacks) and bool(code or not wrong.lacks)


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

"""`keep_part(q)`: the file `my_autograd.py`, in which a reader's right functions of lesson 13 become a whole engine.

The file has one part after another. Each begins with a line `# --- yours: own_run`; "given" and "ours" stand there for
parts that the lesson gives, and for solutions that fill a gap. Only a right answer
replaces a part that is the reader's.
Imports parts.py and later.py. Read next: play.py.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import linecache
import os
import re
import sys
from pathlib import Path
from typing import Any

from ...locale import language, room
from ..exercise import OURS
from ..exercises import find
from ..task import TASKS, Task, defines, solutions_shown
from ..trial import defined, judge
from . import parts
from .later import problem

tr = room("lesson")

FILE = "my_autograd.py"
WORDS = tr.table("own_engine")
HEAD = '"""My autograd, written in lesson 13 of minigrad. `python my_autograd.py` trains a network with it."""\n'
MARK = re.compile(r"^# --- (given|yours|ours): (.+)\n", re.M)
KEPT = "_kept_parts"  # the name of a notebook's table {exercise: its function, yours or ours}
BESIDE = "_kept_beside"  # {exercise: all that its answer defines}, such as `Recorded` beside `backward`
UNTIL = {  # what stands in place of later steps until the reader comes to them
    "own_fit": "def fit(F, grad, shape):\n    return grad\n",
    "own_leaves": "def arrive_leaves(leaves, form):\n    for leaf, grad in leaves.items():\n"
    "        leaf._grad = form.wrap(grad)\n",
    "own_backward": "def backward(tensor):\n    run(tensor._fn or tensor, np.ones_like(tensor._data), RAW)\n",
}


def keep_part(question: Any) -> Any:
    """The reader's answer if it is right, else the solution; a right one is also written into the file.

    The solution replaces all that the reader's answer has defined. If the reader's earlier parts fail together with it,
    ours replace these, too. An answer that could not be judged is used as it is.

    question: what `viz.exercise` has returned.
    """
    names = sys._getframe(1).f_globals
    task = question.task
    _run_given_parts_again(names)
    if question.verdict.kind == "ours":
        print(question.words["ours kept"].format(name=task.wants))
        names[task.wants] = question.given
    elif not question.verdict.right:
        print(question.words["ours"].format(name=task.wants))
        _replace(task, question.given, names)
    else:
        names[task.wants] = question.given
        text = _typed(question.given, task, names)
        if text is None:
            _say("uses", name=task.wants)
        else:
            _write({**_yours(), task.name: text})
            _say("kept", name=task.wants)
    names.setdefault(KEPT, {})[task.name] = names[task.wants]
    names.setdefault(BESIDE, {})[task.name] = {each: names[each] for each in defines(task._solution) if each in names}
    if task.name == "own_run":  # its cell has the simpler functions that later steps replace
        _put_back(names)
    return names[task.wants]


def _replace(task: Task, given: Any, names: dict[str, Any]) -> None:
    """Put our solution in place of all that the reader's answer has defined."""
    own = {name: text for name, text in parts._PARTS if name}
    try:
        defined_there = set(defines(_cell(given)))
    except Exception:  # nothing was given, or its source is not known
        defined_there = set()
    for name in parts.PLACES:
        other = _task(name)
        if name != task.name and defined_there & {*defines(other._solution)} and name in names.get(KEPT, {}):
            names[other.wants] = names[KEPT][name]
    exec(compile(task._solution, f"{OURS}{task.wants}>", "exec"), names)
    yours = _yours()
    earlier = {name: yours[name] for name in yours if parts.PLACES[name] < parts.PLACES[task.name]}
    if earlier and not agrees(earlier):
        bad = [name for name in earlier if agrees({each: text for each, text in earlier.items() if each != name})]
        bad = bad or [*earlier]
        for name in bad:
            exec(compile(own[name], f"{OURS}{_task(name).wants}>", "exec"), names)
            names.setdefault(KEPT, {})[name] = names[_task(name).wants]
            del yours[name]
        _write(yours)
        _say("whole", names=", ".join(f"`{_task(name).wants}`" for name in bad))


def _run_given_parts_again(names: dict[str, Any]) -> None:
    """Repair the engine if the cell of `Tensor` was run again without the cell after it."""
    Tensor, raw = names.get("Tensor"), names.get("RAW")
    if Tensor is None or raw is None or raw.wrap is Tensor and hasattr(Tensor, "__add__"):
        return
    for name, text in parts._PARTS[: parts.PLACES["own_call"]]:
        if not name:
            exec(compile(text, "<the lesson>", "exec"), names)
    _say("given")


def keeps(task: Task, names: dict[str, Any]) -> None:
    """After a check of an answer that is not right: the part that was kept before stays in its place."""
    kept = names.get(KEPT, {}).get(task.name)
    if kept is not None and names.get(task.wants) is not kept:
        names.update(names.get(BESIDE, {}).get(task.name, {}) | {task.wants: kept})
        _say("still", name=task.wants)


def _put_back(names: dict[str, Any]) -> None:
    """The functions of later steps, after an earlier cell was run again and replaced them."""
    found = {_task(name).wants: names[KEPT][name] for name in UNTIL if name in names.get(KEPT, {})}
    if replaced := [name for name, part in found.items() if names.get(name) is not part]:
        names.update(found)
        _say("later", names=", ".join(f"`{name}`" for name in replaced))


def load(names: dict[str, Any]) -> None:
    """Put the engine of the first sitting into `names`, the globals of a notebook: the reader's parts where the file
    has them, else ours. Of later steps, those in the file, and those that the notebook has already used."""
    yours = _yours()
    for name, text in parts._PARTS:
        late = parts.PLACES.get(name, 0) > parts.PLACES["own_run"]
        text = yours.get(name, UNTIL.get(name, "") if late else text)
        exec(compile(text, FILE, "exec"), names)
    _put_back(names)
    own = [TASKS[name].wants if name in TASKS else _task(name).wants for name in parts.PLACES if name in yours]
    if own:
        _say("loaded", names=", ".join(own))
    else:
        _say("loaded none")


def finish() -> None:
    """Write the whole engine: the reader's parts, ours in place of missing ones, and the program that trains.

    The whole is compared with minigrad on random graphs. A part that fails only there is named, and replaced by ours.
    """
    yours = _yours()
    bad = (
        ()
        if agrees(yours)
        else tuple(name for name in yours if agrees({**yours, name: parts._PARTS[parts.PLACES[name]][1]}))
    )
    for name in bad:
        _say("fails", name=_task(name).wants)
        del yours[name]
    if not agrees(yours):
        _say("fail together")
        yours = {}
    _write(yours)
    own = sum(len(_code(text)) for text in yours.values())
    _say("finished", n=len(yours), all=len(parts.PLACES), lines=own)


def _say(key: str, **values: Any) -> None:
    print(WORDS[language(None)][key].format(file=FILE, **values))


def agrees(yours: dict[str, str]) -> bool:
    """Whether the engine with these parts works as minigrad does: later.py says what that means."""
    names: dict[str, Any] = {"__name__": "engine"}
    try:
        for name, text in parts._PARTS:
            exec(compile(yours.get(name, text), FILE, "exec"), names)
        return problem(names, count=4) is None
    except Exception:  # of a reader's code
        return False


def _task(name: str) -> Task:
    task = TASKS.get(name) or find(name)
    assert task is not None
    return task


def _code(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def _yours() -> dict[str, str]:
    """The reader's parts in the file."""
    if not Path(FILE).is_file():
        return {}
    pieces = MARK.split(Path(FILE).read_text(encoding="utf-8"))[1:]
    return {
        name: text.strip("\n") + "\n"
        for who, name, text in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True)
        if who == "yours" and name in parts.PLACES
    }


def _write(yours: dict[str, str]) -> None:
    found = [HEAD]
    for name, text in parts._PARTS:
        who = "given" if not name else "yours" if name in yours else "ours"
        if who == "ours" and not solutions_shown():  # the file runs, and does not show the solution
            text = f'from viz.lesson.own.parts import _put\n\n_put("{name}", globals())\n'
        found.append(f"# --- {who}: {name or 'the lesson'}\n{yours.get(name, text).strip(chr(10))}\n")
    found.append(f"# --- given: the program\n{parts.PROGRAM.strip(chr(10))}\n")
    new = Path(f".{FILE}.{os.getpid()}")
    new.write_text("\n\n".join(found), encoding="utf-8")
    os.replace(new, FILE)


def _typed(given: Any, task: Task, names: dict[str, Any]) -> str | None:
    """The text of the answer with its helpers, if it is right alone; None if it needs names of other cells."""
    wanted = [names.get(name) for name in defines(task._solution)]
    found = []
    for each in [*wanted[:-1], given]:
        text = _cell(each)
        if text and text not in found:
            found.append(text)
    text = "\n\n".join(found)
    try:
        return text if judge(task, defined(task, text, importlib.import_module("minigrad"))).right else None
    except Exception:
        return None


def _cell(given: Any) -> str:
    """What the cell that defines `given` defines and imports."""
    functions = (
        [given] if inspect.isfunction(given) else [each for each in vars(given).values() if inspect.isfunction(each)]
    )
    source = "".join(linecache.getlines(functions[0].__code__.co_filename))
    lines, kept = source.splitlines(), []
    for statement in ast.parse(source).body:
        start = min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", []))])
        text = "\n".join(lines[start - 1 : statement.end_lineno])
        made = isinstance(statement, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign))
        if made and not re.match(r"(from|import) viz\b|.*(\bviz\.exercise\(|\bkeep_part\()", text):
            kept.append(text)
    return "\n\n".join(kept) + "\n"

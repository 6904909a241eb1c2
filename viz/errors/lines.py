"""Which of the reader's lines had a part in an error.

Some the error knows itself, or the clinic has noted. Others are looked for in the reader's code, backwards from the
line that stopped: where a name was set, a value lost its graph, recording was switched off, a pass freed the graph.
That is reading, not running: it follows plain assignments, and says nothing where it can't be sure.

Imports the standard library only. Read programs.py next: what there is to read.
"""

from __future__ import annotations

import ast
import contextlib
import linecache
import os
import sys
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Any

# What gives a value without its history.
CUTTING_METHODS = {"detach", "numpy", "item", "tolist", "argmax", "argmin", "long", "int"}
CUTTING_MODES = {"no_grad", "inference_mode"}
FROM_NUMBERS = {"tensor", "as_tensor", "from_numpy", "Tensor", "FloatTensor"}
UNTRACKED = {"ones", "zeros", "rand", "randn", "full", "arange", "linspace"}


@dataclass(frozen=True)
class Line:
    """A line of the reader's: its part in the matter ("saved", "changed" …), where it is, and what stands there."""

    part: str
    filename: str
    number: int
    code: str


@dataclass(frozen=True)
class Program:
    """A text of which line `number` had been reached (0: all of it has run). If it is a function's: which, the names
    that are its own, and those of the function around it.

    In the functions below there are several, the last that ran first. What they find is told as the part it had, which
    program (0 is the first), and the number of its line.
    """

    text: str
    number: int = 0
    filename: str = ""
    function: str = ""
    names: frozenset[str] = frozenset()
    free: frozenset[str] = frozenset()

    def before(self) -> list[Step]:
        """The simple statements that came before the line; in a loop that line's own, too: a turn ago."""
        return [step for step in steps(self.text, self.number) if not self.number or step.is_before(self.number)]

    def at(self, number: int) -> ast.stmt | None:
        """The simple statement that line `number` belongs to."""
        return statement_at(self.text, number)


def line_at(part: str, place: tuple[str, int]) -> Line:
    """The line at `place`, a file's name and a number counted from 1."""
    return Line(part, *place, linecache.getline(*place).strip())


Found = tuple[str, int, int]  # the part, which program, the number of the line

INSTALLED = tuple({sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib", "purelib", "platlib")})


def libraries() -> tuple[str, ...]:
    """How the names of files begin that are no reader's: of this package, minigrad, PyTorch, all that is installed."""
    loaded = (sys.modules.get(name) for name in ("viz", "minigrad", "torch"))
    ours = (os.path.dirname(module.__file__) + os.sep for module in loaded if module and module.__file__)
    return "<minigrad", "<frozen", *INSTALLED, *ours


def reader_below(frame: FrameType | None) -> FrameType | None:
    """The innermost frame that is running and no library's."""
    others = libraries()
    while frame is not None and frame.f_code.co_filename.startswith(others):
        frame = frame.f_back
    return frame


def last_of_the_reader(trace: TracebackType | None) -> tuple[FrameType, int] | None:
    """The innermost frame of a traceback that is no library's, and the number of the line it had reached."""
    found, others = None, libraries()
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(others):
            found = trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next
    return found


def in_a_loop(trace: TracebackType | None) -> bool:
    """Whether a line of the reader's that an error came through stands in a `for` or a `while`."""
    others = libraries()
    while trace is not None:
        name, number = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        if not name.startswith(others):
            program = steps("".join(linecache.getlines(name)), number)
            if any(step.looped and step.node.lineno <= number <= (step.node.end_lineno or 0) for step in program):
                return True
        trace = trace.tb_next
    return False


# -- reading backwards --------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One simple statement, and whether it stands in a block where nothing is recorded, or in a loop."""

    node: ast.stmt
    unrecorded: bool
    looped: bool

    def is_before(self, number: int) -> bool:
        last = self.node.end_lineno or self.node.lineno
        return last < number or (self.looped and self.node.lineno <= number)


def steps(source: str, number: int = 0) -> list[Step]:
    """The simple statements of a program, in the order of its text; [] for what is no Python.

    Of functions those alone that line `number` stands in.
    """
    try:
        return list(_flat(ast.parse(source).body, number, False, False))
    except SyntaxError:  # a cell with a magic in it
        return []


def _flat(body: list[ast.stmt], number: int, unrecorded: bool, looped: bool) -> Iterator[Step]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            if node.lineno <= number <= (node.end_lineno or 0):
                yield from _flat(node.body, number, False, False)
            continue
        blocks = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
        blocks += [handler.body for handler in getattr(node, "handlers", [])]
        if not any(blocks):
            yield Step(node, unrecorded, looped)
            continue
        off = isinstance(node, ast.With) and any(_last_name(item.context_expr) in CUTTING_MODES for item in node.items)
        for block in blocks:
            inside = looped or isinstance(node, ast.For | ast.While)
            yield from _flat(block, number, unrecorded or off, inside)


def statement_at(source: str, number: int) -> ast.stmt | None:
    """The simple statement that line `number` belongs to."""
    found = [step.node for step in steps(source, number) if step.node.lineno <= number <= (step.node.end_lineno or 0)]
    return found[-1] if found else None


def _last_name(node: ast.AST) -> str:
    """`no_grad` of `torch.no_grad()`."""
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def names_of(code: str) -> set[str]:
    """The names in a line of code; none if it is no whole statement."""
    try:
        return _names(ast.parse(code))
    except SyntaxError:
        return set()


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _cuts(value: ast.AST, by_grad: bool = True) -> bool:
    """Does this expression drop the history of what is in it? by_grad: a gradient has one only if that is asked for."""
    for node in ast.walk(value):
        if isinstance(node, ast.Attribute) and node.attr == "data":
            return True
        if by_grad and isinstance(node, ast.Call) and _last_name(node) == "grad" and not _asks(node, "create_graph"):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CUTTING_METHODS:
            return True
        if isinstance(node, ast.Call) and _last_name(node) in FROM_NUMBERS and any(map(_names, node.args)):
            return True
    return False


def _asks(call: ast.Call, name: str) -> bool:
    """Is this argument given, and not False?"""
    return any(word.arg == name and getattr(word.value, "value", True) is not False for word in call.keywords)


def _asks_for_nothing(value: ast.AST) -> bool:
    """Is this a new tensor that asks for no gradient?"""
    made = isinstance(value, ast.Call) and _last_name(value) in FROM_NUMBERS | UNTRACKED
    return made and not any(word.arg == "requires_grad" for word in value.keywords)  # type: ignore[attr-defined]


def where_it_was_lost(programs: list[Program]) -> Found | None:
    """The line that cut off the history of what `backward` is asked of in the line that was reached: "lost".

    If nothing cut, "without" for the first line that made a tensor and asked for no gradient; None if neither is found.

    >>> program = '''w = torch.ones(2, requires_grad=True)
    ... d = (w * 2).detach()
    ... loss = (d * d).sum()
    ... loss.backward()'''
    >>> where_it_was_lost([Program(program, 4)])
    ('lost', 0, 2)
    """
    reached = programs[0].at(programs[0].number)
    if reached is None:
        return None
    wanted = _names(reached)
    if _cuts(reached, by_grad=False):  # which may be the call of `grad` that stopped
        return "lost", 0, reached.lineno
    without, outside = None, set[str]()  # names of the module's, that a function on the way may have hidden
    for which, program in enumerate(programs):
        wanted |= outside - program.names
        for step in reversed(program.before()):
            node = step.node
            if which == 0 and node.lineno == reached.lineno:
                continue
            if isinstance(node, ast.Assign):
                targets = set().union(*map(_names, node.targets))
            elif isinstance(node, ast.AnnAssign | ast.AugAssign):
                targets = _names(node.target)
            else:
                continue
            if node.value is None or not targets & wanted:
                continue
            if step.unrecorded or _cuts(node.value):
                return "lost", which, node.lineno
            if _asks_for_nothing(node.value):
                without = "without", which, node.lineno
            if isinstance(node, ast.Assign) and not step.looped:
                wanted -= {target.id for target in node.targets if isinstance(target, ast.Name)}
            wanted |= _names(node.value)
        given = _given_to(program, programs[which + 1]) if wanted & program.names and programs[which + 1 :] else []
        if any(map(_cuts, given)):
            return "lost", which + 1, given[0].lineno
        outside = (outside & program.names) | (wanted - program.names)
        wanted = (wanted & program.free).union(*map(_names, given))
    return without


def _given_to(function: Program, caller: Program) -> list[ast.expr]:
    """What the caller gave the function in the line that it had reached."""
    statement = caller.at(caller.number)
    calls = _calls(statement, function.function) if statement is not None else []
    return [value for call in calls for value in (*call.args, *(word.value for word in call.keywords))]


def which_pass_freed_it(programs: list[Program]) -> Found | None:
    """The line of the backward pass before the one that was reached: most likely the one that freed the graph. In a
    loop that is the same line, a turn ago."""
    return _last("freed", programs, lambda node: any(_calls(node, "backward")))


def which_step_changed_it(programs: list[Program]) -> Found | None:
    """The line of the optimizer's step before, likewise."""
    return _last("changed", programs, lambda node: any(_calls(node, "step")))


def where_it_was_switched_off(programs: list[Program]) -> Found | None:
    """The line that called `set_grad_enabled(False)` like a function, likewise; it may stand in any function."""
    found = None
    for which, program in enumerate(programs):
        with contextlib.suppress(SyntaxError):
            for call in _calls(ast.parse(program.text), "set_grad_enabled"):
                off = call.args and isinstance(call.args[0], ast.Constant) and call.args[0].value is False
                found = ("off", which, call.lineno) if off and found is None else found
    return found


def where_it_was_set(programs: list[Program], name: str) -> Found | None:
    """The line that gave a name what it stands for in the line that was reached: an assignment before it. The part is
    "created" where the line makes something, and "set" where it only names what there was. Of an argument nothing is
    found: the caller may call it something else."""

    def sets(node: ast.AST) -> bool:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        named = (each for target in targets if target is not None for each in _elements(target))
        return isinstance(node, ast.Assign | ast.AnnAssign) and any(getattr(each, "id", "") == name for each in named)

    first, *others = programs
    if name in first.names:
        others = []
    elif name not in first.free:  # a name of the module's: what callers call so is another
        others = [program for program in others if name not in program.names]
    found = _last("set", [first, *others], sets)
    if found is None:
        return None
    which, line = programs.index([first, *others][found[1]]), found[2]
    assigned = programs[which].at(line)
    return ("created" if assigned is not None and _is_new(getattr(assigned, "value", None)) else "set"), which, line


def where_a_layer_is_made(programs: list[Program], path: str, kind: str, place: Found | None) -> Found | None:
    """Where the layer at `path` of a module is written: a number is an argument of Sequential's, a name what a class
    gives `self`. As far as it can be followed from `place`, where the module was set, or from its class, `kind`.

    >>> program = '''net = nn.Sequential(
    ...     nn.ReLU(),
    ...     nn.Linear(8, 2),
    ... )'''
    >>> where_a_layer_is_made([Program(program)], "1", "Sequential", ("created", 0, 1))
    ('created', 0, 3)
    """
    node: Any = ast.parse(f"{kind}()", mode="eval").body
    if place is not None:
        _, which, number = place
        node = getattr(programs[which].at(number), "value", None)
    for name in path.split("."):
        if not isinstance(node, ast.Call):
            break
        layers = list(_arguments(node)) if _last_name(node) == "Sequential" else []
        if layers:
            node = layers[int(name)] if name.isdigit() and int(name) < len(layers) else None
        else:
            which, node = next(_given(programs, _last_name(node), name), (0, None))
        if node is None:
            break
        place = "created", which, node.lineno
    return place


def _arguments(call: ast.Call) -> Iterator[ast.expr]:
    """What is given by place; none if that is more than can be seen here: `*layers`."""
    given = [each.value if isinstance(each, ast.Starred) else each for each in call.args]
    for argument, each in zip(call.args, given, strict=True):
        if argument is each:
            yield each
        elif isinstance(each, ast.Tuple | ast.List):
            yield from each.elts
        else:
            return


def _given(programs: list[Program], kind: str, name: str) -> Iterator[tuple[int, ast.expr]]:
    """What a class called `kind` gives its attribute `name`, and which program says so."""
    for which, program in enumerate(programs):
        with contextlib.suppress(SyntaxError):
            classes = (c for c in ast.walk(ast.parse(program.text)) if isinstance(c, ast.ClassDef) and c.name == kind)
            for node in (node for each in classes for node in ast.walk(each) if isinstance(node, ast.Assign)):
                for target, value in _pairs(node):
                    if isinstance(target, ast.Attribute) and ast.unparse(target) == f"self.{name}":
                        yield which, value


def _pairs(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is set to what: of `a, b = 1, 2` each by itself."""
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(target.elts, node.value.elts, strict=False)
        else:
            yield target, node.value


def _is_new(value: ast.AST | None) -> bool:
    """Does this expression make something, and not only name what there was?"""
    if isinstance(value, ast.Tuple):
        return all(map(_is_new, value.elts))
    return value is not None and not isinstance(value, ast.Name | ast.Attribute | ast.Subscript | ast.Constant)


def _elements(target: ast.AST) -> list[ast.AST]:
    return [e for each in target.elts for e in _elements(each)] if isinstance(target, ast.Tuple) else [target]


def _calls(node: ast.AST, name: str) -> list[ast.Call]:
    return [each for each in ast.walk(node) if isinstance(each, ast.Call) and _last_name(each) == name]


def _last(part: str, programs: list[Program], is_it: Callable[[ast.AST], bool]) -> Found | None:
    """The last simple statement before the line that was reached that `is_it`."""
    for which, program in enumerate(programs):
        for step in reversed(program.before()):
            if is_it(step.node):
                return part, which, step.node.lineno
    return None

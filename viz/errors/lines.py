"""Finds the reader's lines that took part in an error.

The error itself or the clinic's notes name some lines. Others are searched for in the reader's code, backwards from the
line that stopped: where a name was set, a value lost its graph, recording was switched off, or a pass freed the graph.
The code is read, not run: the search follows plain assignments, and finds nothing if unsure.

Imports calls. Read programs.py next, which provides the code to search.
"""

from __future__ import annotations

import ast
import linecache
import os
import sys
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from traceback import walk_tb
from types import FrameType, TracebackType

from . import calls

# Operations whose result has no history.
CUTTING_METHODS = {"detach", "numpy", "item", "tolist", "argmax", "argmin", "long", "int"}
STEPPED = {"argmax", "argmin", "long", "int", "bool", "eq", "ne", "gt", "lt", "ge", "le"}  # without a derivative
CHOOSING = {"where", "masked_fill", "masked_fill_", "masked_select"}  # a comparison in them only chooses
CUTTING_MODES = {"no_grad", "inference_mode"}
FROM_NUMBERS = {"tensor", "as_tensor", "from_numpy", "Tensor", "FloatTensor"}
UNTRACKED = {"ones", "zeros", "rand", "randn", "full", "arange", "linspace"}


@dataclass(frozen=True)
class Line:
    """A line of the reader's: its part in the fault ("saved", "changed" …), its place, and its code."""

    part: str
    filename: str
    number: int
    code: str


@dataclass(frozen=True)
class Program:
    """A text in which line `number` was reached (0: all of it has run). For a function: its name, its own names, and
    those of the function around it.

    The functions below take several programs, the last that ran first. They return a part, the number of the program (0
    is the first), and the number of the line.
    """

    text: str
    number: int = 0
    filename: str = ""
    function: str = ""
    names: frozenset[str] = frozenset()
    free: frozenset[str] = frozenset()

    def before(self) -> list[Step]:
        """The simple statements before the line; in a loop, also that line's own, from the turn before."""
        return [step for step in steps(self.text, self.number) if not self.number or step.is_before(self.number)]

    def at(self, number: int) -> ast.stmt | None:
        """The simple statement that contains line `number`."""
        return statement_at(self.text, number)


def line_at(part: str, place: tuple[str, int]) -> Line:
    """The line at `place`: a file name and a number that starts from 1."""
    return Line(part, *place, linecache.getline(*place).strip())


Found = tuple[str, int, int]  # the part, the number of the program, the number of the line

ZIPPED = f"python{sys.version_info.major}{sys.version_info.minor}.zip"
INSTALLED = tuple(
    {sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    | {each + os.sep for each in sys.path if os.path.basename(each) == ZIPPED}  # Python's own library in a browser
)


def libraries() -> tuple[str, ...]:
    """The beginnings of file names that belong to libraries: this package, minigrad, PyTorch, everything installed."""
    loaded = (sys.modules.get(name) for name in ("viz", "minigrad", "torch"))
    ours = (os.path.dirname(module.__file__) + os.sep for module in loaded if module and module.__file__)
    return "<minigrad", "<frozen", *INSTALLED, *ours


def reader_below(frame: FrameType | None) -> FrameType | None:
    """The innermost running frame that belongs to no library."""
    others = libraries()
    while frame is not None and frame.f_code.co_filename.startswith(others):
        frame = frame.f_back
    return frame


def last_of_the_reader(trace: TracebackType | None) -> tuple[FrameType, int] | None:
    """The innermost frame of a traceback that belongs to no library, and the number of its current line."""
    others = libraries()
    ours = [place for place in walk_tb(trace) if not place[0].f_code.co_filename.startswith(others)]
    return ours[-1] if ours else None


def in_a_loop(trace: TracebackType | None) -> bool:
    """Did the error pass through a line of the reader's that is in a `for` or a `while`?"""
    others = libraries()
    for frame, number in walk_tb(trace):
        name = frame.f_code.co_filename
        if not name.startswith(others):
            program = steps("".join(linecache.getlines(name)), number)
            if any(step.looped and step.node.lineno <= number <= (step.node.end_lineno or 0) for step in program):
                return True
    return False


# -- searching a program backwards --------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One simple statement, and whether it is in a block where nothing is recorded, or in a loop."""

    node: ast.stmt
    unrecorded: bool
    looped: bool

    def is_before(self, number: int) -> bool:
        last = self.node.end_lineno or self.node.lineno
        return last < number or (self.looped and self.node.lineno <= number)


def steps(source: str, number: int = 0) -> list[Step]:
    """The simple statements of a program, in the order of its text; [] if it is not Python.

    Of functions, only those that contain line `number`.
    """
    return list(_flat(calls.parsed(source).body, number, False, False))


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
        off = isinstance(node, ast.With) and any(last_name(item.context_expr) in CUTTING_MODES for item in node.items)
        for block in blocks:
            inside = looped or isinstance(node, ast.For | ast.While)
            yield from _flat(block, number, unrecorded or off, inside)


def statement_at(source: str, number: int) -> ast.stmt | None:
    """The simple statement that contains line `number`."""
    found = [step.node for step in steps(source, number) if step.node.lineno <= number <= (step.node.end_lineno or 0)]
    return found[-1] if found else None


def last_name(node: ast.AST) -> str:
    """The last name of a call: `no_grad` for `torch.no_grad()`."""
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def names_of(code: str) -> set[str]:
    """The names in a line of code; none if it is not a complete statement."""
    return _names(calls.parsed(code))


def read_in(statement: ast.AST) -> list[ast.Name | ast.Attribute | ast.Subscript]:
    """The names, attributes and elements that a statement reads. The target of `y = f(x)` is not among them: when the
    line fails, `y` still has its old value, or none. A comprehension's own names have no value outside.

    >>> [ast.unparse(node) for node in read_in(ast.parse("y = [f(w) for w in ws]").body[0])]
    ['f', 'ws']
    """
    inner = {
        name for node in ast.walk(statement) if isinstance(node, ast.comprehension) for name in _names(node.target)
    }
    for node in ast.walk(statement):
        if isinstance(node, ast.Lambda):
            inner |= {argument.arg for argument in node.args.args}
    changed = [node.target for node in ast.walk(statement) if isinstance(node, ast.AugAssign)]  # `y += x` reads y
    found = []
    for node in ast.walk(statement):
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            written = not isinstance(node.ctx, ast.Load) and not any(node is each for each in changed)
            if not written and not _names(node) & inner:
                found.append(node)
    return found


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _cuts(value: ast.AST, by_grad: bool = True) -> bool:
    """Does this expression drop the history of its inputs? by_grad: count `grad` unless it has `create_graph`."""
    for node in ast.walk(value):
        if isinstance(node, ast.Attribute) and node.attr == "data":
            return True
        if by_grad and isinstance(node, ast.Call) and last_name(node) == "grad" and not _asks(node, "create_graph"):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CUTTING_METHODS:
            return True
        if isinstance(node, ast.Call) and last_name(node) in FROM_NUMBERS and any(map(_names, node.args)):
            return True
    return False


def steps_up(value: ast.AST) -> bool:
    """Does this expression compare or choose, so that its result has no derivative? `(p > 0.5).float()` does; a mask
    in an index or in `where` does not.

    >>> [steps_up(ast.parse(code)) for code in ("(p > 0.5).float()", "x[x > 0].sum()", "p.argmax(1) == y")]
    [True, False, True]
    """
    if isinstance(value, ast.Compare) and not isinstance(value.ops[0], ast.Is | ast.IsNot | ast.In | ast.NotIn):
        return True
    if isinstance(value, ast.Call) and last_name(value) in CHOOSING:
        return False
    if isinstance(value, ast.Call) and last_name(value) in STEPPED:
        return True
    if isinstance(value, ast.Subscript):
        return steps_up(value.value)
    if isinstance(value, ast.IfExp):
        return steps_up(value.body) or steps_up(value.orelse)
    return any(map(steps_up, ast.iter_child_nodes(value)))


def _asks(call: ast.Call, name: str) -> bool:
    """Is this argument given, and not False?"""
    return any(word.arg == name and getattr(word.value, "value", True) is not False for word in call.keywords)


def _asks_for_nothing(value: ast.AST) -> bool:
    """Is this a new tensor that does not require a gradient?"""
    made = isinstance(value, ast.Call) and last_name(value) in FROM_NUMBERS | UNTRACKED
    return made and not any(word.arg == "requires_grad" for word in value.keywords)  # type: ignore[attr-defined]


def where_it_was_lost(programs: list[Program]) -> Found | None:
    """The line that cut off the history of the tensors in the current line, which calls `backward`: "lost".

    Without such a line, "without" for the first line that made a tensor without requires_grad; else None.

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
    if _cuts(reached, by_grad=False):  # a call of `grad` does not count, since it may be the call that stopped
        return "lost", 0, reached.lineno
    if (inside := lost_in_a_call(programs[0].text, reached)) is not None:
        return "lost", 0, inside
    without, compared, outside = (
        None,
        None,
        set[str](),
    )  # the module's names, which a function in between may have hidden
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
            if compared is not None and not steps_up(node.value):
                wanted |= _names(node.value)
                continue
            if step.unrecorded or _cuts(node.value) or (compared and steps_up(node.value)):
                return "lost", which, node.lineno
            if steps_up(node.value):  # perhaps what it compares was chosen by an `argmax` before
                compared = "lost", which, node.lineno
            if (inside := lost_in_a_call(programs[which].text, node.value)) is not None:
                return "lost", which, inside
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
    return compared or without


def lost_in_a_call(text: str, value: ast.AST, depth: int = 3) -> int | None:
    """The line inside a called function of the reader's that cut off the history of what it returns."""
    for function in calls.followed(text, value) if depth else ():
        for decorator in function.decorator_list:
            if last_name(decorator) in CUTTING_MODES:
                return decorator.lineno
        own = calls.alone(text, function)
        for back in calls.returns(function):
            unrecorded = any(step.unrecorded for step in steps(own, back.lineno) if step.node.lineno == back.lineno)
            if unrecorded or _cuts(back) or steps_up(back):
                return back.lineno
            found = where_it_was_lost([Program(own, back.lineno)])
            if found is not None and found[0] == "lost":
                return found[2]
            if (inside := lost_in_a_call(text, back, depth - 1)) is not None:
                return inside
    return None


def _given_to(function: Program, caller: Program) -> list[ast.expr]:
    """The arguments that the caller passed to the function in its current line."""
    statement = caller.at(caller.number)
    found = _calls(statement, function.function) if statement is not None else []
    return [value for call in found for value in (*call.args, *(word.value for word in call.keywords))]


def which_pass_freed_it(programs: list[Program]) -> Found | None:
    """The line of the backward pass before the current one, which most likely freed the graph. In a loop it is the same
    line, one turn earlier."""

    def frees(node: ast.AST) -> bool:
        passes = [*_calls(node, "backward"), *_calls(node, "grad")]
        return any(not _asks(each, "retain_graph") and not _asks(each, "create_graph") for each in passes)

    return _last("freed", programs, frees)


def where_it_was_frozen(programs: list[Program]) -> Found | None:
    """The last line that froze parameters: `p.requires_grad = False` or `model.requires_grad_(False)`."""

    def freezes(node: ast.AST) -> bool:
        off = [call for call in _calls(node, "requires_grad_") if call.args and ast.unparse(call.args[0]) == "False"]
        if isinstance(node, ast.Assign) and ast.unparse(node.value) == "False":
            return any(isinstance(each, ast.Attribute) and each.attr == "requires_grad" for each in node.targets)
        return bool(off)

    return _last("frozen", programs, freezes)


def which_step_changed_it(programs: list[Program]) -> Found | None:
    """The line of the optimizer's last step before the current line."""
    return _last("changed", programs, lambda node: any(_calls(node, "step")))


def where_it_was_switched_off(programs: list[Program]) -> Found | None:
    """The line that called `set_grad_enabled(False)` as a function; it may be in any function."""
    found = None
    for which, program in enumerate(programs):
        for call in _calls(calls.parsed(program.text), "set_grad_enabled"):
            off = call.args and isinstance(call.args[0], ast.Constant) and call.args[0].value is False
            found = ("off", which, call.lineno) if off and found is None else found
    return found


def where_it_was_set(programs: list[Program], name: str) -> Found | None:
    """The last assignment to a name before the current line. The part is "created" if the line makes a new object, and
    "set" if it only names an existing one. Finds nothing for an argument, since the caller may use another name."""

    def sets(node: ast.AST) -> bool:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        named = (each for target in targets if target is not None for each in _elements(target))
        return isinstance(node, ast.Assign | ast.AnnAssign) and any(getattr(each, "id", "") == name for each in named)

    first, *others = programs
    if name in first.names:
        others = []
    elif name not in first.free:  # a module's name: callers with a local variable of this name are left out
        others = [program for program in others if name not in program.names]
    found = _last("set", [first, *others], sets)
    if found is None:
        return None
    which, line = programs.index([first, *others][found[1]]), found[2]
    assigned = programs[which].at(line)
    return ("created" if assigned is not None and _is_new(getattr(assigned, "value", None)) else "set"), which, line


def _is_new(value: ast.AST | None) -> bool:
    """Does this expression make a new object, and not only name an existing one?"""
    if isinstance(value, ast.Tuple):
        return all(map(_is_new, value.elts))
    return value is not None and not isinstance(value, ast.Name | ast.Attribute | ast.Subscript | ast.Constant)


def _elements(target: ast.AST) -> list[ast.AST]:
    return [e for each in target.elts for e in _elements(each)] if isinstance(target, ast.Tuple) else [target]


def _calls(node: ast.AST, name: str) -> list[ast.Call]:
    return [each for each in ast.walk(node) if isinstance(each, ast.Call) and last_name(each) == name]


def _last(part: str, programs: list[Program], is_it: Callable[[ast.AST], bool]) -> Found | None:
    """The last simple statement before the current line for which `is_it` is true."""
    for which, program in enumerate(programs):
        for step in reversed(program.before()):
            if is_it(step.node):
                return part, which, step.node.lineno
    return None

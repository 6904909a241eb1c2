"""Investigates one fault: its kind, and the lines, tensors and node that took part in it.

It uses the reader's frame in which the fault occurred, the names in it, and the error. minigrad's errors know their
node; in PyTorch's graphs, guilty.py searches for it. Imports case, guilty, lines and graph/. Read guilty.py next.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from traceback import walk_tb
from types import FrameType, ModuleType
from typing import Any

from ..graph.module import is_module
from ..graph.names import LIBRARIES, has_readable_history, is_tensor, library_of, named, names_in
from . import causes, guilty, layers, lines
from .case import Case, called
from .lines import Line
from .noting import Notes
from .programs import found_line, programs_of, running_file

SAVED = ("changed", "stepped")  # kinds where a saved tensor was changed
NODES = (
    "freed",
    "nan",
    "number of gradients",
    "shape of a gradient",
    "kind of a gradient",
    *SAVED,
)  # kinds that are about a node
BACKWARD = ("scalar", "no graph", "no derivative", "left off", "unused", *NODES)  # kinds that a backward pass raises
RESULTS = ("not a leaf", "optimize a result", "numpy", "several views")  # kinds about a tensor that was computed
LOOK = {  # how each part is searched for in the program
    "lost": lines.where_it_was_lost,
    "freed": lines.which_pass_freed_it,
    "changed": lines.which_step_changed_it,
    "off": lines.where_it_was_switched_off,
    "frozen": lines.where_it_was_frozen,
}
PYTHONS = ("no return", "list backward")  # Python's own errors, whose text programs of any kind raise
MOST = 4  # tensors that are listed


class Inquiry:
    """A fault of the kind `case` at line `number` of `frame`. `part` is the name of that line's part."""

    def __init__(
        self,
        case: Case,
        frame: FrameType,
        number: int,
        error: BaseException | None = None,
        part: str = "stopped",
        notes: Notes | None = None,
    ):
        self.notes = notes
        self.frame, self.number, self.error = frame, number, error
        self.here = running_file(frame)
        self.programs = programs_of(frame, number, error)
        self.met = lines.line_at(part, (frame.f_code.co_filename, number))
        self.statement = self.programs[0].at(number)
        self.variables = {**frame.f_globals, **frame.f_locals}
        self.names = names_that_can_be_read(frame)
        self.case = self.refined(case)

    # -- the kind of fault, if the text of the error does not tell -----------------------------------

    def refined(self, case: Case) -> Case:
        if case.name == "no graph" and self.found("off") and not self.recording():
            return called("left off")
        if case.name == "no graph" and self.updated is not None:
            return called("new weight")
        if case.name == "no graph" and self.all_frozen() and self.found("frozen"):
            return called("frozen")
        if case.name == "no gradient" and self.partly_used():
            return called("unused part")
        if case.name == "no graph" and (lost := self.found("lost")) and causes.has_no_derivative(lost.code):
            return called("no derivative")
        if case.name == "changed" and self.changed is not None and ".step(" in self.changed.code:
            return called("stepped")
        return case

    @cached_property
    def updated(self) -> tuple[str, Line] | None:
        """A weight that is no leaf any more, or needs no gradient, and the line `w = w - lr * w.grad` that did it."""
        for name, which, number in causes.updates(self.programs):
            weight: Any = self.variables.get(name)
            if is_tensor(weight) and not (weight.requires_grad and weight.grad_fn is None):
                return name, found_line(self.programs, "created", which, number)
        return None

    @cached_property
    def kept(self) -> tuple[str, Line] | None:
        """A value with a graph that was not made in this turn of the loop, and the line that made it."""
        for name, which, number, part in causes.kept_over_turns(self.programs):
            value: Any = self.variables.get(name)
            if is_tensor(value) and has_readable_history(value) and value.grad_fn is not None:
                return name, found_line(self.programs, part, which, number)
        return None

    def plausible(self) -> bool:
        """Is Python's own error, whose text any program could raise, about tensors and modules here?"""
        if self.case.name == "class called":
            return any(self.calls_a_class(node) for node in ast.walk(self.statement or ast.Pass()))
        if self.case.name == "params not iterable":
            places = [frame.f_code.co_filename.replace("\\", "/") for frame in self.inner()]
            return any("/optim/" in place for place in places)
        return self.case.name not in PYTHONS or bool(self.names or self.modules())

    def calls_a_class(self, node: ast.AST) -> bool:
        """Does this node call the class of a module with a tensor?"""
        if not isinstance(node, ast.Call):
            return False
        thing: Any = self.variables
        for name in ast.unparse(node.func).split("."):
            thing = (
                thing.get(name)
                if isinstance(thing, dict)
                else vars(thing).get(name)
                if isinstance(thing, ModuleType)
                else None
            )
        given = {ast.unparse(each) for each in node.args}
        return isinstance(thing, type) and is_module_class(thing) and any(name in given for name, _ in self.names)

    def all_frozen(self) -> bool:
        """Are there modules in the program, and do all their parameters not require a gradient?"""
        flags = [p.requires_grad for module in self.modules() for p in module.parameters()]
        return bool(flags) and not any(flags)

    def modules(self) -> list[Any]:
        return [thing for thing in self.variables.values() if is_module(thing) and "_parameters" in vars(thing)]

    def partly_used(self) -> bool:
        """Is the tensor whose gradient is None a parameter of a module of which other parameters have gradients?"""
        leaves = [tensor for _, tensor in self.written if tensor.requires_grad and has_readable_history(tensor)]
        without = {id(tensor) for tensor in leaves if tensor.grad_fn is None and tensor.grad is None}
        for module in self.modules():
            parts = list(module.parameters())
            if any(id(p) in without for p in parts) and any(p.grad is not None for p in parts):
                return True
        return False

    @cached_property
    def first_infinite(self) -> Line | None:
        """The line of the oldest value with a graph that holds an infinity or a nan, and was not filled with it."""
        found = []
        for name, tensor in self.names:
            if has_readable_history(tensor) and tensor.grad_fn is not None and not name.endswith("]"):
                filled = guilty.plain(tensor.grad_fn).startswith(("MaskedFill", "Where"))
                values = tensor.detach()
                if not filled and bool(((values - values) != 0).any()):  # not equal to 0: infinite, or nan
                    found.append((tensor.grad_fn._sequence_nr(), name, tensor))
        if not found:
            return None
        _, name, tensor = min(found, key=lambda each: each[0])
        place = guilty.made_at(tensor.grad_fn)
        if place is not None:
            return lines.line_at("infinite", place)
        line = self.found("set", name)
        return None if line is None else replace(line, part="infinite")

    def recording(self) -> bool:
        """Is recording on now, in the library of these tensors?"""
        tensors = [tensor for _, tensor in self.written] + list(getattr(self.error, "roots", ()))
        return all(library_of(tensor).is_grad_enabled() for tensor in tensors)

    @cached_property
    def changed(self) -> Line | None:
        """The line that changed a saved tensor: from the error, or, if a weight was changed, the optimizer's step."""
        place = getattr(self.error, "changed_at", None)
        if place is None and self.notes is not None:
            node = guilty.node_of("changed", str(self.error), [tensor for _, tensor in self.written])
            place = self.notes.changed(node, str(self.error))
        if place is not None:
            return lines.line_at("changed", place)
        if guilty.a_weight_was_changed(str(self.error), self.names):
            return self.found("changed")
        return None

    # -- the names and tensors in the line ------------------------------------------------------------

    @cached_property
    def written(self) -> list[tuple[str, Any]]:
        """The reader's tensors that occur in the statement, with their names there, in order."""
        known: dict[str, Any] = {}
        for name, tensor in self.names:
            known.setdefault(name, tensor)
        return [(text, known[text]) for text in self.terms if text in known]

    @cached_property
    def terms(self) -> list[str]:
        """The names, attributes and elements that the statement reads: `x`, `net.weight`, `outs[3]`."""
        if self.statement is None:  # not a complete statement, such as the code in the brackets of a cell with a magic
            return sorted(lines.names_of(self.met.code))
        found = lines.read_in(self.statement)
        found.sort(key=lambda node: (node.lineno, node.col_offset, -(node.end_col_offset or 0)))
        return list(dict.fromkeys(ast.unparse(node) for node in found))

    @cached_property
    def module(self) -> tuple[str, Any, FrameType] | None:
        """The module, if any, in which the error was raised: its name, the module, and its forward's frame."""
        found = None
        for frame in self.inner():
            if frame is self.frame:
                found = None
            elif is_module(frame.f_locals.get("self")):
                found = frame
        if found is None:
            return None
        module = found.f_locals["self"]
        return self.path_of(module) or type(module).__name__, module, found

    def path_of(self, module: Any) -> str:
        for name, thing in list(self.variables.items()):
            if is_module(thing) and not name.startswith("_"):
                for path, inner in thing.named_modules():
                    if inner is module:
                        return f"{name}.{path}".rstrip(".")
        return ""

    def tensors(self, words: dict[str, str]) -> list[tuple[str, str]]:
        """Names, types and shapes of the tensors in that line; for a module, of its inputs and its weight."""
        if not self.case.tensors:
            return []
        told = [(text, tensor) for text, tensor in self.written if self.concerns(tensor)]
        if self.module is not None:
            name, module, frame = self.module
            own = list(module.named_parameters(recurse=False))
            known = [*(tensor for _, tensor in told), *(weight for _, weight in own)]
            for argument in arguments_of(frame):
                tensor: Any = frame.f_locals.get(argument)
                if is_tensor(tensor) and not any(sorted(tensor.shape) == sorted(each.shape) for each in known):
                    told.append((words["into"].format(name=argument, module=name), tensor))
            told += [(f"{name}.{path}", weight) for path, weight in own[:1]]
        return [(name, kind_of(tensor)) for name, tensor in told[:MOST]]

    @cached_property
    def arrived(self) -> list[Any]:
        """The tensors that were passed to the module in which the error was raised."""
        given = [] if self.module is None else [self.module[2].f_locals.get(a) for a in arguments_of(self.module[2])]
        return [tensor for tensor in given if is_tensor(tensor)]

    def concerns(self, tensor: Any) -> bool:
        """Did this tensor of the line take part? For a layer inside a net, only those passed to the layer did."""
        return self.case.name != "linear" or not self.arrived or any(tensor is each for each in self.arrived)

    def attributes(self) -> list[tuple[str, Any]]:
        """Tensors that a module of the reader's stores as plain attributes."""
        return [
            (f"{name}.{key}", tensor)
            for name, module in list(self.variables.items())
            if is_module(module) and not name.startswith("_")
            for key, tensor in vars(module).items()
            if is_tensor(tensor)
        ]

    def named(self, tensor: Any) -> list[tuple[str, str]]:
        """A tensor in the form of `tensors`, if the reader has a name for it."""
        return [(name, kind_of(tensor)) for name, known in self.names if known is tensor][:1]

    # -- the node or tensor, and its graph ------------------------------------------------------------

    @cached_property
    def roots(self) -> list[Any]:
        """The tensors whose graph is shown."""
        known = [tensor for tensor in getattr(self.error, "roots", ()) if is_tensor(tensor)]
        written = [tensor for _, tensor in self.written]
        if self.case.name == "deepcopy":
            return [f.f_locals["self"] for f in self.inner() if f.f_code.co_name == "__deepcopy__"][-1:]
        if self.case.name in ("leaf changed", "leaf view"):
            return [tensor for tensor in written if tensor.requires_grad and tensor.grad_fn is None]
        if self.case.name in RESULTS:
            return [t for t in written if has_readable_history(t) and t.grad_fn is not None][:1]
        if self.case.tensors:
            return [t for t in written if has_readable_history(t) and t.grad_fn is not None]
        if self.case.name not in BACKWARD:
            return known
        return (known or written) + ([self.unused[1]] if self.case.name == "unused" and self.unused else [])

    @cached_property
    def guilty(self) -> Any:
        """The node or tensor that is marked."""
        node = getattr(self.error, "node", None)
        if node is not None:
            return node
        if self.case.name == "freed" and (node := self.freed_before) is not None:
            return node
        if self.case.name in NODES and self.error is not None:
            return guilty.node_of(self.case.name, str(self.error), self.roots)
        if self.case.name == "unused":
            return self.unused[1] if self.unused else None
        if self.case.name == "several views":
            return self.roots[0].grad_fn if self.roots else None
        return next(iter(self.roots), None)

    @cached_property
    def freed_before(self) -> Any:
        """The newest node that an earlier pass freed; None if unknown. The pass that failed freed its own newer nodes,
        too, so the node must also be behind another tensor, or behind a value from before the loop."""
        own = guilty.nodes_behind(self.roots)
        inner = {id(node) for node in own}
        others = [t for _, t in self.names if has_readable_history(t) and t.grad_fn is not None]
        others = [t for t in others if id(t.grad_fn) not in inner]
        if not others and self.kept is not None and self.kept[1].part == "early":
            others = [self.variables[self.kept[0]]]
        shared = {id(node) for node in guilty.nodes_behind(others)}
        said = "a second time"
        return next((n for n in own if id(n) in shared and any(said in text for text in guilty.refusals(n))), None)

    @property
    def unnoted(self) -> bool:
        """Is it about a node of PyTorch's whose line is unknown, because no lines were noted?"""
        node = self.guilty if self.case.name in NODES else None
        known = hasattr(node, "made_at") or self.notes is not None
        return node is not None and not known and guilty.made_at(node) is None

    def inner(self) -> list[FrameType]:
        return [frame for frame, _ in walk_tb(self.error.__traceback__)] if self.error else []

    @cached_property
    def unused(self) -> tuple[str, Any] | None:
        """The input of `grad` that the result does not depend on."""
        _, _, index = str(self.error).partition("at index ")
        calls = [node for node in ast.walk(self.statement or ast.Pass()) if isinstance(node, ast.Call)]
        for call in calls:
            asked = (
                call.args[1]
                if len(call.args) > 1
                else next((k.value for k in call.keywords if k.arg == "inputs"), None)
            )
            if asked is not None and index[:1].isdigit():
                i = int(index.split()[0])
                text = ast.unparse(asked.elts[i] if isinstance(asked, ast.List | ast.Tuple) else asked)
                for name, tensor in self.names:
                    if name in (text, f"{text}[{i}]"):
                        return name, tensor
        return None

    # -- the lines --------------------------------------------------------------------------------

    def found(self, part: str, name: str = "") -> Line | None:
        """The line with this part that is found by reading the program backwards."""
        place = lines.where_it_was_set(self.programs, name) if part == "set" else LOOK[part](self.programs)
        return None if place is None else found_line(self.programs, *place)

    def lines(self) -> list[Line]:
        """The lines that took part, in the order in which they ran."""
        return [*(line for line in self.evidence() if line is not None), self.met]

    def evidence(self) -> Iterator[Line | None]:
        kind = self.case.name
        node = self.guilty.grad_fn if is_tensor(self.guilty) and kind in (*RESULTS, "deepcopy") else self.guilty
        place = guilty.made_at(node) if node is not None and not is_tensor(node) else None
        kept = self.kept[1] if kind == "freed" and self.kept is not None else None
        if kept is not None and place != (kept.filename, kept.number):
            yield kept
        if place is not None and kind in (*NODES, *RESULTS, "deepcopy") and kind != "numpy":
            yield guilty.ended(kind, node, self.programs) or lines.line_at("saved" if kind in SAVED else "made", place)
        elif place is None and kind in RESULTS and kind != "numpy" and self.roots:  # PyTorch notes no lines
            name = next((name for name, tensor in self.written if tensor is self.roots[0]), "")
            yield self.found("set", name) if name else None
        if kind in SAVED:
            yield self.changed
        elif kind == "nan":
            yield self.first_infinite
        elif kind == "frozen":
            yield self.found("frozen")
        elif kind == "freed":
            yield self.found("freed")
        elif kind in ("no graph", "number loss", "no derivative"):
            yield self.found("lost")
        elif kind == "left off":
            yield self.found("off")
        elif kind == "unused" and self.unused:
            yield self.found("set", self.unused[0])
        elif kind == "new weight" and self.updated is not None:
            yield self.updated[1]
        elif kind == "no parameters" or self.case.tensors:
            yield from self.settings()

    def settings(self) -> list[Line]:
        """The lines that set the tensors and modules in the statement."""
        names = dict.fromkeys(name for text in self.terms for name in [text.partition(".")[0].partition("[")[0]])
        known = {name: self.variables.get(name) for name in names}
        wanted = [name for name, it in known.items() if is_module(it) or (is_tensor(it) and self.concerns(it))]
        found = {(line.filename, line.number): line for name in wanted if (line := self.set_or_made(name))}
        return sorted(found.values(), key=lambda line: (line.filename == self.here, line.number))[:MOST]

    def set_or_made(self, name: str) -> Line | None:
        """The line that set a name; for a net, if the fault was in one of its layers, the line that made the layer."""
        place = lines.where_it_was_set(self.programs, name)
        net: Any = self.variables.get(name)
        if self.module is not None and is_module(net):
            path = next((path for path, inner in net.named_modules() if inner is self.module[1]), "")
            if path:
                place = layers.where_a_layer_is_made(self.programs, path, type(net).__name__, place)
        return None if place is None else found_line(self.programs, *place)


def missing_gradient(error: BaseException, reached: tuple[FrameType, int] | None) -> Case | None:
    """The case of a `.grad` that is None when it is used: Python's own error only mentions NoneType."""
    if reached is None or "NoneType" not in str(error) or not isinstance(error, TypeError | AttributeError):
        return None
    met = Inquiry(called("no gradient"), *reached, error)
    known = dict(reversed(met.names))
    for text in met.terms:
        tensor = known.get(text.removesuffix(".grad"))
        if text.endswith(".grad") and tensor is not None and has_readable_history(tensor):
            if tensor.grad_fn is not None and not tensor.retains_grad:
                return called("not a leaf" if met.updated is None else "new weight")
            if tensor.grad is None:
                return called("no gradient" if tensor.requires_grad else "new weight")
    return None


def is_module_class(kind: type) -> bool:
    return any(base.__name__ == "Module" and base.__module__.startswith(LIBRARIES) for base in kind.__mro__)


def names_that_can_be_read(frame: FrameType) -> list[tuple[str, Any]]:
    """The reader's names for tensors; without those of a module that is not ready, since it never called
    `super().__init__()`."""
    try:
        return list(names_in(frame))
    except AttributeError:
        found: list[tuple[str, Any]] = []
        for name, thing in {**frame.f_globals, **frame.f_locals}.items():
            with contextlib.suppress(AttributeError):
                found += named({name: thing})
        return found


def arguments_of(frame: FrameType) -> tuple[str, ...]:
    """The names of a method's arguments, without `self`."""
    return frame.f_code.co_varnames[1 : frame.f_code.co_argcount]


def kind_of(tensor: Any) -> str:
    """Type and shape as a short text.

    >>> import minigrad as torch
    >>> kind_of(torch.ones(3, 5))
    'float32 (3, 5)'
    """
    return f"{str(tensor.dtype).rpartition('.')[2]} {tuple(tensor.shape)}"

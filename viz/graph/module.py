"""Runs a module or function once on an example, and records its outputs, its names, and which call made which operator.

Hooks on every sub-module, in minigrad and in PyTorch, run before and after each of its calls. The operators that a call
made are those between its outputs and its inputs. Autograd knows what operators save, but not that x + f(x) starts from
x; so the operators are also observed as they run. If `forward` raises an error, the graph so far is kept, with the
operator that raised it.
Imports listen, names, refused. Read autograd.py next.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .listen import listening
from .names import is_tensor
from .refused import Called, Refused, who_refused


@dataclass
class Call:
    """One call of a sub-module: its name and class, its operators, and the number of the call around it."""

    name: str
    kind: str
    parent: int | None
    inputs: list[Any]
    operators: list[Any] = field(default_factory=list)  # the objects themselves, so that no id is reused


def is_module(thing: Any) -> bool:
    """Is it a module of minigrad or PyTorch?"""
    return all(callable(getattr(type(thing), name, None)) for name in ("named_modules", "register_forward_hook"))


def is_function(thing: Any) -> bool:
    """Is it a function or method of the reader's?"""
    return inspect.isfunction(thing) or inspect.ismethod(thing)


@dataclass
class Heard:
    """What was observed while a module ran: by the id of each operator, its inputs that need no gradient."""

    inputs: dict[int, list[Any]] = field(default_factory=dict)
    operators: list[Any] = field(default_factory=list)  # the objects themselves, so that no id is reused
    results: dict[int, Any] = field(default_factory=dict)  # by the id of the operator
    called: Called | None = None  # the last call that raised an error

    def refused(self, *called: Any) -> None:
        self.called = called

    def unused(self) -> list[Any]:
        """The results that no operator has used."""
        used = {id(before) for fn in self.operators for before, _ in fn.next_functions}
        return [result for id_, result in self.results.items() if id_ not in used]

    def __call__(self, inputs: tuple[Any, ...], results: list[Any], _line: object) -> None:
        for fn in [out.grad_fn for out in results] if inputs else ():
            if id(fn) not in self.inputs:
                self.operators.append(fn)
                self.results[id(fn)] = next(out for out in results if out.grad_fn is fn)
                self.inputs[id(fn)] = [each for each in inputs if is_tensor(each) and not each.requires_grad]


@dataclass
class Run:
    """One run: its outputs, pairs (name, tensor), the calls of sub-modules in order, and what was observed. After an
    error: the operator that raised it, and the numbers of the calls running then, outermost first."""

    outputs: list[Any]
    names: list[tuple[str, Any]]
    calls: list[Call]
    heard: Heard
    refused: Refused | None = None
    running: list[int] = field(default_factory=list)


def run(called: Any, examples: tuple[Any, ...], *, is_module: bool) -> Run:
    """Call a module or a function once, as `called(*examples)`, and restore its buffers (running statistics).

    A parameter is named "layer.weight", an example as forward's argument, the result "output".
    """
    calls: list[Call] = []
    heard = Heard()
    running: list[int] = []
    claimed: dict[int, int] = {}  # id of an operator -> number of the innermost call that made it

    def before(name: str, part: Any, args: Any) -> None:
        calls.append(Call(name, type(part).__name__, running[-1] if running else None, list(tensors_in(args))))
        running.append(len(calls) - 1)

    def after(output: Any) -> None:
        claim(running.pop(), list(tensors_in(output)))

    def claim(number: int, outputs: list[Any]) -> None:
        for operator in made_between(calls[number].inputs, outputs, claimed, number):
            claimed[id(operator)] = number
            calls[number].operators.append(operator)

    handles: list[Any] = []
    parts = list(called.named_modules()) if is_module else []
    buffers = [(part, name, own) for _, part in parts for name, own in part.named_buffers(recurse=False)]
    refused, output = None, None

    def put_back() -> None:
        for handle in handles:
            handle.remove()
        for part, name, own in buffers:
            setattr(part, name, own)

    try:
        for part, name, own in buffers:
            setattr(part, name, own.clone())  # the run changes copies of the statistics, which are dropped afterwards
        for name, part in parts:
            if part is not called:
                # A default argument, since `name` must be bound now and not when the hook runs
                handles.append(part.register_forward_pre_hook(lambda part, args, name=name: before(name, part, args)))
                handles.append(part.register_forward_hook(lambda _, args, output: after(output)))
        with listening(heard, heard.refused):
            output = called(*examples)
    except Exception as error:
        refused = who_refused(error, heard.called)
        if refused is None:
            raise
        output = [*refused.tensors, *(end for end in heard.unused() if not refused.has_made(end.grad_fn))]
        for number in reversed(running):
            claim(number, output)
    finally:
        try:
            put_back()
        except BaseException:  # Ctrl-C during the cleanup: clean up again
            put_back()
            raise
    outputs = list(tensors_in(output))
    names = list(called.named_parameters()) if is_module else []
    arguments = inspect.signature(called.forward if is_module else called).parameters
    names += [pair for pair in zip(arguments, examples, strict=False) if is_tensor(pair[1])]
    if refused is None:
        names += [(f"output[{i}]" if len(outputs) > 1 else "output", tensor) for i, tensor in enumerate(outputs)]
    return Run(outputs, names, calls, heard, refused, running)


def tensors_in(thing: Any) -> Iterator[Any]:
    """All tensors in a tensor, or in lists, tuples and dicts of tensors, in order."""
    if is_tensor(thing):
        yield thing
    elif isinstance(thing, (list, tuple)):
        for element in thing:
            yield from tensors_in(element)
    elif isinstance(thing, dict):
        yield from tensors_in(list(thing.values()))


def made_between(inputs: list[Any], outputs: list[Any], claimed: dict[int, int], number: int) -> list[Any]:
    """The operators behind `outputs` that call `number` made itself: not before `inputs`, and not in an inner call."""
    seen = {id(operator): operator for operator in (tensor.grad_fn for tensor in inputs)}
    found, todo = [], [tensor.grad_fn for tensor in outputs]
    while todo:
        operator = todo.pop()
        if operator is None or id(operator) in seen or type(operator).__name__ == "AccumulateGrad":
            continue
        seen[id(operator)] = operator
        inside = claimed.get(id(operator))
        if inside is not None and inside < number:  # an earlier call made it
            continue
        if inside is None:
            found.append(operator)
        todo += [before for before, _ in operator.next_functions]
    return found

"""Runs a module or function once on an example, and records its outputs, its names, and which call made which operator.

Hooks on every sub-module, in minigrad and in PyTorch, run before and after each of its calls. The operators that a call
made are those between its outputs and its inputs. Autograd records only what needs a gradient; so all operations are
also observed as they run (flow.py). If `forward` raises an error, the graph so far is kept, with the operator that
raised it.
Imports flow, layer, listen, names, put_back, refused. Read autograd.py next.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from . import layer
from .flow import Flow
from .listen import hearing_all
from .names import LIBRARIES, is_tensor
from .put_back import Undo, states_of
from .refused import Called, Refused, who_refused
from .values import is_leaf_end


@dataclass
class Call:
    """One call of a sub-module: its name and class, its operators, and the number of the call around it."""

    name: str
    kind: str
    parent: int | None
    inputs: list[Any]
    operators: list[Any] = field(default_factory=list)  # the objects themselves, so that no id is reused
    says: tuple[tuple[str, str], ...] = ()  # what its box tells: (a label, a text)


def is_module(thing: Any) -> bool:
    """Is it a module of minigrad or PyTorch?"""
    return all(callable(getattr(type(thing), name, None)) for name in ("named_modules", "register_forward_hook"))


def is_one_step(thing: Any) -> bool:
    """Is it a recurrent layer of the library's, which PyTorch computes in one step?"""
    return type(thing).__module__.partition(".")[0] in LIBRARIES and hasattr(thing, "flatten_parameters")


def is_compiled(thing: Any) -> bool:
    """Is it a module of TorchScript? It takes no hooks, keeps its attributes itself, and runs as one operator."""
    return type(thing).__module__.startswith("torch.jit.")


def is_lazy(thing: Any) -> bool:
    """Is it a layer whose sizes are set by its first call? That call would change the module for good."""
    return any(kind.__name__ in ("LazyModuleMixin", "Lazy") for kind in type(thing).__mro__)


def is_function(thing: Any) -> bool:
    """Is it a function or method of the reader's?"""
    return inspect.isfunction(thing) or inspect.ismethod(thing)


@dataclass
class Run:
    """One run: its outputs, pairs (name, tensor), the calls of sub-modules in order, and its data flow. After an error:
    the operator that raised it, and the numbers of the calls running then, outermost first."""

    outputs: list[Any]
    names: list[tuple[str, Any]]
    calls: list[Call]
    flow: Flow
    refused: Refused | None = None
    running: list[int] = field(default_factory=list)


def run(called: Any, examples: tuple[Any, ...], keywords: Mapping[str, Any], *, is_module: bool) -> Run:
    """Call a module or a function once, as `called(*examples, **keywords)`, and put back what that changes.

    A parameter is named "layer.weight", an example as forward's argument, the result "output"; what is in a dict or a
    dataclass has its name there.
    """
    calls: list[Call] = []
    called_last: list[Called] = []
    running: list[int] = []
    flow = Flow(
        lambda node: calls[running[-1]].operators.append(node) if running else None,
        lambda: is_one_step(inside[-1]),
    )
    inside: list[Any] = [called]
    claimed: dict[int, int] = {}  # id of an operator -> number of the innermost call that made it

    def before(name: str, part: Any, args: Any, kwargs: Any) -> None:
        calls.append(
            Call(name, type(part).__name__, running[-1] if running else None, list(tensors_in((args, kwargs))))
        )
        running.append(len(calls) - 1)
        inside.append(part)

    def after(output: Any) -> None:
        part = inside.pop()
        calls[running[-1]].says = tuple(layer.about(part, list(tensors_in(output)), trained))
        claim(running.pop(), list(tensors_in(output)))

    def claim(number: int, outputs: list[Any]) -> None:
        for operator in made_between(calls[number].inputs, outputs, claimed, number):
            claimed[id(operator)] = number
            calls[number].operators.append(operator)

    handles: list[Any] = []
    parts = [(name, part) for name, part in called.named_modules() if not is_compiled(part)] if is_module else []
    lazy = next((f"{name}: {type(part).__name__}".removeprefix(": ") for name, part in parts if is_lazy(part)), None)
    if lazy:
        raise ValueError(f"{lazy} has no sizes yet: call the module once with its example, and then draw it")
    undo: list[Undo] = []
    refused, output = None, None
    statistics: list[tuple[str, Any]] = []
    trained = is_module and any(each.grad is not None for each in called.parameters())

    def put_back() -> None:
        for handle in handles:
            handle.remove()
        for each in undo:
            each()

    try:
        undo += states_of([part for _, part in parts], tensors_in((examples, keywords)))
        statistics += called.named_buffers() if is_module else []
        for name, part in parts:
            if part is not called:
                # A default argument, since `name` must be bound now and not when the hook runs
                handles.append(
                    part.register_forward_pre_hook(
                        lambda part, args, kwargs, name=name: before(name, part, args, kwargs), with_kwargs=True
                    )
                )
                handles.append(part.register_forward_hook(lambda _, args, output: after(output)))
        with hearing_all(flow, lambda *error: called_last.append(error)):
            output = called(*examples, **keywords)
    except Exception as error:
        refused = who_refused(error, called_last[-1] if called_last else None)
        if refused is None:
            raise
        output = [*refused.tensors, *(end for end in flow.unused() if not refused.has_made(end.grad_fn))]
        for number in reversed(running):
            claim(number, output)
    finally:
        try:
            put_back()
        except BaseException:  # Ctrl-C during the cleanup: clean up again
            put_back()
            raise
    names = [*called.named_parameters(), *statistics] if is_module else []
    names += given_by(called.forward if is_module else called, examples, keywords)
    if refused is None:
        names += named_in("output", output, outermost=True)
    return Run(list(tensors_in(output)), names, calls, flow, refused, running)


def given_by(function: Any, examples: tuple[Any, ...], keywords: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The tensors in the arguments of a call, each with a name."""
    try:
        inspect.signature(function)
    except ValueError:  # TorchScript's functions have none
        return [*named_in("input", examples), *named_in("", keywords, outermost=True)]
    given = inspect.signature(function).bind(*examples, **keywords).arguments
    kinds = {name: each.kind for name, each in inspect.signature(function).parameters.items()}
    found: list[tuple[str, Any]] = []
    for name, thing in given.items():
        found += named_in(name, thing, outermost=kinds[name] is inspect.Parameter.VAR_KEYWORD)
    return found


def tensors_in(thing: Any) -> Iterator[Any]:
    """All tensors in a tensor, or in lists, tuples, dicts and dataclasses of tensors, in order."""
    return (tensor for _, tensor in named_in("", thing))


def named_in(name: str, thing: Any, *, outermost: bool = False) -> Iterator[tuple[str, Any]]:
    """The same, each with its name: "pair[0]", "batch.mask" for a field or a key. outermost: only "mask".

    >>> import minigrad as torch
    >>> [name for name, _ in named_in("output", {"loss": torch.ones(1), "h": [torch.ones(1)] * 2}, outermost=True)]
    ['loss', 'h[0]', 'h[1]']
    """
    if is_tensor(thing):
        yield name, thing
    elif isinstance(thing, (list, tuple)) and not hasattr(thing, "_fields"):
        for i, each in enumerate(thing):
            yield from named_in(f"{name}[{i}]" if len(thing) > 1 else name, each)
    else:
        for key, each in fields_of(thing):
            yield from named_in(str(key) if outermost else f"{name}.{key}", each)


def fields_of(thing: Any) -> Iterator[tuple[Any, Any]]:
    """The entries of a dict, and the fields of a named tuple or dataclass."""
    if isinstance(thing, Mapping):
        yield from thing.items()
    elif is_dataclass(thing) and not isinstance(thing, type):
        yield from ((field.name, getattr(thing, field.name)) for field in fields(thing))
    elif isinstance(thing, tuple):
        yield from zip(thing._fields, thing, strict=True)  # type: ignore[attr-defined]


def made_between(inputs: list[Any], outputs: list[Any], claimed: dict[int, int], number: int) -> list[Any]:
    """The operators behind `outputs` that call `number` made itself: not before `inputs`, and not in an inner call."""
    seen = {id(operator): operator for operator in (tensor.grad_fn for tensor in inputs)}
    found, todo = [], [tensor.grad_fn for tensor in outputs]
    while todo:
        operator = todo.pop()
        if operator is None or id(operator) in seen or is_leaf_end(operator):
            continue
        seen[id(operator)] = operator
        inside = claimed.get(id(operator))
        if inside is not None and inside < number:  # an earlier call made it
            continue
        if inside is None:
            found.append(operator)
        todo += [before for before, _ in operator.next_functions]
    return found

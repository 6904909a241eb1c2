"""Observes what the reader's code calls, operator by operator, with the line of each call, in minigrad and PyTorch.

minigrad reports each operator to `observe_operators`; real PyTorch, if it is loaded, reports each call to a
`TorchFunctionMode`. Both observe only the current thread. Imports minigrad's public names, and torch only if the
program has already imported it. Read module.py next.
"""

from __future__ import annotations

import linecache
import os.path
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from types import FrameType, FunctionType
from typing import Any

import minigrad
from minigrad._machine.interrupts import restoring
from minigrad.ops import TABLE

from .names import is_tensor, plain

Hear = Callable[[tuple[Any, ...], list[Any], "Line | None"], None]
# Name, inputs, outputs, inputs changed in place, and the operators that had made the inputs before the call
Every = Callable[[str, list[Any], list[Any], list[Any], list[Any]], None]
READS = ("grad", "data_ptr", "untyped_storage")  # these give no result of a computation
UNASKED = ("has_torch_function", "has_torch_function_unary", "has_torch_function_variadic")


@dataclass(frozen=True)
class Line:
    """A line of the reader's code; its characters from `start` to `end` are being computed."""

    file: str  # "" for a notebook cell
    number: int
    text: str  # without its indentation
    start: int
    end: int


@restoring
def listening(hear: Hear, refused: Callable[..., None] = lambda *_: None) -> Iterator[None]:
    """Inside, `hear(inputs, results, line)` is called after every operator whose results have a graph, for some more
    than once. `refused(error, function, args, kwargs)` is called after one of PyTorch's functions raised an error."""
    deaf = False  # True while `hear` itself computes something

    def heard(inputs: Any, outputs: Any, is_call: bool = True) -> None:
        nonlocal deaf
        if deaf:
            return
        deaf = True
        try:
            results = [out for out in outputs if is_tensor(out) and out.grad_fn is not None]
            if results:
                hear(tuple(inputs), results, readers_line() if is_call else None)
        finally:
            deaf = False

    with minigrad.autograd.graph.observe_operators(lambda name, inputs, outputs: heard(inputs, outputs)):
        if sys.modules.get("torch") in (None, minigrad):  # minigrad: after `install_as_torch()`
            yield
            return
        calls = torch_calls(heard, refused)
        try:
            with calls:
                yield
        except BaseException:
            hear_no_more(calls)
            raise


@restoring
def hearing_all(every: Every, refused: Callable[..., None] = lambda *_: None) -> Iterator[None]:
    """Inside, `every(name, inputs, outputs, changed, before)` is called after every operation on tensors, with or
    without a graph; `changed` are the inputs that it changed in place, and `before` has the operators that had made the
    inputs until then. refused: as for `listening`.

    PyTorch's functions that are written in Python are entered, so that the operations inside them are reported.
    """

    def minigrads(name: str, inputs: tuple[Any, ...], outputs: tuple[Any, ...]) -> None:
        flat = list(leaves(inputs))
        changed = [each for each in outputs if any(each is other for other in flat)]
        every(usual(name), flat, list(outputs), changed, makers(flat))

    with minigrad.autograd.graph.observe_operators(minigrads):
        if "torch" not in sys.modules:
            yield
            return
        calls = torch_operations(every, refused)
        try:
            with calls:
                yield
        except BaseException:
            hear_no_more(calls)
            raise


def usual(name: str) -> str:
    """PyTorch's name for a row of minigrad's table.

    >>> usual("sum_dim"), usual("correlation"), usual("argmax")
    ('sum', 'convolution', 'argmax')
    """
    node = TABLE[name].node_name if name in TABLE else ""
    return plain(node) if re.fullmatch(r"\w+Backward\d+", node) else name


def makers(inputs: Sequence[Any]) -> list[Any]:
    """The operators that made the inputs. A change in place gives an input another one."""
    return [each.grad_fn for each in inputs if is_tensor(each) and each.grad_fn is not None]


def leaves(things: Any) -> Iterator[Any]:
    """Everything in lists, tuples and dicts."""
    if isinstance(things, dict):
        things = list(things.values())
    if not isinstance(things, (list, tuple)):
        yield things
        return
    for thing in things:
        yield from leaves(thing)


def torch_operations(every: Every, refused: Callable[..., None]) -> Any:
    """PyTorch's operations. A mode is not asked about calls inside a function that it was asked about; so a function
    written in Python runs as a copy that never asks, while the mode is on again."""
    from torch.overrides import TorchFunctionMode

    copies: dict[Any, Any] = {}
    inside: list[Any] = []

    def now(tensor: Any) -> int | None:
        return None if tensor.is_inference() else tensor._version

    class Operations(TorchFunctionMode):
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = kwargs or {}
            try:
                if isinstance(function, FunctionType) and not any(function is each for each in inside):
                    inside.append(function)
                    try:
                        with self:
                            return copy_of(function)(*args, **kwargs)
                    finally:
                        inside.pop()
                inputs = list(leaves((args, kwargs)))
                if getattr(function, "__name__", "") == "batch_norm" and len(args) > 5 and args[5]:
                    inputs = list(args[:3])  # in training, it only writes its running statistics
                versions = [(each, now(each)) for each in inputs if is_tensor(each)]
                before = makers(inputs)
                out = function(*args, **kwargs)
            except Exception as error:
                refused(error, function, args, kwargs)
                raise
            raw = getattr(function, "__name__", "")
            accessor = raw in ("__get__", "__set__")
            name = getattr(getattr(function, "__self__", None), "__name__", raw) if accessor else raw
            if raw == "__getitem__":
                name = kind_of_index(args[1])
            if name.strip("_") not in READS and not name.endswith("_like") and not name.startswith("new_"):
                outputs = [each for each in leaves(out) if is_tensor(each)]
                changed = [each for each, version in versions if now(each) != version]
                every(name, inputs, outputs, changed, before)
            return out

    def copy_of(function: FunctionType) -> FunctionType:
        if function not in copies:
            never = {name: lambda *_: False for name in UNASKED if name in function.__globals__}
            copy = FunctionType(
                function.__code__,
                {**function.__globals__, **never},
                function.__name__,
                function.__defaults__,
                function.__closure__,
            )
            copy.__kwdefaults__ = function.__kwdefaults__
            copies[function] = copy
        return copies[function]

    return Operations()


def kind_of_index(index: Any) -> str:
    """PyTorch's operator for `x[index]`.

    >>> kind_of_index((0, slice(1, 3))), kind_of_index((slice(None), None)), kind_of_index(slice(1, 3))
    ('select', 'unsqueeze', 'slice')
    """
    parts = list(leaves(index)) if isinstance(index, tuple) else [index]
    if None in parts and all(part in (None, ..., slice(None)) for part in parts if not is_tensor(part)):
        return "index" if any(map(is_tensor, parts)) else "unsqueeze"
    if any(isinstance(part, list) or is_tensor(part) and part.ndim for part in parts):
        return "index"
    return "select" if any(isinstance(part, int) for part in parts) else "slice"


def hear_no_more(calls: Any) -> None:
    """Remove `calls` from PyTorch's stack, if Ctrl-C came just as its exit began. (Every `with` that was entered later
    has ended by now, or was left on the stack in the same way.)"""
    from torch import overrides

    while any(calls is mode for mode in overrides._get_current_function_mode_stack()):
        overrides._pop_mode()


def torch_calls(heard: Callable[..., None], refused: Callable[..., None]) -> Any:
    """PyTorch's own way to observe calls. A call that makes several nodes is reported once. A call of the reader's own
    Function is not reported; its results are, as soon as they are used."""
    from torch.overrides import TorchFunctionMode

    class Calls(TorchFunctionMode):
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            inputs = (*args, *(kwargs or {}).values())
            heard((), inputs, is_call=False)
            try:
                out = function(*args, **(kwargs or {}))
            except Exception as error:
                refused(error, function, args, kwargs or {})
                raise
            heard(inputs, out if isinstance(out, (tuple, list)) else (out,))
            return out

    return Calls()


def readers_line() -> Line | None:
    """The reader's own line that is running, below the frames of the libraries."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_ours(frame):
        frame = frame.f_back
    return None if frame is None else line_of(frame)


def is_ours(frame: FrameType) -> bool:
    """Is this frame in minigrad, viz or PyTorch, in one of their files or in code that they made at run time?"""
    libraries = [sys.modules[name] for name in ("minigrad", "torch") if name in sys.modules]
    folders = [os.path.dirname(os.path.dirname(__file__)), *(os.path.dirname(str(lib.__file__)) for lib in libraries)]
    return frame.f_code.co_filename.startswith((*(folder + os.sep for folder in folders), "<minigrad"))


def line_of(frame: FrameType) -> Line | None:
    """The line of `frame`, narrowed to the expression that Python is evaluating."""
    code = frame.f_code
    first, last, start, end = next(islice(code.co_positions(), frame.f_lasti // 2, None))
    text = linecache.getline(code.co_filename, first or 0).rstrip("\n")
    if not text.strip() or first is None:
        return None
    bytes_ = text.encode()
    begins = len(bytes_[:start].decode(errors="ignore")) if start is not None else 0
    ends = len(bytes_[:end].decode(errors="ignore")) if end is not None and last == first else len(text)
    indent = len(text) - len(text.lstrip())
    begins, ends = max(0, begins - indent), max(0, ends - indent)
    in_a_cell = "ipykernel_" in code.co_filename or code.co_filename.startswith("<")
    return Line("" if in_a_cell else os.path.basename(code.co_filename), first, text.strip(), begins, ends)

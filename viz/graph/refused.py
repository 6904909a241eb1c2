"""When a forward pass raises an error: the operator that raised it, its arguments, and the message.

PyTorch's own operators are observed before they run, since their errors come from C++ and leave no frame. For all
others, the traceback tells: it is the first call below the last `forward` that was given a tensor. If there is none,
the module itself raised the error. Imports listen, names, values. Read module.py next.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from traceback import walk_tb
from types import FrameType
from typing import Any

from minigrad.ops import TABLE

from .listen import is_ours
from .names import is_tensor
from .values import is_leaf_end

WIDE, LINES = 46, 4  # the message: letters in a line, and lines
# Arguments that are shown even if they are no tensors: most errors about shapes are about one of these
TOLD = "dim dim0 dim1 size shape sizes stride padding dilation groups kernel_size index".split()


@dataclass(frozen=True)
class Refused:
    """The error in a forward pass. given: pairs (name of an argument, the argument). line: the last line of the
    reader's that was running; None if unknown."""

    operator: str
    given: tuple[tuple[str, Any], ...]
    error: Exception
    line: int | None = None

    @property
    def tensors(self) -> list[Any]:
        return [thing for _, thing in self.given if is_tensor(thing)]

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """The rows of its box: the shape of each tensor, the dtype too if they differ, and the message."""
        types = {str(tensor.dtype) for tensor in self.tensors}
        rows = [(name, written(thing, with_type=len(types) > 1)) for name, thing in self.given]
        lines = textwrap.wrap(self.words, WIDE, max_lines=LINES, placeholder=" …", break_on_hyphens=False)
        return (*rows, *(("", line) for line in lines))

    def has_made(self, fn: Any) -> bool:
        """Did the call itself make the operator `fn`, from its arguments, before the error?"""
        given = {id(tensor.grad_fn) for tensor in self.tensors} | {id(tensor) for tensor in self.tensors}
        before = [each for each, _ in fn.next_functions if each is not None]
        return bool(before) and all(id(each.variable if is_leaf_end(each) else each) in given for each in before)

    @property
    def words(self) -> str:
        said = str(self.error).strip().partition("\n")[0].rstrip(".")
        return f"{type(self.error).__name__}: {said}" if said else type(self.error).__name__


def written(thing: Any, *, with_type: bool) -> str:
    if not is_tensor(thing):
        return textwrap.shorten(repr(thing), WIDE // 2, placeholder="…")
    shape = str(tuple(thing.shape))
    return f"{shape} {str(thing.dtype).removeprefix('torch.')}" if with_type else shape


Called = tuple[Exception, Callable[..., Any], tuple[Any, ...], Mapping[str, Any]]


def who_refused(error: Exception, called: Called | None) -> Refused | None:
    """The call that raised `error`; None if nothing had begun to run, because the call of the module was wrong.

    called: PyTorch's last operator that raised an error, with its arguments.
    """
    frames = list(walk_tb(error.__traceback__))
    theirs = [i for i, (frame, _) in enumerate(frames) if not is_ours(frame)]
    line = frames[theirs[-1]][1] if theirs else None
    if called is not None and called[0] is error:
        _, function, args, kwargs = called
        return Refused(name_of(function.__name__), tuple(named_arguments(function, args, kwargs)), error, line)
    start = max([0, *theirs, *(i for i, (frame, _) in enumerate(frames) if is_forward(frame))])
    if not start:
        return None
    for frame, _ in frames[start + 1 :]:
        rule: Any = frame.f_locals.get("rule")
        if any(rule is row for row in TABLE.values()) and "inputs" in frame.f_locals:  # minigrad without its fast path
            return Refused(rule.name, tuple(given_to(rule, frame.f_locals["inputs"])), error, line)
        given = tuple(arguments_of(frame))
        if frame.f_code.co_argcount and not is_module_s(frame) and any(is_tensor(thing) for _, thing in given):
            return Refused(name_of(frame.f_code.co_name), given, error, line)
    frame, _ = frames[start]
    own = type(first_of(frame)).__name__ if is_module_s(frame) else frame.f_code.co_name.strip("<>")
    return Refused(own, tuple(arguments_of(frame)), error, line)


def given_to(rule: Any, inputs: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """The inputs of an operator's row, by name."""
    names = rule.inputs * len(inputs) if rule.variadic else rule.inputs
    return zip(["input" if name == "self" else name for name in names], inputs, strict=False)


def first_of(frame: FrameType) -> Any:
    """The first argument of a call, usually `self`."""
    code = frame.f_code
    return frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None


def is_module_s(frame: FrameType) -> bool:
    """Is it a method of a module?"""
    return hasattr(type(first_of(frame)), "named_modules")


def is_forward(frame: FrameType) -> bool:
    return frame.f_code.co_name == "forward" and is_module_s(frame)


def name_of(function: str) -> str:
    """The usual name of a function.

    >>> [name_of(name) for name in ("__matmul__", "__radd__", "__getitem__", "conv2d")]
    ['matmul', 'add', 'index', 'conv2d']
    """
    name = function.strip("_")
    if name != function:
        name = re.sub("^r(?=add|sub|mul|div|truediv|pow|matmul)", "", name)
    return {"getitem": "index", "setitem": "index_put", "truediv": "div"}.get(name, name)


def arguments_of(frame: FrameType) -> Iterable[tuple[str, Any]]:
    """The tensors among the arguments of a call, and lists of tensors."""
    info = inspect.getargvalues(frame)
    names = [*info.args, *([info.varargs] if info.varargs else [])]
    for name in names:
        thing = info.locals.get(name)
        yield from flat(name, thing)


def named_arguments(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """The same for a call before it is made. A function written in C++ names its arguments in its docstring."""
    found = re.match(r"\s*\w+\(([^)]*)\)", function.__doc__ or "")
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        written = found[1].partition("*")[0].split(",") if found else []
        names = [name for part in written if (name := part.partition("=")[0].strip()).isidentifier()]
    if len(names) < len(args):
        names = ["self", *names]
    if len(names) < len(args):
        names = [f"[{i}]" for i in range(len(args))]
    for name, thing in (*zip(names, args, strict=False), *kwargs.items()):
        yield from flat(name, thing)


def flat(name: str, thing: Any) -> Iterator[tuple[str, Any]]:
    """A tensor, each tensor of a list, or another argument that is shown."""
    if is_tensor(thing):
        yield name, thing
    elif isinstance(thing, (list, tuple)) and any(map(is_tensor, thing)):
        yield from ((f"{name}[{i}]", each) for i, each in enumerate(thing) if is_tensor(each))
    elif name in TOLD and thing is not None:
        yield name, thing

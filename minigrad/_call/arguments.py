"""PyTorch's messages for an argument that should be a tensor or a number, but is not: `mean([1, 2])`.

As in check.py, arguments are checked only after a failure: a function is tried, and its arguments are examined only if
it raises. So a correct call costs only a tenth of a microsecond more, and the message names the wrong argument,
whatever error a list causes first (`input._data`, a size, an index). Only flags, numbers and types are checked before
the call, because NumPy accepts wrong ones: see kinds.py. A note beside the row (ops/note.py) says what PyTorch calls a
function in such messages, and whether it has several forms.
Imports check, kinds, ops/note.py and storage. Read next: _tensors/methods/reduction.py, where the functions are tried.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from functools import partial, wraps
from inspect import Parameter, signature
from typing import Any, TypeVar

import numpy as np

from .._engine.storage import TensorBase
from .._engine.switches import modes
from .._messages.foreign import refuse as refuse_foreign
from .._messages.names import refused_keyword
from .._messages.places import fold_our_frames
from ..ops import TABLE
from ..ops.note import noted
from .check import type_name
from .kinds import WrongForm, WrongKind, kinds_of, looked_at

Function = TypeVar("Function", bound=Callable[..., Any])
TENSORS = {  # parameters of these names must be tensors, unless their annotation says otherwise
    *("input", "self", "other", "tensor", "mat1", "mat2", "vec", "vec2", "mask", "index", "src", "source"),
    *("condition", "target", "weight", "bias", "running_mean", "running_var"),
    *("batch1", "batch2", "tensor1", "tensor2", "vec1", "mat", "indices", "x1", "x2", "a", "b", "A", "B"),
    *("sorted_sequence", "boundaries", "exponent", "the_template"),
}
OTHER_NAMES = {  # other names that are accepted: NumPy's, and those of PyTorch's several forms of one function
    **{"axis": "dim", "keepdims": "keepdim", "x": "input", "tensor": "input", "other": "dim", "input": "A"},
    **dict.fromkeys(("sections", "indices", "tensor_indices_or_sections"), "indices_or_sections"),
    **{"split_size": "split_size_or_sections", "element": "elements", "test_element": "test_elements"},
}
OR_NONE = {"running_mean", "running_var"}
NUMBER = int | float | np.number | np.bool_
NUMBERS_TOO = {"input", "other", "exponent"}  # these may be numbers in an operator that takes numbers, such as `w + 1`
NO_BOOL = re.compile("argument '(\\w+)'( must be bool.*)")  # the message of `yes_or_no`


def takes_tensors(function: Function, numbers: bool = False, method: bool = False) -> Function:
    """A decorator: when `function` fails, its error names the argument that should have been a Tensor.

    >>> @takes_tensors
    ... def mean(input):
    ...     return input._data.mean()
    >>> mean([1, 2])
    Traceback (most recent call last):
        ...
    TypeError: mean(): argument 'input' (position 1) must be Tensor, not list
    """

    kinds = kinds_of(function)
    few = kinds[3] if kinds[2] else 1000  # up to this many positional arguments need no check

    @wraps(function)
    def tried(*args: Any, **kwargs: Any) -> Any:
        try:
            if len(args) > few or (kwargs and few < 1000):
                args, kwargs = looked_at(function, kinds, args, kwargs)
            out = function(*args, **kwargs)
            if out is NotImplemented:
                raise TypeError(f"{function.__name__}() takes tensors")
            return out
        except Exception as error:
            fold_our_frames(error)
            refuse_foreign(f"{function.__name__}()", args, kwargs)
            if type(error) is TypeError and "unexpected keyword" in str(error):
                if renamed := by_our_names(function, kwargs):
                    return (tried if "axis" in kwargs else function)(*args, **renamed)
                if refused := refused_keyword(error, function.__name__):
                    try:
                        raise refused from None
                    finally:
                        del refused  # the error holds this frame: with the name it would be a cycle
            if isinstance(error, WrongForm) and function.__name__ in ("median", "nanmedian"):
                raise TypeError(f'{function.__name__}() missing 1 required positional arguments: "dim"') from None
            if isinstance(error, WrongForm):
                raise no_combination(function.__name__, *args[method:], **kwargs) from None
            if isinstance(error, WrongKind):
                raise of_wrong_kind(function, error, args, kwargs, method) from None
            if better := wrong_argument(function, args, kwargs, numbers, method):
                try:
                    raise better from None
                finally:
                    del better  # the error holds this frame: with the name it would be a cycle
            if type(error) is TypeError and (asked := NO_BOOL.match(str(error))):
                at = [*signature(function).parameters].index(asked[1]) + (not method)
                where = "" if asked[1] in kwargs else f" (position {at})"
                raise TypeError(f"{function.__name__}(): argument '{asked[1]}'{where}{asked[2]}") from None
            if type(error) is TypeError and str(error).startswith("argument 'dim'") and "dim" not in kwargs:
                at = [*signature(function).parameters].index("dim")
                wish = str(error).removeprefix("argument 'dim'")
                raise TypeError(f"{function.__name__}(): argument 'dim' (position {at}){wish}") from None
            name = function.__name__
            if modes.recording and type(error) in (IndexError, RuntimeError) and name in TABLE and name[-1] != "_":
                for x in args:  # PyTorch looks at histories before axes; this raises for a view that has no valid one
                    isinstance(x, TensorBase) and x._fn
            raise

    tried.as_method = lambda: takes_tensors(function, numbers, method=True)  # type: ignore[attr-defined]
    tried.numbers = numbers  # type: ignore[attr-defined]
    return tried  # type: ignore[return-value]


def of_wrong_kind(
    function: Callable[..., Any], error: WrongKind, args: tuple[Any, ...], kwargs: dict[str, Any], method: bool
) -> TypeError:
    """PyTorch's error for an argument of the wrong kind."""
    who = noted(function, "called", function.__name__)
    if noted(function, "forms"):
        return no_combination(who, *args[method:], **kwargs)
    at = [*signature(function).parameters].index(error.name) + (not method)
    return no_tensor(who, error.name, None if error.name in kwargs else at, error.given, error.kind)


def by_our_names(function: Callable[..., Any], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The keywords under the function's own names; empty if it knows no other names for them."""
    ours = signature(function).parameters
    known = {name: new for name, new in OTHER_NAMES.items() if name in kwargs and name not in ours and new in ours}
    return {known.get(name, name): x for name, x in kwargs.items()} if known else {}


def as_methods(family: type) -> type:
    """Wrap the functions of a class again as methods: the tensor itself then does not count as an argument."""
    for name, function in list(vars(family).items()):
        if hasattr(function, "as_method"):
            setattr(family, name, function.as_method())
    return family


takes_operands = partial(takes_tensors, numbers=True)  # at least one of the operands must be a tensor


def as_function(method: Any) -> Callable[..., Any]:
    """The function that calls a method: `x.gather(…)` is `gather(x, …)`, and its tensor is called `input`."""

    @wraps(method)
    def function(input: Any, *args: Any, **kwargs: Any) -> Any:
        return method(input, *args, **kwargs)

    show(function, Shown(method, first="input"))
    return takes_tensors(function)


def show(wrapper: Any, shown: Any) -> None:
    """Make `inspect.signature(wrapper)` give the signature of `shown`; the wrapper's own is `(*args, **options)`."""
    wrapper.__dict__.pop("__signature__", None)  # `wraps` has copied it
    wrapper.__wrapped__ = shown


class Shown:
    """The object that `inspect.signature` finds behind a wrapper: the wrapped function with another signature.

    The signature is made only on request, to keep the import fast. `first` renames the first argument, and `last` is
    one more argument, given by keyword.
    """

    __slots__ = ("__wrapped__", "first", "last")

    def __init__(self, function: Any, *, first: str = "", last: str = ""):
        self.__wrapped__, self.first, self.last = function, first, last

    @property
    def __signature__(self) -> Any:
        plain = signature(self.__wrapped__)
        shown = [*plain.parameters.values()]
        if self.first:
            shown[0] = shown[0].replace(name=self.first)
        if self.last and self.last not in plain.parameters:
            shown.append(Parameter(self.last, Parameter.KEYWORD_ONLY, default=None))
        return plain.replace(parameters=shown)


def wrong_argument(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], numbers: bool, method: bool
) -> TypeError | None:
    """The error for the first argument that should be a Tensor but is not; None if all are right."""
    parameters = signature(function).parameters
    given = dict(zip(parameters, args, strict=False)) | kwargs
    method = method or "self" in parameters
    for i, (name, parameter) in enumerate(parameters.items(), not method):  # PyTorch does not count self
        x = given.get(name, parameter.default)
        if name not in TENSORS or parameter.annotation not in (Parameter.empty, "Any"):
            continue
        if isinstance(x, TensorBase) or x is parameter.default or (x is None and name in OR_NONE):
            continue
        if numbers and name in NUMBERS_TOO and isinstance(x, NUMBER):
            continue
        if function.__name__ == "scatter" and name == "src" and isinstance(x, NUMBER):
            continue
        called = noted(function, "called", function.__name__)
        if once_for_numbers(function):  # PyTorch's error then lists all arguments
            return no_combination(called, *args[method:], *kwargs.values())
        who, position = ("input", 1) if name == "self" else (name, None if name in kwargs else i)
        return no_tensor(called, who, position, x)
    return None


def once_for_numbers(function: Callable[..., Any]) -> bool:
    """Has PyTorch one form of this function (or of its version without underscore) for tensors, another for numbers?"""
    row = TABLE.get(function.__name__.removesuffix("_"))
    return noted(function, "forms", getattr(row, "forms", None)) == "numbers"


def no_combination(who: str, *given: Any, **named: Any) -> TypeError:
    """The error of a call `who(…)` whose arguments fit none of its forms; only the first line of PyTorch's."""
    types = ", ".join([*map(type_name, given), *(f"{name}={type_name(x)}" for name, x in named.items())])
    types += ", " if named and not given else ""
    return TypeError(f"{who}() received an invalid combination of arguments - got ({types}), but expected one of:")


def no_tensor(who: str, name: str, position: int | None, x: Any, kind: str = "Tensor") -> TypeError:
    """The error of a call `who(…)` whose argument `name` has the value `x`, which is not of the right kind."""
    where = "" if position is None else f" (position {position})"
    return TypeError(f"{who}(): argument '{name}'{where} must be {kind}, not {type_name(x)}")


def yes_or_no(**flags: Any) -> None:
    """Raise for a flag that is not a bool, as `keepdim` in `x.sum(0, 1)`; `takes_tensors` adds the function's name."""
    for name, x in flags.items():
        if x is not True and x is not False:
            raise TypeError(f"argument '{name}' must be bool, not {type_name(x)}")


def all_tensors(tensors: Iterable[Any], argument: int) -> tuple[Any, ...]:
    """Several tensors given as one argument, as a tuple; TypeError if one of them is not a tensor."""
    tensors = tuple(tensors)
    for i, x in enumerate(tensors):
        if not isinstance(x, TensorBase):
            raise TypeError(f"expected Tensor as element {i} in argument {argument}, but got {type_name(x)}")
    return tensors


def number(who: str, name: str, position: int, x: Any, kind: Any = None, called: str = "") -> Any:
    """`x` as a Python number, if it is a number or a tensor of one; otherwise raise the error of the call `who(…)`.

    With `kind`, a NumPy integer type, -1 may become 255, as in PyTorch; any other number that it can't hold is an
    error, which names the type as `called`.
    """
    if isinstance(x, TensorBase) and x._data.size == 1:
        x = x._data.item()
    if not isinstance(x, NUMBER):
        raise no_tensor(who, name, position, x, "Number")
    if kind is None or kind.kind == "b":
        return x
    if kind.kind == "f":
        size: Any = abs(x)
        if kind.itemsize < 8 and math.isfinite(x) and size > float(np.finfo(kind).max):
            name = {"float16": "c10::Half", "float32": "float"}[kind.name]
            raise RuntimeError(f"value cannot be converted to type {name} without overflow")
        return x
    high: Any = np.iinfo(kind).max
    low = -high if kind.kind == "u" and isinstance(x, int | np.integer) else np.iinfo(kind).min
    if not low <= x <= high:
        called = called or ("int" if kind.name == "int32" else f"{kind.name}_t")
        raise RuntimeError(f"value cannot be converted to type {called} without overflow")
    return int(np.asarray(int(x)).astype(kind))

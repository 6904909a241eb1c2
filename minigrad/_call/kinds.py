"""Which kind an argument that is not a tensor must have: a flag, a whole number, a number, a type.

NumPy accepts more: `keepdim=1`, a list for `alpha`, True for a count. So these arguments are checked before a call, but
only if one is given: `x.sum()` costs nothing extra. A tensor of one element may be given for a number and becomes one
here. The function itself checks arguments that are not listed, where they need a check.
Imports foreign, dtypes and storage. Read next: arguments.py, which calls these functions.
"""

from __future__ import annotations

from inspect import signature
from types import FunctionType
from typing import Any

import numpy as np

from .._engine.storage import TensorBase
from .._machine import dtypes
from .._messages.foreign import type_name

FLAG, WHOLE, NUMBER, REAL, TYPE, TENSOR = "bool", "int", "Number", "float", "torch.dtype", "Tensor"
SIZES, AXIS, AXES = "tuple of ints", "tuple of ints ", "tuple of  ints"  # AXIS refuses None, AXES refuses True by name
NAMES = {  # the kind of every argument of that name
    FLAG: "stable equal_nan include_self non_blocking sorted density as_tuple wrap copy out_int32 "
    "right return_inverse return_counts ceil_mode count_include_pad log_target log_input training",
    WHOLE: "decimals offset diagonal n m k ignore_index length",
    NUMBER: "alpha beta negative_slope threshold lambd min_val max_val",
    REAL: "rtol atol nan posinf neginf momentum sigma median margin",
    TYPE: "dtype",
    SIZES: "kernel_size stride padding dilation output_size shifts indices_or_sections split_size_or_sections",
}
KINDS = {name: kind for kind, names in NAMES.items() for name in names.split()}
OWN: dict[str, dict[str, str | None]] = {  # for these functions alone; None: the function checks the argument itself
    **dict.fromkeys(("addcmul", "addcdiv"), {"value": NUMBER, "input": TENSOR, "tensor1": TENSOR, "tensor2": TENSOR}),
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), {"input": TENSOR}),
    **dict.fromkeys(("addr", "baddbmm", "soft_margin_loss"), {"input": TENSOR}),
    **dict.fromkeys(("layer_norm", "group_norm", "batch_norm", "logit", "rms_norm"), {"eps": REAL}),
    **dict.fromkeys(("normal_", "log_normal_"), {"mean": REAL, "std": REAL}),
    **dict.fromkeys(("max", "min", "median", "nanmedian", "prod", "squeeze", "logsumexp"), {"dim": AXIS}),
    "dist": {"other": TENSOR, "p": REAL},
    **dict.fromkeys(("binary_cross_entropy", "binary_cross_entropy_with_logits"), {"weight": TENSOR}),
    **dict.fromkeys(("var", "std", "var_mean", "std_mean"), {"dim": AXES, "correction": NUMBER}),
    **dict.fromkeys(("huber_loss", "smooth_l1_loss"), {"delta": NUMBER, "beta": NUMBER}),
    "aminmax": {"dim": WHOLE},
    "squeeze_": {"dim": AXIS},
    "type": {"dtype": None, "non_blocking": FLAG},
    "to": {"dtype": None, "copy": FLAG, "non_blocking": FLAG},
    "bernoulli": {"p": REAL},
    "cdist": {"p": REAL},
    "cosine_similarity": {"dim": WHOLE, "eps": REAL},
    "fill_diagonal_": {"fill_value": NUMBER},
    "histc": {"bins": WHOLE},
    "glu": {"dim": WHOLE},
    "threshold": {"threshold": NUMBER, "value": NUMBER},
    **dict.fromkeys(("quantile", "nanquantile", "matrix_norm"), {"keepdim": FLAG}),
    **dict.fromkeys(("adaptive_avg_pool2d", "adaptive_max_pool2d"), {"output_size": None}),
    "pad": {"value": REAL},
    "pairwise_distance": {"p": REAL, "x2": TENSOR, "eps": REAL},
    "poisson_nll_loss": {"full": FLAG, "target": TENSOR, "eps": REAL},
}
NEVER_NONE = {
    ("eye", "m"),
    ("bernoulli", "p"),
    ("round", "decimals"),
    ("round_", "decimals"),
}  # minigrad alone has a default here
OR_NONE = {("nan_to_num", "nan"), ("var", "correction"), ("std", "correction")}
TOGETHER = {  # an argument that may not be given without another one
    **dict.fromkeys(
        ("sum", "mean", "max", "min", "median", "nanmedian", "prod"), ("keepdim", "keepdims", "dim", "axis")
    ),
}
PLAIN: dict[str, Any] = {  # every object of exactly these classes is of the kind
    FLAG: {bool},
    WHOLE: {int},
    NUMBER: {int, float, bool},
    REAL: {int, float, bool},
    TYPE: {dtypes.dtype, type(None), type},
    TENSOR: set(),
    SIZES: {int},
    AXIS: {int, tuple, list},
    AXES: {int, tuple, list, type(None)},
}
ALSO: dict[str, Any] = {  # … and every object of a subclass of these
    FLAG: np.bool_,
    WHOLE: int | np.integer,
    NUMBER: int | float | np.number | np.bool_,
    REAL: int | float | np.number | np.bool_,
    TYPE: str | np.dtype,
    TENSOR: TensorBase,
    SIZES: int | np.integer | str,  # "same"
    AXIS: object,
    AXES: object,
}
Kinds = tuple[tuple[str, ...], list[tuple[int, Any]], dict[str, str], int]


class WrongKind(TypeError):
    """An argument of the wrong kind."""

    def __init__(self, name: str, kind: str, given: Any):
        super().__init__(f"argument '{name}' must be {kind.strip()}, not {type_name(given)}")
        self.name, self.kind, self.given = name, kind.strip(), given


class WrongForm(TypeError):
    """Arguments that may not be given in this combination."""


def kinds_of(function: Any) -> Kinds:
    """The names of a function's arguments; the positions that have a kind, with its classes; the kinds by name; and the
    first such position."""
    name = function.__name__
    while isinstance(wrapped := getattr(function, "__wrapped__", None), FunctionType):
        function = wrapped
    code, own = function.__code__, OWN.get(name, {})
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] or tuple(own)  # for an operator of the table
    by_name = {each: kind for each in names if (kind := own[each] if each in own else KINDS.get(each))}
    places = [(i, PLAIN[by_name[x]]) for i, x in enumerate(names[: code.co_argcount or len(own)]) if x in by_name]
    return names, places, by_name, places[0][0] if places else len(names)


def looked_at(function: Any, kinds: Kinds, args: Any, kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The arguments, where a tensor given for a number has become one.

    Raises WrongKind for an argument of the wrong kind, WrongForm for one that may only be given with another.
    """
    names, places, by_name, _ = kinds
    given = len(args)
    for i, plain in places:
        if i >= given:
            break
        if args[i].__class__ not in plain:
            args = (*args[:i], taken(function, names[i], by_name[names[i]], args[i]), *args[i + 1 :])
    for name, x in kwargs.items():
        kind = by_name.get(name)
        if kind is not None and x.__class__ not in PLAIN[kind]:
            kwargs = {**kwargs, name: taken(function, name, kind, x, by_place=False)}
    if len(args) == 1 and kwargs and (pair := TOGETHER.get(function.__name__)):
        if not kwargs.keys().isdisjoint(pair[:2]) and kwargs.keys().isdisjoint(pair[2:]):
            raise WrongForm
    return args, kwargs


def taken(function: Any, name: str, kind: str, x: Any, by_place: bool = True) -> Any:
    """The argument, if it is acceptable after all; otherwise raise WrongKind."""
    if kind is TENSOR and isinstance(x, TensorBase):
        PLAIN[TENSOR].add(TensorBase.result)  # Tensor is defined above this layer
        return x
    if kind is AXIS:
        if x is None or (isinstance(x, TensorBase) and x._data.ndim and not by_place):
            raise WrongKind(name, kind, x)
        return x
    if kind is AXES:
        if isinstance(x, bool) and not by_place:
            raise WrongKind(name, kind, x)
        return x
    if kind is SIZES and isinstance(x, tuple | list):
        for each in x:
            if each.__class__ is not int:
                taken(function, name, kind, each)
        return x
    if x is None and (function.__name__, name) in OR_NONE:
        return x
    if isinstance(x, ALSO[kind]) and not (kind in (WHOLE, SIZES) and isinstance(x, bool)):
        return x
    if x is signature(function).parameters[name].default and (
        x is not None or (function.__name__, name) not in NEVER_NONE
    ):
        return x
    if kind in (WHOLE, SIZES, NUMBER, REAL) and isinstance(x, TensorBase) and not x._data.ndim and not x._requires_grad:
        number = x.item()
        if kind not in (WHOLE, SIZES) or type(number) is int:
            return number
    if function.__name__ == "tensor_split" and isinstance(x, TensorBase):
        return x
    raise WrongKind(name, kind, x)

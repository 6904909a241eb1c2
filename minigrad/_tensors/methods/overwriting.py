"""The methods with an underscore that need no code of their own: `exp_`, `atan2_`, `scatter_` …

in_place.py has the others, such as `add_` with its `alpha`. These are made from the operator's row, or from the notes
above the function (ops/note.py): `underscored` adds them all to Tensor, and their second names too.
Imports inplace, operators and in_place. Read next: aliases.py.
"""

from inspect import unwrap
from typing import Any

import numpy as np

from ..._call.arguments import NUMBER, Shown, show, takes_operands, takes_tensors
from ..._call.check import broadcast
from ..._call.operators import OPERATORS
from ..._engine.storage import TensorBase
from ..._engine.switches import modes
from ..._engine.views import refuse
from ..._machine.dtypes import category, number_type, result_type
from ..._messages.foreign import not_ours
from ...core.rules import TABLE
from ...ops.note import noted
from ..inplace import in_place, old_value, overwrite
from .named import name_node

ONE_BY_ONE = ("elementwise", "question")  # functions of these families have such a method, unless a note says otherwise


def has_underscore(function):
    """Does PyTorch have an in-place form of this function?"""
    family = getattr(TABLE.get(function.__name__), "kind", None)
    return noted(function, "underscore", family in ONE_BY_ONE)


def by_rule(function):
    """Can the method just run the operator itself in place?"""
    name = function.__name__
    rule = TABLE.get(name)
    if rule is None or rule.params or rule.kind not in ONE_BY_ONE:
        return False
    same_type = rule.kind == "elementwise" or getattr(rule, "gives", bool) is None  # a result of bools does not fit
    return same_type and (len(rule.inputs) == 1 or unwrap(function) is OPERATORS[name] or not function.numbers)


def alone(name):
    """The method `name_` of an operator whose only argument is its tensor."""

    def method(self):
        return in_place(name, self)

    return method


def paired(name, numbers):
    """The method `name_` of an operator of two tensors; or of a tensor and a number, if it takes `numbers`."""

    def method(self, other):
        if not numbers and not isinstance(other, TensorBase):
            raise TypeError(f"{name}_() takes tensors")
        if getattr(TABLE[name], "whole", False):
            refuse_wider(self, other)
        return in_place(name, self, other)

    return method


def refuse_wider(self, other):
    """Raise if `self` can't hold the size or the type of the result. PyTorch checks this before it reports that there
    is no such operator for floats."""
    check_size(self, broadcast(self._data.shape, np.shape(getattr(other, "_data", other))))
    numbers = [(number_type(other), 0)] if isinstance(other, NUMBER) else []
    tensors = [(x.dtype, 2 if x._data.ndim else 1) for x in (self, other) if isinstance(x, TensorBase)]
    made = result_type([*tensors, *numbers])
    if category(made) > category(self.dtype):
        raise RuntimeError(f"result type {made.legacy} can't be cast to the desired output type {self.dtype.legacy}")


def check_size(self, size):
    """Raise unless a result of this size fits into the tensor."""
    if size != self._data.shape:
        raise RuntimeError(f"output with shape {list(self._data.shape)} doesn't match the broadcast shape {list(size)}")


def with_underscore(function):
    """The function; an error that names it gets the name of the method, `name_`."""
    name = function.__name__ + "()"

    def named(*args, **options):
        try:
            return function(*args, **options)
        except TypeError as error:
            if not str(error).startswith(name):
                raise
            raise TypeError(f"{function.__name__}_(){str(error).removeprefix(name)}") from None

    return named


def through(function):
    """The method `name_` of any function whose first argument is the tensor: it computes on the old value, and `copy_`
    writes the result. So gradients and versions are correct, whatever operators the function uses."""
    single = function.__name__ in TABLE  # one node, which becomes the tensor's own
    plain = getattr(function, "as_method", lambda: function)()  # errors don't count the method's own tensor
    function = with_underscore(plain)

    def method(self, *args, **options):
        given = [self, *args, *options.values()]
        recording = modes.recording and any(isinstance(x, TensorBase) and x._requires_grad for x in given)
        if recording and single:
            refuse(self, True)
            overwrite(self, function(old_value(self) if modes.saved_hooks else self, *args, **options))
            return self
        result = function(self.clone() if recording and self._fn is not None else self, *args, **options)
        check_size(self, result._data.shape)
        if category(result.dtype) > category(self.dtype):
            made, kept = result.dtype.legacy, self.dtype.legacy
            raise RuntimeError(f"result type {made} can't be cast to the desired output type {kept}")
        in_place("copy", self, result)
        if result._fn is not None:
            name_node(self, type(result.grad_fn).__name__)
        return self

    show(method, Shown(plain, first="self"))
    return method


def overwriting(function):
    """The method with an underscore for a function."""
    name = function.__name__
    if not by_rule(function):
        method = through(function)
    else:
        method = alone(name) if len(TABLE[name].inputs) == 1 else paired(name, function.numbers)
    method.__name__ = method.__qualname__ = name + "_"
    method.__doc__ = f"`{name}` in place."
    if by_rule(function) and len(TABLE[name].inputs) == 2:
        return takes_operands(method) if function.numbers else takes_tensors(method)
    return method


def underscored(tensor):
    """Give the class of tensors its methods with an underscore, also under the functions' second names."""
    functions: dict[str, Any] = {}
    for family in tensor.__mro__:
        for name, function in vars(family).items():
            if name[0] != "_" != name[-1] and callable(function) and hasattr(function, "__name__"):
                functions.setdefault(name, function)
    for name, function in functions.items():
        if name == function.__name__ and has_underscore(function) and not hasattr(tensor, name + "_"):
            setattr(Overwriting, name + "_", overwriting(function))
    for name, function in functions.items():
        second = name != function.__name__ and not hasattr(tensor, name + "_")
        if second and (method := getattr(tensor, function.__name__ + "_", None)):
            setattr(Overwriting, name + "_", method)


class Overwriting(TensorBase):
    """Mixed into Tensor; `underscored` adds the rest."""

    __slots__ = ()

    def __ilshift__(self, other):
        return self.bitwise_left_shift_(other) if isinstance(other, TensorBase | NUMBER) else not_ours(other)

    def __irshift__(self, other):
        return self.bitwise_right_shift_(other) if isinstance(other, TensorBase | NUMBER) else not_ours(other)

    def float_power_(self, exponent):
        """`float_power` in place, for float64 alone."""
        if self._data.dtype != "float64":
            raise RuntimeError(
                f"the base given to float_power_ has dtype {self.dtype.legacy} but the operation's result requires "
                "dtype Double"
            )
        return self.pow_(exponent)

    @takes_tensors
    def fill_diagonal_(self, fill_value, wrap=False):
        """Set the diagonal of a matrix to one number; with `wrap`, the diagonal starts again below in a tall matrix."""
        if self._data.ndim < 2:
            raise RuntimeError("dimensions must larger than 1")
        if wrap and self._data.shape[0] > self._data.shape[1] + 1 and self.is_contiguous():
            in_place("fill", self.view(-1)[:: self._data.shape[1] + 1], value=fill_value)
        else:
            in_place("fill", self.diagonal(), value=fill_value)
        return self

"""More functions that work element by element, those that programs use less often.

Each is written once; named in the class below, it is a method too. Imports operators, arguments and arithmetic.
Read next: in_place.py, the forms with an underscore.
"""

import numpy as np

from ..._call.arguments import no_combination, takes_operands, takes_tensors
from ..._call.operators import OPERATORS as _op
from ..._engine.storage import TensorBase
from ..._engine.switches import told
from ..._machine.dtypes import get_default_dtype
from ...core.tensor import wrap
from ...ops.note import known
from .arithmetic import _operands, _tensors, _widened, pow
from .named import one_node


@takes_tensors
def atan2(input, other):
    """The angle of the point (other, input), in all four quarters.

    >>> torch.atan2(torch.tensor([1.0, -1.0]), torch.tensor([-1.0, -1.0]))
    tensor([ 2.3562, -2.3562])
    """
    return _tensors("atan2", input, other)


@takes_tensors
def hypot(input, other):
    """√(input² + other²).

    >>> torch.hypot(torch.tensor([3.0]), torch.tensor([4.0]))
    tensor([5.])
    """
    return _tensors("hypot", input, other)


@takes_tensors
def logaddexp(input, other):
    """log(exp(input) + exp(other)), without overflow.

    >>> big = torch.tensor(1000.0)
    >>> torch.logaddexp(big, big), torch.log(torch.exp(big) + torch.exp(big))
    (tensor(1000.6932), tensor(inf))
    """
    return _tensors("logaddexp", input, other)


@takes_tensors
def positive(input):
    """`+input`: the tensor itself.

    >>> torch.positive(torch.tensor([-1.0, 2.0]))
    tensor([-1.,  2.])
    """
    if input._data.dtype == bool:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


@takes_operands
def fmod(input, other):
    """The remainder of a division that rounds towards 0; it has the sign of `input`.

    >>> torch.fmod(torch.tensor([7, -7]), 3)
    tensor([ 1, -1])
    """
    if not isinstance(input, TensorBase):
        raise no_combination("fmod", input, other)
    _operands("fmod", input, other)
    if isinstance(other, TensorBase):
        return _op["fmod"](input, other)
    return _op["fmod_scalar"](_widened(input, other), other=other)


@takes_operands
@known(out=True)
def float_power(input, exponent):
    """`input ** exponent` in float64.

    >>> torch.float_power(torch.tensor([2, 3]), -1)
    tensor([0.5000, 0.3333], dtype=torch.float64)
    """
    _operands("float_power", input, exponent)
    wide = [x.double() if isinstance(x, TensorBase) else float(x) for x in (input, exponent)]
    return pow(*wide)


@takes_tensors
@one_node("LogitBackward0")
@known(out=True, underscore=True)
def logit(input, eps=None):
    """log(p / (1 - p)), the inverse of `sigmoid`; with `eps`, p is first limited to [eps, 1 - eps].

    >>> torch.logit(torch.tensor([0.5, 0.9, 1.0])), torch.logit(torch.tensor(1.0), eps=0.1)
    (tensor([0.0000, 2.1972,    inf]), tensor(2.1972))
    """
    input = input if input._data.dtype.kind == "f" else input.to(get_default_dtype())
    p = input if eps is None else input.clamp(eps, 1 - eps)
    return (p / (1 - p)).log()


@takes_tensors
def nan_to_num(input, nan=0.0, posinf=None, neginf=None):
    """Replaces nan (by 0), inf (by the largest number of the type) and -inf (by the smallest).

    >>> torch.nan_to_num(torch.tensor([1.0, torch.nan, torch.inf]), posinf=99.0)
    tensor([ 1.,  0., 99.])
    """
    return _op["nan_to_num"](input, nan=nan or 0.0, posinf=posinf, neginf=neginf)


@takes_tensors
def lerp(input, end, weight: "TensorBase | float"):
    """`input + weight * (end - input)`: a point between `input` and `end`. `weight` may be a number.

    Raises RuntimeError if the types differ.

    >>> torch.lerp(torch.tensor([0.0, 10.0]), torch.tensor([1.0, 20.0]), 0.25)
    tensor([ 0.2500, 12.5000])
    """
    _same_floats(input, end=end, weight=weight)
    if isinstance(weight, TensorBase):
        return _op["lerp_tensor"](input, end, weight)
    return _op["lerp"](input, end, weight=weight)


def _same_floats(input, **others):
    """Raise unless all are of one floating-point type."""
    for name, other in others.items():
        if isinstance(other, TensorBase) and other.dtype is not input.dtype:
            kinds = input.dtype.c_name, other.dtype.c_name
            raise RuntimeError(f"expected dtype {kinds[0]} for `{name}` but got dtype {kinds[1]}")
    if input._data.dtype.kind != "f":
        kernel = "lerp_kernel_tensor" if isinstance(others["weight"], TensorBase) else "lerp_kernel_scalar"
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{input.dtype.legacy}'")


@takes_tensors
def addcmul(input, tensor1, tensor2, *, value=1):
    """`input + value * tensor1 * tensor2`.

    >>> torch.addcmul(torch.tensor(1.0), torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]), value=2)
    tensor([ 7., 17.])
    """
    return _op["addcmul"](input, tensor1, tensor2, value=whole(value, input, tensor1, tensor2))


@takes_tensors
def addcdiv(input, tensor1, tensor2, *, value=1):
    """`input + value * tensor1 / tensor2`, of floating-point numbers. Raises RuntimeError if all are integers.

    >>> torch.addcdiv(torch.tensor(1.0), torch.tensor([1.0, 2.0]), torch.tensor([4.0, 4.0]), value=2)
    tensor([1.5000, 2.0000])
    """
    if all(x._data.dtype.kind != "f" for x in (tensor1, tensor2)):
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a "
            "true division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value "
            "* torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / "
            "tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + value "
            "* tensor1 / tensor2), for all dtypes."
        )
    return _op["addcdiv"](input, tensor1, tensor2, value=value)


def whole(value, *tensors):
    """The factor, truncated to an integer if all tensors are of integers."""
    return value if any(x._data.dtype.kind == "f" for x in tensors) else int(value)


@takes_tensors
def isclose(input, other, rtol=1e-5, atol=1e-8, equal_nan=False):
    """True where |input - other| ≤ atol + rtol · |other|.

    >>> torch.isclose(torch.tensor([1.0, 2.0]), torch.tensor([1.000001, 2.1]))
    tensor([ True, False])
    """
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype.legacy} did not match {other.dtype.legacy}")
    for name, limit in (("rtol", rtol), ("atol", atol)):
        if limit < 0:
            raise RuntimeError(f"{name} must be greater than or equal to zero, but got {limit:g}")
    out = wrap(np.isclose(input._data, other._data, rtol=rtol, atol=atol, equal_nan=equal_nan))
    return told("isclose", (input, other), out)


@known(out=True)
def isin(elements, test_elements, *, assume_unique=False, invert=False):
    """True where an element is one of `test_elements`.

    >>> torch.isin(torch.tensor([1, 2, 3, 4]), torch.tensor([2, 4]))
    tensor([False,  True, False,  True])
    """
    these, those = (x._data if isinstance(x, TensorBase) else x for x in (elements, test_elements))
    return wrap(np.isin(these, those, assume_unique=assume_unique, invert=invert))


class Elementwise(TensorBase):
    """Mixed into Tensor: the functions above as methods, and Python's shift operators."""

    __slots__ = ()

    positive = positive
    atan2, hypot, logaddexp, fmod, float_power, logit = atan2, hypot, logaddexp, fmod, float_power, logit
    nan_to_num, lerp, addcmul, addcdiv, isclose = nan_to_num, lerp, addcmul, addcdiv, isclose

    __lshift__, __rshift__ = _op["bitwise_left_shift"], _op["bitwise_right_shift"]


__all__ = ["isin", *(name for name in vars(Elementwise) if name in globals() and name[0] != "_")]

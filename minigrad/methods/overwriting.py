"""The rest of the methods with an underscore, as a table: the function by its name, its result written back.

in_place.py has those that training loops use, each in one step. Here the function computes on the old value, and
`copy_` writes: so gradients and versions come right for whatever the function is made of.
Imports all functions that it lists. Read next: aliases.py.
"""

from ..arguments import Shown, show, takes_operands, takes_tensors
from ..dtypes import category
from ..inplace import in_place
from ..storage import TensorBase
from ..switches import modes
from . import arithmetic, elementwise, order, pointwise, products, scattering, shape
from .in_place import unary
from .named import name_node
from .reduction import cumsum


def through(function):
    """The method `name_` of a function whose first argument is the tensor."""
    function = getattr(function, "as_method", lambda: function)()  # where that tensor counts as none in an error

    def method(self, *args, **options):
        given = [self, *args, *options.values()]
        recording = modes.recording and any(isinstance(x, TensorBase) and x._requires_grad for x in given)
        result = function(self.clone() if recording and self._fn is not None else self, *args, **options)
        if result._data.shape != self._data.shape:
            raise RuntimeError(
                f"output with shape {list(self._data.shape)} doesn't match the broadcast shape "
                f"{list(result._data.shape)}"
            )
        if category(result.dtype) > category(self.dtype):
            made, kept = result.dtype.legacy, self.dtype.legacy
            raise RuntimeError(f"result type {made} can't be cast to the desired output type {kept}")
        in_place("copy", self, result)
        if result._fn is not None:
            name_node(self, type(result.grad_fn).__name__)
        return self

    method.__name__ = method.__qualname__ = function.__name__ + "_"
    method.__doc__ = f"`{function.__name__}` in place."
    show(method, Shown(function, first="self"))
    return method


def _by_rule(name):
    """The method `name_` of an operator of two tensors."""

    def method(self, other):
        return in_place(name, self, other)

    method.__name__ = method.__qualname__ = name + "_"
    method.__doc__ = f"`{name}` in place."
    return takes_operands(method) if name.startswith("bitwise") else takes_tensors(method)


class Overwriting(TensorBase):
    """Mixed into Tensor."""

    __slots__ = ()

    asin_, acos_, atan_ = unary("asin"), unary("acos"), unary("atan")
    asinh_, acosh_, atanh_ = unary("asinh"), unary("acosh"), unary("atanh")
    log10_, exp2_, erfc_, trunc_, frac_ = map(unary, ("log10", "exp2", "erfc", "trunc", "frac"))
    deg2rad_, rad2deg_, sgn_, bitwise_not_ = map(unary, ("deg2rad", "rad2deg", "sign", "bitwise_not"))
    atan2_, hypot_ = _by_rule("atan2"), _by_rule("hypot")
    bitwise_and_, bitwise_or_, bitwise_xor_ = map(_by_rule, ("bitwise_and", "bitwise_or", "bitwise_xor"))
    bitwise_left_shift_, bitwise_right_shift_ = _by_rule("bitwise_left_shift"), _by_rule("bitwise_right_shift")
    __ilshift__, __irshift__ = bitwise_left_shift_, bitwise_right_shift_

    eq_, ne_, lt_, le_ = map(through, (pointwise.eq, pointwise.ne, pointwise.lt, pointwise.le))
    gt_, ge_ = through(pointwise.gt), through(pointwise.ge)
    logical_and_, logical_or_ = through(arithmetic.logical_and), through(arithmetic.logical_or)
    logical_xor_, logical_not_ = through(arithmetic.logical_xor), through(arithmetic.logical_not)
    fmod_, logit_ = through(elementwise.fmod), through(elementwise.logit)
    nan_to_num_, lerp_ = through(elementwise.nan_to_num), through(elementwise.lerp)
    addcmul_, addcdiv_ = through(elementwise.addcmul), through(elementwise.addcdiv)
    cumsum_, cumprod_, tril_, triu_ = map(through, (cumsum, order.cumprod, shape.tril, shape.triu))
    masked_scatter_, index_copy_ = through(scattering.masked_scatter), through(scattering.index_copy)
    index_fill_, scatter_ = through(scattering.index_fill), through(scattering.scatter)
    scatter_reduce_ = through(scattering.scatter_reduce)
    addmv_, addr_ = through(products.addmv), through(products.addr)
    baddbmm_, addbmm_ = through(products.baddbmm), through(products.addbmm)

    def float_power_(self, exponent):
        """`float_power` in place, of float64 alone."""
        if self._data.dtype != "float64":
            raise RuntimeError(
                f"the base given to float_power_ has dtype {self.dtype.legacy} but the operation's result requires "
                "dtype Double"
            )
        return self.pow_(exponent)

    @takes_tensors
    def fill_diagonal_(self, fill_value, wrap=False):
        """Set the diagonal of a matrix to one number; with `wrap`, of a tall one again below."""
        if self._data.ndim < 2:
            raise RuntimeError("dimensions must larger than 1")
        if wrap and self._data.shape[0] > self._data.shape[1] + 1 and self.is_contiguous():
            in_place("fill", self.view(-1)[:: self._data.shape[1] + 1], value=fill_value)
        else:
            in_place("fill", self.diagonal(), value=fill_value)
        return self

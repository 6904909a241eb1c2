"""PyTorch's second names for functions defined elsewhere: NumPy's `absolute` for `abs`, `clip` for `clamp` …

overwriting.py adds their forms with an underscore, such as `clip_`.
Imports the functions that it renames. Read next: out.py.
"""

from ..._call.arguments import takes_tensors
from ..._engine.storage import TensorBase
from .arithmetic import clamp, div, mul, sub
from .attributes import Attributes
from .elementwise import atan2
from .linalg import outer
from .pieces import vstack
from .pointwise import abs, acos, acosh, asin, asinh, atan, atanh, ge, gt, le, lt, ne, neg, trunc
from .shape import cat, movedim, transpose

absolute, negative, subtract, multiply, divide, clip, fix = abs, neg, sub, mul, div, clamp, trunc
arccos, arcsin, arctan, arctan2, arccosh, arcsinh, arctanh = acos, asin, atan, atan2, acosh, asinh, atanh
greater, greater_equal, less, less_equal, not_equal = gt, ge, lt, le, ne
swapdims, moveaxis, concat, concatenate, row_stack = transpose, movedim, cat, cat, vstack
ger = outer


@takes_tensors
def swapaxes(input, axis0, axis1):
    """`transpose` with NumPy's names for its arguments.

    >>> torch.swapaxes(torch.ones(2, 3, 4), axis0=0, axis1=2).shape
    torch.Size([4, 3, 2])
    """
    return transpose(input, axis0, axis1)


class Aliases(TensorBase):
    """Mixed into Tensor."""

    __slots__ = ()

    absolute, negative, subtract, multiply, divide, clip, fix = (
        absolute,
        negative,
        subtract,
        multiply,
        divide,
        clip,
        fix,
    )
    arccos, arcsin, arctan, arctan2, arccosh, arcsinh, arctanh = (
        arccos,
        arcsin,
        arctan,
        arctan2,
        arccosh,
        arcsinh,
        arctanh,
    )
    greater, greater_equal, less, less_equal, not_equal = greater, greater_equal, less, less_equal, not_equal
    swapaxes, swapdims, moveaxis, ger = swapaxes, swapdims, moveaxis, ger
    nelement, ndimension = Attributes.numel, Attributes.dim


__all__ = ["concat", "concatenate", "row_stack"]
__all__ += [name for name in vars(Aliases) if name in globals() and name[0] != "_"]

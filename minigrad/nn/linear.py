"""Linear, the layer y = x Wᵀ + b, and its function; Identity and Flatten, which only return or reshape their input.

Imports applied and init. Read next: recurrent.py.
"""

import math

from .._call.arguments import takes_tensors
from .._call.check import not_implemented
from .._call.operators import OPERATORS
from .._tensors.creation import empty
from ..ops import words
from . import init
from .applied import Applied
from .module import Module
from .parameter import Parameter


@takes_tensors
def linear(input, weight, bias=None):
    """input (…, n) · weight (m, n)ᵀ + bias (m) = (…, m), in one addmm over all leading axes, as in PyTorch.

    Raises RuntimeError unless the last axes of `input` and `weight` have the same size.

    >>> x, W, b = torch.tensor([[1.0, 2.0]]), torch.tensor([[1.0, 10.0]]), torch.tensor([100.0])
    >>> F.linear(x, W, b)
    tensor([[121.]])
    """
    data, matrix = input._data, weight._data
    if data.dtype is not matrix.dtype and data.dtype != matrix.dtype:  # `is` is faster, and usually enough
        if bias is None and data.ndim and matrix.ndim == 2 and data.shape[-1] != matrix.shape[1]:
            raise words.unlike_matrices((math.prod(data.shape[:-1]), data.shape[-1]), matrix.shape[::-1])
        if bias is not None and data.ndim > 2 and not data.flags.c_contiguous:
            if data.dtype == bool:
                raise not_implemented("bmm", data.dtype)
            raise RuntimeError(f"expected scalar type {input.dtype.legacy} but found {weight.dtype.legacy}")
        said = words.mixed_product if bias is None else words.mixed_sum
        raise said([weight.dtype, input.dtype, weight.dtype])
    if not data.ndim:
        raise RuntimeError(f"both arguments to linear need to be at least 1D, but they are 0D and {matrix.ndim}D")
    turned = OPERATORS["t"](weight)
    if bias is None:
        return input.matmul(turned)
    if data.ndim == 2:
        return OPERATORS["addmm"](bias, input, turned)
    if not data.flags.c_contiguous:
        return input.matmul(turned) + bias
    *axes, features = data.shape  # one addmm for all rows
    rows = OPERATORS["view"](input, size=(math.prod(axes), features))
    return OPERATORS["view"](OPERATORS["addmm"](bias, rows, turned), size=(*axes, len(matrix)))


class Weighted(Module):
    """Base of Linear and the convolutions: `weight` (out, in …) and, optionally, `bias` (out)."""

    def __init__(self, *size: int, bias: bool, out: int | None = None, **kind):
        super().__init__()
        self.weight = Parameter(empty(size, **kind))
        self.register_parameter("bias", Parameter(empty(out or size[0], **kind)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight, then bias, again: both uniformly from ±1/√(number of inputs of an output)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))  # this is ±1/√fan_in
        if self.bias is not None:
            bound = 1 / math.sqrt(init._calculate_fan_in_and_fan_out(self.weight)[0] or math.inf)
            init.uniform_(self.bias, -bound, bound)


class Linear(Weighted):
    """y = x Wᵀ + b, for x of size (…, in_features): y has size (…, out_features).

    `weight` (out_features, in_features) and `bias` (out_features) start uniform in ±1/√in_features. In all layers,
    `device` and `dtype` are those of the parameters.

    >>> import minigrad as torch
    >>> layer = torch.nn.Linear(3, 2)
    >>> layer, layer(torch.zeros(5, 3)).shape
    (Linear(in_features=3, out_features=2, bias=True), torch.Size([5, 2]))
    """

    def __init__(self, in_features: int, out_features: int, bias=True, device=None, dtype=None):
        super().__init__(out_features, in_features, bias=bias, device=device, dtype=dtype)
        self.in_features, self.out_features = in_features, out_features

    def forward(self, input):
        own = self._parameters
        try:  # a third of the time that self.weight and self.bias take
            weight, bias = own["weight"], own["bias"]
        except KeyError:  # the attribute is no longer a parameter
            weight, bias = self.weight, self.bias
        return linear(input, weight, bias)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Identity(Module):
    """Returns its input, and accepts any arguments to its constructor."""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


def flatten(input, start_dim=1, end_dim=-1):
    """Merge the axes from `start_dim` to `end_dim` into one."""
    return input.flatten(start_dim, end_dim)


class Flatten(Applied):
    """Merges the axes from `start_dim` to `end_dim` into one; by default all but the first, the batch.

    >>> import minigrad as torch
    >>> torch.nn.Flatten()(torch.zeros(8, 2, 3)).shape
    torch.Size([8, 6])
    """

    function = staticmethod(flatten)


class Unflatten(Module):
    """Splits an axis into several, the inverse of Flatten. `unflattened_size` is their sizes; one may be -1.

    >>> import minigrad as torch
    >>> torch.nn.Unflatten(1, (2, 3))(torch.zeros(8, 6)).shape
    torch.Size([8, 2, 3])
    """

    def __init__(self, dim, unflattened_size):
        super().__init__()
        if not isinstance(dim, int):
            raise NotImplementedError("minigrad's tensors have no named axes: dim must be an int")
        if not isinstance(unflattened_size, tuple | list):
            found = type(unflattened_size).__name__
            raise TypeError(f"unflattened_size must be a tuple of ints, but found type {found}")
        for place, size in enumerate(unflattened_size):
            if not isinstance(size, int):
                found = f"element of type {type(size).__name__} at pos {place}"
                raise TypeError(f"unflattened_size must be tuple of ints, but found {found}")
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, input):
        dim, sizes = self.dim % input.dim(), tuple(self.unflattened_size)
        return input.reshape(*input.shape[:dim], *sizes, *input.shape[dim + 1 :])

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


@takes_tensors
def bilinear(input1, input2, weight, bias=None):
    """x₁ᵀ Wₖ x₂ + b for each of the matrices Wₖ of `weight` (out, in1, in2): (…, out).

    >>> F.bilinear(torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 4.0]]), torch.ones(1, 2, 2))
    tensor([[21.]])
    """
    _check_bilinear(input1, input2, weight, bias)
    rows = [x.reshape(-1, x.shape[-1]) for x in (input1, input2)]
    out = OPERATORS["trilinear"](rows[0], weight, rows[1]).reshape(*input1.shape[:-1], weight.shape[0])
    return out if bias is None else out + bias


def _check_bilinear(input1, input2, weight, bias) -> None:
    if input1.dim() != input2.dim():
        raise RuntimeError(f"bilinear(): input dimensions do not match: got {input1.dim()} and {input2.dim()}")
    for dim, (n, m) in enumerate(zip(input1.shape[:-1], input2.shape[:-1], strict=True)):
        if n != m:
            raise RuntimeError(f"bilinear(): input batch dimensions do not match at dim {dim}: got {n} and {m}")
    for i, x in enumerate((input1, input2), start=1):
        if x.shape[-1] != weight.shape[i]:
            raise RuntimeError(
                f"bilinear(): input{i} size does not match weight size: got {x.shape[-1]} but expected "
                f"{weight.shape[i]}"
            )
    given = {"input1": input1, "input2": input2, "weight": weight} | ({} if bias is None else {"bias": bias})
    if any(x.dtype is not input1.dtype for x in given.values()):
        kinds = ", ".join(f"{name}: {x.dtype.c_name}" for name, x in given.items())
        raise RuntimeError(f"All tensors must have the same dtype, got {kinds}")


class Bilinear(Module):
    """y = x₁ᵀ W x₂ + b, for two inputs (…, in1_features) and (…, in2_features): (…, out_features)."""

    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        if in1_features <= 0:
            raise ValueError(f"in1_features must be > 0, but got (in1_features={in1_features})")
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        size = out_features, in1_features, in2_features
        self.weight = Parameter(empty(size, device=device, dtype=dtype))
        made = Parameter(empty(out_features, device=device, dtype=dtype)) if bias else None
        self.register_parameter("bias", made)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight, then bias, again: both uniformly from ±1/√in1_features."""
        bound = 1 / math.sqrt(self.in1_features)
        for param in self.parameters():
            init.uniform_(param, -bound, bound)

    def forward(self, input1, input2):
        return bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )

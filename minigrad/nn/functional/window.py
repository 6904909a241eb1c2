"""Convolution, pooling and padding: PyTorch's arguments made into `Windows` (ops/convolution.py).

A size such as `kernel_size` is an int, or a tuple with one for each axis. Inputs are (N, C, L) or (N, C, H, W);
N may be missing. Imports dispatch and ops. Read next: ../convolution.py, the same as modules.
"""

from __future__ import annotations

from typing import Any

from ...check import C_NAMES
from ...compiled import OPERATORS
from ...ops.convolution import Windows

_op = OPERATORS


def each_axis(value: Any, axes: int, name: str = "value") -> tuple[int, ...]:
    """An int for every axis, from one for all or from one for each."""
    out = tuple(value) if isinstance(value, tuple | list) else (value,)
    out = out * axes if len(out) == 1 else out
    if len(out) != axes:
        raise RuntimeError(f"{name} must be one int or {axes}, but got {out}")
    return out


def _batched(input: Any, axes: int, complaint: str) -> tuple[Any, bool]:
    """The input with its axis N, and whether it had one; RuntimeError if it has neither number of axes."""
    if input.dim() not in (axes + 1, axes + 2):
        raise RuntimeError(complaint)
    return (input, True) if input.dim() == axes + 2 else (input.unsqueeze(0), False)


# -- convolution --------------------------------------------------------------------------------


def _conv(axes: int, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int) -> Any:
    input, batched = _batched(
        input,
        axes,
        f"Expected {axes + 1}D (unbatched) or {axes + 2}D (batched) input to conv{axes}d, but got input of size: "
        f"{list(input.shape)}",
    )
    for other, what in ((bias, "bias"), (weight, "weight")):
        if other is not None and other.dtype is not input.dtype:
            kinds = [C_NAMES[t.dtype.name] for t in (input, other)]
            raise RuntimeError(f"Input type ({kinds[0]}) and {what} type ({kinds[1]}) should be the same")
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    if weight.dim() != input.dim():
        raise RuntimeError(
            "weight should have at least three dimensions"
            if weight.dim() < 3
            else f"Expected {weight.dim()}-dimensional input for {weight.dim()}-dimensional weight"
            f"{list(weight.shape)}, but got {input.dim()}-dimensional input of size {list(input.shape)} instead"
        )
    stride, dilation = each_axis(stride, axes, "stride"), each_axis(dilation, axes, "dilation")
    if padding not in ("same", "valid") and min(each_axis(padding, axes, "padding")) < 0:
        raise RuntimeError("negative padding is not supported")
    if min(stride) <= 0:
        raise RuntimeError("non-positive stride is not supported")
    if min(dilation) <= 0:
        raise RuntimeError("dilation should be greater than zero")
    if weight.shape[0] < groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size "
            f"{list(weight.shape)} instead"
        )
    if input.shape[1] != weight.shape[1] * groups:
        raise RuntimeError(
            f"Given groups={groups}, weight of size {list(weight.shape)}, expected input{list(input.shape)} to have "
            f"{weight.shape[1] * groups} channels, but got {input.shape[1]} channels instead"
        )
    kernel = tuple(weight.shape[2:])
    if padding == "same":
        if stride != (1,) * axes:
            raise ValueError("padding='same' is not supported for strided convolutions")
        missing = [d * (k - 1) for d, k in zip(dilation, kernel, strict=True)]
        if any(n % 2 for n in missing):  # the odd one goes to the end
            input = pad(input, tuple(m for n in reversed(missing) for m in (0, n % 2)))
        padding = tuple(n // 2 for n in missing)
    padding = (0,) * axes if padding == "valid" else each_axis(padding, axes, "padding")
    out = []
    for n, k, s, p, d in zip(input.shape[2:], kernel, stride, padding, dilation, strict=True):
        if n + 2 * p < d * (k - 1) + 1:
            sizes = [n + 2 * p for n, p in zip(input.shape[2:], padding, strict=True)]
            extents = [d * (k - 1) + 1 for d, k in zip(dilation, kernel, strict=True)]
            raise RuntimeError(
                f"Calculated padded input size per channel: ({' x '.join(map(str, sizes))}). Kernel size: "
                f"({' x '.join(map(str, extents))}). Kernel size can't be greater than actual input size"
            )
        out.append((n + 2 * p - d * (k - 1) - 1) // s + 1)
    windows = Windows(tuple(input.shape[2:]), kernel, stride, padding, dilation, tuple(out))
    if bias is None:
        result = _op["correlation"](input, weight, windows=windows, groups=groups)
    else:
        result = _op["convolution"](input, weight, bias, windows=windows, groups=groups)
    return result if batched else result.squeeze(0)


def conv1d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """input (N, C, L), weight (out channels, C / groups, kernel): (N, out channels, places)."""
    return _conv(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """input (N, C, H, W), weight (out channels, C / groups, kernel, kernel): (N, out channels, places, places).

    `padding` is a number of zeros around the image, "valid" (none) or "same" (so many that the size stays).

    >>> import minigrad as torch
    >>> conv2d(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2))
    tensor([[[[4., 4.],
              [4., 4.]]]])
    """
    return _conv(2, input, weight, bias, stride, padding, dilation, groups)


# -- pooling ------------------------------------------------------------------------------------


def _pooling(input: Any, kernel: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool) -> Windows:
    """The windows of a pool over images; TypeErrors and RuntimeErrors in PyTorch's words."""
    kernel = each_axis(kernel, 2, "kernel_size")
    stride = kernel if stride is None else each_axis(stride, 2, "stride")
    padding, dilation = each_axis(padding, 2, "padding"), each_axis(dilation, 2, "dilation")
    if 0 in stride:
        raise RuntimeError("stride should not be zero")
    for name, (h, w), letter in (
        ("kernel size", kernel, "k"),
        ("stride", stride, "d"),
        ("dilation", dilation, "dilation"),
    ):
        if min(h, w) <= 0:
            raise RuntimeError(f"{name} should be greater than zero, but got {letter}H: {h} {letter}W: {w}")
    out = []
    for n, k, s, p, d in zip(input.shape[2:], kernel, stride, padding, dilation, strict=True):
        if p < 0:
            raise RuntimeError(f"pad must be non-negative, but got pad: {p}")
        extent = d * (k - 1) + 1
        if 2 * p > extent:
            raise RuntimeError(
                f"pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and "
                f"dilation={d}"
            )
        places = (n + 2 * p - extent + (s - 1 if ceil_mode else 0)) // s + 1
        if ceil_mode and (places - 1) * s >= n + p:  # the last window must start over the image
            places -= 1
        out.append(places)
    if min(out) < 1:
        given, made = ("x".join(map(str, (input.shape[1], *n))) for n in (input.shape[2:], out))
        raise RuntimeError(f"Given input size: ({given}). Calculated output size: ({made}). Output size is too small")
    return Windows(tuple(input.shape[2:]), kernel, stride, padding, dilation, tuple(out))


def max_pool2d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
) -> Any:
    """The largest number in each window of (N, C, H, W); the stride is the kernel size unless given.

    >>> import minigrad as torch
    >>> max_pool2d(torch.arange(16.0).view(1, 1, 4, 4), 2)
    tensor([[[[ 5.,  7.],
              [13., 15.]]]])
    """
    input, batched = _batched(input, 2, "non-empty 3D or 4D (batch mode) tensor expected for input")
    windows = _pooling(input, kernel_size, stride, padding, dilation, ceil_mode)
    result, _ = _op["max_pool"](input, windows=windows)
    return result if batched else result.squeeze(0)


def avg_pool2d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Any:
    """The mean of each window of (N, C, H, W); the stride is the kernel size unless given."""
    input, batched = _batched(input, 2, "non-empty 3D or 4D (batch mode) tensor expected for input")
    windows = _pooling(input, kernel_size, stride, padding, 1, ceil_mode)
    result = _op["avg_pool"](input, windows=windows, margins=count_include_pad)
    return result if batched else result.squeeze(0)


def _flat(size: Any, other: int, name: str) -> Any:
    """A size along a row as one over an image of height 1."""
    return None if size is None else (other, *each_axis(size, 1, name))


def max_pool1d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
) -> Any:
    """The largest number in each window of (N, C, L), which is pooled as an image of height 1."""
    sizes = _flat(kernel_size, 1, "kernel_size"), _flat(stride, 1, "stride"), _flat(padding, 0, "padding")
    return max_pool2d(input.unsqueeze(-2), *sizes, _flat(dilation, 1, "dilation"), ceil_mode).squeeze(-2)


def avg_pool1d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Any:
    """The mean of each window of (N, C, L), which is pooled as an image of height 1."""
    sizes = _flat(kernel_size, 1, "kernel_size"), _flat(stride, 1, "stride"), _flat(padding, 0, "padding")
    return avg_pool2d(input.unsqueeze(-2), *sizes, ceil_mode, count_include_pad).squeeze(-2)


# -- padding ------------------------------------------------------------------------------------


def pad(input: Any, pad: Any, mode: str = "constant", value: float | None = None) -> Any:
    """Margins around the last axes: `pad` is (before, after) for the last, then for the one before it …

    They are filled with `value`, 0 if left out; a negative margin cuts off. Of PyTorch's modes only "constant".

    >>> import minigrad as torch
    >>> pad(torch.tensor([1, 2, 3]), (1, 2))
    tensor([0, 1, 2, 3, 0, 0])
    """
    if mode != "constant":
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * input.dim():
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got padding length "
            f"{len(pad)} and input of dimension {input.dim()}"
        )
    return _op["constant_pad"](input, margins=tuple(zip(pad[::2], pad[1::2], strict=True)), value=value or 0)

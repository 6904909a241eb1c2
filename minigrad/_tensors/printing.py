"""How a tensor is printed: the text of `repr(tensor)`, character for character PyTorch's.

One format serves all elements of a tensor: whole floats as `1.`, others with four decimals, or in scientific notation
where their sizes differ too much. Beyond 1000 elements only the edges are shown. The dtype, grad_fn and the like follow
where they are not obvious. Works on NumPy arrays and imports NumPy alone; tensor.py passes what to add.
Read next: tensor.py.
"""

import math
from typing import Any

import numpy as np

DEFAULT: dict[str, Any] = {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80}
SHORT, FULL = {"precision": 2, "edgeitems": 2}, {"threshold": math.inf}
PROFILES = {"default": DEFAULT, "short": DEFAULT | SHORT, "full": DEFAULT | FULL}
options = DEFAULT | {"sci_mode": None}


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    """Change how tensors are printed from now on. An argument of None changes nothing, except for `sci_mode`.

    `precision` is the number of decimals, `linewidth` of characters; beyond `threshold` elements, only `edgeitems` at
    each end are shown. `profile` is "default", "short" or "full". `sci_mode` forces scientific notation (True),
    forbids it (False), or lets the values decide (None, also if it is left out).

    >>> torch.set_printoptions(precision=2)
    >>> torch.tensor([1.12345])
    tensor([1.12])
    >>> torch.set_printoptions(profile="default")
    """
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    options.update(PROFILES.get(profile or "", {}))
    options.update({name: value for name, value in given.items() if value is not None})
    options["sci_mode"] = sci_mode


def format_tensor(array, *, requires_grad=False, grad_fn_name=None, default_dtype="torch.float32", device=None) -> str:
    """The text that PyTorch prints for a tensor with the elements of `array`.

    `array` may have any shape, with bool, integer or floating-point elements. `grad_fn_name` names the node that made
    it; `requires_grad` is then not printed. The dtype is printed unless it is `default_dtype`, int64 or bool. `device`
    is printed if it is not the CPU ("cuda:0").

    >>> print(format_tensor(np.float32([[1, 2.5], [-3, 1 / 3]]), grad_fn_name="MulBackward0"))
    tensor([[ 1.0000,  2.5000],
            [-3.0000,  0.3333]], grad_fn=<MulBackward0>)
    >>> print(format_tensor(np.arange(2.0)), format_tensor(np.zeros((0, 3), dtype=bool)))
    tensor([0., 1.], dtype=torch.float64) tensor([], size=(0, 3), dtype=torch.bool)
    """
    suffixes = [f"device='{device}'"] if device else []
    text, unsaid, size_tells = "[]", {default_dtype}, array.ndim != 1
    if array.size:
        summarise = array.size > options["threshold"]
        text = brackets(array, len("tensor("), summarise, *number_format(edges(array) if summarise else array))
        unsaid |= {"torch.int64", "torch.bool"}
        size_tells = options["edgeitems"] == 0
    if size_tells:
        suffixes.append(f"size={array.shape}")
    if f"torch.{array.dtype.name}" not in unsaid:
        suffixes.append(f"dtype=torch.{array.dtype.name}")
    if grad_fn_name:
        suffixes.append(f"grad_fn=<{grad_fn_name}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    return close("tensor(" + text, suffixes)


def number_format(array):
    """A function that formats an element of `array`, and the width of the widest element.

    Zeros, infinities and nan do not affect either.
    """
    values = array.ravel().tolist()
    if array.dtype.kind != "f":
        return str, max((len(str(value)) for value in values), default=1)
    values = [value for value in values if value and math.isfinite(value)]
    sizes = [abs(value) for value in values] or [1.0]
    scientific = max(sizes) / min(sizes) > 1000 or max(sizes) > 1e8 or min(sizes) < 1e-4
    if values and options["sci_mode"] is not None:
        scientific = options["sci_mode"]
    whole = not scientific and all(value == math.ceil(value) for value in values)
    spec = ".0f" if whole else f".{options['precision']}{'e' if scientific else 'f'}"

    def write(value):
        return format(value, spec) + ("." if whole and math.isfinite(value) else "")

    return write, max((len(write(value)) for value in values), default=1)


def edges(array):
    """The elements that a summary shows: `edgeitems` at both ends of every axis."""
    edge = options["edgeitems"]
    for axis, size in enumerate(array.shape):
        if size > 2 * edge:
            array = np.delete(array, slice(edge, size - edge), axis)
    return array


def brackets(array, indent, summarise, write, width) -> str:
    """The elements in nested brackets, columns aligned and lines broken; `indent` is the column of the first one."""
    if array.ndim == 0:
        return write(array.item()).rjust(width)

    def inner(part):
        if array.ndim > 1:
            return [brackets(row, indent + 1, summarise, write, width) for row in part]
        return [write(value).rjust(width) for value in part.tolist()]

    edge = options["edgeitems"]
    if summarise and len(array) > 2 * edge:
        dots = " ..." if array.ndim == 1 and edge else "..."
        parts = [*inner(array[:edge]), dots, *inner(array[len(array) - edge :])]
    else:
        parts = inner(array)
    if array.ndim == 1:
        per_line = max(1, (options["linewidth"] - indent) // (width + len(", ")))
        parts = [", ".join(parts[i : i + per_line]) for i in range(0, len(parts), per_line)]
    line_breaks = "\n" * max(1, array.ndim - 1)
    return "[" + f",{line_breaks}{' ' * (indent + 1)}".join(parts) + "]"


def close(text: str, suffixes: list[str]) -> str:
    """`text`, the suffixes and the last bracket; a suffix that would exceed the line width starts a new line."""
    used = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        fits = used + len(", ") + len(suffix) <= options["linewidth"]
        text += (", " if fits else ",\n" + " " * len("tensor(")) + suffix
        used = (used + len(", ") if fits else len("tensor(")) + len(suffix)
    return text + ")"

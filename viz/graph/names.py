"""The reader's own names for tensors, `w`, `outs[3]`, `rnn.weight_hh_l0`, found in the frame that called `draw`.

Local variables come before global ones. Names that start with an underscore are left out: in a notebook, `_` and `_12`
are set automatically. Imports the standard library only, and works on any tensor with PyTorch's attributes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from types import FrameType
from typing import Any

# The usual name of an operator, if it is not its own name in small letters
KNOWN_AS = {
    "max_pool2d_with_indices": "max_pool2d",
    "max_pool3d_with_indices": "max_pool3d",
    "scaled_dot_product_flash_attention_for_cpu": "scaled_dot_product_attention",
    "scaled_dot_product_flash_attention": "scaled_dot_product_attention",
    "scaled_dot_product_efficient_attention": "scaled_dot_product_attention",
    "thnn_fused_lstm_cell": "lstm_cell",
    "thnn_fused_gru_cell": "gru_cell",
    "prelu_kernel": "prelu",
    "constant_pad_nd": "pad",
}
PREFIXES = r"(native|unsafe|linalg|mkldnn|cudnn|slow|thnn)_(?=.)"  # the routine, in PyTorch's internal names

LIBRARIES = ("minigrad", "torch")
LONGEST = 100  # how many elements of a list or dict are searched


def is_tensor(thing: Any) -> bool:
    """Is it a tensor of minigrad or PyTorch? Checks only the type, so that no code of an unusual object runs."""
    kind = type(thing)
    return hasattr(kind, "grad_fn") and hasattr(kind, "requires_grad") and hasattr(kind, "backward")


def library_of(tensor: Any) -> Any:
    """The module of a tensor's library, minigrad or PyTorch, also for a class that a reader derived."""
    homes = [kind.__module__.partition(".")[0] for kind in type(tensor).__mro__]
    return sys.modules[next(home for home in homes if home in LIBRARIES)]


def has_readable_history(tensor: Any) -> bool:
    """Can its `grad_fn` be read? Reading it fails for a view whose history could not follow a change in place."""
    try:
        tensor.grad_fn  # noqa: B018
    except RuntimeError:
        return False
    return True


def names_in(frame: FrameType) -> Iterator[tuple[str, Any]]:
    """Pairs (name, tensor) of all tensors that the code in `frame` can reach in one step."""
    local = frame.f_locals
    yield from named(local)
    if frame.f_globals is not local:
        yield from named({name: thing for name, thing in frame.f_globals.items() if name not in local})


def named(variables: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Pairs (name, tensor) in `variables`, and in its modules, lists, tuples and dicts.

    >>> import minigrad as torch
    >>> w, b = torch.zeros(1), torch.zeros(1)
    >>> [name for name, tensor in named({"w": w, "layers": [w, b], "n": 3, "_": b})]
    ['w', 'layers[0]', 'layers[1]']
    """
    containers = []
    for name, thing in list(variables.items()):
        if name.startswith("_") or name in ("In", "Out"):
            continue
        if is_tensor(thing):
            yield name, thing
        else:
            containers.append((name, thing))
    for name, thing in containers:  # last, so that a variable's own name comes first
        yield from inside(name, thing)


def inside(name: str, thing: Any) -> Iterator[tuple[str, Any]]:
    """The tensors in a module, list, tuple or dict that is called `name`."""
    if isinstance(thing, (list, tuple)):
        pairs = [(f"{name}[{i}]", element) for i, element in enumerate(thing[:LONGEST])]
    elif type(thing) is dict:
        pairs = [(f"{name}[{key!r}]", element) for key, element in list(thing.items())[:LONGEST]]
    elif callable(getattr(type(thing), "named_parameters", None)):
        pairs = [(f"{name}.{path}", parameter) for path, parameter in thing.named_parameters()]
    else:
        return
    yield from ((path, element) for path, element in pairs if is_tensor(element))


def plain(operator: str) -> str:
    """The usual name of an operator, from PyTorch's name for it; the reader's own Function keeps its name.

    >>> [plain(name) for name in ("MulBackward0", "MaxPool2DWithIndicesBackward0", "MyReLUBackward")]
    ['mul', 'max_pool2d', 'MyReLU']
    """
    operator = operator.rpartition("::")[2]
    builtin = re.fullmatch(r"(\w+?)Backward\d+", operator)
    if not builtin:
        return operator.removesuffix("Backward")
    name = re.sub(r"(?<=\d)D(?![a-z])", "d", builtin[1]).replace("Im2Col", "Im2col").replace("Col2Im", "Col2im")
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    return KNOWN_AS.get(name) or re.sub(f"^{PREFIXES}", "", name)

"""save and load: tensors, and dicts, lists and tuples of them, in a file that holds nothing but data.

The file is a zip: `structure.json` says how things are nested, `0.npy`, `1.npy` … are the arrays. Loading
never unpickles, so a file from a stranger can't run code; saving writes beside the file and then takes its
place, so that a crash leaves the old file whole. Imports tensor and nn's Parameter.
Read next: nn/state.py, which gives and takes what is usually saved.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from typing import Any

import numpy as np

from . import dtypes
from .dispatch import wrap
from .nn.parameter import Parameter
from .storage import TensorBase
from .tensor import Size

FORMAT = "minigrad 1"
ENDS = ("inf", "-inf", "nan")  # the floats that JSON has no numbers for


def save(obj: Any, f: Any) -> None:
    """Write `obj` to `f`, a path or a file opened for binary writing.

    `obj` may be a tensor, a number, a string, None, a dtype, or dicts, lists and tuples of such. A tensor that occurs
    twice is saved once. Raises TypeError, naming the place, for anything else: save `model.state_dict()`, not `model`.

    >>> import io, minigrad as torch
    >>> file = io.BytesIO()
    >>> torch.save({"weight": torch.ones(2), "epoch": 3}, file)
    >>> torch.load(file)
    {'weight': tensor([1., 1.]), 'epoch': 3}
    """
    import json  # this one and zipfile would make `import minigrad` slower

    arrays: list[np.ndarray[Any, Any]] = []
    structure = json.dumps({"format": FORMAT, "content": encode(obj, "obj", arrays, {})}, allow_nan=False)
    if hasattr(f, "write"):
        return _write(f, structure, arrays)
    folder, name = os.path.split(os.fspath(f))
    temporary = os.path.join(folder, f".{name}.{os.getpid()}")
    try:
        with open(temporary, "wb") as file:
            _write(file, structure, arrays)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, f)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise
    return None


def _write(file: Any, structure: str, arrays: list[np.ndarray[Any, Any]]) -> None:
    import zipfile

    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("structure.json", structure)
        for i, array in enumerate(arrays):
            with archive.open(f"{i}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)


def load(f: Any, map_location: Any = None, *, weights_only: bool = True) -> Any:
    """Read what `save` wrote. Tensors come on the CPU, or on the device `map_location`.

    `weights_only` is there for PyTorch's sake: nothing but data is ever loaded.
    Raises RuntimeError for a file that `save` did not write, PyTorch's own among them.
    """
    import json
    import zipfile

    try:
        with zipfile.ZipFile(f) as archive:
            described = json.loads(archive.read("structure.json"))
            if described["format"] != FORMAT:
                raise ValueError(f"its format is {described['format']!r}")
            tensors: dict[int, Any] = {}
            return decode(described["content"], archive, map_location, tensors)
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, EOFError) as error:
        raise RuntimeError(
            f"this is no file that minigrad.save wrote, or it is damaged ({error}). Files of torch.save hold pickled "
            "Python objects, which minigrad never loads; save them anew from PyTorch as NumPy arrays."
        ) from None


def encode(thing: Any, place: str, arrays: list[np.ndarray[Any, Any]], seen: dict[int, int]) -> Any:
    """`thing` as JSON: None, numbers and strings are themselves, all else is {"kind": …}; arrays are collected."""
    if isinstance(thing, TensorBase):
        if id(thing) not in seen:
            seen[id(thing)] = len(arrays)
            arrays.append(thing.numpy(force=True))
        kind = "parameter" if isinstance(thing, Parameter) else "tensor"
        return {"kind": kind, "array": seen[id(thing)], "requires_grad": thing._requires_grad and thing._fn is None}
    if thing is None or type(thing) in (bool, int, str):
        return thing
    if type(thing) is float:
        return {"kind": "float", "value": repr(thing)} if repr(thing) in ENDS else thing
    if isinstance(thing, dtypes.dtype):
        return {"kind": "dtype", "name": thing.name}
    if type(thing) in (dict, OrderedDict):
        items = [
            [encode(key, f"a key of {place}", arrays, seen), encode(value, f"{place}[{key!r}]", arrays, seen)]
            for key, value in thing.items()
        ]
        return {"kind": type(thing).__name__, "items": items}
    if type(thing) in (list, tuple, Size):
        return {
            "kind": type(thing).__name__,
            "items": [encode(item, f"{place}[{i}]", arrays, seen) for i, item in enumerate(thing)],
        }
    raise TypeError(
        f"{place} is of type {type(thing).__name__}, which minigrad.save does not save: only tensors, numbers, "
        "strings, None, dtypes, and dicts, lists and tuples of them. Of a module, save its state_dict()."
    )


def decode(thing: Any, archive: Any, device: Any, tensors: dict[int, Any]) -> Any:
    """What `encode` made, as it was."""
    if not isinstance(thing, dict):
        return thing
    kind = thing["kind"]
    if kind in ("tensor", "parameter"):
        number = int(thing["array"])
        if number not in tensors:
            with archive.open(f"{number}.npy") as member:
                array = np.lib.format.read_array(member, allow_pickle=False)
            dtypes.from_numpy(array.dtype)
            tensor = wrap(array) if device is None else wrap(array).to(device=device)
            tensors[number] = tensor.requires_grad_(thing["requires_grad"])
            if kind == "parameter":
                tensors[number] = Parameter(tensor, thing["requires_grad"])
        return tensors[number]
    if kind == "float":
        return float(thing["value"])
    if kind == "dtype":
        return next(d for d in dtypes.dtype.of.values() if d.name == thing["name"])
    if kind in ("dict", "OrderedDict"):
        pairs = [tuple(decode(part, archive, device, tensors) for part in item) for item in thing["items"]]
        return dict(pairs) if kind == "dict" else OrderedDict(pairs)
    items = [decode(item, archive, device, tensors) for item in thing["items"]]
    return {"list": list, "tuple": tuple, "Size": Size}[kind](items)

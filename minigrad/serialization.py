"""save and load: tensors, and dicts, lists and tuples of them, in a file that holds nothing but data.

The file is one of NumPy's (`np.load` opens it): `structure` says in JSON how things are nested, `0`, `1` … are the
arrays. Loading never unpickles, so a file from a stranger can't run code; saving writes beside the file and then takes
its place, so that a crash leaves the old file whole. Imports tensor and nn's Parameter.
Read next: nn/state.py, which gives and takes what is usually saved.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np

from . import dtypes
from .creation import from_numpy
from .nn.parameter import Parameter
from .storage import TensorBase
from .tensor import Size

FORMAT = "minigrad 1"
NESTED: dict[str, type] = {kind.__name__: kind for kind in (list, tuple, Size, dict, OrderedDict)}


def save(obj: Any, f: Any) -> None:
    """Write `obj` to `f`, a path or a file opened for binary writing.

    `obj` may be a tensor, a number, a string, None, a dtype, or dicts, lists and tuples of such. A tensor that occurs
    twice is saved once. Raises TypeError, naming the place, for anything else: save `model.state_dict()`, not `model`.

    >>> import io, minigrad as torch
    >>> file = io.BytesIO()
    >>> torch.save({"weight": torch.ones(2), "epoch": 3}, file)
    >>> _ = file.seek(0)
    >>> torch.load(file)
    {'weight': tensor([1., 1.]), 'epoch': 3}
    """
    arrays: dict[int, tuple[int, Any]] = {}  # id of a tensor -> which array it is in the file, and the array
    structure = np.array(json.dumps({"format": FORMAT, "content": encode(obj, "obj", arrays)}))
    members = {"structure": structure, **{str(i): array for i, array in arrays.values()}}
    if hasattr(f, "write"):
        return np.savez(f, **members)
    temporary = Path(f).with_name(f".{Path(f).name}.{os.getpid()}")
    try:
        with open(temporary, "wb") as file:
            np.savez(file, **members)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, f)
    finally:
        temporary.unlink(missing_ok=True)


def load(f: Any, map_location: Any = None, *, weights_only: bool = True) -> Any:
    """Read what `save` wrote. Tensors come on the CPU, or on the device `map_location`.

    `weights_only` is there for PyTorch's sake: nothing but data is ever loaded.
    Raises RuntimeError for a file that `save` did not write, PyTorch's own among them.
    """
    try:
        with np.load(f, allow_pickle=False) as archive:
            described = json.loads(str(archive["structure"]))
            if described["format"] != FORMAT:
                raise ValueError(f"its format is {described['format']!r}")
            return decode(described["content"], archive, map_location, {})
    except (zipfile.BadZipFile, LookupError, ValueError, TypeError, EOFError) as error:
        raise RuntimeError(
            f"this is no file that minigrad.save wrote, or it is damaged ({error}). Files of torch.save hold pickled "
            "Python objects, which minigrad never loads; save them anew from PyTorch as NumPy arrays."
        ) from None


def encode(thing: Any, place: str, arrays: dict[int, tuple[int, Any]]) -> Any:
    """`thing` as JSON: None, numbers and strings are themselves, all else is {"kind": …}; arrays are collected."""
    kind = type(thing).__name__
    if thing is None or type(thing) in (bool, int, float, str):
        return thing
    if isinstance(thing, TensorBase):
        number, _ = arrays.setdefault(id(thing), (len(arrays), thing.numpy(force=True)))
        kind = "parameter" if isinstance(thing, Parameter) else "tensor"
        return {"kind": kind, "array": number, "requires_grad": thing._requires_grad and thing.grad_fn is None}
    if isinstance(thing, dtypes.dtype):
        return {"kind": "dtype", "name": thing.name}
    if type(thing) not in NESTED.values():
        raise TypeError(
            f"{place} is of type {kind}, which minigrad.save does not save: only tensors, numbers, strings, None, "
            "dtypes, and dicts, lists and tuples of them. Of a module, save its state_dict()."
        )
    if isinstance(thing, dict):
        items = [
            [encode(key, f"a key of {place}", arrays), encode(value, f"{place}[{key!r}]", arrays)]
            for key, value in thing.items()
        ]
    else:
        items = [encode(item, f"{place}[{i}]", arrays) for i, item in enumerate(thing)]
    return {"kind": kind, "items": items}


def decode(thing: Any, archive: Any, device: Any, tensors: dict[int, Any]) -> Any:
    """What `encode` made, as it was. Each array is read once, into `tensors`."""
    if isinstance(thing, list):  # a dict's key and value
        return [decode(part, archive, device, tensors) for part in thing]
    if not isinstance(thing, dict):
        return thing
    kind = thing["kind"]
    if kind == "dtype":
        return dtypes.dtype.of[np.dtype(thing["name"])]
    if kind not in ("tensor", "parameter"):
        return NESTED[kind](decode(thing["items"], archive, device, tensors))
    number, requires_grad = int(thing["array"]), thing["requires_grad"]
    if number not in tensors:
        tensor = from_numpy(archive[str(number)]).to(device=device)
        made = Parameter(tensor, requires_grad) if kind == "parameter" else tensor.requires_grad_(requires_grad)
        tensors[number] = made
    return tensors[number]

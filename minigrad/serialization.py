"""save and load: tensors, and dicts, lists and tuples of them, in a file that holds nothing but data.

The file is one of NumPy's (`np.load` opens it): `structure` says in JSON how things are nested, `0`, `1` … are the
arrays. Loading never unpickles, so a file from a stranger can't run code; saving writes beside the file and then takes
its place, so that a crash leaves the old file whole, and no other. Imports tensor and nn's Parameter.
Read next: nn/state.py, which gives and takes what is usually saved.
"""

from __future__ import annotations

import io
import json
import os
import stat
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from contextlib import nullcontext, suppress
from typing import Any

import numpy as np

from . import dtypes
from .creation import from_numpy
from .nn.parameter import Parameter
from .storage import TensorBase
from .tensor import Size

FORMAT = "minigrad 1"
LARGEST = 10**4000  # Python writes and reads numbers of 4,300 digits
DEEPEST = 100  # lists in lists; Python reads some 300, fewer where it is called from a recursion
NESTED: dict[str, type] = {kind.__name__: kind for kind in (list, tuple, Size, dict, OrderedDict)}
DTYPES = {each.name: each for each in dtypes.dtype.of.values()}


def save(obj: Any, f: Any) -> None:
    """Write `obj` to `f`, a path or a file opened for binary writing.

    `obj` may be a tensor, a number, a string, None, a dtype, or dicts, lists and tuples of such. A tensor that occurs
    twice is saved once. A file that is there keeps its permissions; a link stays one, and what it leads to is written.
    Raises TypeError, naming the place, for anything else: save `model.state_dict()`, not `model`.

    >>> import io, minigrad as torch
    >>> file = io.BytesIO()
    >>> torch.save({"weight": torch.ones(2), "epoch": 3}, file)
    >>> _ = file.seek(0)
    >>> torch.load(file)
    {'weight': tensor([1., 1.]), 'epoch': 3}
    """
    if not (hasattr(f, "write") or isinstance(f, str | os.PathLike)):
        raise AttributeError(
            "expected 'f' to be string, path, or a file-like object with a 'write' attribute"  # PyTorch's words
        )
    arrays: dict[int, tuple[int, Any]] = {}  # id of a tensor -> which array it is in the file, and the array
    structure = np.array(json.dumps({"format": FORMAT, "content": encode(obj, "obj", arrays, DEEPEST)}))
    members = {"structure": structure, **{str(i): array for i, array in arrays.values()}}
    if hasattr(f, "write"):
        return np.savez(f, **members)
    write_whole(os.path.realpath(f), lambda file: np.savez(file, **members))


def write_whole(path: str, write: Callable[[Any], None]) -> None:
    """Let `write` fill the file at `path`, which is then all new, or as it was, but nothing in between."""
    old = os.stat(path) if os.path.lexists(path) else None
    if old is not None and not stat.S_ISREG(old.st_mode):  # a pipe, a device: nothing that could be replaced
        write_in_place(path, write)
        return
    if old is not None and not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied", path)
    folder = os.path.dirname(path)
    temporary = os.path.join(folder, f".save.{os.urandom(6).hex()}")  # short: `name` may be as long as a name may be

    def fill(file: Any) -> None:
        if old is not None and os.chmod in os.supports_fd:  # Windows has no such modes, and no such owners
            with suppress(PermissionError):
                os.chown(file.fileno(), old.st_uid, old.st_gid)
            os.chmod(file.fileno(), stat.S_IMODE(old.st_mode))
        write(file)
        file.flush()
        os.fsync(file.fileno())

    try:
        if not filled_nameless(folder, temporary, fill):
            with open(temporary, "xb") as file:
                fill(file)
        os.replace(temporary, path)
    except PermissionError:
        if old is None or os.access(folder, os.W_OK):
            raise
        write_in_place(path, write)  # the folder is closed to us, the file is not
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)


def write_in_place(path: str, write: Callable[[Any], None]) -> None:
    """Fill what is at `path` from memory: what can't be written raises before that is touched."""
    memory = io.BytesIO()
    write(memory)
    with open(path, "wb") as file:
        file.write(memory.getbuffer())


def filled_nameless(folder: str, name: str, fill: Callable[[Any], None]) -> bool:
    """Fill a file that gets its name when it is whole: if we are killed before, nothing is left of it.

    False where there are no such files: elsewhere than on Linux, and on some disks.
    """
    try:
        descriptor = os.open(folder, os.O_WRONLY | os.O_TMPFILE, 0o666)
    except (AttributeError, OSError):
        return False
    with open(descriptor, "wb") as file:
        fill(file)
        try:  # the path is absolute, so `src_dir_fd` says nothing; but only with it does Python follow this link
            os.link(f"/proc/self/fd/{descriptor}", name, src_dir_fd=descriptor, follow_symlinks=True)
        except OSError:
            return False
    return True


def load(f: Any, map_location: Any = None, *, weights_only: bool = True, mmap: bool | None = None) -> Any:
    """Read what `save` wrote. Tensors come on the CPU, or on the device `map_location`.

    `weights_only` and `mmap` are there for PyTorch's sake: nothing but data is ever loaded, and all of it at once.
    Raises RuntimeError for a file that `save` did not write, PyTorch's own among them, and for a damaged one.

    >>> import io
    >>> file = io.BytesIO()
    >>> torch.save({"w": torch.ones(2)}, file)
    >>> _ = file.seek(0)
    >>> torch.load(file)
    {'w': tensor([1., 1.])}
    """
    where = None if callable(map_location) or isinstance(map_location, dict) else map_location
    with nullcontext(f) if hasattr(f, "read") else open(f, "rb") as file:
        try:
            return read(file, where)
        except Exception as error:  # whatever a stranger's bytes may lead to: they are no file of ours
            said = f"{type(error).__name__}: {error}"[:200]
            raise RuntimeError(
                f"this is no file that minigrad.save wrote, or it is damaged ({said}). Files of torch.save hold "
                "pickled Python objects, which minigrad never loads; save them anew from PyTorch as NumPy arrays."
            ) from None


def read(file: Any, device: Any) -> Any:
    """What is in the file; any error where it is not as `save` writes it."""
    with zipfile.ZipFile(file) as members:
        for member in members.infolist():
            if member.compress_type != zipfile.ZIP_STORED:  # a few bytes could become more than there is memory for
                raise ValueError(f"{member.filename} is compressed")
    file.seek(0)
    with np.load(file, allow_pickle=False) as archive:
        described = json.loads(str(archive["structure"]))
        if described["format"] != FORMAT:
            raise ValueError(f"its format is {described['format']!r}")
        return decode(described["content"], archive, device, {})


def encode(thing: Any, place: str, arrays: dict[int, tuple[int, Any]], levels: int) -> Any:
    """`thing` as JSON: None, numbers and strings are themselves, all else is {"kind": …}; arrays are collected."""
    kind = type(thing).__name__
    if type(thing) is int and abs(thing) >= LARGEST:
        raise ValueError(f"{place} is a whole number of more than 4,000 digits, which no file of minigrad.save holds")
    if thing is None or type(thing) in (bool, int, float, str):
        return thing
    if isinstance(thing, TensorBase):
        number, _ = arrays.setdefault(id(thing), (len(arrays), thing.numpy(force=True)))
        kind = "parameter" if isinstance(thing, Parameter) else "tensor"
        return {"kind": kind, "array": number, "requires_grad": thing.requires_grad and thing.grad_fn is None}
    if isinstance(thing, dtypes.dtype):
        return {"kind": "dtype", "name": thing.name}
    if type(thing) not in NESTED.values():
        raise TypeError(
            f"{place} is of type {kind}, which minigrad.save does not save: only tensors, numbers, strings, None, "
            "dtypes, and dicts, lists and tuples of them. Of a module, save its state_dict()."
        )
    if not levels:
        raise ValueError(f"obj is nested too deeply to be saved, or contains itself: more than {DEEPEST} levels")
    if isinstance(thing, dict):
        items = [
            [
                encode(key, f"a key of {place}", arrays, levels - 1),
                encode(value, f"{place}[{key!r}]", arrays, levels - 1),
            ]
            for key, value in thing.items()
        ]
    else:
        items = [encode(item, f"{place}[{i}]", arrays, levels - 1) for i, item in enumerate(thing)]
    return {"kind": kind, "items": items}


def decode(thing: Any, archive: Any, device: Any, tensors: dict[int, Any]) -> Any:
    """What `encode` made, as it was. Each array is read once, into `tensors`."""
    if isinstance(thing, list):  # a dict's key and value
        return [decode(part, archive, device, tensors) for part in thing]
    if not isinstance(thing, dict):
        return thing
    kind = thing["kind"]
    if kind == "dtype":
        return DTYPES[thing["name"]]
    if kind not in ("tensor", "parameter"):
        items = decode(thing["items"], archive, device, tensors)
        if kind == "Size" and not all(type(n) is int for n in items):
            raise ValueError("a size is made of whole numbers")
        return NESTED[kind](items)
    number, requires_grad = int(thing["array"]), thing["requires_grad"]
    if number not in tensors:
        tensor = from_numpy(archive[str(number)]).to(device=device)
        made = Parameter(tensor, requires_grad) if kind == "parameter" else tensor.requires_grad_(requires_grad)
        tensors[number] = made
    return tensors[number]

"""save and load: tensors, and dicts, lists and tuples of tensors, in a file that contains only data.

The file is one of NumPy's (`np.load` opens it): `structure` describes the nesting in JSON, `0`, `1` … are the arrays.
Tensors that share memory are stored in one contiguous array, and share memory again when they are loaded.
Loading never unpickles, so a file from an unknown source can't run code. Saving writes a new file and then renames it,
so that a crash leaves the old file unchanged and no partial one. Imports tensor and nn's Parameter.
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
from numpy.lib.array_utils import byte_bounds

from .._engine.overlap import owner
from .._engine.storage import TensorBase
from .._machine import dtypes
from .._messages.names import refuse_given
from .._tensors.copies import attributes, begins_at, finished, in_a_row, warn_of_hooks
from .._tensors.creation import from_numpy
from .._tensors.tensor import Size, Tensor
from ..nn.parameter import Parameter

FORMATS = "minigrad 1", "minigrad 2"  # in "minigrad 1", each tensor had an array of its own
OF_MODULES = "Weights only load failed.", "Can't get attribute"  # how errors about a whole module in a valid file begin
LARGEST = 10**4000  # Python reads and writes integers of at most 4,300 digits
DEEPEST = 100  # the deepest nesting; Python can read about 300 levels, fewer when called from a recursion
NESTED: dict[str, type] = {kind.__name__: kind for kind in (list, tuple, set, Size, dict, OrderedDict)}
DTYPES = {each.name: each for each in dtypes.dtype.of.values()}


def save(
    obj: Any,
    f: Any,
    pickle_module: Any = None,
    pickle_protocol: int = 2,
    _use_new_zipfile_serialization: bool = True,
    _disable_byteorder_record: bool = False,
) -> None:
    """Write `obj` to `f`, a path or a file opened for binary writing.

    `obj` may be a tensor, a number, a string, None, a dtype, a module, or dicts, lists, tuples and sets of such. Prefer
    a module's `state_dict()` to the module: it can be loaded after the class has changed. A tensor that occurs twice is
    saved once, and so is memory that tensors share. Gradients and hooks are not saved. An existing file keeps its
    permissions; a link stays a link, and its target is written. The last three arguments choose details of PyTorch's
    file format, and change nothing here.
    Raises TypeError, naming the place, for anything else, and for a `pickle_module` that is not Python's.

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
    refuse_pickles("save", pickle_module)
    tensors = Seen()
    content = encode(obj, "obj", tensors, DEEPEST)
    arrays = stored([*tensors.values()])
    structure = np.array(json.dumps({"format": FORMATS[-1], "content": content}))
    members = {"structure": structure, **{str(i): array for i, array in enumerate(arrays)}}
    if hasattr(f, "write"):
        return np.savez(f, **members)
    write_whole(os.path.realpath(f), lambda file: np.savez(file, **members))


def write_whole(path: str, write: Callable[[Any], None]) -> None:
    """Let `write` fill the file at `path`. The file then is complete and new, or unchanged if writing failed."""
    old = os.stat(path) if os.path.lexists(path) else None
    if old is not None and not stat.S_ISREG(old.st_mode):  # a pipe or a device, which can't be replaced
        write_in_place(path, write)
        return
    if old is not None and not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied", path)
    folder = os.path.dirname(path)
    temporary = os.path.join(folder, f".save.{os.urandom(6).hex()}")  # `name` may have the maximum length

    def fill(file: Any) -> None:
        if old is not None and os.chmod in os.supports_fd:
            if hasattr(os, "chown"):  # Windows has no owners in this sense
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
        write_in_place(path, write)  # the folder is read-only, but not the file
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)


def write_in_place(path: str, write: Callable[[Any], None]) -> None:
    """Fill the file at `path` from memory, so that an error of `write` occurs before the file is changed."""
    memory = io.BytesIO()
    write(memory)
    with open(path, "wb") as file:
        file.write(memory.getbuffer())


def filled_nameless(folder: str, name: str, fill: Callable[[Any], None]) -> bool:
    """Fill a file that gets its name only when it is complete: if the process is killed earlier, no file remains.

    Returns False where such files don't exist: on systems other than Linux, and on some disks.
    """
    if not hasattr(os, "O_TMPFILE"):
        return False
    try:
        descriptor = os.open(folder, os.O_WRONLY | os.O_TMPFILE, 0o666)
    except OSError:
        return False
    with open(descriptor, "wb") as file:
        fill(file)
        try:  # the path is absolute, so `src_dir_fd` has no effect; but only with it does Python follow this link
            os.link(f"/proc/self/fd/{descriptor}", name, src_dir_fd=descriptor, follow_symlinks=True)
        except OSError:
            return False
    return True


def load(
    f: Any,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    encoding: str = "utf-8",
) -> Any:
    """Read what `save` wrote. Tensors are placed on the CPU, or on the device `map_location`.

    weights_only: False allows a file that holds a whole module. Its class must be defined or imported already. No code
        of the file is run; PyTorch can't promise that. Other files hold data only.
    `mmap` and `encoding` exist for compatibility with PyTorch and change nothing: everything is read at once, and no
    such file was written by Python 2, whose strings needed an encoding.
    For a whole module, pickle.UnpicklingError means that it is not allowed, and AttributeError that its class is
    missing. Raises RuntimeError for a file that `save` did not write, such as one of PyTorch's, and for a damaged one;
    TypeError for a `pickle_module` that is not Python's.

    >>> import io
    >>> file = io.BytesIO()
    >>> torch.save({"w": torch.ones(2)}, file)
    >>> _ = file.seek(0)
    >>> torch.load(file)
    {'w': tensor([1., 1.])}
    """
    refuse_pickles("load", pickle_module)
    if weights_only and pickle_module is not None:
        raise RuntimeError("Can not safely load weights when explicit pickle_module is specified")
    where = None if callable(map_location) or isinstance(map_location, dict) else map_location
    with nullcontext(f) if hasattr(f, "read") else open(f, "rb") as file:
        try:
            return read(file, where, weights_only is not False)
        except Exception as error:  # foreign bytes may raise any error
            if str(error).startswith(OF_MODULES):
                raise
            raise unknown(error) from None


def unknown(error: Exception) -> RuntimeError:
    """The error for a file that can't be read."""
    said = f"{type(error).__name__}: {error}"[:200]
    return RuntimeError(
        f"this is no file that minigrad.save wrote, or it is damaged ({said}). Files of torch.save hold "
        "pickled Python objects, which minigrad never loads; save them again from PyTorch as NumPy arrays."
    )


def not_allowed(said: dict[str, Any]) -> Exception:
    """The error for a file with a whole module; it begins like PyTorch's."""
    from pickle import UnpicklingError

    name = ".".join(map(str, said.get("class", said.get("name", ["?"]))))
    return UnpicklingError(
        "Weights only load failed. This file can still be loaded: it holds a whole module, or a function, and not only "
        f"weights. With `weights_only=False`, minigrad.load makes an object of the class {name}, which must be defined "
        "already, and runs no code of the file. Better, save and load the module's state_dict()."
    )


def read(file: Any, device: Any, weights_only: bool = True) -> Any:
    """The object in the file. Raises any error if the file is not as `save` writes it."""
    with zipfile.ZipFile(file) as members:
        for member in members.infolist():
            if member.compress_type != zipfile.ZIP_STORED:  # a few bytes could expand to more than fits into memory
                raise ValueError(f"{member.filename} is compressed")
    file.seek(0)
    with np.load(file, allow_pickle=False) as archive:
        described = json.loads(str(archive["structure"]))
        if described["format"] not in FORMATS:
            raise ValueError(f"its format is {described['format']!r}")
        return decode(described["content"], Arrays(archive, device, weights_only))


def refuse_pickles(who: str, module: Any) -> None:
    """Refuse any `pickle_module` but Python's own, which is PyTorch's default: minigrad pickles nothing."""
    if getattr(module, "__name__", "") != "pickle":
        refuse_given(who, pickle_module=module)


class Seen(dict[int, tuple[Any, dict[str, Any]]]):
    """id of a tensor -> the tensor, and its description for the file; `objects` is the same for modules."""

    def __init__(self) -> None:
        self.objects: dict[int, tuple[Any, dict[str, Any]]] = {}


def encode(thing: Any, place: str, tensors: Seen, levels: int) -> Any:
    """`thing` as JSON: None, numbers and strings are unchanged, all else is {"kind": …}; tensors are collected."""
    kind = type(thing).__name__
    if type(thing) is int and abs(thing) >= LARGEST:
        raise ValueError(f"{place} is a whole number of more than 4,000 digits, which no file of minigrad.save holds")
    if thing is None or type(thing) in (bool, int, float, str):
        return thing
    if isinstance(thing, TensorBase):
        if id(thing) not in tensors:
            kind = "parameter" if isinstance(thing, Parameter) else "tensor"
            said = {"kind": kind, "number": len(tensors), "requires_grad": thing.requires_grad}
            tensors[id(thing)] = thing, said
            if kind == "tensor":
                warn_of_hooks(thing)
            if noted := attributes(thing):
                said["noted"] = encode(noted, f"what is noted on {place}", tensors, levels - 1)
        return tensors[id(thing)][1]
    if isinstance(thing, dtypes.dtype):
        return {"kind": "dtype", "name": thing.name}
    if type(thing) not in NESTED.values():
        return encode_object(thing, place, tensors, levels)
    if not levels:
        raise ValueError(f"obj is nested too deeply to be saved, or contains itself: more than {DEEPEST} levels")
    if isinstance(thing, dict):
        items = [
            [
                encode(key, f"a key of {place}", tensors, levels - 1),
                encode(value, f"{place}[{key!r}]", tensors, levels - 1),
            ]
            for key, value in thing.items()
        ]
    else:
        items = [encode(item, f"{place}[{i}]", tensors, levels - 1) for i, item in enumerate(thing)]
    return {"kind": kind, "items": items}


def encode_object(thing: Any, place: str, seen: Seen, levels: int) -> Any:
    """A module: all its content the first time, then only its number. TypeError for an object of an unknown kind."""
    from ._whole import described

    if id(thing) in seen.objects:
        return {"kind": "object", "number": seen.objects[id(thing)][1]["number"]}
    number = {"number": len(seen.objects)}
    seen.objects[id(thing)] = thing, number  # before its content, which may contain it
    said = described(thing, place, lambda inside, where: encode(inside, where, seen, levels))
    if said is None:
        raise TypeError(
            f"{place} is of type {type(thing).__name__}, which minigrad.save does not save: only tensors, numbers, "
            "strings, None, dtypes, modules, and dicts, lists, tuples and sets of them. Of a module, save its "
            "state_dict()."
        )
    if said["kind"] == "object":
        return {**said, **number}
    del seen.objects[id(thing)]  # a function is described each time
    return said


def stored(tensors: list[tuple[Any, dict[str, Any]]]) -> list[Any]:
    """The arrays for the file. Also adds to each tensor's description its array and its position there."""
    groups: dict[int, tuple[Any, list[tuple[Any, Any, dict[str, Any]]]]] = {}
    for tensor, said in tensors:
        array = tensor.numpy(force=True)
        memory = owner(array)
        groups.setdefault(id(memory), (memory, []))[1].append((tensor, array, said))
    arrays: list[Any] = []
    for memory, group in groups.values():
        row, dtypes_there = in_a_row(memory), {array.dtype for _, array, _ in group}
        spans = [span(memory, tensor, array) for tensor, array, _ in group]
        first, last = min(a for a, _ in spans), max(b for _, b in spans)
        _, array, said = group[0]
        whole = last - first == array.nbytes and (array.flags.c_contiguous or array.flags.f_contiguous)
        if row is None or len(dtypes_there) > 1 or (len(group) == 1 and whole):
            for _, each, said in group:
                said["array"] = len(arrays)
                arrays.append(each)
            continue
        for _, each, said in group:
            start = begins_at(each, memory) - first if each.size else 0
            said |= {"array": len(arrays), "at": start, "shape": [*each.shape], "strides": [*each.strides]}
        arrays.append(row[first:last].view(array.dtype))
    return arrays


def span(memory: Any, tensor: Any, array: Any) -> tuple[int, int]:
    """The bytes, from start to end, of the memory that the tensor, or the tensor that it is a view of, uses."""
    whole = (
        array if tensor._view is None or not isinstance(tensor._view[0]._data, np.ndarray) else tensor._view[0]._data
    )
    if owner(whole) is not memory:
        whole = array
    if not whole.size:
        return 0, 0
    first, last = byte_bounds(whole)
    return first - memory.ctypes.data, last - memory.ctypes.data


class Arrays:
    """The content of a file: its arrays, each read once, and the tensors made from them."""

    def __init__(self, archive: Any, device: Any, weights_only: bool):
        self.archive, self.device, self.weights_only = archive, device, weights_only
        self.arrays: dict[int, Any] = {}
        self.objects: dict[int, Any] = {}
        self.tensors: dict[int, Any] = {}

    def tensor(self, said: dict[str, Any]) -> Any:
        """The tensor with this description. In older files, the array's number is the tensor's number too."""
        number, requires_grad = int(said.get("number", said["array"])), said["requires_grad"] is True
        if number not in self.tensors:
            tensor = finished(self.array(said), Tensor, False).to(device=self.device)
            if said["kind"] == "parameter":
                tensor = Parameter(tensor, requires_grad)
            elif requires_grad:
                tensor.requires_grad_()
            self.tensors[number] = tensor
            for name, x in decode(said["noted"], self).items() if "noted" in said else ():
                if hasattr(Tensor, name):
                    raise ValueError(f"{name} cannot be noted on a tensor")
                setattr(tensor, name, x)
        return self.tensors[number]

    def object(self, said: dict[str, Any]) -> Any:
        """The module or function with this description."""
        from ._whole import fill, made

        if self.weights_only:
            raise not_allowed(said)
        if said["kind"] in ("function", "apply"):
            return made(said)
        number = int(said["number"])
        if "class" in said:
            self.objects[number] = made(said)
            fill(self.objects[number], decode(said["attributes"], self))
        return self.objects[number]

    def array(self, said: dict[str, Any]) -> Any:
        """The array, or the part of an array, that holds the tensor's numbers."""
        number = int(said["array"])
        if number not in self.arrays:
            self.arrays[number] = from_numpy(self.archive[str(number)])._data
        array = self.arrays[number]
        if "at" not in said:
            return array
        shape, strides, at = said["shape"], said["strides"], said["at"]
        if array.ndim != 1 or not all(type(n) is int and n >= 0 for n in (*shape, *strides, at)):
            raise ValueError("of numbers in a row, places and sizes are whole numbers that are not negative")
        return np.ndarray(shape, array.dtype, array, at, strides)


def decode(thing: Any, arrays: Arrays) -> Any:
    """The object that `encode` turned into JSON."""
    if isinstance(thing, list):  # a dict's key and value
        return [decode(part, arrays) for part in thing]
    if not isinstance(thing, dict):
        return thing
    kind = thing["kind"]
    if kind == "dtype":
        return DTYPES[thing["name"]]
    if kind in ("tensor", "parameter"):
        return arrays.tensor(thing)
    if kind in ("object", "function", "apply"):
        return arrays.object(thing)
    items = decode(thing["items"], arrays)
    if kind == "Size" and not all(type(n) is int for n in items):
        raise ValueError("a size is made of whole numbers")
    return NESTED[kind](items)

"""save and load: tensors, and dicts, lists and tuples of them, in a file that holds nothing but data.

The file is one of NumPy's (`np.load` opens it): `structure` says in JSON how things are nested, `0`, `1` … are the
arrays. Tensors that share memory are in one array, all its numbers in a row, and share memory when they come back.
Loading never unpickles, so a file from a stranger can't run code; saving writes beside the file and then takes
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
from numpy.lib.array_utils import byte_bounds

from .._engine.overlap import owner
from .._engine.storage import TensorBase
from .._machine import dtypes
from .._messages.names import refuse_given
from .._tensors.copies import attributes, begins_at, finished, in_a_row, warn_of_hooks
from .._tensors.creation import from_numpy
from .._tensors.tensor import Size, Tensor
from ..nn.parameter import Parameter

FORMATS = "minigrad 1", "minigrad 2"  # in the first, each tensor had an array of its own
OF_MODULES = "Weights only load failed.", "Can't get attribute"  # how errors begin about a whole module in a good file
LARGEST = 10**4000  # Python writes and reads numbers of 4,300 digits
DEEPEST = 100  # lists in lists; Python reads some 300, fewer where it is called from a recursion
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

    `obj` may be a tensor, a number, a string, None, a dtype, a module, or dicts, lists, tuples and sets of such. Better
    than a module is its `state_dict()`: it can be loaded after the class has changed. A tensor that occurs
    twice is saved once, and so is memory that tensors share. Gradients and hooks stay behind. A file that is there
    keeps its permissions; a link stays one, and what it leads to is written. The last three arguments say how PyTorch
    writes its file, and change nothing here.
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


def load(
    f: Any,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    encoding: str = "utf-8",
) -> Any:
    """Read what `save` wrote. Tensors come on the CPU, or on the device `map_location`.

    weights_only: False allows a file that holds a whole module. Its class must be defined or imported already; no code
        of the file is run, which PyTorch can't promise. Other files hold data only.
    `mmap` and `encoding` are there for PyTorch's sake: all is loaded at once; Python 2, whose texts have an encoding,
    wrote no such files.
    For a whole module, pickle.UnpicklingError says that it is not allowed, and AttributeError that its class is not
    there. Raises RuntimeError for a file that `save` did not write, PyTorch's own among them, and for a damaged one;
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
        except Exception as error:  # whatever a stranger's bytes may lead to: they are no file of ours
            if str(error).startswith(OF_MODULES):
                raise
            raise unknown(error) from None


def unknown(error: Exception) -> RuntimeError:
    """What is said of a file that can't be read."""
    said = f"{type(error).__name__}: {error}"[:200]
    return RuntimeError(
        f"this is no file that minigrad.save wrote, or it is damaged ({said}). Files of torch.save hold "
        "pickled Python objects, which minigrad never loads; save them again from PyTorch as NumPy arrays."
    )


def not_allowed(said: dict[str, Any]) -> Exception:
    """The error about a file with a whole module, which begins as PyTorch's does."""
    from pickle import UnpicklingError

    name = ".".join(map(str, said.get("class", said.get("name", ["?"]))))
    return UnpicklingError(
        "Weights only load failed. This file can still be loaded: it holds a whole module, or a function, and not only "
        f"weights. With `weights_only=False`, minigrad.load makes an object of the class {name}, which must be defined "
        "already, and runs no code of the file. Better, save and load the module's state_dict()."
    )


def read(file: Any, device: Any, weights_only: bool = True) -> Any:
    """What is in the file; any error where it is not as `save` writes it."""
    with zipfile.ZipFile(file) as members:
        for member in members.infolist():
            if member.compress_type != zipfile.ZIP_STORED:  # a few bytes could become more than there is memory for
                raise ValueError(f"{member.filename} is compressed")
    file.seek(0)
    with np.load(file, allow_pickle=False) as archive:
        described = json.loads(str(archive["structure"]))
        if described["format"] not in FORMATS:
            raise ValueError(f"its format is {described['format']!r}")
        return decode(described["content"], Arrays(archive, device, weights_only))


def refuse_pickles(who: str, module: Any) -> None:
    """No module pickles anything here. Python's own is PyTorch's default, and may be named."""
    if getattr(module, "__name__", "") != "pickle":
        refuse_given(who, pickle_module=module)


class Seen(dict[int, tuple[Any, dict[str, Any]]]):
    """id of a tensor -> the tensor, and what the file says of it; in `objects`, likewise of modules."""

    def __init__(self) -> None:
        self.objects: dict[int, tuple[Any, dict[str, Any]]] = {}


def encode(thing: Any, place: str, tensors: Seen, levels: int) -> Any:
    """`thing` as JSON: None, numbers and strings are themselves, all else is {"kind": …}; tensors are collected."""
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
    """A module: at first with all that it holds, then by its number alone. TypeError for what is of no known kind."""
    from ._whole import described

    if id(thing) in seen.objects:
        return {"kind": "object", "number": seen.objects[id(thing)][1]["number"]}
    number = {"number": len(seen.objects)}
    seen.objects[id(thing)] = thing, number  # first: what it holds may hold it
    said = described(thing, place, lambda inside, where: encode(inside, where, seen, levels))
    if said is None:
        raise TypeError(
            f"{place} is of type {type(thing).__name__}, which minigrad.save does not save: only tensors, numbers, "
            "strings, None, dtypes, modules, and dicts, lists, tuples and sets of them. Of a module, save its "
            "state_dict()."
        )
    if said["kind"] == "object":
        return {**said, **number}
    del seen.objects[id(thing)]  # a function, which is described each time
    return said


def stored(tensors: list[tuple[Any, dict[str, Any]]]) -> list[Any]:
    """The arrays of the file; and into what it says of each tensor, which array that is in, and where."""
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
    """From which byte of the memory to which the tensor looks at it, or what it is a view of."""
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
    """What a file holds: its arrays, each read once, and the tensors that were made of them."""

    def __init__(self, archive: Any, device: Any, weights_only: bool):
        self.archive, self.device, self.weights_only = archive, device, weights_only
        self.arrays: dict[int, Any] = {}
        self.objects: dict[int, Any] = {}
        self.tensors: dict[int, Any] = {}

    def tensor(self, said: dict[str, Any]) -> Any:
        """The tensor of which the file says that. In older files, the array's number is the tensor's too."""
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
        """The module, or the function, of which the file says that."""
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
        """The array, or the part of the array, in which its numbers are."""
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
    """What `encode` made, as it was."""
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

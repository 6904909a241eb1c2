"""save and load: everything comes back as it was, nothing but data is ever loaded, no file is ever left half."""

import io
import json
import math
import os
import pickle
import signal
import stat
import subprocess
import sys
import threading
import zipfile
from collections import OrderedDict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch
from minigrad import nn, serialization


def through_file(thing, **options):
    file = io.BytesIO()
    torch.save(thing, file)
    file.seek(0)
    return torch.load(file, **options)


def same(a, b):
    if isinstance(a, torch.Tensor):
        return type(a) is type(b) and a.dtype is b.dtype and a.requires_grad == b.requires_grad and a.equal(b)
    if isinstance(a, dict):
        return type(a) is type(b) and list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list | tuple):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and (a == b or a != a and b != b)


plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
arrays = st.sampled_from(["float32", "float64", "float16", "int64", "int8", "uint8", "bool"]).flatmap(
    lambda kind: st.lists(st.integers(0, 3), max_size=3).map(lambda size: np.ones(size, kind))
)
tensors = arrays.map(torch.from_numpy)
things = st.recursive(
    plain | tensors,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.none() | st.integers() | st.text(), inner, max_size=3)
        | st.dictionaries(st.text(), inner, max_size=3).map(OrderedDict)
    ),
    max_leaves=8,
)


@settings(max_examples=50, deadline=None)
@given(things)
def test_whatever_can_be_saved_comes_back(thing):
    assert same(through_file(thing), thing)


def test_the_kinds_that_are_more_than_data():
    thing = [torch.ones(2).size(), torch.float64, nn.Parameter(torch.ones(1)), torch.zeros(1, requires_grad=True)]
    thing += [nn.Parameter(torch.zeros(1), requires_grad=False), math.inf, -math.inf]
    again = through_file(thing)
    assert same(again, thing) and again[1] is torch.float64


def test_a_tensor_that_occurs_twice_is_one_tensor():
    weight = nn.Parameter(torch.ones(2))
    a, b = through_file({"encoder": weight, "decoder": weight}).values()
    assert a is b


def test_a_computed_tensor_comes_back_as_a_leaf():
    """It requires grad if the computed one did: PyTorch's does, see semantics/test_copies_as_in_torch.py."""
    y = through_file(torch.ones(2, requires_grad=True) * 2)
    assert y.requires_grad is True and y.is_leaf


def test_views_come_back_with_their_strides():
    x = torch.arange(12).view(3, 4)
    for view in (x.t(), x[:, ::2], x.expand(2, 3, 4)):
        assert through_file(view).equal(view) and through_file(view).stride() == view.stride()


def test_memory_that_tensors_share_is_in_the_file_once():
    x = torch.zeros(1000)
    one, several = len(written(x)), len(written([x, x[1:], x.view(10, 100).t(), x.detach()]))
    assert several < 2 * one
    a, b = through_file([x[:900], x[800:]])
    a[850] = 5
    assert b[50] == 5


def test_no_more_is_in_the_file_than_tensors_look_at():
    """Of NumPy's array, what the tensor does not show is nobody's business."""
    array = np.arange(1000.0)
    for part in (array[:2], array[::500]):
        content = written(torch.from_numpy(part))
        assert len(content) < 5000 and np.float64(3.0).tobytes() not in content


def test_a_file_of_the_first_format():
    content = {"kind": "tensor", "array": 0, "requires_grad": True}
    x, y = torch.load(with_structure({"kind": "list", "items": [content, content]}))
    assert x is y and x.requires_grad and x.tolist() == [1, 1]


def test_notes_on_a_tensor():
    x = torch.ones(2)
    x.note = {"made": [1, torch.zeros(1)]}
    assert same(through_file(x).note, x.note)
    x.note = object()
    with pytest.raises(TypeError, match=r"what is noted on obj\['x'\]\['note'\] is of type object"):
        written({"x": x})


def test_training_goes_on_where_it_was(tmp_path):
    def make():
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Linear(3, 1))
        return net, torch.optim.Adam(net.parameters(), lr=0.1)

    def train(net, optimizer, steps):
        for _ in range(steps):
            optimizer.zero_grad()
            net(torch.tensor([[1.0, 2.0], [3.0, -1.0], [0.5, 0.2]])).pow(2).sum().backward()
            optimizer.step()

    net, optimizer = make()
    train(net, optimizer, 3)
    torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict()}, tmp_path / "checkpoint.pt")
    train(net, optimizer, 3)

    other, its_optimizer = make()
    checkpoint = torch.load(tmp_path / "checkpoint.pt", map_location="cpu", weights_only=True)
    other.load_state_dict(checkpoint["net"])
    its_optimizer.load_state_dict(checkpoint["optimizer"])
    train(other, its_optimizer, 3)
    assert all(a.equal(b) for a, b in zip(net.state_dict().values(), other.state_dict().values(), strict=True))


@pytest.mark.parametrize(
    ("thing", "place"),
    [
        ({"a": [1, object()]}, r"obj\['a'\]\[1\] is of type object"),
        ([lambda: 0], r"obj\[0\] is of type function"),
        ({(1, b"x"): 0}, r"a key of obj\[1\] is of type bytes"),
        (np.float32(1), "obj is of type float32"),
    ],
)
def test_what_cannot_be_saved_is_named(thing, place):
    with pytest.raises(TypeError, match=place):
        torch.save(thing, io.BytesIO())


@pytest.mark.filterwarnings(  # NumPy 2.0's savez does not close its archive
    "ignore:Exception ignored in. <function ZipFile.__del__:pytest.PytestUnraisableExceptionWarning"
)
def test_a_failed_save_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "net.pt"
    torch.save({"x": torch.ones(1)}, path)
    before = path.read_bytes()
    with pytest.raises(TypeError):
        torch.save({"x": object()}, path)

    def full(*arguments, **options):
        raise OSError("no space left")

    monkeypatch.setattr(np.lib.format, "write_array", full)
    with pytest.raises(OSError, match="no space left"):
        torch.save({"x": torch.zeros(1)}, path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_saving_into_no_folder_or_loading_no_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        torch.save(1, tmp_path / "none" / "x.pt")
    with pytest.raises(FileNotFoundError):
        torch.load(tmp_path / "x.pt")


class Bomb:
    """What an attacker would put into a pickle."""

    def __reduce__(self):
        return pytest.fail, ("a pickle was loaded",)


def archive(structure=None, **members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as z:
        if structure is not None:
            members["structure_npy"] = npy(np.array(structure))
        for name, content in members.items():
            z.writestr(name.replace("_", "."), content)
    file.seek(0)
    return file


def npy(array):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


STRUCTURE = {"format": "minigrad 1", "content": {"kind": "tensor", "array": 0, "requires_grad": False}}


@pytest.mark.parametrize(
    "file",
    [
        io.BytesIO(pickle.dumps(Bomb())),
        archive(data_pkl=pickle.dumps(Bomb())),  # as PyTorch writes
        io.BytesIO(npy(np.array([Bomb()], dtype=object))),
        io.BytesIO(npy(np.ones(2))),
        archive(json.dumps(STRUCTURE), **{"0_npy": npy(np.array([Bomb()], dtype=object))}),
        archive(json.dumps(STRUCTURE), **{"0_npy": npy(np.array(["text"]))}),
        archive(json.dumps(STRUCTURE)),
        archive(json.dumps({"format": "minigrad 99", "content": 1})),
        archive(json.dumps({"format": "minigrad 1", "content": {"kind": "frozenset", "items": []}})),
        archive(json.dumps({"format": "minigrad 1", "content": {"kind": "eval"}})),
        archive("[]"),
        archive("no json"),
        archive([Bomb()]),
        io.BytesIO(b""),
    ],
)
def test_a_file_that_save_did_not_write_is_refused(file):
    with pytest.raises(RuntimeError, match=r"no file that minigrad.save wrote"):
        torch.load(file)


def test_a_damaged_file_is_refused():
    file = io.BytesIO()
    torch.save(torch.arange(100), file)
    content = bytearray(file.getvalue())
    content[content.index(b"NUMPY") + 200] ^= 255
    with pytest.raises(RuntimeError, match="damaged"):
        torch.load(io.BytesIO(content))


# Files that somebody else wrote, and disks and folders as they are


def written(thing):
    file = io.BytesIO()
    torch.save(thing, file)
    return file.getvalue()


def with_structure(content, version=1):
    return archive(json.dumps({"format": f"minigrad {version}", "content": content}), **{"0_npy": npy(np.ones(2))})


@pytest.mark.parametrize(
    "content",
    [
        {"kind": "tensor", "array": 10**30, "requires_grad": False},
        {"kind": "tensor", "array": "../0", "requires_grad": False},
        {"kind": "tensor", "array": [0], "requires_grad": False},
        {"kind": "tensor", "array": 0},
        {"kind": ["list"], "items": []},
        {"kind": "list", "items": 3},
        {"kind": "dict", "items": [[{"kind": "list", "items": []}, 0]]},
        {"kind": "dict", "items": [[1]]},
        {"kind": "Size", "items": ["a"]},
        {"kind": "dtype", "name": "object"},
        {"kind": "__import__", "items": []},
        {},
    ],
    ids=str,
)
def test_a_structure_that_makes_no_sense_is_refused(content):
    with pytest.raises(RuntimeError, match=r"^this is no file that minigrad.save wrote, or it is damaged"):
        torch.load(with_structure(content))


PLACE = {"kind": "tensor", "number": 0, "array": 0, "requires_grad": False, "at": 0, "shape": [1], "strides": [8]}


@pytest.mark.parametrize(
    "wrong",
    [
        *({"at": n} for n in (16, 10, -8, 8.0, True, 10**30, None, "0")),
        *({"shape": n} for n in ([3], [-1], [1, 1], [2.0], 2, [10**30], None, ["2"])),
        *({"strides": n} for n in ([-8], [16], [8, 8], [10**30], 8, None)),
        *({"shape": [2], "strides": [9]}, {"shape": [2], "at": 8}, {"shape": [10**18, 10**18], "strides": [0, 0]}),
        *({"noted": {"kind": "dict", "items": [[name, 5]]}} for name in ("_data", "grad", "__class__", 3)),
        *({"noted": 3}, {"noted": {"kind": "list", "items": []}}, {"number": "a"}),
    ],
    ids=str,
)
def test_a_place_that_is_not_in_the_array_is_refused(wrong):
    """An array must never look at memory that is not its own."""
    assert torch.load(with_structure(PLACE, 2)).tolist() == [1]
    if wrong == {"shape": [1], "strides": [16]}:
        return
    try:
        found = torch.load(with_structure(PLACE | wrong, 2))
    except RuntimeError as error:
        assert str(error).startswith("this is no file that minigrad.save wrote, or it is damaged (")
    else:
        assert wrong == {"strides": [16]} and found.tolist() == [1]  # of one number, the stride says nothing


def zipped(compression, name="0.npy", content=b""):
    file = io.BytesIO(archive(json.dumps(STRUCTURE)).getvalue())
    with zipfile.ZipFile(file, "a", compression) as z:
        z.writestr(name, content)
    file.seek(0)
    return file


@pytest.mark.parametrize(
    "file",
    [
        lambda: archive("[" * 100_000),  # RecursionError
        lambda: archive(
            '{"format": "minigrad 1", "content": ' + '{"kind": "list", "items": [' * 900 + "1" + "]}" * 900 + "}"
        ),
        lambda: zipped(zipfile.ZIP_DEFLATED, content=npy(np.zeros(10**6))),  # a few bytes that want much memory
        lambda: zipped(zipfile.ZIP_LZMA, content=npy(np.zeros(10))),
        lambda: zipped(zipfile.ZIP_STORED, content=huge(2**60)),  # MemoryError
        lambda: zipped(zipfile.ZIP_STORED, content=huge(-1)),
        lambda: zipped(zipfile.ZIP_STORED, content=npy(np.ones(2, ">f4"))),
        lambda: zipped(zipfile.ZIP_STORED, content=npy(np.ones(2, "c8"))),
        lambda: zipped(zipfile.ZIP_STORED, content=b"\x93NUMPY\x01\x00\xff\xff" + b"(" * 65535),
    ],
)
def test_files_that_want_to_do_harm_are_refused(file):
    with pytest.raises(RuntimeError, match=r"^this is no file that minigrad.save wrote, or it is damaged"):
        torch.load(file())


def huge(length):
    """The head of an array of so many numbers, without the numbers."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (length,)})
    return file.getvalue()


def mutated(content, rng):
    """The file with a few bytes changed, cut out, doubled or exchanged."""
    content = bytearray(content)
    for _ in range(rng.integers(1, 4)):
        at, length = int(rng.integers(len(content))), int(rng.integers(1, 20))
        match rng.integers(5):
            case 0:
                content[at] = rng.integers(256)
            case 1:
                content[at] ^= 1 << int(rng.integers(8))
            case 2:
                del content[at : at + length]
            case 3:
                content[at:at] = content[at : at + length]
            case _:
                content[at : at + length] = rng.bytes(min(length, len(content) - at))
        if len(content) < 2:
            break
    return bytes(content)


@pytest.mark.parametrize("seed", range(20))
def test_a_mutated_file_is_refused_or_holds_data(seed):
    """2,000 files: each gives one clear error, or what can be saved (where nothing that counts was hit)."""
    rng = np.random.default_rng(seed)
    thing = {
        "w": torch.arange(6.0).view(2, 3),
        "n": [1, (2.5, None, "ä")],
        "p": nn.Parameter(torch.ones(2)),
        3: torch.int8,
    }
    thing["v"] = thing["w"].t()
    content = written(thing)
    for _ in range(100):
        try:
            found = torch.load(io.BytesIO(mutated(content, rng)))
        except RuntimeError as error:
            assert str(error).startswith("this is no file that minigrad.save wrote, or it is damaged (")
        else:
            torch.save(found, io.BytesIO())


def test_an_old_idiom_of_pytorchs_for_where_to_load():
    content = written(torch.ones(2))
    for where in ("cpu", torch.device("cpu"), lambda storage, location: storage, {"cuda:0": "cpu"}, None):
        assert torch.load(io.BytesIO(content), map_location=where, mmap=False).device.type == "cpu"


def test_a_file_keeps_its_mode_and_a_new_one_gets_the_usual(tmp_path):
    path, beside = tmp_path / "net.pt", tmp_path / "other"
    torch.save(1, path)
    beside.write_text("", encoding="utf-8")
    assert path.stat().st_mode == beside.stat().st_mode
    path.chmod(0o640)
    torch.save(2, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640 and torch.load(path) == 2


def test_a_link_stays_a_link_and_what_it_leads_to_is_written(tmp_path):
    (tmp_path / "runs").mkdir()
    file, link = tmp_path / "runs" / "net.pt", tmp_path / "latest.pt"
    link.symlink_to(file)
    torch.save(1, link)  # to a file that is not there yet
    assert link.is_symlink() and torch.load(file) == 1
    torch.save(2, link)
    assert link.is_symlink() and not file.is_symlink() and torch.load(file) == torch.load(link) == 2
    assert {*tmp_path.rglob("*")} == {file, link, tmp_path / "runs"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no pipes with names")
def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    torch.save(1, pipe)
    reader.join(100)
    assert pipe.is_fifo() and torch.load(io.BytesIO(*read)) == 1


@pytest.mark.skipif(os.name == "nt" or getattr(os, "geteuid", lambda: 0)() == 0, reason="root may write everywhere")
def test_a_file_that_is_write_protected_is_not_replaced(tmp_path):
    path = tmp_path / "net.pt"
    torch.save(1, path)
    path.chmod(0o444)
    with pytest.raises(PermissionError):
        torch.save(2, path)
    assert torch.load(path) == 1


KILLED = """
import os, signal, sys
import numpy as np
import minigrad as torch

def savez(file, **members):
    file.write(b"half of it")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)

np.savez = savez
torch.save(torch.ones(3), sys.argv[1])
"""


@pytest.mark.skipif(not hasattr(serialization.os, "O_TMPFILE"), reason="only Linux has files without a name")
def test_a_save_that_is_killed_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "net.pt"
    torch.save(1, path)
    process = subprocess.run([sys.executable, "-c", KILLED, path], check=False)
    assert process.returncode == -signal.SIGKILL
    assert torch.load(path) == 1 and [*tmp_path.iterdir()] == [path]


def test_a_save_that_is_interrupted_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "net.pt"
    for way in (
        serialization.filled_nameless,
        lambda *file: False,
    ):  # with files without a name, and without such files
        monkeypatch.setattr(serialization, "filled_nameless", way)
        torch.save(1, path)

        def interrupted(file, **members):
            file.write(b"half of it")
            raise KeyboardInterrupt

        with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr(np, "savez", interrupted)
            torch.save(2, path)
        assert torch.load(path) == 1 and [*tmp_path.iterdir()] == [path]
        path.chmod(0o604)
        torch.save(3, path)
        assert torch.load(path) == 3 and stat.S_IMODE(path.stat().st_mode) == 0o604


def test_threads_that_save_to_one_file_leave_one_of_theirs(tmp_path):
    path = tmp_path / "net.pt"
    threads = [threading.Thread(target=torch.save, args=(torch.full((1000,), i), path)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({*torch.load(path).tolist()}) == 1 and [*tmp_path.iterdir()] == [path]


def test_what_is_saved_where():
    with pytest.raises(
        AttributeError, match="^expected 'f' to be string, path, or a file-like object with a 'write' attribute$"
    ):
        torch.save(1, 3)
    endless = []
    endless.append(endless)
    with pytest.raises(ValueError, match="nested too deeply"):
        torch.save(endless, io.BytesIO())


def nested(levels, thing=1):
    for level in range(levels):
        thing = [[thing], (thing,), {"x": thing}, OrderedDict(x=thing)][level % 4]
    return thing


@pytest.mark.parametrize("levels", [1, 50, 99, 100])
def test_what_is_nested_as_deep_as_save_allows_is_loaded(levels):
    made = written(nested(levels))
    assert torch.load(io.BytesIO(made)) == nested(levels)
    deep = 250  # a reader's own recursion around it

    def inside(left):
        return inside(left - 1) if left else torch.load(io.BytesIO(made))

    assert inside(deep) == nested(levels)


@pytest.mark.parametrize(
    "thing", [nested(101), nested(400), nested(5000), {"n": 10**4000}, {"n": -(10**4500)}, [object()]], ids=range(6)
)
def test_what_save_does_not_write_is_refused_before_the_old_file_is_touched(tmp_path, thing):
    path = tmp_path / "x.pt"
    torch.save(1, path)
    before = path.stat()
    with pytest.raises((ValueError, TypeError), match="nested too deeply|4,000 digits|does not save"):
        torch.save(thing, path)
    assert torch.load(path) == 1 and path.stat().st_mtime_ns == before.st_mtime_ns and [*tmp_path.iterdir()] == [path]


THINGS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=())),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=3) | st.integers() | st.tuples(st.integers()), inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=2).map(OrderedDict)
    ),
    max_leaves=12,
)


@given(THINGS)
def test_what_save_writes_load_reads(thing):
    assert repr(torch.load(io.BytesIO(written(thing)))) == repr(thing)


@pytest.mark.parametrize("name", ["n" * 247 + ".pt", "名" * 82 + ".pt", ".hidden", " x ", "x" * 255])
def test_a_name_as_long_as_a_name_may_be(tmp_path, name):
    path = tmp_path / name
    try:
        path.write_bytes(b"")
    except (OSError, UnicodeEncodeError):  # the latter where names of files are Latin-1
        pytest.skip("this disk has no such names")
    for value in (1, 2):
        torch.save(value, path)
        assert torch.load(path) == value and [*tmp_path.iterdir()] == [path]


def test_a_folder_that_is_closed_to_us_but_not_the_file(tmp_path, monkeypatch):
    path = tmp_path / "net.pt"
    torch.save(1, path)
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(PermissionError(13, "Permission denied")))
    monkeypatch.setattr(os, "access", lambda place, _mode: os.fspath(place) != str(tmp_path))
    torch.save(2, path)
    assert torch.load(path) == 2
    monkeypatch.setattr(np, "savez", lambda *_, **__: (_ for _ in ()).throw(MemoryError))
    with pytest.raises(MemoryError):
        torch.save(3, path)
    assert torch.load(path) == 2 and [*tmp_path.iterdir()] == [path]

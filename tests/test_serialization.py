"""save and load: everything comes back as it was, nothing but data is ever loaded, no file is ever left half."""

import io
import json
import math
import pickle
import zipfile
from collections import OrderedDict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch
from minigrad import nn


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


def test_a_computed_tensor_comes_back_without_its_history():
    y = torch.ones(2, requires_grad=True) * 2
    assert through_file(y).requires_grad is False


def test_views_and_strides_come_back_as_numbers():
    x = torch.arange(12).view(3, 4)
    assert through_file(x.t()).equal(x.t()) and through_file(x[:, ::2]).equal(x[:, ::2])


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
        (nn.Linear(1, 1), "obj is of type Linear"),
        ({"a": [1, {2}]}, r"obj\['a'\]\[1\] is of type set"),
        ([lambda: 0], r"obj\[0\] is of type function"),
        ({(1, b"x"): 0}, r"a key of obj\[1\] is of type bytes"),
        (np.float32(1), "obj is of type float32"),
    ],
)
def test_what_cannot_be_saved_is_named(thing, place):
    with pytest.raises(TypeError, match=place):
        torch.save(thing, io.BytesIO())


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
        archive(json.dumps({"format": "minigrad 1", "content": {"kind": "set", "items": []}})),
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

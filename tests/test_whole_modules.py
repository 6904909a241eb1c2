"""A file with a whole module, from a stranger: it names modules and our functions, and runs nothing."""

import contextlib
import io
import json
import subprocess  # noqa: F401  # which a file names
import sys
import zipfile
from inspect import isfunction
from typing import ClassVar

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn
from minigrad._messages.names import pytorchs
from minigrad.serialization._whole import described


def with_content(content):
    """A file as `save` writes it, with this in it."""
    file = io.BytesIO()
    np.savez(file, structure=np.array(json.dumps({"format": "minigrad 2", "content": content})))
    file.seek(0)
    return file


def made_of(name, **attributes):
    """What a file says of an object of that class."""
    items = [[key, value] for key, value in attributes.items()]
    return {"kind": "object", "class": name, "number": 0, "attributes": {"kind": "dict", "items": items}}


class Watched:
    """A class that says when something of it runs."""

    ran: ClassVar[list[str]] = []

    def __new__(cls, *args):
        cls.ran.append("__new__")
        return super().__new__(cls)

    def __init__(self, *args):
        self.ran.append("__init__")

    def __setstate__(self, state):
        self.ran.append("__setstate__")

    def __del__(self):
        self.ran.append("__del__")


@pytest.mark.parametrize(
    "content",
    [
        made_of(["subprocess", "Popen"], args="ls"),
        made_of([__name__, "Watched"]),
        made_of(["builtins", "eval"]),
        made_of(["builtins", "object"]),
        made_of([__name__, "subprocess.Popen"]),
        {"kind": "function", "name": ["os", "system"]},
        {"kind": "function", "name": ["builtins", "eval"]},
        {"kind": "function", "name": ["minigrad.serialization", "os.system"]},
        {"kind": "function", "name": ["minigrad.serialization", "np.fromfile"]},
        {"kind": "apply", "class": [__name__, "Watched"]},
        {"kind": "apply", "class": ["minigrad.nn.linear", "Linear"]},
        {"kind": "object", "number": 7},
        made_of(["minigrad.nn.linear", "Linear"]) | {"attributes": {"kind": "list", "items": []}},
    ],
)  # fmt: skip
def test_a_file_names_modules_and_our_functions_and_nothing_else(content):
    with pytest.raises(RuntimeError, match="it is damaged"):
        torch.load(with_content(content), weights_only=False)
    assert Watched.ran == []


class Own(torch.autograd.Function):
    """A function with an apply of its own, which is not the one that a file means."""

    @classmethod
    def apply(cls, *args):
        raise AssertionError("it ran")


def test_an_apply_is_that_of_function_itself():
    found = torch.load(with_content({"kind": "apply", "class": [__name__, "Own"]}), weights_only=False)
    assert found.__func__ is torch.autograd.Function.apply.__func__ and found.__self__ is Own
    with pytest.raises(TypeError, match="is of type method, which minigrad.save does not save"):
        torch.save(Own.apply, io.BytesIO())


def test_nothing_is_imported_that_a_file_names():
    assert "this.is.not.imported" not in sys.modules and "antigravity" not in sys.modules
    for name in ("antigravity", "this.is.not.imported"):
        with pytest.raises(AttributeError, match="minigrad imports nothing that a file names"):
            torch.load(with_content(made_of([name, "Net"])), weights_only=False)
        assert name not in sys.modules


def test_a_file_brings_no_hooks():
    hook = {"kind": "function", "name": ["minigrad", "relu"]}
    hooks = {"kind": "dict", "items": [[0, hook]]}
    plain = nn.Linear(1, 1)
    name = [type(plain).__module__, "Linear"]
    found = torch.load(with_content(made_of(name, _forward_hooks=hooks, training=True)), weights_only=False)
    assert not found._forward_hooks and found.training


def test_a_file_names_functions_by_their_public_places():
    """A private file may move: what was saved before can still be loaded."""
    names = pytorchs()
    places = {"torch": torch, "torch.nn.functional": nn.functional, "torch.linalg": torch.linalg}
    functions = [f for said, place in places.items() for name, f in vars(place).items() if name in names[said]]
    said = [each for each in (described(f, "f", None) for f in functions if isfunction(f)) if each]
    assert len(said) > 300 and not [each["name"] for each in said if "._" in each["name"][0]]
    older = with_content({"kind": "function", "name": ["minigrad.methods.elementwise", "tanh"]})
    assert torch.load(older, weights_only=False) is torch.tanh


def test_no_member_of_the_file_is_a_pickle():
    file = io.BytesIO()
    torch.save(nn.Sequential(nn.Linear(1, 1), nn.ReLU()), file)
    with zipfile.ZipFile(file) as members:
        for name in members.namelist():
            np.load(io.BytesIO(members.read(name)), allow_pickle=False)


def test_a_mutated_file_is_refused_or_makes_modules():
    """Whatever a file says, there is an object of a known kind or one of two errors."""
    whole = {"net": nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)), "f": torch.tanh}
    file = io.BytesIO()
    torch.save(whole, file)
    content = file.getvalue()
    rng = np.random.default_rng(0)
    for _ in range(300):
        changed = bytearray(content)
        for _ in range(rng.integers(1, 4)):
            changed[rng.integers(len(changed))] = rng.integers(256)
        with contextlib.suppress(RuntimeError, AttributeError):
            torch.load(io.BytesIO(bytes(changed)), weights_only=False)
    assert Watched.ran == []

"""What an editor and mypy know: the stubs are up to date, and mypy, jedi and Python itself agree on thirty lines."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from inspect import ismodule
from pathlib import Path

import pytest

import minigrad as torch
import viz
from minigrad import nn

ROOT = Path(__file__).parent.parent

SETUP = """
import minigrad as torch
import minigrad.nn.functional as F
import viz
from minigrad import nn

w = torch.tensor([1.0, 2.0], requires_grad=True)
"""
T, P = "minigrad.Tensor", "minigrad.nn.Parameter"
# an expression, its type for mypy, and the name that an editor must offer when its beginning is typed after it
# ("" where jedi does not evaluate an operator, whatever the stub says)
LINES = [
    ("torch.tensor([1.0])", T, "mean"),
    ("w.grad", f"{T} | None", "item"),
    ("w.mean()", T, "backward"),
    ("w + 1", T, "sum"),
    ("1 - w", T, ""),
    ("w @ w", T, "item"),
    ("w[0]", T, "tolist"),
    ("w > 0", T, ""),
    ("w.exp().sum()", T, "backward"),
    ("w.detach()", T, "numpy"),
    ("w.shape", "minigrad.Size", "numel"),
    ("w.dtype", "minigrad._machine.dtypes.dtype", "itemsize"),
    ("w.requires_grad", "bool", "bit_length"),
    ("w.detach().zero_()", T, "add_"),
    ("w.numel()", "int", "bit_length"),
    ("torch.zeros(2, 3)", T, "reshape"),
    ("torch.randn(2)", T, "view"),
    ("torch.exp(w)", T, "log"),
    ("torch.stack([w, w])", T, "transpose"),
    ("torch.arange(3)", T, "float"),
    ("torch.is_grad_enabled()", "bool", "bit_length"),
    ("torch.no_grad()", "minigrad.autograd.grad_mode.no_grad", "__enter__"),
    ("nn.Linear(2, 3)", "minigrad.nn.Linear", "parameters"),
    ("nn.Linear(2, 3)(w)", T, "mean"),
    ("nn.Linear(2, 3).weight", P, "grad"),
    ("nn.Sequential(nn.Linear(2, 1), nn.Tanh())(w)", T, "item"),
    ("nn.MSELoss()(w, w)", T, "backward"),
    ("F.relu(w)", T, "retain_grad"),
    ("next(nn.Linear(2, 3).parameters())", P, "requires_grad_"),
    ("nn.LSTMCell(2, 1)(w[None])[0]", T, "shape"),
    ("viz.draw(w)", "viz.drawing.picture.Picture", "save"),
    ("viz.exercise('two_paths')", "viz.lesson.exercise.Exercise", "hint"),
]
RUNTIME = {
    T: torch.Tensor,
    P: nn.Parameter,
    "minigrad.Size": torch.Size,
    "minigrad._machine.dtypes.dtype": torch.dtype,
    "minigrad.autograd.grad_mode.no_grad": torch.no_grad,
    "minigrad.nn.Linear": nn.Linear,
    "viz.drawing.picture.Picture": viz.Picture,
    "viz.lesson.exercise.Exercise": type(viz.exercise("two_paths")),
    "bool": bool,
    "int": int,
    "None": type(None),
}


@pytest.fixture(scope="module")
def revealed(tmp_path_factory) -> list[str]:
    """What mypy says of each line, as strictly as it can be asked."""
    folder = tmp_path_factory.mktemp("types")
    program = folder / "lines.py"
    program.write_text(SETUP + "\n".join(f"reveal_type({line})" for line, _, _ in LINES) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={folder / 'cache'}"]
    command += ["--follow-imports=silent", str(program)]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False).stdout
    assert "error" not in told, told
    return re.findall(r'Revealed type is "(.*)"', told)


def test_mypy_knows_the_types(revealed):
    assert revealed == [kind for _, kind, _ in LINES]


@pytest.mark.parametrize("line, kind, _name", LINES, ids=[line for line, *_ in LINES])
def test_a_value_has_the_type_that_mypy_is_told(line, kind, _name):
    names: dict = {}
    exec(SETUP, names)
    value = eval(line, names)
    assert isinstance(value, tuple(RUNTIME[each] for each in kind.split(" | ")))


@pytest.mark.parametrize("line, _kind, name", [each for each in LINES if each[2]], ids=[a for a, _, b in LINES if b])
def test_an_editor_completes_the_name(line, _kind, name):
    jedi = pytest.importorskip("jedi")
    code = f"{SETUP}\n({line}).{name[: 4 if name[0] == '_' else 2]}"
    offered = [each.name for each in jedi.Script(code, project=jedi.Project(ROOT)).complete()]
    assert name in offered, offered


def test_the_stubs_are_up_to_date():
    if importlib.util.find_spec("torch") is None:
        pytest.skip('return types are read from PyTorch\'s stubs: pip install "torch==2.13.0"')
    check = subprocess.run([sys.executable, ROOT / ".ci" / "stubs.py", "--check"], cwd=ROOT, check=False)
    assert check.returncode == 0, "run python .ci/stubs.py"


def test_the_stubs_name_what_is_there():
    """Without PyTorch, too: every public function, method and module is in its stub."""
    for module, stub in ((torch, "__init__.pyi"), (nn, "nn/__init__.pyi"), (nn.functional, "nn/functional.pyi")):
        told = (ROOT / "minigrad" / stub).read_text("utf-8")
        known = {*re.findall(r"^(?:def|class) (\w+)|^(\w+)(?: =|:)|^from .* import \w+ as (\w+)", told, re.M)}
        known = {name for names in known for name in names if name}
        there = {name for name in dir(module) if not name.startswith("_") and not ismodule(getattr(module, name))}
        if module is nn:
            there = {name for name in there if name[0].isupper()}
        if module is nn.functional:
            there = {name for name in there if callable(getattr(module, name))}
        assert not there - known, f"{stub} lacks {sorted(there - known)}: run python .ci/stubs.py"


def test_both_packages_say_that_they_have_types():
    for package in (torch, viz):
        assert (Path(package.__file__).parent / "py.typed").is_file()


def test_tab_offers_public_names_that_work():
    """Neither a name of a private folder, nor a method that would only say that minigrad lacks it."""
    for thing in (torch, nn, torch.optim, torch.ones(1, 1), nn.Linear(1, 1)):
        offered = [name for name in dir(thing) if not name.startswith("_")]
        assert offered
        for name in offered:
            assert hasattr(thing, name), f"{thing!r}.{name} is offered, and is not there"

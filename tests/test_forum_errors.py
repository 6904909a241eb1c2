"""The clinic on the forty errors of forum_errors.md: kind, lines, node or tensors, and both cures run.

Each on minigrad, and with `-m torch` on PyTorch, which knows no lines of operators by itself: there anomaly mode is on.
"""

import importlib
import re
import sys
import traceback
import warnings
from pathlib import Path

import numpy as np
import pytest
from forum_errors import PROGRAMS

import viz
from viz.errors.case import known, page

LIBRARIES = ["minigrad", pytest.param("torch", marks=pytest.mark.torch)]
TORCH_LACKS = {  # lines that PyTorch lets nobody know, anomaly mode or not: where in place work was done
    "changed": {"changed it here"},
}


@pytest.fixture(autouse=True)
def as_before():
    yield
    viz.clinic.off()
    for library in filter(None, map(sys.modules.get, ("minigrad", "torch"))):
        library.set_grad_enabled(True)


def names_for(library):
    torch = pytest.importorskip(library)
    F = importlib.import_module(f"{library}.nn.functional")
    return {"torch": torch, "nn": torch.nn, "F": F, "np": np, "__name__": "program", "print": lambda *_: None}


def met(program, library, tmp_path, monkeypatch):
    """What the clinic says of a program: of its error, or of what it saw without one."""
    file, told = tmp_path / "program.py", []
    file.write_text(program.text, encoding="utf-8")
    names = names_for(library)
    with viz.clinic(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.filterwarnings("always", ".*(not a leaf|target size)")
        warnings.showwarning = viz.clinic._listen  # pytest has put its own there
        monkeypatch.setattr(viz.clinic, "_showwarning", lambda *_: None)
        monkeypatch.setattr("builtins.print", lambda explanation, file=None: told.append(explanation))
        try:
            with names["torch"].autograd.set_detect_anomaly(library == "torch", check_nan=False):
                exec(compile(program.text, str(file), "exec"), names)
        except Exception as error:
            assert not program.silent, traceback.format_exc()
            return viz.clinic.explain(error)
    assert program.silent and len(told) == 1, told
    return told[0]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_explained(name, library, tmp_path, monkeypatch):
    program = PROGRAMS[name]
    found = met(program, library, tmp_path, monkeypatch)
    assert found is not None and found.case.name == program.kind
    expected = []
    for number, line in enumerate(program.text.splitlines(), 1):
        expected += [(part, f"program.py, line {number}") for part in line.partition("# ")[2].split(", ") if part]
    lacking = TORCH_LACKS.get(name, set()) if library == "torch" else set()
    expected = [(part, where) for part, where in expected if part not in lacking]
    assert sorted((part, where) for part, where, _ in found.told) == sorted(expected)
    if isinstance(program.guilty, list):
        assert [name for name, _ in found.tensors] == program.guilty
    else:
        marked = [node for node in found.picture.graph.nodes if node.mark == "guilty"] if found.picture else []
        assert [node.name for node in marked] == ([program.guilty] if program.guilty else [])


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_both_cures_run(name, library):
    program = PROGRAMS[name]
    answers = program.answer if isinstance(program.answer, tuple) and not isinstance(program.answer[0], int) else None
    assert len(program.cures) == 2
    for i, cure in enumerate(program.cures):
        text = program.text
        for old, new in cure:
            assert old in text
            text = text.replace(old, new)
        names = names_for(library)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, "mended", "exec"), names)
        answer, expected = names["answer"], answers[i] if answers else program.answer
        if isinstance(expected, tuple):
            assert tuple(answer) == expected
        else:
            answer = answer.tolist() if hasattr(answer, "tolist") else answer
            assert np.allclose(answer, expected, rtol=1e-3)


def test_the_list_and_the_programs_are_the_same_forty():
    listed = re.findall(
        r"^\| (.+?) \| .+https://",
        (Path(__file__).parent / "forum_errors.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert listed == [*PROGRAMS] and len(listed) == 40


def test_every_kind_has_two_cures_in_both_languages():
    one = {"number of gradients", "shape of a gradient", "kind of a gradient"}  # nothing else helps
    for case in known():
        assert len(case.cures) >= (1 if case.name in one else 2)
        for text in (case.what, *case.cures, *case.in_loop):
            assert re.search("[\u4e00-\u9fff]", text.into("zh")) and text.into("en") != text.into("zh"), text
    met_here = {program.kind for program in PROGRAMS.values()}
    elsewhere = {
        "size in place",
        "shape of a gradient",
        "kind of a gradient",
        "saved a number",
        *(case.name for name in ("static", "values", "models") for case in page(name)),  # the last two: tests/clinic/
        *("frozen", "unused part", "no derivative"),
        *("old part", "cleared", "wrapped loss", "twice normalised", "not cleared", "nan gradient"),
    }
    assert {case.name for case in known()} == met_here | elsewhere

"""Lessons on Colab, on Binder and on a hub: each has its links, and its first cell installs what is missing."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted(ROOT.glob("notebooks/*.ipynb"))


@pytest.fixture(scope="module")
def command():
    sys.path.insert(0, str(ROOT / ".ci"))
    try:
        spec = importlib.util.spec_from_file_location("open_elsewhere", ROOT / ".ci" / "open_elsewhere.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(ROOT / ".ci"))
    return module


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_each_lesson_has_its_links_and_its_installation(command, path):
    before = path.read_text("utf-8")
    notebook = command.written(nbformat.read(path, as_version=4), f"notebooks/{path.name}")
    assert json.loads(nbformat.writes(notebook)) == json.loads(before), "run python .ci/open_elsewhere.py"
    assert f"notebooks/{path.name})" in notebook.cells[0].source


@pytest.mark.parametrize("installed", [True, False])
def test_the_first_cell_installs_only_where_the_course_is_missing(command, monkeypatch, installed):
    asked = []
    shell = type("Shell", (), {"system": staticmethod(asked.append)})
    if not installed:
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    exec(command.install(), {"get_ipython": lambda: shell})
    repository, _ = command.address()
    wanted = f"pip install -q 'minigrad-course[viz] @ git+https://github.com/{repository}'"
    assert asked == ([] if installed else [wanted])


def test_the_name_in_the_first_cell_is_the_name_of_the_distribution(command):
    import tomllib

    name = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["name"]
    assert f'"{name}[viz] @ git+' in command.install()


def test_a_hub_pulls_the_repository_and_opens_the_lesson(command):
    link = urlsplit(command.pulled("notebooks/01_graph.ipynb", "https://hub.example.org/"))
    asked = parse_qs(link.query)
    assert link.path == "/hub/user-redirect/git-pull"
    assert asked["repo"] == [f"https://github.com/{command.address()[0]}"]
    assert asked["urlpath"] == ["lab/tree/minigrad/notebooks/01_graph.ipynb"]


def test_binder_installs_what_the_lessons_need():
    lines = (ROOT / "binder" / "requirements.txt").read_text("utf-8").splitlines()
    assert [line for line in lines if line[:1] != "#"] == ["--editable .[lab]"]
    assert re.fullmatch(r"python-3\.1[1-9]\n", (ROOT / "binder" / "runtime.txt").read_text("utf-8"))

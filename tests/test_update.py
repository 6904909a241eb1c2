"""`course.py update` keeps what a reader wrote: from a version with other words, with every lesson half done."""

from __future__ import annotations

import copy
import importlib.util
import json
import subprocess
from pathlib import Path

import pytest
from class_of_sixty import answer, lesson, right, untouched

from viz.lesson import exercises

ROOT = Path(__file__).parent.parent
SPEC = importlib.util.spec_from_file_location("update", ROOT / ".ci" / "update.py")
update = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(update)
LESSONS = range(1, 14)
exercises.load()


def older(notebook):
    """The lesson in an earlier version: other words, another first cell, one cell less and one that has gone since."""
    old = copy.deepcopy(notebook)
    for cell in old["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = update.source(cell).replace("the", "that")
    first = next(cell for cell in old["cells"] if cell["cell_type"] == "code")
    first["source"] = update.source(first).partition("\n\nif not")[2].partition("\n\n")[2]
    last = old["cells"].pop()
    old["cells"].append({**last, "id": "gone", "source": "# gone since"})
    return old


def half_done(notebook):
    """Every other answer, a changed line elsewhere, a cell of the reader's own, and outputs."""
    mine = copy.deepcopy(notebook)
    turn = iter([right, untouched] * 9)
    verdicts = answer(mine, lambda task: next(turn)(task))
    play = next(
        cell for cell in mine["cells"] if cell["cell_type"] == "code" and "exercise(" not in update.source(cell)
    )
    play["source"] = update.source(play) + "\n# mine"
    own = {"cell_type": "markdown", "id": "note", "metadata": {}, "source": ["My own note"]}
    mine["cells"].insert(5, own)
    for cell in mine["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["mine"]}]
    return mine, verdicts, play["id"]


def answers(notebook):
    return {cell["id"]: update.source(cell) for cell in notebook["cells"] if "exercise(" in update.source(cell)}


@pytest.mark.parametrize("number", LESSONS)
def test_answers_and_changes_survive_and_all_else_is_new(number):
    new = lesson(number)
    old = older(new)
    mine, verdicts, changed = half_done(old)
    assert "right" in verdicts.values()
    got = update.merge(old, mine, new)
    assert answers(got) == answers(mine)
    there = {cell["id"]: cell for cell in got["cells"]}
    assert update.source(there[changed]).endswith("# mine") and "gone" not in there
    assert [cell["id"] for cell in got["cells"] if cell["id"] != "note"] == [cell["id"] for cell in new["cells"]]
    assert got["cells"][5]["id"] == "note"
    same = (
        {cell["id"] for cell in old["cells"]}
        - {changed}
        - {c["id"] for c in mine["cells"] if "exercise(" in update.source(c)}
    )
    for cell in new["cells"]:
        if cell["id"] in same:
            assert there[cell["id"]] == cell


@pytest.mark.parametrize("number", LESSONS)
def test_without_the_old_version_answers_and_own_cells_survive(number):
    new = lesson(number)
    mine, _, _ = half_done(older(new))
    got = update.merge(None, mine, new)
    assert answers(got) == answers(mine) and "note" in {cell["id"] for cell in got["cells"]}


def test_an_untouched_lesson_becomes_the_new_one():
    new = lesson(1)
    assert update.merge(older(new), older(new), new) == new


@pytest.fixture
def course(tmp_path):
    """A course that was published in an older version, and a reader's clone of it."""

    def git(folder, *command):
        settings = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
        result = subprocess.run(
            ["git", *settings, "-C", str(folder), *command], capture_output=True, encoding="utf-8", check=False
        )
        assert result.returncode == 0, result.stderr
        return result.stdout

    origin, clone = tmp_path / "origin", tmp_path / "clone"
    (origin / "notebooks").mkdir(parents=True)
    git(tmp_path, "init", "--quiet", str(origin))
    new = lesson(1)
    path = origin / "notebooks" / "01_graph.ipynb"
    path.write_text(update.as_text(older(new)), encoding="utf-8")
    (origin / "course.txt").write_text("old", encoding="utf-8")
    git(origin, "add", "--all")
    git(origin, "commit", "--quiet", "-m", "old")
    git(tmp_path, "clone", "--quiet", str(origin), str(clone))
    path.write_text(update.as_text(new), encoding="utf-8")
    (origin / "course.txt").write_text("new", encoding="utf-8")
    git(origin, "commit", "--quiet", "--all", "-m", "new")
    return clone


def test_a_clone_with_a_half_done_lesson_is_updated(course, capsys):
    path = course / "notebooks" / "01_graph.ipynb"
    mine, _, _ = half_done(json.loads(path.read_text("utf-8")))
    path.write_text(update.as_text(mine), encoding="utf-8")
    assert update.main([], course) == 0
    got = json.loads(path.read_text("utf-8"))
    assert answers(got) == answers(mine) and (course / "course.txt").read_text("utf-8") == "new"
    assert "[Colab](" in update.source(got["cells"][0])
    kept = course / "notebooks" / "before-update" / "01_graph.ipynb"
    assert json.loads(kept.read_text("utf-8")) == mine and "01_graph.ipynb" in capsys.readouterr().out
    assert update.main([], course) == 0  # again: nothing is newer, and nothing is lost
    assert json.loads(path.read_text("utf-8")) == got


def test_a_changed_file_of_the_library_is_named_and_nothing_happens(course, capsys):
    (course / "course.txt").write_text("mine", encoding="utf-8")
    assert update.main([], course) == 1 and "You have changed course.txt" in capsys.readouterr().err
    assert (course / "course.txt").read_text("utf-8") == "mine"


def test_a_folder_without_git_says_what_to_do(tmp_path, capsys):
    assert update.main([], tmp_path) == 1 and "download the new version beside it" in capsys.readouterr().err
    assert update.main([str(tmp_path)], ROOT) == 1 and "holds no other version" in capsys.readouterr().err

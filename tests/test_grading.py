"""`course.py grade`: what is read, run, judged and written. Sixty notebooks at once: `pytest -m grading`."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
import zipfile

import numpy as np
import pytest
from class_of_sixty import ROOT, Expected, answer, cell_of, filled, lesson, right, untouched, with_cell, write
from hypothesis import given
from hypothesis import strategies as some
from hypothesis.extra import numpy as some_arrays

import minigrad as torch
from viz.grading import pack
from viz.grading.__main__ import graded, main
from viz.grading.lesson import changes, replaced, says_right, tasks
from viz.grading.rerun import Limits, rerun
from viz.grading.submissions import Submission, collected, submissions
from viz.grading.table import Row, safe, text
from viz.grading.values import MANY, Other, TooLarge, decoded, encoded
from viz.grading.verdicts import Points, verdict
from viz.lesson import exercises, progress
from viz.lesson.compare import same
from viz.lesson.task import TASKS
from viz.lesson.trial import defined

exercises.load()
PLAIN = some.none() | some.booleans() | some.integers(-(2**60), 2**60) | some.floats() | some.text(max_size=20)
PLAIN |= some_arrays.arrays(some.sampled_from(["f4", "f8", "i4", "i8", "?"]), some_arrays.array_shapes(min_dims=0))
VALUES = some.recursive(
    PLAIN,
    lambda each: some.lists(each) | some.lists(each).map(tuple) | some.dictionaries(some.text(max_size=5), each),
    max_leaves=12,
)


# -- values ----------------------------------------


@given(VALUES)
def test_a_value_arrives_as_it_was(value):
    told = json.loads(json.dumps(encoded(value)))
    came = decoded(told)
    assert type(came) is type(value)
    assert same(came, value, 0, 0) or _nan(value)


def _nan(value):
    if isinstance(value, dict):
        return any(map(_nan, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(_nan, value))
    return isinstance(value, float) and math.isnan(value)


def test_tensors_arrive_as_tensors_and_strangers_as_their_names():
    came = decoded(json.loads(json.dumps(encoded({"w": torch.ones(2, 3), "f": len, "s": np.float32(2)}))))
    assert came["w"].shape == (2, 3) and came["w"].dtype is torch.float32
    assert came["f"] == Other("builtin_function_or_method") and came["s"] == 2 and came["s"].dtype == "float32"


@pytest.mark.parametrize("value", [[0] * (MANY + 1), np.ones(10**6), [[[[[[[[[[0]]]]]]]]]], np.array([object()])])
def test_what_is_too_large_for_an_answer_is_refused(value):
    with pytest.raises(TooLarge):
        encoded(value)


@given(some.recursive(PLAIN.filter(lambda x: not hasattr(x, "dtype")), lambda each: some.lists(each), max_leaves=8))
def test_whatever_a_notebook_reports_is_a_value_or_refused(told):
    try:
        decoded(told)
    except (ValueError, TypeError):
        pass


@pytest.mark.parametrize(
    "told",
    [
        ["array", "<f8", [1 << 40], "AAAA"],
        ["array", "O", [1], "AAAAAAAAAAA="],
        ["array", "<f8", [-1], ""],
        ["tensor", "V8", [1], "AAAAAAAAAAA="],
        ["run", "print(1)"],
        {"a": 1},
    ],
)
def test_a_report_that_is_no_value_is_refused(told):
    with pytest.raises((ValueError, TypeError)):
        decoded(told)


# -- verdicts ----------------------------------------


def attempt(task, given, points):
    """What worker.py reports of this answer, in this process."""
    from viz.grading.worker import _Tries

    told = []
    seeds = points.seeds([task])
    asked = {"seeds": seeds, "leave": [], "seconds": points.allowed}
    _Tries(asked, lambda **facts: told.append(facts)).attempt(task.name, given, torch, 0)
    return [json.loads(json.dumps(each)) for each in told if "tried" in each]


@pytest.mark.parametrize("name", sorted(name for name, task in TASKS.items() if task.kind != "order"))
def test_each_solution_is_right_and_no_known_wrong_answer_is(name):
    task, points = TASKS[name], Points()
    assert verdict(task, attempt(task, defined(task, task.solution, torch), points), points) == "right"
    for wrong in [each for each in task.wrong if not each.endless][:3]:
        assert verdict(task, attempt(task, defined(task, wrong.code, torch), points), points) in ("wrong", "raised")


@pytest.mark.parametrize("name", sorted(name for name, task in TASKS.items() if task.kind == "order"))
def test_lines_in_order_are_judged_without_any_code_of_the_notebook(name):
    task, points = TASKS[name], Points()
    order, _ = right(task)
    assert verdict(task, [{"rows": order}], points) == "right"
    assert verdict(task, [{"rows": " ".join(order.split()[::-1])}], points) == "wrong"
    assert verdict(task, [{"rows": "1 1 1"}], points) == "wrong" and verdict(task, [{"rows": ""}], points) == "untried"


def test_a_report_without_values_is_not_right():
    task, points = TASKS["cube_slope"], Points()
    (good,) = attempt(task, defined(task, task.solution, torch), points)
    for outcomes in (
        [],
        good["outcomes"][:-1],
        [{"error": ""}],
        [{**good["outcomes"][0], "value": True}],
        "right",
        None,
    ):
        assert verdict(task, [{**good, "outcomes": outcomes}], points) != "right"
    assert verdict(task, [{**good, "verified": "wrong"}], points) == "wrong"
    assert verdict(task, [{"outcomes": [], "right": True}, good], points) == "right"


def test_each_run_tries_other_points():
    task = TASKS["three_gradients"]
    assert Points().seeds([task]) != Points().seeds([task])


# -- what is read ----------------------------------------


def test_folders_archives_and_single_files_are_found(tmp_path):
    notebook = json.dumps(lesson(1))
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "01_graph.ipynb").write_text(notebook, encoding="utf-8")
    (tmp_path / "ada" / "progress.json").write_text('{"exercises": {}}', encoding="utf-8")
    (tmp_path / "bob_01_graph.ipynb").write_text(notebook, encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "cem.zip", "w") as archive:
        archive.writestr("work/01_graph.ipynb", notebook)
        archive.writestr("../../evil.ipynb", "{")
    (tmp_path / "dan").mkdir()
    (tmp_path / "dan" / "essay.txt").write_text("?", encoding="utf-8")
    (tmp_path / "eve.zip").write_bytes(b"no archive")
    (tmp_path / "fay_01_graph.ipynb").write_text("not JSON", encoding="utf-8")
    found = {(each.student, each.file): each for each in submissions(tmp_path)}
    assert found["ada", "01_graph.ipynb"].progress == {"exercises": {}} and found["ada", "01_graph.ipynb"].lesson == 1
    assert found["bob", "bob_01_graph.ipynb"].cells and found["cem", "work/01_graph.ipynb"].cells
    assert found["cem", "../../evil.ipynb"].broken == "the file is no notebook"
    assert not (tmp_path.parent.parent / "evil.ipynb").exists()
    assert "can't be read" in found["eve", "eve.ipynb"].broken and found["fay", "fay_01_graph.ipynb"].broken
    assert ("dan", "") not in found  # a folder without any notebook of progress is no submission


def archived(**files):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return held.getvalue()


def test_an_archive_in_a_students_folder_is_read(tmp_path):
    """As Moodle writes a class: a folder for each student, with the file that the student has handed in."""
    moodle = tmp_path / "Edo Paz_777_assignsubmission_file_"
    moodle.mkdir()
    handed = {"01_graph.ipynb": json.dumps(lesson(1)), "progress.json": '{"exercises": {"a": {}}}'}
    (moodle / "edo.zip").write_bytes(archived(**handed))
    (tmp_path / "gus").mkdir()
    (tmp_path / "gus" / "all.ZIP").write_bytes(archived(**{"gus/gus.zip": archived(**handed)}))  # packed twice
    found, unused = collected(tmp_path)
    assert [(each.student, each.file, each.lesson) for each in found] == [
        (moodle.name, "01_graph.ipynb", 1),
        ("gus", "01_graph.ipynb", 1),
    ]
    assert all(each.progress == {"exercises": {"a": {}}} for each in found) and unused == []


@pytest.mark.parametrize("around", ["", "class/"])
def test_one_archive_holds_a_class(tmp_path, around):
    """As a learning platform hands out the work of all students."""
    one, noted = json.dumps(lesson(1)), '{"exercises": {"a": {}}}'
    files = {
        "Ada_1_file_/01_graph.ipynb": one,
        "Ada_1_file_/progress.json": noted,
        "Ada_1_file_/photo.png": "x",
        "Bob_2_file_/bob.zip": archived(**{"work/01_graph.ipynb": one, "work/progress.json": noted}),
        "Cem_3_file_/broken.zip": b"no archive",
        "Dan_4_file_/work/01_graph.ipynb": one,
        "__MACOSX/Ada_1_file_/01_graph.ipynb": "x",
    } | ({} if around else {"eve_01_graph.ipynb": one, "fay.zip": archived(**{"01_graph.ipynb": one})})
    (tmp_path / "class.zip").write_bytes(archived(**{f"{around}{name}": data for name, data in files.items()}))
    found, unused = collected(tmp_path / "class.zip")
    rows = {each.student: each for each in found}
    assert len(found) == len(rows) == (4 if around else 6)
    assert rows["Ada_1_file_"].progress == rows["Bob_2_file_"].progress == json.loads(noted)
    assert rows["Cem_3_file_"].broken == "the archive can't be read: File is not a zip file"
    assert rows["Dan_4_file_"].cells and (around or (rows["eve"].cells and rows["fay"].cells))
    assert unused == [f"class.zip/{around}Ada_1_file_/photo.png"]
    (tmp_path / "marks.csv").write_text("", encoding="utf-8")
    assert collected(tmp_path, tmp_path / "marks.csv") == (found, unused)  # the folder holds nothing else
    (tmp_path / "gus.zip").write_bytes(archived(**{"01_graph.ipynb": one}))
    assert {each.student for each in collected(tmp_path)[0]} == {"class", "gus"}  # a student's file among others


def test_a_damaged_file_of_a_class_leaves_the_others(tmp_path):
    one = json.dumps(lesson(1))
    data = bytearray(archived(**{"ada/01_graph.ipynb": one, "bob/01_graph.ipynb": one}))
    data[data.index(b"ada/01_graph.ipynb") + 200] ^= 255  # in its content
    (tmp_path / "class.zip").write_bytes(data)
    rows = {each.student: each for each in collected(tmp_path / "class.zip")[0]}
    assert "can't be read" in rows["ada"].broken and rows["bob"].cells
    (tmp_path / "class.zip").write_bytes(b"PK")
    assert collected(tmp_path / "class.zip") == ([], ["class.zip (the archive can't be read: File is not a zip file)"])
    (tmp_path / "ada.zip").write_bytes(archived(**{"01_graph.ipynb": one}))  # one student's work
    assert [each.student for each in collected(tmp_path / "ada.zip")[0]] == ["ada"]


def test_each_progress_file_is_given_to_its_student(tmp_path):
    for name in ("ada_01_graph.ipynb", "bob-02_x.ipynb", "cem_01_graph.ipynb", "Dan_12_file_01_graph.ipynb"):
        (tmp_path / name).write_text(json.dumps(lesson(1)), encoding="utf-8")
    for name in (
        "ada_progress.json",
        "bob-minigrad-progress.json",
        "Dan_12_file_progress (1).json",
        "eve_progress.json",
    ):
        (tmp_path / name).write_text(json.dumps({"exercises": {name: {}}}), encoding="utf-8")
    found = {each.student: each for each in submissions(tmp_path)}
    assert found["ada"].progress == {"exercises": {"ada_progress.json": {}}}
    assert found["bob"].progress == {"exercises": {"bob-minigrad-progress.json": {}}} and found["cem"].progress == {}
    assert found["Dan_12_file"].progress == {"exercises": {"Dan_12_file_progress (1).json": {}}}
    assert found["eve"].broken == "no notebook was handed in"
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "01_graph.ipynb").write_text(json.dumps(lesson(1)), encoding="utf-8")
    (tmp_path / "own" / "progress.json").write_text('{"exercises": {"b": {}}}', encoding="utf-8")
    (alone,) = submissions(tmp_path / "own")  # one student's folder
    assert (alone.student, alone.progress) == ("own", {"exercises": {"b": {}}})


def test_what_is_not_used_is_named_and_no_second_notebook_takes_the_place_of_the_first(tmp_path):
    for name in ("ada", "dan", "nil", "fay"):
        (tmp_path / name).mkdir()
    one, two = json.dumps(lesson(1)), json.dumps(lesson(2))
    (tmp_path / "ada" / "01_graph.ipynb").write_text(one, encoding="utf-8")
    (tmp_path / "ada" / "photo.png").write_bytes(b"")
    (tmp_path / "ada" / ".DS_Store").write_bytes(b"")
    (tmp_path / "ada.zip").write_bytes(archived(**{"01_graph.ipynb": two, "notes.txt": "x"}))
    (tmp_path / "dan" / "work.7z").write_bytes(b"7z")
    (tmp_path / "fay" / "empty.zip").write_bytes(archived(**{"readme.txt": "x"}))
    (tmp_path / "bob.rar").write_bytes(b"Rar")
    (tmp_path / "marks.csv").write_text("", encoding="utf-8")
    found, unused = collected(tmp_path, tmp_path / "marks.csv")
    assert [(each.student, each.file) for each in found] == [
        ("ada", "01_graph.ipynb"),
        ("ada", "ada.zip/01_graph.ipynb"),
        ("fay", ""),
    ]
    assert unused == [
        "ada/photo.png",
        "ada.zip/notes.txt",
        "bob.rar",
        "dan/ (no notebook: it holds dan/work.7z)",
        "fay/ (no notebook: it holds fay/empty.zip/readme.txt)",
        "nil/ (no notebook: it is empty)",
    ]


@pytest.mark.parametrize(
    "file, number",
    [
        ("01_graph.ipynb", 1),
        ("ada_13_your_own_autograd.ipynb", 13),
        ("Ada L_123_assignsubmission_file_07_your_own_relu (1).ipynb", 7),
        ("01_graph-Copy1.ipynb", 1),
        ("essay.ipynb", None),
    ],
)
def test_the_lesson_is_read_from_the_files_name(file, number):
    assert Submission("ada", file).lesson == number


@pytest.mark.parametrize(
    "source, is_so",
    [
        ("import viz", False),
        ("import viz.explore", False),
        ("import other as viz", True),
        ("from other import viz", True),
        ("viz = 3", True),
        ("class viz: pass", True),
        ("def viz(): pass", True),
        ("viz.exercise = lambda *a: None", True),
        ("viz.lesson.trial.judge = print", True),
        ("import viz.lesson.trial as t\nt.judge = print", True),
        ("from viz.lesson import exercise as e\nsetattr(e, 'judge', print)", True),
        ("%pip install viz\nq = viz.exercise('a')\nq.seconds = 3", False),
        ("with viz.live() as plot:\n    plot.update(loss=1)", False),
        ("!ls\nif True:\n    %time 1", False),
        ("def (", False),
    ],
)
def test_a_cell_that_replaces_viz_is_known(source, is_so):
    assert replaced(source) is is_so


def test_no_lesson_is_suspected_as_it_is_handed_out(tmp_path):
    for number in range(1, 14):
        notebook = lesson(number)
        cells = [
            {"id": c["id"], "kind": c["cell_type"], "source": "".join(c["source"]), "shown": ""}
            for c in notebook["cells"]
        ]
        assert changes(Submission("ada", f"{number:02}_x.ipynb", cells), number) == []
    assert says_right("print('✓ Right')") and not says_right("x = 'right'")


# -- running ----------------------------------------


def run(source: str, **limits):
    task = TASKS["cube_slope"]
    points = Points()
    cells = [{"source": source, "asks": []}, {"source": "after = 1", "asks": []}]
    return rerun(cells, points.seeds([task]), points.allowed, Limits(**{"seconds": 10, "all": 60, **limits}))


def test_a_cell_that_never_ends_is_left_out_and_the_rest_runs():
    ran = run("while True: pass", seconds=3)
    assert ran.finished and "does not end" in ran.ended[0]


def test_a_cell_that_ends_the_process_is_left_out_and_the_rest_runs():
    ran = run("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    assert ran.finished and ran.ended == {0: "ends the process"}


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS is Linux's here")
def test_memory_is_limited():
    assert run("x = bytearray(3 << 30)", memory=2500).errors == {0: "MemoryError"}
    assert run("x = bytearray(1 << 28)", memory=2500).errors == {}


@pytest.mark.parametrize(
    "source",
    [
        "import socket; socket.create_connection(('127.0.0.1', 9), 1)",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9')",
    ],
)
def test_there_is_no_network(source):
    errors = run(source).errors[0]
    assert errors in ("OSError", "PermissionError", "URLError"), errors


def test_the_network_can_be_allowed():
    source = (
        "import socket, threading\nserver = socket.create_server(('127.0.0.1', 0))\n"
        "socket.create_connection(server.getsockname(), 5).close()"
    )
    assert run(source, network=True).errors == {}


def test_a_notebook_sees_neither_the_home_of_the_grader_nor_a_solution():
    ran = run(
        "import os, viz\nassert 'grading-' in os.path.expanduser('~') and 'grading-' in os.getcwd()\n"
        "assert viz.exercise('cube_slope').task.solution == ''"
    )
    assert ran.errors == {}


def test_only_the_worker_can_report(tmp_path):
    """A line that the notebook writes into the pipe lacks the token."""
    source = (
        "import json, os\nfor number in range(3, 64):\n    try:\n"
        "        os.write(number, (json.dumps({'tried': 'cube_slope', 'cell': 0, 'untried': True}) + '\\n').encode())\n"
        "    except OSError:\n        pass"
    )
    assert run(source).tried == {}


# -- the table ----------------------------------------


def test_the_table_holds_no_formula_and_no_second_line():
    row = Row("=cmd|' /C calc'!A0", 1, "@x.ipynb", {"cube_slope": "right"}, notes=["+1\nsecond\r\nline", "-2"])
    (read,) = csv.DictReader(io.StringIO(text([row])))
    assert read["student"] == "'=cmd|' /C calc'!A0" and read["file"] == "'@x.ipynb"
    assert read["notes"] == "'+1 second line; -2" and read["right"] == "1"
    assert safe(3) == 3 and safe("\ud800x") == "?x"


def test_a_student_packs_and_the_teacher_reads(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MINIGRAD_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.chdir(tmp_path)
    assert pack.main([]) == 2 and pack.main(["../x"]) == 2 and pack.main(["ada"]) == 1
    notebook = lesson(1)
    answer(notebook, lambda task: right(task) if task.kind != "order" else untouched(task))
    (tmp_path / "01_graph.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    order, _ = right(TASKS["backward_by_hand"])
    import viz

    question = viz.exercise("backward_by_hand")
    question._asked({"do": "check", "order": [int(row) - 1 for row in order.split()]})  # on the panel
    assert question.verdict.right
    progress.note("exercises", "two_paths", right=True, tries=1, hints=0)
    viz.before(1).answer(1, viz.before(1).asks[0].right)
    assert pack.main(["ada"]) == 0
    (tmp_path / "class").mkdir()
    (tmp_path / "ada.zip").rename(tmp_path / "class" / "ada.zip")
    assert main([str(tmp_path / "class"), "--lessons", "2"]) == 2
    assert main([str(tmp_path / "class"), "--seconds", "30", "--lessons", "1", "2"]) == 0
    assert "3/3 ✓✓✓" in capsys.readouterr().out
    (read,) = csv.DictReader(io.StringIO((tmp_path / "class" / "marks.csv").read_text("utf-8-sig")))
    assert (read["right"], read["first tries"], read["right before"]) == ("3", "2", "1")
    assert read["backward_by_hand"] == "right" and read["notes"] == ""


def graded_rows(folder, *options):
    assert main([str(folder), "--seconds", "30", *options]) == 0
    rows = csv.DictReader(io.StringIO((folder / "marks.csv").read_text("utf-8-sig")))
    return {row["student"]: row for row in rows}


def test_an_answer_that_only_the_progress_file_holds_and_a_cell_that_python_cannot_read(tmp_path, capsys):
    notebook = lesson(1)
    answer(notebook, lambda task: right(task) if task.kind != "order" else untouched(task))
    cell = cell_of(notebook, "two_paths")
    cell["source"] = "".join(cell["source"]).replace("def slopes", "def def slopes")
    elsewhere = {"exercises": {}, "questions": {"2: x": {"before": "?"}}}
    told = {"questions": {f"1: {exercises.asked(1)[0].belief}": {"before": "?"}}}
    for student, noted in {"ada": None, "bob": elsewhere, "cem": told}.items():
        (tmp_path / f"{student}_01_graph.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
        if noted:
            (tmp_path / f"{student}_progress.json").write_text(json.dumps(noted), encoding="utf-8")
    (tmp_path / "dan_02_what_backward_does.ipynb").write_text(json.dumps(lesson(2)), encoding="utf-8")
    (tmp_path / "eve.rar").write_bytes(b"")
    rows = graded_rows(tmp_path, "--lessons", "1")
    said = capsys.readouterr().out
    assert "not used: eve.rar\n" in said and "no row: dan has handed in no notebook of these lessons" in said
    for row in rows.values():
        assert row["cube_slope"] == "right" and row["two_paths"] == "raised" and row["right"] == "1"
        assert "the cell of two_paths stops with SyntaxError before the check" in row["notes"]
    unjudged = "backward_by_hand: cannot be judged without the progress file"
    assert rows["ada"]["backward_by_hand"] == "unknown" and unjudged in rows["ada"]["notes"]
    assert rows["bob"]["backward_by_hand"] == "untried" and unjudged not in rows["bob"]["notes"]
    assert (rows["bob"]["right before"], rows["cem"]["right before"], rows["cem"]["right after"]) == ("", "0", "")
    assert rows["bob"]["tries"] == ""  # nothing was tried in this lesson's exercises on that machine


def test_a_handed_out_notebook_is_untried_and_a_syntax_error_in_a_cell_of_its_own_counts(tmp_path):
    notebook = lesson(1)
    cell = cell_of(notebook, "cube_slope")
    parts = "".join(cell["source"]).split("\n\n\n")
    cell["source"] = parts[0]
    with_cell(notebook, 6, parts[1].replace("nudge =", "nudge = ="))
    with_cell(notebook, 7, parts[2])
    (tmp_path / "ada_01_graph.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    for number in range(1, 14):
        (file,) = ROOT.glob(f"notebooks/{number:02}_*.ipynb")
        (tmp_path / f"new_{file.name}").write_bytes(file.read_bytes()) if number in (1, 3) else None
    assert main([str(tmp_path), "--seconds", "30"]) == 0
    rows = list(csv.DictReader(io.StringIO((tmp_path / "marks.csv").read_text("utf-8-sig"))))
    assert rows[0]["cube_slope"] == "raised" and "stops with SyntaxError before the check" in rows[0]["notes"]
    assert (rows[1]["cube_slope"], rows[1]["backward_by_hand"]) == ("untried", "unknown")
    assert rows[2]["notes"] == "no progress file"


EXAMPLE = re.search(r"````markdown\n(.*?)````\n", exercises.README.read_text("utf-8"), re.DOTALL)[1]


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A folder of own exercises; what it adds to viz is removed again."""
    monkeypatch.setattr("viz.grading.lesson.OWN", {})
    before = dict(TASKS)
    folder = tmp_path / "myclass"
    folder.mkdir()
    (folder / "square_slope.md").write_text(EXAMPLE, encoding="utf-8")
    yield folder
    TASKS.clear()
    TASKS.update(before)


def own(code):
    head = "import minigrad as torch\nimport viz\n\nviz.exercises('.')\nthree = 3\n"
    cells = [head, f"q = viz.exercise('square_slope')\n\n\ndef slope(w):\n    {code}\n\n\nq.check(slope)"]
    made = [
        {"cell_type": "code", "id": f"c{n}", "metadata": {}, "source": c, "outputs": []} for n, c in enumerate(cells)
    ]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def test_own_exercises_are_judged(tmp_path, mine, capsys):
    (mine / "squares.ipynb").write_text(own("return ..."), encoding="utf-8")
    handed = tmp_path / "handed"
    handed.mkdir()
    for student, code in {"ada": "return 2 * w + three", "bob": "return 2 * w", "cem": "return ..."}.items():
        with zipfile.ZipFile(handed / f"{student}.zip", "w") as archive:
            archive.writestr("myclass/squares.ipynb", own(code))
    (handed / "dan_squares.ipynb").write_text('{"cells": []}', encoding="utf-8")
    (handed / "eve_essay.ipynb").write_text('{"cells": []}', encoding="utf-8")
    rows = graded_rows(handed, "--exercises", str(mine))
    verdicts = {student: row["square_slope"] for student, row in rows.items()}
    assert verdicts == {"ada": "right", "bob": "wrong", "cem": "untried", "dan": "missing"}
    assert rows["ada"]["lesson"] == "myclass" and rows["ada"]["right"] == "1"
    assert "not used: eve_essay.ipynb (it is no lesson)" in capsys.readouterr().out
    assert main([str(handed), "--exercises", str(tmp_path / "none")]) == 2


def test_a_student_hands_in_notebooks_of_own_folders_too(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MINIGRAD_PROGRESS", str(tmp_path / "none.json"))
    home = tmp_path / "notebooks"
    for name in ("01_graph.ipynb", "myclass/squares.ipynb", "myclass/data.csv", "before-update/1/01_graph.ipynb"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("{}", encoding="utf-8")
    (home / "myclass" / ".ipynb_checkpoints").mkdir()
    (home / "myclass" / ".ipynb_checkpoints" / "squares-checkpoint.ipynb").write_text("{}", encoding="utf-8")
    monkeypatch.chdir(home)
    assert pack.main(["--where"]) == 0 and capsys.readouterr().out == f"{tmp_path / 'none.json'}\n"
    assert pack.main(["ada"]) == 0
    said = capsys.readouterr().out
    with zipfile.ZipFile(home / "ada.zip") as archive:
        assert archive.namelist() == ["01_graph.ipynb", "myclass/squares.ipynb"]
    assert "It holds 2 notebooks: 01_graph.ipynb, myclass/squares.ipynb" in said
    assert "Not in it, because it is no notebook: myclass/data.csv" in said


def test_what_is_no_folder_or_holds_nothing_is_said(tmp_path, capsys):
    assert main([str(tmp_path / "none")]) == 2 and "is no folder" in capsys.readouterr().err
    assert main([str(tmp_path)]) == 2 and "holds no notebook" in capsys.readouterr().err


def test_the_exercises_of_a_lesson_are_those_of_its_notebook():
    assert [task.name for task in tasks(11)] == ["evaluate", "evaluate_once", "fetch_it", "mend_while"]
    assert sum(len(tasks(number)) for number in range(1, 14)) == len(exercises.pages())


def test_the_helper_fills_a_cell():
    notebook = lesson(7)
    assert answer(notebook, right) == dict.fromkeys(["relu_backward", "own_operator", "leaky_relu"], "right")
    cube = "def slope_of_cube(w):\n    return 3 * w * w"
    cell = "a = 1\n\n\ndef slope_of_cube(w):\n    ...\n\n\nq1.check(slope_of_cube)"
    assert filled(cell, TASKS["cube_slope"], cube) == f"a = 1\n\n\n{cube}\n\n\nq1.check(slope_of_cube)"


@pytest.mark.grading
@pytest.mark.parametrize("seed", [26])
def test_sixty_notebooks_of_which_ten_are_hostile(tmp_path, seed):
    expected: dict[str, Expected] = write(tmp_path, seed)
    rows = {row.student: row for row in graded(submissions(tmp_path), Limits(30, 120, 4000), jobs=2)}
    assert len(rows) == len(expected) == 60
    problems = []
    for student, wanted in expected.items():
        row = rows[student]
        row.notes = [note for note in row.notes if not note.startswith("not limited on this system")]
        for name, said in wanted.verdicts.items():
            if row.verdicts[name] not in said.split(" or "):
                problems.append(f"{student}: {name} is {row.verdicts[name]}, not {said}")
        for note in wanted.notes:
            if not any(note in each for each in row.notes):
                problems.append(f"{student}: no note {note!r} in {row.notes}")
        if student.startswith("student-"):
            facts = row.facts.get("first tries", 0), row.facts.get("tries", 0), row.facts.get("right before", 0)
            if facts != (wanted.first, wanted.tries, wanted.before) or row.notes:
                problems.append(f"{student}: {facts} {row.notes}")
    assert not problems, "\n".join(problems)

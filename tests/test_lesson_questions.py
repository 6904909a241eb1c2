"""The questions before and after each lesson: true on minigrad and on PyTorch, kept here, gone on request."""

import importlib
import json
import os
import re
import stat
from pathlib import Path

import pytest

import viz
from viz.lesson import progress
from viz.lesson.ask import ASKS, PROBES, UNKNOWN
from viz.lesson.exercises import load
from viz.locale import pick

load()
LIBRARIES = ["minigrad", pytest.param("torch", marks=pytest.mark.torch)]
each = [
    (f"{probe.lesson}: {probe.belief}", when, getattr(probe, when))
    for probes in PROBES.values()
    for probe in probes
    for when in ("before", "after")
]


@pytest.fixture(autouse=True)
def own_file(tmp_path, monkeypatch):
    monkeypatch.setenv("MINIGRAD_PROGRESS", str(tmp_path / "folder" / "progress.json"))
    yield tmp_path / "folder" / "progress.json"
    progress.forget()


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("ask", [pytest.param(ask, id=f"{name} {when}") for name, when, ask in each])
def test_the_right_answer_is_what_the_library_says(ask, library):
    names = {"torch": importlib.import_module(library)}
    exec(ask.code, names)
    exec(ask.proof, names)
    assert str(names["answer"]) == ask.right
    assert all(ask.choices.values()) and len(ask.choices) >= 2


@pytest.mark.parametrize("lesson", PROBES)
def test_a_lesson_asks_two_or_three_things(lesson):
    assert 1 <= len(PROBES[lesson]) <= 3


def test_before_nobody_is_told_and_after_a_wrong_answer_may_be_tried_again(own_file):
    lesson = next(iter(PROBES))
    before, after = viz.before(lesson), viz.after(lesson)
    assert not own_file.exists()
    ask = before.asks[0]
    wrong = next(choice for choice in ask.choices if choice != ask.right)
    assert before.answer(1, wrong) == before.answer(1, ask.right) == ASKS["en"]["noted"]
    assert before.answer(1, UNKNOWN) == ASKS["en"]["unknown"]
    ask = after.asks[0]
    wrong = next(choice for choice in ask.choices if choice != ask.right)
    assert after.answer(1, wrong) == f"✗ {wrong}. {pick(ask.choices[wrong], 'en')}"
    assert after.answer(1, ask.right).startswith("✓")
    (noted,) = progress.known()["questions"].values()
    assert noted["before"] == "?" and noted["after first"] == wrong and noted["after"] == ask.right
    assert viz.after(lesson)._state()["given"][0] == ask.right
    assert after.answer(1, wrong).startswith("✗") and after._state()["given"][0] == wrong  # curious what it says
    after.answer(1, UNKNOWN)
    (noted,) = progress.known()["questions"].values()
    assert noted["after right"] and noted["after"] == ask.right, "what was once right stays right"
    assert viz.after(lesson)._state()["given"][0] == ask.right
    assert viz.before(lesson, lang="zh").answer(1, UNKNOWN) == ASKS["zh"]["unknown"]


NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
afterwards = [(probe, probe.after) for probes in PROBES.values() for probe in probes]


@pytest.mark.parametrize(
    ("probe", "ask"), [pytest.param(*pair, id=f"{pair[0].lesson}: {pair[0].belief}") for pair in afterwards]
)
def test_i_dont_know_yet_is_told_where_to_look_and_the_place_is_in_the_lesson(probe, ask):
    (path,) = NOTEBOOKS.glob(f"{probe.lesson:02}_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    headings = [
        "".join(cell["source"]).splitlines()[0].strip("# ") for cell in cells if cell["cell_type"] == "markdown"
    ]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    for lang in ("en", "zh"):
        named = re.findall("“(.+?)”", pick(ask.unknown, lang))
        assert len(named) == 1, "the reply to “I don't know yet” names one place of the lesson"
        assert named[0] in headings or any(named[0] in text for text in texts), named[0]


def test_no_lesson_promises_the_same_questions_with_other_numbers():
    """Some are: but most ask about the same belief with another program, so the lessons say “like the first ones”."""
    for path in NOTEBOOKS.glob("*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                assert not re.search("questions again|same questions", "".join(cell["source"])), path.name


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("ask", [pytest.param(each, id=f"{name} {when}") for name, when, each in each])
def test_a_choice_is_taken_as_it_is_shown_and_as_it_is_noted(ask, lang):
    questions = viz.after(next(iter(PROBES)), lang=lang)
    questions.asks[0] = ask
    for choice in ask.choices:
        shown = pick(ask.labels.get(choice, choice), lang)
        assert shown in repr(questions)
        assert questions.answer(1, shown) == questions.answer(1, choice) == questions.said(ask, choice)
    with pytest.raises(ValueError, match=re.escape(shown)):
        questions.answer(1, "none of these")


def test_the_file_is_the_readers_alone_and_forgotten_by_one_call(own_file):
    progress.note("exercises", "relu", right=True)
    progress.note("exercises", "relu", tries=2)
    assert progress.known() == {"exercises": {"relu": {"right": True, "tries": 2}}}
    if os.name == "posix":
        assert stat.S_IMODE(own_file.stat().st_mode) == 0o600
    assert [file.name for file in own_file.parent.iterdir()] == ["progress.json"]
    viz.forget()
    viz.forget()
    assert progress.known() == {} and not own_file.exists()


@pytest.mark.parametrize("text", ["", "[1, 2]", '{"exercises": [1]}', '{"questions": {"x": 3}}', "\x00"])
def test_a_file_that_holds_something_else_breaks_no_lesson(own_file, text):
    own_file.parent.mkdir()
    own_file.write_text(text, encoding="utf-8")
    assert not any(progress.known().values())
    progress.note("exercises", "relu", right=True)
    assert progress.known()["exercises"]["relu"] == {"right": True}


def test_where_nothing_can_be_written_it_is_remembered_until_the_kernel_ends(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("MINIGRAD_PROGRESS", str(tmp_path / "file" / "progress.json"))  # a file is no folder
    progress.note("exercises", "relu", right=True)
    progress.note("exercises", "step", right=False)
    assert set(progress.known()["exercises"]) == {"relu", "step"}
    viz.forget()
    assert progress.known() == {}


def test_the_cell_that_trains_twice_tells_nobody_which_curve_is_wrong():
    notebook = json.loads((Path(__file__).parent.parent / "notebooks/07_your_own_relu.ipynb").read_text("utf-8"))
    source = {cell["id"]: "".join(cell["source"]) for cell in notebook["cells"]}
    drawn = source["predict-which"].partition("with viz.live")[2]
    assert "plot.update(A=a, B=b)" in drawn and "Sloppy" not in drawn and "right" not in drawn
    assert not re.search(r"It is [AB]\b|^ *\"[AB]\",$", source["predict-which"], re.M)


@pytest.mark.parametrize("ask", [pytest.param(ask, id=f"{name} {when}") for name, when, ask in each])
def test_a_question_is_asked_in_chinese_too(ask):
    for text in (ask.ask, *ask.choices.values()):
        english, chinese = pick(text, "en"), pick(text, "zh")
        both = [sorted(re.findall(r"`[^`]+`", each)) for each in (english, chinese)]
        assert both[0] == both[1] and chinese != english, text
    for choice in ask.choices:
        if re.search("[a-z]{2}", choice.replace("None", "")):
            assert choice in ask.labels and re.search("[\u4e00-\u9fff]", pick(ask.labels[choice], "zh")), choice

"""Explorers as pages: small, safe, and with the same picture as the widget in every state that a reader can reach."""

import base64
import functools
import gzip
import json
import random
import re

import pytest
from readable import readable

import minigrad as torch
import viz
from viz.explore.leaving import MOST, key_of, made, tame, written
from viz.explore.shelf import LAST, WAYS
from viz.lesson.predict import Prediction
from viz.lesson.said import marked
from viz.lesson.typed import plain

EXPLORERS = ["rectangle", "nudge", "ledger", "kink", "shelf", "unrolled"]


@pytest.fixture(autouse=True)
def forgetful(monkeypatch):
    """A question knows no answer that was given before."""
    monkeypatch.setattr(Prediction, "given", {})


@functools.cache
def page_of(name):
    return getattr(viz.explore, name)().leaves()


@functools.cache
def saved(name):
    return page_of(name).html()


def data_of(page):
    """What a browser unpacks."""
    stream = json.loads(re.search(r"currentScript.previousElementSibling,\n(.*)\);", page)[1])["stream"]
    return json.loads(gzip.decompress(base64.b64decode(stream)))


def unpacked(data):
    """The contents by part and place, decoded as leaving.js does it."""
    bases, contents, used = {0: []}, [], 0

    def tag(number):
        nonlocal used
        used += not number
        return number - 1 if number else used - 1

    for length, *rest in data["contents"]:
        if length not in bases:
            bases[length] = [tag(number) for number in rest]
        else:
            content, at = list(bases[length]), 0
            for far, number in zip(rest[::2], rest[1::2], strict=True):
                at += far
                content[at] = tag(number)
            bases[length] = content
        contents.append("".join(data["pieces"][number] for number in bases[length]))
    tables = []
    for table in data["tables"]:
        sums, total = [], 0
        for step in table["contents"]:
            sums.append(total := total + step)
        tables.append([contents[number] for number in sums])
    return tables


@pytest.mark.parametrize("name", EXPLORERS)
def test_a_page_is_small_and_needs_nothing_from_elsewhere(name):
    page = saved(name)
    assert len(page.encode()) <= MOST
    assert not re.findall(r"https?://(?!www\.w3\.org/)", page) and "<script src" not in page and "@import" not in page
    assert 'class="viz-still"' in page and "<svg" in page  # what is shown without scripts


@pytest.mark.parametrize("name", EXPLORERS)
def test_what_is_packed_comes_out_again(name):
    page, data = page_of(name), data_of(saved(name))
    for i, (part, table, found) in enumerate(zip(page.parts, data["tables"], unpacked(data), strict=True)):
        for key, content in part.contents.items():
            place = 0
            for size, each in zip(table["sizes"], key, strict=True):
                place = place * size + each
            assert found[place] == tame(content, f"p{i}f")


@pytest.mark.parametrize("name", EXPLORERS)
def test_a_page_says_that_its_pictures_are_recorded_and_a_language_changes_it(name):
    assert "recorded in a notebook" in page_of(name).note()


def test_only_a_page_is_saved_and_only_what_can_leave(tmp_path):
    with pytest.raises(ValueError, match=r"saved as \.html, but got .*x\.svg"):
        viz.explore.rectangle().save(tmp_path / "x.svg")
    with pytest.raises(NotImplementedError, match="memory cannot be saved as a page"):
        viz.explore.memory(T=(1, 3, 1, 2)).save(tmp_path / "x.html")
    viz.explore.rectangle().save(tmp_path / "x.html")
    assert (tmp_path / "x.html").read_bytes().startswith(b"<!doctype html>")


def test_names_of_the_reader_are_escaped():
    page = viz.explore.kink({"</script><b>": torch.relu}).leaves()
    html = page.html()
    assert "</script><b>" not in html and "&lt;/script&gt;&lt;b&gt;" in html


class Walk:
    """The page and the widget, moved in the same way."""

    def __init__(self, name, seed):
        self.page, self.panel = page_of(name), getattr(viz.explore, name)()
        self.panel.recorded = True
        self.panel.refresh()
        self.state, self.random = dict(self.page.start), random.Random(f"{name} {seed}")

    def control(self, name):
        return next(
            each for each in self.page.controls if name in (getattr(each, "name", ""), getattr(each, "move", ""))
        )

    def set(self, name, at):
        self.state[name] = at
        self.state = made(self.state, self.control(name).on)

    def can(self):
        told = "".join(self.at("moves"))
        return dict(each.split(":") for each in told.split(",") if each)

    def press(self, name):
        self.state = made(self.state, self.page.moves[int(self.can()[name])])

    def asked(self):
        return self.page.questions[int(self.at("asks")[0])]

    def answer(self, typed, question):
        """Answer on the page and in the widget: what it sets on the page depends on whether it is right."""
        one = self.asked()
        right = question.check(typed).startswith("✓")
        assert right == (plain(typed) in one.right or typed in one.right or str(plain(typed)).lower() in one.right)
        told = readable(question.feedback.value)
        if right:
            assert readable(one.praise) == told
        else:
            reply = next((text for value, text in one.beliefs if value == written(plain(typed))), one.words["no"])
            assert readable(f"✗ {typed}. {reply}") == told
        self.state = made(self.state, [*one.tried, *(one.done if right else [])])

    def at(self, kind):
        return [part.contents[key_of(part.by, self.state)] for part in self.page.parts if part.kind == kind]

    def same(self):
        pictures = [half.svg for half in self.panel.halves] if hasattr(self.panel, "halves") else []
        shown = self.at("picture")
        if len(shown) != len(pictures):
            pictures = [self.panel.on_page()]
        for one, other in zip(shown, pictures, strict=True):
            assert unnumbered(tame(one)) == unnumbered(tame(other))
        assert "<br>".join(self.at("told")) == self.panel.told


def unnumbered(markup):
    """Without the numbers of graph and run in ids."""
    return re.sub(r"\b[nl]\d+-(\d+-)?", "", markup)


@pytest.mark.parametrize("seed", range(3))
def test_the_rectangle_looks_as_in_the_widget_after_any_moves(seed):
    walk = Walk("rectangle", seed)
    for _ in range(40):
        kind, moving = walk.random.choice(["w", "w", "smaller", "again"]), False
        if kind == "w":
            at = walk.random.randrange(21)
            walk.set("w", at)
            walk.panel.sliders["w"].value = round(walk.panel.w + at * walk.panel.step / 10, 9)
            walk.panel.refresh()  # where the slider already was: a picture that does not move
        elif kind in walk.can():
            walk.press(kind)
            getattr(walk.panel, kind)()
            moving = kind == "smaller"
        assert bool(walk.state.get("moving")) == moving or kind == "smaller"
        walk.same()
        assert float(walk.at("shown w")[0].replace("−", "-")) == walk.panel.sliders["w"].value
        assert ("smaller" in walk.can()) == (walk.panel.step > 0.001 and walk.panel.found.nudge > 0)


@pytest.mark.parametrize("seed", range(3))
def test_the_kink_looks_as_in_the_widget_after_any_moves(seed):
    walk = Walk("kink", seed)
    names = list(walk.panel.functions)
    for _ in range(60):
        kind = walk.random.choice(["name", "h", "needle", "fit", "release", "release", "check"])
        if kind == "name":
            at = walk.random.randrange(3)
            walk.set("name", at)
            walk.panel.choose(names[at])
        elif kind == "h":
            at = walk.random.randrange(4, 9)
            walk.set("h", at)
            walk.panel.sliders["h"].value = at / 4 - 1.5
        elif kind in ("needle", "fit"):
            at = walk.random.randrange(61) if kind == "needle" else round(20 + 20 * walk.panel.slopes.right)
            walk.set("needle", at)
            walk.panel.sliders["needle"].value = at / 20 - 1
        elif kind in walk.can():
            walk.press(kind)
            getattr(walk.panel, kind)()
        walk.same()
        assert ("release" in walk.can()) != walk.panel.release_button.disabled
        assert ("check" in walk.can()) != walk.panel.check_button.disabled
    assert walk.panel.checked


@pytest.mark.parametrize("seed", range(3))
def test_the_nudge_looks_as_in_the_widget_after_any_moves(seed):
    walk = Walk("nudge", seed)
    assert set(walk.can()) == {"no w", "no x"}
    walk.answer("0.03", walk.panel.question)
    for _ in range(40):
        kind = walk.random.choice(["w", "x", "smaller", "again", "forward", "backward", "answer"])
        if kind in "wx":
            at = walk.random.randrange(walk.control(kind).count)
            walk.set(kind, at)
            walk.panel.sliders[kind].value = float(walk.control(kind).texts[at].replace("−", "-"))
            walk.panel.refresh()
        elif kind == "answer":
            if not walk.panel.way:
                walk.answer("0.1", walk.panel.question)
        elif kind != "smaller" or walk.panel.nudge > 1e-4:
            walk.press(kind)
            getattr(walk.panel, kind)()
        walk.same()
        if walk.at("asks") != ["same"]:
            assert walk.asked().asked.endswith(marked(walk.panel.question.question))


@pytest.mark.parametrize("seed", range(3))
def test_the_shelf_looks_as_in_the_widget_after_any_moves(seed):
    walk = Walk("shelf", seed)
    for _ in range(40):
        kind = walk.random.choice(["way", "line", "step", "step", "answer", "answer"])
        if kind == "way":
            at = walk.random.randrange(len(WAYS))
            walk.set("way", at)
            walk.panel.choose(list(WAYS)[at])
        elif kind == "line":
            at = walk.random.randrange(LAST)
            walk.set("line", at)
            walk.panel.sliders["line"].value = at + 1
        elif kind in walk.can():
            walk.press(kind)
            walk.panel.step()
        elif kind == "answer" and walk.state.get("line", 0) == LAST - 1:
            question = walk.panel.question
            walk.answer(walk.random.choice(question.choices), question)
        assert ("step" in walk.can()) == (walk.panel.sliders["line"].value < LAST)
        walk.same()


def test_the_memory_of_given_tensors_is_one_picture():
    w = torch.ones(3, requires_grad=True)
    panel = viz.explore.storages(w, w.detach(), names={"w": w})
    page = panel.leaves()
    assert [tame(each) for each in page.at("picture")] == [tame(panel.on_page())] and "w (leaf" in page.html()


@pytest.mark.parametrize("seed", range(3))
def test_the_accordion_looks_as_in_the_widget_after_any_moves(seed):
    walk = Walk("unrolled", seed)
    names, panel = list(walk.panel.functions), walk.panel
    for _ in range(50):
        kind = walk.random.choice(["name", "T", "guess", "guess", "measure", "give up", "fold"])
        if kind == "name":
            at = walk.random.randrange(3)
            walk.set("name", at)
            panel.choose(names[at])
        elif kind == "T":
            at = walk.random.randrange(walk.control("T").count)
            walk.set("T", at)
            panel.sliders["T"].value = int(walk.control("T").texts[at])
        elif kind == "guess" and "no guess" not in walk.can():
            at = walk.random.randrange(29)
            walk.set("guess", at)
            panel.sliders["guess"].value = float(walk.control("guess").texts[at].replace("−", "-"))
        elif kind == "fold":
            if "no fold" not in walk.can():
                walk.set("fold", 1 - walk.state["fold"])
                panel.fold.value = bool(walk.state["fold"])
        elif kind in walk.can():
            walk.press(kind)
            {"measure": panel.measure, "give up": panel.give_up}[kind]()
        assert ("measure" in walk.can()) != panel.measure_button.disabled
        assert ("give up" in walk.can()) != panel.give_up_button.disabled
        assert float(walk.control("guess").texts[walk.state["guess"]].replace("−", "-")) == panel.sliders["guess"].value
        walk.same()


@pytest.mark.parametrize("seed", range(3))
def test_the_ledger_looks_as_in_the_widget_after_any_moves(seed):
    walk = Walk("ledger", seed)
    panel, programs = walk.panel, ["y = (w + x) * (w + 1)", "y = w + 1"]
    for _ in range(50):
        can = walk.can()
        if walk.at("asks")[0].isdigit() and not panel.question.done:
            assert walk.asked().asked.endswith(marked(panel.question.question))
            walk.answer(walk.random.choice([str(walk.asked().right[0]), "77"]), panel.question)
        else:
            kind = walk.random.choice(["next", "again", "again", "clear", "anew", "program", "retain", "retain"])
            if kind == "program" and "no program" not in can:
                at = walk.random.randrange(2)
                if at != walk.state.get("program", 0):
                    walk.set("program", at)
                    panel.choose(programs[at])
            elif kind == "retain" and "no retain" not in can:
                walk.set("retain", 1 - walk.state.get("retain", 0))
                panel.retain(bool(walk.state["retain"]))
            elif kind in can:
                walk.press(kind)
                {"next": panel.go_on, "again": panel.again, "clear": panel.clear, "anew": panel.start_again}[kind]()
        assert (walk.at("asks") == [""]) == (panel.question.root.layout.display == "none")
        walk.same()
    assert len(panel.passes) or panel.calls


def test_python_and_the_page_compute_states_alike():
    state = {"a": 2, "m.2": 5}
    assert key_of(["a", "b", "m.{a}", "m.{b}", "a!=b"], state) == (2, 0, 5, 0, 1)
    after = made(state, [("m.{a}", "a", -2), ("a", "m.{b}", 2), ("b", 1), ("b", 7, 0, 1)])
    assert after == {"a": 2, "m.2": 4, "b": 1}

"""Explorers as pages: small, safe, and with the same picture as the widget in every state that a reader can reach."""

import base64
import functools
import gzip
import json
import random
import re

import pytest

import minigrad as torch
import viz
from viz.explore.leaving import MOST, key_of, made, tame

EXPLORERS = ["rectangle", "kink"]


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

    for length, *written in data["contents"]:
        if length not in bases:
            bases[length] = [tag(number) for number in written]
        else:
            content, at = list(bases[length]), 0
            for far, number in zip(written[::2], written[1::2], strict=True):
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
    """Without the number of the run in ids."""
    return re.sub(r"\b([nl](?:\d+-)?)\d+-", r"\1", markup)


@pytest.mark.parametrize("seed", range(3))
def test_the_rectangle_looks_as_in_the_widget_after_any_moves(seed, forgetful):
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
        assert ("smaller" in walk.can()) == (walk.panel.step > 0.001)


@pytest.mark.parametrize("seed", range(3))
def test_the_kink_looks_as_in_the_widget_after_any_moves(seed, forgetful):
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


def test_python_and_the_page_compute_states_alike():
    state = {"a": 2, "m.2": 5}
    assert key_of(["a", "b", "m.{a}", "m.{b}", "a!=b"], state) == (2, 0, 5, 0, 1)
    after = made(state, [("m.{a}", "a", -2), ("a", "m.{b}", 2), ("b", 1), ("b", 7, 0, 1)])
    assert after == {"a": 2, "m.2": 4, "b": 1}

"""The sources that the documentation's build writes: docstrings lose no word, and links of included pages hold."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.site
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def docs():
    """The scripts of site/docs."""
    sys.path.insert(0, str(ROOT / "site"))
    try:
        import docs.api
        import docs.docstrings
        import docs.lessons
        import docs.texts
    finally:
        sys.path.remove(str(ROOT / "site"))
    return docs


def words(text: str) -> str:
    """The text without what marks code and lists, and without its line breaks."""
    return " ".join(re.sub(r"[`•]|^\* ", "", text).split())


def test_a_docstring_keeps_every_word_as_restructuredtext(docs):
    """Parsed again by docutils, without a complaint, its text is what `help` shows."""
    from docutils.core import publish_doctree
    from docutils.nodes import system_message

    seen = set()
    for place, name, thing in (each for page in docs.api.chosen().values() for each in page):
        text = inspect.getdoc(thing) or ""
        if text in seen:
            continue
        seen.add(text)
        lines = docs.docstrings.as_rst(text.splitlines(), docs.docstrings.parameters(thing))
        tree = publish_doctree("\n".join(lines), settings_overrides={"report_level": 5, "syntax_highlight": "none"})
        assert not [*tree.findall(system_message)], f"{place}.{name}"
        assert words(tree.astext()) == words(text), f"{place}.{name}"
    assert len(seen) > 500


@pytest.mark.parametrize(
    "text, written",
    [
        ("y = |x| of `x_`, *all* of it", r"y = \|x\| of ``x_``, \*all\* of it"),
        ("the `.grad`s of a_", r"the ``.grad``\ s of a\_"),
        ("- no list", r"\- no list"),
        ("x: a size, `(2,)`::", r"x: a size, ``(2,)``:\:"),
    ],
)
def test_nothing_but_code_is_markup(docs, text, written):
    assert docs.docstrings.escaped(text) == written


def test_parameters_become_a_list(docs):
    lines = ["Draws.", "", "size: how large", "    it is. note: no item.", "Raises ValueError.", "", ">>> f(1)", "2"]
    found = docs.docstrings.as_rst(lines, {"size"})
    assert found[2:] == [
        "* ``size``: how large it is. note: no item.",
        "",
        "Raises ValueError.",
        "",
        ".. code-block:: pycon",
        "",
        "   >>> f(1)",
        "   2",
        "",
    ]


def test_links_lead_to_a_page_here_or_to_the_repository(docs):
    text = "[a](../locale/README.md) [b](judges.py) [c](../../../notebooks/01_graph.ipynb#x) [d](#here) `[e](f)`"
    text += "\n\n    [g](h)  # code\n"
    found = docs.texts.linked(text, "viz/lesson/exercises/README.md", "how-to/exercise.md")
    home = f"{docs.texts.repository()}/blob/main"
    assert found == (
        f"[a]({home}/viz/lesson/locale/README.md) [b]({home}/viz/lesson/exercises/judges.py) "
        "[c](../lessons/01_graph.ipynb#x) [d](#here) `[e](f)`\n\n    [g](h)  # code\n"
    )
    for path, page in docs.texts.PAGES.items():
        source = (ROOT / path).read_text("utf-8")
        for address in re.findall(r"/blob/main/([^)#\s]+)", docs.texts.linked(source, path, page)):
            assert (ROOT / address).exists(), f"{path}: {address}"


def test_a_lesson_keeps_its_cells_and_loses_no_picture(docs):
    import json

    scripts = [path.name for path in (ROOT / "notebooks").glob("[0-9]*.ipynb") if "<script" in path.read_text("utf-8")]
    assert scripts == ["01_graph.ipynb"]  # as the list of lessons says
    for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        stored = json.loads(path.read_text("utf-8"))
        ready = docs.lessons.prepared(json.loads(path.read_text("utf-8")), path.name, True)
        assert [cell["id"] for cell in stored["cells"]] == [cell["id"] for cell in ready["cells"]]
        for before, after in zip(stored["cells"], ready["cells"], strict=True):
            if before["cell_type"] == "code":
                installs = "".join(before["source"])  # on Colab; a page of the documentation has nothing to install
                assert docs.lessons.INSTALLS.sub("", installs) == "".join(after["source"])
                assert ("find_spec" in installs) == (installs != "".join(after["source"]))
                pictures = [each for each in before["outputs"] if {"image/png", "text/html"} & {*each.get("data", ())}]
                assert len(pictures) == sum("text/html" in each.get("data", ()) for each in after["outputs"])

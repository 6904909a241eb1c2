"""What the lessons show before anybody has run or installed anything: their stored outputs, as previews show them.

.ci/store_notebooks.py stores them so, and says why. tests/browser/test_exported.py opens them in a browser.
"""

import base64
import re
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest

from viz.beside import text_of

LESSONS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))
STORE = "store it again: python .ci/store_notebooks.py notebooks/"
KINDS = {"text/plain", "text/html", "image/png"}  # of these each preview shows one as it is, or what is left of it
STEPPERS = {"01_graph"}
BARE = re.compile(r"<\S+ object at|\w+\(children=")  # what Python and widgets say of themselves
SOURCE = re.compile(r"data:image/(png|svg\+xml);base64,([\w+/=]+)")
OUTSIDE = re.compile(r"""(?:src|href)\s*=\s*["']?\s*(?:https?:)?//|url\(|@import|\bfetch\(|\bimport\(""")


def shown(path):
    """All that a notebook shows besides printed lines: (number of the cell, data, metadata)."""
    for number, cell in enumerate(nbformat.read(path, as_version=4).cells):
        for output in cell.get("outputs", []):
            if output.output_type in ("display_data", "execute_result"):
                yield number, output.data, output.metadata


class Sanitised(HTMLParser):
    """What a page shows of markup when it lets no style and no script in: words, and pictures that are in it."""

    def __init__(self, markup):
        super().__init__()
        self.words, self.pictures, self.hidden = "", [], 0
        self.feed(markup)

    def handle_starttag(self, tag, attributes):
        self.hidden += tag in ("style", "script")
        if tag == "img" and not self.hidden:
            self.pictures.append(dict(attributes))

    def handle_endtag(self, tag):
        self.hidden -= tag in ("style", "script")

    def handle_data(self, data):
        self.words += data * (not self.hidden)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_preview_shows_what_is_stored(path):
    for number, data, metadata in shown(path):
        where = f"{path.name}, cell {number}: {STORE}{path.name}"
        assert set(data) <= KINDS, where
        assert len(data["text/plain"]) > 15 and not re.search(r"<\S+ object at|\w+\(children=", data["text/plain"]), (
            where
        )
        if "image/png" in data:
            assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG"), where
            assert len(metadata["image/png"]["alt"]) > 15, where
        if "text/html" in data:
            left = Sanitised(data["text/html"])
            assert left.words.strip() or left.pictures, f"nothing is left of the HTML. {where}"
            assert not OUTSIDE.search(data["text/html"]), f"it asks for something from outside. {where}"
            for picture in left.pictures:
                assert len(picture["alt"]) > 15, where
                kind, code = SOURCE.fullmatch(picture["src"]).groups()
                assert kind == "png" or b"prefers-color-scheme" not in base64.b64decode(code), f"dark colours. {where}"


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_steps_are_stored_alive_and_with_their_picture(path):
    steps = [data for _, data, _ in shown(path) if "<script" in data.get("text/html", "")]
    assert len(steps) == (path.stem in STEPPERS)
    for data in steps:
        assert data["text/plain"].startswith("Steps through the graph")
        (picture,) = Sanitised(data["text/html"]).pictures
        assert picture["src"] == f"data:image/png;base64,{''.join(data['image/png'].split())}"
        for part in ("player.css", "notebook.js", "player.js"):
            assert text_of(f"stepper/{part}") in data["text/html"], f"{part} has changed: {STORE}{path.name}"


def test_an_error_is_stored_with_the_note_under_it():
    """Lesson 6 says that minigrad's note tells how to mend it: it must be there before anybody has run the cell."""
    (path,) = (path for path in LESSONS if path.stem == "06_no_grad")
    outputs = (output for cell in nbformat.read(path, as_version=4).cells for output in cell.get("outputs", []))
    (error,) = (output for output in outputs if output.output_type == "error")
    said, note = error.traceback
    assert said == f"{error.ename}: {error.evalue}"
    assert "this cell, line 6: `e.add_(1)` changed it in place" in note and "x = x + 1" in note


def test_a_sanitised_page_is_read_as_its_reader_reads_it():
    left = Sanitised("<style>p { }</style><p>seen <b>so</b></p><img alt='a' src='b'><script>let c = '<img>';</script>")
    assert (left.words, left.pictures) == ("seen so", [{"alt": "a", "src": "b"}])
    assert OUTSIDE.search('<script src="https://x.y/z.js">') and OUTSIDE.search("<img src=//x.y/z.png>")
    assert not OUTSIDE.search('<svg xmlns="http://www.w3.org/2000/svg">')

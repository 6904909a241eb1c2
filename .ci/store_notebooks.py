"""Run notebooks and store their outputs as the course keeps them: `python .ci/store_notebooks.py notebooks/01*.ipynb`.

GitHub, an exported page and an unopened notebook show the stored outputs. A picture is stored as PNG: GitHub prefers
HTML or SVG to PNG when an output has several forms, removes styles and scripts from HTML, and shows an SVG without some
of its colours and words. Steps are also stored as HTML: their buttons work in an exported page, and GitHub shows
their picture. All outputs have light colours, because those pages are light whatever the reader prefers.
Widgets are left out (they appear when a cell is run). Their first picture or their words are stored instead, with a
sentence that says why nothing moves. Data that changes with each run (times, execution metadata) is left out, too.
../tests/test_stored_outputs.py checks all of this.
"""

import base64
import os
import re
import sys
import tempfile

import nbformat
from nbclient import NotebookClient

from viz.drawing.engine import PINNED

WIDGET = "application/vnd.jupyter.widget-view+json"
SVG = re.compile(r"(?<=data:image/svg\+xml;base64,)[\w+/=]+")
COLOURS = re.compile(r"\x1b\[[\d;]*m")
DARK = re.compile(rb"@media screen and \(prefers-color-scheme:dark\)\{:root\.\w+\{[^}]*\}\}")


def store(path: str) -> None:
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": "notebooks"}}).execute()
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":  # the temporary file of the cell has another name in each run
                output.text = re.sub(r"\S*ipykernel_\d+[/\\]\d+\.py", "this cell", output.text)
            data = output.get("data", {})
            widget = data.pop(WIDGET, None)
            if "image/png" in data:
                data.pop("image/svg+xml", None)
                if not widget:
                    data.pop("text/html", None)  # it shows the same picture again
                elif "<script" not in data["text/html"]:
                    del data["image/png"], output.metadata["image/png"]  # the HTML contains it, with a sentence below
            if "text/html" in data:
                data["text/html"] = SVG.sub(in_light, data["text/html"])
            if output.output_type == "error":  # line numbers in this machine's files are useless to readers
                output.traceback = told(output)
    nbformat.write(notebook, path)


def told(error: nbformat.NotebookNode) -> list[str]:
    """The error's message, and the notes under it."""
    said = f"{error.ename}: {error.evalue}"
    lines = [COLOURS.sub("", line) for line in error.traceback]
    return [said, *lines[lines.index(said) + 1 :]] if said in lines else [said]


def in_light(svg: re.Match[str]) -> str:
    """Remove the dark colours from a picture within HTML."""
    return base64.b64encode(DARK.sub(b"", base64.b64decode(svg[0]))).decode()


with tempfile.TemporaryDirectory() as nobody:
    os.environ["MINIGRAD_PROGRESS"] = os.path.join(nobody, "progress.json")  # do not read the author's own progress
    os.environ["MINIGRAD_DOT"] = PINNED  # the pictures must not depend on this machine's Graphviz
    for name in sys.argv[1:]:
        store(name)

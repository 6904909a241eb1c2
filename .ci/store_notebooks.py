"""Run notebooks and store their outputs as the course keeps them: `python .ci/store_notebooks.py notebooks/01*.ipynb`.

What is stored is what GitHub, an exported page and an unopened notebook show. A picture is a PNG: of several forms of
one output GitHub takes HTML or SVG before PNG, leaves no style and no script in HTML, and shows an SVG without some of
its colours and words. Steps are HTML beside it: in an exported page they can be pressed, and what GitHub leaves of them
is their picture. All of it has light colours, for so have the pages that show it, whatever their reader prefers.
Widgets are left out (they come when a cell is run); what stands for them is their first picture, or their words, with a
sentence that says why nothing moves. Left out, too, is what changes from run to run: times, execution metadata.
../tests/test_stored_outputs.py sees to it.
"""

import base64
import os
import re
import sys
import tempfile

import nbformat
from nbclient import NotebookClient

from viz.drawing.layout import PINNED

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
            if output.get("name") == "stderr":  # the file that the cell ran as has another name each time
                output.text = re.sub(r"\S*ipykernel_\d+[/\\]\d+\.py", "this cell", output.text)
            data = output.get("data", {})
            widget = data.pop(WIDGET, None)
            if "image/png" in data:
                data.pop("image/svg+xml", None)
                if not widget:
                    data.pop("text/html", None)  # the same picture once more
                elif "<script" not in data["text/html"]:
                    del data["image/png"], output.metadata["image/png"]  # it is in the HTML, with a sentence below it
            if "text/html" in data:
                data["text/html"] = SVG.sub(in_light, data["text/html"])
            if output.output_type == "error":  # the lines of this machine's files say nothing to others
                output.traceback = told(output)
    nbformat.write(notebook, path)


def told(error: nbformat.NotebookNode) -> list[str]:
    """What an error says, and the notes under it."""
    said = f"{error.ename}: {error.evalue}"
    lines = [COLOURS.sub("", line) for line in error.traceback]
    return [said, *lines[lines.index(said) + 1 :]] if said in lines else [said]


def in_light(svg: re.Match[str]) -> str:
    """A picture within HTML without its dark colours."""
    return base64.b64encode(DARK.sub(b"", base64.b64decode(svg[0]))).decode()


with tempfile.TemporaryDirectory() as nobody:
    os.environ["MINIGRAD_PROGRESS"] = os.path.join(nobody, "progress.json")  # what you have done is nobody else's
    os.environ["MINIGRAD_DOT"] = PINNED  # the same pictures, whichever Graphviz this machine has
    for name in sys.argv[1:]:
        store(name)

"""Run notebooks and store their outputs as the course keeps them: `python .ci/store_notebooks.py notebooks/01*.ipynb`.

What is stored is what GitHub, a printed page and an unopened notebook show: text, SVG and PNG. Live widgets are left
out (they come when a cell is run), and so is whatever would change from run to run: times, execution metadata.
"""

import os
import re
import sys
import tempfile

import nbformat
from nbclient import NotebookClient

WIDGET = "application/vnd.jupyter.widget-view+json"


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
            if data.pop(WIDGET, None):
                data.pop("text/html", None)  # alive as well: a preview would show what is left of it, and no PNG
            if "image/svg+xml" in data:
                data.pop("text/html", None)  # the same picture once more, which not every preview shows
            if output.output_type == "error":  # the lines of this machine's files say nothing to others
                output.traceback = [f"{output.ename}: {output.evalue}"]
    nbformat.write(notebook, path)


with tempfile.TemporaryDirectory() as nobody:
    os.environ["MINIGRAD_PROGRESS"] = os.path.join(nobody, "progress.json")  # what you have done is nobody else's
    for name in sys.argv[1:]:
        store(name)

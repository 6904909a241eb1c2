"""Write the links "Colab · Binder" and the line that installs into each lesson: `python .ci/open_elsewhere.py`.

Both stand in cells that the lesson has already, so that no cell gets another id: the links are the last paragraph of
the title, and the first code cell begins with the installation. Run it after you have added a lesson; it changes
nothing where all is there. The stored outputs stay as they are.

Needs nbformat. ../tests/test_elsewhere.py checks the result.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from urllib.parse import quote

import nbformat

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(Path(__file__).parent))
from address import address  # noqa: E402

LINKS = re.compile(r"\n\n\[Colab\]\([^)]*\) · \[Binder\]\([^)]*\)\Z")
INSTALL = re.compile(r'\Afrom importlib\.util import find_spec\n\nif not find_spec\("viz"\):.*?\n\n', re.S)


def links(path: str, branch: str = "main") -> str:
    """The links that open a notebook of the repository on Colab and on Binder."""
    repository, _ = address()
    colab = f"https://colab.research.google.com/github/{repository}/blob/{branch}/{path}"
    binder = f"https://mybinder.org/v2/gh/{repository}/{branch}?urlpath=lab/tree/{path}"
    return f"[Colab]({colab}) · [Binder]({binder})"


def pulled(path: str, hub: str, branch: str = "main") -> str:
    """The link with which nbgitpuller copies the repository into a reader's home on a JupyterHub."""
    repository, _ = address()
    source, name = quote(f"https://github.com/{repository}", safe=""), repository.partition("/")[2]
    opened = quote(f"lab/tree/{name}/{path}", safe="")
    return f"{hub.rstrip('/')}/hub/user-redirect/git-pull?repo={source}&branch={branch}&urlpath={opened}"


def install() -> str:
    """The first lines of a lesson: they install the course where it is not installed, and are silent elsewhere."""
    repository, _ = address()
    name = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["name"]
    return (
        "from importlib.util import find_spec\n\n"
        'if not find_spec("viz"):  # Colab\n'
        f'    course = "{name}[viz] @ git+https://github.com/{repository}"\n'
        "    get_ipython().system(f\"pip install -q '{course}'\")\n\n"
    )


def written(notebook: nbformat.NotebookNode, path: str) -> nbformat.NotebookNode:
    """The notebook with its links and its installation."""
    title = notebook.cells[0]
    title.source = LINKS.sub("", title.source) + "\n\n" + links(path)
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    first.source = install() + INSTALL.sub("", first.source)
    return notebook


if __name__ == "__main__":
    for file in sorted(ROOT.glob("notebooks/*.ipynb")):
        before = file.read_bytes()
        notebook = written(nbformat.read(file, as_version=4), file.relative_to(ROOT).as_posix())
        nbformat.write(notebook, file)
        if file.read_bytes() != before:
            print(f"changed {file.relative_to(ROOT).as_posix()}")

"""The lessons as pages. Their stored outputs are shown as they are; nothing runs.

A stepper plays by itself. Another widget shows its first picture, and a sentence says why nothing moves and where to
run the lesson; if the gallery has a page on which the same explorer moves, it is linked. Pictures get their alternative
text, which the page would lose. Imports viz's rule of how small a picture may be.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

from placeholder import unlinked

from viz.drawing.page import narrowest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS, GALLERY = ROOT / "notebooks", ROOT / "site" / "gallery"
WHY = re.compile(r'(<p class="viz-why"[^>]*>).*?(?=</p>)', re.DOTALL)  # the sentence below a widget that stands still
WIDE = re.compile(r'<img style="max-width: none"[^>]*? width="(\d+)"')
INSTALLS = re.compile(
    r'\Afrom importlib\.util import find_spec\n\nif not find_spec\("viz"\):.*?\n\n', re.DOTALL
)  # for Colab
ELSEWHERE = re.compile(r"^\[Colab\]\(\S+\)", re.MULTILINE)  # the line below a lesson's title


def write(target: Path, *, lab: bool) -> None:
    """Write the lessons, and the list of them, as sources for Sphinx. lab: is there a page that runs them?"""
    target.mkdir(parents=True)
    names = []
    for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb")):
        lesson = prepared(json.loads(path.read_text(encoding="utf-8")), path.name, lab)
        (target / path.name).write_text(json.dumps(lesson, ensure_ascii=False), encoding="utf-8")
        names.append(path.stem)
    where = f"open a lesson {link(None, 'in your browser')}" if lab else "open the lessons in JupyterLab"
    lead = (
        "The fourteen notebooks of the course, with the outputs that are stored in them. The stepper of lesson 1 "
        f"moves here, without Python. To change the code and to answer the questions, {where}."
    )
    lines = ["# The lessons", "", lead.replace("[in your browser](#where)", link(None, "in your browser")), ""]
    lines += ["```{toctree}", ":maxdepth: 1", "", *names, "```", ""]
    (target / "index.md").write_text("\n".join(lines), encoding="utf-8")


def link(name: str | None, words: str) -> str:
    """A link from a page in docs/lessons/ to a lesson in JupyterLite, or to their list."""
    return f'<a href="../../lab/index.html{f"?path={name}" if name else ""}">{words}</a>'


def prepared(lesson: dict[str, Any], name: str, lab: bool) -> dict[str, Any]:
    for cell in lesson["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            here = f"{link(name, 'Run it in your browser')} · " if lab else ""
            cell["source"] = unlinked(ELSEWHERE.sub(lambda found, here=here: here + found[0], text))
        if cell["cell_type"] == "code":
            cell["source"] = INSTALLS.sub("", text)
        if cell["metadata"].get("jupyter", {}).get("source_hidden"):
            cell["metadata"].setdefault("tags", []).append("hide-input")
        for output in cell.get("outputs", ()):
            if "data" in output:
                output["data"] = shown(output, moving(text), name, lab)
                output["metadata"] = {}
    return lesson


def moving(code: str) -> str | None:
    """The gallery's page on which the explorer moves that this code shows, or None."""
    shows = re.search(r"viz\.explore\.\w+\(", code)
    for path in sorted(GALLERY.glob("*.md")) if shows else ():
        if f"\npicture: {shows[0]}" in path.read_text(encoding="utf-8"):
            return path.stem
    return None


def fitting(width: int) -> str:
    """The style of a picture of this width that must stay readable: what does not fit scrolls."""
    return f"max-width: 100%; height: auto; min-width: {narrowest(width)}px"


def shown(output: dict[str, Any], page: str | None, name: str, lab: bool) -> dict[str, Any]:
    """The one representation of an output that the page shows."""
    data = {kind: "".join(value) for kind, value in output["data"].items()}
    if "text/html" in data:
        text = data["text/html"]
        where = link(name, "Run this lesson in your browser") if lab else "Open this lesson in JupyterLab"
        if page:
            where += f', or <a href="../../gallery/{page}.html">see it move on a page of its own</a>'
        text = WHY.sub(lambda found: f"{found[1]}Nothing moves here, because this page runs no Python. {where}.", text)
        text = WIDE.sub(lambda found: found[0].replace("max-width: none", fitting(int(found[1]))), text)
        text = re.sub(r'(?<=href=")(\d\d_\w+)\.ipynb(?=")', r"\1.html", text)  # the map of the course
        return {"text/html": f'<div class="lesson-output">{text}</div>'}
    if "image/png" in data:
        facts = output["metadata"].get("image/png", {})
        style = fitting(facts["width"]) if facts.get("unconfined") else "max-width: 100%; height: auto"
        size = "".join(f' {side}="{facts[side]}"' for side in ("width", "height") if side in facts)
        image = (
            f'<img class="lesson-picture" style="{style}" alt="{html.escape(facts.get("alt", ""))}"{size} '
            f'loading="lazy" src="data:image/png;base64,{data["image/png"].strip()}">'
        )
        return {"text/html": f'<div class="lesson-output">{image}</div>'}
    return data

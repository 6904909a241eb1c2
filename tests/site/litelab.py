"""Drives a lesson in JupyterLite, as a reader would: open its link, run all cells, fill in an answer, look.

    lesson = Lesson(page)           a page on which lab/index.html?path=… was opened
    lesson.run_all()
    lesson.fill("relu_backward", source)

The prompt of a cell shows a number after it has run, so a lesson that stopped at an error leaves some without one.
"""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from viz.lesson.exercises import load
from viz.lesson.task import TASKS

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
CELLS = ".jp-Notebook .jp-CodeCell"
SOLVED = {"01": "cube_slope", "07": "relu_backward", "09": "rnn_step", "13": "own_slopes"}  # an exercise of each
PATIENCE = 240.0  # seconds, for a lesson on a busy machine
# JupyterLite's own complaints, on every page that it makes
ITS_OWN = re.compile(
    r"was preloaded using link preload|willReadFrequently|jupyterlite-loading|service.?worker|favicon|"
    r"Menu entry for command|default shortcut because|Uploader widget not found",
    re.IGNORECASE,
)

# What axe-core finds in JupyterLite's own page, by rule, and why it is not ours to mend
ITS_FAULTS = {
    "aria-input-field-name": "the editor of a cell, a textbox without a name",
    "aria-required-children": "the list of cells, a feed whose children are no articles",
    "button-name": "the arrow beside a heading, which folds what is under it",
    "link-name": "Jupyter's logo, which leads to the list of files",
    "skip-link": "`Skip to Main` leads to an id that no cell has",
    "tabindex": "`Skip to Main` comes first by a tabindex of 1",
}
OURS = ".jp-OutputArea-output, .jp-RenderedMarkdown"  # what a lesson shows: there axe-core must find nothing


def address(number: str) -> str:
    """The link that opens lesson "01"."""
    (path,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
    return f"lab/index.html?path={path.name}"


def source_of(number: str, part: str) -> str:
    """The source of the first cell of lesson "01" in which `part` stands."""
    (path,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    found = next(text for cell in cells if cell["cell_type"] == "code" and part in (text := "".join(cell["source"])))
    return found


def solution(number: str, name: str) -> str:
    """The cell of an exercise with its gap filled in."""
    load()
    source = source_of(number, f'viz.exercise("{name}")')
    solved = source.replace(TASKS[name].gap.strip(), TASKS[name].solution.strip())
    assert solved != source
    return solved


class Lesson:
    """An open lesson."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.wait_for_selector(CELLS, timeout=1000 * PATIENCE)
        page.wait_for_selector(
            ".jp-Notebook-ExecutionIndicator[data-status=idle]", state="attached", timeout=1000 * PATIENCE
        )

    def run_all(self) -> list[str]:
        """Run all cells; returns what stands before each of them, "[3]:" for the third that has run. A cell whose
        source is folded away has nothing there."""
        self.page.locator('.lm-MenuBar-itemLabel:text-is("Run")').click()
        self.page.locator('.lm-Menu-itemLabel:text-is("Run All Cells")').click()
        return self.wait()

    def wait(self) -> list[str]:
        """Wait until no cell is running or waiting to be run."""
        end, calm = time.monotonic() + PATIENCE, 0
        while time.monotonic() < end and calm < 5:
            time.sleep(0.3)
            found = self.prompts()
            idle = self.page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").count()
            rests = idle and any(re.search(r"\d", each) for each in found) and not any("*" in each for each in found)
            calm = calm + 1 if rests else 0
        return self.prompts()

    def prompts(self) -> list[str]:
        return self.of_cells(".jp-InputPrompt")

    def outputs(self) -> list[str]:
        return self.of_cells(".jp-OutputArea")

    def of_cells(self, part: str) -> list[str]:
        """The text of this part of each code cell."""
        read = f"""() => [...document.querySelectorAll({CELLS!r})].map(
            cell => cell.querySelector({part!r})?.innerText.trim() ?? '')"""
        found: list[str] = self.page.evaluate(read)
        return found

    def errors(self) -> list[str]:
        """The errors at which a cell has stopped."""
        found: list[str] = self.page.locator(
            '.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.error"]'
        ).all_inner_texts()
        return found

    def cell(self, part: str) -> Locator:
        """The cell in whose source `part` stands."""
        return self.page.locator(CELLS).filter(has=self.page.locator(".cm-content", has_text=part)).first

    def fill(self, part: str, source: str) -> None:
        """Replace the source of a cell, and run it."""
        cell = self.cell(part)
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(source)
        before = cell.locator(".jp-InputPrompt").inner_text()
        self.page.keyboard.press("Control+Enter")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            time.sleep(0.2)
            now = cell.locator(".jp-InputPrompt").inner_text()
            if now != before and "*" not in now:
                return
        raise AssertionError(f"the cell with {part} did not end: {cell.locator('.jp-OutputArea').inner_text()}")


def findings(page: Any, axe: str) -> tuple[list[str], dict[str, list[str]]]:
    """What axe-core finds in what the lesson shows; and, by rule, in JupyterLite's page around it."""
    page.evaluate(axe)
    told = page.evaluate(
        """ours => axe.run({ resultTypes: ['violations'] }).then(told => told.violations.flatMap(one =>
            one.nodes.map(node => ({ rule: one.id, html: node.html.slice(0, 160),
                ours: Boolean(document.querySelector(node.target[0])?.closest(ours)) }))))""",
        OURS,
    )
    ours = [f"{one['rule']}: {one['html']}" for one in told if one["ours"]]
    its: dict[str, list[str]] = {}
    for one in told:
        if not one["ours"]:
            its.setdefault(one["rule"], []).append(one["html"])
    return ours, its


def complaints(page: Any) -> list[str]:
    """What the console says about our pages, without what JupyterLite says on all of its own."""
    return [said for said in page.said if not ITS_OWN.search(said)]

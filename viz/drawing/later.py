"""Lays out in a notebook, after the first picture is shown, the views that its reader may open.

The work is a generator. The kernel's event loop runs it step by step while no cell runs, so the next cell waits for one
step at most, and no second thread competes with the reader's program. The result then replaces an empty output above
the picture. It is a script that hands the views to the viewer. It is stored with the notebook, so the boxes open in a
saved page, too.

Such an update reaches only a front end that is still there after the cell has run, such as JupyterLab. Such a front end
also gives an id to each cell, by which it is known here. A program that only runs notebooks, such as nbconvert, gives
none: there all views are laid out before the picture is shown.
Imports alive, browser; IPython where a notebook runs. Read viewer.js next.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator
from time import perf_counter
from typing import Any

from ..alive import cell_of, notebook
from ..browser import here

AT_A_TIME, PAUSE = 0.04, 0.004  # seconds of work without a break, about; seconds of each break
SCRIPT = """<script>
(window.vizLater ??= {{}})[{name}] = {views};
window.dispatchEvent(new CustomEvent("viz-later", {{ detail: {name} }}));
</script>"""


def can_follow() -> bool:
    """Can an output be replaced after the running cell has ended?"""
    shell = notebook()
    if shell is None or here() or cell_of(shell) is None:
        return False
    try:
        asyncio.get_running_loop()
    except RuntimeError:  # on another thread
        return False
    return True


def follow(name: str, steps: Generator[None, None, dict[str, Any]]) -> None:
    """Do the steps while no cell runs, then hand the "views" of their result to the viewer that waits for `name`."""
    from IPython.display import display

    loop = asyncio.get_running_loop()
    shown = display({"text/plain": "", "text/html": ""}, raw=True, display_id=True)

    def work() -> None:
        began = perf_counter()
        try:
            next(steps)
            while perf_counter() - began < AT_A_TIME:
                next(steps)
        except StopIteration as end:
            hand_over(end.value["views"])
        except Exception:  # the engine fails, or is gone: the page says that these boxes don't open
            hand_over(None)
        else:
            loop.call_later(PAUSE, work)

    def hand_over(views: str | None) -> None:
        script = SCRIPT.format(name=json.dumps(name), views=json.dumps(views).replace("<", "\\u003c"))
        shown.update({"text/plain": "", "text/html": script}, raw=True)

    loop.call_later(PAUSE, work)

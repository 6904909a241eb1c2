"""`viz.rerun(function, w=(…), x=(…))`: sliders that run the reader's own function again.

A tensor is no spreadsheet cell: no result changes unless the code runs again. So the panel
shows the call that a slider caused, and the number of the run, above its picture.
Read next: explore/panel.py, which does the work.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

from ..drawing.picture import Picture
from ..explore.panel import Panel, Slider
from ..locale import language


def rerun(function: Callable[..., Any], **sliders: Slider) -> Rerun:
    """A slider for each argument of `function`, which runs at once and again after each move.

    function: takes the sliders' values by name and returns a picture (from `viz.draw`).
    sliders: name=(smallest, largest, step, first value); whole numbers if only these make sense.
    """
    return Rerun(function, sliders)


class Rerun(Panel):
    """What `rerun` returns. From code: `panel.sliders["w"].value = 2`; to look at: `runs`, `picture`, `error`."""

    def __init__(self, function: Callable[..., Any], sliders: dict[str, Slider]):
        super().__init__(sliders, live=False)
        self.lang = language()
        self.function = function
        self.refresh()

    def draw(self, **values: Any) -> Any:
        return self.function(**values)

    def says(self, **values: Any) -> str:
        call = f"{self.function.__name__}({', '.join(f'{name}={value:g}' for name, value in values.items())})"
        built = "a new graph" if isinstance(self.picture, Picture) else "a new picture"
        return f"run {self.runs}: <code>{html.escape(call)}</code> → {built}"

    def __repr__(self) -> str:
        values = ", ".join(f"{name} = {moved.value:g}" for name, moved in self.sliders.items())
        return f"rerun of {self.function.__name__} at {values}: {self.picture!r}"

"""`viz.rerun(function, w=(…), x=(…))`: sliders that run the reader's own function again.

A tensor is no spreadsheet cell: nothing changes when a number does, unless the code runs again. So the panel
shows the call that a slider caused, and the number of the run, above the picture that it made.
Imports ipywidgets where a panel is made. Read next: live.py.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

from ..drawing.picture import Picture
from ..training.trainer import Slider, _slider


def rerun(function: Callable[..., Any], **sliders: Slider) -> Rerun:
    """A slider for each argument of `function`, which is run at once and again whenever one is moved.

    function: takes the sliders' values by name and gives a picture (what `viz.draw` or `viz.needle` makes).
    sliders: name=(smallest, largest, step, first value); whole numbers where only these make sense.
    """
    return Rerun(function, sliders)


class Rerun:
    """What `rerun` makes. From code: `panel.sliders["w"].value = 2`; to look at: `runs`, `picture`, `error`."""

    def __init__(self, function: Callable[..., Any], sliders: dict[str, Slider]):
        import ipywidgets as widgets

        self.function = function
        self.runs = 0
        self.picture: Any = None
        self.error: Exception | None = None
        self.sliders = {name: _slider(name, *values) for name, values in sliders.items()}
        self.status, self.shown = widgets.HTML(), widgets.HTML()
        for slider in self.sliders.values():
            slider.observe(lambda _: self.run(), "value")
        self.widget = widgets.VBox([*self.sliders.values(), self.status, self.shown])
        self.run()

    def run(self) -> None:
        """Run the function with the sliders' values. An error is shown on the panel, after the last picture."""
        values = {name: slider.value for name, slider in self.sliders.items()}
        self.runs += 1
        call = f"{self.function.__name__}({', '.join(f'{name}={value:g}' for name, value in values.items())})"
        try:
            self.picture, self.error = self.function(**values), None
        except Exception as error:  # the reader's own, whatever it is: it belongs on the panel
            self.error = error
        if self.error is None:
            built = "a new graph" if isinstance(self.picture, Picture) else "a new picture"
        else:
            built = f"✗ {type(self.error).__name__}: {self.error}"
        self.status.value = (
            f'<div role="status">run {self.runs}: <code>{html.escape(call)}</code> → {html.escape(built)}</div>'
        )
        if self.picture is not None:
            self.shown.value = f'<div style="overflow-x: auto">{self.picture.svg}</div>'

    def _repr_mimebundle_(self, **_options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The panel, and the picture of this run for a page that shows no widgets."""
        data, metadata = self.picture._repr_mimebundle_()
        data.pop("image/svg+xml", None)  # else it would be shown in the widget's place
        return {**data, **self.widget._repr_mimebundle_(), "text/plain": repr(self)}, metadata

    def __repr__(self) -> str:
        values = ", ".join(f"{name} = {slider.value:g}" for name, slider in self.sliders.items())
        return f"rerun of {self.function.__name__} at {values}: {self.picture!r}"

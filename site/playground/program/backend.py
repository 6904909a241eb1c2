"""matplotlib's backend in the playground: `plt.show()`, `plt.pause()` and the program's end show the open figures."""

from __future__ import annotations

from typing import Any

from matplotlib import pyplot
from matplotlib.backend_bases import FigureManagerBase as FigureManager
from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas

from . import outputs

__all__ = ["FigureCanvas", "FigureManager", "show"]
shown = 0  # figures that were shown and closed: the next one has the same number, but is another


def show(block: bool | None = None, **_options: Any) -> None:
    """Show the open figures. `plt.pause()` does so with block=False; the figure then stays open, and is replaced."""
    global shown
    for number in pyplot.get_fignums():
        figure = pyplot.figure(number)
        if figure.axes:
            outputs.figure(f"figure {shown}.{number}", figure)
    if block is not False:
        pyplot.close("all")
        shown += 1

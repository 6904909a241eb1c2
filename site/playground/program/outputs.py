"""What a program shows besides text: pictures of graphs, steppers, live plots and matplotlib's figures.

A notebook's `display` and `clear_output` work, since much code that is pasted here was written for one. Plots are PNGs,
pictures are SVGs of our own. matplotlib comes with backend.py, which shows figures in the page.
"""

from __future__ import annotations

import base64
import io
import json
import logging
import os
import sys
import types
from collections.abc import Callable
from typing import Any

import viz
from viz.training.live import shown_on

SHARP = 2  # pixels of a PNG per pixel of the page

say: Callable[[str, str], None]
ends: list[Callable[[], None]] = []
plots = 0


def get_ready(tell: Callable[[str, str], None]) -> None:
    global say
    say = tell
    shown_on(Plots())
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # some large fonts are not on the page
    os.environ["MPLBACKEND"] = f"module://{__package__}.backend"
    notebook = types.ModuleType("IPython")
    notebook.__path__ = []  # type: ignore[attr-defined]
    notebook.display = types.ModuleType("IPython.display")  # type: ignore[attr-defined]
    notebook.get_ipython = lambda: None  # type: ignore[attr-defined]
    notebook.version_info = (9, 0)  # type: ignore[attr-defined]  # matplotlib asks for it
    vars(notebook.display).update(display=display, clear_output=clear_output)
    sys.modules |= {"IPython": notebook, "IPython.display": notebook.display}


class Plots:
    """The page as a place for `viz.live()`."""

    def opened(self) -> Callable[[bytes, str, tuple[int, int]], None]:
        global plots
        plots += 1
        name = f"live {plots}"
        return lambda png, alt, size: plot(name, png, alt, size)

    def at_the_end(self, finish: Callable[[], None]) -> None:
        ends.append(finish)


def plot(name: str, png: bytes, alt: str, size: tuple[int, int]) -> None:
    """Show a PNG; it replaces the one of the same name."""
    said = {"name": name, "png": base64.b64encode(png).decode(), "alt": alt, "width": size[0], "height": size[1]}
    say("plot", json.dumps(said))


def figure(name: str, figure: Any) -> None:
    """Show a figure of matplotlib; it replaces the one of the same name."""
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=SHARP * figure.get_dpi(), bbox_inches="tight")  # as a notebook shows it
    png = out.getvalue()
    width, height = (int.from_bytes(png[at : at + 4], "big") // SHARP for at in (16, 20))  # they stand in its head
    plot(name, png, in_words(figure), (width, height))


def in_words(figure: Any) -> str:
    """What can be said of a figure without seeing it: titles, labels, and how many lines there are."""
    parts = []
    for axes in figure.axes:
        words = [
            axes.get_title(),
            *(f"{name}: {text}" for name, text in (("x", axes.get_xlabel()), ("y", axes.get_ylabel()))),
        ]
        said = ", ".join(word for word in words if word and not word.endswith(": "))
        parts.append(f"{said or 'a plot'} ({len(axes.lines)} lines)" if axes.lines else said or "a plot")
    return "Figure. " + "; ".join(parts)


def display(*things: Any, **_options: Any) -> None:
    """Show things as a notebook would."""
    for thing in things:
        if isinstance(thing, str):
            print(thing)
        elif hasattr(thing, "events") and hasattr(thing, "script"):  # a tape, or a stepper
            step = thing if hasattr(thing, "data") else viz.step(thing) if thing.script else None
            if step is None:
                print(thing)
            else:
                say("steps", json.dumps({"steps": json.dumps(step.data)}))
        elif hasattr(thing, "savefig"):
            global plots
            plots += 1
            figure(f"figure {plots}", thing)
        elif isinstance(getattr(thing, "svg", None), str):
            say("picture", json.dumps({"svg": thing.svg, "alt": getattr(thing, "alt", "")}))
        elif type(thing).__name__ != "LivePlot":  # that has shown itself
            print(repr(thing))


def clear_output(wait: bool = False) -> None:
    """Delete what was printed and shown so far."""
    sys.stdout.flush()
    say("clear", json.dumps({"wait": bool(wait)}))


def at_the_end() -> None:
    """Show what has waited for the program's end: the last state of plots, and open figures."""
    for finish in dict.fromkeys(ends):
        try:
            finish()
        except Exception as error:
            print(f"The plot can't be painted: {type(error).__name__}: {error}", file=sys.stderr)
    if "matplotlib.pyplot" in sys.modules:
        from . import backend

        backend.show()

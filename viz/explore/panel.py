"""The parts of every explorer: sliders with a name, a picture made of SVG, and the panel that joins them.

A tensor is no spreadsheet cell: no result changes unless the code runs again. So a panel shows the
number of the run that its picture comes from, and every move of a slider runs the code again.

Threads: in JupyterLab, the message of a slider may arrive on another thread, even while a cell runs or an older
message is still being drawn. One thread draws at a time; another one only requests a new picture and returns. Of many
positions of a slider, only the last is sure to be drawn, and no old one is drawn after it.

Imports boxes, paint, picture, svg of drawing/; ipywidgets and anywidget where a panel is made. Read next: nudge.py.
"""

from __future__ import annotations

import html
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from hashlib import blake2s
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..alive import chosen, only, owns, showing
from ..beside import text_of
from ..drawing.boxes import colours
from ..drawing.page import SCROLL
from ..drawing.paint import root, style
from ..drawing.png import can_make, png_of
from ..drawing.svg import Element, element
from ..front import AWAKE, SAVES, shown
from ..locale import ENGLISH, room

if TYPE_CHECKING:
    from .leaving import Leaving

Slider = tuple[float, float, float, float]  # smallest, largest, step, first value; if all are int, the value is, too

NARROWEST = 440  # pixels

STYLE = f"{SCROLL}<style>{text_of('explore/panel.css')}</style>"
tr = room("explore")
BUSY = tr("computing …")


@cache
def _slider_classes() -> tuple[Any, Any]:
    import anywidget
    import traitlets

    class NamedSlider(anywidget.AnyWidget):
        _esm = SAVES + text_of("explore/slider.js")
        _css = text_of("explore/slider.css") + AWAKE
        description = traitlets.Unicode().tag(sync=True)
        before = traitlets.Unicode("").tag(sync=True)  # the text before its number, such as "10^"
        labels: Any = traitlets.List().tag(sync=True)  # a text for each position, in place of its number
        min, max, step = (traitlets.Float().tag(sync=True) for _ in range(3))
        value: Any = traitlets.CFloat().tag(sync=True)  # JavaScript has one kind of number: convert it to float
        live, disabled = (traitlets.Bool(False).tag(sync=True) for _ in range(2))

        @traitlets.validate("value")
        def _within(self, proposal: Any) -> Any:
            return type(proposal.value)(min(max(proposal.value, self.min), self.max))

    class WholeSlider(NamedSlider):
        value: Any = traitlets.CInt().tag(sync=True)

    return NamedSlider, WholeSlider


def slider(name: str, smallest: float, largest: float, step: float, value: float, *, live: bool = True) -> Any:
    """A slider called `name` whose `.value` can be read, set and observed; not `live`, it reports only on release."""
    whole = all(isinstance(number, int) for number in (smallest, largest, step, value))
    kind = _slider_classes()[whole]
    bounds = dict(min=smallest, max=largest, step=step)
    return kind(**bounds, value=value, description=name.replace("_", " "), live=live)


class Sketch:
    """A picture made of `parts`: `.svg`, `.alt` (the same in words) and `.png()`; a notebook displays it."""

    narrowest: float = NARROWEST  # pixels; it does not shrink further in a narrow window

    def __init__(self, parts: Iterable[Element], size: tuple[float, float], *, title: str, alt: str):
        self.parts, self.size, self.title, self.alt = list(parts), (round(size[0]), round(size[1])), title, alt

    @property
    def svg(self) -> str:
        """The picture as SVG: one string for a page, an image, print and both themes."""
        return self._paint(styled=True)

    def png(self) -> bytes:
        """The picture as a PNG with light colours, in twice the resolution."""
        return png_of(self._paint(styled=False))

    def _paint(self, *, styled: bool) -> str:
        prefix = "s" + blake2s("".join([self.alt, *self.parts]).encode(), digest_size=4).hexdigest()
        width, height = self.size
        # It shrinks in a narrow window, but only while it is readable; then it scrolls.
        narrow = f"svg.{prefix}{{max-width:100%;min-width:{min(width, self.narrowest)}px;height:auto}}"
        paper = element("rect", width=width, height=height, rx=8, **colours("paper"))
        told = dict(title=self.title, alt=self.alt, rules=(style(prefix) + narrow) * styled, aria_label=self.alt)
        return root([paper, *self.parts], prefix, self.size, f"0 0 {width} {height}", **told)

    def __repr__(self) -> str:
        return self.alt

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        width, height = self.size
        data: dict[str, Any] = {"text/plain": self.alt, "image/svg+xml": self.svg}
        facts: dict[str, Any] = {"image/svg+xml": {"unconfined": True}}
        if can_make():
            data["image/png"] = self.png()
            facts["image/png"] = {"width": width, "height": height, "alt": self.alt, "unconfined": True}
            facts["image/png"]["narrowest"] = min(width, self.narrowest)
        return data, facts


class Panel:
    """Sliders above a picture. `draw` makes the picture from their values, again after each move.

    From code: `panel.sliders["w"].value = 2`; to look at: `runs`, `picture`, `error`. Subclasses define `draw`, and
    may put more controls on top.
    """

    lang = ENGLISH

    def __init__(self, sliders: Mapping[str, Slider], *, live: bool = True):
        import ipywidgets as widgets

        self.runs = 0
        self.picture: Any = None
        self.error: Exception | None = None
        self.recorded = False  # for a saved page, where no code runs after a move
        self.told = ""  # the text above the picture, as markup
        self.sliders = {name: slider(name, *values, live=live) for name, values in sliders.items()}
        for moved in self.sliders.values():
            moved.observe(only(self.refresh), "value")
        self.status, self.shown = widgets.HTML(), widgets.HTML()
        self.root = widgets.VBox([*self.sliders.values(), self.status, self.shown])
        self.root.add_class("viz-panel")
        owns(self, self.root)
        self._drawing, self._wanted = threading.Lock(), False

    @property
    def widget(self) -> Any:
        """The panel as one widget, to be placed among others."""
        showing(self)
        return self.root

    def draw(self, *args: Any, **values: Any) -> Any:
        """A picture for these values of the sliders: something with `.svg` and `._repr_mimebundle_()`."""
        raise NotImplementedError

    def says(self, *args: Any, **values: Any) -> str:
        """The line above the picture, as markup."""
        raise NotImplementedError

    def leaves(self) -> Leaving:
        """The page that `save` writes: it begins as a new panel does."""
        raise NotImplementedError(f"{type(self).__name__.lower()} cannot be saved as a page")

    def save(self, path: str | Path) -> None:
        """Write a page (`.html`) that shows this explorer without a kernel, from its beginning.

        Where there are too many positions of a slider, the page offers fewer, and says so.
        Raises NotImplementedError for an explorer that has no such page, and ValueError for another kind of file.
        """
        self.leaves().save(path)

    def put_on_top(self, *controls: Any) -> None:
        """Place more controls above the sliders."""
        self.root.children = (*controls, *self.root.children)

    def refresh(self) -> None:
        """Draw again, with the current values. An error is shown on the panel, above the last picture."""
        self._wanted = True
        # If another thread is drawing, return: that thread checks `_wanted` again after it has released the lock.
        while self._wanted and self._drawing.acquire(blocking=False):
            try:
                self._wanted = False
                self._draw({name: moved.value for name, moved in self.sliders.items()})
            finally:
                self._drawing.release()

    def _draw(self, values: dict[str, Any]) -> None:
        self.runs += 1
        self._tell(self.told, busy=True)
        try:
            self.picture, self.error = self.draw(**values), None
        except Exception as error:  # any error of the reader's code is shown on the panel
            self.error = error
        self.told = html.escape(f"✗ {type(self.error).__name__}: {self.error}") if self.error else self.says(**values)
        self._tell(self.told)
        if self.picture is not None:
            self.shown.value = f'{STYLE}<div class="viz-scroll">{self.on_page()}</div>'

    def on_page(self) -> str:
        """The picture as markup."""
        return str(self.picture.svg)

    def _tell(self, markup: str, *, busy: bool = False) -> None:
        """Set the line above the picture; with `busy`, it says at its end that it computes, if that takes long."""
        self.status.value = status(markup, self.lang if busy else "")

    def _repr_mimebundle_(self, **_options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The panel, and its picture for a page that shows no widgets."""
        picture = ({}, {}) if self.picture is None else self.picture._repr_mimebundle_()
        return shown(self.widget, repr(self), picture, lang=self.lang)

    def __repr__(self) -> str:
        values = ", ".join(f"{name} = {moved.value:g}" for name, moved in self.sliders.items())
        return f"{type(self).__name__.lower()}{f' at {values}' if values else ''}: {self.picture!r}"


def side_by_side(pictures: Iterable[Sketch], style: str) -> str:
    """Pictures as markup, in a row, or one below the other if there is no room. style: more for that row."""
    shown = "".join(f'<div style="max-width:100%">{each.svg}</div>' for each in pictures)
    return f'<div style="display:flex;flex-wrap:wrap;{style}">{shown}</div>'


def status(markup: str, busy: str = "") -> str:
    """The panel's status line. busy: the language for the note at its end that it computes, or "" for no note."""
    word = f' <em class="viz-busy">{BUSY.into(busy)}</em>' if busy else ""
    state = ' aria-busy="true"' if busy else ""
    return f'<div role="status"{state} style="line-height: 1.5">{markup}{word}</div>'


def in_a_row(*controls: Any, gap: str | None = None) -> Any:
    """Controls beside each other, in several rows if there is no room; gap: between rows, and between controls."""
    import ipywidgets as widgets

    return widgets.HBox(controls, layout={"flex_flow": "row wrap", "grid_gap": gap})


def choice(options: Iterable[Any], choose: Callable[[Any], Any]) -> Any:
    """Buttons of which one is pressed; pressing another one calls `choose` with it. options: labels, or (label, it)."""
    import ipywidgets as widgets

    made = widgets.ToggleButtons(options=list(options), style={"button_width": "auto"})
    made.observe(chosen(choose), "value")
    return made


def hand_on(pressed: Any, following: Any) -> None:
    """Give the keyboard to the next button if the pressed one is now disabled: it would lose it to the page."""
    if pressed.disabled and hasattr(following, "focus"):  # since ipywidgets 8
        following.focus()


def button(label: str, action: Callable[[], Any], *, icon: str = "", disabled: bool = False) -> Any:
    """A button that calls `action`."""
    import ipywidgets as widgets

    made = widgets.Button(description=label, icon=icon, tooltip=label, disabled=disabled)
    made.layout.width = "auto"
    made.on_click(only(action))
    return made

"""What a widget gives to a page: itself, its first picture, and a sentence that explains a missing script.

A page with live widgets takes the widget and shows neither of the other two. Every other page takes the HTML: a printed
page, GitHub, a notebook that is not trusted, a JupyterLab whose server does not know widgets. A third kind of page
knows ipywidgets, but cannot load the script of anywidget: VS Code without a network, or a JupyterLab that runs in an
environment other than its kernel. For that page the same HTML is above the widget, and the style of the script
hides it, so it is seen only where that script has not arrived after some seconds.

The widget is named by the documented MIME type and not by a method of its class: ipywidgets 7, which Colab has, shows
its widgets through another method than ipywidgets 8. Colab wants to know which program loads the script; anywidget
finds that out and puts it into the metadata.

Imports alive.py; ipywidgets and anywidget where a widget is shown. Read next: explore/panel.py, most of what is shown.
"""

from __future__ import annotations

import html
from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any

from .alive import close as close_all
from .beside import text_of
from .locale import language, room

VIEW = "application/vnd.jupyter.widget-view+json"

tr = room("front")
WHY = tr(
    "Nothing moves here until you run this cell in JupyterLab, Notebook 7 or Colab, or in VS Code with an internet "
    "connection."
)

# Seconds until the sentence shows above a widget whose script has not arrived. The script's style hides it for good.
ASLEEP = f"<style>\n{text_of('front.css')}</style>"
AWAKE = "\n.viz-asleep { display: none !important; }\n"  # every script of ours adds this style

# In front of every widget's script. JupyterLab leaves all keys to an element with `data-lm-suppress-shortcuts`: else an
# arrow key would leave the panel. That includes Ctrl+S, which must save the notebook wherever the focus is: so it is
# pressed again on the notebook around the panel.
SAVES = text_of("front.js")

WRAPPED = "white-space: pre-wrap; word-break: normal"  # without word-break, nbconvert's page breaks lines inside words
Bundle = tuple[dict[str, Any], dict[str, Any]]


def shown(
    widget: Any,
    words: str,
    picture: Bundle = ({}, {}),
    *,
    lang: str | None = None,
    page: Callable[[str], str] = str,
) -> Bundle:
    """Data and metadata of `widget`, by MIME type, for `_repr_mimebundle_`.

    words: the text alternative; it replaces the picture if there is none.
    picture: data and metadata of the widget's first picture; its PNG is used.
    page: gets that picture as HTML, and puts it into a page whose own scripts may replace it.
    """
    lang = language(lang)
    png, facts = picture[0].get("image/png"), picture[1].get("image/png", {})
    why = f'<p class="viz-why" lang="{lang}">{WHY.into(lang)}</p>'
    first = _image(png, facts) if png else f'<pre style="{WRAPPED}">{html.escape(words)}</pre>'
    scripts = [each for each in _all(widget) if _has_script(each)]
    outer = _waiting(widget, (first if widget in scripts else "") + why) if scripts else widget
    view = {"version_major": 2, "version_minor": 0, "model_id": outer.model_id}
    data = {VIEW: view, "text/plain": words, "text/html": page(first + why)}
    metadata = dict(scripts[0]._repr_mimebundle_()[1]) if scripts else {}  # Colab's; empty elsewhere
    if png:
        data["image/png"], metadata["image/png"] = png, facts
    return data, metadata


def _image(png: bytes | str, facts: dict[str, Any]) -> str:
    source = png if isinstance(png, str) else b64encode(png).decode()
    # A picture scrolls where it would be narrower than its `narrowest`; all others are at most as wide as the page
    width = "none" if facts.get("unconfined") else "100%; height: auto"
    if narrowest := facts.get("narrowest"):
        width = f"100%; min-width: {narrowest}px; height: auto"
    return (
        f'<img style="max-width: {width}" alt="{html.escape(facts["alt"])}" width="{facts["width"]}" '
        f'height="{facts["height"]}" src="data:image/png;base64,{source}">'
    )


def _all(widget: Any) -> Iterator[Any]:
    """The widget and all widgets inside it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from _all(child)


def _has_script(widget: Any) -> bool:
    import anywidget

    return isinstance(widget, anywidget.AnyWidget)


def _waiting(widget: Any, asleep: str) -> Any:
    """The widget, below what a page shows if its script does not arrive. Made once, closed with the widget."""
    import ipywidgets as widgets

    outer = getattr(widget, "_viz_waiting", None)
    if outer is None:
        still = widgets.HTML(f'{ASLEEP}<div class="viz-asleep">{asleep}</div>', layout={"margin": "0"})
        outer = widget._viz_waiting = widgets.VBox([still, widget])

        def close(change: Any) -> None:
            if change["new"] is None:
                close_all(outer)

        widget.observe(close, "comm")
    return outer

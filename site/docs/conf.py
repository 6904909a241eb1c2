"""Sphinx's settings. build.py runs Sphinx, and passes `parts` to the pages: the parts of the site that are built."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent)]

from docs.docstrings import as_rst, parameters  # noqa: E402

told = tomllib.loads((HERE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
project = "minigrad"
version = release = told["version"]
html_title = "minigrad documentation"
html_short_title = "minigrad"
extensions = ["sphinx.ext.autodoc", "myst_nb"]

# The lessons show what is stored in them: nothing is executed
nb_execution_mode = "off"
nb_ipywidgets_js: dict[str, Any] = {}  # else pages with widgets load scripts from another server
nb_merge_streams = True
suppress_warnings = ["misc.highlighting_failure"]  # an error's text, and a program with a gap, are no Python
myst_heading_anchors = 4
myst_enable_extensions: list[str] = []  # no formulas, so no page needs MathJax

autodoc_typehints = "none"  # most are `Any`; the docstrings name the kinds
autodoc_member_order = "bysource"
autodoc_docstring_signature = False
autodoc_inherit_docstrings = False
autodoc_class_signature = "mixed"
toc_object_entries_show_parents = "hide"

smartquotes = False  # docstrings and error texts keep their marks

html_theme = "furo"
pygments_dark_style = "a11y-high-contrast-dark"
html_static_path = [str(HERE / "static")]
templates_path = [str(HERE / "templates")]
html_css_files = ["docs.css"]
html_js_files = ["docs.js"]
html_favicon = str(HERE / "static" / "icon.svg")
html_show_sourcelink = html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/site.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#005A8E", "color-brand-content": "#005A8E"},
    "dark_css_variables": {"color-brand-primary": "#7CC4F0", "color-brand-content": "#7CC4F0"},
}


def written(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Our docstrings are plain text, and not reStructuredText."""
    lines[:] = as_rst(lines, parameters(thing))


def setup(app: Any) -> None:
    app.connect("autodoc-process-docstring", written)

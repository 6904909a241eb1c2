"""The clinic's explanation of one error, in words and with a picture, for a notebook and for `print`.

Text from the reader (code, file names) is escaped. Imports case, lines and drawing/. Read clinic.py next.
"""

from __future__ import annotations

import contextlib
import html
from collections.abc import Sequence

from ..drawing.engine import NoGraphviz
from ..drawing.page import NARROW, SCROLL, image, narrowest
from ..drawing.picture import Picture
from .case import Case, tr
from .lines import Line
from .programs import place

WORDS = tr.table("explanation")
VERMILION = "#D55E00"
COST = 15  # microseconds: `python -m benchmarks.clinic`
INSET = 24  # pixels for the bar at the left and the space beside it


class Explanation:
    """The explanation of one fault: `case`, `lines`, `tensors`, `cures`, `picture` (None if there is no graph).
    tensors: pairs (name, type and shape). unnoted: the line that made the node is unknown.

    `print` it in a script; a notebook shows it by itself. If it is `folded`, the cures appear only after a click.
    """

    def __init__(
        self,
        case: Case,
        lines: list[Line],
        here: str,
        picture: Picture | None,
        lang: str,
        *,
        looped: bool = False,
        unnoted: bool = False,
        tensors: Sequence[tuple[str, str]] = (),
        folded: bool = False,
    ):
        self.tensors, self.folded = list(tensors), folded
        self.case, self.lines, self.here, self.picture, self.lang = case, lines, here, picture, lang
        self.cures = tuple(cure.into(lang) for cure in (case.in_loop if looped else ()) + case.cures)
        self.offered = unnoted  # a second run, in which lines are noted
        if unnoted:
            self.cures += (WORDS[lang]["again"].format(cost=COST),)

    def places(self) -> list[tuple[str, int]]:
        """The places of the lines that took part: file and number."""
        return [(line.filename, line.number) for line in self.lines]

    @property
    def told(self) -> list[tuple[str, str, str]]:
        """The lines in words: (its part in the fault, its place, its code)."""
        words = WORDS[self.lang]
        return [(words[line.part], place(line, self.here, words), line.code) for line in self.lines]

    def __repr__(self) -> str:
        words = WORDS[self.lang]
        parts = [f"{words['happened']}: {self.case.what.into(self.lang)}"]
        parts += [f"  {part}: {where}: {code}" for part, where, code in self.told]
        parts += [f"  {name}: {what}" for name, what in self.tensors]
        if self.folded:
            return "\n".join([*parts, words["folded"]])
        parts.append(f"{words['cure']}:")
        parts += [f"  · {cure}" for cure in self.cures]
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        words = WORDS[self.lang]
        rows = "".join(
            f'<tr><td style="text-align: left; white-space: nowrap">{html.escape(part)}</td>'
            f'<td style="text-align: left; white-space: nowrap">{html.escape(where)}</td>'
            f'<td style="text-align: left"><code>{html.escape(code)}</code></td></tr>'
            for part, where, code in self.told
        )
        tensors = "".join(
            f'<tr><td style="text-align: left"><code>{html.escape(name)}</code></td>'
            f'<td style="text-align: left">{html.escape(what)}</td></tr>'
            for name, what in self.tensors
        )
        cures = f"<ul>{''.join(f'<li>{_marked(cure)}</li>' for cure in self.cures)}</ul>"
        cure = f"<b>{words['cure']}</b>{cures}"
        if self.folded:
            cure = f"<details><summary><b>{words['folded']}</b></summary>{cures}</details>"
        return (
            f'<div role="note" style="border-left: 4px solid {VERMILION}; margin-top: .8em; padding-left: .8em">'
            f"<p><b>{words['happened']}.</b> {_marked(self.case.what.into(self.lang))}</p>{self._image()}"
            + (f"<b>{words['where']}</b><table>{rows}</table>" if rows else "")
            + (f"<b>{words['tensors']}</b><table>{tensors}</table>" if tensors else "")
            + f"{cure}</div>"
        )

    def _image(self) -> str:
        if self.picture is None:
            return ""
        with contextlib.suppress(NoGraphviz):  # the words remain
            least = narrowest(self.picture.geometry.size[0])
            bar = SCROLL if least > NARROW else ""
            return bar + image(self.picture.svg, self.picture.alt, least - INSET, yields=least > NARROW)
        return ""


class Announcement:
    """One sentence before a long traceback, marked as the explanation after it is."""

    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f'<div style="border-left: 4px solid {VERMILION}; padding-left: .8em">{html.escape(self.text)}</div>'


def _marked(text: str) -> str:
    """The text, escaped, with the words between backticks set as code."""
    parts = html.escape(text).split("`")
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))

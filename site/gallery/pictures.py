"""What a page of the gallery shows: the live picture, its previews, and the line of each step.

Imports viz, and source.py and program.py beside it. Read pages.py next.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

import viz
from viz.drawing.letters import text, text_width
from viz.drawing.png import png_of
from viz.drawing.svg import Element, element
from viz.explore.leaving import Leaving
from viz.stepper.step import Step

from .program import claims, failures, places, run
from .source import Question

WIDE, HIGH, EDGE = 1200, 630, 64  # pixels of a preview picture, as link previews want it
SIZE = re.compile(r'(<svg [^>]*?)width="([\d.]+)" height="([\d.]+)" viewBox="([^"]+)"')


class Shown:
    """A question whose program has run. Raises ValueError if the program does not do what the file says."""

    def __init__(self, question: Question):
        self.question = question
        self.ran = ran = run(question.code, question.slug, extra=question.names)
        if ran.output != question.output:
            raise ValueError(
                f"{question.slug}.md: the program prints\n{ran.output}\nand the file says\n{question.output}"
            )
        if wrong := failures(question.checks, ran.names):
            raise ValueError(f"{question.slug}.md: not true: {'; '.join(wrong)}")
        if wrong := claims(question.also):
            raise ValueError(f"{question.slug}.md: not true: {wrong}")
        self.panel: Any = eval(question.picture, self.ran.names | {"viz": viz}) if question.picture else None

    @cached_property
    def step(self) -> Step:
        """The steps of the program; the last one says how it ended."""
        if self.ran.error:
            self.ran.tape.stopped(self.ran.error, self.ran.line)
        return Step(self.ran.tape.script)

    @cached_property
    def leaving(self) -> Leaving:
        return self.panel.leaves()

    @property
    def live(self) -> str:
        """The picture that plays, as a part of a page."""
        return self.leaving.fragment() if self.panel else self.step.part(code=[])

    @cached_property
    def places(self) -> list[list[int | str]]:
        """The place in the program for each step; empty for an explorer."""
        return [] if self.panel else places(self.ran, self.question.code)

    @cached_property
    def still(self) -> str:
        """A picture that stands still, for the first page; it follows the reader's theme. Of several, the largest."""
        if self.panel:
            markup = "".join(self.leaving.at("picture", **dict(self.question.shows)))
            return max(re.findall(r"<svg .*?</svg>", markup, re.DOTALL), key=area)
        return self.step._stage.picture(self.step.first)

    @cached_property
    def moving(self) -> str:
        """The steps as a moving picture without words, "" for an explorer."""
        if self.panel:
            return ""
        size = SIZE.search(self.still)
        assert size is not None
        window = rf'\g<1>width="{size[2]}" height="{size[3]}" viewBox="{size[4]}"'
        return SIZE.sub(window, self.step.animation(1.2), count=1)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the still picture."""
        size = SIZE.search(self.still)
        assert size is not None
        return float(size[2]), float(size[3])

    def preview(self) -> bytes:
        """The picture that a link to the page is shown with: the question above the picture."""
        size = 54 if text_width(self.question.plain, 54, bold=True) <= 2 * (WIDE - 2 * EDGE) else 46
        lines = wrapped(self.question.plain, size, WIDE - 2 * EDGE)
        top = EDGE + size * 1.25 * len(lines)
        width, height = self.size
        scale = min((WIDE - 2 * EDGE) / width, (HIGH - top - 110) / height, 1.6)
        picture = re.sub(r"<style>.*?</style>", "", self.still, flags=re.DOTALL)
        x, y = (WIDE - width * scale) / 2, top + 20 + (HIGH - top - 110 - height * scale) / 2
        placed = SIZE.sub(
            rf'\g<1>x="{x:.1f}" y="{y:.1f}" width="{width * scale:.1f}" height="{height * scale:.1f}" '
            r'viewBox="\g<4>"',
            picture,
            count=1,
        )
        return png_of(
            str(
                element(
                    "svg",
                    element("rect", width=WIDE, height=HIGH, fill="#FFFFFF"),
                    element("rect", width=WIDE, height=12, fill="#0072B2"),
                    *(
                        text(line, EDGE, EDGE + size + i * size * 1.25, size, "ink", bold=True)
                        for i, line in enumerate(lines)
                    ),
                    Element(placed),
                    text("minigrad: the autograd you can see", EDGE, HIGH - 32, 26, "muted"),
                    xmlns="http://www.w3.org/2000/svg",
                    width=WIDE,
                    height=HIGH,
                    viewBox=f"0 0 {WIDE} {HIGH}",
                    font_family="sans-serif",
                )
            ),
            sharp=1,
        )


def area(svg: str) -> float:
    """The area of a picture."""
    width, height = re.findall(r'width="([\d.]+)" height="([\d.]+)"', svg)[0]
    return float(width) * float(height)


def wrapped(words: str, size: float, width: float) -> list[str]:
    """Bold words in lines that fit a width."""
    lines: list[str] = []
    for word in words.split():
        if lines and text_width(f"{lines[-1]} {word}", size, bold=True) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines

"""The steps as one animated SVG without a script: for a README, a slide, or a page that shows only images.

A frame is the picture of a step, with a mark around the nodes of the step and its words below. A part that is the same
in several frames is drawn once; CSS shows it during these frames, in an endless loop. Readers who prefer reduced
motion, and programs without animation, get the last frame. Imports drawing/ and stage.py. Read step.py next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from ..drawing.legend import BLUE, VERMILION
from ..drawing.letters import rect, text, text_width
from ..drawing.paint import later_rules, root, style
from ..drawing.svg import Element, element
from .stage import Stage, gradient_arrow
from .words import PLAYER

SIZE, LEADING, EDGE = 18, 26, 16  # pixels: text size, line height, distance from the border
AROUND, STRONG = 5, 4  # pixels: distance of the mark from its shape, width of the mark
LAST = 3  # the last step is shown this many times longer
OWN_ID = re.compile(r' id="[^"]*"')  # of a node or an arrow; these are drawn several times
TITLE = re.compile(r"<title>[^<]*</title>")  # a tooltip, which an image cannot show


def animated(stage: Stage, seconds: float) -> str:
    """All steps of a stage, for `seconds` each, the last one longer."""
    script, prefix = stage.script, f"{stage.prefix}-m"
    steps = range(len(script.events))
    (width, height), (left, top), margin = stage.size, stage.geometry.origin, AROUND + STRONG
    told = [wrapped(event["words"], width - 2 * EDGE) for event in script.events]
    below = (1 + max(map(len, told))) * LEADING + EDGE
    frames = []
    for i in steps:
        layers = (
            here(stage, script.events[i]),
            plain(stage.still(i)),
            spoken(stage, i, told[i], left + EDGE, top + height),
        )
        frames.append({(depth, j): part for depth, layer in enumerate(layers) for j, part in enumerate(layer)})
    body, windows = [], set()
    for part, first, end in spans(frames):
        all_the_time = end - first == len(steps)
        body.append(element("g", part, class_=None if all_the_time else f"s{first}-{end}"))
        if not all_the_time:
            windows.add((first, end))
    alt = f"{script.title}: {' '.join(event['words'] for event in script.events)}"
    rules = style(prefix) + later_rules(prefix, True) + turns(prefix, sorted(windows), len(steps), seconds)
    x, y, w, h = left - margin, top - margin, width + 2 * margin, height + below + 2 * margin
    paper, view = rect(x, y, w, h, "paper", rx=8), f"{x:g} {y:g} {w} {h}"
    return root([paper, *body], prefix, (w, h), view, title=script.title, alt=alt, rules=rules)


def plain(parts: list[Element]) -> Iterator[Element]:
    """The drawn elements, without ids and tooltips."""
    return (Element(TITLE.sub("", OWN_ID.sub("", part, count=1))) for part in parts)


def spoken(stage: Stage, step: int, lines: list[str], x: float, y: float) -> Iterator[Element]:
    """The number of the step, and its words."""
    words, event = PLAYER[stage.script.lang], stage.script.events[step]
    count = f"{words['step']} {step} {words['of']} {len(stage.script.events) - 1} · {words[event['part']]}"
    yield text(count, x, y + SIZE, SIZE - 4, "muted", bold=True)
    for i, line in enumerate(lines, start=1):
        yield text(line, x, y + SIZE + i * LEADING, SIZE, "ink")


def here(stage: Stage, event: dict[str, Any]) -> Iterator[Element]:
    """Marks around the nodes of a step, below them; in backward, also wide gradient arrows."""
    colour = VERMILION if event["part"] == "backward" else BLUE
    for id_ in event["now"]:
        if id_ in stage.roomy:
            shape, (x, y) = stage.roomy[id_], stage.geometry.centres[id_]
            w, h = shape.width + 2 * AROUND, shape.height + 2 * AROUND
            corner = min(h / 2, 40) if shape.round else 10
            yield rect(x - w / 2, y - h / 2, w, h, "none", colour, STRONG, rx=corner)
        elif event["part"] == "backward":
            number = int(id_[1:])
            yield from gradient_arrow(stage.geometry.arrows[number], STRONG, end=stage.ends.get(number))


def spans(frames: list[dict[tuple[int, int], Element]]) -> Iterator[tuple[Element, int, int]]:
    """Each part, with the first frame that shows it and the frame after the last one; from back to front."""
    for place in sorted({place for frame in frames for place in frame}):
        first = 0
        for part, run in groupby(frame.get(place) for frame in frames):
            end = first + len(list(run))
            if part is not None:
                yield part, first, end
            first = end


def turns(prefix: str, windows: list[tuple[int, int]], count: int, seconds: float) -> str:
    """The rules that show each part during its frames; without animation, they show the last frame."""
    total = (count - 1 + LAST) * seconds
    still, moving = f".{prefix} [class^=s]{{visibility:hidden}}", ""
    for first, end in windows:
        name, begin = f"s{first}-{end}", first * seconds
        lasts = (total if end == count else end * seconds) - begin
        if end == count:
            still += f".{prefix} .{name}{{visibility:visible}}"
        stay = f"0%{{visibility:visible}}{100 * lasts / total:.3f}%,100%{{visibility:hidden}}"
        # The negative delay puts every part into its right state at once
        moving += f"@keyframes {prefix}-{name}{{{stay}}}"
        moving += f".{prefix} .{name}{{animation:{prefix}-{name} {total:g}s {begin - total:g}s step-end infinite}}"
    return f"{still}@media (prefers-reduced-motion:no-preference){{{moving}}}"


def wrapped(words: str, width: float) -> list[str]:
    """Words in the fewest lines that fit a width, as equal in length as they can be: no line is one word's alone."""
    lines = filled(words, width)
    while (longest := max(text_width(line, SIZE) for line in lines)) <= width:
        narrower = filled(words, longest - 1)
        if len(narrower) > len(lines) or narrower == lines:
            break
        lines = narrower
    return lines


def filled(words: str, width: float) -> list[str]:
    """Words in lines, each as full as the width allows; a word that is too long is not split."""
    lines: list[str] = []
    for word in words.split(" "):
        if lines and text_width(f"{lines[-1]} {word}", SIZE) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines

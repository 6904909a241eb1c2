"""Write the figures as markdown: the measurements, the goals, the machine.

Read next: __main__.py, which calls all of it.
"""

import os
import platform
import re
from datetime import date
from importlib.metadata import version
from math import isnan, nan
from pathlib import Path

from .pairing import BEFORE, Result

NAMES = {"numpy": "NumPy", "torch": "PyTorch", "mygrad": "MyGrad", "gc off": "minigrad, gc off"}
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


def named(library: str) -> str:
    return NAMES.get(library, library)


def table(head: list[str], rows: list[list[str]]) -> str:
    """A markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def seconds(value: float) -> str:
    """
    >>> seconds(0.0123), seconds(1.5e-6), seconds(2)
    ('12.3 ms', '1.5 µs', '2 s')
    """
    unit, scale = next(((u, s) for u, s in (("s", 1), ("ms", 1e3)) if value * s >= 1), ("µs", 1e6))
    return f"{value * scale:.3g} {unit}"


def size(value: float) -> str:
    """
    >>> size(1234), size(5e7), size(float("nan"))
    ('1.2 kB', '50.0 MB', '')
    """
    if isnan(value):
        return ""
    return f"{value / 1e3:.1f} kB" if value < 1e6 else f"{value / 1e6:.1f} MB"


def times(rows: list[tuple[str, Result]], libraries: list[str]) -> str:
    """A row for each workload: minigrad's time, then each other library's, with minigrad's relative speed."""
    out = []
    for what, result in rows:
        cells = [what]
        for library in libraries:
            if library in result.errors:
                cells.append(result.errors[library])
            elif library not in result.seconds:
                cells.append("")
            elif library == "minigrad":
                cells.append(seconds(result.time(library)))
            else:
                cells.append(f"{seconds(result.time(library))} ({result.speed(library)[1]:.2g} ×)")
        out.append(cells)
    return table(["", *map(named, libraries)], out)


SLOWER = 0.95  # a speed below this, and below its own quartiles, counts as slower


def changes(rows: list[tuple[str, Result]]) -> str:
    """A row for each workload: minigrad's time before and now, and its speed now as a multiple of that before."""
    out = []
    for what, result in rows:
        low, middle, high = result.speed(BEFORE)
        told = "**slower**" if middle < SLOWER and high < 1 else "faster" if low > 1 else "no slower"
        speed = f"{middle:.2f} × ({low:.2f} to {high:.2f})"
        out.append([what, seconds(result.time(BEFORE)), seconds(result.time("minigrad")), speed, told])
    return table(["", "before", "now", "speed of before", ""], out)


class Goals:
    """The first and the final goal of each measurement, and whether it was reached."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = []

    def speed(self, what: str, other: str, result: Result, limits: tuple[float | None, float]) -> None:
        """Add a goal: at least this multiple of another library's speed."""
        low, middle, high = result.speed(other)
        measured = f"{middle:.2f} × ({low:.2f} to {high:.2f})"
        verdicts = [judged(limit is not None and middle >= limit, "≥", limit, " ×") for limit in limits]
        self.rows.append([what, f"speed of {named(other)}", measured, *verdicts])

    def at_most(self, what: str, measure: str, value: float, unit: str, first: float | None, final: float) -> None:
        """Add a goal: at most this many milliseconds, bytes or lines."""
        told = "not measured here" if isnan(value) else f"{value:.3g}{unit}" if unit else f"{value:.0f}"
        verdicts = [judged(limit is not None and value <= limit, "≤", limit, unit) for limit in (first, final)]
        self.rows.append([what, measure, told, *verdicts])

    def __str__(self) -> str:
        return table(["", "measured", "", "first goal", "final goal"], self.rows)


def judged(met: bool, relation: str, limit: float | None, unit: str) -> str:
    if limit is None:
        return ""
    told = f"{limit:.3g}" if unit else f"{limit:.0f}"
    return f"{relation} {told}{unit}: {'met' if met else '**not met**'}"


def load() -> float:
    """The average number of programs that wanted a core in the last minute; nan on Windows, which does not tell."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else nan


def machine(libraries: list[str], loads: tuple[float, float]) -> str:
    """The date, the machine, the versions and the load."""
    cpu = platform.processor() or platform.machine()
    if (info := Path("/proc/cpuinfo")).exists():
        cpu = re.search(r"model name\s*: (.*)", info.read_text(encoding="utf-8") + f"model name: {cpu}")[1]
    versions = ", ".join(f"{named(x)} {version(x)}" for x in libraries if x != "minigrad")
    return (
        f"{date.today()}, {platform.system()} on {cpu} ({os.cpu_count()} cores), Python {platform.python_version()}, "
        f"{versions}. Load of the machine before the start and at the end: {loads[0]:.1f}, {loads[1]:.1f}."
    )


def write(readme: Path, figures: str) -> None:
    """Put the figures between the markers of the README."""
    text = readme.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    readme.write_text(f"{before}{BEGIN}\n{figures}\n{END}{after}", encoding="utf-8")

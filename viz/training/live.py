"""`viz.live()`: a plot that follows a training loop and leaves one final figure.

A number passed to `update` adds a point to a line, a pair (x, y) redraws a curve:

    with viz.live() as plot:
        for ...:
            plot.update(loss=loss, target=(steps, wanted), prediction=(steps, output))

A longer loop can be written `for step in plot.over(range(500)):`; then a progress bar and the buttons Pause and Stop
are above the plot while it runs.

The plot does not lag behind its loop: a frame that is not due is skipped, never queued, and painting takes at most a
third of the time. The last state is always painted: when the `with` ends or, without one, when the cell ends. A script
paints it at the end, saves it, and opens it if there is a screen. If there is no viewer (a test, an imported module),
nothing is painted. Values may be numbers, NumPy arrays or tensors; they are copied, so no graph is kept alive.

Imports NumPy only; matplotlib when something is painted. Read `chart.py` for the picture, `loop.py` for the buttons,
`trainer.py` for the panel with Start, Pause and Reset around it.
"""

from __future__ import annotations

import atexit
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sized
from dataclasses import replace
from typing import Any, Protocol, Self, TypeVar

import numpy as np

from ..alive import notebook
from ..browser import running_shell
from ..front import shown
from ..locale import language
from .chart import Chart, Panel, Piece
from .loop import Loop
from .painted import as_bundle
from .script import AtTheEnd, script_of

# Seconds until the first frame, which takes longest: a loop that ends sooner is not slowed down at all.
PATIENCE = 0.2

Show = Callable[[bytes, str, tuple[int, int]], None]  # a PNG, its alternative text, its size in CSS pixels
Thing = TypeVar("Thing")


class Page(Protocol):
    """A place for plots, of a program that runs other programs and shows what they paint."""

    def opened(self) -> Show:
        """A place for one more plot: a function that shows each of its frames."""

    def at_the_end(self, finish: Callable[[], None]) -> None:
        """Call `finish` when the running program has ended: it paints the last state, if that was not painted."""


_page: Page | None = None


def shown_on(page: Page | None) -> None:
    """From now on, `live()` paints on this page; None: in the notebook's cell, or at a script's end, as before."""
    global _page
    _page = page


def live(*, keep: int = 1, log: bool = False, xlabel: str = "", fps: float = 20, lang: str | None = None) -> LivePlot:
    """A live plot for this cell, or for a script; a `with` statement around the training loop marks its end.

    keep: how many of a curve's last updates stay visible (1: only the newest; more: a scrolling curve).
    log: draw the numbers on a logarithmic axis.
    xlabel: what the x axis of the curves shows, such as "time step".
    fps: frames per second at most.
    lang: the language of the buttons; without it, the one that `viz.speak` has set.

    >>> with live() as plot:
    ...     for i in range(1, 4):
    ...         plot.update(loss=1 / i, target=([0, 1], [0, 1]))
    >>> plot
    live plot. loss: 3 points, from 1 to 0.33. target: 2 points.
    """
    if _page is not None:
        return LivePlot(_page.opened(), keep=keep, log=log, xlabel=xlabel, fps=fps, lang=lang)
    if notebook() is None:
        script = script_of(sys._getframe(1))
        return LivePlot(AtTheEnd(script) if script else None, keep=keep, log=log, xlabel=xlabel, fps=fps, lang=lang)
    one = np.ones(1)
    Chart().png([Panel("numbers", {"loss": (one, one)})])  # load matplotlib and its fonts before the loop begins
    return LivePlot(Output(), keep=keep, log=log, xlabel=xlabel, fps=fps, lang=lang)


class LivePlot:
    """The result of `live`: the data so far, and the decision when to paint them.

    `show(png, alt, size)` is called with every frame; if it is None, nothing is painted until `png()` is called. One
    thread may update the plot while another one paints it. longest: how many updates there will be, if that is known.
    """

    def __init__(
        self,
        show: Show | None,
        *,
        keep: int = 1,
        log: bool = False,
        xlabel: str = "",
        fps: float = 20,
        lang: str | None = None,
        longest: int = 0,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        lang = language(lang)
        if not isinstance(fps, (int, float)) or not fps > 0:
            raise ValueError(f"fps must be a number of frames a second above 0, but got {fps!r}")
        if not isinstance(keep, int) or keep < 1:
            raise ValueError(f"keep must be a number of updates, 1 or more, but got {keep!r}")
        self._lang, self._longest, self._xlabel = lang, longest, xlabel
        self._show, self._keep, self._log, self._interval, self._clock = show, keep, log, 1 / fps, clock
        self._lock = threading.RLock()
        self._chart = Chart()
        self._awaited = False  # whether something will call `finish`
        self.clear()

    def clear(self) -> None:
        """Delete all data; the axes stay until the next frame needs others."""
        with self._lock:
            self._numbers: dict[tuple[str, str], list[float]] = {}
            self._curves: dict[tuple[str, str], deque[tuple[np.ndarray, np.ndarray]]] = {}
            self._labels: dict[str, deque[str]] = {}
            self._due = np.inf if isinstance(self._show, AtTheEnd) else -np.inf
            self._finished, self._last = False, b""

    def over(self, things: Iterable[Thing], *, total: int | None = None) -> Iterator[Thing]:
        """Loop over `things`, with a progress bar and, in a notebook, the buttons Pause and Stop above the plot.

        The buttons act between two iterations, so the model stays consistent; after Stop the loop ends normally. total:
        the number of `things`, if they have no length. At the end the last state is painted, also without a `with`.

        >>> with live() as plot:
        ...     for i in plot.over(range(1, 4)):
        ...         plot.update(loss=1 / i)
        >>> plot
        live plot. loss: 3 points, from 1 to 0.33.
        """
        total = len(things) if total is None and isinstance(things, Sized) else total
        if not isinstance(self._show, Output):
            if _page is None:
                from tqdm.std import tqdm

                things = tqdm(things, total=total, disable=None)  # None: only in a terminal
            yield from things
            return
        loop = self._show.loop = Loop(total, self._lang)
        self._due = self._clock() + PATIENCE
        try:
            for thing in things:
                if not loop.may_go_on(self._paint_now):
                    break
                yield thing
                loop.bar.update()
        finally:  # after the end, a `break` or an error
            self._show.loop = None
            try:
                self.finish()
            finally:
                loop.close()

    def update(self, run: str = "", /, **values: Any) -> None:
        """Add the values of one iteration, and paint a frame if one is due.

        A single number (or a tensor with one element) is the next point of the line of that name. A tuple (x, y) of two
        arrays of the same length replaces the curve of that name. A text is the label of this update's curves, which
        get a shaded background of their own, with a mark for each point. `run` separates trainings that share a plot:
        each has its own curves, and their numbers share one pair of axes. ValueError for anything else.
        """
        self.add(run, **values)
        self.paint()

    def add(self, run: str = "", /, **values: Any) -> None:
        """Add the values as `update` does, but paint nothing yet; for several runs that are painted together."""
        with self._lock:
            for name, value in values.items():
                self._take((run, name), value)
            if self._finished or not self._awaited:
                self._finished = False
                self._finish_with_the_cell()

    def _finish_with_the_cell(self) -> None:
        """If nothing else will, finish this plot at the end of the current cell, or of the script."""
        if isinstance(self._show, AtTheEnd):
            atexit.register(self.finish)
        if _page is not None and self._show and not isinstance(self._show, Output):
            _page.at_the_end(self.finish)
        shell = running_shell() if isinstance(self._show, Output) else None
        self._awaited = True
        if shell is None:
            return

        def finish(_result: object = None) -> None:
            shell.events.unregister("post_run_cell", finish)
            self._awaited = False
            self.finish()

        shell.events.register("post_run_cell", finish)

    def paint(self) -> None:
        """Paint a frame if one is due."""
        with self._lock:
            if self._show and self._clock() >= self._due:
                self._frame(final=False)

    def _paint_now(self) -> None:
        with self._lock:
            self._frame(final=False)

    def _take(self, key: tuple[str, str], value: Any) -> None:
        self._last = b""
        if isinstance(value, str):
            self._labels.setdefault(key[0], deque(maxlen=self._keep)).append(value)
        elif isinstance(value, tuple) and len(value) == 2:
            x, y = map(_flat, value)
            if x.size != y.size:
                raise ValueError(f"{key[1]}: x has {x.size} values and y has {y.size}")
            self._curves.setdefault(key, deque(maxlen=self._keep)).append((x, y))
        else:
            number = _flat(value)
            if number.size != 1:
                raise ValueError(f"{key[1]}: expected one number or a tuple (x, y), got {number.size} values")
            self._numbers.setdefault(key, []).append(float(number[0]))

    def finish(self) -> None:
        """Paint the last state, once, with high resolution. Leaving the `with` statement does this."""
        with self._lock:
            if self._show and not self._finished and (self._numbers or self._curves):
                self._frame(final=True)
                self._finished = True
                if isinstance(self._show, AtTheEnd):
                    atexit.unregister(self.finish)

    def __enter__(self) -> Self:
        if not isinstance(self._show, AtTheEnd):
            self._due = self._clock() + PATIENCE
        return self

    def __exit__(self, *_error: object) -> None:
        self.finish()

    def _frame(self, final: bool) -> None:
        began = self._clock()
        assert self._show is not None
        self._show(self.png(final=final), repr(self), self.size)
        took = self._clock() - began
        if isinstance(self._show, AtTheEnd):
            return
        self._due = began + took + max(self._interval - took, 2 * took)

    def png(self, *, final: bool = True) -> bytes:
        """The current picture as the bytes of a PNG file, 1600 pixels wide (800 for an intermediate frame)."""
        with self._lock:
            if not final:
                return self._chart.png(self._panels())
            self._last = self._last or self._chart.png(self._panels(), final=True)  # kept: it is often shown twice
            return self._last

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the last picture when it is shown, in CSS pixels."""
        return self._chart.size

    @property
    def lines(self) -> dict[str, list[float]]:
        """All values of each number, by the name of its line."""
        with self._lock:
            return {_label(key): [*values] for key, values in self._numbers.items()}

    def _panels(self) -> list[Panel]:
        panels = []
        if self._numbers:
            lines = {_label(key): (np.arange(1.0, len(v) + 1), np.array(v)) for key, v in self._numbers.items()}
            longest = max(map(len, self._numbers.values()))
            last = f": {next(iter(self._numbers.values()))[-1]:.2g}" if len(lines) == 1 else ""
            panels.append(
                Panel("numbers", lines, note=f"iteration {longest}{last}", log=self._log, longest=self._longest)
            )
        for run in dict.fromkeys(run for run, _ in self._curves):
            lines = {name: _joined(pieces) for (owner, name), pieces in self._curves.items() if owner == run}
            panels.append(Panel("curves", lines, title=run, follow=self._keep > 1, pieces=self._pieces(run)))
        if panels and panels[-1].kind == "curves" and not panels[-1].pieces:  # below the lowest of them
            panels[-1] = replace(panels[-1], xlabel=self._xlabel)
        return panels

    def _pieces(self, run: str) -> tuple[Piece, ...]:
        """The labelled pieces of a run's newest curves, with the positions of their points."""
        curves = next(curves for (owner, _), curves in self._curves.items() if owner == run)
        labels = self._labels.get(run, ())
        return tuple(Piece(label, x) for label, (x, _) in zip(reversed(labels), reversed(curves), strict=False))

    def __repr__(self) -> str:
        """The picture in words: its alternative text, which nbval also compares."""
        with self._lock:
            parts = ["live plot"]
            for key, values in self._numbers.items():
                parts.append(f"{_label(key)}: {len(values)} points, from {values[0]:.2g} to {values[-1]:.2g}")
            for key, pieces in self._curves.items():
                parts.append(f"{_label(key)}: {sum(x.size for x, _ in pieces)} points")
            parts += [f"{run}: {', '.join(labels)}".removeprefix(": ") for run, labels in self._labels.items()]
            return ". ".join(parts) + "."


def _label(key: tuple[str, str]) -> str:
    run, name = key
    return f"{name} ({run})" if run else name


def _flat(value: Any) -> np.ndarray:
    """A copy as a float array of shape (n,). A tensor is detached first, since the plot must not keep its graph."""
    detach = getattr(value, "detach", None)
    return np.array(detach() if detach else value, dtype=float).reshape(-1)


def _joined(pieces: deque[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """One line through all pieces, with gaps between them (a nan is a gap)."""
    gap = np.array([np.nan])
    xs, ys = ([part for piece in pieces for part in (piece[axis], gap)][:-1] for axis in (0, 1))
    return np.concatenate(xs), np.concatenate(ys)


class Output:
    """Shows frames as one output of the running cell: the first is displayed, the others replace it.

    While a `loop` with buttons runs, that output is the loop's panel, which contains the frames.
    """

    def __init__(self) -> None:
        self.loop: Loop | None = None
        self._handle: Any = None
        self._inside: Loop | None = None  # the panel in the output

    def __call__(self, png: bytes, alt: str, size: tuple[int, int]) -> None:
        if self.loop is None:
            self._put(*as_bundle(png, alt, size))
        else:
            self.loop.show(png, alt, size)
            if self._inside is not self.loop:
                self._put(*shown(self.loop.widget, alt, as_bundle(png, alt, size), lang=self.loop.lang))
        self._inside = self.loop

    def _put(self, data: dict[str, Any], metadata: dict[str, Any]) -> None:
        from IPython.display import display

        if self._handle is None:
            self._handle = display(data, raw=True, metadata=metadata, display_id=True)
        else:
            self._handle.update(data, raw=True, metadata=metadata)

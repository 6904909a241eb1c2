"""`viz.trainer(train, sliders)`: Start, Pause and Reset around a training loop that the reader can see.

The reader writes the loop: a generator function that yields the values to plot, once per iteration.

    def train(hidden_size, learning_rate):
        model, optimizer = ...                    # made again at every reset
        while True:
            ...
            yield dict(loss=loss, target=(steps, wanted), prediction=(steps, output))

    viz.trainer(train, dict(hidden_size=(1, 64, 1, 32), learning_rate=(0.001, 0.1, 0.001, 0.02)))

A loop over time steps may also yield `chain=(loss, [h_0, h_1, … h_T])`. Then the chain of these states is drawn below
the plot as the iteration's graph has it, with ✂ where the history ends. Two more controls show how backward runs
through it: Step, and a slow mode.

Threads: in JupyterLab the message of a button or slider may arrive on another thread, even while a cell runs. No
training happens there: the message goes to the kernel's event loop, which also runs one iteration per tick. So the loop
only ever runs on the kernel's main thread and never during a cell, and a pause falls between two iterations, when the
model is consistent. For the same reason, do not `yield` inside `no_grad()`: all other code would run in that mode.

Imports ipywidgets where a panel is made. Read `live.py` first.
"""

from __future__ import annotations

import asyncio
import html
import threading
import time
import traceback
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..alive import close, only, owns, showing, weak
from ..explore.panel import STYLE as PANEL_STYLE
from ..explore.panel import Slider, slider, status
from ..front import shown
from ..locale import language, room
from .chain import Chain, read
from .links import picture
from .live import LivePlot
from .painted import STYLE, as_bundle, as_html

Train = Callable[..., Iterator[dict[str, Any]]]

tr = room("training")
WORDS = tr.table("trainer")
LAST = 10  # numbers whose mean stands beside the last one
SLOW = 1.0  # seconds of an iteration in the slow mode
CALM = 0.35  # seconds at least between two pictures of a chain: less than three changes a second are no flicker
# For the lines of an error. Without word-break, JupyterLab breaks them inside words.
WRAPPED = (
    "<style>.viz-trainer.viz-trainer pre "
    "{ white-space: pre-wrap; word-break: normal; overflow-wrap: anywhere; }</style>"
)


def trainer(
    train: Train | Mapping[str, Train],
    sliders: Mapping[str, Slider] | None = None,
    *,
    max_iterations: int = 200,
    per_second: float = 20,
    keep: int = 1,
    log: bool = False,
    xlabel: str = "",
    lang: str | None = None,
) -> Trainer:
    """A panel that trains when the reader presses Start, drawn by `viz.live`.

    train: generator function of the sliders' values; after each iteration it yields {name: number or (x, y)}, as
        `LivePlot.update` takes them, and `chain=(loss, states)` where there are time steps. Several, as {title:
        function}, are trained side by side, one iteration each in turn; give each its own random generator, or they
        share one sequence of random numbers.
    sliders: {name: (smallest, largest, step, value)}, with whole numbers where only these make sense.
    max_iterations: the training ends there, if `train` has not ended before.
    per_second: iterations per second at most, so that each can be seen.
    keep, log, xlabel: as for `viz.live`.
    lang: the language of the buttons and of the panel's texts; without it, the one that `viz.speak` has set.

    An error that `train` raises is shown in the panel and stops it; `run`, and making the panel, raise it.
    """
    runs = train if isinstance(train, Mapping) else {"": train}
    lang = language(lang)
    return Trainer(runs, sliders or {}, max_iterations, per_second, keep, log, xlabel, lang)


class Trainer:
    """The panel that `trainer` makes. Everything on it can also be done from code:

    `start()`, `pause()`, `step()`, `reset()`; `run(n)` for n iterations at once, without delays and event loop;
    `sliders["hidden_size"].value = 8`, or `set(hidden_size=8)`, which also trains 60 iterations.
    Attributes to read: `iteration`, `running`, `error`, `plot`, `chains`.
    """

    def __init__(
        self,
        runs: Mapping[str, Train],
        sliders: Mapping[str, Slider],
        max_iterations: int,
        per_second: float,
        keep: int,
        log: bool,
        xlabel: str,
        lang: str,
    ) -> None:
        import ipywidgets as widgets

        self.lang, self.words = lang, WORDS[lang]
        self._runs, self._max_iterations, self._interval = dict(runs), max_iterations, 1 / per_second
        self._thread = threading.current_thread()
        self._task: asyncio.Task | None = None
        try:
            self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None  # plain Python: only `run` can train
        self.sliders = {name: slider(name, *values, live=False) for name, values in sliders.items()}
        for moved in self.sliders.values():
            moved.observe(self._on_main_thread(self._restart), "value")
        buttons = []
        for label, icon, action in (
            ("start", "play", self.start),
            ("pause", "pause", self.pause),
            ("step", "step-forward", self.step),
            ("reset", "undo", self.reset),
        ):
            button = widgets.Button(description=self.words[label], icon=icon)
            button.on_click(self._on_main_thread(action))
            buttons.append(button)
        self.start_button, self.pause_button, self.step_button, self.reset_button = buttons
        self.slow_box = widgets.Checkbox(description=self.words["slow"], indent=False)
        self.slow_box.layout.width = "auto"
        self._told, self.status = "", widgets.HTML()
        self.image, self.links = widgets.HTML(), widgets.HTML()
        self.chains: dict[str, Chain] = {}  # of the newest iteration, by the title of its training
        looks: Any = dict(keep=keep, log=log, xlabel=xlabel, lang=lang)
        self.plot = LivePlot(weak(self._show), fps=2 * per_second, longest=max_iterations, **looks)
        hint = [widgets.HTML(self.words["hint"])] if sliders else []
        row = widgets.HBox([*buttons, self.slow_box], layout={"flex_flow": "row wrap"})
        controls = [*self.sliders.values(), *hint, row, self.status]
        self._root = widgets.VBox([widgets.HTML(STYLE + WRAPPED + PANEL_STYLE), *controls, self.image, self.links])
        self._root.add_class("viz-trainer")
        owns(self, self._root)
        self._begin()
        if not self.chains:
            row.children = [button for button in buttons if button is not self.step_button]
            close(self.step_button, self.slow_box)

    @property
    def widget(self) -> Any:
        """The panel as one widget, to be placed among others."""
        showing(self)
        return self._root

    @property
    def running(self) -> bool:
        """Whether the training runs by itself."""
        return self._task is not None

    @property
    def finished(self) -> bool:
        """Whether no iteration is left before a reset."""
        return self.iteration >= self._max_iterations or not self._going

    def start(self) -> None:
        """Continue training, one iteration per tick of the event loop; other cells can run. At the end, start over."""
        if self.running:
            return
        if self.finished or self.error:
            self.reset()
        if not self.error:
            self._task = asyncio.get_running_loop().create_task(_trains(weakref.ref(self)))
            self._say(self.words["training"])

    def pause(self) -> None:
        """Stop between two iterations. The model is consistent; `start` continues with it."""
        if self._halt():
            self._draw_chains(now=True)
            self._say(self.words["paused"].format(n=self.iteration))

    def step(self) -> None:
        """One iteration, with the pulse of its backward through the chain. At the end, start over."""
        self._halt()
        if self.finished or self.error:
            self.reset()
            return
        try:
            self._step(pulse=True)
        except Exception as error:
            self._fail(error)
        else:
            self._rest()

    def reset(self) -> None:
        """Stop and start over with the sliders' values; the first iteration is run and shown."""
        self._halt()
        try:
            self._begin()
        except Exception as error:  # any error of the reader's code is shown on the panel
            self._fail(error)

    def run(self, iterations: int) -> None:
        """Run so many iterations now (fewer at the end) and show the last one. An error is shown and raised."""
        self._halt()
        self._say(self._told, busy=True)
        try:
            for _ in range(iterations):
                self._step()
        except Exception as error:
            self._fail(error)
            raise
        self._rest()

    def set(self, iterations: int = 60, **values: float) -> None:
        """Move sliders and train so many iterations at once, to see the result of these values.

        values: {name of a slider: value}; KeyError for an unknown name. Any thread may call it.
        """
        for name, value in values.items():
            self.sliders[name].value = value
        self._on_main_thread(lambda: self.run(iterations - self.iteration))(None)

    def _begin(self) -> None:
        values = {name: slider.value for name, slider in self.sliders.items()}
        self.error: Exception | None = None
        self.iteration = 0
        self.chains = {}
        self._drawn: dict[str, Chain] = {}
        self._read: dict[str, int] = {}  # time steps so far, by the title of the training
        self._calm = 0.0
        self.plot.clear()
        self._say(self._told, busy=True)
        self._going = {title: train(**values) for title, train in self._runs.items()}
        self._step()
        self._rest()

    def _restart(self) -> None:
        was_running = self.running
        self.reset()
        if was_running:
            self.start()

    def _step(self, pulse: bool = False) -> None:
        """One iteration of every run that has not ended. pulse: show how backward runs through its chain."""
        if self.finished:
            return
        for title, run in list(self._going.items()):
            try:
                values = next(run)
            except StopIteration:
                del self._going[title]
                continue
            if isinstance(values, Mapping) and "chain" in values:
                self.chains[title] = chain = read(values["chain"])
                values = {name: value for name, value in values.items() if name != "chain"}
                self._read[title] = self._read.get(title, 0) + chain.steps
            self.plot.add(title, **values)
        self.plot.paint()
        self._draw_chains(pulse)
        if self._going:
            self.iteration += 1

    def _draw_chains(self, pulse: bool = False, *, now: bool = False) -> None:
        """Draw the chains, unless the last picture is too new, or shows them already."""
        moment = time.perf_counter()
        if self.chains != self._drawn and (pulse or now or moment >= self._calm):
            self._drawn, self._calm = dict(self.chains), moment + CALM
            drawn = [picture(each, self.lang, title=title, pulse=pulse) for title, each in self.chains.items()]
            self.links.value = "".join(f'<div class="viz-scroll">{each.svg}</div>' for each in drawn)

    def _tick(self) -> float | None:
        """One iteration of a running training: returns the seconds until the next one, None after the last."""
        began = time.perf_counter()
        try:
            if not self.finished:
                slow = self.slow_box.value
                self._step(pulse=slow)
                return max(0.0, (SLOW if slow else self._interval) - (time.perf_counter() - began))
        except Exception as error:
            self._task = None
            self._fail(error)
        else:
            self._task = None
            self._rest()
        return None

    def _halt(self) -> bool:
        """Cancel the task, which can only be asleep now, between two iterations. True if there was one."""
        task, self._task = self._task, None
        if task:
            task.cancel()
            self.plot.finish()
        return task is not None

    def _rest(self) -> None:
        self.plot.finish()
        self._draw_chains(now=True)
        numbers = self.words["and"].join(self._numbers())
        told = self.words["finished" if self.finished else "ready"].format(
            n=self.iteration,
            most=self._max_iterations,
            numbers=self.words["numbers"].format(numbers=html.escape(numbers)) if numbers else "",
        )
        if self._read:
            told += self.words["read"].format(steps=self.words["and"].join(self._steps()))
        self._say(told)

    def _numbers(self) -> Iterator[str]:
        """Each number's name and last value; with the mean of the last ten as soon as there are ten."""
        for name, values in self.plot.lines.items():
            last = values[-LAST:]
            words = self.words["mean" if len(last) == LAST else "number"]
            yield words.format(name=name, value=f"{last[-1]:.2g}", mean=f"{sum(last) / len(last):.2g}")

    def _steps(self) -> Iterator[str]:
        """How many time steps each training has read so far; once, where all have read as many."""
        if len({*self._read.values()}) == 1:
            yield f"{next(iter(self._read.values())):,}"
        else:
            yield from (f"{steps:,} ({title})" for title, steps in self._read.items())

    def _fail(self, error: Exception) -> None:
        self.error = error
        self._going = {}
        self.plot.finish()
        reached = error.__traceback__
        while reached and reached.tb_frame.f_code.co_filename == __file__:
            reached = reached.tb_next  # begin with the reader's own lines
        what = html.escape("".join(traceback.format_exception_only(error)).strip())
        where = html.escape("".join(traceback.format_exception(type(error), error, reached)))
        self._say(
            f"<b>{self.words['stopped'].format(n=self.iteration)}</b> {self.words['fix']}"
            f"<pre>{what}</pre><details><summary>{self.words['where']}</summary><pre>{where}</pre></details>"
        )

    def _say(self, text: str, *, busy: bool = False) -> None:
        self._told = text
        self.status.value = status(text, self.lang if busy else "")

    def _show(self, png: bytes, alt: str, size: tuple[int, int]) -> None:
        self.image.value = as_html(png, alt, size)

    def _on_main_thread(self, action: Callable[[], None]) -> Callable[[Any], None]:
        """A callback that runs `action` on the thread that made the panel, as soon as that thread is free."""

        act, loop, thread = only(action), self._loop, self._thread

        def callback(_change: Any) -> None:
            if loop is None or threading.current_thread() is thread:
                act()
            else:
                loop.call_soon_threadsafe(act)

        return callback

    def _repr_mimebundle_(self, **_options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The widget; and the current picture, for a page that shows no widgets or does not trust the notebook."""
        picture = as_bundle(self.plot.png(), repr(self), self.plot.size)
        return shown(self.widget, repr(self), picture, lang=self.lang)

    def __repr__(self) -> str:
        """The panel in words."""
        values = ", ".join(f"{name} = {slider.value:g}" for name, slider in self.sliders.items())
        chains = "".join(f" {picture(each, self.lang, title=title).alt}" for title, each in self.chains.items())
        return f"trainer ({values}) at iteration {self.iteration}: {self.plot!r}{chains}"


async def _trains(trainer: weakref.ref[Trainer]) -> None:
    """Train, but hold no reference to the trainer between two iterations, so that it can be deleted."""
    while True:
        found = trainer()
        pause = None if found is None else found._tick()
        del found
        if pause is None:
            return
        await asyncio.sleep(pause)

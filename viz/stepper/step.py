"""`viz.step(y)`: walk through the graph behind `y`, forward as the code ran and backward as the engine would run.

`y` may be the end of an existing graph, or a tape (record.py). On a graph, backward is *rehearsed*: `autograd.grad`
with `retain_graph=True` leaves `.grad` and the saved tensors as they are, and the steps show what `y.backward()` would
do now, including what it frees. Two things do happen: the reader's own hooks, and the `backward` of their own
Functions, are called once. Gradients that `retain_grad()` collects meanwhile are restored.

Imports hooks.py, script.py, stage.py, player.py. Read script.py next.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from ..alive import owns, showing
from ..drawing.legend import LABELS
from ..drawing.limits import A_MOMENT, TooLarge, announce, seconds, told
from ..drawing.picture import SMALL
from ..drawing.png import can_make, png_of
from ..front import shown
from ..graph.fold import LARGE
from ..graph.found import all_behind
from ..graph.given import pairs_of, several
from ..graph.names import is_tensor, library_of, names_in
from ..locale import language
from .amounts import amount
from .animation import animated
from .cast import Cast
from .folding import folded_script
from .hooks import Grew, Made, Ran, Watch
from .player import fragment, page, player
from .script import Script, write
from .stage import Stage
from .words import PLAYER, WORDS

Predict = bool | Literal["all"]
MOST = 4_000  # operators, each with one or two steps; the page for a larger graph has many megabytes
SHORTER = "viz.draw(…) folds such a graph; or step through a few turns of the loop."


def step(
    what: Any,
    *,
    names: Mapping[str, Any] | None = None,
    lang: str | None = None,
    predict: Predict = False,
    fold: bool | Literal["auto"] = "auto",
    unfold: str | Iterable[str] = (),
) -> Step:
    """A stepper through the graph behind a tensor, or through the code that a tape has recorded.

    what: a tensor of minigrad or of real PyTorch; one with several elements gets a gradient of ones. Or a tape of
        `viz.record`.
    names: {name: tensor}; without it, the variables of the code that calls `step`.
    lang: a language that has catalogues; without it, the one that `viz.speak` has set.
    predict: True: the gradients that backward passes on, and their sums, stay hidden until the reader has typed the
        expected number, or has tried once and pressed "Show me". "all": the values of forward, too, although the
        picture shows their numbers.
    fold: draw pieces that occur three times or more as one box each, with all their steps; "auto": for over 24 nodes.
    unfold: the name of a box that stays unfolded, or several.
    Raises TypeError for anything else, ValueError for a leaf, an unknown language or an invalid `predict`, and
    TooLarge, a ValueError, for more than 4,000 operators.

    >>> import minigrad as torch, viz
    >>> w = torch.tensor([2.0], requires_grad=True)
    >>> x = torch.tensor([5.0], requires_grad=True)
    >>> y = (w + x) * (w + 1)
    >>> stepper = viz.step(y)
    >>> stepper
    Steps through the graph of y: 3 forward, 6 backward, and the end. Done. w.grad = 10, x.grad = 3. ...
    >>> print(stepper.events[5]["words"])
    × passes to #1: gradient 1 × slope 3 = 3. The slope for #1 is #2.
    >>> w.grad is None
    True
    """
    from .record import Tape

    lang = language(lang)
    pairs = None if names is None else pairs_of(names)
    if isinstance(what, Tape):
        if what.script is None:
            raise (TooLarge if what.too_many else ValueError)(repr(what))
        return Step(what.script, predict or what.predict, fold, several(unfold, "unfold"))
    if not is_tensor(what):
        raise TypeError(f"step() walks through the graph behind a tensor, but got {type(what).__name__}")
    if what.grad_fn is None:
        raise ValueError("no operator made this tensor, so there is nothing to step through")
    if (nodes := len(all_behind(what.grad_fn))) > MOST:
        raise TooLarge(f"{nodes:,} operators are too many to step through, where {MOST:,} can be. {SHORTER}")
    if pairs is None:
        pairs = list(names_in(sys._getframe(1)))
    return Step(rehearse(what, pairs, lang), predict, fold, several(unfold, "unfold"))


def rehearse(y: Any, names: list[tuple[str, Any]], lang: str) -> Script:
    """The script of an existing graph: forward in the order of its nodes, backward tried without changing the graph."""
    happened: list[Made | Ran | Grew] = []
    watch = Watch(happened.append)
    kept: list[tuple[Any, Any]] = []
    torch = library_of(y)
    problem = ""

    def put_back() -> None:
        watch.stop()
        for tensor, grad in kept:
            tensor.grad = grad

    try:
        happened += [Made((fn,)) for fn in watch.meet(y.grad_fn)]
        saving = {key for key, saved in watch.saved.items() if saved.tensors}
        cast = Cast([y], names, watch, {}, lang)
        cast.note_held()
        watch.shapes.update(cast.shapes())
        kept += [(tensor, tensor.grad) for tensor in cast.kept()]
        forward = len(happened)
        leaves = [leaf for leaf, _, _ in watch.leaves.values()]
        found = torch.autograd.grad([y], leaves, [torch.ones_like(y)], retain_graph=True, allow_unused=True)
        for (leaf, _, before), g in zip(watch.leaves.values(), found, strict=True):
            if g is not None:
                happened.append(Grew(leaf, amount(g) if before is None else before + amount(g)))
    except RuntimeError as error:  # freed, or changed in place: the reader's graph has no backward any more
        del happened[forward:]
        problem = str(error).partition(". ")[0]
    finally:
        try:
            put_back()
        except BaseException:  # Ctrl-C during the cleanup: clean up again
            put_back()
            raise
    return write(cast, happened, saving, lang, rehearsed=True, problem=problem)


class Step:
    """The result of `step`; a notebook shows it by itself. `events` are the steps, as plain data.

    `html` is the same player as a page that needs no kernel and no network; `save(path)` writes it to a file.
    """

    def __init__(
        self,
        script: Script,
        predict: Predict = False,
        fold: bool | Literal["auto"] = "auto",
        unfold: Collection[str] = (),
    ):
        for option, value, last in (("predict", predict, "all"), ("fold", fold, "auto")):
            if value not in (True, False, last):
                raise ValueError(f"{option} must be True, False or {last!r}, but got {value!r}")
        folds = fold is True or fold == "auto" and len(script.graph.nodes) > LARGE
        self.script, self.predict = folded_script(script, unfold) if folds else script, predict
        self.folded = self.script is not script

    @property
    def events(self) -> list[dict[str, Any]]:
        """A dict for each step: "part", "words", "now" (the ids it is about), "set" (the changes) and so on."""
        return self.script.events

    @property
    def first(self) -> int:
        """The step shown at the beginning: the last one, with all gradients, or the first one if the reader must
        predict them."""
        return 0 if self.predict else len(self.events) - 1

    @cached_property
    def _stage(self) -> Stage:
        announce(self.script.graph, SHORTER)
        return Stage(self.script, dense=self.folded)

    @cached_property
    def data(self) -> dict[str, Any]:
        """All data that the player in a browser needs, for JSON."""
        return {
            "svg": self._stage.svg,
            "prefix": self._stage.prefix,
            "events": [self._asked(event) for event in self.events],
            "code": [[line.file, line.number, line.text] for line in self.script.code],
            "first": self.first,
            "predict": bool(self.predict),
            "lang": self.script.lang,
            "title": self.script.title,
            "rows": [LABELS[self.script.lang]["row value"], LABELS[self.script.lang]["grad"]],
            "words": PLAYER[self.script.lang],
        }

    def _asked(self, event: dict[str, Any]) -> dict[str, Any]:
        """The step, without its question if that must not be asked."""
        asked = self.predict == "all" or self.predict and event["part"] == "backward"
        return event if asked else {what: said for what, said in event.items() if what != "ask"}

    @property
    def html(self) -> str:
        """The player as one HTML page."""
        return page(self.data, self._stage.picture(self.first))

    def part(self, **changes: Any) -> str:
        """The player as a part of a page, in HTML, to be placed in any other page.

        changes: other values for `data`, such as `code=[]` for a page that shows the code itself. The player's element,
        of the class "viz-step", has the number of the shown step in its attribute `data-step`.
        """
        return fragment(self.data | changes, self._stage.picture(self.first))

    def save(self, path: str | Path, *, seconds: float = 2.5) -> None:
        """Write the page to a file, to be opened in any browser; or, if the name ends in .svg, an animated picture.

        The animation shows each step for `seconds`, in an endless loop. It needs no script, so it works in a README or
        on a slide. Raises TooLarge if its layout would take minutes, ValueError for another kind of file.
        """
        kind = Path(path).suffix.lower()
        if kind not in (".html", ".htm", ".svg"):
            name = Path(path).name
            raise ValueError(f"steps are saved as .html, to press through, or .svg, to watch, but not as {name}")
        page = self.animation(seconds) if kind == ".svg" else self.html
        Path(path).write_bytes(page.encode())  # as text, it would get other line ends on Windows

    def animation(self, seconds: float = 2.5) -> str:
        """The steps as an animated SVG: each for `seconds`, the last one longer, in an endless loop."""
        return animated(self._stage, seconds)

    @property
    def widget(self) -> Any:
        """The player as a widget, for a notebook. Needs anywidget."""
        showing(self)
        return self._player

    @cached_property
    def _player(self) -> Any:
        made = player(self.data)
        owns(self, made)
        return made

    def png(self) -> bytes:
        """The picture of the step that is shown first, with light colours. Needs resvg-py and matplotlib."""
        return png_of(self._stage.picture(self.first, styled=False))

    def __repr__(self) -> str:
        parts = [event["part"] for event in self.events]
        counted = WORDS[self.script.lang]["counted"].format(
            title=self.script.title,
            forward=parts.count("forward"),
            backward=parts.count("backward"),
        )
        return f"{counted} {self.events[self.first]['words']}"

    def _repr_mimebundle_(self, **_options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The widget; the same as HTML, which still works in an exported page; and the first picture, for a page that
        runs no scripts or does not trust the notebook. No SVG, since it would be shown instead of the widget."""
        nodes = len(self.script.graph.nodes)
        if (time := seconds(self.script.graph)) > A_MOMENT:
            said = f"{nodes:,} nodes, too many to lay out unasked: it would take {told(time)}."
            return {"text/plain": f"{self!r}\n({said} .save(path) does it where it can be done. {SHORTER})"}, {}
        data: dict[str, Any] = {}
        metadata: dict[str, Any] = {}
        if nodes <= SMALL and can_make():
            data["image/png"] = self.png()
            width, height = self._stage.size
            alt = self._stage.alt(self.first)
            metadata["image/png"] = {"width": width, "height": height, "unconfined": True, "alt": alt}
        return shown(
            self.widget,
            repr(self),
            (data, metadata),
            lang=self.script.lang,
            page=lambda first: fragment(self.data, first),
        )

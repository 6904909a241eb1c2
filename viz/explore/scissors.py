"""`viz.explore.scissors()`: put ✂ between the pieces of a sequence, and see what stays and what is cut off.

A recurrent network reads a sine wave in pieces and predicts the cosine. The curve shows the result of forward; the bars
show how much of the last piece's loss backward brings to the state of each time step. `detach` at a cut keeps the
number and drops its history; a reset of the state drops both. Without a cut, training after each piece fails on
the freed graph of the piece before: the errors shown are the engine's own. Before the reader sees the effect of
`retain_graph=True`, they must predict it.

Read panel.py first, recurrent.py for the network, and strip.py, which draws it.
"""

from __future__ import annotations

import copy
import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..alive import only, weak
from ..lesson.predict import predict
from ..lesson.said import marked
from ..locale import language
from .panel import Panel, Sketch, in_a_row
from .recurrent import sine_network
from .strip import FAINTEST, SIZE, Strip
from .words import SCISSORS, plain

VANISHES, EXPLODES = 1000, 10  # how much smaller, or larger, the gradient is at the first state than at the last one


@dataclass(frozen=True)
class Flow:
    """One run: the prediction, and the norm of ∂L/∂h at each time step, where L is the last piece's loss.

    If backward has stopped with an error, the pieces after it are missing, and `reach` is None.
    """

    prediction: np.ndarray
    reach: np.ndarray | None

    @property
    def reached(self) -> int:
        """The number of time steps whose gradient is larger than the smallest bar shows."""
        return 0 if self.reach is None else int((self.reach > 10.0**FAINTEST).sum())


@dataclass(frozen=True)
class Training:
    """The result of backward and an optimizer step after each piece: the losses, the error, if any, and its piece."""

    flow: Flow
    losses: list[float]
    piece: int | None = None
    error: str = ""


def scissors(
    model: Any = None, x: Any = None, target: Any = None, *, pieces: int = 4, lang: str | None = None
) -> Scissors:
    """A recurrent network over a sequence in `pieces`, with scissors between them.

    model: called as model(x, h) with x (1, time steps, 1) and a state h, or None at first; gives the prediction, shaped
        like x, and the last state. Its parameters stay as they are. Without one: a small network that predicts cos.
    x, target: (1, T, 1), float32; T is at least `pieces`. Without them: a sine wave and its cosine.
    lang: a language with catalogues.
    For our own network, a slider scales the recurrent weights: backward multiplies by them at each time step, so
    the bars toward the beginning vanish with small factors, and explode with large ones.
    From code: `guess("only the bars")`, `cut(2)`, `uncut(2)`, `reset(True)`, `train("each")`,
    `sliders["scale"].value = 1.5`; then `flow`, `training`.

    >>> panel = scissors()
    >>> panel.guess("both")
    '✗ both. `detach` keeps the values and cuts off their graph. The curve is computed from the values.'
    >>> uncut = panel.flow
    >>> panel.cut(2)
    >>> bool((panel.flow.prediction == uncut.prediction).all()), int((panel.flow.reach == 0).sum())
    (True, 16)
    """
    lang = language(lang)
    scaled = model is None
    if model is None:
        model, own_x, own_target = sine_network()
        x, target = own_x if x is None else x, own_target if target is None else target
    if x is None or target is None:
        raise TypeError("scissors() with a model needs x and target, both (1, time steps, 1)")
    return Scissors(model, x, target, pieces, lang, scaled)


class Scissors(Panel):
    """The panel that `scissors` returns."""

    def __init__(self, model: Any, x: Any, target: Any, pieces: int, lang: str, scaled: bool = False):
        import ipywidgets as widgets

        super().__init__({"scale": (0.2, 2.0, 0.1, 1.0)} if scaled else {})
        self.lang, self.words = lang, SCISSORS[lang]
        self.model, self.x, self.target = model, x, target
        if scaled:
            self.sliders["scale"].description = self.words["scale"]
        steps = x.shape[1]
        self.ends = [round(steps * (i + 1) / pieces) for i in range(pieces)]
        self.flow = run(model, x, target, self.ends, set(), False)
        self.training: Training | None = None
        middle = pieces // 2
        choices = [self.words[name] for name in ("curve", "bars", "both")]
        self.question = predict(
            self.words["question"].format(middle, middle + 1),
            partial(weak(self._truth), middle),
            dict.fromkeys([self.words["curve"], self.words["both"]], self.words["belief"]),
            because=self.words["because"],
            choices=choices,
            lang=lang,
        )
        self.toggles = [
            widgets.ToggleButton(description=f"✂ {i} | {i + 1}", tooltip=self.words["tooltip"].format(i, i + 1))
            for i in range(1, pieces)
        ]
        for toggle in self.toggles:
            toggle.layout.width = "auto"
        self.reset_box = widgets.Checkbox(description=self.words["reset"], indent=False)
        self.ways = widgets.ToggleButtons(
            options=[(self.words[way], way) for way in ("once", "each", "retain")], style={"button_width": "auto"}
        )
        self._controls = [*self.toggles, self.reset_box, self.ways, *self.sliders.values()]
        for control in self._controls[: -len(self.sliders) or None]:  # a slider refreshes by itself
            control.observe(only(self.refresh), "value")
        self.question.feedback.observe(only(self._answered), "value")
        choices = [self.words[name] for name in ("works", "slow", "error")]
        self.retaining = predict(
            self.words["retain question"],
            self.words["error"],
            {self.words[name]: self.words[f"belief {name}"] for name in ("works", "slow")},
            because=self.words["retain because"],
            choices=choices,
            lang=lang,
        )
        for react in (self._asks_more, self.refresh):
            self.retaining.feedback.observe(only(react), "value")
        self.ways.observe(only(self._asks_more), "value")
        self._asks_more()
        cuts = in_a_row(*self.toggles, self.reset_box)
        self.put_on_top(self.question.root, cuts, self.ways, self.retaining.root)
        self._answered()

    def _truth(self, middle: int) -> str:
        """What changes if the middle is cut, found out by cutting it."""
        uncut, cut = (run(self.model, self.x, self.target, self.ends, cuts, False) for cuts in (set(), {middle}))
        curve = not np.array_equal(uncut.prediction, cut.prediction)
        bars = uncut.reached != cut.reached
        return self.words["both" if curve and bars else "curve" if curve else "bars"]

    def _answered(self) -> None:
        for control in self._controls:
            control.disabled = not self.question.tried
        self.refresh()

    def _asks_more(self) -> None:
        """Show the second question when its button is pressed. It is about no ✂: until its answer, there is none."""
        self.retaining.root.layout.display = "" if self.ways.value == "retain" else "none"
        for toggle in self.toggles:
            toggle.disabled = self._waiting or not self.question.tried
            toggle.value = toggle.value and not self._waiting

    def guess(self, said: str) -> str:
        """Answer the open question: what a cut will change, which enables the controls; or, after `train("retain")`,
        how that training will go."""
        return (self.retaining if self.ways.value == "retain" else self.question).check(said)

    def cut(self, after: int) -> None:
        """Put ✂ after piece number `after`."""
        self.toggles[after - 1].value = True

    def uncut(self, after: int) -> None:
        """Remove ✂ after piece number `after`."""
        self.toggles[after - 1].value = False

    def reset(self, state: bool = True) -> None:
        """At a cut, begin with no state instead of the detached one."""
        self.reset_box.value = state

    def train(self, way: str) -> None:
        """Choose a way. "once": no training; "each": backward and a step after each piece; "retain": the same with
        retain_graph, once its question is answered."""
        self.ways.value = way

    @property
    def _waiting(self) -> bool:
        """Must the reader still predict the effect of `retain_graph`?"""
        return self.ways.value == "retain" and not self.retaining.tried

    @property
    def cuts(self) -> set[int]:
        return {i for i, toggle in enumerate(self.toggles, 1) if toggle.value}

    def draw(self, scale: float = 1.0) -> Sketch:
        words, known = self.words, bool(self.question.tried)
        model = self.model if scale == 1 else self.model.scaled(scale)
        everything = (model, self.x, self.target, self.ends, self.cuts, self.reset_box.value)
        way = self.ways.value
        known = known and not self._waiting
        train_it = way != "once" and not self._waiting
        self.training = train(*everything, retain_graph=way == "retain") if train_it else None
        self.flow = self.training.flow if self.training else run(*everything)
        stopped = self.training.piece if self.training else None
        told: dict[str, Any] = dict(cuts=", ".join(f"✂ {i} | {i + 1}" for i in sorted(self.cuts)) or words["no cut"])
        told |= dict(piece=stopped, pieces=len(self.ends), reached=self.flow.reached, steps=self.ends[-1])
        alt = words["alt" if stopped is None else "alt stopped"].format(**told) if known else words["masked"]
        if self._waiting:
            alt = words["retain masked"]
        strip = Strip(self.ends, self.cuts, stopped, words)
        wanted = np.asarray(self.target.detach().reshape(-1).tolist())
        parts = [
            *strip.frame(),
            *strip.curve(self.flow.prediction, wanted),
            *strip.bars(self.flow.reach if known else None),
        ]
        return Sketch(parts, SIZE, title=words["title"], alt=alt)

    def says(self, scale: float = 1.0) -> str:
        if not self.question.tried or self._waiting:
            return html.escape(self.picture.alt)
        told = [self.picture.alt]
        if self.sliders and self.flow.reach is not None and self.flow.reach[0] > 0:
            first, last = self.flow.reach[0], self.flow.reach[-1]
            told.append(self.words["arrives"].format(first=about(first), last=about(last)))
            if first < last / VANISHES or first > last * EXPLODES:
                told.append(self.words["vanishes" if first < last else "explodes"])
        if self.reset_box.value:
            told.append(self.words["reset here" if self.cuts else "reset nowhere"])
        if self.ways.value == "retain" and self.cuts:
            stopped = self.training.piece if self.training else None
            where = (stopped - 1, stopped, stopped - 1) if stopped else ()
            told.append(self.words["uncut" if where else "take away"].format(*where))
        if self.training and self.training.losses:
            told.append(self.words["losses"].format(", ".join(plain(loss, 2) for loss in self.training.losses)))
        written = marked(" ".join(told))
        if self.training and self.training.error:
            first, _, rest = self.training.error.partition(". ")
            more = f"<details><summary>{self.words['rest']}</summary>{html.escape(rest)}</details>" if rest else ""
            written += f"<br><b>✗</b> <code>RuntimeError: {html.escape(first)}</code>{more}"
        return written


def about(number: float) -> str:
    """A number with one digit, and with a power of ten if it is small.

    >>> about(0.234), about(1.2e-11)
    ('0.2', '1e−11')
    """
    return plain(number, 1) if number >= 1e-3 else f"{number:.0e}".replace("-", "−")


def in_pieces(model: Any, x: Any, ends: Sequence[int], cuts: set[int], reset: bool) -> Iterator[tuple[Any, list[Any]]]:
    """For each piece, its prediction and the state after each of its time steps. ✂ detaches or drops the state."""
    import minigrad as torch

    h, start = None, 0
    for i, end in enumerate(ends):
        if i in cuts and h is not None:
            h = None if reset else h.detach()
        out, states = [], []
        for t in range(start, end):
            step, h = model(x[:, t : t + 1], h)
            out.append(step)
            states.append(h)
        start = end
        yield torch.cat(out, 1), states


def run(model: Any, x: Any, target: Any, ends: Sequence[int], cuts: set[int], reset: bool) -> Flow:
    """Forward over all pieces, and backward from the last piece's loss. No `.grad` is changed."""
    import minigrad as torch

    done = list(in_pieces(model, x, ends, cuts, reset))
    last = ends[-2] if len(ends) > 1 else 0
    loss = ((done[-1][0] - target[:, last:]) ** 2).mean()
    states = [h for _, states in done for h in states]
    grads = torch.autograd.grad(loss, states, allow_unused=True)
    return Flow(numbers([prediction for prediction, _ in done]), norms(grads))


def train(
    model: Any, x: Any, target: Any, ends: Sequence[int], cuts: set[int], reset: bool, *, retain_graph: bool
) -> Training:
    """Backward and an optimizer step after each piece, with a copy of the model; an error ends the training."""
    from minigrad import optim

    model, start = copy.deepcopy(model), 0
    predictions: list[Any] = []
    losses: list[float] = []
    passed: list[Any] = []
    optimizer = optim.SGD(model.parameters(), lr=0.01)
    pieces = in_pieces(model, x, ends, cuts, reset)
    for i, end in enumerate(ends, 1):
        prediction, states = next(pieces)
        predictions.append(prediction)
        passed += states
        loss = ((prediction - target[:, start:end]) ** 2).mean()
        optimizer.zero_grad()
        for h in passed:
            h.retain_grad()
            h.grad = None  # clear the gradient from the loss of the piece before
        try:
            loss.backward(retain_graph=retain_graph)
        except RuntimeError as error:
            return Training(Flow(numbers(predictions), None), losses, i, str(error))
        optimizer.step()
        losses.append(loss.item())
        start = end
    return Training(Flow(numbers(predictions), norms([h.grad for h in passed])), losses)


def numbers(predictions: Sequence[Any]) -> np.ndarray:
    return np.concatenate([prediction.detach().numpy().reshape(-1) for prediction in predictions])


def norms(grads: Sequence[Any]) -> np.ndarray:
    """The norm of each gradient; 0 for a missing gradient."""
    return np.array([0.0 if grad is None else float(grad.norm()) for grad in grads])

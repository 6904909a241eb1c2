"""`viz.explore.unrolled(functions)`: a slider T unrolls a loop; the reader predicts the gradient at its start.

The loop runs again for each T. All time steps read the same leaf, and each sends a gradient to it, so the
graph grows, but the number of parameters does not. A bar below each state shows how large the gradient is there,
compared with that at the last state. The bars are hidden at first: the reader drags the bar of h_0, and then learns by
how many powers of ten they were wrong. A prediction is for one network and one T. The bars are in proportion to the
gradients, so a millionth has no height; a switch shows them by powers of ten.

Read panel.py first, then timesteps.py, which analyses a run, and accordion.py, which draws it.
"""

from __future__ import annotations

import html
import inspect
import itertools
import math
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from numbers import Real
from typing import Any

from ..alive import only, owns
from ..graph.names import named, names_in
from ..locale import language
from .accordion import FAINTEST, HEIGHT, STRONGEST, UNFOLDED, Accordion, share, together, written
from .leaving import Button, Check, Leaving, Slider, Switch, several
from .panel import Panel, Sketch, button, choice, in_a_row
from .recurrent import readings
from .timesteps import Grown, grow, state
from .words import UNROLLED, plain

STEP = 0.25  # of the reader's bar, in powers of ten
NEAR, CLOSE = 0.5, math.log10(1.4)  # the largest error that counts as right: in general, and between 1/10 and 10
Function = Callable[[int], Any]


def unrolled(
    functions: Function | Mapping[str, Function] | None = None,
    T: tuple[int, int, int, int] = (1, 30, 1, 3),
    *,
    lang: str | None = None,
) -> Unrolled:
    """A loop's graph for T time steps, with a slider for T, and the gradient at each state, to be predicted first.

    functions: takes T, runs a loop of T steps, returns (loss, [h_0 … h_T]), on minigrad or on PyTorch; h_0 requires
        grad. Several, as {name: function}, get a switch. Without any: three recurrent networks with 1,153
        numbers, untrained, trained, and with recurrent weights times 4. Leaves are named after the variables that the
        function uses.
    T: (smallest, largest, step, first value), whole numbers of 1 or more. lang: a language with catalogues.
    Raises TypeError or ValueError if a function returns anything else.
    From code: `sliders["T"].value = 30`; `guess(1/30)` or `guess("1/30")`, or `sliders["guess"].value = -1.5` (a power
    of ten) and `measure()`; `give_up()`, `choose("trained")`, `fold.value = False`, `powers.value = True`; then
    `grown`, with the measurements.

    >>> panel = unrolled(T=(1, 30, 1, 30))
    >>> print(panel.guess(1 / 30))
    ✗ You said 1/30, and we measured 1/46,000,000. The two are 6.2 powers of ten apart. 1/30 would be right if the time
    steps shared the gradient equally. But each time step multiplies it. Your bar means a factor of 0.89 for each time
    step. The measured average is about 0.56.
    >>> panel.choose("trained")
    >>> print(panel.guess(1e-4))
    ✓ You said 1/10,000, and we measured 1/22,000. The two are less than half a power of ten apart. On average, each
    time step multiplies the gradient by about 0.72.
    """
    lang = language(lang)
    whole = len(T) == 4 and all(isinstance(each, int) for each in T)
    if not whole or not 1 <= T[0] <= T[3] <= T[1] or T[2] < 1:
        raise ValueError(f"T is (smallest, largest, step, first value), whole numbers of 1 or more, but got {T}")
    if functions is None:
        words = UNROLLED[lang]
        functions = readings((words["untrained"], words["trained"], words["steep"]))
    elif callable(functions):
        functions = {getattr(functions, "__name__", "function"): functions}
    if not isinstance(functions, Mapping) or not functions or not all(map(callable, functions.values())):
        raise TypeError("unrolled() takes a function of T, or several as {name: function}")
    names = list(names_in(sys._getframe(1)))  # a variable for our own frame would keep it alive
    return Unrolled(dict(functions), names, T, lang)


def names_of(function: Function) -> Iterable[tuple[str, Any]]:
    """The tensors that a function uses, by the names of the variables that it closes over."""
    if not inspect.isfunction(function):
        return []
    return named(inspect.getclosurevars(function).nonlocals)


class Unrolled(Panel):
    """The panel that `unrolled` returns."""

    def __init__(self, functions: dict[str, Function], names: list[tuple[str, Any]], T: Any, lang: str):
        import ipywidgets as widgets

        super().__init__({"T": T, "guess": (float(FAINTEST), float(STRONGEST), STEP, 0.0)})
        self.words, self.lang, self.functions, self.names = UNROLLED[lang], lang, functions, names
        self.lengths = T
        self.sliders["guess"].description, self.sliders["guess"].before = self.words["guess"], "10^"
        self.name = next(iter(functions))
        self.grown: Grown
        self.place: tuple[str, int] = ("", 0)  # the network and the T of the last run
        self.ran = 0  # how often the reader's code has run
        self.start = 0.0  # where the reader's bar was when that place was reached
        self.given: dict[tuple[str, int], float | None] = {}  # the predictions; None: the reader gave up
        self.measured: dict[tuple[str, int], float] = {}  # the measurements, as powers of ten
        self.numbers: dict[str, tuple[int, int]] = {}  # by network: the first T, and the number of parameters then
        self.fold = widgets.Checkbox(value=True, description=self.words["fold it"], indent=False)
        self.fold.observe(only(self.refresh), "value")
        self.powers = widgets.Checkbox(value=False, description=self.words["by powers"], indent=False)
        self.powers.observe(only(self.label_bar), "value")
        self.label_bar()
        self.powers.observe(only(self.refresh), "value")
        self.measure_button = button(self.words["measure"], self.measure, disabled=True)
        self.give_up_button = button(self.words["give up"], self.give_up)
        self.switch = choice(functions, self.choose)
        owns(self, self.switch)  # it is on the page only if there are several networks
        self.root.children = (
            *([self.switch] if len(functions) > 1 else []),
            self.sliders["T"],
            self.sliders["guess"],
            in_a_row(self.measure_button, self.give_up_button, self.fold, self.powers),
            self.status,
            self.shown,
        )
        self.refresh()
        if self.error:
            raise self.error

    # -- what the reader does --

    def choose(self, name: str) -> None:
        """Switch to another network; a prediction for one network does not count for another."""
        if name not in self.functions:
            raise ValueError(f"choose one of {', '.join(map(repr, self.functions))}, but got {name!r}")
        self.name = name
        self.switch.value = name
        self.refresh()

    def guess(self, part: float | str) -> str:
        """Predict the gradient at h_0 as a part of that at h_T, measure, and say how far apart they are."""
        size = sized(part)
        if self.place not in self.given:
            self.given[self.place] = math.log10(size)
            self.sliders["guess"].value = self.start = nearest(math.log10(size))
            self.refresh()
        return self.verdict()

    def measure(self) -> None:
        """Show the measurement for this network and T, beside the predicted bar. Requires that the bar was moved."""
        if self.moved:
            self.given[self.place] = self.sliders["guess"].value
            self.refresh()

    def give_up(self) -> None:
        """Show the measurement for this network and T, without a prediction."""
        self.given.setdefault(self.place, None)
        self.refresh()

    @property
    def moved(self) -> bool:
        """Has the reader moved the bar, for this network and this T?"""
        return self.place not in self.given and self.start != self.sliders["guess"].value

    # -- what is shown --

    def label_bar(self) -> None:
        """Beside the slider of the reader's bar, the size stands as in the picture: 1/30, or a power of ten."""
        places = round((STRONGEST - FAINTEST) / STEP) + 1
        sizes = [share(10.0 ** (FAINTEST + STEP * place)) for place in range(places)]
        self.sliders["guess"].labels = [] if self.powers.value else sizes

    def draw(self, T: int, guess: float) -> Sketch:
        if self.place != (self.name, T):
            name, function = self.name, self.functions[self.name]
            self.grown = grow(function, T, [*names_of(function), *self.names])
            self.place, self.ran, self.start = (name, T), self.ran + 1, guess
            self.numbers.setdefault(name, (T, self.grown.parameters))
            self.measured[self.place] = math.log10(self.grown.ratio) if 0 < self.grown.ratio < math.inf else math.nan
        known = self.place in self.given
        said = self.given.get(self.place, guess)
        self.sliders["guess"].disabled = self.give_up_button.disabled = known
        self.measure_button.disabled = not self.moved
        self.fold.disabled = T <= UNFOLDED
        if known and said is not None and nearest(said) != guess:
            self.sliders["guess"].value = nearest(said)  # the slider shows the prediction for this place
        shown = Accordion(T, self.grown, self.fold.value, self.words, self.powers.value)
        parts = [*shown.graph(), *shown.bars(said, known, self.moved)]
        alt = self.alt(said, known)
        sketch = Sketch(parts, (shown.width, HEIGHT), title=self.words["title"], alt=alt)
        sketch.narrowest = shown.narrowest
        return sketch

    def alt(self, said: float | None, known: bool) -> str:
        """The picture in words; hidden numbers stay hidden here."""
        (name, T), grown, words = self.place, self.grown, self.words
        told = [words["alt"].format(name=name, T=T, last=state(T), leaf=grown.shared, arrows=grown.arrows)]
        if said is not None:
            told.append(words["alt yours" if known or self.moved else "alt unmoved"].format(share(10.0**said)))
        if not known:
            told.append(words["alt hidden"].format(state(T)))
        else:
            sizes = ", ".join(f"{state(t)} {written(size, 2)}" for t, size in enumerate(grown.shares))
            told.append(words["alt measured"].format(last=state(T), sizes=sizes))
        return " ".join(told)

    def says(self, T: int, guess: float) -> str:
        return f"{self.ran_with(T)}<br>{self.asks()}"

    def ran_with(self, T: int) -> str:
        """The first line above the picture: what has run."""
        (name, _), grown = self.place, self.grown
        first, numbers = self.numbers[name]
        same = "" if first == T else "as many" if numbers == grown.parameters else "not as many"
        many = self.words[same].format(T=first, numbers=f"{numbers:,}") if same else ""
        run = dict(run=self.ran, T=T, nodes=grown.nodes, parameters=f"{grown.parameters:,}", same=many)
        told = [self.words["run recorded" if self.recorded else "run"].format(**run)]
        if grown.beside:
            told.append(self.words["beside"])
        if self.place in self.given:
            told.append(self.words["locked"])
        return html.escape(" ".join(told))

    def asks(self) -> str:
        """The second line: what to do, or the reply to the prediction."""
        known = self.place in self.given
        asked = self.verdict() if known else self.words["press" if self.moved else "drag"]
        return f"<b>{html.escape(asked.format(state(self.place[1])))}</b>"

    # -- a page of its own --

    def leaves(self) -> Leaving:
        """A few T for each network; the reader's bar moves by whole powers of ten, and by quarters around 1."""
        panel = Recorded(self.functions, self.names, self.lengths, self.lang)
        names, Ts = [*self.functions], offered(*self.lengths)
        powers = [p / 4 for p in range(4 * FAINTEST, 4 * STRONGEST + 1) if p % 4 == 0 or abs(p) < 4]
        start = {"T": Ts.index(self.lengths[3]), "guess": powers.index(0), "start": powers.index(0), "fold": 1}
        page = Leaving(self.words["title"], self.lang, start | {"first.0": Ts.index(self.lengths[3]) + 1})
        page.fewer = several({"T": Ts, self.words["guess"]: [f"10^{plain(power)}" for power in powers]}, str)
        given = "given.{name}.{T}"  # 1: the reader gave up; from 2 on, the position of the predicted bar
        arrived = [("start", "guess"), ("guess", given, 2), ("first.{name}", "T", -1, 1)]
        page.controls = [Switch("name", names, on=arrived)] if len(names) > 1 else []
        page.controls += [
            Slider("T", "T", len(Ts), [str(T) for T in Ts], on=arrived),
            Slider("guess", self.words["guess"], len(powers), [plain(p) for p in powers], before="10^"),
            Button("measure", self.words["measure"]),
            Button("give up", self.words["give up"]),
            Check("fold", self.words["fold it"]),
        ]
        place, moved = ("name", "T"), "guess!=start"
        line = page.part("told", *place, "first.{name}", f"{given}!=none")
        reply = page.part("told", *place, moved, given, *(f"given.{i}.{{T}}!=none" for i in range(len(names))))
        picture = page.part("picture", *place, "fold", "guess", moved, given)
        moves = page.part("moves", *place, moved, f"{given}!=none")
        measure, give_up = page.move("measure", (given, "guess", -2)), page.move("give up", (given, 1))
        for name, T in itertools.product(names, Ts):
            panel.go(name, T)
        for i, name in enumerate(names):
            for j, T in enumerate(Ts):
                panel.go(name, T)
                for first, known in itertools.product(range(len(Ts)), range(2)):
                    panel.numbers[name] = Ts[first], panel.counts[name, Ts[first]]
                    panel.given = {(name, T): None} if known else {}
                    line.contents[i, j, first + 1, known] = panel.ran_with(T)
                no_fold = ["no fold:0"] if T <= UNFOLDED else []
                for move in range(2):
                    moves.contents[i, j, move, 0] = ",".join([*[measure] * move, give_up, *no_fold])
                    moves.contents[i, j, move, 1] = ",".join(["no guess:0", *no_fold])
                for said in range(len(powers) + 2):
                    power = powers[said - 2] if said > 1 else None
                    for flags in itertools.product(range(2), repeat=len(names)):
                        if flags[i] == (said > 0):
                            panel.given = {(n, T): None for n, flag in zip(names, flags, strict=True) if flag}
                            panel.given |= {(name, T): power} if said else {}
                            for panel.unmoved in (True, False):
                                reply.contents[i, j, int(not panel.unmoved), said, *flags] = panel.asks()
                    panel.given = {(name, T): power} if said else {}
                    for panel.fold.value in (True, False) if T > UNFOLDED else (True,):
                        for panel.unmoved in (True, False):
                            bars = [said - 2] if said > 1 else [0] if said else range(len(powers))
                            drawn = {k: panel.draw(T, powers[k]).svg for k in bars}
                            for k in range(len(powers)) if said == 1 else bars:
                                rest = k, int(not panel.unmoved), said
                                picture.contents[i, j, int(panel.fold.value), *rest] = drawn[0 if said == 1 else k]
                                if T <= UNFOLDED:
                                    picture.contents[i, j, 0, *rest] = drawn[0 if said == 1 else k]
        return page

    def verdict(self) -> str:
        """The prediction, the measurement, how far apart they are, and a likely reason."""
        (_, T), grown, words = self.place, self.grown, self.words
        said, ratio = self.given[self.place], grown.ratio
        if math.isnan(ratio):
            return words["no last"].format(state(T))
        if ratio in (0.0, math.inf):
            return words["none" if ratio == 0 else "infinite"]
        each = words["each"].format(factor(ratio, T)) if T > 1 else ""  # for T = 1 it equals the ratio
        if said is None:
            return f"{words['gave up'].format(share(ratio, 2))} {each}".strip()
        power = math.log10(ratio)
        off = 0.0 if beyond(said, power) else abs(said - power)
        close = abs(power) < 1
        apart = words["times" if close else "powers"].format(plain(10.0**off if close else off, 2))
        sizes = dict(zip(("said", "ratio"), together(10.0**said, ratio), strict=True), off=apart)
        outside = words["outside"] if not FAINTEST <= said <= STRONGEST else ""
        if off <= (CLOSE if close else NEAR):
            told = [words["right close" if close else "right"].format(**sizes), outside, each]
        else:
            told = [words["wrong"].format(**sizes), outside, self.belief(said, power)]
            told += [words["factors"].format(*factors(10.0**said, ratio, T))] if T > 1 else []
        return " ".join(filter(None, told))

    def belief(self, said: float, power: float) -> str:
        """The belief that may have led to this prediction."""
        (name, T), words = self.place, self.words
        if said == 0:
            return words["all"]
        if T > 1 and abs(10.0**said * T - 1) < 0.13 and share(10.0**said) == share(1 / T):
            return words["shared"].format(T=T)
        for other, at in self.given:
            if at == T and other != name and abs(said - self.measured.get((other, at), math.inf)) <= NEAR:
                return words["other"].format(other)
        weights = re.search(r"× *(\d+)$", name)  # of a network whose weights are a multiple of another's
        if weights and said > power and 0.5 <= 10.0 ** (said / T) / int(weights[1]) < 1.1:
            return words["weights alone"]
        if said * power < 0:
            return words["grows" if power > 0 else "shrinks"]
        return ""


def beyond(said: float, power: float) -> bool:
    """Is the reader's bar at an end of the scale, and the measurement there or beyond?"""
    return (said == FAINTEST and power <= FAINTEST) or (said == STRONGEST and power >= STRONGEST)


def factor(ratio: float, T: int, digits: int = 2) -> str:
    """The factor per time step, if it were the same for all T steps."""
    return plain(ratio ** (1 / T), digits)


def factors(said: float, ratio: float, T: int) -> tuple[str, str]:
    """Both factors, with as many digits as it takes to distinguish them.

    >>> factors(1000, 5300, 30), factors(1e-3, 2e-8, 30)
    (('1.26', '1.33'), ('0.79', '0.55'))
    """
    for digits in (2, 3, 4):
        both = factor(said, T, digits), factor(ratio, T, digits)
        if both[0] != both[1]:
            break
    return both


def sized(part: Any) -> float:
    """A prediction from code, as a number: 0.03, or "1/30"."""
    if isinstance(part, str):
        try:
            part = Fraction(part)
        except (ValueError, ZeroDivisionError):
            pass
    if not isinstance(part, Real):
        raise TypeError(f'a part is a number above 0, as 0.03 or "1/30" (1: as much as at h_T), but got {part!r}')
    size = float(part)
    if not 0 < size < math.inf:
        raise ValueError(f"a part is a number above 0 (1: as much as at h_T), but got {part!r}")
    return size


def nearest(power: float) -> float:
    """The nearest position of the bar."""
    return min(max(round(power / STEP) * STEP, float(FAINTEST)), float(STRONGEST))


def offered(smallest: int, largest: int, step: int, first: int) -> list[int]:
    """The T that a page offers: the ends, the first, and some between.

    >>> offered(1, 30, 1, 3)
    [1, 3, 5, 10, 30]
    """
    ladder = {each * 10**power for each in (1, 3, 5) for power in range(7)}
    grid = range(smallest, largest + 1, step)
    return [T for T in grid if T in ladder or T in (grid[0], grid[-1], first)]


class Recorded(Unrolled):
    """The panel whose pictures a saved page shows: each place runs once, and no move draws by itself."""

    unmoved = True

    def __init__(self, functions: dict[str, Function], names: list[tuple[str, Any]], T: Any, lang: str):
        self.runs_of: dict[tuple[str, int], Grown] = {}
        self.counts: dict[tuple[str, int], int] = {}
        super().__init__(functions, names, T, lang)
        self.recorded = True

    def refresh(self) -> None:
        pass

    @property
    def moved(self) -> bool:
        return self.place not in self.given and not self.unmoved

    def go(self, name: str, T: int) -> None:
        """To this network and this T."""
        self.name = name
        if (name, T) in self.runs_of:
            self.grown, self.place = self.runs_of[name, T], (name, T)
        else:
            self.draw(T, 0.0)
            self.runs_of[name, T], self.counts[name, T] = self.grown, self.grown.parameters

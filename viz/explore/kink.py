"""`viz.explore.kink(function)`: drag h through a kink, set a needle to the slope there, and compare derivatives.

Three derivatives may differ at a kink: the reader's, the one that the function's backward returns, and the measured
one, (f(h + ε) − f(h − ε)) / 2ε. gradcheck compares the last two and puts its stamp on the result.

Read panel.py first, and curve.py, which draws it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from math import isfinite
from types import BuiltinFunctionType
from typing import Any

from ..alive import owns, shown_before
from ..drawing.svg import element
from ..lesson.trial import library_of
from ..locale import language
from .curve import ASIDE, CLAIMED, LINE, MEASURED, ROW, TABLE, WIDTH, YOURS, View, curve_of, legend, stamp, table
from .leaving import Button, Leaving, Slider, Switch
from .panel import Panel, Sketch, button, choice, side_by_side
from .words import KINK, plain

EPS = 1e-6  # of the measurement, as in gradcheck
STEP = 0.05  # of the needle's slider; half a step is too small to see


@dataclass(frozen=True)
class Slopes:
    """The results at one h: the slopes to the left and right, the claimed and the measured derivative, the verdict."""

    height: float
    left: float
    right: float
    claimed: float
    measured: float
    passes: bool

    @property
    def exist(self) -> bool:
        """Are there slopes on both sides? The logarithm has none below 0."""
        return all(isfinite(each) for each in (self.height, self.left, self.right))

    def fits(self, slope: float) -> bool:
        """Is a needle of this slope between the slopes to the left and to the right? Not where there are none."""
        low, high = sorted((self.left, self.right))
        return self.exist and low - STEP / 2 - 1e-3 <= slope <= high + STEP / 2 + 1e-3


def library_of_all(functions: Iterable[Callable[[Any], Any]]) -> Any:
    """PyTorch if one of the functions is PyTorch's or works with it, else minigrad."""
    import minigrad

    for function in functions:
        if isinstance(function, BuiltinFunctionType) and "torch" in sys.modules:  # minigrad has none
            return sys.modules["torch"]
        owner = getattr(function, "__self__", function)
        told = owner if hasattr(owner, "__code__") or isinstance(owner, type) else type(owner)
        if (found := library_of(told)) is not None:
            return found
    return minigrad


def measure(function: Callable[[Any], Any], h: float, torch: Any = None) -> Slopes:
    """Compute `function`'s slopes on both sides of h, the derivative of its backward, and gradcheck's verdict.

    torch: the library of its tensors, minigrad or PyTorch; None: found out from the function.

    >>> import minigrad as torch
    >>> at_kink = measure(torch.relu, 0.0)
    >>> at_kink.left, at_kink.right, at_kink.claimed, at_kink.measured, at_kink.passes
    (0.0, 1.0, 0.0, 0.5, False)
    """
    torch = torch or library_of_all([function])

    def leaf() -> Any:
        return torch.tensor([h], dtype=torch.float64, requires_grad=True)

    def value(at: float) -> float:
        with torch.no_grad():
            return float(function(torch.tensor([at], dtype=torch.float64)))

    low, height, high = value(h - EPS), value(h), value(h + EPS)
    at = leaf()
    (claimed,) = torch.autograd.grad(function(at).sum(), at)
    return Slopes(
        height=height,
        left=round((height - low) / EPS, 6),
        right=round((high - height) / EPS, 6),
        claimed=float(claimed),
        measured=round((high - low) / (2 * EPS), 6),
        passes=bool(torch.autograd.gradcheck(function, leaf(), eps=EPS, raise_exception=False)),
    )


def kink(
    functions: Callable[[Any], Any] | Mapping[str, Callable[[Any], Any]] | None = None,
    *,
    h: float = 0.0,
    lang: str | None = None,
) -> Kink:
    """The curve of a function and, at a place h, the reader's needle beside the claimed and the measured derivative.

    functions: takes a tensor and gives one of the same shape; a subclass of `torch.autograd.Function` will do. Several,
        as {name: function}, get a switch. Without any: relu, clamp(min=0) and maximum with 0, as the engine has them.
    h: where to begin, from -1.5 to 1.5. lang: a language with catalogues.
    From code: `sliders["needle"].value = 0.5`, `release()`, `check()`, `choose("clamp")`; then `slopes`.

    >>> panel = kink()
    >>> panel.sliders["needle"].value = 0.5
    >>> panel.release()
    >>> panel.check()
    >>> panel.picture
    The curve of relu, and needles at h = 0. Your needle: 0.5, fits. backward claims: 0, fits. Measured: 0.5. gradcheck:
    FAILS.
    """
    lang = language(lang)
    if functions is None:
        functions = engine_functions()
    elif not isinstance(functions, Mapping):
        functions = {name_of(functions): functions}
    return Kink({name: as_function(one) for name, one in functions.items()}, float(h), lang)


def engine_functions() -> dict[str, Callable[[Any], Any]]:
    import minigrad as torch

    return {
        "relu": torch.relu,
        "clamp": lambda h: h.clamp(min=0),
        "maximum": lambda h: torch.maximum(h, torch.zeros_like(h)),
    }


def as_function(one: Any) -> Callable[[Any], Any]:
    """The `apply` of a subclass of `torch.autograd.Function`; anything else as it is (`Module.apply` is different)."""
    return one.apply if isinstance(one, type) and hasattr(one, "apply") else one


def name_of(function: Any) -> str:
    """A function's own name; for a subclass of `Function` or its `apply`, the name of the class."""
    if getattr(function, "__name__", "") == "apply":
        function = getattr(function, "__self__", function)
    return getattr(function, "__name__", type(function).__name__)


class Kink(Panel):
    """The panel that `kink` returns."""

    def __init__(self, functions: dict[str, Callable[[Any], Any]], h: float, lang: str):
        import ipywidgets as widgets

        super().__init__({"h": (-1.5, 1.5, 0.25, h), "needle": (-1.0, 2.0, STEP, -0.5)})
        self.lang, self.words, self.functions, self.start = lang, KINK[lang], functions, self.sliders["h"].value
        self.torch = library_of_all(functions.values())
        self.sliders["needle"].description = self.words["needle"]
        self.name, self.begins = next(iter(functions)), h
        self.released: set[tuple[str, float]] = set()  # places whose claimed derivative is shown
        self.checked: set[str] = set()  # functions whose claim and measurement are shown at every h
        self.curves: dict[str, list[tuple[float, float]]] = {}
        self.release_button = button(self.words["release"], self.release, disabled=True)
        self.check_button = button("gradcheck", self.check, disabled=True)
        self.switch = choice(functions, self.choose)
        owns(self, self.switch)  # it is on the page only if there are several functions
        self.root.children = (
            *([self.switch] if len(functions) > 1 else []),
            *self.sliders.values(),
            widgets.HBox([self.release_button, self.check_button]),
            self.status,
            self.shown,
        )
        self.go_on()
        self.refresh()

    def go_on(self) -> None:
        """If this cell is run again, for functions of the same names and curves, go on where the reader was."""
        for old in shown_before(Kink):
            if [*old.functions] == [*self.functions] and old.begins == self.begins and self._draws(old.curves):
                self.released, self.checked, self.name = set(old.released), set(old.checked), old.name
                self.switch.value = old.name
                for name, moved in self.sliders.items():
                    moved.value = old.sliders[name].value

    def _draws(self, curves: Mapping[str, list[tuple[float, float]]]) -> bool:
        """Do the functions still have these curves?"""
        with suppress(Exception):  # a function of the reader's; the panel shows its error
            return all(curve_of(self.functions[name], self.torch) == curve for name, curve in curves.items())
        return False

    @property
    def place(self) -> tuple[str, float]:
        return self.name, self.sliders["h"].value

    @property
    def known(self) -> bool:
        """Is the claimed derivative shown here?"""
        return self.name in self.checked or self.place in self.released

    @property
    def steep(self) -> bool:
        """Is the curve too steep for the needle here?"""
        slopes, needle = self.slopes, self.sliders["needle"]
        return min(slopes.left, slopes.right) > needle.max or max(slopes.left, slopes.right) < needle.min

    @property
    def at_kink(self) -> bool:
        """Are the slopes to the left and to the right different here?"""
        return abs(self.slopes.left - self.slopes.right) > 0.01

    @property
    def ready(self) -> bool:
        """May the claim be shown: does the needle fit as well as it can?"""
        return self.slopes.exist and (self.steep or self.slopes.fits(self.sliders["needle"].value))

    def choose(self, name: str) -> None:
        """Switch to another function; its claimed derivative stays hidden until `release`."""
        self.name = name
        self.switch.value = name
        self.refresh()

    def release(self) -> None:
        """Show the derivative that backward claims at this h, once the needle fits."""
        if self.ready:
            self.released.add(self.place)
            self.refresh()

    def check(self) -> None:
        """After `release`: measure, and show gradcheck's stamp. From now on, everything is shown at every h."""
        if self.known:
            self.checked.add(self.name)
            self.refresh()

    def says(self, h: float, needle: float) -> str:
        if not self.slopes.exist:
            return self.words["none"]
        if not self.known:
            fits = "press_kink" if self.at_kink else "press"
            return self.words["steep" if self.steep else fits if self.slopes.fits(needle) else "set"]
        told = self.words["kink" if self.at_kink else "smooth"]
        return f"{told} {self.words['compared']}" if self.name in self.checked else told

    def draw(self, h: float, needle: float) -> Sketch:
        name = self.name
        self.slopes = slopes = self.measured(name, h)
        self.release_button.disabled = self.known or not self.ready
        self.check_button.disabled = name in self.checked or not self.known
        curve = self.curves.get(name) or self.curves.setdefault(name, curve_of(self.functions[name], self.torch))
        view = View(curve)
        known = {"claimed": self.known, "measured": name in self.checked}
        lines = [self.words["yours"].format(plain(needle, 4), self._verdict(needle))]
        for what, number in (("claimed", slopes.claimed), ("measured", slopes.measured)):
            verdict = self._verdict(number) if what == "claimed" else ""
            lines.append(self.words[what].format(plain(number, 4), verdict) if known[what] else self.words[what + "?"])
        parts = [*view.axes(name)]
        styles = [YOURS, CLAIMED, MEASURED]
        shown = [needle, slopes.claimed if known["claimed"] else None, slopes.measured if known["measured"] else None]
        for i in (2, 1, 0):
            parts += legend(i, lines[i], *styles[i])
            if (slope := shown[i]) is not None and isfinite(slope) and isfinite(slopes.height):
                parts.append(view.needle(h, slopes.height, slope, *styles[i]))
        if isfinite(slopes.height):  # log and √ have no value below 0
            parts.append(view.pivot(h, slopes.height))
        if known["measured"]:
            lines.append("gradcheck: " + self.words["passes" if slopes.passes else "fails"])
            parts += stamp(self.words["passes" if slopes.passes else "fails"], slopes.passes)
        height, also = view.bottom, list[str]()
        if len(self.functions) > 1:
            rows = [self._row(each, h) for each in self.functions]
            also = [f"{each}: {claim}, {check}" for each, claim, check in rows if each != name and claim != "?"]
        title = self.words["title"].format(name=name, h=plain(h))
        alt, more = (" ".join(one + self.words["."] for one in each) for each in (lines, also))
        alt = f"{title} {alt}"
        self.halves = [Sketch(parts, (WIDTH, view.bottom), title=title, alt=alt)]
        if len(self.functions) > 1:
            self.halves.append(self.beside(name, h))
            parts.append(element("g", *self.halves[1].parts, transform=f"translate(0 {height})"))
            height += self.halves[1].size[1]
        return Sketch(parts, (WIDTH, height), title=title, alt=f"{alt} {more}".rstrip())

    def beside(self, name: str, h: float) -> Sketch:
        """The table: what backward claims at this h, and gradcheck's verdict, for each function."""
        head = f"h = {plain(h)}", self.words["claims"], "gradcheck"
        rows = [self._row(each, h) for each in self.functions]
        parts = element(
            "g", *table(head, rows, [*self.functions].index(name)), transform=f"translate({-WIDTH} {LINE - TABLE})"
        )
        size = (ASIDE, LINE * 2 + ROW * len(self.functions))
        title = self.words["title"].format(name=name, h=plain(h))
        return Sketch([parts], size, title=title, alt="; ".join(", ".join(row) for row in [head, *rows]))

    def on_page(self) -> str:
        """The curve with the table beside it, or below it if there is no room for both."""
        return side_by_side(self.halves, "align-items:center")

    def measured(self, name: str, h: float) -> Slopes:
        return measure(self.functions[name], h, self.torch)

    def leaves(self) -> Leaving:
        """All positions of the needle, at each h and for each function."""
        names = [*self.functions]
        hs = sorted({each / 4 for each in range(-6, 7)} | {self.start})
        needles = [each / 20 for each in range(-20, 41)]
        page = Leaving(self.words["title"].format(name=", ".join(names), h="…"), self.lang, {"h": hs.index(self.start)})
        page.start["needle"] = needles.index(-0.5)
        page.controls = [Switch("name", names)] if len(names) > 1 else []
        page.controls += [
            Slider("h", "h", len(hs), [plain(h) for h in hs]),
            Slider("needle", self.words["needle"], len(needles), [plain(each) for each in needles]),
            Button("release", self.words["release"]),
            Button("check", "gradcheck"),
        ]
        state = ("name", "h", "needle", "known.{name}.{h}", "checked.{name}")
        told, picture, moves = (page.part(kind, *state) for kind in ("told", "picture", "moves"))
        release = page.move("release", ("known.{name}.{h}", 1))
        check = page.move("check", ("checked.{name}", 1))
        for i, name in enumerate(names):
            panel = Recorded({name: self.functions[name]}, self.start, self.lang)
            for level in range(3):  # nothing is known, the claim is known, all is known
                panel.checked = {name} if level == 2 else set()
                for j, h in enumerate(hs):
                    panel.sliders["h"].value, panel.released = h, {(name, h)} if level else set()
                    for k, needle in enumerate(needles):
                        panel.sliders["needle"].value = needle
                        panel.draw(h=h, needle=needle)
                        line, curve = panel.says(h=h, needle=needle), panel.halves[0].svg
                        can = [release] if not level and panel.ready else [check] if level == 1 else []
                        for known in ((0,), (1,), (0, 1))[level]:  # after gradcheck, it no longer matters
                            key = i, j, k, known, level // 2
                            told.contents[key], moves.contents[key] = line, ",".join(can)
                            picture.contents[key] = curve
        if len(names) > 1:
            self._table(page, Recorded(self.functions, self.start, self.lang), hs)
        return page

    def _table(self, page: Leaving, panel: Recorded, hs: list[float]) -> None:
        """The table beside the curve, for each combination of what is known about the functions."""
        names = [*self.functions]
        terms = [term for i in range(len(names)) for term in (f"known.{i}.{{h}}", f"checked.{i}")]
        table = page.part("picture", "name", "h", *terms)
        for i, name in enumerate(names):
            panel.name = name
            for j, h in enumerate(hs):
                for flags in product((0, 1), repeat=len(terms)):
                    panel.released = {(each, h) for each, known in zip(names, flags[::2], strict=True) if known}
                    panel.checked = {each for each, checked in zip(names, flags[1::2], strict=True) if checked}
                    table.contents[i, j, *flags] = panel.beside(name, h).svg

    def _row(self, name: str, h: float) -> tuple[str, str, str]:
        """A row for one function at this h: its name, its claimed derivative, gradcheck's verdict."""
        checked = name in self.checked
        if not checked and (name, h) not in self.released:
            return name, "?", "?"
        slopes = self.measured(name, h)
        verdict = ("✓ " + self.words["passes"] if slopes.passes else "✗ " + self.words["fails"]) if checked else "?"
        return name, plain(slopes.claimed, 4), verdict

    def _verdict(self, slope: float) -> str:
        return self.words["fits" if self.slopes.fits(slope) else "cuts"]


class Recorded(Kink):
    """The panel whose pictures a saved page shows: each place is measured once, and no move draws by itself."""

    def __init__(self, functions: dict[str, Callable[[Any], Any]], h: float, lang: str):
        self.known_slopes: dict[tuple[str, float], Slopes] = {}
        super().__init__(functions, h, lang)

    def refresh(self) -> None:
        pass

    def measured(self, name: str, h: float) -> Slopes:
        if (name, h) not in self.known_slopes:
            self.known_slopes[name, h] = super().measured(name, h)
        return self.known_slopes[name, h]

"""`viz.explore.storages(w, …)`: memory as boxes with an odometer, tensors as tags on strings.

Tensors that share memory hang on one box. An odometer is a version counter: it counts changes in place, and backward
reads it to detect that a saved tensor was changed. A view and `detach()` share the counter of their tensor; `.data` has
its own, so the one that backward reads does not change. Without tensors, the explorer asks for the gradient after
memory is changed in one of four ways.

Read panel.py first, and shelf.py, which draws it.
"""

from __future__ import annotations

import html
import sys
from collections.abc import Hashable, Mapping
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any

from ..alive import chosen, only, weak
from ..graph.memory import storages as storages_of
from ..graph.memory import version
from ..graph.names import has_readable_history, is_tensor, names_in
from ..graph.values import numbers
from ..lesson.predict import predict
from ..locale import language
from .panel import Panel, Sketch, button
from .shelf import Shelf, Store, Tag
from .words import STORAGES, plain


def storages(*tensors: Any, names: Mapping[str, Any] | None = None, lang: str | None = None) -> Storages | Lamp:
    """A map of the memory behind `tensors`, as it is now, with a button to look again; without tensors, a question.

    tensors: minigrad's or real PyTorch's. names: {name: tensor}; without it, the variables where this is called.
    lang: a language with catalogues. Raises TypeError for an argument that is no tensor.
    From code: `look()`, then `stores`; for the question, `choose("data")`, `guess("error")`, `outcome`.

    >>> import minigrad as torch
    >>> w = torch.ones(3, requires_grad=True)
    >>> d = w.data
    >>> other = w.detach()
    >>> panel = storages(w, d, other)
    >>> _ = d.add_(1)
    >>> panel.look()
    >>> panel.picture
    Storage A, [2, 2, 2]: w (leaf, version 0), other (no history, version 0), d (no history, version 1).
    """
    lang = language(lang)
    for thing in tensors:
        if not is_tensor(thing):
            raise TypeError(f"storages() shows the memory of tensors, but got {type(thing).__name__}")
    if not tensors:
        return Lamp(lang)
    if names is None:
        pairs = list(names_in(sys._getframe(1)))
    else:
        pairs = list(names.items())
    called: dict[int, str] = {}
    for name, tensor in pairs:
        called.setdefault(id(tensor), name)
    tags = {called.get(id(tensor), f"#{i}"): tensor for i, tensor in enumerate(tensors, 1)}
    return Storages(tags, lang)


def stores_of(tensors: Mapping[str, Any], words: Mapping[str, str], apart: set[frozenset[str]]) -> list[Store]:
    """The boxes, and the tags that hang on each; tags that share an odometer are neighbours.

    apart: pairs of names whose counters were seen to differ; new pairs are added.
    """
    keyed: dict[Hashable, Any] = {name: tensor for name, tensor in tensors.items()}
    places = storages_of(keyed)
    found = []
    for place in sorted(set(places.values())):
        names = [name for name in tensors if places.get(name) == place]
        largest = max((tensors[name] for name in names), key=lambda tensor: prod(tensor.shape))
        holds = numbers(largest) or words["shape"].format(tuple(largest.shape))
        groups = sharing({name: tensors[name] for name in names}, apart)
        tags = [
            Tag(name, kind(tensors[name], words), version(tensors[name]), i)
            for i, group in enumerate(groups)
            for name in group
        ]
        letter = chr(ord("A") + place) if place < 26 else f"A{place}"
        found.append(Store(letter, holds, tuple(tags)))
    return found


def sharing(tensors: Mapping[str, Any], apart: set[frozenset[str]]) -> list[list[str]]:
    """The names in groups, one for each version counter.

    minigrad's tensors give access to their counter. PyTorch's do not: two tensors in one storage with the same number
    are assumed to share one, unless they have shown different numbers before.
    """
    groups: list[tuple[object, list[str]]] = []
    for name, tensor in tensors.items():
        own = getattr(tensor, "versions", None)
        shown = version(tensor)
        counter = id(own()) if callable(own) and shown is not None else shown
        apart |= {frozenset((name, other)) for other, each in tensors.items() if version(each) != shown}
        for key, group in groups:
            if key == counter and not any(frozenset((name, other)) in apart for other in group):
                group.append(name)
                break
        else:
            groups.append((counter, [name]))
    return [group for _, group in groups]


def kind(tensor: Any, words: Mapping[str, str]) -> str:
    if not tensor.requires_grad or not has_readable_history(tensor):
        return words["view"] if tensor._base is not None else words["no history"]
    return words["leaf"] if tensor.is_leaf else words["view"] if tensor._base is not None else words["result"]


class Storages(Panel):
    """The panel that `storages` returns for tensors."""

    def __init__(self, tensors: Mapping[str, Any], lang: str):
        import ipywidgets as widgets

        super().__init__({})
        self.tensors, self.lang, self.words = dict(tensors), lang, STORAGES[lang]
        self.apart: set[frozenset[str]] = set()
        self.put_on_top(widgets.HBox([button(self.words["look"], self.look, icon="refresh")]))
        self.refresh()

    def look(self) -> None:
        """Read the tensors again, because cells may have changed them."""
        self.refresh()

    def draw(self) -> Sketch:
        self.stores = stores_of(self.tensors, self.words, self.apart)
        shelf = Shelf(self.stores, self.words)
        return Sketch(shelf.parts(), shelf.size, title=self.words["title"], alt=shelf.alt)

    def says(self) -> str:
        return html.escape(self.words["looked"].format(run=self.runs))


class Lamp(Panel):
    """The panel that `storages` returns without tensors: w is saved, then changed through t. What does backward do?"""

    WAYS = {  # the code that the reader sees, and the function that does it
        "detach": ("t = w.detach()", lambda w: w.detach()),
        "data": ("t = w.data", lambda w: w.data),
        "view": ("t = w.view(1)", lambda w: w.view(1)),
        "clone": ("t = w.clone()", lambda w: w.clone()),
    }

    def __init__(self, lang: str):
        import ipywidgets as widgets

        super().__init__({})
        self.lang, self.words = lang, STORAGES[lang]
        words = self.words
        self.way, self.outcome, self.told = "detach", "", ""
        lamps = [words[lamp] for lamp in ("right", "error", "wrong")]
        self.questions = {
            way: predict(
                words["question"].format(code),
                partial(weak(self._truth), way),
                self._beliefs(way),
                because=words[f"because {way}"],
                choices=lamps,
                lang=lang,
            )
            for way, (code, _) in self.WAYS.items()
        }
        self.switch = widgets.ToggleButtons(
            options=[(code, way) for way, (code, _) in self.WAYS.items()], style={"button_width": "auto"}
        )
        self.switch.observe(chosen(self.choose), "value")
        self.asked = widgets.VBox()
        for question in self.questions.values():
            question.feedback.observe(only(self.refresh), "value")
        self.put_on_top(self.switch, self.asked)
        self.choose(self.way)

    def _truth(self, way: str) -> str:
        return self.words[run(way, changed=True)[2]]

    def _beliefs(self, way: str) -> dict[str, str]:
        """The explanation of each wrong lamp."""
        if way == "clone":
            told = dict.fromkeys(("error", "wrong"), "belief box")
        else:
            told = {"right": "belief shared", "error": "belief version", "wrong": "belief version"}
        right = self._truth(way)
        return {self.words[lamp]: self.words[text] for lamp, text in told.items() if self.words[lamp] != right}

    def choose(self, way: str) -> None:
        """Change w through another kind of t."""
        self.way = way
        self.switch.value = way
        self.asked.children = (self.questions[way].root,)
        self.refresh()

    def guess(self, said: str) -> str:
        """Predict what backward will do; then the change is made."""
        return self.questions[self.way].check(said)

    def draw(self) -> Sketch:
        known = bool(self.questions[self.way].tried)
        tensors, noted, lamp, told = run(self.way, changed=known)
        self.outcome, self.told = (lamp, told) if known else ("", "")
        saved, *others = stores_of(tensors, self.words, set())
        self.stores = [replace(saved, noted=noted), *others]
        shelf = Shelf(self.stores, self.words, self.outcome or "?", self.told)
        return Sketch(shelf.parts(), shelf.size, title=self.words["title"], alt=shelf.alt)

    def says(self) -> str:
        code = ["w = torch.tensor([3.0], requires_grad=True)", "y = w * w", self.WAYS[self.way][0]]
        if self.outcome:
            code += ["with torch.no_grad(): t.add_(1)", "y.backward()", f"# {self.told}"]
        return (
            '<pre style="white-space: pre-wrap; word-break: normal; overflow-wrap: anywhere">'
            + html.escape("\n".join(code))
            + "</pre>"
        )


def run(way: str, *, changed: bool) -> tuple[dict[str, Any], int | None, str, str]:
    """Run it: w and t afterwards, the version that × has noted, the lamp, and the gradient or the error."""
    import minigrad as torch

    w = torch.tensor([3.0], requires_grad=True)
    y, noted = w * w, version(w)
    t = Lamp.WAYS[way][1](w)
    if changed:
        with torch.no_grad():  # a leaf that requires grad must not be changed otherwise
            t.add_(1)
    tensors = {"w": w, "t": t}
    try:
        (grad,) = torch.autograd.grad(y, w)
    except RuntimeError as error:
        return tensors, noted, "error", str(error).partition(" Hint")[0]
    true = 6.0  # the derivative of w * w at w = 3, where y was computed
    return tensors, noted, "right" if grad.item() == true else "wrong", f"w.grad = {plain(grad.item())}"

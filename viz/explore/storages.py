"""`viz.explore.storages(w, …)`: memory as boxes with an odometer, tensors as tags on strings.

Tensors that share memory hang on one box. An odometer is a version counter: it counts changes in place, and backward
reads it to detect that a saved tensor was changed. A view and `detach()` share the counter of their tensor; `.data` has
its own, so the one that backward reads does not change.

Read panel.py first, and tags.py, which draws it. Read next: shelf.py, a program that changes memory, line by line.
"""

from __future__ import annotations

import html
import sys
from collections.abc import Hashable, Mapping
from math import prod
from typing import Any

from ..graph.memory import storages as storages_of
from ..graph.memory import version
from ..graph.names import has_readable_history, is_tensor, names_in
from ..graph.values import numbers
from ..locale import language
from .leaving import Leaving, frame
from .panel import Panel, Sketch, button
from .tags import Store, Tag, Tags
from .words import STORAGES

ROOM = 19  # letters in a box, beside its counter


def storages(*tensors: Any, names: Mapping[str, Any] | None = None, lang: str | None = None) -> Panel:
    """A map of the memory behind `tensors`, as it is now, with a button to look again; without tensors,
    `shelf()`.

    tensors: minigrad's or real PyTorch's. names: {name: tensor}; without it, the variables where this is called.
    lang: a language with catalogues. Raises TypeError for an argument that is no tensor.
    From code: `look()`, then `stores`.

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
        from .shelf import shelf

        return shelf(lang=lang)
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
        holds = numbers(largest) or written(largest) or words["shape"].format(tuple(largest.shape))
        groups = sharing({name: tensors[name] for name in names}, apart)
        cut = any(tensors[name].requires_grad for name in names)
        tags = [
            Tag(name, kind(tensors[name], words), version(tensors[name]), i, cut)
            for i, group in enumerate(groups)
            for name in group
        ]
        letter = chr(ord("A") + place) if place < 26 else f"A{place}"
        found.append(Store(letter, holds, tuple(tags)))
    return found


def written(tensor: Any) -> str:
    """The numbers of a small matrix, row by row, if its box has room for them; else ""."""
    if prod(tensor.shape) > 12 or not tensor.is_contiguous():
        return ""
    told = f"[{', '.join(f'{number:g}' for number in tensor.detach().reshape(-1).tolist())}]"
    return told if len(told) <= ROOM else ""


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
        drawn = Tags(self.stores, self.words)
        return Sketch(drawn.parts(), drawn.size, title=self.words["title"], alt=drawn.alt)

    def leaves(self) -> Leaving:
        """The memory as it is now."""
        page = Leaving(self.words["title"], self.lang, {})
        page.part("picture").contents[()] = frame(Storages(self.tensors, self.lang))[1]
        return page

    def says(self) -> str:
        return html.escape(self.words["looked"].format(run=self.runs))

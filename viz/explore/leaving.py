"""An explorer as a page that needs no kernel: `panel.save("page.html")`.

A page knows a *state*: whole numbers by name, such as the position of each slider. It has *parts*: the line above the
picture, the picture, the moves that are possible now, the question. A part names the numbers that it depends on, its
*terms*, and has a content for each combination of them. All contents are recorded with the explorer's own code before
the page is written; the page only looks them up.

A term is the name of a number. `known.{name}.{h}` is the name that results when the values of `name` and `h` are filled
in, so the page remembers something about each place. `guess!=start` is 1 if the two differ. A number that was never set
is 0. A move sets numbers: see `Set`.

Contents repeat each other. They are cut into tags, each different tag is kept once, and a content is written as its
difference from the one before; all this is one gzip stream.

Imports page.py of drawing/, and said.py and typed.py of lesson/. Read next: leaving.js, which shows
the page, and rectangle.py.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from ..beside import edges, text_of
from ..drawing.page import SCROLL, fragment, page
from ..lesson.said import marked
from ..lesson.typed import MEANT, WORDS, plain
from ..lesson.typed import written as as_text
from ..locale import room

MOST = 150_000  # bytes of a page
# What a move sets: (a term, a number), or (a term, another term, less): that term's value minus `less`, if this is 0 or
# more, or if `less` is negative. A fourth member, 1: only if the number was never set.
Set = Sequence[Any]

tr = room("explore")
STILL = tr("This page shows only its first picture, because scripts do not run here or the browser is too old.")
FEWER = tr("The pictures on this page were recorded in a notebook. It offers fewer positions than the notebook: {}.")
RECORDED = tr("The pictures on this page were recorded in a notebook.")
AGAIN = tr("In the notebook, the code runs again after each move.")
TAGS = re.compile(r"(?=<)|(?<=>)")
OWN = re.compile(r'<svg [^>]*?class="(s[0-9a-f]{8})"')  # the class by which a picture's style finds it
EACH = re.compile(r"s(?<!\ws)[0-9a-f]{8}\b")  # each place of such a class; the search for a first letter is a fast one


@dataclass(frozen=True)
class Slider:
    """texts: how each position is written; without them, the part "shown NAME" says it. on: what a move also sets."""

    name: str
    label: str
    count: int
    texts: Sequence[str] = ()
    on: Sequence[Set] = ()
    before: str = ""


@dataclass(frozen=True)
class Button:
    """A button whose `move` is possible while the part "moves" names it."""

    move: str
    label: str


@dataclass(frozen=True)
class Switch:
    """Buttons, one of which is pressed: the number `name` chooses among the labels."""

    name: str
    labels: Sequence[str]
    on: Sequence[Set] = ()


@dataclass(frozen=True)
class Check:
    """A checkbox: the number `name` is 1 while it is checked."""

    name: str
    label: str
    on: Sequence[Set] = ()


@dataclass(frozen=True)
class Question:
    """A question as a page asks it. Its texts are markup.

    right: the answers that count; beliefs: the reply to each likely wrong answer; tried, done: what an answer sets, and
    what a right one sets, or "Show me". show: the answer for the reader who gives up, or "" without such a button.
    """

    asked: str
    right: Sequence[Any]
    praise: str
    called: str
    because: str
    beliefs: Sequence[tuple[Any, str]]
    other: str
    words: Mapping[str, str]
    choices: Sequence[str] = ()
    show: str = ""
    tried: Sequence[Set] = ()
    done: Sequence[Set] = ()


def question(asks: Any, *, tried: Sequence[Set] = (), done: Sequence[Set] = (), show: bool = True) -> Question:
    """A `Prediction` of a widget, as it is now."""
    right = asks._right()
    called = asks._called(right)
    answers = asks.answer if isinstance(asks.answer, tuple) else (right,)
    answers += ("runtimeerror",) if right == "error" else ()
    return Question(
        asked=f"<b>{marked(asks.words['predict'])}</b> {marked(asks.question)}",
        right=[written(plain(each)) for each in answers],
        called=called,
        because=marked(asks.because),
        praise=marked(f"✓ {called}. {asks.because}".strip()),
        beliefs=[(written(value), marked(text)) for value, text in asks.beliefs.items()],
        other=marked(asks.words["number" if isinstance(right, float) else "no"]),
        words={key: asks.words[key] for key in ("yours", "check", "show", "first", "no")}
        | {"unread": asks.words["unread"] if isinstance(right, float) and not asks.choices else ""}
        | ({"no": marked(asks.other)} if asks.other else {}),
        choices=list(asks.choices),
        show=marked(
            f"{asks.words['it is'].format(as_text(called) if isinstance(called, float) else called)} {asks.because}"
        )
        if show
        else "",
        tried=list(tried),
        done=list(done),
    )


def written(value: Any) -> Any:
    """A value that JSON has: a finite number, or text."""
    return value if isinstance(value, float) else str(value).lower()


@dataclass
class Part:
    """What stands in one place of the page. by: its terms. contents: by the values of these."""

    kind: str
    by: Sequence[str]
    contents: dict[tuple[int, ...], str] = field(default_factory=dict)


class Leaving:
    """The page of one explorer. Controls are shown in the order of `controls`."""

    def __init__(self, title: str, lang: str, start: Mapping[str, int]):
        self.title, self.lang, self.start = title, lang, dict(start)
        self.controls: list[Slider | Button | Switch | Check] = []
        self.parts: list[Part] = []
        self.moves: list[Sequence[Set]] = []
        self.questions: list[Question] = []
        self.fewer: list[str] = []  # what the page has less of, in words

    def part(self, kind: str, *by: str) -> Part:
        """A new part: "told", "picture", "moves", "asks" or "shown NAME"."""
        self.parts.append(Part(kind, by))
        return self.parts[-1]

    def move(self, name: str, *sets: Set) -> str:
        """A possible move, as the part "moves" writes it; it joins several with commas."""
        kept = [list(each) for each in sets]
        if kept not in self.moves:
            self.moves.append(kept)
        return f"{name}:{self.moves.index(kept)}"

    def asks(self, one: Question) -> str:
        """The number of a question, as the part "asks" writes it."""
        if one not in self.questions:
            self.questions.append(one)
        return str(self.questions.index(one))

    def at(self, kind: str, **state: int) -> list[str]:
        """The contents of this kind in a state; the numbers that are not named are those of the start."""
        now = self.start | state
        return [part.contents.get(key_of(part.by, now), "") for part in self.parts if part.kind == kind]

    def note(self) -> str:
        """The sentence below the picture: what the page offers, and what only the notebook does."""
        told = FEWER.into(self.lang).format("; ".join(self.fewer)) if self.fewer else RECORDED.into(self.lang)
        return f"{told} {AGAIN.into(self.lang)}"

    def html(self) -> str:
        """The page."""
        return page(self.title, self.fragment(), self.lang)

    def fragment(self) -> str:
        """What the page consists of, to be placed in any other page."""
        pieces, contents, tables = packed(self.parts)
        data = {
            "controls": [{"kind": type(each).__name__.lower(), **asdict(each)} for each in self.controls],
            "parts": [{"kind": part.kind, "by": list(part.by)} for part in self.parts],
            "tables": tables,
            "contents": contents,
            "pieces": pieces,
            "moves": self.moves,
            "questions": [asdict(each) for each in self.questions],
            "meant": [[words.pattern, names] for words, names in MEANT],
            "said": "|".join(words.pattern for words in (*(words for words, _ in MEANT), WORDS)),
            "start": self.start,
            "note": self.note(),
            "title": self.title,
        }
        stream = gzip.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), 9, mtime=0)
        first = "".join(f"<p>{told}</p>" for told in self.at("told")) + "".join(
            f'<div class="viz-scroll">{tame(markup)}</div>' for markup in self.at("picture")
        )
        still = f'{SCROLL}{first}<p class="viz-still" lang="{self.lang}">{STILL.into(self.lang)}</p>'
        given = {"lang": self.lang, "title": self.title, "stream": base64.b64encode(stream).decode()}
        style, program = (text_of(f"explore/leaving{end}") for end in (".css", ".js"))
        fading, edge = edges()
        return fragment(fading + style, edge + program, given, still)

    def save(self, path: str | Path) -> None:
        if Path(path).suffix.lower() != ".html":
            raise ValueError(f"an explorer is saved as .html, but got {str(path)!r}")
        Path(path).write_bytes(self.html().encode())


def key_of(terms: Iterable[str], state: Mapping[str, int]) -> tuple[int, ...]:
    """The values of terms in a state, as leaving.js computes them."""

    def value(term: str) -> int:
        if "!=" in term:
            one, other = term.split("!=")
            return int(value(one) != value(other))
        return state.get(re.sub(r"\{(\w+)\}", lambda found: str(state.get(found[1], 0)), term), 0)

    return tuple(map(value, terms))


def made(state: Mapping[str, int], sets: Iterable[Set]) -> dict[str, int]:
    """The state after a move, as leaving.js computes it."""
    now = dict(state)
    for term, source, *more in sets:
        (name,) = [re.sub(r"\{(\w+)\}", lambda found: str(now.get(found[1], 0)), term)]
        less, once = (*more, 0, 0)[:2]
        number = source if isinstance(source, int) else key_of([source], now)[0] - less
        if (isinstance(source, int) or number >= 0 or less < 0) and not (once and name in now):
            now[name] = number
    return now


def tame(markup: str, name: str = "f") -> str:
    """Markup whose pictures are told apart by their order, so that equal pictures are equal text."""
    names = {own: f"{name}{i}" for i, own in enumerate(dict.fromkeys(OWN.findall(markup)))}
    return EACH.sub(lambda found: names.get(found[0], found[0]), markup) if names else markup


def packed(parts: Sequence[Part]) -> tuple[list[str], list[list[int]], list[dict[str, list[int]]]]:
    """The different tags; each different content by the numbers of its tags; and the contents of each part.

    A content begins with its length. If there was one of the same length, its differences from the last such content
    follow as pairs: a distance from the last difference, and the tag. Else, all its tags follow. A tag is written as 0
    if it is the next of the list, else as its number + 1.
    A part's contents are in the order of their keys, for which `sizes` says how many values each term has; each is
    written as the difference from the one before. Content 0 is empty.
    """
    tags: dict[str, int] = {}
    numbers, contents = {"": 0}, [[0]]
    bases: dict[int, list[int]] = {0: []}
    tables = []
    used = 0
    for i, part in enumerate(parts):
        table: dict[tuple[int, ...], int] = {}
        for key, content in part.contents.items():
            content = tame(content, f"p{i}f")
            if content not in numbers:
                now = [tags.setdefault(tag, len(tags)) for tag in TAGS.split(content) if tag]
                numbers[content] = len(numbers)
                base, written, last = bases.get(len(now)), [len(now)], 0
                for at, tag in enumerate(now):
                    if base is None or base[at] != tag:
                        new = 0 if tag == used else tag + 1
                        written += [new] if base is None else [at - last, new]
                        last, used = at, max(used, tag + 1)
                contents.append(written)
                bases[len(now)] = now
            table[key] = numbers[content]
        sizes = [max(values) + 1 for values in zip(*table, strict=True)]
        flat = [table.get(key, 0) for key in product(*map(range, sizes))]
        tables.append({"sizes": sizes, "contents": [now - last for last, now in zip([0, *flat], flat, strict=False)]})
    return list(tags), contents, tables


def frame(panel: Any, **values: Any) -> tuple[str, str]:
    """The line above the picture of a panel, and its picture, for these values of its sliders."""
    panel.runs, panel.recorded = 1, True
    panel.picture = panel.draw(**values)
    return panel.says(**values), panel.on_page()


def several(sliders: Mapping[str, Sequence[Any]], write: Callable[[Any], str]) -> list[str]:
    """Which positions a page offers, in words: "T: 1, 3, 30"."""
    return [f"{name}: {', '.join(map(write, values))}" for name, values in sliders.items()]

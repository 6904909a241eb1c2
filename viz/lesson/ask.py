"""`viz.before(7)` and `viz.after(7)`: two or three questions before a lesson, and similar ones after it.

The questions are about common beliefs. Before the lesson, no answer is judged, and "I don't know yet" is an answer.
After it, the reply to a wrong answer names the belief behind it, and the reader may try again. Below a right answer,
the reader may open the one that they gave before the lesson, with its reply. The answers stay on this machine
(progress.py), and the start page shows both.

A lesson's questions are on a page in its folder of exercises/; questions.py reads it.
Imports questions.py, said.py and progress.py; anywidget where a panel is shown. Read next: progress.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..locale import language, pick
from . import progress
from .exercises import asked, asking
from .page import Panelled
from .questions import FOLDERS
from .questions import PROBES as PROBES
from .questions import Ask as Ask
from .questions import Probe as Probe
from .questions import probe as probe
from .said import judged, marked, tr
from .threads import one_thread

ASKS = tr.table("ask")
UNKNOWN = "?"  # "I don't know yet"


def before(lesson: int | str, *, lang: str | None = None) -> Questions:
    """The questions before a lesson. Answers are noted, but not yet judged.

    lesson: its number; or the name of a folder of yours, after `viz.exercises` has read its `questions.md`.
    lang: a language that has catalogues; without it, the one that `viz.speak` has set.
    Raises KeyError for a lesson or a folder that has no questions.
    """
    return _asked(lesson, "before", lang)


def after(lesson: int | str, *, lang: str | None = None) -> Questions:
    """Similar questions, after the lesson: each answer gets a reply."""
    return _asked(lesson, "after", lang)


def _asked(lesson: int | str, when: str, lang: str | None) -> Questions:
    lang = language(lang)
    one_thread()
    if isinstance(lesson, str):
        if not FOLDERS.get(lesson):
            there = ", ".join(map(repr, FOLDERS)) or "no folder yet"
            raise KeyError(f"the folder {lesson!r} has no questions; there are some for {there}; see viz.exercises")
    elif not asked(lesson):
        raise KeyError(f"lesson {lesson} has no questions; there are some for {asking()}")
    return Questions(lesson, when, lang)


def place_of(ask: Ask, choice: str) -> str:
    """The position of a choice, as it is noted: it stays valid when the words change."""
    return f"{[*ask.choices].index(choice) + 1} of {len(ask.choices)}: {choice}"


def chosen(ask: Ask, facts: Mapping[str, Any], when: str) -> str:
    """The current choice that a noted answer means; "" if nothing was noted.

    The choice may have had other words at that time. Then its position identifies it, if the number of choices is
    the same, and if the choice is right now exactly if it was right then.
    """
    noted = facts.get(when, "")
    if noted in ("", UNKNOWN) or noted in ask.choices:
        return noted
    for choice in ask.choices:
        was = place_of(ask, choice).removesuffix(choice) + noted
        if facts.get(f"{when} place") == was and facts.get(f"{when} right") is (choice == ask.right):
            return choice
    return ""


class Questions(Panelled):
    """The panel that `before` and `after` return. `answer(1, "7")` does what a click does: it answers question 1."""

    script = "ask.js"

    def __init__(self, lesson: int | str, when: str, lang: str):
        self.lesson, self.when, self.lang, self.words = lesson, when, lang, ASKS[lang]
        self.probes = FOLDERS[lesson] if isinstance(lesson, str) else PROBES[lesson]
        self.asks: list[Ask] = [getattr(probe, when) for probe in self.probes]
        self._last: dict[str, str] = {}  # the last choice made here, by belief

    def answer(self, number: int, choice: str) -> str:
        """Answer question `number`, counted from 1, with one of its choices, as they are shown, or "?"; returns the
        reply."""
        probe, ask = self.probes[number - 1], self.asks[number - 1]
        shown = {self._label(ask, each): each for each in ask.choices}
        if choice not in ask.choices:
            choice = shown.get(choice, choice)
        if choice != UNKNOWN and choice not in ask.choices:
            raise ValueError(f"choose one of {', '.join(shown)} or {UNKNOWN}")
        name = f"{self.lesson}: {probe.belief}"
        self._last[probe.belief] = choice
        facts: dict[str, Any] = {self.when: choice, f"{self.when} right": choice == ask.right}
        if choice != UNKNOWN:
            facts[f"{self.when} place"] = place_of(ask, choice)
        if self.when == "after":  # note the first answer, which no hint has influenced; and right stays right
            progress.note("questions", name, until="after right", first={"after first": choice}, **facts)
        else:
            progress.note("questions", name, **facts)
        self._refresh()
        return self.said(ask, choice)

    def said(self, ask: Ask, choice: str) -> str:
        """The reply to this choice."""
        if self.when == "before":
            return self.words["unknown"] if choice == UNKNOWN else self.words["noted"]
        if choice == UNKNOWN:
            return pick(ask.unknown, self.lang) or self.words["look again"]
        sign = "✓" if choice == ask.right else "✗"
        return judged(sign, self._label(ask, choice), pick(ask.choices[choice], self.lang))

    def _title(self) -> str:
        kind = f"{self.when} folder" if isinstance(self.lesson, str) else self.when
        return self.words[kind].format(lesson=self.lesson)

    def _label(self, ask: Ask, choice: str) -> str:
        return pick(ask.labels.get(choice, choice), self.lang)

    def _asked(self, message: dict[str, Any]) -> None:
        self.answer(message["number"], message["choice"])

    def _data(self) -> dict[str, Any]:
        return {
            "title": self._title(),
            "note": self.words[f"{self.when} note"],
            "unknown": self.words["don't know"],
            "lang": self.lang,
            "asks": [
                {
                    "ask": marked(pick(ask.ask, self.lang)),
                    "code": ask.code.strip("\n"),
                    "choices": [[choice, self._label(ask, choice)] for choice in ask.choices],
                }
                for ask in self.asks
            ],
        }

    def _state(self) -> dict[str, Any]:
        noted = progress.known().get("questions", {})
        given = [
            self._last.get(probe.belief) or chosen(ask, noted.get(f"{self.lesson}: {probe.belief}", {}), self.when)
            for probe, ask in zip(self.probes, self.asks, strict=True)
        ]
        said = [marked(self.said(ask, choice)) if choice else "" for ask, choice in zip(self.asks, given, strict=True)]
        first = [self._first(probe, choice) for probe, choice in zip(self.probes, given, strict=True)]
        return {"given": given, "said": said, "first": first}

    def _first(self, probe: Probe, choice: str) -> dict[str, str] | None:
        """After a right answer: what the reader answered to the question before the lesson, and the reply to that."""
        if self.when != "after" or choice != probe.after.right:
            return None
        facts = progress.known().get("questions", {}).get(f"{self.lesson}: {probe.belief}", {})
        was, ask = chosen(probe.before, facts, "before"), probe.before
        if was in ("", UNKNOWN) or was not in ask.choices:
            return None
        replies = dict.fromkeys([was, ask.right])  # if it was wrong, also the right choice, with its reason
        signs = {each: "✓" if each == ask.right else "✗" for each in replies}
        said = [
            judged(sign, self._label(ask, each), pick(ask.choices[each], self.lang)) for each, sign in signs.items()
        ]
        return {
            "title": self.words["first"].format(answer=f"{signs[was]} {self._label(ask, was)}"),
            "ask": marked(pick(ask.ask, self.lang)),
            "code": ask.code.strip("\n"),
            "said": "<br>".join(map(marked, said)),
        }

    def __repr__(self) -> str:
        lines = [f"{self._title()} ({self.words['run']})"]
        for number, ask in enumerate(self.asks, 1):
            lines.append(f"{number}. {pick(ask.ask, self.lang)}")
            lines += [f"     {line}".rstrip() for line in ask.code.strip("\n").splitlines()]
            lines.append(
                f"   {self.words['choices']}: {' / '.join(self._label(ask, choice) for choice in ask.choices)}"
            )
        return "\n".join(lines)

"""`viz.predict(…)`: a question whose answer is shown only after the reader has answered.

The right answer is a function, called only when the reader answers, so neither the page nor the file contains it.
Run All reveals nothing. Imports ipywidgets where a question is made. Read next: rerun.py.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..alive import only, owns, showing, weak
from ..front import Bundle, shown
from ..locale import language, room
from .page import panel
from .quiet import as_it_was
from .said import marked
from .threads import one_thread

tr = room("lesson")
WORDS = tr.table(
    {
        "predict": "Predict.",
        "yours": "your prediction",
        "check": "Check",
        "show": "Show me",
        "after": "after one try",
        "first": "Type your prediction first.",
        "number": "A number, please.",
        "no": "That is not it. Try again.",
        "it is": "The answer: {}.",
    }
)
PRINTED = tr.table(
    {
        "printed": "predict: {question} (run this cell, then answer)",
        "choices": "choices",
    }
)


PYTHONS = {"none": "None", "true": "True", "false": "False"}  # words that Python writes with a capital


def predict(
    question: str,
    answer: Any,
    beliefs: Mapping[Any, str] | None = None,
    *,
    because: str = "",
    choices: Sequence[str] = (),
    then: Callable[[], object] | None = None,
    lang: str | None = None,
) -> Prediction:
    """A question with a field to type into, or with buttons to choose from.

    question: the text; text between backticks is set as code.
    answer: the right answer: a number or a word, or a function of no arguments that computes it when it is needed
        (a tensor with one element will do). The function must make its own tensors: with a name that another cell
        changes, the right answer would be wrong when this cell runs again.
    beliefs: {a wrong answer: the belief that may lead to it, and where to look}.
    because: one sentence, shown with the right answer.
    choices: the words to choose from, if a typed word could be right in too many ways.
    then: called after each answer, right or wrong: it may show the result on another widget.
    lang: the language of the buttons; without it, the one that `viz.speak` has set.

    >>> question = predict("What is 1 + 1?", lambda: 2, {11: "These are numbers, not words."})
    >>> question
    predict: What is 1 + 1? (run this cell, then answer)
    >>> question.check("11")
    '✗ 11. These are numbers, not words.'
    >>> question.check("2")
    '✓ 2.'
    """
    one_thread()
    return Prediction(question, answer, beliefs or {}, because, choices, lang, then)


class Prediction:
    """What `predict` returns. `check(text)` and `reveal()` do what the field and the button do."""

    given: dict[str, str] = {}  # question -> the last answer in this session; the last 500

    def __init__(
        self,
        question: str,
        answer: Any,
        beliefs: Mapping[Any, str],
        because: str,
        choices: Sequence[str] = (),
        lang: str | None = None,
        then: Callable[[], object] | None = None,
    ):
        import ipywidgets as widgets

        self.lang = language(lang)
        self.words = words = WORDS[self.lang]
        self.because, self.then = because, then
        self.choices = list(choices)
        self.tried: list[str] = []
        self.show = widgets.Button(description=words["show"], disabled=True, tooltip=words["after"])
        self.show.layout.width = "auto"
        self.show.on_click(only(self.reveal))
        self.feedback = widgets.HTML()
        self.field = panel("field.js", data={"choices": list(choices), "words": words}, state={"right": False})
        self.field.observe(weak(self._typed), "value")  # the Enter key, or a button
        self._asked = widgets.HTML()
        self.ask(question, answer, beliefs)
        before = Prediction.given.get(question)
        if before is not None and (not choices or before in choices):  # the cell was run again: keep the answer
            self.field.value = before
        row = widgets.HBox([self.field, self.show], layout={"flex_flow": "row wrap", "align_items": "center"})
        self.root = widgets.VBox([self._asked, row, self.feedback])
        self.root.add_class("viz-predict")
        owns(self, self.root)

    @property
    def widget(self) -> Any:
        """The question as one widget, to be placed among others."""
        showing(self)
        return self.root

    def ask(self, question: str, answer: Any, beliefs: Mapping[Any, str]) -> None:
        """Replace the question; the typed text and the reply are removed."""
        self.question, self.answer = question, answer
        self.beliefs = {_plain(value): text for value, text in beliefs.items()}
        self._asked.value = f"<b>{self.words['predict']}</b> {marked(question)}"
        self.field.value, self.field.state, self.feedback.value = None, {"right": False}, ""

    def _typed(self, change: Mapping[str, Any]) -> None:
        if change["new"] is not None:
            self.check(change["new"])

    def check(self, text: str) -> str:
        """Say whether `text` is right, and if not, which belief may have led to it."""
        text = text.strip()
        if not text:
            return self._say("", self.words["first"])
        self.tried.append(text)
        Prediction.given.pop(self.question, None)
        Prediction.given[self.question] = text
        if len(Prediction.given) > 500:
            del Prediction.given[next(iter(Prediction.given))]
        self.show.disabled = False
        if self.then is not None:
            self.then()
        right = self._right()
        large = isinstance(right, float) and abs(right) >= 1000
        shape = _shape(text) if isinstance(right, str) and _shape(right) == right else None
        grouped = re.sub(r"(?<=\d)[,_ '](?=\d{3}\b)", "", text) if large else text  # "101,000" is not 101
        if large and re.fullmatch(r"-?\d{1,3}(\.\d{3})+", text):
            grouped = text.replace(".", "")  # in German and Spanish, "101.000" is "101,000"
        given = shape or _plain(grouped)
        if self._fits(given, right):
            return self._say("right", f"✓ {self._called(right)}. {self.because}".strip())
        other = self.words["number" if isinstance(right, float) and isinstance(given, str) else "no"]
        said = {given, _plain(grouped)}
        belief = next((why for value, why in self.beliefs.items() if any(_same(one, value) for one in said)), other)
        return self._say("wrong", f"✗ {text}. {belief}")

    def reveal(self) -> str:
        """Show the right answer; the ✓ stays if the reader's last answer was right."""
        right = self._right()
        found = self.tried and self._fits(_plain(self.tried[-1]), right)
        called = self._called(right)
        told = f"✓ {called}." if found else self.words["it is"].format(called)
        return self._say("right" if found else "", f"{told} {self.because}".strip())

    def _fits(self, given: Any, right: Any) -> bool:
        """Whether an answer counts as right."""
        return _same(given, right)

    def _called(self, answer: Any) -> str:
        """The answer as it is written; for a choice, the text of its button."""
        return next((choice for choice in self.choices if _same(_plain(choice), answer)), _text(answer))

    def _right(self) -> Any:
        with as_it_was(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the reader sees the warning in the cell that proves the answer
            return _plain(self.answer() if callable(self.answer) else self.answer)

    def _say(self, kind: str, text: str) -> str:
        self.feedback.value = f'<div role="status" class="viz-said viz-{kind or "told"}">{marked(text)}</div>'
        self.field.state = {"right": kind == "right"}
        return text

    def _repr_mimebundle_(self, **_options: Any) -> Bundle:
        return shown(self.widget, repr(self), lang=self.lang)

    def __repr__(self) -> str:
        words = PRINTED[self.lang]
        choices = f"\n  {words['choices']}: {' / '.join(self.choices)}" if self.choices else ""
        return words["printed"].format(question=self.question) + choices


def _plain(value: Any) -> Any:
    """A number if the value is one (also as a tensor, or typed), else a lower-case word without its article."""
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, str):
        word = value.strip(" `'\"").rstrip(".").lower().replace("−", "-").removeprefix("a ").removeprefix("an ")
        word = word.rpartition("=")[2].strip()  # "w = 5"
        word = re.sub(r"^(?:tensor)?\(?\[?([^][(),]+),?\]?\)?$", r"\1", word)  # "tensor([6.])", as it is printed
        try:
            return float(Fraction(word.replace(",", ".")))  # also 1/10, and 0,1
        except (ValueError, ZeroDivisionError):
            return word
    return value if value is None or isinstance(value, bool) else float(value)


def _shape(text: str) -> str | None:
    """A shape as Python writes it, if the text is one: "4x4", "4, 4" and "torch.Size([4, 4])" are "(4, 4)"."""
    inside = re.sub(r"^(?:torch\.size)?[\s(\[]*(.*?)[\s)\]]*$", r"\1", text.strip(" `'\"."), flags=re.IGNORECASE)
    if not re.fullmatch(r"\d+(?:\s*(?:,|x|×|\*|by)\s*\d+)*\s*,?", inside) or inside.isdigit():
        return None
    sizes = re.findall(r"\d+", inside)
    return f"({', '.join(sizes)}{',' * (len(sizes) == 1)})"


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=5e-3, abs_tol=1e-6)  # a slope measured by a small nudge counts
    return str(a).lower() == str(b).lower()


def _text(value: Any) -> str:
    if isinstance(value, float) and 1e-9 < abs(value) < 1e-4:
        return f"{value:.12f}".rstrip("0")  # 0.000001, and not 1e-06
    return f"{value:g}" if isinstance(value, float) else PYTHONS.get(str(value), str(value))

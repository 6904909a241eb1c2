"""`viz.predict(…)`: a question whose answer is shown only after the reader has answered.

The right answer is a function, called only when the reader answers, so neither the page nor the file contains it.
Run All reveals nothing. Imports ipywidgets where a question is made. Read next: typed.py, which reads what was typed.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..alive import only, owns, showing, weak
from ..front import Bundle, shown
from ..locale import language, room
from .cleaned import cleaned
from .page import panel
from .quiet import as_it_was
from .said import judged, marked
from .threads import one_thread
from .typed import known_wrong, meant, plain, same, says_something, shape, summed, ungrouped, written

tr = room("lesson")
WORDS = tr.table("predict")
SAID = tr.table(  # words that answer a question, several between |
    {
        "yes": "yes|right",
        "no": "no|wrong",
        "none": "None|nothing",
        "error": "an error|error",
    }
)
PRINTED = tr.table(
    {
        "printed": "predict: {question} (run this cell, then answer)",
        "choices": "choices",
    }
)


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

    A typed number may be a sum such as `7 + 7`, and the reply says what it was read as. "crash" means "error", and
    "nothing" means None, where the question knows such an answer.

    question: the text; text between backticks is set as code.
    answer: the right answer: a number or a word, or a function of no arguments that computes it when it is needed
        (a tensor with one element will do). The function must make its own tensors: with a name that another cell
        changes, the right answer would be wrong when this cell runs again.
    beliefs: {a wrong answer: the belief that may lead to it, and where to look}. In place of a number, a function can
        say which numbers are meant: {lambda rate: rate > 1: "Too large."}. The first belief that fits is used.
    because: one sentence, shown with the right answer.
    choices: the words to choose from, if a typed word could be right in too many ways.
    then: called after each answer, right or wrong: it may show the result on another widget.
    lang: the language of the buttons; without it, the one that `viz.speak` has set.

    >>> question = predict("What is 1 + 1?", lambda: 2, {11: "These are numbers, not words."})
    >>> question
    predict: What is 1 + 1? (run this cell, then answer)
    >>> question.check("11")
    '✗ 11. These are numbers, not words.'
    >>> question.check("1 + 1")
    '✓ 1 + 1 = 2.'
    """
    one_thread()
    if not callable(answer):
        try:
            plain(answer)
        except (TypeError, ValueError, RuntimeError):
            needs = "a number, a word, or a function of no arguments that gives one"
            raise TypeError(f"the answer of a prediction must be {needs}, not {type(answer).__name__}") from None
    return Prediction(question, answer, beliefs or {}, because, choices, lang, then)


class Prediction:
    """What `predict` returns. `check(text)` and `reveal()` do what the field and the button do."""

    other = ""  # the reply to a number that is in no belief
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
        self.beliefs = {value if callable(value) else plain(value): text for value, text in beliefs.items()}
        self._asked.value = f"<b>{self.words['predict']}</b> {marked(question)}"
        self.field.value, self.field.state, self.feedback.value = None, {"right": False}, ""

    def _typed(self, change: Mapping[str, Any]) -> None:
        if change["new"] is not None:
            self.check(change["new"])

    def check(self, text: str) -> str:
        """Say whether `text` is right, and if not, which belief may have led to it."""
        text = text.strip()
        if not re.search(r"[^\W_]", text):
            return self._say("", self.words["first"])
        right = self._right()
        given, typed = self._read(text, right)
        if self._unreadable(given, right):
            return self._say("", self.words["unread" if isinstance(right, float) else "no shape"].format(text))
        self.tried.append(text)
        Prediction.given.pop(self.question, None)
        Prediction.given[self.question] = text
        if len(Prediction.given) > 500:
            del Prediction.given[next(iter(Prediction.given))]
        self.show.disabled = False
        if self.then is not None:
            self.then()
        computed = not self.choices and isinstance(given, float) and summed(typed)
        told = f"{text} = {written(given)}" if computed else text  # what it was read as
        if self._fits(given, right):
            called = self._called(right)
            told = told if computed and written(given) == called else f"{called} ({told})" if computed else called
            return self._say("right", f"✓ {told}. {self.because}".strip())
        if not computed and isinstance(given, float) and not self.choices and plain(text) != given:
            told = self.words["read"].format(typed=text, value=written(given))
        other = self.words["number" if isinstance(right, float) and isinstance(given, str) else "no"]
        other = self.other or other if isinstance(given, float) else other
        said = {given} if summed(typed) else {given, plain(typed)}
        belief = next(
            (why for value, why in self.beliefs.items() if any(known_wrong(typed, one, value) for one in said)), other
        )
        return self._say("wrong", judged("✗", told, belief))

    def _read(self, text: str, right: Any) -> tuple[Any, str]:
        """The answer that a text means; and the text without what only surrounds a number, and without the marks
        between the thousands of a large one."""
        known = [right, *self.beliefs]
        for word, said in SAID[self.lang].items():
            if self.lang != "en" and text.strip(" .\u3002") in said.split("|"):
                text = word
        if self.choices or any(same(plain(text), each) for each in known if not callable(each)):
            typed = text
        else:
            typed = cleaned(text)
        if isinstance(right, float) and abs(right) >= 1000:
            typed = ungrouped(typed)  # "101,000" is not 101
        elif isinstance(right, float) and re.fullmatch(r"\d{1,3}(,\d{3}){2,}", typed):  # 1,000,000 has no other meaning
            typed = ungrouped(typed)
        if isinstance(right, float) and (share := re.fullmatch(r"([\d.,]+)\s*(?:%|percent)", typed)):
            value = plain(share[1])
            if isinstance(value, float):
                return (value / 100 if abs(right) <= 1 else value), typed
        as_shape = shape(typed) if isinstance(right, str) and shape(right) == right else None
        return as_shape or meant(plain(typed), known), typed

    def _unreadable(self, given: Any, right: Any) -> bool:
        """Whether an answer can't be judged, because the question asks for a number or a shape, and it is neither, nor
        one of the words that the question knows."""
        named = [each for each in self.beliefs if not callable(each)]
        if self.choices or not isinstance(given, str) or any(same(given, each) for each in named):
            return False
        if isinstance(right, float):
            return not says_something(given)
        return isinstance(right, str) and shape(right) == right and not says_something(given) and shape(given) is None

    def reveal(self) -> str:
        """Show the right answer; the ✓ stays if the reader's last answer was right."""
        right = self._right()
        found = bool(self.tried) and self._fits(self._read(self.tried[-1], right)[0], right)
        called = self._called(right)
        told = f"✓ {called}." if found else self.words["it is"].format(called)
        return self._say("right" if found else "", f"{told} {self.because}".strip())

    def _fits(self, given: Any, right: Any) -> bool:
        """Whether an answer counts as right."""
        return same(given, right)

    def _called(self, answer: Any) -> str:
        """The answer as it is written; for a choice, the text of its button."""
        return next((choice for choice in self.choices if same(plain(choice), answer)), written(answer))

    def _right(self) -> Any:
        with as_it_was(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the reader sees the warning in the cell that proves the answer
            return plain(self.answer() if callable(self.answer) else self.answer)

    def _say(self, kind: str, text: str) -> str:
        self.feedback.value = f'<div role="status" class="viz-said viz-{kind or "told"}">{marked(text)}</div>'
        self.field.state = {"right": kind == "right"}
        self.show.disabled = self.show.disabled or kind == "right"  # there is nothing more to show
        return text

    def _repr_mimebundle_(self, **_options: Any) -> Bundle:
        return shown(self.widget, repr(self), lang=self.lang)

    def __repr__(self) -> str:
        words = PRINTED[self.lang]
        choices = f"\n  {words['choices']}: {' / '.join(self.choices)}" if self.choices else ""
        return words["printed"].format(question=self.question) + choices

"""The questions of the ledger: amounts that arrive at w, the value of `.grad` meanwhile, the result of another pass.

The right answers come from passes that have run. Imports account.py, book.py and lesson/predict.py.
Read ledger.py next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..alive import weak
from ..graph.model import Graph
from ..lesson.predict import Prediction
from .account import Account, Pass
from .book import none_or
from .words import plain

ERRORS = ("runtimeerror", "a runtimeerror", "an error", "error")


@dataclass(frozen=True)
class Step:
    """A question, and what is known once it is answered: `landed` amounts have arrived, or the whole pass is over."""

    question: str
    answer: Any
    because: str
    landed: int = 0
    over: bool = False
    of_grad: bool = False  # does it ask for `.grad` at one moment?
    otherwise: str = ""  # the reply to any other number
    beliefs: dict[Any, str] = field(default_factory=dict)

    def may_be(self, said: Any, belief: str) -> None:
        """Explain a possible wrong answer. If two explanations have the same number, the first one counts."""
        if said != self.answer:
            self.beliefs.setdefault(said, belief)


class Ask(Prediction):
    """A field for one question after another. `done`: the current question is answered or given up."""

    def __init__(self, then: Callable[[], object], lang: str):
        self.done = self.shown = False
        self.answered: Callable[[], object] = lambda: None
        super().__init__("", None, {}, "", lang=lang)
        self.answered = weak(then)

    def beside(self, control: Any) -> None:
        """Place one more button beside the field."""
        row = self.root.children[1]
        row.children = (*row.children, control)

    def put(self, step: Step) -> None:
        self.done = self.shown = False
        self.because, self.other, self.tried, self.show.disabled = step.because, step.otherwise, [], True
        self.ask(step.question, step.answer, step.beliefs)

    def check(self, text: str) -> str:
        """An error may be answered with its name, too."""
        return super().check("error" if text.strip(" `'\".").lower() in ERRORS else text)

    def reveal(self) -> str:
        self.shown = True
        return super().reveal()

    def _say(self, kind: str, text: str) -> str:
        said = super()._say(kind, text)
        if not self.done and (kind == "right" or self.shown):
            self.done = True
            self.answered()
        return said


def arrivals(done: Pass, account: Account, words: Mapping[str, str]) -> list[Step]:
    """Questions about the first pass: how large each amount is, and what `.grad` is when the first has arrived."""
    steps, last = list[Step](), len(done.arrivals) - 1
    for i, arrival in enumerate(done.arrivals):
        name, amount = arrival.through, arrival.amount
        ask, because = ("later" if i else "amount", "last" if i == last else "amount") if last else ("one", "one")
        told = dict(through=name if last else "w", name=name, sum=plain(done.sum))
        step = Step(
            words[f"ask {ask}"].format(**told),
            amount,
            words[f"because {because}"].format(**told),
            i + 1,
            i == last,
            otherwise=words["another" if last else "another one"].format(**told),
        )
        for number, belief in (
            (account.value(name), "itself" if last else "one y"),
            (done.sum, "both"),
            (account.value("y"), "result"),
            (1.0, "one"),
            (0.0, "zero"),
        ):
            step.may_be(number, words[belief].format(said=plain(number), **told))
        for leaf in ("w", "x"):
            said = account.value(leaf)
            step.may_be(said, words["leaf"].format(said=plain(said), **told | {"name": leaf}))
        steps.append(step)
        if i < last:
            held = done.arrivals[i + 1].held
            now = Step(
                words["ask now"].format(amount=plain(amount)), none_or(held), words["because now"], i + 1, of_grad=True
            )
            now.may_be(amount, words["now amount"].format(said=plain(amount)))
            now.may_be(done.sum, words["now sum"])
            now.may_be(0.0, words["now zero"])
            steps.append(now)
    return steps


def once_more(done: Pass, first: Pass, graph: Graph, call: str, words: Mapping[str, str]) -> Step:
    """The question about another pass through `graph`, after the `first`: a number or an error. call: its code."""
    before = done.before
    saves = any(node.freed or node.saved for node in graph.nodes)
    why = "error" if done.error else "emptied" if before is None else "retained" if saves else "added"
    question = words["ask again"].format(held=none_or(before), call=call)
    one = first.sum
    told = dict(said=plain(one), sum=plain(one), held=none_or(before))
    if done.error:
        other = "late" if "retain_graph" in call else "full"
    else:
        other = "emptied" if before is None else "adds"
    otherwise = words[f"again {other}"].format(**told)
    answer = "error" if done.error else done.after
    step = Step(question, answer, words[f"because {why}"], 0, True, otherwise=otherwise)
    if done.error:
        step.may_be(before, words["again kept"].format(said=none_or(before)))
    else:
        step.may_be("error", words["again error" if saves else "again needs"])
        step.may_be(before, words["again same"].format(**told))
        step.may_be(one, words["again replaced"].format(**told))
    step.may_be("number", words["again which"])
    return step

"""What the ledger asks: which amount arrives at w, what `.grad` holds meanwhile, what comes of another pass.

The right answers are those of passes that have run. Imports account.py, book.py and lesson/predict.py.
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


@dataclass(frozen=True)
class Step:
    """A question, and what is so when it is answered: so many amounts have landed, or all of the pass is over."""

    question: str
    answer: Any
    because: str
    landed: int = 0
    over: bool = False
    of_grad: bool = False  # is it what `.grad` holds, at a moment?
    beliefs: dict[Any, str] = field(default_factory=dict)

    def may_be(self, said: Any, belief: str) -> None:
        """What may be behind a wrong answer, if it is wrong; of two for the same number the first one holds."""
        if said != self.answer:
            self.beliefs.setdefault(said, belief)


class Ask(Prediction):
    """A question in whose place another one is asked, when it is answered, or given up: then `done`."""

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
        self.because, self.tried, self.show.disabled = step.because, [], True
        self.ask(step.question, step.answer, step.beliefs)

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
    """For the amounts of the first pass: how much each is, and what `.grad` holds when the first is there."""
    steps, last = list[Step](), len(done.arrivals) - 1
    for i, arrival in enumerate(done.arrivals):
        name, amount = arrival.through, arrival.amount
        ask, because = ("later" if i else "amount", "last" if i == last else "amount") if last else ("one", "one")
        told = dict(through=name if last else "w", name=name, sum=plain(done.sum))
        step = Step(
            words[f"ask {ask}"].format(**told), amount, words[f"because {because}"].format(**told), i + 1, i == last
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
    """What comes of another pass through `graph`, after the `first` one: a number, or an error. call: its code."""
    before = done.before
    saves = any(node.freed or node.saved for node in graph.nodes)
    why = "error" if done.error else "emptied" if before is None else "retained" if saves else "added"
    question = words["ask again"].format(held=none_or(before), call=call)
    step = Step(question, "error" if done.error else done.after, words[f"because {why}"], 0, True)
    one = first.sum
    told = dict(said=plain(one), sum=plain(one))
    if done.error:
        step.may_be((before or 0.0) + one, words["again full"])
        step.may_be(before, words["again kept"])
    else:
        step.may_be("error", words["again error" if saves else "again needs"])
        step.may_be(before, words["again same"].format(**told))
        step.may_be(one, words["again replaced"].format(**told))
        step.may_be(2 * one, words["again emptied"])
    step.may_be("number", words["again which"])
    return step

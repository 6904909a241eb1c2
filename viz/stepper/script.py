"""Turns what happened into a script: the list of steps that a player shows, as plain data for JSON.

A step is a dict:

    part    "start", "forward", "backward" or "end"
    words   the step in a sentence
    now     ids of the nodes (n3) and arrows (e2) that the step is about
    set     {id: changes}: look ("later" or ""), value, grad, text (on an arrow), back (a gradient has passed),
            sum (the badge on a leaf), freed
    code    [index of a line of the script's code, first character, last character], if the line is known
    ask     if the reader can be asked for a number: question, answer and its text; replies, pairs of a wrong number
            and what it is; again, the reply to any other wrong number

The picture at step k follows from everything that the steps up to k have set, so a player can jump. Imports the
standard library, slopes.py, words.py, cast.py. Read stage.py next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from ..drawing.legend import LABELS, sign
from ..graph.listen import Line
from ..graph.model import Graph
from ..graph.values import is_leaf_end
from ..locale.sentences import ended, joined
from .amounts import Amount
from .cast import Cast
from .hooks import Grew, Made, Ran
from .slopes import rule
from .words import WORDS, capital

MOST = 6  # gradients that the last step lists
COME_LATER = ("constant", "detached")  # boxes that appear at their first use
INFIX = "+−×÷@"

Event = dict[str, Any]


@dataclass
class Script:
    """A graph and the steps of the computation in it."""

    graph: Graph
    lang: str
    title: str
    events: list[Event] = field(default_factory=list)
    code: list[Line] = field(default_factory=list)

    def at(self, step: int) -> dict[str, dict[str, Any]]:
        """Everything that is set after `step`."""
        state: dict[str, dict[str, Any]] = {}
        for event in self.events[: step + 1]:
            for id_, changes in event["set"].items():
                state.setdefault(id_, {}).update(changes)
        return state


def write(
    cast: Cast,
    happened: Sequence[Made | Ran | Grew],
    frees: set[int],
    lang: str,
    *,
    saved: Collection[int] = (),
    rehearsed: bool = False,
    problem: str = "",
) -> Script:
    """The script. saved: ids of the operators that have saved tensors; frees: of those that are freed at the end."""
    writer = Writer(cast, lang)
    writer.start({id(fn) for event in happened if isinstance(event, Made) for fn in event.fns})
    passes = writer.passes(happened)
    last = {id(event.fn): i for i, event in enumerate(happened) if isinstance(event, Ran)}
    ran: set[int] = set()
    for i, event in enumerate(happened):
        if isinstance(event, Made):
            for fn in event.fns:
                writer.forward(fn, event)
        elif isinstance(event, Ran):
            key = id(event.fn)
            if key in frees and last[key] == i:
                then = "freed kept" if key in ran else "freed"
            else:
                then = "kept" if key in saved else ""
            ran.add(key)
            writer.backward(event, passes[i], then)
    writer.end(rehearsed, problem)
    return writer.script


class Pass:
    """One backward pass: the gradients that each node has got so far."""

    def __init__(self) -> None:
        self.last = -1  # the sequence number of the last node that ran
        self.sums: dict[str, Amount] = {}
        self.awaited: Counter[int] = Counter()  # leaf -> gradients still to come
        self.grew: dict[int, Amount] = {}  # leaf -> `.grad` after this pass


class Writer:
    """Writes one script."""

    def __init__(self, cast: Cast, lang: str):
        self.cast, self.say = cast, WORDS[lang]
        graph = cast.graph
        named = [root for root in graph.roots if cast.node[root].name] or graph.roots  # leaves out unused states
        self.script = Script(graph, lang, self.say["and"].join(cast.called[root] for root in named))
        self.signs = Counter(sign(node.name) for node in graph.nodes if node.kind == "operator")
        self.grads: dict[str, Amount] = {}  # the final `.grad` of each leaf
        self.kept: dict[str, Amount] = {}  # and of each result that keeps its gradient
        self.none = LABELS[lang]["no grad yet"]
        self.leaves: dict[str, tuple[str, str]] = {}  # the value and gradient that each leaf showed at its last use
        self.results: dict[int, list[Amount]] = {}  # by the id of the operator
        for (fn, _), value in cast.values.items():
            self.results.setdefault(fn, []).append(value)

    def event(self, part: str, words: str, now: Sequence[str], changes: dict[str, Any], **more: Any) -> None:
        self.script.events.append({"part": part, "words": words, "now": list(now), "set": changes, **more})

    def start(self, to_be_made: set[int]) -> None:
        """Show leaves and results of earlier code from the beginning; constants appear when they are used."""
        cast = self.cast
        later = {cast.made[fn] for fn in to_be_made if fn in cast.made}
        later |= {box for operator in later for _, box in cast.boxes.get(operator, ())}
        used = {source for id_ in cast.inputs if id_ not in later for _, source in cast.inputs[id_]}
        grads = {cast.made[key]: before for key, (_, _, before) in cast.leaves.items() if key in cast.made}
        changes: dict[str, dict[str, Any]] = {}
        for node in cast.graph.nodes:
            hidden = node.id in later or (node.kind in COME_LATER and node.id not in used)
            changes[node.id] = {"look": "later" if hidden else "", "freed": node.id in cast.freed}
            if node.kind != "operator":
                changes[node.id]["value"] = cast.text.get(node.id, "") if not hidden else "?"
            if node.kind in ("leaf", "kept"):
                before = grads.get(node.id) or cast.held.get(node.id)
                changes[node.id]["grad"] = before.text if before else self.none
            if node.kind == "leaf":
                changes[node.id]["sum"] = ""
        for i, edge in enumerate(cast.graph.edges):
            shown = changes[edge.target]["look"] == ""
            changes[f"e{i}"] = {
                "look": "" if shown else "later",
                "text": self.on(edge.source) if shown else "",
                "back": False,
            }
        self.event("start", self.say["start"], [], changes)

    def on(self, source: str) -> str:
        """The text on an arrow from `source` in forward: the value, if no box shows it."""
        return self.cast.text.get(source, "") if self.cast.kind[source] == "operator" else ""

    def forward(self, fn: Any, made: Made) -> None:
        cast, o = self.cast, self.cast.made.get(id(fn))
        if o is None:
            return
        changes: dict[str, Any] = {o: {"look": ""}}
        inputs, results = cast.inputs.get(o, []), cast.boxes.get(o, [])
        constants = [source for _, source in inputs if cast.kind[source] == "constant"]
        if len(constants) == len(made.constants):
            for source, text in zip(constants, made.constants, strict=True):
                cast.text[source] = text
                if not cast.node[source].name:
                    cast.called[source] = text
        elif (added := self.added(o)) and not cast.node[added[0]].name:
            cast.called[added[0]] = added[1]
        changes |= self.renewed(made)
        for edge, source in inputs:
            changes[edge] = {"look": "", "text": self.on(source)}
            if cast.kind[source] in COME_LATER:
                changes[source] = {"look": "", "value": cast.text.get(source, "?")}
                changes |= {cut: {"look": ""} for cut in cast.cuts.get(source, ())}
        for edge, box in results:
            changes[edge] = {"look": ""}
            changes[box] = {"look": "", "value": cast.text.get(box, "")}
        name, value = cast.called[o], cast.text.get(o)
        written = self.expression(o, [cast.called[source] for _, source in inputs])
        texts = [cast.text.get(source, "(") for _, source in inputs]
        numbers = "" if any(text.startswith("(") for text in texts) else self.expression(o, texts)
        told = numbers if numbers != written else ""
        if value and value.startswith("("):
            words = self.say["shaped"].format(name=name, what=written, shape=value)
        else:
            result = f": {told} = {value}" if told and value else f" = {value}" if value else ""
            words = self.say["forward"].format(what=f"{name} = {written}{result}")
        more: dict[str, Any] = {}
        known = self.results.get(id(fn))
        if known and known[0].number is not None and isfinite(known[0].number):
            question = self.say["ask value"].format(name=name, what=f"{written} = {told}" if told else written)
            more["ask"] = {"question": question, "answer": known[0].number, "text": known[0].text}
        if made.line:
            more["code"] = self.place(made.line)
        now = [o, *(edge for edge, _ in inputs), *(id_ for pair in results for id_ in pair)]
        self.event("forward", words, now, changes, **more)

    def renewed(self, made: Made) -> dict[str, Any]:
        """The changes in the leaves since they were last used: an optimizer's step, a cleared `.grad`."""
        changes: dict[str, Any] = {}
        for key, value, grad in made.leaves:
            leaf, now = self.cast.made.get(key), (value.text, grad.text if grad else self.none)
            if leaf and now != self.leaves.get(leaf, now):
                changes[leaf] = {"value": now[0], "grad": now[1], "sum": ""}
                self.cast.text[leaf] = now[0]
                if grad is None:
                    self.grads.pop(self.cast.called[leaf], None)
            if leaf:
                self.leaves[leaf] = now
        return changes

    def expression(self, o: str, inputs: Sequence[str]) -> str:
        """The operator applied to the names of its inputs: "w + x", "tanh(h)"."""
        symbol = sign(self.cast.node[o].name)
        if symbol in INFIX and len(inputs) == 2:
            return f"{inputs[0]} {symbol} {inputs[1]}"
        return f"{symbol}({', '.join(inputs)})"

    def added(self, o: str) -> tuple[str, str] | None:
        """The constant of a sum and its value. No sum saves it, so it is computed: the result minus the other input."""
        cast, sources = self.cast, [source for _, source in self.cast.inputs.get(o, [])]
        if sign(cast.node[o].name) != "+" or sorted(cast.kind[id_] == "constant" for id_ in sources) != [False, True]:
            return None
        constant, other = sorted(sources, key=lambda id_: cast.kind[id_] != "constant")
        try:
            known, result = float(cast.text[other]), float(cast.text[o])
        except (KeyError, ValueError):
            return None
        # If the constant is much smaller than the sum, rounding leaves too few digits, and the text has four
        return (constant, f"{result - known:.4g}") if abs(result - known) > abs(result) / 100 else None

    def who(self, o: str) -> str:
        """The operator's sign; if another operator has the same sign, also the name of its result, if it has one."""
        cast, symbol = self.cast, sign(self.cast.node[o].name)
        if self.signs[symbol] == 1 or cast.called[o].startswith("#"):
            return symbol
        return self.say["maker"].format(sign=symbol, name=cast.called[o])

    def place(self, line: Line) -> list[int]:
        """The position of a line in the script's code; a new line is added to it."""
        same = [(each.file, each.number) for each in self.script.code]
        if (line.file, line.number) not in same:
            self.script.code.append(line)
            same.append((line.file, line.number))
        return [same.index((line.file, line.number)), line.start, line.end]

    # -- backward ----------------------------------------------------------------------------------

    def passes(self, happened: Sequence[Made | Ran | Grew]) -> dict[int, Pass]:
        """The pass that each `Ran` belongs to. Within a pass, sequence numbers decrease."""
        found: dict[int, Pass] = {}
        now = Pass()
        for i, event in enumerate(happened):
            if isinstance(event, Ran):
                number = event.fn._sequence_nr()
                if now.last != -1 and number >= now.last:
                    now = Pass()
                now.last, found[i] = number, now
                for (before, _), g in zip(event.fn.next_functions, event.handed, strict=False):
                    if g is not None and is_leaf_end(before):
                        now.awaited[id(before.variable)] += 1
            elif isinstance(event, Grew):
                now.grew[id(event.leaf)] = event.after
        return found

    def backward(self, ran: Ran, the_pass: Pass, then: str) -> None:
        """Add the steps of one operator. then: what happens to its saved values, as a key of WORDS, or ""."""
        cast, say, o = self.cast, self.say, self.cast.made.get(id(ran.fn))
        if o is None:
            return
        symbol = self.who(o)
        arriving: dict[str, Any] = {}  # the incoming gradient, shown on the arrows to the results' boxes
        for number, gradient in enumerate(ran.incoming):
            box = cast.made.get((id(ran.fn), number))
            if gradient is None or box is None:
                continue
            edges = [edge for edge, target in cast.boxes[o] if target == box]
            arriving |= {edge: {"back": True, "text": f"← {gradient.text}"} for edge in edges}
            if cast.kind[box] == "kept":
                held = cast.held[box] = cast.held[box] + gradient if box in cast.held else gradient
                arriving[box] = {"grad": held.text}
                self.kept[cast.called[box]] = held
        upstream = next((g for g in ran.incoming if g is not None), None)
        if upstream is None:
            return
        if o not in the_pass.sums and not any(box in the_pass.sums for _, box in cast.boxes.get(o, ())):
            seed = "seed 1" if upstream.number == 1 else "seed"
            words = say[seed].format(name=cast.called[o], gradient=upstream.text)
            self.event("backward", words, [o, *arriving], arriving)
            arriving = {}
        free = list(cast.inputs.get(o, []))
        handed = []
        for edge, gradient, before in zip(ran.fn.next_functions, ran.handed, ran.before, strict=False):
            target = cast.target(edge)
            pair = next((pair for pair in free if pair[1] == target), None)
            if gradient is not None and pair is not None:
                free.remove(pair)
                handed.append(((edge, *pair), gradient, before))
        for i, (way, gradient, before) in enumerate(handed):
            self.hand(the_pass, o, way, upstream, (gradient, before), arriving if i == 0 else {})
        if not handed:
            self.event("backward", capital(say["nothing"].format(sign=symbol)), [o], arriving)
        if then:
            last = self.script.events[-1]
            if then != "kept":
                last["set"].setdefault(o, {})["freed"] = True
            last["words"] = joined([last["words"], say[then].format(sign=sign(cast.node[o].name))], self.script.lang)

    def grad_of(self, name: str, after: Amount) -> str:
        """What `.grad` is: its numbers, or the shape of a large one."""
        return self.say["grad" if after.numbers is not None else "grad shape"].format(target=name, after=after.text)

    def hand(
        self,
        the_pass: Pass,
        o: str,
        way: tuple[tuple[Any, int], str, str],
        upstream: Amount,
        given: tuple[Amount, Amount | None],
        changes: dict[str, Any],
    ) -> None:
        """Add the step in which an operator passes a gradient to one of its inputs."""
        (edge, arrow, target), (gradient, before) = way, given
        cast, say, symbol = self.cast, self.say, self.who(o)
        name = cast.called[target]
        slope = upstream.slope_to(gradient)
        if slope is None:
            amount = (
                gradient.text
                if gradient == upstream
                else say["from"].format(result=gradient.text, gradient=upstream.text)
            )
            changes[arrow] = {"back": True, "text": f"← {gradient.text}"}
        else:
            amount = say["product"].format(gradient=upstream.text, slope=slope.text, result=gradient.text)
            changes[arrow] = {"back": True, "text": f"← {upstream.text} × {slope.text} = {gradient.text}"}
        words = [capital(say["hands"].format(sign=symbol, target=name, amount=amount))]
        arrows, inputs = zip(*cast.inputs[o], strict=True)
        kind, letters = rule(cast.node[o].name, arrows.index(arrow), [cast.called[i] for i in inputs], cast.called[o])
        if kind and letters != (slope.text if slope else ""):
            words.append(say[kind].format(target=name, rule=letters))
        question, answer = say["ask handed"].format(sign=symbol, target=name), gradient
        total, facts, held = gradient, [], None
        if target in the_pass.sums:
            held = the_pass.sums[target]
            total = held + gradient
            added = {"target": name, "before": held.text, "result": gradient.text, "total": total.text}
            facts.append(say["sum" if total.numbers else "sum of many"].format(**added))
            question, answer = say["ask total"].format(sign=symbol, target=name), total
            if cast.kind[target] == "leaf":
                changes.setdefault(target, {})["sum"] = badge(held, gradient, total)
        the_pass.sums[target] = total
        if is_leaf_end(edge[0]):
            leaf = id(edge[0].variable)
            the_pass.awaited[leaf] -= 1
            after = the_pass.grew.get(leaf)
            if not the_pass.awaited[leaf] and after is not None:
                self.grads[name] = after
                changes.setdefault(target, {})["grad"] = after.text
                if before is None:
                    facts.append(self.grad_of(name, after))
                else:
                    again = {"before": before.text, "total": total.text, "after": after.text}
                    facts.append(say["grad again" if after.numbers else "grad of many"].format(target=name, **again))
                    changes[target]["sum"] = badge(before, total, after)
                if before is not None or total is not gradient:
                    question, answer = say["ask grad"].format(sign=symbol, target=name), after
        if facts:
            words.append(ended("; ".join(facts), self.script.lang))
        more: dict[str, Any] = {}
        if answer.number is not None and isfinite(answer.number):
            more["ask"] = {"question": question, "answer": answer.number, "text": answer.text}
            if answer is gradient:
                more["ask"] |= self.replies(symbol, target, answer, upstream, slope)
            elif answer == total:
                more["ask"] |= self.replies(symbol, target, answer, held=held, new=gradient)
        self.event("backward", joined(words, self.script.lang), [o, arrow, target], changes, **more)

    def replies(
        self,
        symbol: str,
        target: str,
        answer: Amount,
        upstream: Amount | None = None,
        slope: Amount | None = None,
        held: Amount | None = None,
        new: Amount | None = None,
    ) -> dict[str, Any]:
        """What is said of wrong numbers: each is what the reply says it is. The first reply to a number counts."""
        found: list[tuple[float, str]] = []
        again = ""
        told = {"sign": symbol, "target": self.cast.called[target]}
        one, other = (upstream, slope) if held is None else (new, held)
        if one is not None and other is not None and one.number is not None and other.number is not None:
            if held is None:
                told["gradient"], again = one.text, "again product"
                found += [(one.number, "is upstream"), (other.number, "is slope")]
                found.append((one.number + other.number, "is added"))
            else:
                told["before"], again = held.text, "again total"
                found += [(one.number, "is new"), (other.number, "is before")]
                found.append((one.number * other.number, "is multiplied"))
        with suppress(KeyError, ValueError):  # a value that is not known, or not one number
            found.insert(2, (float(self.cast.text[target].replace("−", "-")), "is value"))
        right = answer.number or 0.0
        numbers: dict[float, str] = {}
        for number, key in found:
            if isfinite(number) and abs(number - right) > 0.005 * abs(right) + 1e-6:
                numbers.setdefault(number, self.say[key].format(**told))
        return {"replies": [*numbers.items()], "again": self.say[again].format(**told) if again else ""}

    def end(self, rehearsed: bool, problem: str) -> None:
        grads = [*self.grads.items(), *self.kept.items()]
        told = [self.grad_of(name, grad) for name, grad in grads[:MOST]]
        if len(grads) > MOST:
            told.append(self.say["more"].format(count=len(grads) - MOST))
        words = [self.say["done"], *([ended(", ".join(told), self.script.lang)] if told else [])]
        if problem:
            words = [self.say["was freed" if self.cast.freed else "problem"].format(problem=problem)]
        elif rehearsed:
            words.append(self.say["rehearsed"])
        self.event("end", joined(words, self.script.lang), [], {})


def badge(before: Amount, more: Amount, total: Amount) -> str:
    """The badge under a leaf whose gradients add up."""
    return f"Σ {before.text} + {more.text} = {total.text}" if total.numbers else f"Σ {total.text}"

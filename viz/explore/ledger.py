"""`viz.explore.ledger()`: leaf w as an account book. The reader predicts each amount before backward brings it.

A pass of backward is shown step by step in the engine's own order, as hooks have recorded it. The amounts are collected
in the book; `.grad` is written once, after the last of them. Then the pass is run again: it fails where saved tensors
were freed, or it adds to `.grad`. Each question is about a pass that has really run; its answer is the
result of that pass, and it is hidden until the reader answers.

Read panel.py first, then account.py, which runs the program, asked.py, and book.py and arriving.py, which draw.
"""

from __future__ import annotations

import html
import threading

from ..drawing.svg import element
from ..locale import language
from ..locale.sentences import joined
from .account import PROGRAMS, Account, Pass
from .arriving import Arriving, times, ways
from .asked import Ask, arrivals, once_more
from .book import Book, Frame, came, none_or
from .leaving import Button, Check, Leaving, Switch, question, tr
from .panel import Panel, Sketch, button, choice, in_a_row
from .words import LEDGER, plain

BETWEEN, NARROWEST = 12, 600  # pixels between the graph and the book; the least width of the book
LATER = 2  # passes after the first one that a saved page offers
AT_MOST = tr("after the first pass, at most {} more passes")
OVER = 10  # on a page, the moment at which the first pass is over; those before it are its questions
KEPT = OVER + 1  # the same, if the first pass had `retain_graph=True`
CALLS = 5  # of backward, at most, in the code that is shown


def ledger(w: float = 4.0, x: float = 2.0, *, again: bool = False, lang: str | None = None) -> Ledger:
    """The graph of y = (w + x)(w + 1), and below it the account book of w, where the reader predicts each amount.

    w, x: the leaves' numbers. again: begin with the second pass; the first is already in the book, and buttons for more
        passes stand above it.
    lang: a language with catalogues.
    From code: `say(6)` answers a question, `show()` gives it up, `go_on()` asks the next. After a pass: `again()`,
    `clear()` (w.grad = None), `retain()`, `choose("y = w + 1")` and `start_again()`; `passes` contains the
    measurements.

    >>> panel = ledger()
    >>> panel
    ledger: y = (w + x) * (w + 1) at w = 4, x = 2. The gradient that pass 1 brings to w is hidden until you...
    >>> panel.say(5)
    '✗ 5 is b itself. The question is how much y grows when b grows by 1, and y = a · b.'
    >>> panel.say(6)
    '✓ 6. × sends the other factor back to b, and + passes this gradient on to w unchanged.'
    >>> for said in (None, 5):
    ...     panel.go_on()
    ...     print(panel.say(said)[:60])
    ✓ None. The first contribution stays in the book. `.grad` is
    ✓ 5. × sends the other factor back to a. Now both contributi
    >>> panel.again()
    >>> panel.say("error")
    '✓ error. × needs its saved values, but its drawer is empty. The backward pass stops ...
    """
    lang = language(lang)
    return Ledger(float(w), float(x), again, lang)


class Ledger(Panel):
    """The panel that `ledger` returns."""

    late: tuple[float, ...] = ()  # as `Frame.late`; () if nothing moves

    def __init__(self, w: float, x: float, again: bool, lang: str):
        import ipywidgets as widgets

        super().__init__({})
        self.lang, self.words, self.start = lang, LEDGER[lang], (w, x)
        self.graphs, self.program = 0, next(iter(PROGRAMS))
        self.known = {self.program} if again else set[str]()  # programs whose amounts were predicted before
        self._acting = threading.RLock()  # buttons may be pressed on several threads
        self.question = Ask(self._answered, lang)
        self.switch = choice(PROGRAMS, self.choose)
        self.next = button(self.words["next"], self.go_on, icon="arrow-right")
        self.retained = widgets.Checkbox(description=self.words["retain"], indent=False, layout={"width": "auto"})
        self.buttons = [
            button(self.words["again"], self.again, icon="backward"),
            button(self.words["clear"], self.clear),
            button(self.words["start again"], self.start_again, icon="refresh"),
        ]
        self.more = in_a_row(self.buttons[0], self.retained, *self.buttons[1:], self.switch, gap="4px 12px")
        self.more.layout.align_items, self.more.layout.display = "center", "" if again else "none"
        self.question.beside(self.next)
        self.put_on_top(self.question.root, self.more)
        self._begin()
        if again:
            self.again()

    # -- what a reader does ---------------------------------------------------------------------------

    def say(self, said: object) -> str:
        """Answer the current question."""
        return self.question.check(str(said))

    def show(self) -> str:
        """Give up on the current question."""
        return self.question.reveal()

    def go_on(self) -> None:
        """Ask the next question about this pass, once the current one is answered."""
        with self._acting:
            if self.question.done and self.steps:
                self._put()
                self.refresh()

    def again(self) -> None:
        """Run backward through the same graph once more; the reader predicts the result first."""
        with self._acting:
            if self.over:
                self.more.layout.display = ""
                self._run()
                self.refresh()

    def clear(self) -> None:
        """Set `w.grad` to None."""
        with self._acting:
            if self.over:
                self.account.clear()
                self.cleared = len(self.passes)
                self.calls.append(("w.grad = None", None))
                self.question.root.layout.display = "none"  # its reply no longer applies
                self._unlock()
                self.refresh()

    def retain(self, retain_graph: bool = True) -> None:
        """Let the next calls of backward have `retain_graph=True`, or not."""
        if self.over:
            self.retained.value = retain_graph

    def choose(self, program: str) -> None:
        """Run another program of PROGRAMS, when a pass is over, at first without `retain_graph=True`.

        Raises ValueError for any other program.
        """
        if program not in PROGRAMS:
            raise ValueError(f"program must be one of {', '.join(map(repr, PROGRAMS))}, but got {program!r}")
        with self._acting:
            if not self.over:
                program = self.program
            self.switch.value = program
            if program != self.program:
                self.program = program
                self.retained.value = False
                self._begin()

    def start_again(self) -> None:
        """Run all the code again: a new graph, with all saved tensors, and a new w."""
        with self._acting:
            if self.over:
                self._begin()

    # -- passes and questions -------------------------------------------------------------------------

    def _begin(self) -> None:
        self.graphs += 1
        self.account = Account(self.program, *self.start)
        self.passes: list[Pass] = []
        self.calls: list[tuple[str, Pass | None]] = []
        self.cleared = 0  # passes that are no longer in the book
        self._run()
        self.refresh()

    def _run(self) -> None:
        """Run one more pass, and prepare the questions about it."""
        self.graph, retain = self.account.graph if not self.passes else self.account.seen(), self.retained.value
        done = self.account.backward(retain_graph=retain)
        self.passes.append(done)
        self.calls.append((f"y.backward({'retain_graph=True' if retain else ''})", done))
        first = len(self.passes) == 1
        self.landed, self.over = 0, first and self.program in self.known
        self.steps = []
        if self.over:
            self.question.root.layout.display = "none"
        elif first:
            self.steps = arrivals(done, self.account, self.words)
        else:
            self.steps = [once_more(done, self.passes[0], self.graph, self.calls[-1][0], self.words)]
        if self.steps:
            self._put()
        self._unlock()

    def _put(self) -> None:
        self.question.root.layout.display = ""
        self.step = self.steps.pop(0)
        self.question.put(self.step)
        self._unlock()

    def _answered(self) -> None:
        """The question is answered: show what happened."""
        with self._acting:
            step, done = self.step, self.passes[-1]
            runs = ways(self.graph, done)
            end = len(runs) if step.over else step.landed
            if end > self.landed:
                self.late = times(runs, self.landed, end)
            self.landed, self.over = step.landed, step.over
            if self.over:
                self.known.add(self.program)
            self._unlock()
            self.refresh()
            self.late = ()

    def _unlock(self) -> None:
        for control in (*self.buttons, self.retained, self.switch):
            control.disabled = not self.over
        self.next.layout.display = "" if self.steps else "none"
        self.next.disabled = not self.question.done

    # -- what it shows --------------------------------------------------------------------------------

    def draw(self) -> Sketch:
        with self._acting:
            self.frame = frame = Frame(
                self.passes[self.cleared :],
                self.cleared + 1,
                self.landed,
                self.over,
                self.account.grad if self.over else self.passes[-1].before,
                self.late,
                not self.over and self.step.of_grad and not self.question.done,
            )
            graph = self.graph if frame.now else self.account.seen()
            if self.landed and not self.over:
                graph = self.passes[-1].arrivals[self.landed - 1].graph
        names = [arrival.through for arrival in self.passes[0].arrivals]
        flow = Arriving(graph, frame, self.lang)
        wide, high = max(flow.size[0], NARROWEST), flow.size[1] + BETWEEN
        book = Book(frame, names, wide, self.words)
        below = element("g", *book.parts(), transform=f"translate(0 {high:g})")
        parts = [*flow.parts(f"l{self.graphs}-{self.runs}"), below]
        size = wide, high + book.size[1]
        return Sketch(parts, size, title=self.words["title"], alt=self.alt(frame, flow))

    def alt(self, frame: Frame, flow: Arriving) -> str:
        """The picture in words, without anything that the reader must still predict."""
        words, (w, x) = self.words, self.start
        code = "alt" if "x" in self.program else "alt one"
        told = [words[code].format(code=self.program, w=plain(w), x=plain(x))]
        for number, each in enumerate(frame.passes, frame.first):
            known = each is not frame.now or frame.over
            if known and each.error:
                told.append(words["alt stopped"].format(number=number))
                continue
            landed = each.arrivals if known else each.arrivals[: frame.landed]
            amounts = words["and"].join(
                words["alt through"].format(amount=plain(one.amount), came=came(one.through, words)) for one in landed
            )
            more = dict(number=number, amounts=amounts, sum=plain(each.sum), held=frame.told)
            if known or amounts:
                told.append(words["alt sum" if known and len(landed) > 1 else "alt came"].format(**more))
            if not known:
                told.append(words["alt waits" if amounts else "alt hidden"].format(**more))
        if frame.over:
            told.append(words["alt held"].format(held=frame.told))
        drawers = [node for node in flow.graph.nodes if node.kind == "operator" and (node.saved or node.freed)]
        told += [words["alt freed" if node.freed else "alt full"] for node in drawers]
        return joined(told, self.lang)

    def says(self) -> str:
        """The code that has run."""
        w, x = self.start
        leaves = {"w": w, "x": x} if "x" in self.program else {"w": w}
        at = ", ".join(f"{name} = {plain(number)}" for name, number in leaves.items())
        new = "graph recorded" if self.recorded else "new graph"
        graph = self.words[new if self.graphs > 1 else "graph"].format(self.graphs)
        lines = [f"{self.program}  # {graph} {at}"]
        if len(self.calls) > CALLS:
            lines.append("…")
        for code, done in self.calls[-CALLS:]:
            if done is None:
                lines.append(code)
            elif done is self.passes[-1] and not self.over:
                lines.append(f"{code}  {self.words['running']}")
            else:
                error = f"RuntimeError: {done.error.partition(' (')[0]} …"
                lines.append(f"{code}  # {error if done.error else f'w.grad = {none_or(done.after)}'}")
        code = "\n".join(lines)
        told = f'<pre style="white-space: pre-wrap; line-height: 1.35">{html.escape(code)}</pre>'
        if (error := self.passes[-1].error) and self.over:
            told += f"<details><summary>{self.words['whole']}</summary>RuntimeError: {html.escape(error)}</details>"
        return told

    # -- a page of its own --

    def leaves(self) -> Leaving:
        """Every moment of each program, up to `LATER` passes after the first one, each with or without
        `retain_graph=True`; `w.grad = None` may be run once between two passes.

        `at` numbers the moments; `fresh` is 1 after the code was run again; `known` remembers that a pass is over.
        """
        page, programs = Leaving(self.words["title"], self.lang, {}), [*PROGRAMS]
        page.fewer = [AT_MOST.into(self.lang).format(LATER)]
        begin = [("fresh", 1), ("moving", 0)]
        page.controls = [
            Switch("program", programs, on=[("retain", 0), *begin, ("at", "known.{program}")]),
            Button("next", self.words["next"]),
            Button("again", self.buttons[0].description),
            Check("retain", self.words["retain"]),
            *map(Button, ("clear", "anew"), (each.description for each in self.buttons[1:])),
        ]
        told, picture = page.part("told", "program", "at", "fresh"), page.part("picture", "program", "at", "moving")
        moves, asks = page.part("moves", "program", "retain", "at"), page.part("asks", "program", "at", "moving")
        locked = ["no program:0", "no retain:0"]
        anew = [page.move("anew", *begin, ("at", first)) for first in (OVER, KEPT)]

        def note(i: int, at: int, panel: Recorded, can: list[list[str]], one: str) -> None:
            """can: the moves that are possible without `retain_graph=True` in the next call, and with it."""
            for retain, each in enumerate(can):
                moves.contents[i, retain, at] = ",".join(each)
            asks.contents[i, at, 0], asks.contents[i, at, 1] = one, "same"  # after an answer, its reply stays
            for fresh in range(2):
                panel.graphs, panel.recorded = fresh + 1, True
                told.contents[i, at, fresh] = panel.says()
            panel.graphs, panel.runs = 1, 1
            panel.late, panel.ran_late = panel.ran_late, ()
            picture.contents[i, at, 1] = panel.draw().svg
            moved, panel.late = panel.late, ()
            picture.contents[i, at, 0] = panel.draw().svg if moved else picture.contents[i, at, 1]

        def to(at: int, moving: int = 0) -> list[tuple[str, int]]:
            return [("at", at), ("moving", moving)]

        for i, program in enumerate(programs):

            def played(path: str, retain: int = 0, program: str = program) -> Recorded:
                panel = Recorded(*self.start, program, bool(retain), self.lang)
                for step in path:
                    panel.play(step)
                return panel

            path, at = "", 0
            while True:  # the questions of the first pass
                panel = played(path)
                last = len(panel.steps) == 0
                done = to(OVER if last else at + 1, 1) + [("known.{program}", OVER)] * last
                note(i, at, panel, [locked], page.asks(question(panel.question, done=done)))
                path += "s"
                if last:
                    break
                note(i, at + 1, played(path), [[*locked, page.move("next", *to(at + 2))]], "same")
                path, at = path + "n", at + 2
            todo, at = [(OVER, path, 0), (KEPT, path, 1)], KEPT
            while todo:
                here, path, first = todo.pop(0)
                can, panel = [[each] for each in anew], played(path, first)
                if path.count("a") + path.count("A") < LATER:
                    for retain, call in enumerate("aA"):
                        asked, answered = at + 1, at + 2
                        at += 2
                        can[retain].append(page.move("again", *to(asked)))
                        again = played(path + call, first)
                        one = page.asks(question(again.question, done=to(answered, 1)))
                        note(i, asked, again, [locked, locked], one)
                        todo.append((answered, f"{path}{call}s", first))
                    if not path.endswith("c"):
                        at += 1
                        for each in can:
                            each.append(page.move("clear", *to(at)))
                        todo.append((at, f"{path}c", first))
                note(i, here, panel, can, "")
        return page


class Recorded(Ledger):
    """The panel whose pictures a saved page shows: no move draws by itself."""

    def __init__(self, w: float, x: float, program: str, retain: bool, lang: str):
        self.ran_late: tuple[float, ...] = ()
        super().__init__(w, x, False, lang)
        self.program, self.retained.value = program, retain
        self.known.clear()
        self._begin()

    def play(self, step: str) -> None:
        """One move, as its letter: "s" gives the answer, "n" asks the next question, "c" clears `w.grad`, "a" runs
        backward again, and "A" does so with `retain_graph=True`."""
        if step in "aA":
            self.retained.value = step == "A"
        {"s": self.give_up, "n": self.go_on, "c": self.clear}.get(step, self.again)()

    def refresh(self) -> None:
        self.ran_late = self.late

    def give_up(self) -> None:
        """Answer the question, right."""
        self.question.reveal()

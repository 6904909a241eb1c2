"""`with viz.record() as tape:` records the reader's code inside, forward and backward, to step through it later.

Everything is recorded while it happens: a value before something overwrites it, the line that made it, the gradients of
the reader's own `backward()`. Nothing is run twice or changed. When the block ends, the tensors are released and a
script remains. Imports listen.py, hooks.py, script.py. Read step.py next.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from minigrad._machine.interrupts import Block, Exit, Restored, in_turn

from ..graph.given import pairs_of
from ..graph.listen import Line, listening
from ..graph.names import LIBRARIES, is_tensor, library_of, named, names_in
from ..graph.values import Saved
from ..locale import language
from ..locale.sentences import joined
from .amounts import Amount, amount
from .cast import Cast
from .hooks import Grew, Key, Made, Ran, Watch, leaf_now
from .script import Script, write
from .step import MOST, SHORTER, Predict, Step
from .words import WORDS

LONG = 150  # operators: with `last_turn`, a longer block is recorded turn by turn
TOO_MANY = f"more than {MOST:,} operators are too many to step through. {SHORTER}"


def record(
    *,
    names: Mapping[str, Any] | Callable[[], Mapping[str, Any]] | None = None,
    lang: str | None = None,
    predict: Predict = False,
    last_turn: bool = False,
    quiet: bool = False,
) -> Tape:
    """A block whose operators, and whose `backward()` if it calls it, can be stepped through afterwards.

    names: {name: tensor}, or a function that returns it and is called at the end of the block; without it, the
        variables at the end of the block.
    lang, predict: as for `viz.step`.
    last_turn: of a training loop, keep the last turn: from the operator after a backward pass to the next pass. The
        tape's `turns_left_out` counts the others. A block of up to 150 operators is kept whole.
    quiet: say nothing if there are too many operators; the tape's `too_many` tells it, too.

    >>> import minigrad as torch, viz
    >>> w = torch.tensor([2.0], requires_grad=True)
    >>> with viz.record() as tape:
    ...     y = w * w
    ...     y.backward()
    >>> tape
    Steps through the graph of y: 1 forward, 3 backward, and the end. Done. w.grad = 4.
    >>> print(tape.events[-2]["words"].replace(". ", ".\\n"))
    × passes to w: gradient 1 × slope 2 = 2.
    The slope for w is w.
    The sum for w is 2 + 2 = 4; w.grad = 4.
    × no longer needs its saved values, so they are freed.
    """
    return Tape(names, language(lang), predict, last_turn=last_turn, quiet=quiet)


class Tape:
    """The result of `record`; a notebook shows its stepper. `script` and `events` exist once the block has ended."""

    def __init__(
        self,
        names: Mapping[str, Any] | Callable[[], Mapping[str, Any]] | None,
        lang: str,
        predict: Predict,
        *,
        last_turn: bool = False,
        quiet: bool = False,
    ):
        self.names: Any = names if names is None or callable(names) else pairs_of(names)
        self.lang, self.predict, self.last_turn, self.quiet = lang, predict, last_turn, quiet
        self.script: Script | None = None
        self.too_many, self.turns_left_out = False, 0
        self._leave = Block()

    def _begin(self) -> None:
        self._happened: list[Made | Ran | Grew] = []
        self._values: dict[Key, Amount] = {}
        self._results: dict[Key, Any] = {}
        self._watch = Watch(self._happened.append)

    def __enter__(self) -> Tape:
        self.too_many, self.turns_left_out = False, 0
        self._operators = 0  # how many were heard
        self._turn: tuple[Any, ...] | None = None  # what was recorded of the last whole turn
        self._begin()
        loaded = [name for name in LIBRARIES if name in sys.modules]
        self._oldest = {name: newest_number(sys.modules[name]) for name in loaded}
        recording = Restored(self._record, (), {})
        self._leave.close = in_turn(recording.close, self._end)
        recording.__enter__()
        return self

    __exit__ = Exit("_leave")

    def _record(self) -> Iterator[None]:
        try:
            with listening(self._hear):
                yield
        finally:
            try:
                self._watch.stop()
            except BaseException:  # Ctrl-C during the cleanup: clean up again
                self._watch.stop()
                raise

    def _hear(self, inputs: tuple[Any, ...], results: list[Any], line: Line | None) -> None:
        new: list[Any] = []
        if self.too_many:
            return
        results = [out for out in results if id(out.grad_fn) not in self._watch.nodes]
        if not results:
            return
        self._operators += 1
        if self.last_turn and self._operators > LONG and self._happened and not isinstance(self._happened[-1], Made):
            self._next_turn(results)
        oldest = self._oldest[library_of(results[0]).__name__]
        for out in results:
            key = id(out.grad_fn), getattr(out, "output_nr", 0)
            new += self._watch.meet(out.grad_fn)
            self._values[key], self._watch.shapes[key] = amount(out), tuple(out.shape)
            if out.grad_fn._sequence_nr() > oldest:
                self._results[key] = out
        if len(self._watch.nodes) > MOST:
            self._give_up()
            return
        made = tuple(fn for fn in new if fn._sequence_nr() > oldest)  # older nodes were made before the block
        constants = [constant(each) for each in inputs]
        leaves = tuple(leaf_now(each) for each in inputs if id(each) in self._watch.leaves)
        self._happened.append(Made(made, line, tuple(text for text in constants if text), leaves))

    def _next_turn(self, results: list[Any]) -> None:
        """A pass has run since the last operator, so the program is in its next turn: forget all turns but this one."""
        self._watch.stop()
        self._turn = self._happened, self._values, self._results, self._watch
        self.turns_left_out += passes(self._happened)  # at first, they are the turns of the first operators
        self._begin()
        for name in self._oldest:
            numbers = [out.grad_fn._sequence_nr() for out in results if library_of(out).__name__ == name]
            self._oldest[name] = min(numbers, default=self._oldest[name] + 1) - 1

    def _give_up(self) -> None:
        self.too_many = True
        self._watch.stop()
        if not self.quiet:
            print(f"viz.record: {TOO_MANY}", file=sys.stderr, flush=True)

    def _end(self) -> None:
        if self.names is None:
            names = list(names_in(sys._getframe(1)))
        else:
            names = list(named(self.names())) if callable(self.names) else self.names
        if self._turn is not None:
            if not any(isinstance(each, Ran) for each in self._happened):  # the loop's end, without a pass
                self._happened, self._values, self._results, self._watch = self._turn
                self.turns_left_out -= 1
            self._turn = None
        fns = self._watch.nodes
        used = {(id(before), number) for fn in fns.values() for before, number in fn.next_functions}
        ends = [out for key, out in self._results.items() if key not in used and id(out.grad_fn) == key[0]]
        if ends and not self.too_many:
            saved = {key for key, kept in self._watch.saved.items() if kept.tensors}
            freed = {key for key, fn in fns.items() if key in self._watch.saved and Saved(fn).freed}
            cast = Cast(ends, names, self._watch, self._values, self.lang)
            self.script = write(cast, self._happened, freed, self.lang, saved=saved)
            cast.note_constants(fns.values())
        del self._happened, self._values, self._results, self._watch

    def stopped(self, error: BaseException, line: int | None = None) -> None:
        """Make the last step say that an error ended the program, in this line of it, in place of "Done."

        >>> import minigrad as torch, viz
        >>> w = torch.tensor([2.0, 3.0], requires_grad=True)
        >>> try:
        ...     with viz.record() as tape:
        ...         y = w * w
        ...         y.backward()
        ... except RuntimeError as error:
        ...     tape.stopped(error, 3)
        >>> tape.events[-1]["words"]
        'Line 3 stops with an error: RuntimeError.'
        """
        if self.script is None:
            return
        say, end = WORDS[self.lang], self.script.events[-1]
        told = say["stopped" if line else "stopped somewhere"].format(line=line, name=type(error).__name__)
        end["words"] = joined([told, end["words"].removeprefix(say["done"]).lstrip()], self.lang).rstrip()

    @property
    def events(self) -> list[dict[str, Any]]:
        """The steps, as plain data."""
        return self.script.events if self.script else []

    def __repr__(self) -> str:
        if self.too_many:
            return f"Nothing is recorded: {TOO_MANY}"
        if self.script is None:
            return "Nothing is recorded: inside the block no operator ran on a tensor that requires grad."
        return repr(Step(self.script, self.predict))

    def _repr_mimebundle_(self, **_options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        if self.script is None:
            return {"text/plain": repr(self)}, {}
        return Step(self.script, self.predict)._repr_mimebundle_()


def passes(happened: list[Made | Ran | Grew]) -> int:
    """How many backward passes these events have."""
    are_made = [isinstance(event, Made) for event in happened] + [True]
    return sum(after and not before for before, after in zip(are_made, are_made[1:], strict=False))


def newest_number(torch: Any) -> int:
    """The sequence number of a node made now; nodes made in the block will have higher ones."""
    with torch.inference_mode(False), torch.enable_grad():
        return torch.ones((), requires_grad=True).exp().grad_fn._sequence_nr()


def constant(thing: Any) -> str:
    """The text of an input that needs no gradient; "" for any other input."""
    if isinstance(thing, (int, float)) and not isinstance(thing, bool):
        return f"{thing:.4g}"
    return amount(thing).text if is_tensor(thing) and not thing.requires_grad else ""

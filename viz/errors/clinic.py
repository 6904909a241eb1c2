"""`viz.clinic()`: under an error of autograd or of shapes and types, what went wrong, where, and what to do.

The error stays what it is: same text, same traceback, and its cell has failed. In a notebook and in IPython's terminal
the clinic waits for `post_run_cell`, which comes after the traceback; in a script it speaks after Python's own
`excepthook`, with words and lines. Then it shows the part of the graph with the guilty node marked, the reader's lines
that had a part in it, and two cures. What raises nothing it tells where it is sure: see watch.py.

While it is on, each operator notes which line ran it; `python -m benchmarks.live` measures what that costs.

Imports inquiry, watch, own_words, scene and explanation. Read cases.py for the words.
"""

from __future__ import annotations

import sys
import warnings
from types import FrameType, TracebackType
from typing import Any, Self

from ..graph.names import is_tensor
from ..locale import language
from . import lines
from .cases import case_of
from .explanation import WORDS, Explanation
from .inquiry import Inquiry, missing_gradient
from .lines import Line
from .own_words import in_its_words
from .scene import scene
from .watch import Watch, undisturbed

WARNED = {"not a leaf": "read", "target size": "warned"}  # kinds that come as a warning, and what their line is called


class Clinic:
    """`viz.clinic` itself: call it, leave it with `off()`, use it in a `with`, or ask it to `explain` an error."""

    def __init__(self) -> None:
        self._lang: str | None = None  # None: the language that is spoken when there is something to say
        self.fold = False
        self._shell: Any = None  # IPython's, while the clinic is on there
        self._noting: Any = None
        self._watch: Any = None
        self._excepthook: Any = None  # Python's, while ours is in its place
        self._showwarning: Any = None  # Python's, likewise
        self._closing = False
        self._told: set[tuple[str, Line]] = set()  # what raised nothing is told once, in a notebook once a cell

    def __call__(self, on: bool = True, *, lang: str | None = None, fold: bool = False) -> Self:
        """Explain errors from now on; `clinic(False)` no more. `lang` is "en" or "zh".

        fold: what to do is folded away, so that who looks for it themselves is not told; for lessons.

        >>> clinic(False)
        the error clinic is off
        >>> import minigrad as torch
        >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> with clinic():
        ...     y = w * 2
        ...     z = y * y
        ...     y += 1
        ...     try:
        ...         z.sum().backward()
        ...     except RuntimeError as error:
        ...         print(clinic.explain(error))               # doctest: +ELLIPSIS
        What happened: An operator saved a tensor to compute its slope with, and the tensor was overwritten ...
          saved it here: ..., line 3: z = y * y
          changed it here: ..., line 4: y += 1
          stopped here: ..., line 6: z.sum().backward()
        What to do:
          · Make a new tensor where you overwrite one: `y = y + 1` for `y += 1`, or `y = y.clone()` before it.
          ...
        """
        if not isinstance(on, bool):
            raise TypeError(f"clinic() is on or off, True or False; a language goes by its name: clinic(lang={on!r})")
        language(lang)
        self.off()
        if on:
            self._lang, self.fold = lang, fold
            try:
                self._open()
            except BaseException:  # Ctrl-C
                self.off()
                raise
        return self

    @property
    def lang(self) -> str:
        """The language that errors are explained in."""
        return language(self._lang)

    def off(self) -> None:
        """Errors are shown without an explanation again, and the next time in the language that is spoken."""
        self._stop()
        self._lang, self.fold = None, False
        if self._excepthook is not None and sys.excepthook == self._after_traceback:
            sys.excepthook = self._excepthook
        self._excepthook = None

    def _stop(self) -> None:
        """Note and watch no more."""
        try:
            self._let_go()
        except BaseException:  # Ctrl-C
            self._let_go()
            raise
        self._shell = self._noting = self._watch = self._showwarning = None
        self._closing = False
        self._told.clear()

    def _let_go(self) -> None:
        """Take back what `_open` has put elsewhere, as far as it has come."""
        if self._noting is not None:
            self._noting.close()
        if self._watch is not None:
            self._watch.close()
        if self._showwarning is not None:
            warnings.showwarning = self._showwarning
        if self._shell is not None and self._after_cell in self._shell.events.callbacks["post_run_cell"]:
            self._shell.events.unregister("post_run_cell", self._after_cell)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is None:
            self.off()
        elif self._shell is not None:
            self._closing = True  # the traceback is still to come, and our turn after it
        else:
            self._stop()  # likewise, unless somebody catches the error

    def explain(self, error: BaseException) -> Explanation | None:
        """What there is to say about an error, minigrad's or PyTorch's; None for one of another kind.

        Which line made an operator is known where the clinic was on meanwhile (or anomaly mode).
        """
        reached = lines.last_of_the_reader(error.__traceback__)
        case = case_of(str(error)) or missing_gradient(error, reached)
        if case is None:
            return None
        if reached is None:
            return Explanation(case, [], "", None, self.lang, folded=self.fold)
        looped = lines.in_a_loop(error.__traceback__)
        return self._explanation(Inquiry(case, *reached, error), looped=looped)

    def __repr__(self) -> str:
        return f"the error clinic is {'off' if self._noting is None else 'on'}"

    # -- what it says -----------------------------------------------------------------------------

    def _explanation(
        self, inquiry: Inquiry, before: list[Line] | None = None, guilty: Any = None, looped: bool = False
    ) -> Explanation:
        """`before` and `guilty`: where the inquiry need not look for them."""
        found = inquiry.lines() if before is None else [*before, inquiry.met]
        tensors = inquiry.tensors(WORDS[self.lang])
        roots = list(inquiry.roots)
        case = in_its_words(inquiry, found, guilty)
        if guilty is None:
            guilty = inquiry.guilty
        elif is_tensor(guilty):
            tensors, guilty, roots = [*tensors, *inquiry.named(guilty)], None, []
        else:  # behind one of the program's losses
            roots = [t for _, t in inquiry.names if t.grad_fn is not None and t.numel() == 1]
        for line in found:
            if line.part == "lost":  # so that both sides of the cut are in the picture
                roots += [tensor for name, tensor in inquiry.names if name in lines.names_of(line.code)]
        picture = None
        if roots and guilty is not None:
            pinned = next((line for line in found if line.part in ("saved", "made")), None)
            # a bare number reads as a line of the cell in view
            there = pinned is None or pinned.filename == inquiry.here
            marked = (pinned.number if pinned else inquiry.number) if there else 0
            picture = scene(roots, [*inquiry.names, *inquiry.attributes()], guilty, marked, self.lang)
        more: dict[str, Any] = dict(looped=looped, unnoted=inquiry.unnoted, tensors=tensors, folded=self.fold)
        return Explanation(case, found, inquiry.here, picture, self.lang, **more)

    def _tell(self, inquiry: Inquiry, before: list[Line] | None = None, guilty: Any = None) -> None:
        """Say what raised nothing, at once and once."""
        if (inquiry.case.name, inquiry.met) in self._told:
            return
        self._told.add((inquiry.case.name, inquiry.met))
        explanation = self._explanation(inquiry, before, guilty)
        if self._shell is None:
            print(explanation, file=sys.stderr)
        else:
            from IPython.display import display

            display(explanation)

    # -- while it is on ---------------------------------------------------------------------------

    def _open(self) -> None:
        from minigrad import autograd

        self._watch = Watch(self._tell)
        self._noting = autograd.graph.note_lines()
        self._noting.__enter__()
        self._showwarning, warnings.showwarning = warnings.showwarning, self._listen
        ipython = sys.modules.get("IPython")
        self._shell = ipython.get_ipython() if ipython else None
        if self._shell is not None:
            self._shell.events.register("post_run_cell", self._after_cell)
        else:
            self._excepthook, sys.excepthook = sys.excepthook, self._after_traceback

    def _after_cell(self, result: Any) -> None:
        """IPython has shown what a cell had to show, its traceback included: now it is our turn."""
        from IPython.display import display

        told = {(kind, line.filename, line.number) for kind, line in self._told}
        self._told.clear()
        self._watch.hook()
        explanation = None if result.error_in_exec is None else self.explain(result.error_in_exec)
        if explanation is not None and not told & {(explanation.case.name, *at) for at in explanation.places()}:
            display(explanation)  # unless a warning on its way has had it told already
        if self._closing or stopped_at_the_end(result.error_in_exec):
            self.off()

    def _after_traceback(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Python has shown the traceback of a script that ends with it: now it is our turn."""
        self._excepthook(kind, error, trace)
        undisturbed(self._print, error.with_traceback(trace))

    def _print(self, error: BaseException) -> None:
        explanation = self.explain(error)
        if explanation is not None:
            print(f"\n{explanation}", file=sys.stderr)

    def _listen(
        self, message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: str | None = None
    ) -> None:
        """Let a warning be shown as ever, and explain it if it is one of ours."""
        self._showwarning(message, category, filename, lineno, file, line)
        undisturbed(self._warned, str(message), lines.reader_below(sys._getframe(1)))

    def _warned(self, message: str, frame: FrameType | None) -> None:
        case = case_of(message)
        if case is not None and case.name in WARNED and frame is not None:
            self._tell(Inquiry(case, frame, frame.f_lineno, part=WARNED[case.name]))


def stopped_at_the_end(error: BaseException | None) -> bool:
    """Did Ctrl-C come just as the end of `with viz.clinic():` began? Then nothing of that end has run."""
    trace = error.__traceback__ if isinstance(error, KeyboardInterrupt) else None
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code is Clinic.__exit__.__code__


clinic = Clinic()

"""`viz.clinic()`: explains errors of autograd, shapes and types: what went wrong, where, and what to do.

The error keeps its text and traceback, and its cell fails. In IPython the clinic runs at `post_run_cell`, after the
traceback, and a line before a long traceback says so; in a script, it runs after Python's own `excepthook`. It shows
the reader's lines that took part, two cures and, in a notebook, the part of the graph with the guilty node marked.
Faults that raise no error are reported if they are certain: see watch.py.

While the clinic is on, each operator notes the line that ran it; `python -m benchmarks.live` measures the cost.

Imports inquiry, watch, own_words, scene and explanation. Read case.py for the texts.
"""

from __future__ import annotations

import atexit
import linecache
import sys
import warnings
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from traceback import walk_tb
from types import FrameType, TracebackType
from typing import Any, Self

from ..browser import running_shell
from ..graph.names import is_tensor, named
from ..locale import language
from . import lines
from .case import case_of
from .ending import found_at_the_end
from .explanation import WORDS, Announcement, Explanation
from .inquiry import Inquiry, kind_of, missing_gradient
from .lines import Line
from .noting import Notes
from .own_words import in_its_words
from .scene import scene
from .watch import Watch, undisturbed

LONG = 25  # lines of a traceback: about as many as fit on a small screen
WARNED = {"not a leaf": "read", "target size": "warned"}  # kinds that come as a warning, and the part of their line


class Clinic:
    """`viz.clinic` itself: call it, turn it off with `off()`, use it in a `with`, or let it `explain` an error."""

    def __init__(self) -> None:
        self._lang: str | None = None  # None: the current language at the time of the error
        self.fold = False
        self.listener: Callable[[Explanation], None] | None = None  # gets what is said without an error, if it is set
        self._shell: Any = None  # IPython's shell, while the clinic is on in IPython
        self._noting: Any = None
        self._notes: Notes | None = None  # of PyTorch's operators, with lines=True
        self._watch: Any = None
        self._excepthook: Any = None  # Python's, while ours replaces it
        self._showwarning: Any = None  # Python's, while ours replaces it
        self._before: Any = None  # shows a traceback, with a line before it if it is long
        self._closing = False
        self._script: str | None = None  # the file of the script, once the clinic waits for its end
        self._failed = False  # the script ends with an error
        self._seen: set[tuple[str, int]] = set()  # kinds, and tensors that were reported at the end of a cell
        self._told: set[tuple[str, Line]] = set()  # already reported; in a notebook, cleared after each cell

    def __call__(self, on: bool = True, *, lang: str | None = None, fold: bool = False, lines: bool = False) -> Self:
        """Explain errors from now on; `clinic(False)` stops that. `lang` is a language with catalogues.

        fold: the cures are folded away, so that readers can look for a solution themselves; for lessons.
        lines: with PyTorch, note the line of each operator, too. Small operators then take several times as long, so
            switch it on for a second run, if an explanation asks for it. minigrad's lines are always noted.

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
        What happened: In the forward pass, an operator saved a tensor that the backward pass needs. ...
          saved it here: ..., line 3: z = y * y
          changed it here: ..., line 4: y += 1
          stopped here: ..., line 6: z.sum().backward()
        What to do:
          · Make a new tensor: write `y = y + 1` instead of `y += 1`, ...
          ...
        """
        if not isinstance(on, bool):
            raise TypeError(f"clinic() takes True or False; to choose a language, write clinic(lang={on!r})")
        language(lang)
        self.off()
        self._notes = None
        if on:
            self._lang, self.fold = lang, fold
            try:
                self._open(lines)
            except BaseException:  # Ctrl-C while opening: undo what was done
                self.off()
                raise
        return self

    @property
    def lang(self) -> str:
        """The language of the explanations."""
        return language(self._lang)

    def off(self) -> None:
        """Show errors without explanations again, and forget the chosen language."""
        self._stop()
        self._lang, self.fold = None, False
        if self._excepthook is not None and sys.excepthook == self._after_traceback:
            sys.excepthook = self._excepthook
        self._excepthook = None

    def rest(self) -> Callable[[], object]:
        """Switch off while times are measured; call the result to switch on again, if it was on."""
        again = partial(self, self._noting is not None, lang=self._lang, fold=self.fold, lines=self._notes is not None)
        self.off()
        return again

    def _stop(self) -> None:
        """Stop noting lines and watching optimizers."""
        try:
            self._let_go()
        except BaseException:  # Ctrl-C during the cleanup: clean up again
            self._let_go()
            raise
        self._shell = self._noting = self._watch = self._showwarning = self._before = None
        self._closing = False
        self._told.clear()

    def _let_go(self) -> None:
        """Undo what `_open` has done so far."""
        if self._noting is not None:
            self._noting.close()
        if self._notes is not None:
            self._notes.stop()
        if self._watch is not None:
            self._watch.close()
        if self._showwarning is not None:
            warnings.showwarning = self._showwarning
        if self._shell is not None and self._after_cell in self._shell.events.callbacks["post_run_cell"]:
            self._shell.events.unregister("post_run_cell", self._after_cell)
        if self._shell is not None and vars(self._shell).get("_showtraceback") is self._before:
            vars(self._shell).pop("_showtraceback", None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is None:
            self.off()
        elif self._shell is not None:
            self._closing = True  # the traceback is shown later, and our explanation after it
        else:
            self._stop()  # in a script, too, unless the error is caught

    def explain(self, error: BaseException) -> Explanation | None:
        """The explanation of an error of minigrad or PyTorch; None for an error of another kind.

        The line that made an operator is known if the clinic (or anomaly mode) was on at the time.
        """
        reached = lines.last_of_the_reader(error.__traceback__)
        case = case_of(str(error)) or missing_gradient(error, reached)
        if case is None:
            return None
        if reached is None:
            return Explanation(case, [], "", None, self.lang, folded=self.fold)
        inquiry = Inquiry(case, *reached, error, notes=self._notes)
        if not inquiry.plausible():
            return None
        return self._explanation(inquiry, looped=lines.in_a_loop(error.__traceback__))

    def __repr__(self) -> str:
        return f"the error clinic is {'off' if self._noting is None else 'on'}"

    # -- explanations -----------------------------------------------------------------------------

    def _explanation(
        self, inquiry: Inquiry, before: list[Line] | None = None, guilty: Any = None, looped: bool = False
    ) -> Explanation:
        """`before` and `guilty` are passed if they are already known."""
        found = inquiry.lines() if before is None else [*before, inquiry.met]
        if self.fold:  # the cause in the loop is what a lesson's reader looks for
            found = [line for line in found if line.part not in ("kept", "early")]
        tensors = inquiry.tensors(WORDS[self.lang])
        roots = list(inquiry.roots)
        case = in_its_words(inquiry, found, guilty)
        if guilty is None:
            guilty = inquiry.guilty
        elif is_tensor(guilty):
            tensors, guilty, roots = [*tensors, *inquiry.named(guilty)], None, []
        else:  # an operator behind one of the program's losses
            roots = [t for _, t in inquiry.names if t.grad_fn is not None and t.numel() == 1]
        for line in found:
            if line.part == "lost":  # so that the picture shows both sides of the cut
                roots += [tensor for name, tensor in inquiry.names if name in lines.names_of(line.code)]
        picture = None
        if roots and guilty is not None:
            pinned = next((line for line in found if line.part in ("saved", "made", "returned")), None)
            # a line number without a file would be read as a line of the current cell
            there = pinned is None or pinned.filename == inquiry.here
            marked = (pinned.number if pinned else inquiry.number) if there else 0
            picture = scene(roots, [*inquiry.names, *inquiry.attributes()], guilty, marked, self.lang)
        more: dict[str, Any] = dict(looped=looped, unnoted=inquiry.unnoted, tensors=tensors, folded=self.fold)
        return Explanation(case, found, inquiry.here, picture, self.lang, **more)

    def _tell(self, inquiry: Inquiry, before: list[Line] | None = None, guilty: Any = None) -> None:
        """Report a fault that raised no error, at once and only once."""
        if (inquiry.case.name, inquiry.met) in self._told:
            return
        self._told.add((inquiry.case.name, inquiry.met))
        self._show(self._explanation(inquiry, before, guilty))

    def _look_back(self, names: dict[str, Any], text: str, filename: str) -> None:
        """Report the faults that are seen only when a program or a cell has ended, each tensor once."""
        for case, found, name in found_at_the_end(names, text, filename):
            tensor = dict(named(names))[name]
            if (case.name, id(tensor)) not in self._seen:
                self._seen.add((case.name, id(tensor)))
                self._show(Explanation(case, found, filename, None, self.lang, tensors=[(name, kind_of(tensor))]))

    def _at_exit(self) -> None:
        """Called when a script has ended. Python has deleted its `__file__` by then."""
        if self._noting is not None and self._script and not self._failed:
            names = vars(sys.modules["__main__"])
            undisturbed(self._look_back, names, "".join(linecache.getlines(self._script)), self._script)

    def _show(self, explanation: Explanation) -> None:
        """Show the explanation of a fault that raised no error."""
        if self.listener is not None:
            self.listener(explanation)
        elif self._shell is None:
            print(explanation, file=sys.stderr)
        else:
            from IPython.display import display

            display(explanation)

    # -- hooks while the clinic is on ----------------------------------------------------------------

    def _open(self, lines: bool) -> None:
        from minigrad import autograd

        if lines and find_spec("torch") is not None:
            self._notes = Notes()
            self._notes.start()

        self._watch = Watch(self._tell)
        self._noting = autograd.graph.note_lines()
        self._noting.__enter__()
        self._showwarning, warnings.showwarning = warnings.showwarning, self._listen
        self._shell = running_shell()
        if self._shell is not None:
            self._shell.events.register("post_run_cell", self._after_cell)
            if "_showtraceback" not in vars(self._shell):  # else another program shows tracebacks in its own way
                self._before = partial(self._line_before, self._shell._showtraceback)
                self._shell._showtraceback = self._before
        else:
            self._excepthook, sys.excepthook = sys.excepthook, self._after_traceback
            if self._script is None:  # once: Python keeps a place even for what is unregistered
                self._script = getattr(sys.modules["__main__"], "__file__", None) or ""
                atexit.register(self._at_exit)

    def _line_before(self, show: Any, kind: type[BaseException], error: Any, lines: list[str]) -> None:
        """Show a traceback; before a long one that will be explained, show a line that says so.

        The explanation itself comes last, where a reader is after Shift+Enter. A notebook shows outputs in the order in
        which they come, so this works in JupyterLab, Colab and VS Code.
        """
        undisturbed(self._announce, error, "\n".join(lines).count("\n") + 1)
        show(kind, error, lines)

    def _announce(self, error: Any, length: int) -> None:
        from IPython.display import display

        on = self._noting is not None  # another program may have kept our way of showing tracebacks
        if on and length > LONG and isinstance(error, BaseException) and self.explain(error) is not None:
            display(Announcement(WORDS[self.lang]["below"]))

    def _after_cell(self, result: Any) -> None:
        """Called after IPython has shown a cell's output and traceback: show the explanation."""
        from IPython.display import display

        told = {(kind, line.filename, line.number) for kind, line in self._told}
        self._told.clear()
        self._watch.hook()
        explanation = None if result.error_in_exec is None else self.explain(result.error_in_exec)
        if explanation is not None and not told & {(explanation.case.name, *at) for at in explanation.places()}:
            display(explanation)  # unless a warning before the error was already explained
        if explanation is None and result.error_in_exec is None and self._shell is not None:
            undisturbed(self._look_back, self._shell.user_ns, result.info.raw_cell or "", "<ipython cell>")
        if self._closing or stopped_at_the_end(result.error_in_exec):
            self.off()

    def _after_traceback(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Show the traceback with which a script ends, and then the explanation."""
        self._failed = True
        self._excepthook(kind, error, trace)
        undisturbed(self._print, error.with_traceback(trace))

    def _print(self, error: BaseException) -> None:
        explanation = self.explain(error)
        if explanation is not None:
            print(f"\n{explanation}", file=sys.stderr)

    def _listen(
        self, message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: str | None = None
    ) -> None:
        """Show a warning as usual, and explain it if it is one of our cases."""
        self._showwarning(message, category, filename, lineno, file, line)
        undisturbed(self._warned, str(message), lines.reader_below(sys._getframe(1)))

    def _warned(self, message: str, frame: FrameType | None) -> None:
        case = case_of(message)
        if case is not None and case.name in WARNED and frame is not None:
            self._tell(Inquiry(case, frame, frame.f_lineno, part=WARNED[case.name]))


def stopped_at_the_end(error: BaseException | None) -> bool:
    """Did Ctrl-C come just as the exit of `with viz.clinic():` began, so that none of the exit has run?"""
    frames = [*walk_tb(error.__traceback__)] if isinstance(error, KeyboardInterrupt) else []
    return bool(frames) and frames[-1][0].f_code is Clinic.__exit__.__code__


clinic = Clinic()

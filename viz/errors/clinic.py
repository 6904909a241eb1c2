"""`viz.clinic()`: an autograd error in a notebook gets, under its traceback, a picture of what went wrong.

The error stays what it is: same text, same traceback, and its cell has failed. The clinic waits for IPython's
`post_run_cell`, which comes after the traceback, and then shows the part of the graph with the guilty node marked, the
reader's lines that had a part in it, and what to do.

While it is on it also notes, for every operator, which line ran it: 7 µs an operator more (`python -m benchmarks.live`
measures it). So switch it on for lessons and while you search, not for a long training.

Imports cases, lines, scene and explanation. Read cases.py for the words.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from functools import partial
from types import FrameType
from typing import Any, Self

from ..graph.given import one_of
from ..graph.names import is_tensor, named, names_in
from . import lines
from .case import Case
from .cases import case_of
from .explanation import WORDS, Explanation
from .lines import Line
from .scene import scene


class Clinic:
    """`viz.clinic` itself: call it, leave it with `off()`, use it in a `with`, or ask it to `explain` an error."""

    def __init__(self) -> None:
        self.lang = "en"
        self._shell: Any = None  # IPython's, while the clinic is on in a notebook
        self._observing: Any = None
        self._closing = False
        self._read: tuple[str, int] | None = None  # where a gradient was asked for that is not there

    def __call__(self, on: bool = True, *, lang: str = "en") -> Self:
        """Explain autograd errors from now on; `clinic(False)` no more. `lang` is "en" or "zh".

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
        one_of("lang", lang, WORDS)
        self.off()
        if on:
            self.lang = lang
            self._open()
        return self

    def off(self) -> None:
        """Errors are shown without an explanation again."""
        if self._observing is not None:
            self._observing.__exit__()
            warnings.showwarning = self._showwarning
            if self._shell is not None:
                self._shell.events.unregister("post_run_cell", self._after_cell)
        self._shell = self._observing = self._read = None
        self._closing = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if self._shell is not None and (error is not None or self._read):
            self._closing = True  # the traceback is still to come, and our turn after it
        else:
            self.off()

    def explain(self, error: BaseException) -> Explanation | None:
        """What there is to say about an error of autograd, minigrad's or PyTorch's; None for any other error.

        Which line made an operator is known where the clinic was on meanwhile (or anomaly mode).
        """
        case = case_of(str(error))
        reached = lines.last_of_the_reader(error.__traceback__)
        if case is None:
            return None
        if reached is None:
            return Explanation(case, [], "", None, self.lang)
        frame, number = reached
        here = frame.f_code.co_filename
        node, roots = getattr(error, "node", None), list(getattr(error, "roots", ()))
        found = list(_evidence(case, error, node, frame, number))
        stopped = lines.line_at("stopped", (here, number))
        names = list(names_in(frame))
        if case.name == "leaf changed":
            roots = [t for t in _in_line(stopped, names) if t.requires_grad and t.grad_fn is None]
        guilty = node if node is not None else next(iter(roots), None)
        for line in found:
            if line.part == "lost":  # so that both sides of the cut are in the picture
                roots += _in_line(line, names)
        picture = None
        if roots and is_tensor(roots[0]):
            marked = next((line.number for line in found if line.part in ("saved", "made")), number)
            picture = scene(roots, names, guilty, marked, self.lang)
        looped = lines.in_a_loop(error.__traceback__)
        return Explanation(case, [*found, stopped], here, picture, self.lang, looped=looped)

    def __repr__(self) -> str:
        return f"the error clinic is {'off' if self._observing is None else 'on'}"

    # -- while it is on ---------------------------------------------------------------------------

    def _open(self) -> None:
        from minigrad import autograd

        self._observing = autograd.graph.observe_operators(partial(_note_line, lines.libraries()))
        self._observing.__enter__()
        self._showwarning, warnings.showwarning = warnings.showwarning, self._listen
        ipython = sys.modules.get("IPython")
        self._shell = ipython.get_ipython() if ipython else None
        if self._shell is not None:
            self._shell.events.register("post_run_cell", self._after_cell)

    def _after_cell(self, result: Any) -> None:
        """IPython has shown what a cell had to show, its traceback included: now it is our turn."""
        from IPython.display import display

        read, self._read = self._read, None
        explanations: list[Explanation | None] = [self._explain_missing_grad(read)] if read else []
        if result.error_in_exec is not None:
            explanations.append(self.explain(result.error_in_exec))
        for explanation in explanations:
            if explanation is not None:
                display(explanation)
        if self._closing:
            self.off()

    def _listen(
        self, message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: str | None = None
    ) -> None:
        """Let a warning be shown as ever, and remember where a gradient was asked for that is not kept."""
        self._showwarning(message, category, filename, lineno, file, line)
        case = case_of(str(message))
        if case is not None and case.name == "not a leaf":
            self._read = filename, lineno

    def _explain_missing_grad(self, place: tuple[str, int]) -> Explanation:
        read = lines.line_at("read", place)
        case = case_of(".grad attribute of a Tensor that is not a leaf")
        assert case is not None
        names = list(named(self._shell.user_ns))
        asked = [t for name, t in names if f"{name}.grad" in read.code and t.grad_fn is not None and not t.retains_grad]
        found, picture = [], None
        if asked:
            if made := _made_at(asked[0].grad_fn):
                found.append(lines.line_at("made", made))
            picture = scene(asked[:1], names, asked[0], read.number, self.lang)
        return Explanation(case, [*found, read], place[0], picture, self.lang)


clinic = Clinic()


def _note_line(libraries: tuple[str, ...], _name: str, _inputs: Any, outputs: tuple[Any, ...]) -> None:
    """Write on a new node which of the reader's lines made it."""
    node = getattr(outputs[0], "grad_fn", None)
    if node is None:
        return
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(libraries):
        frame = frame.f_back
    if frame is not None:
        node.metadata["line"] = frame.f_code.co_filename, frame.f_lineno


def _made_at(node: Any) -> tuple[str, int] | None:
    """Where the operator ran whose node this is, if somebody has noted it."""
    trace = getattr(node, "trace", None)  # anomaly mode's
    return node.metadata.get("line") or ((trace[-1].filename, trace[-1].lineno) if trace else None)


def _evidence(case: Case, error: BaseException, node: Any, frame: FrameType, number: int) -> Iterator[Line]:
    """The lines that had a part in the error, in the order in which they ran."""
    made = None if node is None else _made_at(node)
    if made is not None:
        yield lines.line_at("saved" if case.name == "changed" else "made", made)
    changed = getattr(error, "changed_at", None)
    if changed is not None:
        yield lines.line_at("changed", changed)
    source, earlier = lines.programs_of(frame)
    found = None
    if case.name == "no graph":
        found = lines.where_it_was_lost(source, number, earlier)
    elif case.name == "freed":
        found = lines.which_pass_freed_it(source, number, earlier)
    if found is not None:
        yield lines.found_line(frame, *found)


def _in_line(line: Line, names: list[tuple[str, Any]]) -> list[Any]:
    """The reader's tensors that are named in a line."""
    written = lines.names_of(line.code)
    return [tensor for name, tensor in names if name in written]

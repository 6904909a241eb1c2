"""`with viz.folded():` hides the output of a cell behind a line that the reader unfolds.

It is for the proof under a prediction: Run All runs it, and nbval compares its numbers, but readers do not see them by
accident. It is plain HTML (`<details>`), so it also folds in an exported page. Read next: predict.py.
"""

from __future__ import annotations

import html
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from minigrad._machine.interrupts import Block, Exit, Restored, in_turn

from .quiet import as_it_was


class folded:
    """Collect what is printed and displayed inside, and show it folded under `title`, with warnings in a sentence.

    Only a UserWarning is shown, the kind that minigrad and PyTorch give: deprecations in matplotlib or another library
    are not about the reader's program.

    empty: what is shown (below printed text) if nothing was displayed, no warning came, and no error ended the block.

    >>> with folded("the proof"):
    ...     print("2 + 3 =", 2 + 3)
    folded: the proof
    2 + 3 = 5
    <BLANKLINE>
    >>> with folded("a second opinion", empty="Nothing."):
    ...     pass
    folded: a second opinion
    Nothing.
    <BLANKLINE>
    """

    def __init__(self, title: str = "Unfold me when you have made your prediction", *, empty: str = ""):
        self.title, self.empty = title, empty
        self._leave = Block()

    def __enter__(self) -> None:
        self._handled = sys.exc_info()[1]  # if the `with` is inside an `except`
        collecting = Restored(self._collect, (), {})
        self._leave.close = in_turn(collecting.close, self._end)
        collecting.__enter__()

    __exit__ = Exit("_leave")

    def _collect(self) -> Iterator[None]:
        from IPython.core.getipython import get_ipython
        from IPython.utils.capture import capture_output

        shell, hook = get_ipython(), sys.displayhook
        publisher: Any = shell.display_pub if shell else None
        try:
            with as_it_was(), capture_output(stderr=False) as self._captured:
                with warnings.catch_warnings(record=True) as self._warned:
                    warnings.simplefilter("ignore")
                    warnings.simplefilter("always", UserWarning)
                    warnings.simplefilter("ignore", DeprecationWarning)  # pyparsing's warnings have both types
                    yield
        finally:
            sys.displayhook = hook
            if shell and shell.display_pub is not publisher:
                shell.display_pub = publisher

    def _end(self) -> None:
        from IPython.display import display

        stopped = sys.exc_info()[1] is not self._handled  # by an error or an interrupt: show what came before it
        told = "".join(
            f"PyTorch warns here, too: {str(warning.message).partition('. ')[0]}.\n" for warning in self._warned or ()
        )
        printed = self._captured.stdout + told
        last: dict[object, dict[str, Any]] = {}  # later outputs with the same id replace earlier ones
        for number, shown in enumerate(self._captured.outputs):
            last[(shown.transient or {}).get("display_id", number)] = shown.data
        displayed = list(last.values())
        if self.empty and not told and not displayed and not stopped:
            printed += f"{self.empty}\n"
        if printed or displayed or not stopped:
            display(_Shown(self.title, printed, displayed))


class _Shown:
    def __init__(self, title: str, printed: str, displayed: list[dict[str, Any]]):
        self.title, self.printed, self.displayed = title, printed, displayed

    def _repr_html_(self) -> str:
        parts = [f"<pre>{html.escape(self.printed)}</pre>"] if self.printed else []
        for data in self.displayed:
            parts.append(data.get("text/html") or f"<pre>{html.escape(data['text/plain'])}</pre>")
        return f"<details><summary><b>{html.escape(self.title)}</b></summary>{''.join(parts)}</details>"

    def __repr__(self) -> str:
        return f"folded: {self.title}\n{self.printed}" + "\n".join(data["text/plain"] for data in self.displayed)

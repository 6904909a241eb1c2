"""`with viz.folded():` what a cell shows, behind a line that the reader unfolds.

For the proof under a prediction: Run All runs it, and nbval compares its numbers, but nobody sees them by
accident. Plain HTML (`<details>`), so it also folds in an exported page. Read next: predict.py.
"""

from __future__ import annotations

import html
import warnings
from types import TracebackType
from typing import Any


class folded:
    """Collect what is printed and displayed inside, and show it folded under `title`; of warnings the first sentence.

    Only a UserWarning counts, which is what minigrad and PyTorch give: what matplotlib or another library says of its
    own future is not about the reader's program.

    empty: what is shown where nothing was printed or displayed.

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

    def __enter__(self) -> None:
        from IPython.utils.capture import capture_output

        self._capture = capture_output(stderr=False)
        self._captured = self._capture.__enter__()
        self._catch = warnings.catch_warnings(record=True)
        self._warned = self._catch.__enter__()
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        warnings.simplefilter("ignore", DeprecationWarning)  # pyparsing's own, which matplotlib meets, are both

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._catch.__exit__(kind, error, trace)
        self._capture.__exit__(kind, error, trace)
        if error is None:
            from IPython.display import display

            told = "".join(
                f"PyTorch warns here, too: {str(warning.message).partition('. ')[0]}.\n"
                for warning in self._warned or ()
            )
            printed = self._captured.stdout + told
            last: dict[object, dict[str, Any]] = {}  # what is shown once more, as a plot that moves, replaces itself
            for number, shown in enumerate(self._captured.outputs):
                last[(shown.transient or {}).get("display_id", number)] = shown.data
            displayed = list(last.values())
            if self.empty and not printed and not displayed:
                printed = f"{self.empty}\n"
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

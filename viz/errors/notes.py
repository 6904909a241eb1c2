"""Shows an error's notes in a notebook whose IPython is too old for them: IPython 7, which Colab has.

minigrad adds notes to errors: which of the reader's lines changed a tensor, and what to do about it. A newer IPython
prints notes under the error. For an older one, they are printed below the traceback, after the cell.

Imports browser.py. Read next: clinic.py, which explains an error in full.
"""

from __future__ import annotations

import html
import sys
from typing import Any

from ..browser import running_shell


def show_notes() -> None:
    """Print notes from now on, in the notebook or terminal of IPython that runs this. Does nothing without IPython, or
    if IPython shows notes itself."""
    shell = running_shell()
    if shell is not None and not shows_notes(shell):
        shell.events.register("post_run_cell", print_notes)


def shows_notes(shell: Any) -> bool:
    """Does this IPython print an error's notes? It renders a test error."""
    error = ValueError()
    error.add_note("a note")
    rendered = shell.InteractiveTB.stb2text(shell.InteractiveTB.structured_traceback(ValueError, error, None))
    return "a note" in rendered


def print_notes(result: Any) -> None:
    """Print the notes of the error that ended a cell."""
    notes = "\n".join(getattr(result.error_in_exec, "__notes__", ()))
    if not notes:
        return
    from IPython import get_ipython
    from IPython.display import display

    if hasattr(get_ipython(), "kernel"):
        display({"text/html": f"<pre>{html.escape(notes)}</pre>"}, raw=True)
    else:
        print(notes, file=sys.stderr)

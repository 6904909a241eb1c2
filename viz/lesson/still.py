"""A cell that stops before its check still shows its exercise, below the error.

Python shows nothing of a cell that it can't read, and an error in an earlier line ends the cell. Without this, the task
and its hints would be gone when the reader needs them.

Imports alive.py and browser.py; exercise.py when a cell has stopped. Read next: exercise.py.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..alive import notebook

if TYPE_CHECKING:
    from .exercise import Exercise

NAMED = re.compile(r"""\bexercise\(\s*(["'])(\w+)\1""")  # in a cell's source; it may not be Python
_shown: set[str] = set()  # the exercises that the running cell has shown
_checked: dict[str, Exercise] = {}  # those that it has checked


def listen() -> None:
    """In a notebook, observe from now on which cells stop."""
    shell = notebook()
    if shell is not None:
        shell.events.register("pre_run_cell", _before_cell)
        shell.events.register("post_run_cell", show_the_rest)


def seen(name: str) -> None:
    """Note that the running cell shows this exercise."""
    _shown.add(name)


def checked(name: str, one: Exercise) -> None:
    """Note that the running cell has checked this exercise."""
    _checked[name] = one


def _before_cell(_info: Any = None) -> None:
    _shown.clear()
    _checked.clear()


def show_the_rest(result: Any) -> None:
    """Called after a cell has run: if an error has ended it, show the exercises that it names and has not shown."""
    done = dict(_checked)
    _checked.clear()
    if result.error_before_exec is None and result.error_in_exec is None:
        return
    found = dict.fromkeys(name for _, name in NAMED.findall(result.info.raw_cell or ""))
    if not (names := [name for name in found if name not in _shown]):
        return
    from IPython.display import display

    from .exercise import exercise

    for name in names:
        try:
            display(done[name] if name in done else exercise(name).stopped())
        except KeyError:  # the cell's error says so, or the name is another function's argument
            continue

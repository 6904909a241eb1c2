"""The lifetime of a widget and of the object behind it: a trainer, an explorer, a question.

ipywidgets keeps every widget until `close()`, and with it everything that the widget's callbacks refer to. So our
callbacks have only weak references to their owner (`weak`, `only`). The owner lives while

- the reader has a name for it, or
- the output that shows it exists: until its cell is run again. If a front end gives its cells no ids, the owner is kept
    forever, as in ipywidgets.

When the owner is gone, its widgets are closed, a moment later and never during garbage collection. Imports IPython's
event hooks where a notebook runs. Read next: training/trainer.py, which has most to release.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Iterator
from types import MethodType
from typing import Any, TypeVar

from .browser import here, running_shell

Owner = TypeVar("Owner")
_gone: deque[tuple[Any, ...]] = deque()  # the widgets of deleted owners, to be closed
_shown: dict[str | None, list[Any]] = {}  # a cell's id -> the owners shown in its output
_running: list[tuple[str | None, list[Any]]] = []  # the running cells, and the owners shown in their last output
_shells: weakref.WeakSet[Any] = weakref.WeakSet()  # the shells whose cell events we receive


def weak(method: Callable[..., Any]) -> Callable[..., Any]:
    """A callback that calls `method` as long as its object lives, and holds no strong reference to it."""
    if not isinstance(method, MethodType):
        return method
    reference = weakref.WeakMethod(method)

    def callback(*given: Any) -> Any:
        found = reference()
        return None if found is None else found(*given)

    return callback


def only(method: Callable[[], Any]) -> Callable[..., Any]:
    """The same, for a method that takes none of a callback's arguments."""
    callback = weak(method)
    return lambda *_given: callback()


def chosen(method: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same, for a method that takes the new value of the observed attribute."""
    callback = weak(method)
    return lambda change: callback(change["new"])


def owns(owner: Any, *widgets: Any) -> None:
    """From now on, these widgets and all inside them are closed when `owner` is gone."""
    sweep()
    weakref.finalize(owner, _gone.append, widgets).atexit = False


def showing(owner: Any) -> None:
    """Note that `owner` is being shown: it lives as long as the output of this cell exists."""
    if (shell := notebook()) is None:
        return
    listen()
    here = _shown.setdefault(_running[-1][0] if _running else cell_of(shell), [])
    if not any(each is owner for each in here):
        here.append(owner)


def shown_before(kind: type[Owner]) -> list[Owner]:
    """The owners of this kind in the running cell's last output: what the reader did there can go on in the new one."""
    return [each for each in _running[-1][1] if isinstance(each, kind)] if _running else []


def listen() -> None:
    """In a notebook, observe from now on which cell runs."""
    shell = notebook()
    if shell is not None and shell not in _shells:
        _shells.add(shell)
        shell.events.register("pre_run_cell", _before_cell)
        shell.events.register("post_run_cell", _after_cell)


def sweep() -> None:
    """Close the widgets of deleted owners."""
    while _gone:
        close(*_gone.popleft())


def close(*roots: Any) -> None:
    """Close these widgets and all inside them, layouts and styles included."""
    for widget in [*inside(roots)]:
        widget.close()


def inside(things: Any) -> Iterator[Any]:
    """All widgets among these things, and all widgets inside them."""
    from ipywidgets import Widget

    stack, seen = [things], set[int]()
    while stack:
        thing = stack.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, Widget):
            yield thing
            stack += thing._trait_values.values()
        elif isinstance(thing, (list, tuple)):
            stack += thing


def notebook() -> Any:
    """IPython's shell if a page shows its output, else None."""
    shell = running_shell()
    return None if type(shell).__name__ == "TerminalInteractiveShell" else shell


def cell_of(shell: Any, info: Any = None) -> str | None:
    """The id of the running cell, if the front end has given it one."""
    if info is not None and hasattr(info, "cell_id"):
        return info.cell_id
    try:
        parent = shell.kernel.get_parent() if here() else shell.kernel.get_parent("shell")
        return parent["metadata"].get("cellId")
    except (AttributeError, KeyError, LookupError, TypeError):
        return None


def _before_cell(info: Any = None) -> None:
    """Called before a cell runs, which will replace its last output."""
    cell = cell_of(notebook(), info)
    _running.append((cell, [] if cell is None else _shown.pop(cell, [])))


def _after_cell(_result: Any = None) -> None:
    """Called after a cell has run: release the owners that it no longer shows."""
    if _running:
        _, before = _running.pop()
        still = {id(each) for here in _shown.values() for each in here}
        if left := {id(each) for each in before if id(each) not in still}:
            _forget(notebook(), left)
        before.clear()
    sweep()


def _forget(shell: Any, left: set[int]) -> None:
    """Remove these objects from IPython's own variables: `Out[3]`, which is `_3`, and `_`, `__` and `___`."""
    history = shell.user_ns.get("_oh", {})
    for number in [number for number, value in history.items() if id(value) in left]:
        del history[number]
        for names in (shell.user_ns, shell.user_ns_hidden):
            names.pop(f"_{number}", None)
    for name in ("_", "__", "___"):
        for names in (shell.user_ns, shell.user_ns_hidden, vars(shell.displayhook)):
            if id(names.get(name)) in left:
                names[name] = ""  # as it was before the first output


listen()  # at import, so that the first cell that shows something is known

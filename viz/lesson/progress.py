"""What this reader has done: which exercises work, and what they answered before and after each lesson.

One small JSON file of the reader's own, on this machine alone: beside their other programs' data, or where
MINIGRAD_PROGRESS says. Nothing is written before the reader has answered something. `viz.forget()` deletes it.

    {"exercises": {name: {"right": …, "tries": …, "hints": …}},
     "questions": {name: {"before": …, "before right": …, "after": …, …}}}

No note is lost. Several kernels may write: each adds its notes to what the file holds by then (alone.py). What another
version has written there stays, known to us or not. Where nothing can be written, the lessons go on, notes stay in
memory, and are written when that is possible again. A file that can't be read is kept as a copy before a new one
takes its place.
Imports alone.py and stored.py. Read next: stored.py, then ask.py.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
import threading
import time
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import stored
from .alone import alone

PATIENCE = 1.0  # seconds that a lesson waits for another kernel
KINDS = {"right": bool, "tries": int, "hints": int} | {
    f"{when}{fact}": kind
    for when in ("before", "after")
    for fact, kind in {"": str, " right": bool, " place": str, " first": str}.items()
}

_lock = threading.Lock()  # of _notes: a button's message may come while a cell runs
_writing = threading.Lock()  # one thread writes at a time
_notes: dict[tuple[str, str, str], _Note] = {}  # by file, part and name: what is not written yet
_written = -1.0  # when this process has written last
_slow = False  # another kernel has kept us waiting: do not wait for it again
_timer: threading.Timer | None = None  # it writes what waits
_told: set[str] = set()  # what the reader was told


@dataclass
class _Note:
    """Facts that wait to be written."""

    facts: dict[str, Any]
    first: dict[str, Any]
    until: str


def place() -> Path:
    """Where the file is, or will be."""
    if named := os.environ.get("MINIGRAD_PROGRESS"):
        return Path(named)
    home = Path.home()
    if sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        folder = home / "Library" / "Application Support"
    else:
        folder = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return folder / "minigrad" / "progress.json"


def known() -> dict[str, dict[str, Any]]:
    """All that is known: {"exercises": {name: {"right": …, "tries": …, "hints": …}}, "questions": {…}}.

    Each fact is of the type that it should have; others are left out here, and stay in the file.
    """
    file, found = "", {}
    with contextlib.suppress(*stored.CANNOT):
        file = str(_target())
        found = stored.read(Path(file)).content
    _add(found, _waiting(file))
    return {
        part: {name: _fitting(facts) for name, facts in names.items() if isinstance(facts, dict)}
        for part, names in found.items()
        if isinstance(names, dict)
    }


def note(part: str, name: str, /, *, until: str = "", first: Mapping[str, Any] | None = None, **facts: Any) -> None:
    """Remember facts about an exercise or a question, over what was known of it.

    until: a fact; where it is already true, nothing changes any more. first: facts that count the first time only.
    """
    try:
        file = str(_target())
    except stored.CANNOT:
        file = ""
    with _lock:
        before = _notes.get((file, part, name))
        if before is None:
            _notes[file, part, name] = _Note(facts, dict(first or {}), until)
        elif not (until and before.facts.get(until) is True):
            before.facts.update(facts)
            before.first = {**(first or {}), **before.first}
    _write()
    _later()


def forget() -> None:
    """Delete what is remembered of this reader: exercises done, and answers before and after the lessons."""
    with _lock:
        _notes.clear()
    with contextlib.suppress(*stored.CANNOT):
        file = _target()
        if file.parent.is_dir():
            with alone(file.parent, PATIENCE):  # delete it also where another kernel hangs
                stored.delete(file)


def _target() -> Path:
    """The file itself, where `place()` is a link to it."""
    return Path(os.path.realpath(place()))


def _waiting(file: str) -> dict[tuple[str, str, str], _Note]:
    """A copy of the notes that are not written yet."""
    with _lock:
        return deepcopy({key: each for key, each in _notes.items() if key[0] in ("", file)})


def _add(all_: dict[str, Any], notes: Mapping[tuple[str, str, str], _Note]) -> bool:
    """Add the notes to what a file holds. Whether something of another type had to make room for them."""
    displaced = False
    for (_, part, name), each in notes.items():
        facts = all_
        for key in (part, name):
            if not isinstance(facts.get(key), dict):
                displaced = displaced or key in facts
                facts[key] = {}
            facts = facts[key]
        if each.until and facts.get(each.until) is True:
            continue
        seen = _fitting(facts)
        facts.update({fact: value for fact, value in each.first.items() if fact not in seen})
        facts.update(each.facts)
    return displaced


def _fitting(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that are of the right type, with text that can be shown."""
    fitting = {
        fact: value for fact, value in facts.items() if type(value) in ((KINDS[fact],) if fact in KINDS else PLAIN)
    }
    return {fact: _shown(value) if type(value) is str else value for fact, value in fitting.items()}


PLAIN = (bool, int, float, str)


def _shown(text: str) -> str:
    """Without halves of characters, which no page can be sent."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _write(patience: float = PATIENCE) -> None:
    """Add all notes that wait to the file. Where that can't be done now, they go on waiting."""
    global _slow, _written
    if not _writing.acquire(timeout=patience):
        return
    try:
        file = _target()
        stored.make_folder(file.parent)
        if time.monotonic() - _written < 0.05:  # a loop that writes lets other kernels have their turn
            time.sleep(0.01)
        with alone(file.parent, 0 if _slow else patience) as ours:
            _slow, _written = not ours, time.monotonic()
            if not ours:
                return
            notes = _waiting(str(file))
            found = stored.read(file)
            displaced = _add(found.content, notes)
            copy = stored.write(file, found, displaced)
        with _lock:
            for key, written in notes.items():
                if _notes.get(key) == written:  # else there is more of it by now
                    del _notes[key]
        if copy is not None:
            _tell(file, copy)
    except stored.CANNOT:
        pass
    finally:
        _writing.release()


def _later(seconds: float = 1.0) -> None:
    """Try again after a while, if notes wait: the reader's last answer has no next one that would take it along."""
    global _timer
    if not _notes or seconds > 60 or (_timer is not None and _timer.is_alive() and seconds == 1.0):
        return

    def again() -> None:
        _write()
        _later(2 * seconds)

    _timer = threading.Timer(seconds, again)
    _timer.daemon = True
    with contextlib.suppress(RuntimeError):  # a browser has no threads
        _timer.start()


def _tell(file: Path, copy: Path) -> None:
    """Say once that a file was damaged."""
    if str(file) not in _told and len(_told) < 8:
        _told.add(str(file))
        print(f"Not all of your progress file could be read, so a copy of it is kept: {copy}", file=sys.stderr)


@atexit.register
def _at_exit() -> None:
    """The kernel ends: the last chance for notes that wait."""
    global _slow
    _slow = False
    if _notes:
        _write(5 * PATIENCE)

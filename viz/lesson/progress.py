"""What this reader has done: which exercises are right, and the answers before and after each lesson.

The notes are in one small JSON file of the reader, on this machine alone: with the data of other programs, in the
storage of the browser where Python runs in one, or where MINIGRAD_PROGRESS says. Nothing is written before the first
answer. `viz.forget()` deletes the file.

    {"exercises": {name: {"right": …, "tries": …, "hints": …}},
     "questions": {name: {"before": …, "before right": …, "after": …, …}}}

No note is lost. Several kernels may write: each adds its notes to the current content of the file (alone.py). Facts
that another version has written stay, known to us or not. If nothing can be written, the lessons go on, notes stay in
memory, and are written when that is possible again. A file that can't be read is copied before a new one
replaces it.
Imports alone.py, stored.py and browser.py. Read next: stored.py, then ask.py.
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

from ..browser import drive
from . import stored
from .alone import alone

PATIENCE = 1.0  # seconds that a lesson waits for another kernel
KINDS = {"right": bool, "tries": int, "hints": int} | {
    f"{when}{fact}": kind
    for when in ("before", "after")
    for fact, kind in {"": str, " right": bool, " place": str, " first": str}.items()
}

_lock = threading.Lock()  # protects _notes: a button's message may come while a cell runs
_writing = threading.Lock()  # one thread writes at a time
_notes: dict[tuple[str, str, str], _Note] = {}  # the notes to write, by file, part and name
_written = -1.0  # the time of the last write by this process
_slow = False  # another kernel has kept us waiting: do not wait for it again
_timer: threading.Timer | None = None  # it writes the notes that wait
_told: set[str] = set()  # the files whose damage was reported


@dataclass
class _Note:
    """Facts to be written."""

    facts: dict[str, Any]
    first: dict[str, Any]
    until: str


def place() -> Path:
    """The path of the file, whether it exists or not."""
    if named := os.environ.get("MINIGRAD_PROGRESS"):
        return Path(named)
    if found := drive():
        return found / "minigrad-progress.json"  # a new folder would be looked up on the server, in vain
    home = Path.home()
    if sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        folder = home / "Library" / "Application Support"
    else:
        folder = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return folder / "minigrad" / "progress.json"


def known() -> dict[str, dict[str, Any]]:
    """All notes: {"exercises": {name: {"right": …, "tries": …, "hints": …}}, "questions": {…}}.

    Facts of an unexpected type are left out here, but stay in the file.
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
    """Note facts about an exercise or a question, in place of earlier ones.

    until: the name of a fact; once it is true, nothing changes any more. first: facts that only count the first time.
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
    """Delete all notes about this reader: exercises done, and answers before and after the lessons."""
    with _lock:
        _notes.clear()
    with contextlib.suppress(*stored.CANNOT):
        file = _target()
        if file.parent.is_dir():
            with alone(file.parent, PATIENCE):  # delete it even if another kernel hangs
                stored.delete(file)


def _target() -> Path:
    """The file itself, even if `place()` is a link to it."""
    return Path(os.path.realpath(place()))


def _waiting(file: str) -> dict[tuple[str, str, str], _Note]:
    """A copy of the notes that are not written yet."""
    with _lock:
        return deepcopy({key: each for key, each in _notes.items() if key[0] in ("", file)})


def _add(all_: dict[str, Any], notes: Mapping[tuple[str, str, str], _Note]) -> bool:
    """Add the notes to a file's content. Returns whether a value of another type was replaced."""
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
    """The facts that have the right type, with text that can be shown."""
    fitting = {
        fact: value for fact, value in facts.items() if type(value) in ((KINDS[fact],) if fact in KINDS else PLAIN)
    }
    return {fact: _shown(value) if type(value) is str else value for fact, value in fitting.items()}


PLAIN = (bool, int, float, str)


def _shown(text: str) -> str:
    """The text without lone surrogates, which cannot be sent to a page."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _write(patience: float = PATIENCE) -> None:
    """Write all waiting notes to the file. If that is impossible now, they go on waiting."""
    global _slow, _written
    if not _writing.acquire(timeout=patience):
        return
    try:
        file = _target()
        stored.make_folder(file.parent)
        if time.monotonic() - _written < 0.05:  # in a loop that writes, let other kernels write, too
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
                if _notes.get(key) == written:  # else there are newer facts
                    del _notes[key]
        if copy is not None:
            _tell(file, copy)
    except stored.CANNOT:
        pass
    finally:
        _writing.release()


def _later(seconds: float = 1.0) -> None:
    """Try again later if notes wait: after the reader's last answer, no other answer would trigger the write."""
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
    """Write the waiting notes when the kernel ends."""
    global _slow
    _slow = False
    if _notes:
        _write(5 * PATIENCE)

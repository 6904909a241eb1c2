"""What this reader has done: which exercises work, and what they answered before and after each lesson.

One small JSON file of the reader's own, on this machine alone: beside their other programs' data, or where
MINIGRAD_PROGRESS says. Where it can't be written the lessons go on and remember until the kernel ends. Nothing is
written before the reader has answered something. `viz.forget()` deletes it.
Imports the standard library alone. Read next: ask.py.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

_lock = threading.Lock()  # a button's message may come while a cell runs
_memory: dict[str, Any] = {}  # what could not be written


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
    """All that is known: {"exercises": {name: {"right": …, "tries": …, "hints": …}}, "questions": {…}}."""
    with _lock:
        return _read()


def note(part: str, name: str, **facts: Any) -> None:
    """Remember facts about an exercise or a question, over what was known of it."""
    with _lock:
        all_ = _read()
        all_.setdefault(part, {}).setdefault(name, {}).update(facts)
        _write(all_)


def forget() -> None:
    """Delete what is remembered of this reader: exercises done, and answers before and after the lessons."""
    with _lock:
        _memory.clear()
        with contextlib.suppress(OSError):
            place().unlink()


def _read() -> dict[str, dict[str, Any]]:
    if _memory:
        return json.loads(json.dumps(_memory))
    try:
        found = json.loads(place().read_text(encoding="utf-8"))
    except (OSError, ValueError, RuntimeError):  # not there, not readable, not JSON; or nobody's home
        return {}
    parts = found.items() if isinstance(found, dict) else ()
    return {
        part: {k: v for k, v in facts.items() if isinstance(v, dict)}
        for part, facts in parts
        if isinstance(facts, dict)
    }


def _write(all_: dict[str, Any]) -> None:
    """The whole file at once, or not at all: whoever reads meanwhile finds the old one."""
    _memory.clear()
    try:
        file = place()
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        number, written = tempfile.mkstemp(dir=file.parent, prefix=".progress-")  # readable for its owner only
        try:
            with os.fdopen(number, "w", encoding="utf-8") as stream:
                json.dump(all_, stream, indent=1, ensure_ascii=False)
            os.replace(written, file)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(written)
            raise
    except (OSError, RuntimeError):
        _memory.update(all_)

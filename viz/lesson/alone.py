"""`with alone(folder)`: one process at a time writes in the folder, and a process that hangs never stops a lesson.

It uses a lock of the operating system, on a small file that exists only meanwhile: the lock ends with the process that
has it, however that ends. Some network homes and a browser's storage have no such locks. There, creating the file is
the lock, and a file older than ten seconds counts as left behind by a kernel that was killed.
Imports browser.py. Read next: progress.py.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from ..browser import here

NAME = ".progress.lock"
STALE = 10.0  # seconds after which a file without a lock on it counts as left behind
HELD = (errno.EAGAIN, errno.EACCES, errno.EWOULDBLOCK, errno.EDEADLK, getattr(errno, "EDEADLOCK", errno.EDEADLK))

_waiting: tuple[object, float] | None = None  # the last seen file of another process, and the time of its first sight


@contextlib.contextmanager
def alone(folder: Path, patience: float) -> Iterator[bool]:
    """Yields whether this process has the folder to itself: False if another one still has it after `patience` s.

    Raises OSError if no file can be made in the folder.
    """
    path, until, pause = os.fspath(folder / NAME), time.monotonic() + patience, 0.001
    while (held := _taken(path)) is None and time.monotonic() < until:
        time.sleep(pause)
        pause = min(2 * pause, 0.005)
    try:
        yield held is not None
    finally:
        if held is not None:
            _release(path, held)


def _taken(path: str) -> int | None:
    """The number of the open file, if it is ours now; None if another process has it."""
    try:
        number = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except PermissionError:
        if os.name == "nt" and os.path.exists(path):  # another process is deleting it
            return None
        raise
    try:
        _lock(number)
        if os.name == "nt" or os.path.samestat(os.fstat(number), os.stat(path)):
            return number
    except FileNotFoundError:
        pass  # its last owner has deleted it: the next try makes a new file
    except (OSError, ImportError, AttributeError) as error:
        if getattr(error, "errno", None) not in HELD:
            os.close(number)
            return _created(f"{path}ed")
    os.close(number)
    return None


def _lock(number: int) -> None:
    """Lock an open file without waiting. Raises OSError if another process has locked it, or if there are no locks;
    ImportError or AttributeError if Python has none."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _created(path: str) -> int | None:
    """For systems without locks: the number of a file that this process has just created, else None."""
    global _waiting
    try:
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        with contextlib.suppress(FileNotFoundError):
            status = os.stat(path)
            seen = (path, status.st_ino, status.st_mtime_ns)
            if _waiting is None or _waiting[0] != seen:
                _waiting = (seen, time.monotonic())  # our own clock: a server's may differ
            elif time.monotonic() - _waiting[1] > STALE:
                os.unlink(path)
        return None


def _release(path: str, held: int) -> None:
    """Delete the file and end the lock."""
    late = os.name == "nt" or here()
    if not late:  # while it is locked: a process that waits for it then checks that the file is there
        for each in (path, f"{path}ed"):
            with contextlib.suppress(OSError):
                os.unlink(each)
    os.close(held)
    if late:  # Windows deletes no open file, even one opened by another process: then the file stays. A browser's
        # storage writes a file when it is closed, so a deleted one would come back.
        for each in (path, f"{path}ed"):
            with contextlib.suppress(OSError):
                os.unlink(each)

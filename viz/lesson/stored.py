"""The progress file on the disk: read whatever is there, write all of it at once, keep a copy of an unreadable file.

A file may come from a newer version, from an editor that added a byte order mark, or from a full disk. So reading takes
any encoding that JSON may have and never raises ValueError; parts that we do not know are written back
unchanged. Writing fills a new file beside it, which then replaces it: a crash leaves the old one whole.
Imports the standard library alone. Read next: alone.py.
"""

from __future__ import annotations

import contextlib
import errno
import filecmp
import json
import os
import re
import shutil
import stat
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CANNOT = (OSError, RuntimeError, ValueError)  # no file can be made there; the reader has no home; an invalid path
LARGEST = 4_000_000  # bytes; a full file has about 20,000
DEEPEST = 40  # levels of nesting; our own has three
NEW = ".progress.new"


@dataclass
class Found:
    """The content of a file."""

    content: dict[str, Any] = field(default_factory=dict)
    damaged: bool = False  # a part of it could not be read
    mode: int | None = None  # its permissions, if it is there


def read(file: Path) -> Found:
    """The content of the file; empty if it does not exist. Raises OSError if that cannot be found out now."""
    try:
        status = os.stat(file)
    except FileNotFoundError:
        return Found()
    if not stat.S_ISREG(status.st_mode):  # a folder, a pipe that would block, or /dev/null, which must not be replaced
        raise OSError(f"{file} is no file")
    mode = stat.S_IMODE(status.st_mode)
    if status.st_size > LARGEST:
        return Found(damaged=True, mode=mode)
    data = file.read_bytes()
    if not data.strip(b"\0\t\n\r "):  # a power failure leaves zeros
        return Found(mode=mode)
    content, whole = parsed(data)
    return Found(content, not whole, mode)


def parsed(data: bytes) -> tuple[dict[str, Any], bool]:
    """The JSON object in these bytes, {} if there is none; and whether nothing was lost."""
    whole = True

    def integer(digits: str) -> float:
        nonlocal whole
        if len(digits) <= 4000:
            return int(digits)
        whole = False  # Python converts no more digits to an integer
        return float(digits)

    try:
        try:
            found = json.loads(data, parse_int=integer)
        except UnicodeDecodeError:  # an editor saved it in an old encoding; names and numbers are ASCII
            whole = False
            found = json.loads(data.decode("latin-1"), parse_int=integer)
    except ValueError:
        return {}, False
    except RecursionError:
        if depth(data) > DEEPEST:
            return {}, False
        raise OSError("called too deep in a recursion to read a file") from None
    return (found, whole) if isinstance(found, dict) else ({}, False)


def depth(data: bytes) -> int:
    """The greatest nesting depth of the brackets."""
    most = now = 0
    for bracket in re.findall(rb"[][{}]", re.sub(rb'"(?:[^"\\]|\\.)*"', b"", data)):
        now += 1 if bracket in b"[{" else -1
        most = max(most, now)
    return most


def write(file: Path, found: Found, displaced: bool) -> Path | None:
    """Replace the file by `found.content`. If it is damaged, or something was `displaced`, a copy stays beside it,
    whose path is returned. Raises OSError if nothing can be written; then the file is unchanged."""
    data, complete = text_of(found.content)
    keep = found.mode is not None and (found.damaged or displaced or not complete)
    beside = file.with_name(NEW)
    if found.mode is not None and not os.access(file, os.W_OK):
        raise PermissionError(errno.EACCES, "the file is write-protected", str(file))
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        copy = copied(file) if keep else None  # only now, because the new file needs the disk's room first
        if found.mode is not None:
            with contextlib.suppress(OSError):
                os.chmod(beside, found.mode)
        replace(beside, file)
        return copy
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise


def text_of(content: dict[str, Any]) -> tuple[bytes, bool]:
    """`content` as JSON, and whether it is complete."""
    for options in ({"indent": 1, "ensure_ascii": False}, {"indent": 1}, {}):  # a lone surrogate needs ASCII …
        with contextlib.suppress(UnicodeEncodeError, RecursionError):  # … and a deep nesting, C's encoder
            return json.dumps(content, **options).encode("utf-8"), True  # type: ignore[arg-type]
    return json.dumps(cut(content, DEEPEST)).encode("ascii"), False


def cut(thing: Any, levels: int) -> Any:
    """Remove all values that are nested deeper than `levels`."""
    if isinstance(thing, dict):
        return {key: cut(value, levels - 1) for key, value in thing.items()} if levels else None
    if isinstance(thing, list):
        return [cut(value, levels - 1) for value in thing] if levels else None
    return thing


def copied(file: Path) -> Path:
    """A copy of the file beside it, with a name that says that it was damaged; an equal copy is used again."""
    for old in file.parent.glob("progress.damaged-*.json"):
        if filecmp.cmp(old, file, shallow=False):
            return old
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    for number in range(1000):
        copy = file.with_name(f"progress.damaged-{stamp}{f'-{number}' if number else ''}.json")
        if not os.path.lexists(copy):
            break
    try:
        os.link(file, copy)  # needs no room on the disk
    except OSError:
        shutil.copy2(file, copy)
    return copy


def replace(new: Path, file: Path) -> None:
    """Rename `new` to `file`."""
    for pause in (0.01, 0.02, 0.05, 0.1, 0.2, 0):
        try:
            os.replace(new, file)
            return
        except PermissionError:  # on Windows, while another program reads it
            if os.name != "nt" or not pause:
                raise
            time.sleep(pause)
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
            shutil.copyfile(new, file)  # a single file that is mounted into a container
            os.unlink(new)
            return


def make_folder(folder: Path) -> None:
    """Make the folder if it does not exist; only the reader may access it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def delete(file: Path) -> None:
    """Delete the file and all its copies, but no folder, pipe or device such as /dev/null."""
    for each in (file, file.with_name(NEW), *file.parent.glob("progress.damaged-*.json")):
        with contextlib.suppress(OSError):
            if stat.S_ISREG(os.lstat(each).st_mode):
                each.unlink()

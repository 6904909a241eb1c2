"""Run one notebook in a process of its own, with limits. A cell that ends it is left out, and the rest runs again.

    ran = rerun(cells, tried, limits)        what worker.py has reported, and what went wrong

This process believes nothing of what arrives but values (values.py). It ends the worker, with all processes of its
group, when a cell takes too long, when it reports too much, or when it stops without a word.
Imports the standard library alone. Read next: worker.py.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HOME = Path(__file__).parents[2]
START = 120.0  # seconds for the imports, on a busy machine
REPORTED = 64_000_000  # characters that a worker may report
STARTS = 4  # the first one, and three more without what has ended it
PASSED_ON = [
    "PATH",
    "SYSTEMROOT",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "LANG",
    "LC_ALL",
    "MINIGRAD_DOT",
    "MINIGRAD_LANG",
]


@dataclass(frozen=True)
class Limits:
    """seconds: for one cell, or for one answer. all: seconds for a notebook. memory: megabytes of address space."""

    seconds: float = 60.0
    all: float = 300.0
    memory: int = 4000
    network: bool = False


@dataclass
class Ran:
    """What came of a notebook. tried: what each attempt gave, by exercise. ended: {cell: why it ended the process}."""

    tried: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    looped: set[str] = field(default_factory=set)  # exercises whose answer had to be stopped from outside
    ended: dict[int, str] = field(default_factory=dict)
    errors: dict[int, str] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)
    unlimited: list[str] = field(default_factory=list)
    seconds: float = 0.0
    finished: bool = False


def rerun(
    cells: Sequence[Mapping[str, Any]],
    seeds: Mapping[str, int],
    allowed: Mapping[str, float],
    limits: Limits,
    folders: Sequence[str] = (),
) -> Ran:
    """Run the code cells, and try the answer to each exercise in `seeds`.

    cells: {"source": …, "asks": the exercises that this cell asks for}. seeds: what draws the points, by exercise.
    allowed: the seconds that an answer may compute, by exercise.
    """
    ran, start = Ran(), time.monotonic()
    skip: list[int] = []
    leave: list[str] = []
    for _ in range(STARTS):
        left = limits.all - (time.monotonic() - start)
        if left <= 0:
            break
        asked = {
            "cells": [{"source": cell["source"], "asks": list(cell["asks"])} for cell in cells],
            "seeds": dict(seeds),
            "seconds": dict(allowed),
            "skip": skip,
            "leave": leave,
            "memory": limits.memory,
            "cpu": int(limits.all) + 60,
            "network": limits.network,
            "folders": list(folders),
            "token": secrets.token_hex(16),
        }
        ran.tried.clear()
        ran.errors.clear()
        with tempfile.TemporaryDirectory(prefix="grading-", ignore_cleanup_errors=True) as folder:
            cell, name, why = _once(asked, folder, ran, limits, left)
        if not why:
            ran.finished = True
            break
        if name:
            leave.append(name)
            ran.looped.add(name)
        elif cell is not None:
            skip.append(cell)
            ran.ended[cell] = why
        else:
            ran.ended[-1] = why
            break
    ran.seconds = time.monotonic() - start
    return ran


def _once(asked: dict[str, Any], folder: str, ran: Ran, limits: Limits, left: float) -> tuple[int | None, str, str]:
    """One process. Returns the cell and the exercise at which it ended, and why; "" if it came to the end."""
    environ = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    environ |= {name: folder for name in ("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP", "IPYTHONDIR", "MPLCONFIGDIR")}
    environ |= {
        "PYTHONPATH": str(HOME),
        "PYTHONUTF8": "1",
        "MINIGRAD_PROGRESS": os.path.join(folder, "progress.json"),
        "MINIGRAD_SOLUTIONS": "off",
        "OPENBLAS_NUM_THREADS": "1",  # else it reserves memory for a thread on each core
        "OMP_NUM_THREADS": "1",
    }
    process = subprocess.Popen(
        [sys.executable, "-P", "-W", "ignore", "-m", "viz.grading.worker"],
        cwd=folder,
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    lines: queue.Queue[bytes | None] = queue.Queue()
    reader = threading.Thread(target=_read, args=(process.stdout, lines), daemon=True)
    reader.start()
    cell, name, ready = None, "", False
    end = time.monotonic() + left
    try:
        with contextlib.suppress(OSError):  # it has ended already
            assert process.stdin is not None
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            process.stdin.close()
        while True:
            wait = min(limits.seconds if ready else START, end - time.monotonic())
            try:
                line = lines.get(timeout=max(wait, 0.01))
            except queue.Empty:
                long = "takes longer than the notebook may" if time.monotonic() >= end else "does not end"
                return cell, name, f"{long} ({limits.all if time.monotonic() >= end else limits.seconds:g} s)"
            if line is None:
                return cell, name, "ends the process" if ready else "the process does not start"
            told = _message(line)
            if told.pop("token", "") != asked["token"]:
                continue  # written by the notebook, not by worker.py
            match told:
                case {"ready": list(cannot)}:
                    ready, ran.unlimited = True, [str(each)[:80] for each in cannot]
                case {"tried": str(tried), **facts} if tried in asked["seeds"]:
                    name = ""
                    if len(ran.tried.setdefault(tried, [])) < 20:
                        ran.tried[tried].append(facts)
                case {"cell": int(number)} if 0 <= number < len(asked["cells"]):
                    cell, name = number, ""
                case {"ran": int(number), "error": str(error)}:
                    name = ""
                    if error:
                        ran.errors[number] = error[:60]
                case {"trying": str(tried)} if tried in asked["seeds"]:
                    name = tried
                case {"done": True, "changed": list(changed)}:
                    ran.changed = [str(each)[:80] for each in changed]
                    return cell, "", ""
    finally:
        _end(process)


def _message(line: bytes) -> dict[str, Any]:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _read(stream: Any, lines: queue.Queue[bytes | None]) -> None:
    """Pass on the worker's lines, up to a limit."""
    left = REPORTED
    with contextlib.suppress(OSError, ValueError):
        while left > 0 and (line := stream.readline(left)):
            left -= len(line)
            lines.put(line)
    lines.put(None)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the worker and what it has started."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg") and hasattr(signal, "SIGKILL"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()

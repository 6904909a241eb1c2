"""The process that runs one notebook: `python -P -m viz.grading.worker`, started by rerun.py.

It reads what to do from its standard input, limits itself, runs the cells in IPython, and tries each answer at points
that the given seed draws. On its standard output it reports lines of JSON: which cell it begins, what an answer gave.
It judges nothing, and it knows no solution: the notebook's code could read and change everything in this process.

Limits, as far as the system has them: memory, processor time, size of files, and the network. On Linux the process gets
a network of its own with nothing in it; elsewhere, Python's sockets refuse to connect.
Imports viz.lesson; IPython. Read next: verdicts.py.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import sys
from collections.abc import Callable
from typing import Any

NEW_USER, NEW_NETWORK = 0x10000000, 0x40000000  # of Linux' unshare(2)


def main() -> None:
    asked = json.loads(sys.stdin.buffer.readline())
    report = _reporter(asked.pop("token"))
    limits = limited(asked["memory"], asked["cpu"], asked["network"])
    report(ready=limits)
    _run(asked, report)


def _reporter(token: str) -> Callable[..., None]:
    """A function that writes a line of JSON to what was the standard output; prints of the notebook go nowhere."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)

    def report(**facts: Any) -> None:
        out.write(json.dumps({**facts, "token": token}) + "\n")
        out.flush()

    return report


def limited(memory: int, cpu: int, network: bool) -> list[str]:
    """Limit this process: `memory` MB, `cpu` seconds. Returns what this system cannot limit."""
    cannot = []
    if not _limit(memory, cpu) or sys.platform == "darwin":  # macOS accepts the limit of memory and ignores it
        cannot.append("memory")
    if not network and not _offline():
        cannot.append("network of programs that the notebook starts")
        sys.addaudithook(_refuse)
    return cannot


def _limit(memory: int, cpu: int) -> bool:
    """Set the limits of memory, processor time and size of files. Returns whether the system has them."""
    if sys.platform == "win32":
        return False
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 5))
        resource.setrlimit(resource.RLIMIT_FSIZE, (200 << 20, 200 << 20))
        resource.setrlimit(resource.RLIMIT_AS, (memory << 20, memory << 20))
    except (ImportError, ValueError, OSError):
        return False
    return True


def _offline() -> bool:
    """Give this process and its children a network with nothing in it. Returns whether the system allows that."""
    if not sys.platform.startswith("linux"):
        return False
    user, group = os.getuid(), os.getgid()
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(NEW_USER | NEW_NETWORK) == 0:
            with contextlib.suppress(OSError):  # keep our names; without these lines, files belong to nobody
                for file, text in (
                    ("setgroups", "deny"),
                    ("uid_map", f"{user} {user} 1"),
                    ("gid_map", f"{group} {group} 1"),
                ):
                    with open(f"/proc/self/{file}", "w", encoding="ascii") as written:
                        written.write(text)
            return True
        return libc.unshare(NEW_NETWORK) == 0
    except (OSError, AttributeError):
        return False


def _refuse(event: str, _arguments: Any) -> None:
    """An audit hook, which no Python code can remove."""
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname"):
        raise PermissionError("a notebook that is graded has no network")


def _run(asked: dict[str, Any], report: Callable[..., None]) -> None:
    import viz
    from viz.lesson.exercise import NOTHING, Exercise
    from viz.lesson.trial import library_in

    if asked["folders"]:
        loaded = [viz.exercises(folder) for folder in asked["folders"]]
        # A student's notebook says where the exercises were on the student's machine, such as `viz.exercises(".")`
        viz.exercises = lambda *_folder: loaded[-1]
    tries = _Tries(asked, report)
    given: list[tuple[str, Any, Any]] = []
    real = Exercise.check

    def check(self: Any, answer: Any = NOTHING) -> Any:
        library = library_in(sys._getframe(1).f_globals)
        self._library = library or self._library
        if answer is not NOTHING:
            given.append((self.task.name, answer, library))
        return real(self, answer)

    Exercise.check = check  # type: ignore[method-assign]
    ours = parts()
    shell = _shell()
    for number, cell in enumerate(asked["cells"]):
        if number in asked["skip"]:
            continue
        report(cell=number)
        before = dict(shell.user_ns)
        result = shell.run_cell(cell["source"], store_history=False)
        error = result.error_before_exec or result.error_in_exec
        report(ran=number, error=type(error).__name__ if error is not None else "")
        tried = {name for name, *_ in given}
        for name in cell["asks"]:  # `viz` may be another thing now: then its names tell what was written
            wants = tries.wants(name)
            if name not in tried and wants in shell.user_ns and shell.user_ns[wants] is not before.get(wants, before):
                given.append((name, shell.user_ns[wants], library_in(shell.user_ns)))
        for name, answer, library in given:
            tries.attempt(name, answer, library, number)
        given.clear()
    now = parts()
    changed = [name for name, each in ours.items() if now[name] is not each]
    if shell.user_ns.get("viz", viz) is not viz:
        changed.append("the name viz")
    report(done=True, changed=changed)
    os._exit(0)  # threads and exit handlers of the notebook may wait for ever


def parts() -> dict[str, Any]:
    """The functions that a forger would replace."""
    import viz
    from viz.lesson import exercise, progress, trial

    return {
        "viz.exercise": getattr(viz, "exercise", None),
        "Exercise.check": exercise.Exercise.check,
        "exercise.judge": exercise.judge,
        "trial.judge": trial.judge,
        "progress.note": progress.note,
    }


def _shell() -> Any:
    """An IPython that shows nothing and keeps no history."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    shell: Any = InteractiveShell.instance(config=config)
    shell.display_formatter.format = lambda *_a, **_k: ({}, {})
    shell.showtraceback = lambda *_a, **_k: None
    sys.path.append("")  # last, so that a file of the student hides no library
    return shell


class _Tries:
    """Tries answers, and reports what they gave."""

    def __init__(self, asked: dict[str, Any], report: Callable[..., None]):
        from viz.lesson.exercises import find
        from viz.lesson.task import TASKS

        self.asked, self.report = asked, report
        self.tasks = {name: TASKS.get(name) or find(name) for name in asked["seeds"]}
        self._wants = {name: task.wants for name, task in self.tasks.items() if task is not None}

    def wants(self, name: str) -> str:
        return self._wants.get(name, "")

    def attempt(self, name: str, given: Any, library: Any, cell: int) -> None:
        from viz.lesson.trial import _Judging, library_of, untouched

        from .values import TooLarge, encoded

        task = self.tasks.get(name)
        if task is None or name in self.asked["leave"]:
            return
        self.report(trying=name)
        if task.kind == "order":
            self.report(tried=name, cell=cell, rows=str(given)[:200])
            return
        if untouched(task, given):
            self.report(tried=name, cell=cell, untried=True)
            return
        minigrad = sys.modules["minigrad"]
        judging = _Judging(task, library_of(given) or library or minigrad, "en", self.asked["seconds"][name])
        judging.seed = self.asked["seeds"][name]
        facts: dict[str, Any] = {"outcomes": [], "ours": _ours(given)}
        for outcome in judging.run(given):
            told: dict[str, Any] = {"error": type(outcome.error).__name__ if outcome.error is not None else ""}
            if outcome.error is None:
                try:
                    told |= {"value": encoded(outcome.value), "arguments": encoded(outcome.arguments)}
                except TooLarge:
                    told["error"] = "TooLarge"
            facts["outcomes"].append(told)
        failed = judging.verified(given) if not any(each["error"] for each in facts["outcomes"]) else None
        self.report(tried=name, cell=cell, verified=failed[0] if failed else "", **facts)


def _ours(given: Any) -> bool:
    """Whether this is a solution that `or_ours` has run."""
    from viz.lesson.exercise import made_here

    return made_here(given)


if __name__ == "__main__":
    main()

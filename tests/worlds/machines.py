"""The worlds that differ by where the course lies, who runs it, and what else the machine does.

Read next: windows.py.
"""

import os
import stat
import subprocess
import sys

from .world import Absent, Start, world


@world
def foreign_path(start: Start) -> None:
    """The course lies in a folder named `my course 中文 #1 [a] 100%`."""
    start.copy("my course 中文 #1 [a] 100%")


FAST_PATH = {  # file: why it is deleted
    "minigrad/_call/fast.py": "the fast path of one operator",
    "minigrad/_call/fast_several.py": "the fast path of several operators in a row",
    "tests/test_fast.py": "it compares the fast path with the path through core/record.py",
}


@world
def fast_path_deleted(start: Start) -> None:
    """The fast path's two files are deleted, with their test and their names in the map; the whole fast tier runs."""
    start.tests = []
    start.options += ["--numprocesses=auto", "--dist=loadfile"]
    root = start.copy()
    for name in FAST_PATH:
        (root / name).unlink()
    map_of_tests = root / "tests" / "README.md"
    lines = map_of_tests.read_text("utf-8").replace("`minigrad/_call/fast.py` `minigrad/_call/fast_several.py` ", "")
    map_of_tests.write_text(lines.replace("`test_fast.py` ", ""), encoding="utf-8")
    start.environ.pop("MINIGRAD_FAST", None)


@world
def settings_above(start: Start) -> None:
    """The folder above the course has a `pytest.ini`, a `conftest.py`, a `setup.cfg` and a `matplotlibrc`."""
    start.copy("above/course")
    start.write("above/pytest.ini", "[pytest]\naddopts = --no-such-option\n")
    start.write("above/conftest.py", "raise RuntimeError('this file belongs to another project')\n")
    start.write("above/setup.cfg", "[tool:pytest]\naddopts = --no-such-option\n")
    start.write("above/matplotlibrc", "figure.dpi: 37\n")


@world
def another_user(start: Start) -> None:
    """A user without a name, a home folder or a group runs a copy (needs root)."""
    as_another_user(start)
    for folder, _, files in os.walk(start.copy()):
        os.chown(folder, 12345, 12345)
        for file in files:
            os.chown(os.path.join(folder, file), 12345, 12345)


@world
def read_only(start: Start) -> None:
    """Nothing can be written beside the course's files (needs root, to run as a user who may not)."""
    as_another_user(start)
    for folder, _, files in os.walk(start.copy()):
        os.chmod(folder, 0o555)
        for file in files:
            path = os.path.join(folder, file)
            os.chmod(path, os.stat(path).st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
    start.environ["PYTHONDONTWRITEBYTECODE"] = ""
    start.options = ["-p", "no:randomly"]  # pytest may try to write its cache


def as_another_user(start: Start) -> None:
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        raise Absent("only root can become another user")
    try:
        child = "import subprocess, sys; subprocess.run([sys.executable, '-c', ''], check=True)"  # as tests do
        told = ["setpriv", "--reuid=12345", "--regid=12345", "--clear-groups", start.python, "-c", child]
        subprocess.run(told, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        raise Absent(f"another user may not run {start.python}") from None
    start.before = told[:4]
    start.folder.chmod(0o755)
    start.environ.pop("HOME", None)


@world
def busy(start: Start) -> None:
    """Four other processes keep the processors busy."""
    for _ in range(4):
        loop = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        start.afterwards.callback(loop.wait)
        start.afterwards.callback(loop.kill)


IGNORING = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])
"""


@world
def ignored_interrupts(start: Start) -> None:
    """Ctrl-C is ignored, as nohup, cron and a shell's `&` leave it, and each program hands that on."""
    if os.name != "posix":
        raise Absent("there, a program can't hand that on")
    start.before = [start.python, "-c", IGNORING]


@world
def long_path(start: Start) -> None:
    """Temporary files have paths of more than 260 letters."""
    folder = start.folder.joinpath(*["a-folder-whose-name-has-forty-letters-in-it"] * 6)
    folder.mkdir(parents=True)
    start.environ |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))

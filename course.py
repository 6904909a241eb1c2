#!/usr/bin/env python3
"""The course's commands. They need only Python 3.11 or newer with pip, and install the rest.

    python3 course.py lab             open the lessons in JupyterLab
    python3 course.py test            run the fast tests
    python3 course.py site            build the site, static pages, into build/site
    python3 course.py update          get the newest version, and keep what you wrote in the lessons
    python3 course.py hand-in NAME    pack your notebooks and answers into NAME.zip, for your teacher
    python3 course.py grade FOLDER    run students' notebooks again, and write a table
    python3 course.py address         where this project is published; `address OWNER/REPO` changes it

On Windows: `py course.py lab`. Arguments after `lab`, `test` or `site` are passed on to JupyterLab, pytest or
site/build.py, as in `python3 course.py lab --no-browser` or `python3 course.py test -k relu`.

The commands use a virtual environment of their own, the folder `.venv` beside this file (or the one that
MINIGRAD_VENV names), and change no other Python. The first start fills it; later starts reuse it and
install again only when pyproject.toml has changed. To start afresh, delete the folder.

Imports the standard library alone, in a syntax that old Pythons can parse, so that they can print their error message.
"""
# ruff: noqa: E402  (the code between the imports must run before the next import)

import os
import sys

# The folders of PYTHONPATH belong to other programs: a random.py there would hide the standard library's.
FOREIGN = os.environ.get("PYTHONPATH", "").split(os.pathsep) if __name__ == "__main__" else []
sys.path[:] = [folder for folder in sys.path if folder not in map(os.path.abspath, FOREIGN)]

import platform

if sys.version_info < (3, 11):  # noqa: UP036  (this line is for those who do not have it)
    sys.exit(f"minigrad needs Python 3.11 or newer, and {sys.executable} is Python {platform.python_version()}.")

import contextlib
import errno
import hashlib
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).resolve().parent
VENV = Path(os.environ.get("MINIGRAD_VENV") or ROOT / ".venv").absolute()
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

# The reader's environment. `lab` passes all of it on (proxy, language, display, Jupyter settings) except these:
NOT_FOR_LAB = {
    "VIRTUAL_ENV": "IPython would put that environment's packages before ours",
    "PYTHON*": "made for other programs: folders to import from, warnings as errors, a start file; but see KEPT",
    "__PYVENV_LAUNCHER__": "macOS: it would tell our Python that it is another one",
    "JUPYTER_PATH": "its kernel `python3` would come before ours, in a Python that lacks minigrad",
    "JUPYTER_PREFER_ENV_PATH": "so would that of the reader's own Jupyter folder",
    "JUPYTERLAB_DIR": "the pages of another JupyterLab version",
    "MPLBACKEND": "set by PyCharm and by other notebooks: the lessons draw into the page",
}
# `test` passes on only these (tox's list of those that are needed), so that every machine runs the same tests:
FOR_TESTS = """
    PATH PATHEXT COMSPEC SYSTEMROOT SYSTEMDRIVE WINDIR NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE MSYSTEM
    LD_LIBRARY_PATH DYLD_LIBRARY_PATH NIX_LD NIX_LD_LIBRARY_PATH
    HOME USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES USER USERNAME LOGNAME TMPDIR TEMP TMP
    LANG LANGUAGE LC_* TZ TERM TERMINFO COLUMNS NO_COLOR FORCE_COLOR CI MINIGRAD_*
""".split()
# Both pass these on: they set how Python writes to a terminal, and where compiled files go. They change no result.
KEPT = {"PYTHONUTF8", "PYTHONIOENCODING", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"}
# pip gets the same as `lab`, without the settings that would install into another folder than our environment.
NOT_FOR_PIP = ["PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER", "PIP_REQUIRE_VIRTUALENV"]


def main(arguments: list[str]) -> int:
    """Run the command that `arguments` names, and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # the console may lack letters of the folder's name
    if arguments and arguments[0] in ("address", "update"):  # they need nothing that is installed
        return subprocess.call([sys.executable, ROOT / ".ci" / f"{arguments[0]}.py", *arguments[1:]])
    if not arguments or arguments[0] not in COMMANDS:
        print(__doc__)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    command, *rest = arguments
    extra, run = COMMANDS[command]
    prepare(extra)
    return run(rest)


def open_lab(arguments: list[str]) -> int:
    """Open JupyterLab on the lessons and stay until it is shut down."""
    lessons = sorted(ROOT.glob("notebooks/[0-9][0-9]_*.ipynb"))
    # A notebook that was run elsewhere hides its pictures until it is trusted. These notebooks are the course's own.
    if not succeeds([PYTHON, "-m", "nbformat.sign", *lessons]):
        say("Jupyter could not mark the lessons as trusted: stored pictures show once you run the cells")
    for file in sorted(ROOT.glob("notebooks/*")):
        if file.stem in ("minigrad", "viz") and (file.is_dir() or file.suffix == ".py"):
            print(f"Your file {file} hides the package {file.stem} from the lessons: rename it.", flush=True)
    say("Opening JupyterLab; leave it with File > Shut Down, or with Ctrl-C here")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments = ["--allow-root", *arguments]  # in a container everyone is root, and JupyterLab would refuse
    start = f"--LabApp.default_url=/lab/tree/{lessons[0].name}"  # the start page
    return hand_over([PYTHON, "-m", "jupyterlab", ROOT / "notebooks", start, *arguments], for_lab())


def run_tests(arguments: list[str]) -> int:
    """Run the fast tier: unit tests, the examples in the documentation, the notebooks."""
    say("Running the fast tests")
    # Each file stays on one worker, because a notebook's cells share a kernel.
    return hand_over([PYTHON, "-m", "pytest", "--numprocesses=auto", "--dist=loadfile", *arguments], for_tests())


def build_site(arguments: list[str]) -> int:
    """Build the site."""
    say("Building the site")
    return hand_over([PYTHON, ROOT / "site" / "build.py", *arguments], for_lab(), Path.cwd())


def grade(arguments: list[str]) -> int:
    """Run students' notebooks again, and write a table: see viz/grading."""
    return hand_over([PYTHON, "-m", "viz.grading", *arguments], for_lab(), Path.cwd())


def hand_in(arguments: list[str]) -> int:
    """Pack the reader's notebooks and progress file into one file for their teacher."""
    return hand_over([PYTHON, "-m", "viz.grading.pack", *arguments], for_lab(), ROOT / "notebooks")


# What each command needs (an extra of pyproject.toml), and its function
COMMANDS = {"lab": ("lab", open_lab), "test": ("test", run_tests), "site": ("site", build_site)}
COMMANDS |= {"grade": ("lab", grade), "hand-in": ("lab", hand_in)}


def for_lab() -> dict[str, str]:
    """The environment for JupyterLab, its kernels and the site: the reader's, as if our environment were activated."""
    environ = {name: value for name, value in os.environ.items() if name in KEPT or not listed(name, NOT_FOR_LAB)}
    environ["PATH"] = os.pathsep.join([str(PYTHON.parent), environ.get("PATH", os.defpath)])
    return environ | {"VIRTUAL_ENV": str(VENV)}


def for_tests() -> dict[str, str]:
    """The environment for pytest."""
    return {name: value for name, value in for_lab().items() if name in KEPT or listed(name, FOR_TESTS)}


def for_pip() -> dict[str, str]:
    """The environment for pip and venv."""
    environ = {name: value for name, value in for_lab().items() if not listed(name, NOT_FOR_PIP)}
    return environ | {"PIP_USER": "0"}  # this also overrides pip's settings file


def listed(name: str, patterns: Iterable[str]) -> bool:
    """Does one of the patterns match this variable? `*` matches any ending. Windows has variable names in capitals."""
    return any(fnmatchcase(name.upper() if os.name == "nt" else name, pattern) for pattern in patterns)


def prepare(extra: str) -> None:
    """Make sure that the virtual environment exists and contains minigrad with this extra of pyproject.toml."""
    stamp = VENV / f"installed-{extra}"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + bytes(ROOT)).hexdigest()
    with alone():  # a second start waits for the first one, and finds its work done
        if not (PYTHON.exists() and succeeds([PYTHON, "-c", "import pip, sys; sys.exit(sys.version_info < (3, 11))"])):
            make_environment()
        if stamp.exists() and stamp.read_text(encoding="ascii") == wanted:
            return
        say(f"Installing what `{extra}` needs into it; once, it takes a minute or two")
        pip = [PYTHON, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]  # -qq: errors, but no warnings
        if subprocess.call([*pip, "--editable", f"{ROOT}[{extra}]"], env=for_pip()):
            sys.exit(
                "pip could not install them; its message is above. Check the network connection, then run this again."
            )
        stamp.write_text(wanted, encoding="ascii")


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """While this lasts, no other course.py prepares the same environment. The lock ends with its process."""
    name = f"minigrad-{hashlib.sha256(bytes(VENV)).hexdigest()[:16]}.lock"
    try:
        file = open(Path(tempfile.gettempdir()) / name, "a", encoding="ascii")
    except OSError:  # another user's, or nothing can be written there: then do without
        yield
        return
    with file:
        if not locked(file):
            say("Waiting for another start of course.py, which prepares the same environment")
            while not locked(file):
                time.sleep(0.2)
        yield


def locked(file: TextIO) -> bool:
    """Lock a file that no other process has locked; returns whether that worked."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # a system with neither kind of lock: go on
        return True
    except OSError as error:
        return error.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK)  # a file system without locks: go on
    return True


def make_environment() -> None:
    """Make the virtual environment with pip in it, even where the system's Python lacks a part of venv."""
    files = VENV.exists() and any(path.is_file() for path in VENV.rglob("*"))  # none: its making was interrupted
    if files and not (VENV / "pyvenv.cfg").exists():
        sys.exit(f"{VENV} is no virtual environment; move it away, or name another folder in MINIGRAD_VENV.")
    try:
        VENV.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=VENV).close()
    except OSError as error:
        sys.exit(
            f"{VENV} can't be written ({error.strerror}); name a folder of yours in MINIGRAD_VENV and run this again."
        )
    say(f"Making a virtual environment in {VENV}")
    if succeeds([sys.executable, "-m", "venv", "--clear", VENV]):
        return
    # Debian and Ubuntu ship a part of venv in a separate package. virtualenv does the same work, and even an
    # externally managed Python allows pip to install it into a separate folder.
    with tempfile.TemporaryDirectory() as folder:
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, "virtualenv"]
        environ = {"PYTHONPATH": folder, "VIRTUALENV_OVERRIDE_APP_DATA": folder}
        if succeeds(install) and succeeds([sys.executable, "-m", "virtualenv", "--clear", VENV], environ):
            return
    sys.exit(
        f"{sys.executable} can't create a virtual environment, because it lacks venv, and pip could not install "
        "virtualenv: on Debian or Ubuntu, run `sudo apt install python3-venv`; elsewhere, use python.org's Python."
    )


def say(line: str) -> None:
    print(f"-> {line} ...", flush=True)


def succeeds(command: list, environ: dict[str, str] | None = None) -> bool:
    """Run a command without output, and return whether it succeeded."""
    environ = for_pip() | (environ or {})
    result = subprocess.run(command, env=environ, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return result.returncode == 0


def hand_over(command: list, environ: dict[str, str], folder: Path = ROOT) -> int:
    """Run the last command in the foreground. It handles Ctrl-C itself: JupyterLab asks before it stops."""
    # Lessons multiply small matrices: one thread is as fast, and two threads on a busy core are ten times slower.
    environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    signal.signal(signal.SIGINT, lambda *_: None)  # not SIG_IGN, because the command would inherit that
    return subprocess.call(command, cwd=folder, env=environ)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("\nStopped. Run the command again to go on.")

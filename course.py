#!/usr/bin/env python3
"""The course's commands. They need only Python 3.11 or newer with pip, and install the rest.

    python3 course.py lab     open the lessons in JupyterLab
    python3 course.py test    run the fast tests
    python3 course.py site    build the site, static pages, into build/site

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

import hashlib
import signal
import subprocess
import tempfile
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

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
    if arguments and arguments[0] == "address":  # needs nothing that is installed
        return subprocess.call([sys.executable, ROOT / ".ci" / "address.py", *arguments[1:]])
    commands = {"lab": open_lab, "test": run_tests, "site": build_site}
    if not arguments or arguments[0] not in commands:
        print(__doc__)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    command, *rest = arguments
    prepare(command)
    return commands[command](rest)


def open_lab(arguments: list[str]) -> int:
    """Open JupyterLab on the lessons and stay until it is shut down."""
    lessons = sorted(ROOT.glob("notebooks/[0-9][0-9]_*.ipynb"))
    # A notebook that was run elsewhere hides its pictures until it is trusted. These notebooks are the course's own.
    if not succeeds([PYTHON, "-m", "nbformat.sign", *lessons]):
        say("Jupyter could not mark the lessons as trusted: stored pictures show once you run the cells")
    for file in sorted(ROOT.glob("notebooks/*.py")):
        if file.stem in ("minigrad", "viz"):
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
    runs = [PYTHON, "-c", "import pip, sys; sys.exit(sys.version_info < (3, 11))"]
    if not (PYTHON.exists() and succeeds(runs)):
        make_environment()
    stamp = VENV / f"installed-{extra}"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + bytes(ROOT)).hexdigest()
    if stamp.exists() and stamp.read_text(encoding="ascii") == wanted:
        return
    say(f"Installing what `{extra}` needs into it; once, it takes a minute or two")
    pip = [PYTHON, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]  # -qq: errors, but no warnings
    if subprocess.call([*pip, "--editable", f"{ROOT}[{extra}]"], env=for_pip()):
        sys.exit("pip could not install them; its message is above. Check the network connection, then run this again.")
    stamp.write_text(wanted, encoding="ascii")


def make_environment() -> None:
    """Make the virtual environment with pip in it, even where the system's Python lacks a part of venv."""
    if VENV.exists() and any(VENV.iterdir()) and not (VENV / "pyvenv.cfg").exists():
        sys.exit(f"{VENV} is no virtual environment; move it away, or name another folder in MINIGRAD_VENV.")
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
        f"{sys.executable} can't create a virtual environment: it lacks venv, and pip could not install virtualenv.\n"
        "On Debian or Ubuntu, `sudo apt install python3-venv` fixes this; elsewhere, install Python from python.org."
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

#!/usr/bin/env python3
"""The course's two commands. All they need is Python 3.11 or newer with pip; they bring the rest.

    python3 course.py lab     open the lessons in JupyterLab
    python3 course.py test    run the fast tests

On Windows: `py course.py lab`. What stands after `lab` or `test` is handed on to JupyterLab or pytest,
as in `python3 course.py lab --no-browser` or `python3 course.py test -k relu`.

Both keep to a virtual environment of their own, the folder `.venv` beside this file (or the one that
MINIGRAD_VENV names), and touch no other Python. The first start fills it; later ones find it ready and
install again only when pyproject.toml has changed. To start afresh, delete the folder.

Imports the standard library alone, in a syntax that old Pythons can read, so that they can say so.
"""

import platform
import sys

if sys.version_info < (3, 11):  # noqa: UP036  (this line is for those who do not have it)
    sys.exit(f"minigrad needs Python 3.11 or newer, and {sys.executable} is Python {platform.python_version()}.")

import hashlib
import os
import signal
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = Path(os.environ.get("MINIGRAD_VENV") or ROOT / ".venv").absolute()
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def main(arguments: list[str]) -> int:
    """Run the command that `arguments` asks for, and give its exit status."""
    if not arguments or arguments[0] not in ("lab", "test"):
        print(__doc__)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    command, *rest = arguments
    prepare(command)
    return open_lab(rest) if command == "lab" else run_tests(rest)


def open_lab(arguments: list[str]) -> int:
    """Open JupyterLab on the lessons and stay until it is shut down."""
    lessons = sorted(ROOT.glob("notebooks/[0-9][0-9]_*.ipynb"))
    # A notebook that was run elsewhere hides its pictures until it is trusted. These are the course's own.
    if not succeeds([PYTHON, "-m", "nbformat.sign", *lessons]):
        say("Jupyter could not mark the lessons as trusted: stored pictures show once you run the cells")
    for file in sorted(ROOT.glob("notebooks/*.py")):
        if file.stem in ("minigrad", "viz"):
            print(f"Your file {file} hides the package {file.stem} from the lessons: rename it.", flush=True)
    say("Opening JupyterLab; leave it with File > Shut Down, or with Ctrl-C here")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments = ["--allow-root", *arguments]  # in a container everyone is root, and JupyterLab would refuse
    start = f"--LabApp.default_url=/lab/tree/{lessons[0].name}"  # the start page
    return hand_over([PYTHON, "-m", "jupyterlab", ROOT / "notebooks", start, *arguments])


def run_tests(arguments: list[str]) -> int:
    """Run the fast tier: unit tests, the examples in the documentation, the notebooks."""
    say("Running the fast tests")
    # One file, one worker: a notebook's cells share a kernel.
    return hand_over([PYTHON, "-m", "pytest", "--numprocesses=auto", "--dist=loadfile", *arguments])


def prepare(extra: str) -> None:
    """See to it that the virtual environment is there and holds minigrad with this extra of pyproject.toml."""
    runs = [PYTHON, "-c", "import pip, sys; sys.exit(sys.version_info < (3, 11))"]
    if not (PYTHON.exists() and succeeds(runs)):
        make_environment()
    stamp = VENV / f"installed-{extra}"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + bytes(ROOT)).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    say(f"Installing what `{extra}` needs into it; once, it takes a minute or two")
    pip = [PYTHON, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]  # -qq: errors, but no warnings
    if subprocess.call([*pip, "--editable", f"{ROOT}[{extra}]"]):
        sys.exit("pip could not install them; its reason stands above. Is the network there? Then run this again.")
    stamp.write_text(wanted)


def make_environment() -> None:
    """Make the virtual environment, with pip in it, whatever the system's Python leaves out."""
    if VENV.exists() and any(VENV.iterdir()) and not (VENV / "pyvenv.cfg").exists():
        sys.exit(f"{VENV} is no virtual environment; move it away, or name another folder in MINIGRAD_VENV.")
    say(f"Making a virtual environment in {VENV}")
    if succeeds([sys.executable, "-m", "venv", "--clear", VENV]):
        return
    # Debian and Ubuntu keep a part of venv in a package of its own. virtualenv does the same work, and putting it
    # into a folder of its own is what even an externally managed Python allows.
    with tempfile.TemporaryDirectory() as folder:
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, "virtualenv"]
        environ = {"PYTHONPATH": folder, "VIRTUALENV_OVERRIDE_APP_DATA": folder}
        if succeeds(install) and succeeds([sys.executable, "-m", "virtualenv", "--clear", VENV], environ):
            return
    sys.exit(
        f"{sys.executable} can make no virtual environment: it lacks venv, and pip could not bring virtualenv.\n"
        "On Debian or Ubuntu, `sudo apt install python3-venv` mends this; elsewhere, install Python from python.org."
    )


def say(line: str) -> None:
    print(f"-> {line} ...", flush=True)


def succeeds(command: list, environ: dict[str, str] | None = None) -> bool:
    """Run a command without a word, and tell whether it went well."""
    environ = {**os.environ, **(environ or {})}
    result = subprocess.run(command, env=environ, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return result.returncode == 0


def hand_over(command: list) -> int:
    """Run the last command in the foreground. Ctrl-C is its own to deal with: JupyterLab asks before it stops."""
    # Lessons multiply small matrices: one thread is as fast, and two that wait for a busy core are ten times slower.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    signal.signal(signal.SIGINT, lambda *_: None)  # a handler, for what is merely ignored would be so in the command
    return subprocess.call(command, cwd=ROOT)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("\nStopped. Run the command again to go on.")

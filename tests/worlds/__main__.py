"""The command: `python -m tests.worlds`. What it does stands in __init__.py."""

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from . import browsers, environments, machines, windows
from .world import ROOT, WORLDS, Absent, Start, what

# The tests that feel their surroundings: they start kernels and programs, read files, print, or measure themselves
FEEL = """
    notebooks/01_graph.ipynb README.md tests/test_course.py tests/test_import.py tests/test_errors.py
    tests/test_names.py tests/test_data.py tests/test_map.py tests/test_goldens.py tests/test_lesson_course.py
    tests/test_viz_live_alone.py tests/test_serialization.py tests/semantics/test_warnings_once.py
""".split()
INSIDE = "MINIGRAD_WORLD"  # set while a world's tests run


def main() -> int:
    told = argparse.ArgumentParser(prog="python -m tests.worlds", description="Run the tests in other surroundings.")
    told.add_argument("worlds", nargs="*", metavar="NAME", help="worlds, or `all`; without a name they are listed")
    told.add_argument("--tests", nargs="+", help="the tests to run, instead of those that feel a world")
    told.add_argument("--whole", action="store_true", help="run the whole fast tier")
    told.add_argument("--python", default=sys.executable, help="the interpreter that runs them")
    given = told.parse_args()
    if not given.worlds:
        for name in WORLDS:
            print(f"{name:22} {what(name)}")
        return 0
    names = list(WORLDS) if given.worlds == ["all"] else given.worlds
    if lost := [name for name in names if name not in WORLDS]:
        told.error(f"there is no world {', '.join(lost)}; without a name, the worlds are listed")
    tests = [] if given.whole else given.tests  # None: the world chooses
    rows = [row(name, given.python, tests, chosen(given)) for name in names]
    print("\n| world | what it changes | on | tests | command |\n| --- | --- | --- | --- | --- |")
    print(*("| " + " | ".join(each) + " |" for each in rows), sep="\n")
    return int(any("failed" in each[3] or "error" in each[3] for each in rows))


def chosen(given: argparse.Namespace) -> str:
    """The options of this call, for the table's commands."""
    options = " --whole" if given.whole else f" --tests {' '.join(given.tests)}" if given.tests else ""
    return options if given.python == sys.executable else f"{options} --python {given.python}"


def row(name: str, python: str, tests: list[str] | None, options: str) -> list[str]:
    """Run the tests in one world."""
    print(f"=== {name}: {what(name)}", flush=True)
    return [name, what(name), machine(python), run(name, python, tests), f"`python -m tests.worlds {name}{options}`"]


def run(name: str, python: str, tests: list[str] | None) -> str:
    """What pytest says at its end, or why it did not run."""
    with tempfile.TemporaryDirectory(prefix="minigrad-world-", ignore_cleanup_errors=True) as folder:
        start = Start(Path(folder).resolve(), python)
        start.environ |= {INSIDE: name}
        try:
            WORLDS[name](start)
        except Absent as reason:
            return f"not run: {reason}"
        if tests is None:
            tests = FEEL if start.tests is None else start.tests
        start.environ.setdefault("PYTHONPATH", "")
        folders = [str(start.root), *start.environ["PYTHONPATH"].split(os.pathsep)]
        if start.root != ROOT:
            folders = [each for each in folders if each != str(ROOT)]
        start.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(filter(None, folders)))
        began = time.monotonic()
        with start.afterwards:
            done = subprocess.run(
                start.command(tests), cwd=start.root, env=start.environ, stdin=subprocess.DEVNULL, capture_output=True
            )
    said = re.sub("\x1b\\[[0-9;]*m", "", (done.stdout + done.stderr).decode("utf-8", "replace"))
    if start.says:
        refused = done.returncode and start.says in said
        return f"refused: “… {start.says} …”" if refused else "failed: the sentence that it ends with is missing"
    ended = re.findall(r"^=* ?((?:no tests|\d+ \w+).* in [\d.]+s)", said, re.MULTILINE)
    if done.returncode or not ended:
        print(said[-6000:], flush=True)
    verdict = re.sub(r" in [\d.]+s.*", "", ended[-1]) if ended else f"failed: pytest ended with {done.returncode}"
    print(f"=== {name}: {verdict}, {time.monotonic() - began:.0f} s", flush=True)
    return verdict


def machine(python: str) -> str:
    """Which Python, NumPy and system this is."""
    code = "import platform, numpy; print('Python', platform.python_version() + ', NumPy', numpy.__version__)"
    versions = subprocess.run([python, "-c", code], capture_output=True, encoding="utf-8", check=True).stdout.strip()
    return f"{versions}, {platform.system()}"


if __name__ == "__main__":
    assert browsers and environments and machines and windows  # importing them has entered their worlds
    sys.exit(main())

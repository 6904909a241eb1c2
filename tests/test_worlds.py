"""`python -m tests.worlds` in short: the worlds can be made, and some run a few tests."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from worlds import browsers, environments, machines, windows
from worlds.world import WORLDS, Absent, Start, what

ROOT = Path(__file__).parent.parent
FEW = ["tests/test_course.py", "README.md"]


def command(*arguments):
    told = [sys.executable, "-m", "tests.worlds", *arguments]
    return subprocess.run(told, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)


def test_without_a_name_every_world_is_listed_with_what_it_changes():
    assert browsers and environments and machines and windows
    listed = command().stdout
    for name in WORLDS:
        assert what(name) and f"{name} " in listed and what(name) in listed


@pytest.mark.parametrize(
    "name", [name for name in WORLDS if name not in ("busy", "crlf", "foreign-path", "read-only", "fast-path-deleted")]
)
def test_it_changes_what_it_is_given_and_not_this_process(name, tmp_path, monkeypatch):
    start = Start(tmp_path, sys.executable)
    before = start.environ.copy()
    if name in ("settings-above", "another-user"):
        monkeypatch.setattr(Start, "copy", lambda start, name="": start.folder)
    try:
        WORLDS[name](start)
    except Absent as reason:
        pytest.skip(str(reason))
    assert name in ("plain", "no-bytecode") or start.environ != before or list(tmp_path.iterdir()) or start.before


@pytest.mark.parametrize("name", ["activated-venv", "names-of-windows", "optimize"])
def test_a_world_ends_with_a_row_of_the_table(name):
    ran = command(name, "--tests", *FEW)
    row = ran.stdout.splitlines()[-1]
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert row.startswith(f"| {name} | ") and ("passed" in row or "refused" in row)
    assert row.endswith(f"`python -m tests.worlds {name} --tests {' '.join(FEW)}` |")


def test_a_name_that_is_no_world_is_told():
    ran = command("no-such-world")
    assert ran.returncode == 2 and "there is no world no-such-world" in ran.stderr


def test_every_step_of_the_whole_run_exists(pytestconfig):
    """A merge once removed a function that a step calls; the run said so only at its end, an hour later."""
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    functions = set(re.findall(r"^(\w+)\(\) \{", script, re.MULTILINE))
    steps = [shlex.split(line, comments=True)[1:] for line in script.splitlines() if line.startswith("step ")]
    called = [command[0] for _, *command in steps]
    assert len(steps) > 15 and {"packages", "site"} <= functions
    assert not [name for name in called if not name.startswith("$") and name != "env" and name not in functions]
    (worlds,) = re.findall(r'^worlds="(.*)"$', script, re.MULTILINE)
    assert set(worlds.split()) <= set(WORLDS)
    tiers = {command[command.index("-m", 2) + 1] for _, *command in steps if command[1:3] == ["-m", "pytest"]}
    markers = {line.partition(":")[0] for line in pytestconfig.getini("markers")}
    assert tiers | {"site"} == markers & {"browser", "grading", "site", "torch", "verdicts"}

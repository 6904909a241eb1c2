"""With MINIGRAD_SOLUTIONS=off, no public name shows a solution: all that can be reached from `viz` is looked at."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# In a process of its own: solutions are off from the start; each exercise was shown, tried and asked for a hint
WALK = r"""
import inspect, re, sys, types, linecache
import minigrad as torch
import viz
from viz.lesson import exercises
from viz.lesson.task import TASKS
from viz.lesson.trial import defined

exercises.load()
shown = {}
for name, task in TASKS.items():
    q = shown[name] = viz.exercise(name)
    q.check("1 2 3" if task.kind == "order" else defined(task, task.gap, torch) if task.gap else 3)
    q.hint(), q.solution(), q.or_ours(), repr(q), q.widget

def plain(code):
    return re.sub(r"\s+", "", "\n".join(re.sub(r"#.*", "", line) for line in code.splitlines()))

def differing(task):  # the lines that the solution adds to the cell
    there = {plain(line) for line in task.gap.splitlines()}
    lines = [line for line in task._solution.splitlines() if plain(line) and plain(line) not in there]
    return plain("\n".join(lines))

secrets = {name: differing(task) for name, task in TASKS.items() if task.kind != "order"}
secrets = {name: text for name, text in secrets.items() if len(text) > 12}
gaps = [plain(task.gap) for task in TASKS.values()]
secrets = {name: text for name, text in secrets.items() if not any(text in gap for gap in gaps)}  # another one's cell
secrets |= {name: plain("\n".join(task._lines)) for name, task in TASKS.items() if task.kind == "order"}
ways = []
seen = set()
stack = [("viz", viz), ("linecache.cache", linecache.cache), ("__main__.shown", shown)]
while stack:
    path, thing = stack.pop()
    if ".hints" in path:  # they stay: the last one may tell a short solution whole
        continue
    if id(thing) in seen or path.count(".") + path.count("[") > 9:
        continue
    seen.add(id(thing))
    if isinstance(thing, str):
        text = plain(thing)
        ways += [f"{path} shows the solution of {name}" for name, secret in secrets.items() if secret in text]
        continue
    if isinstance(thing, (int, float, bytes, type(None))) or "numpy" in type(thing).__module__:
        continue
    if isinstance(thing, dict) or isinstance(thing, types.MappingProxyType):
        stack += [(f"{path}[{key!r}]", each) for key, each in list(thing.items())[:20000]]
    elif isinstance(thing, (list, tuple, set, frozenset)):
        text = "\n".join(each for each in thing if isinstance(each, str))
        stack += [(f"{path}[:]", text)] if text else []
        stack += [(f"{path}[{at}]", each) for at, each in enumerate(list(thing)[:20000]) if not isinstance(each, str)]
    names = [name for name in dir(thing) if not name.startswith("_")]
    module = getattr(thing, "__name__", "") if isinstance(thing, types.ModuleType) else type(thing).__module__
    ours = module.startswith(("viz", "__main__")) or path == "viz"
    if not ours:
        continue
    if not isinstance(thing, (types.FunctionType, types.ModuleType, type)):
        try:
            stack.append((f"repr({path})", repr(thing)))
        except Exception:
            pass
    for name in names:
        try:
            stack.append((f"{path}.{name}", getattr(thing, name)))
        except Exception:
            pass
print(len(seen), "things,", len(secrets), "solutions")
print(*sorted(set(ways)), sep="\n")
"""


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    def walk(setting: str) -> list[str]:
        import os

        environ = os.environ | {
            "MINIGRAD_SOLUTIONS": setting,
            "MINIGRAD_PROGRESS": str(tmp_path_factory.mktemp("nobody") / "p.json"),
        }
        command = [sys.executable, "-W", "ignore", "-c", WALK]
        result = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, encoding="utf-8", check=False)
        lines = [line for line in result.stdout.splitlines() if " things, " in line or " shows the solution" in line]
        assert lines, result.stderr[-3000:]
        return lines

    return walk


def test_where_solutions_are_off_no_public_name_shows_one(walked):
    things, *ways = walked("off")
    assert int(things.split()[0]) > 3000 and re.search(r"[45]\d solutions", things), things
    assert not ways, "\n".join(ways[:40])


def test_where_they_are_on_the_same_walk_finds_them(walked):
    """So the walk can fail."""
    _, *ways = walked("on")
    assert any("TASKS['relu_backward']" in way or "relu_backward" in way for way in ways) and len(ways) > 40


def test_our_solution_is_nobodys_answer(monkeypatch):
    import minigrad as torch
    import viz

    assert torch is globals().setdefault("torch", torch)  # a solution looks its names up where it is called
    monkeypatch.setenv("MINIGRAD_SOLUTIONS", "off")
    for name in ("cube_slope", "relu_backward"):
        ours = viz.exercise(name).or_ours()
        assert viz.exercise(name).check(ours).verdict.kind == "untried"

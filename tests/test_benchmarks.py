"""The benchmarks measure the same thing on every side, say so when they don't, and their quick mode runs."""

import doctest
import math
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import count, growth, pairing, report
from benchmarks.workloads import TIMED, WORKLOADS

ROOT = Path(__file__).parent.parent


def assert_same(ours, theirs):
    assert len(ours) == len(theirs) > 0
    for mine, other in zip(ours, theirs, strict=True):
        assert math.isclose(mine, other, rel_tol=1e-3, abs_tol=1e-5)


@pytest.mark.parametrize("name", TIMED)
def test_minigrad_computes_what_numpy_computes_by_hand(name):
    workload = TIMED[name]
    run = workload.sides["minigrad"](workload.size)
    by_hand = workload.sides["numpy"](workload.size)
    assert_same(run(), by_hand())
    assert_same(run(), by_hand())  # a later round measures the same work
    if floor := workload.sides.get(pairing.FLOOR):
        assert_same(workload.sides["minigrad"](workload.size)(), floor(workload.size)())


@pytest.mark.torch
@pytest.mark.parametrize("name", WORKLOADS)
def test_minigrad_computes_what_pytorch_computes(name):
    workload = WORKLOADS[name]
    size = min(workload.size, 1000)
    assert_same(workload.sides["minigrad"](size)(), workload.sides["torch"](size)())


def test_quick_mode_runs():
    """One workload of each kind here; CI runs them all."""
    command = [sys.executable, "-m", "benchmarks", "--quick", "--only", "expression", "import", "memory", "growth"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stderr
    for what in (TIMED["expression"].what, "`import minigrad`", "a recorded multiplication"):
        assert what in done.stdout


def test_a_checkout_is_compared_with_another_one(tmp_path):
    command = [sys.executable, "-m", "benchmarks", "--quick", "--only", "expression", "--against"]
    done = subprocess.run([*command, ROOT], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stderr
    assert f"| {TIMED['expression'].what}: evaluation |" in done.stdout
    refused = subprocess.run([*command, tmp_path], cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert refused.returncode == 2 and "is no checkout of this project" in refused.stderr


def test_slower_means_by_more_than_a_twentieth_and_more_than_the_noise():
    def told(*before):
        return report.changes([("a", pairing.Result(seconds={"minigrad": [1.0] * 5, "before": list(before)}))])

    assert "**slower**" in told(0.9, 0.9, 0.9, 0.9, 0.9)
    assert "no slower" in told(0.97, 0.97, 0.97, 0.97, 0.97)  # less than a twentieth
    assert "no slower" in told(0.8, 0.9, 0.9, 1.1, 1.2)  # its upper quartile is no slower
    assert "faster" in told(1.2, 1.2, 1.2, 1.2, 1.2)


class Fake:
    """A side that has its answer ready."""

    def __init__(self, *numbers):
        self.numbers = numbers

    def answer(self):
        if not self.numbers:
            raise pairing.Failed("fake on nothing: RecursionError: too deep")
        return {"numbers": self.numbers, "memory": 0.0}

    def close(self):
        pass


def test_sides_that_disagree_are_not_compared():
    with pytest.raises(pairing.Failed, match="minigrad and numpy don't compute the same: 2 and 2.1"):
        pairing.ready({"minigrad": Fake(1, 2), "numpy": Fake(1, 2.1)}, pairing.Result())


def test_a_peer_may_fail_but_minigrad_may_not():
    result = pairing.Result()
    sides = {"minigrad": Fake(1), "micrograd": Fake()}
    assert list(pairing.ready(sides, result)) == list(sides) == ["minigrad"]
    assert result.errors == {"micrograd": "RecursionError"}
    with pytest.raises(pairing.Failed, match="too deep"):
        pairing.ready({"minigrad": Fake()}, result)


def test_an_error_in_a_side_reaches_the_one_who_asked():
    side = pairing.Side("expression", "nonsense", 2)
    with pytest.raises(pairing.Failed, match="nonsense on expression: KeyError"):
        side.answer()
    side.close()


def test_speed_is_paired_round_by_round():
    """Both sides were slowed down alike in the second round, and the ratio doesn't see it."""
    result = pairing.Result(seconds={"minigrad": [1.0, 10.0, 1.0], "torch": [3.0, 30.0, 3.3]})
    assert result.speed("torch")[1] == 3.0
    goals = report.Goals()
    goals.speed("a chain", "torch", result, (1, 3.5))
    goals.at_most("a node", "memory", 10.0, " B", None, 12.0)
    assert "≥ 1 ×: met | ≥ 3.5 ×: **not met** |" in str(goals)
    assert "| a node | memory | 10 B |  | ≤ 12 B: met |" in str(goals)


def test_figures_replace_the_ones_before(tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n", encoding="utf-8")
    report.write(readme, "new ×")
    assert readme.read_text(encoding="utf-8") == f"before\n{report.BEGIN}\nnew ×\n{report.END}\nafter\n"


def test_the_same_growth_draws_the_same_bytes(tmp_path):
    points = [growth.Point(n, n * 1e-6, n * 1e3) for n in (10, 100, 1000)]
    curves = {"long_chain": {"minigrad": points, "torch": points}, "sequence": {"minigrad": points}}
    for name in ("a.svg", "b.svg"):
        growth.draw(curves, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize("module", [count, report], ids=lambda module: module.__name__)
def test_examples_in_docstrings(module):
    assert doctest.testmod(module).failed == 0


def test_every_file_of_the_core_is_counted():
    counts = count.count()
    assert {"core/rules.py", "core/engine.py", "_call/dispatch.py", "ops/elementwise.py"} <= counts.keys()
    assert not [name for name in counts if name.startswith(count.APART)]
    assert all(code <= lines for code, lines in counts.values())

"""The random programs as tests: 200 against what PyTorch did when it was asked, 1,000 live beside it."""

import json
import multiprocessing
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import minigrad

from . import workers
from .differences import Difference, compare, shrink
from .explained import EXPLAINED, explanation
from .generate import program
from .golden import COUNT, GOLDEN, LIVE, digest, same
from .helpers import with_helpers
from .rounding import Moved, Rounding, exact_runs
from .run import outcome
from .undefined import defined
from .workers import differences

RECORDED = json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.parametrize("first", range(0, COUNT, 20))
def test_programs_do_what_pytorch_did(first):
    """The golden file says that a program differs; `python -m tests.fuzz --seed N --count 1` says where."""
    for seed in range(first, first + 20):
        right = RECORDED["outcomes"][seed]
        if not right.startswith(("explained", "open")):
            assert same(digest(seed, minigrad), right), f"seed {seed}\n" + with_helpers(program(seed))


def test_a_seed_is_one_program_for_ever():
    assert program(3)[:2] == program(3)[:2] != program(4)[:2]
    assert sum(len(program(seed)) for seed in range(100)) == 1448


def test_at_most_ten_kinds_are_explained():
    assert len(EXPLAINED) <= 10 and all(len(each.reason) > 40 for each in EXPLAINED)


@pytest.mark.torch
def test_a_thousand_programs_beside_pytorch():
    torch = pytest.importorskip("torch", reason='needs the real PyTorch: pip install "torch==2.13.0"')
    torch.set_num_threads(1)
    torch.set_warn_always(True)
    found = {seed: each for seed, each in differences(range(LIVE), torch) if each and not explanation(each)}
    new = {seed: each for seed, each in found.items() if seed not in RECORDED["open"]}
    assert not new, "\n\n".join(
        f"seed {seed}: {each.part}\n" + with_helpers([*each.lines]) for seed, each in new.items()
    )


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="the children are forked")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")  # from Python 3.12 on
def test_a_child_ends_when_its_answers_are_no_longer_read(monkeypatch):
    """Its pipe was full, and it waited for a reader that waited for its end."""

    def talk(seeds, torch, results):
        while True:
            results.send("x" * 1000)

    monkeypatch.setattr(workers, "work", talk)
    found = differences(range(10), minigrad)
    assert next(found) == (0, "x" * 1000)
    closing = threading.Thread(target=found.close, daemon=True)
    closing.start()
    closing.join(60)
    assert not closing.is_alive()


class Wrong:
    """minigrad, with a sine that is wrong: does anybody see it?"""

    def __getattr__(self, name):
        return getattr(minigrad, name)


def test_a_wrong_value_is_seen_and_the_program_made_small():
    lines = ["v1 = torch.tensor([1.0, 2.0])", "v2 = v1 * 2", "v3 = torch.sin(v1)", "v4 = v3 + v2", "v4.zero_()"]
    wrong = Wrong()
    wrong.sin, wrong.__name__ = minigrad.cos, "wrong"

    def differs(some):
        return compare(some, wrong, minigrad, look=True)

    found = differs(lines)
    assert isinstance(found, Difference) and found.part == "v3"
    assert shrink(found, differs).lines == (lines[0], lines[2])


OLD_DEFECTS = {  # where to put it back, what was there, a program in which it shows
    "cumsum in float32": ("minigrad._machine.backend.WIDER", {}, ["v1 = torch.full((300,), 0.1)", "v2 = v1.cumsum(0)"]),
    "a stable sort": (
        "minigrad.ops.reduction._sorted_stably",
        lambda *_: True,
        ["v1 = torch.arange(40) % 5", "v2 = v1.sort(0).indices"],
    ),
}


@pytest.mark.torch
@pytest.mark.parametrize("name", OLD_DEFECTS)
def test_an_old_defect_put_back_is_seen_and_not_explained(monkeypatch, name):
    torch = pytest.importorskip("torch", reason='needs the real PyTorch: pip install "torch==2.13.0"')
    where, once, lines = OLD_DEFECTS[name]
    assert compare(lines, minigrad, torch, look=True) is None
    monkeypatch.setattr(where, once)
    found = compare(lines, minigrad, torch, look=True)
    assert found is not None and found.part == "v2" and explanation(found) is None


ROUNDED = [  # two libraries may differ here, and much: a later step makes the last digit large
    ["v1 = torch.linspace(1, 5, 40)", "v2 = v1.exp()", "v3 = (v2 * 1e3).sin()"],
    ["v1 = torch.linspace(0, 1, 300)", "v2 = v1.sum() - 150"],
    ["v1 = torch.linspace(1, 2, 40)", "v2 = v1.log()", "v3 = v2 // v2.mul(3).div(3)"],
]


@pytest.mark.parametrize("lines", ROUNDED)
def test_what_rounding_moves_is_allowed_and_no_more(lines):
    """Here minigrad stands for both sides: moved by the last digit, and by a hundred times as much."""
    after = Moved(minigrad, exact_runs(lines, minigrad), 99)
    there, moved = (outcome(lines, minigrad, True, world=world)[-1].arrays for world in (None, after))
    rounding, name, at = Rounding(lines, minigrad), lines[-1][:2], len(lines) - 1
    assert moved[name].tobytes() != there[name].tobytes()
    assert rounding.allows(at, name, moved[name], there[name])
    assert not rounding.allows(at, name, there[name] + (moved[name] - there[name]) * 100 + 1e-5, there[name])


def test_exact_numbers_are_not_moved():
    """So a branch that goes wrong on them is seen."""
    lines = ["v1 = torch.tensor([0.5, 3.0])", "v2 = v1 * 2", "v3 = v2 // 0.25"]
    rounding = Rounding(lines, minigrad)
    assert not rounding.allows(2, "v3", np.array([4.0, 23.0], "float32"), np.array([4.0, 24.0], "float32"))


UNDEFINED = {  # a statement after which a program is not compared, and one like it that is
    "median": (
        ["v1 = torch.tensor([1.0, 3.0])", "v2 = v1.expand(5, 2)", "v3 = v2.median(0).values"],
        ["v1 = torch.tensor([1.0, 3.0])", "v2 = v1.expand(5, 2)", "v3 = v2.median(1).values"],
    ),
    "an index": (
        ["v1 = torch.tensor([0.5, 1.0])", "v2 = v1.mode(0).values", "v3 = v2[-1]"],
        ["v1 = torch.tensor([0.5, 1.0])", "v2 = v1.mode(0).values", "v3 = v2[0]"],
    ),
    "gelu": (
        ["v1 = torch.tensor([0.0, 1.0])", "v2 = 1 / v1", "v3 = torch.nn.functional.gelu(v2)"],
        ["v1 = torch.tensor([0.5, 1.0])", "v2 = 1 / v1", "v3 = torch.nn.functional.gelu(v2)"],
    ),
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_a_program_ends_before_what_pytorch_does_not_define(name):
    without, whole = UNDEFINED[name]
    assert (defined(without, minigrad), defined(whole, minigrad)) == (2, 3)
    other = Wrong()
    other.__name__ = f"other than {name}"  # a World keeps what goes by one name
    other.tensor = lambda numbers: minigrad.tensor(numbers) * 2
    assert compare(whole, other, minigrad, look=True).part == "v1"  # what comes before is compared


@pytest.mark.torch
def test_pytorch_does_not_define_these():
    torch = pytest.importorskip("torch", reason='needs the real PyTorch: pip install "torch==2.13.0"')
    spread = torch.tensor([1.0, 3.0]).expand(5, 2)
    assert spread.median(0).values.tolist() != spread.contiguous().median(0).values.tolist() == [1, 3]
    said = set()
    for number in (torch.tensor(1.0), torch.tensor([0.5, 1.0]).max(0).values, torch.tensor([0.5, 1.0]).mode(0).values):
        with pytest.raises(IndexError) as caught:
            number[1]
        said.add(str(caught.value))
    assert len(said) == 2  # of equal numbers without axes
    infinite = torch.full((4, 2), torch.inf)[:, 0]
    wide, gaps, row = (torch.nn.functional.gelu(x) for x in (infinite.double(), infinite, infinite.contiguous()))
    assert wide.tolist() == gaps.tolist() == [torch.inf] * 4
    assert row.isnan().all() or row.tolist() == wide.tolist()


@pytest.mark.parametrize("by, seen", [(0.0, False), (2.4e-7, False), (2e-4, True), (100.0, True)])
def test_rounding_may_move_the_last_digit_that_is_printed(by, seen):
    """gelu(3) is 2.99595022: one unit in the last place less, and 2.9959 is printed where it was 2.9960."""
    lines = ["v1 = torch.arange(1.0, 4.0)", "v2 = torch.nn.functional.gelu(v1)", "print(str(v2))"]
    other = Wrong()
    other.__name__ = f"moved by {by}"
    other.nn = SimpleNamespace(functional=SimpleNamespace(gelu=lambda x: minigrad.nn.functional.gelu(x) - by))
    printed = [str(library.nn.functional.gelu(minigrad.arange(1.0, 4.0))) for library in (other, minigrad)]
    assert (printed[0] == printed[1]) == (by == 0)
    assert (compare(lines, other, minigrad, look=False) is not None) == seen


def test_a_tester_that_fails_is_no_crash_of_pytorch(monkeypatch):
    monkeypatch.setattr(workers, "compare", None)
    with pytest.raises(RuntimeError, match="the tester failed at seed 0"):
        next(differences(range(1), minigrad))

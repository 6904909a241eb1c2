"""The random programs as tests: 200 against what PyTorch did when it was asked, 1,000 live beside it."""

import json
import multiprocessing
import threading

import pytest

import minigrad

from . import workers
from .differences import Difference, compare, shrink
from .explained import EXPLAINED, explanation
from .generate import program
from .golden import COUNT, GOLDEN, LIVE, digest, same
from .helpers import with_helpers
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

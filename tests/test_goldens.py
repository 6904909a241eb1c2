"""`python -m tests.goldens` adds what is new to a file of recorded numbers, and leaves the rest as it was."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from goldens.telling import answers, record

HERE = Path(__file__).parent / "goldens"
spec = importlib.util.spec_from_file_location("recording", HERE / "__main__.py")
assert spec is not None and spec.loader is not None
recording = importlib.util.module_from_spec(spec)
spec.loader.exec_module(recording)


@pytest.mark.parametrize("name", recording.SCRIPTS)
def test_what_is_new_comes_in_between_and_nothing_else_moves(name):
    after = (HERE / f"{name}.json").read_text(encoding="utf-8")
    new = json.loads(after)
    missing = [*new][len(new) // 2]
    without = {key: value for key, value in new.items() if key != missing}
    before = json.dumps(without, indent=0) + "\n"
    if after != json.dumps(new, indent=0) + "\n":  # a line an entry
        before = "\n".join(line for line in after.split("\n") if recording.entry(line) != missing)
        before = before.replace(",\n}", "\n}")
    text, changed = recording.merged(before, after)
    assert changed == [missing]
    assert text == after


def test_last_digits_of_another_processor_stay_as_they_were():
    before, after = '{\n"a": [1.0000001],\n"b": "x"\n}\n', '{\n"a": [1.0000002],\n"b": "y"\n}\n'
    assert recording.merged(before, after) == ('{\n"a": [1.0000001],\n"b": "y"\n}\n', ["b"])


def test_last_digits_in_a_text_stay_too_and_others_do_not():
    """nn.json has a tensor as a text; twenty-two of its entries were rewritten on another processor."""
    close = recording.CLOSE["nn"]
    old = "torch.float32 2x1: 0.113296 -12.3289"
    for new, same in {
        "torch.float32 2x1: 0.113297 -12.3289": True,
        "torch.float32 2x1: 0.1134 -12.3289": False,
        "torch.float32 1x2: 0.113296 -12.3289": False,
        "torch.float64 2x1: 0.113296 -12.3289": False,
        "torch.float32 2x1: 0.113296": False,
        "torch.float32 2x1: 0.113296 -12.3289 nan": False,
        "torch.float32 2x1: 0.113296 many": False,
    }.items():
        assert recording.steady(old, new, close) == same, new
        assert recording.steady({"outputs": [old]}, {"outputs": [new]}, close) == same, new
    assert not recording.steady("torch.int64 2: 100000 1", "torch.int64 2: 100001 1", close)
    assert not recording.steady("Expected 0.1000001", "Expected 0.1000002", close)
    assert recording.steady("torch.float32 : nan", "torch.float32 : nan", close)


def test_what_is_beside_a_change_in_the_same_entry_stays():
    before = json.dumps({"paths": {"SGD": [1.00000001], "Adam": [2.0]}}, indent=0) + "\n"
    after = json.dumps({"paths": {"SGD": [1.00000002], "Adam": [3.0], "Lion": [4.0]}}, indent=0) + "\n"
    text, changed = recording.merged(before, after)
    assert changed == ["paths"] and json.loads(text) == {"paths": {"SGD": [1.00000001], "Adam": [3.0], "Lion": [4.0]}}


def test_a_list_of_records_stays_whole_or_is_new_whole():
    assert recording.merged("[\n1.0000001\n]\n", "[\n1.0000002\n]\n") == ("[\n1.0000001\n]\n", [])
    assert recording.merged("[1]\n", "[2]\n") == ("[2]\n", ["all of it"])


def test_a_name_without_a_record_and_one_that_pytorch_lacks_get_a_sentence():
    recorded = record(HERE / "ops.json")
    assert recorded["add-0"]
    with pytest.raises(LookupError, match=r"^ops.json has no record of 'bump-0' yet: run `python -m tests"):
        recorded["bump-0"]

    class Torch:
        relu = len

    assert answers(["relu"], lambda name: getattr(Torch, name)("a")) == {"relu": 1}
    with pytest.raises(SystemExit, match=r"^'bump' can't be recorded, because PyTorch lacks it: "):
        answers(["relu", "bump"], lambda name: getattr(Torch, name)("a"))


def test_an_operator_that_pytorch_lacks_runs_from_outside_as_contributing_writes_it():
    """In a process of its own: the table keeps a row that was added."""
    text = (HERE.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## An operator that")[2]
    code = dedent("\n".join(line for line in text.partition("\n## ")[0].split("\n") if line.startswith("    ")))
    checks = "\nassert str(y) == 'tensor([0.7788], grad_fn=<BumpBackward0>)'\n"
    run = subprocess.run([sys.executable, "-c", code + checks], capture_output=True, text=True, encoding="utf-8")
    assert run.returncode == 0, run.stderr

"""`python -m tests.goldens` adds what is new to a file of recorded numbers, and leaves the rest as it was."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

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

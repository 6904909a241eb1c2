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

"""The programs of the gallery: they print on PyTorch what their pages say, and the checks of each answer hold there."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

GALLERY = Path(__file__).parents[2] / "site" / "gallery"
RUN = """
import json, sys
sys.path.insert(0, sys.argv[1])
from gallery.program import claims, failures, numbered, ours, run
from gallery.source import questions
given = "import torch\\nimport torch.nn.functional as F\\nfrom torch import nn"
assert ours(given) == "import minigrad as torch\\nimport minigrad.nn.functional as F\\nfrom minigrad import nn"
assert numbered({"w": ["one", "two"], "y": ["three"]}) == {"w₁": "one", "w₂": "two", "y": "three"}
library = sys.argv[2]
told = {}
for one in questions():
    ran = run(one.code, one.slug, library, one.names)
    told[one.slug] = [ran.output, [*failures(one.checks, ran.names), *filter(None, [claims(one.also, library)])]]
print(json.dumps(told))
"""


WRONG = """
import sys
from dataclasses import replace
sys.path.insert(0, sys.argv[1])
from gallery.pictures import Shown
from gallery.source import questions
one = questions()[0]
Shown(one)
for wrong in ({"output": "tensor(35.)"}, {"checks": ("w.grad == 35",)}, {"also": "assert 1 == 2"}):
    try:
        Shown(replace(one, **wrong))
    except ValueError as error:
        print(error)
"""


def told(library: str) -> dict[str, list]:
    """What each program prints, and the checks that are not true; in a process of its own."""
    command = [sys.executable, "-c", RUN, GALLERY.parent, library]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    # PyTorch's warnings end with the line of its own source that raised them
    return {
        slug: [re.sub(r" \(Triggered internally at \S+\)", "", printed), wrong]
        for slug, (printed, wrong) in json.loads(done.stdout).items()
    }


def questions():
    spec = importlib.util.spec_from_file_location("gallery_source", GALLERY / "source.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.questions()


def differences(library: str) -> list[str]:
    found = told(library)
    return [f"{one.slug}: {found[one.slug]}" for one in questions() if found[one.slug] != [one.output, []]]


def test_every_program_prints_what_its_page_says() -> None:
    assert not differences("minigrad")


def test_an_answer_has_two_sentences() -> None:
    for one in questions():
        assert len(re.findall(r"[.!?](?=\s|$)", one.answer)) == 2, one.slug
        assert len(one.answer.split()) <= 50, one.slug


def test_a_page_that_says_something_else_is_not_built() -> None:
    command = [sys.executable, "-c", WRONG, GALLERY.parent]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.count("why-is-grad-none.md: ") == 3
    assert "and the file says\ntensor(35.)" in done.stdout
    assert "not true: w.grad == 35" in done.stdout and "AssertionError" in done.stdout


@pytest.mark.torch
def test_every_program_prints_the_same_on_pytorch() -> None:
    assert not differences("torch")

"""Every program of up to three lines with views, changes in place and leaves that change their mind, against what
PyTorch made of it (goldens/record_views.py); with `pytest -m torch` some of those of four lines too, always the same.

`python tests/test_view_rules.py` runs all of these, 194,481, on both libraries, in some minutes.
Read next: view_programs.py, the lines.
"""

import json
import random

import pytest
from goldens.record_views import GOLDENS, LENGTHS
from view_programs import LINES, outcome, programs

import minigrad

RECORDED = json.loads(GOLDENS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("length", LENGTHS)
def test_every_short_program_comes_to_what_pytorch_made_of_it(length):
    outcomes, which = RECORDED["outcomes"], RECORDED["which"][str(length)]
    for program, number in zip(programs(length), which, strict=True):
        assert outcome(minigrad, program) == outcomes[number], "; ".join(program)


@pytest.mark.torch
@pytest.mark.parametrize("first", LINES)
def test_those_of_four_lines_come_to_the_same_on_both(first):
    torch = pytest.importorskip("torch", reason='needs the real PyTorch: pip install "torch==2.13.0"')
    for rest in random.Random(first).sample([*programs(3)], 150):
        program = (first, *rest)
        assert outcome(minigrad, program) == outcome(torch, program), "; ".join(program)


if __name__ == "__main__":
    import torch

    different = [each for each in programs(4) if outcome(minigrad, each) != outcome(torch, each)]
    print(*map("; ".join, different), f"{len(LINES) ** 4} programs, {len(different)} differ", sep="\n")

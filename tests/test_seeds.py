"""The programs that this project grew from print what they print on PyTorch, over all their steps.

tests/seeds holds them, tests/goldens/seeds.json what PyTorch 2.13 printed. Texts are equal (addresses apart), and every
printed number x within 1e-3 · max(1, |x|): the programs train for 500 and 60 steps, and processors round differently.
"""

import json
import re

import pytest
from goldens.record_seeds import GOLDENS, PROGRAMS, drawn, run, source

RECORDED = json.loads(GOLDENS.read_text(encoding="utf-8"))
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+\.?\d*(?:e[-+]?\d+)?")


@pytest.fixture(params=["minigrad", pytest.param("torch", marks=pytest.mark.torch)])
def framework(request):
    if request.param == "torch":
        pytest.importorskip("torch", reason='needs the real PyTorch: pip install "torch==2.13.0"').set_num_threads(1)
    return request.param


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_prints_and_warns_as_on_pytorch(program, framework):
    result, recorded = run(program, framework), RECORDED["programs"][program]
    assert result["warned"] == recorded["warned"]
    assert len(result["printed"]) == len(recorded["printed"]) > 0
    for line, expected in zip(result["printed"], recorded["printed"], strict=True):
        assert NUMBER.split(line) == NUMBER.split(expected)
        numbers = [float(number) for number in NUMBER.findall(expected)]
        for found, number in zip(NUMBER.findall(line), numbers, strict=True):
            assert abs(float(found) - number) <= 1e-3 * max(1, abs(number)), f"{line!r} is far from {expected!r}"


@pytest.mark.parametrize("program", PROGRAMS)
def test_only_import_lines_differ_between_the_two(program):
    ours, theirs = source(program, "minigrad").splitlines(), source(program, "torch").splitlines()
    changed = [(a, b) for a, b in zip(ours, theirs, strict=True) if a != b]
    assert changed and all(a.startswith(("import", "from")) for a, _ in changed)
    assert not re.search("minigrad", "\n".join(theirs))


def test_parameters_drawn_from_the_same_seed_are_the_same(framework):
    numbers = drawn(__import__(framework))
    assert list(numbers) == list(RECORDED["drawn"])
    for name, expected in RECORDED["drawn"].items():
        assert numbers[name] == pytest.approx(expected, rel=1e-6, abs=1e-6), name


def test_the_recurrent_program_sees_graphs_of_three_sizes():
    printed = "\n".join(RECORDED["programs"]["dynamic_rnn"]["printed"])
    assert set(re.findall(r"nodes (\d+)", printed)) == {"84", "154", "224"}

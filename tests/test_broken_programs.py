"""The ten broken programs: each is broken, each can be mended by a word or two, and the clinic knows what is wrong."""

import contextlib
import importlib.util
import io
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import viz

HERE = Path(__file__).parent / "broken"
spec = importlib.util.spec_from_file_location("broken_run", HERE / "run.py")
run = importlib.util.module_from_spec(spec)
spec.loader.exec_module(run)

MENDED = {  # number: what the clinic calls it, and what is changed in the program
    1: ("changed", ("mixed += wide", "mixed = mixed + wide")),
    2: ("freed", ("    losses.append", "    state = state.detach()\n        losses.append")),
    3: ("spread", ("prediction - y", "prediction.squeeze(1) - y")),
    4: ("zero_grad", ("    loss.backward()", "    optimizer.zero_grad()\n    loss.backward()")),
    5: (
        "other tensors",
        ("    net = new_net()\n", "    net = new_net()\n    optimizer = torch.optim.Adam(net.parameters(), lr=0.02)\n"),
    ),
    6: ("new weight", ("a = a - 0.04", "a -= 0.04"), ("b = b - 0.04", "b -= 0.04")),
    7: ("linear", ("nn.Linear(4 * 4 * 4, 8)", "nn.Linear(4 * 3 * 3, 8)")),
    8: ("two types", ("net = nn.Linear(3, 1)", "net = nn.Linear(3, 1).double()")),
    9: ("stepped", ("    generator_loss = binary(verdict", "    generator_loss = binary(judge(fake)")),
    10: ("left off", ("    return error.item()", "    torch.set_grad_enabled(True)\n    return error.item()")),
}


@pytest.fixture(autouse=True)
def as_before():
    yield
    viz.clinic.off()
    import minigrad

    minigrad.set_grad_enabled(True)


@pytest.mark.parametrize("number", MENDED)
def test_it_is_broken_and_can_be_mended(number, tmp_path, capsys):
    path = HERE / f"{number:02}.py"
    assert not run.mended(path, number)
    import minigrad

    minigrad.set_grad_enabled(True)
    text = path.read_text(encoding="utf-8")
    for old, new in MENDED[number][1:]:
        assert old in text
        text = text.replace(old, new)
    (tmp_path / path.name).write_text(text, encoding="utf-8")
    assert run.mended(tmp_path / path.name, number), capsys.readouterr().out


@pytest.mark.parametrize("number", MENDED)
def test_the_clinic_knows_what_is_wrong_and_says_nothing_once_it_is_mended(number, tmp_path, monkeypatch):
    told = []
    monkeypatch.setattr(type(viz.clinic), "_tell", lambda self, inquiry, *_: told.append(inquiry.case.name))
    path = HERE / f"{number:02}.py"

    def kinds(path):
        told.clear()
        with viz.clinic(), contextlib.redirect_stdout(io.StringIO()):
            try:
                runpy.run_path(str(path))
            except Exception as error:
                told.append(viz.clinic.explain(error).case.name)
        return set(told)

    assert kinds(path) == {MENDED[number][0]}
    import minigrad

    minigrad.set_grad_enabled(True)
    text = path.read_text(encoding="utf-8")
    for old, new in MENDED[number][1:]:
        text = text.replace(old, new)
    (tmp_path / path.name).write_text(text, encoding="utf-8")
    assert kinds(tmp_path / path.name) == set()


SAID = {  # number: words of the program's own that the clinic says in both languages, and what it must leave out
    1: (["`mixed = mixed + wide`", "`mixed += wide`"], ["detach"]),
    2: (["`state = state.detach()`"], []),
    3: (["(50, 1)", "(50,)", "(50, 50)", "`prediction.squeeze(1)`", "`y.unsqueeze(1)`"], ["(n"]),
    4: (["`optimizer.zero_grad()`"], ["net.2.bias"]),
    5: (["`optimizer = torch.optim.Adam(net.parameters(), lr=0.02)`"], ["SGD"]),
    6: (["`a.grad`", "`a -= 0.04 * a.grad`", "`a = (a - 0.04 * a.grad).requires_grad_()`", "`b`"], ["lr", "w.grad"]),
    7: (
        ["`net.4`", "`nn.Linear(64, 8)`", "`nn.Linear(36, 8)`", "`padding`", "nn.Linear(4 * 4 * 4, 8),"],
        ["labels: ", "flatten", "x.T", "net = nn.Sequential("],
    ),
    8: (["`size.float()`", "`weight.float()`", "`net.double()`"], ["x.float"]),
}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("number", SAID)
def test_the_clinic_speaks_of_the_programs_own_names_and_numbers(number, lang, capsys):
    with viz.clinic(lang=lang):
        try:
            runpy.run_path(str(HERE / f"{number:02}.py"))
        except Exception as error:
            text = str(viz.clinic.explain(error))
        else:
            text = capsys.readouterr().err
    said, left_out = SAID[number]
    assert [words for words in said if words not in text] == []
    assert [words for words in left_out if words in text] == []
    where = {
        "en": {2: "end each iteration with", 4: "before `backward()`"},
        "zh": {2: "每一轮末尾", 4: "`backward()` 之前"},
    }
    assert where[lang].get(number, "") in text


LAYERS = {  # what a layer made for 12 numbers gets: what is advised beside another layer
    (2, 3, 4): "`x.flatten(1)`",
    (12, 5): "`x.T`",
    (2, 5): "12 numbers in its last axis",
}


@pytest.mark.parametrize("shape", LAYERS)
def test_a_layers_data_are_to_be_laid_out_only_where_that_fits(shape):
    import minigrad as torch

    layer, x = torch.nn.Linear(12, 3), torch.ones(shape)
    with viz.clinic():
        with pytest.raises(RuntimeError) as caught:
            layer(x)
        text = str(viz.clinic.explain(caught.value))
    assert f"`nn.Linear({shape[-1]}, 3)`" in text and "padding" not in text
    assert [advice for advice in LAYERS.values() if advice in text] == [
        advice for advice in LAYERS.values() if advice in (LAYERS[shape], LAYERS[2, 5])
    ]


def test_run_shows_what_the_clinic_has_to_say_in_a_terminal():
    command = [sys.executable, str(HERE / "run.py"), "7", "--clinic"]
    ran = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120)
    assert (
        ran.returncode == 1 and "RuntimeError: mat1 and mat2 shapes cannot be multiplied (40x36 and 64x8)" in ran.stderr
    )
    after = ran.stderr.partition("What happened: The layer `net.4`, `nn.Linear(64, 8)`, ")[2]
    assert ": nn.Linear(4 * 4 * 4, 8)," in after and "net.4.weight: float32 (8, 64)" in after
    assert "stopped here: 07.py, line " in after and "What to do:" in after

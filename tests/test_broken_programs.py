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
    text = path.read_text()
    for old, new in MENDED[number][1:]:
        assert old in text
        text = text.replace(old, new)
    (tmp_path / path.name).write_text(text)
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
    text = path.read_text()
    for old, new in MENDED[number][1:]:
        text = text.replace(old, new)
    (tmp_path / path.name).write_text(text)
    assert kinds(tmp_path / path.name) == set()


def test_run_shows_what_the_clinic_has_to_say_in_a_terminal():
    command = [sys.executable, str(HERE / "run.py"), "7", "--clinic"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (
        ran.returncode == 1 and "RuntimeError: mat1 and mat2 shapes cannot be multiplied (40x36 and 64x8)" in ran.stderr
    )
    after = ran.stderr.partition("What happened: A matrix product")[2]
    assert ": net = nn.Sequential(" in after and "net.4.weight: float32 (8, 64)" in after
    assert "stopped here: 07.py, line " in after and "What to do:" in after

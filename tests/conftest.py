"""What several tests of pictures are given: a layout engine, and both libraries in turn."""

import signal
import sys

import pytest

import minigrad
from viz.drawing import engine

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # as nohup, cron and a shell's `&` leave it, and programs inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def pinned_engine(monkeypatch):
    """For a comparison with stored bytes, and for nothing else: the layout does not depend on the machine."""
    monkeypatch.setenv("MINIGRAD_DOT", engine.PINNED)


@pytest.fixture(params=[engine.PINNED, "dot"])
def each_engine(request, monkeypatch):
    """For what every layout must keep to: the one from pip, and the system's where there is one; its path."""
    if not engine.path_of(request.param):
        pytest.skip(f"there is no `{request.param}` on this machine")
    monkeypatch.setenv("MINIGRAD_DOT", request.param)
    monkeypatch.setattr(engine, "left_out", {})
    yield engine.find_engine()
    assert not engine.left_out  # the pinned one did not do the work of the other


@pytest.fixture(params=["minigrad", pytest.param("torch", marks=pytest.mark.torch)])
def torch(request):
    """A test with this argument runs on minigrad, and with `-m torch` on PyTorch as well."""
    return minigrad if request.param == "minigrad" else pytest.importorskip("torch")


@pytest.fixture(scope="module", autouse=True)
def pytorch_is_left_as_it_was():
    """A file of tests leaves PyTorch's settings as a new process has them: the next file depends on them."""
    yield
    torch = sys.modules.get("torch")
    if torch is None or torch is minigrad:
        return
    left = {
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "default dtype": torch.get_default_dtype() != torch.float32,
        "default device": torch.get_default_device().type != "cpu",
        "grad mode": not torch.is_grad_enabled() or torch.is_inference_mode_enabled(),
        "anomaly": torch.is_anomaly_enabled(),
        "autocast": torch.is_autocast_enabled("cpu"),
        "frozen flags": torch.backends.flags_frozen(),
    }
    assert not any(left.values()), f"this file has changed PyTorch's settings: {left}"


@pytest.fixture
def forgetful(monkeypatch):
    """No prediction has been answered yet."""
    from viz.lesson.predict import Prediction

    monkeypatch.setattr(Prediction, "given", {})

"""What several tests of pictures are given: a layout engine, and both libraries in turn."""

import signal

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

"""What several tests of pictures are given: a layout engine, and both libraries in turn."""

import secrets
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


@pytest.fixture
def each_code_runs_once(monkeypatch):
    """One test asks for many verdicts on one task, and each verdict needs the outcome of the solution and of the wrong
    answers before it. Here each code runs once on each point, and later verdicts, in any language, use its outcome.
    The points are drawn once in a test.
    """
    from viz.lesson import trial

    seed, codes, places, outcomes = secrets.randbits(32), {}, {}, {}  # by the objects, which `codes` and `places` keep
    usual_defined, usual_points, usual_tried = trial.defined, trial._Judging.points, trial._Judging.tried

    def defined(task, code, torch):
        made = usual_defined(task, code, torch)
        codes[id(made)] = made, code
        return made

    def points(judging):
        judging.seed = seed
        made = usual_points(judging)
        places.update((id(point), (point, at)) for at, point in enumerate(made))
        return made

    def tried(judging, given, point, allowance):
        known = codes.get(id(given)), places[id(point)][1]
        if known[0] is None or known[0][0] is not given:  # the test made it in another way
            return usual_tried(judging, given, point, allowance)
        place = judging.task.name, judging.torch.__name__, known[0][1], known[1]
        if place not in outcomes:
            outcomes[place] = usual_tried(judging, given, point, allowance)
        return outcomes[place]

    monkeypatch.setattr(trial, "defined", defined)
    monkeypatch.setattr(trial._Judging, "points", points)
    monkeypatch.setattr(trial._Judging, "tried", tried)

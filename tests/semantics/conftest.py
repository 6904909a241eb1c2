"""One file of tests, two subjects: every test here runs on minigrad, and with `pytest -m torch` on real PyTorch too.

A test that is green on both is true of PyTorch 2.13 and kept by minigrad. So the texts of errors and warnings can stand
in the tests themselves: whoever has torch installed checks them live.

Read next: saying.py, how a text is compared.
"""

import pytest


@pytest.fixture(scope="session", params=["minigrad", pytest.param("torch", marks=pytest.mark.torch)])
def torch(request):
    """The library under test, under the name that its users know."""
    if request.param == "minigrad":
        import minigrad

        return minigrad
    torch = pytest.importorskip("torch", reason='needs the real PyTorch: pip install "torch==2.13.0"')
    torch.set_num_threads(1)
    torch.set_warn_always(True)  # some warnings come once a process otherwise, and then only the first test sees them
    return torch


@pytest.fixture(autouse=True)
def grad_mode_is_left_as_found(torch):
    always = torch.is_warn_always_enabled()
    yield
    on = torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    assert on, "this test left the grad mode off"
    left = torch.is_warn_always_enabled()
    torch.set_warn_always(always)  # else, a warning that comes once is missing in a later test
    assert left == always, "this test left set_warn_always switched"


@pytest.fixture
def w(torch):
    """A leaf of three numbers that requires grad."""
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)

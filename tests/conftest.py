"""What several tests of pictures are given: the layout engine that is pinned, and both libraries in turn."""

import pytest

import minigrad
from viz.drawing import layout


@pytest.fixture(scope="module")
def pinned_engine():
    """The layout does not depend on the machine: for a module with `usefixtures("pinned_engine")`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MINIGRAD_DOT", layout.PINNED)
        yield


@pytest.fixture(params=["minigrad", pytest.param("torch", marks=pytest.mark.torch)])
def torch(request):
    """A test with this argument runs on minigrad, and with `-m torch` on PyTorch as well."""
    return minigrad if request.param == "minigrad" else pytest.importorskip("torch")

"""A pass runs in a ready-made context, where NumPy warns of nothing, only if nobody but minigrad can run in it.

Operators enter that context too, and nobody can enter it twice: in such a pass, a reader's division or sum would be an
error. Each program has a process of its own, since one hook changes how all later passes are run.
Read next: ../minigrad/_engine/backward.py.
"""

import os
import subprocess
import sys
import textwrap

import pytest

START = """
import minigrad as torch
w = torch.tensor([1.0, 4.0], requires_grad=True)
"""
PROGRAMS = {
    "a hook of a tensor": """
        y = w * 2
        y.register_hook(lambda g: g / 4)
        y.sum().backward()
        assert w.grad.tolist() == [0.5, 0.5]
    """,
    "a hook of a node": """
        y = -w
        y.grad_fn.register_hook(lambda sent, came: (sent[0] / 4,))
        y.sum().backward()
        assert w.grad.tolist() == [-0.25, -0.25]
    """,
    "a hook of a leaf that has got its gradient": """
        means = []
        w.register_post_accumulate_grad_hook(lambda leaf: means.append(leaf.grad.mean().item()))
        (w * w).sum().backward()
        assert means == [5.0]
    """,
    "a Function": """
        class Quarter(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x / 4

            @staticmethod
            def backward(ctx, grad):
                return grad / 4

        Quarter.apply(w).sum().backward()
        assert w.grad.tolist() == [0.25, 0.25]
    """,
    "a hook that brings back what was saved": """
        with torch.autograd.graph.saved_tensors_hooks(lambda x: x * 4, lambda x: x / 4):
            y = (w * w).sum()
        y.backward()
        assert w.grad.tolist() == [2.0, 8.0]
    """,
    "create_graph, with operators in the place of NumPy's functions": """
        (once,) = torch.autograd.grad((1 / w).log().sum(), w, create_graph=True)
        once.sum().backward()
        assert w.grad.tolist() == [1.0, 0.0625]
    """,
    "who shows warnings": """
        import warnings

        shown = []
        warnings.showwarning = lambda *warning: shown.append((w / 4).tolist())
        warnings.simplefilter("always")
        with torch.autograd.set_detect_anomaly(True):
            y = ((w * 0).sqrt() * 0).sum()
            try:
                y.backward()
            except RuntimeError as error:
                assert "SqrtBackward0" in str(error)
        assert shown == [[0.25, 1.0]]
    """,
    "another array library": """
        import sys

        import fake_cupy

        sys.modules["cupy"] = fake_cupy
        w.cuda().relu().sum().backward()
        assert w.grad.tolist() == [1.0, 1.0]
    """,
}


@pytest.mark.parametrize("who", PROGRAMS)
def test_whoever_can_run_in_a_pass_may_use_every_operator(who):
    program = START + textwrap.dedent(PROGRAMS[who])
    path = os.pathsep.join((os.path.dirname(__file__), *sys.path))  # fake_cupy, and this minigrad
    environment = {**os.environ, "PYTHONPATH": path}
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", env=environment)
    assert ran.returncode == 0, ran.stderr

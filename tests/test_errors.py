"""What an error says beside its text: a traceback that ends at the reader's line, and clues for who asks.

The texts themselves are PyTorch's, and tested in semantics/.
"""

import gc
import linecache
import re
import subprocess
import sys
import traceback
import weakref
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from lessons import end

import minigrad
import viz
from minigrad._messages.places import OURS
from viz.errors.lines import libraries


def reported(run):
    """The error that `run` raises."""
    with pytest.raises(Exception) as caught:
        run()
    return caught.value


def lines(error):
    """The lines of code in an error's traceback."""
    return [frame.line for frame in traceback.extract_tb(error.__traceback__)]


class Wrong(minigrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x @ minigrad.ones(3, 3)

    @staticmethod
    def backward(ctx, grad):
        return grad, grad


# The traceback


def test_the_traceback_of_a_backward_ends_at_the_readers_line():
    w = minigrad.ones(2, requires_grad=True)
    y = w * w
    y.sum().backward()
    for run in (
        lambda: y.backward(),
        lambda: y.sum().backward(),
        lambda: minigrad.autograd.backward(y),
        lambda: minigrad.autograd.grad(y, w),
        lambda: minigrad.ones(1).backward(),
    ):
        assert lines(reported(run))[-1].endswith("),") and "lambda" in lines(reported(run))[-1]


def test_the_traceback_of_ones_own_operator_leads_into_its_forward():
    error = reported(lambda: Wrong.apply(minigrad.ones(2, 2)))
    assert lines(error)[2:] == ["return x @ minigrad.ones(3, 3)"] and "Wrong.apply" in lines(error)[1]


@pytest.mark.parametrize(
    "code",
    [
        "w @ torch.ones(4, 5)",
        "w + torch.ones(4, 5)",
        "torch.nn.Linear(5, 4)(w)",
        "torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(5, 4))(w)",
        "torch.nn.CrossEntropyLoss()(w, torch.ones(2))",
        "torch.cat([w, torch.ones(3)])",
        "torch.nn.RNN(5, 4)(w)",
        "torch.sum([1, 2])",
    ],
)
def test_a_notebook_shows_one_of_our_frames_at_most_and_the_readers_line(code):
    shell = InteractiveShell()
    try:
        shell.run_cell("import minigrad as torch\nw = torch.ones(2, 3, requires_grad=True)")
        with capture_output() as shown:
            shell.run_cell(f"def mine(w):\n    return {code}\n\nmine(w)")
    finally:
        end(shell)
    told = re.sub(r"\x1b\[[\d;]*m", "", shown.stdout)  # without colours
    assert f"2     return {code}" in told
    assert len(re.findall(r"^File .*minigrad", told, re.M)) <= 1, told


@pytest.mark.parametrize(("package", "library"), [(minigrad, OURS), (minigrad, libraries()), (viz, libraries())])
def test_a_file_of_the_readers_whose_name_begins_as_a_package_is_the_readers(package, library):
    folder = Path(package.__file__).parent
    assert str(folder / "any.py").startswith(library)
    assert not str(folder.with_name(f"{folder.name}_homework.py")).startswith(library)


def test_an_error_of_what_is_typed_into_a_debugger_leaves_the_frame_that_it_has_stopped_in_alone(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import minigrad as torch\nw, loss = torch.ones(3, requires_grad=True), torch.nn.MSELoss()\n"
        "y = loss(w, w.detach() + 2)\nprint('y is', y.item())\n",
        encoding="utf-8",
    )
    typed = "until 3\ns\ns\ns\ns\ns\nimport minigrad\nminigrad.ones(2) + minigrad.ones(3)\nc\n"
    ran = subprocess.run([sys.executable, "-m", "pdb", program], input=typed, capture_output=True, encoding="utf-8")
    before, met, _ = ran.stdout.partition("*** RuntimeError: The size of tensor a (2) must match")
    assert met and re.search(r"[/\\]minigrad[/\\]", before.rpartition("\n> ")[2]), (
        ran.stdout + ran.stderr
    )  # it stood in a frame of ours
    assert "y is 4.0" in ran.stdout


def test_the_traceback_of_a_hook_leads_into_the_hook():
    y = minigrad.ones(1, requires_grad=True) * 2
    y.register_hook(lambda grad: 1 / 0)
    assert lines(reported(y.backward))[-1] == "y.register_hook(lambda grad: 1 / 0)"


# The clues


def test_the_error_of_a_changed_tensor_knows_the_operator_the_line_and_the_root():
    w = minigrad.ones(2, requires_grad=True)
    y = w * 2
    z = y * y
    y.mul_(2)
    y.add_(1)
    root = z.sum()
    error = reported(root.backward)
    filename, number = error.changed_at
    assert error.node is z.grad_fn and error.roots == (root,)
    assert filename == __file__ and linecache.getline(filename, number).strip() == "y.add_(1)"


def test_what_an_optimizer_changed_is_mended_by_computing_anew_and_not_by_a_copy():
    w = minigrad.ones(1, requires_grad=True)
    optimizer = minigrad.optim.SGD([w], lr=0.1)
    loss = (w * w).sum()
    loss.backward(retain_graph=True)
    optimizer.step()
    with pytest.raises(RuntimeError, match="at version 1; expected version 0") as raised:
        loss.backward()
    (note,) = raised.value.__notes__
    assert "`optimizer.step()` changed it in place" in note
    assert "run the net again after the step" in note and "detach()" in note and "clone()" not in note


@pytest.mark.parametrize("create_graph", [False, True])
def test_the_error_of_a_freed_graph_knows_the_operator(create_graph):
    w = minigrad.ones(1, requires_grad=True)
    a = w * w
    y = a.exp()
    a.backward()
    assert reported(lambda: minigrad.autograd.grad(y, w, create_graph=create_graph)).node is a.grad_fn


def test_the_error_of_a_wrong_operator_knows_its_node():
    y = Wrong.apply(minigrad.ones(2, 3, requires_grad=True))
    assert reported(y.sum().backward).node is y.grad_fn


def test_the_error_of_a_nan_knows_its_operator():
    x = minigrad.zeros(1, requires_grad=True)
    with pytest.warns(UserWarning, match="Error detected"), minigrad.autograd.set_detect_anomaly(True):
        y = x.sqrt()
        assert reported((y * 0).backward).node is y.grad_fn


def test_the_clues_live_as_long_as_their_error():
    w = minigrad.ones(2, requires_grad=True)
    y = w * w
    node = weakref.ref(y.grad_fn)
    gc.disable()
    try:
        try:
            y.backward()
        except RuntimeError as error:
            assert error.roots == (y,)
        del y
        assert node() is None
    finally:
        gc.enable()


def test_this_cell_is_the_one_that_runs_under_the_kernels_own_file():
    """Innermost first: a function's cell, the cell that runs, and the file that a kernel is started from."""
    from minigrad._messages.places import describe

    def under(filename, inner):
        space = {"inner": inner}
        exec(compile("def run():\n    return inner()\n", filename, "exec"), space)
        return space["run"]

    function, cell, start = "/tmp/ipykernel_7/1.py", "/tmp/ipykernel_7/2.py", "/lib/ipykernel_launcher.py"
    said = under(start, under(cell, under(function, lambda: (describe(function, 3), describe(cell, 4)))))()
    assert said == ("an earlier cell, line 3", "this cell, line 4")
    assert under(start, under(function, lambda: describe(function, 3)))() == "this cell, line 3"

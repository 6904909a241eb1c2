"""The clinic where no lesson is open: `%load_ext viz`, `pytest --clinic`, a script, and a second run on PyTorch."""

import subprocess
import sys
from pathlib import Path

import pytest

import viz

ROOT = Path(__file__).parent.parent
LIBRARIES = ["minigrad", pytest.param("torch", marks=pytest.mark.torch)]

TESTS = """
import {library} as torch

def test_of_a_scalar():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).backward()

def test_without_an_error():
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    for _ in range(3):
        (w * w).sum().backward()
        optimizer.step()

def test_that_passes():
    try:
        torch.ones(2, 3) @ torch.ones(2, 3)
    except RuntimeError:
        pass

def test_of_something_else():
    class Point:
        def __init__(self, x):
            self.x = x
    Point()
"""


def run(*command, folder):
    done = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, encoding="utf-8")
    return done.stdout + done.stderr


@pytest.fixture(autouse=True)
def off():
    yield
    viz.clinic.off()


def pytest_in(folder, *more):
    plain = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts=", "--rootdir", str(folder)]
    loaded = [] if registered() else ["-p", "pytest_minigrad_clinic"]
    return run("-m", "pytest", *plain, *loaded, *more, folder=folder)


def registered():
    """Has this environment the entry point? One that was installed before it came has not."""
    from importlib.metadata import entry_points

    return any(each.name == "minigrad_clinic" for each in entry_points(group="pytest11"))


@pytest.mark.parametrize("library", LIBRARIES)
def test_pytest_explains_with_the_flag(library, tmp_path):
    pytest.importorskip(library)
    (tmp_path / "test_it.py").write_text(TESTS.format(library=library), encoding="utf-8")
    told = pytest_in(tmp_path, "--clinic")
    assert told.count("- the error clinic -") == 1 and "2 failed, 2 passed" in told
    assert "stopped here: test_it.py, line 6: (x * x).backward()" in told
    _, _, summary = told.partition("the error clinic: no error, but a fault")
    assert "test_without_an_error" in summary and "used the sum here: test_it.py, line 13" in summary


def test_without_the_flag_the_plugin_imports_nothing_and_says_nothing(tmp_path):
    (tmp_path / "conftest.py").write_text(
        "import sys\ndef pytest_unconfigure():\n    print('imported:', {'viz', 'minigrad'} & set(sys.modules))\n",
        encoding="utf-8",
    )
    (tmp_path / "test_it.py").write_text("def test(): pass\n", encoding="utf-8")
    told = pytest_in(tmp_path)
    assert "imported: set()" in told and "clinic" not in told
    assert "imported: {" in pytest_in(tmp_path, "--clinic")


def test_the_entry_point_names_the_file():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["entry-points"]["pytest11"] == {"minigrad_clinic": "pytest_minigrad_clinic"}
    assert "pytest_minigrad_clinic.py" in project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert (ROOT / "pytest_minigrad_clinic.py").exists()


@pytest.mark.parametrize("library", LIBRARIES)
def test_load_ext_switches_it_on_for_the_session(library):
    pytest.importorskip(library)
    pytest.importorskip("IPython")
    program = f"""
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for cell in ("%load_ext viz", "import {library} as torch", "x = torch.ones(2, requires_grad=True)",
             "(x * x).backward()", "%unload_ext viz", "(x * x).backward()"):
    shell.run_cell(cell)
"""
    told = run("-c", program, folder=ROOT)
    assert told.startswith("the error clinic is on") and told.count("What happened") == 1
    assert told.count("grad can be implicitly created only for scalar outputs") >= 2  # both cells fail as usual


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_script_hears_at_its_end_of_a_gradient_that_is_never_cleared(library, tmp_path):
    pytest.importorskip(library)
    (tmp_path / "loop.py").write_text(
        f"import viz\nimport {library} as torch\nviz.clinic()\nw = torch.tensor([4.0], requires_grad=True)\n"
        "for _ in range(3):\n    (w * w).sum().backward()\n    with torch.no_grad():\n        w -= 0.1 * w.grad\n",
        encoding="utf-8",
    )
    told = run("loop.py", folder=tmp_path)
    assert "added to the old gradient here: loop.py, line 6" in told and "`w.grad = None`" in told
    one = (tmp_path / "loop.py").read_text("utf-8").replace("range(3)", "range(1)")
    (tmp_path / "loop.py").write_text(one, encoding="utf-8")
    assert run("loop.py", folder=tmp_path) == ""


@pytest.mark.torch
def test_a_second_run_on_pytorch_names_the_line_that_saved_and_the_line_that_changed(tmp_path):
    pytest.importorskip("torch")
    code = "\n".join(
        [
            "import viz, torch",
            "viz.clinic()",
            "net = torch.nn.Linear(2, 2)",
            "h = net(torch.ones(1, 2))",
            "y = torch.nn.functional.softmax(h, 1)",
            "z = torch.ones(1, 2)",
            "z += 1",
            "y[0, 0] = 0.0",
            "y.sum().backward()",
        ]
    )
    (tmp_path / "first.py").write_text(code, encoding="utf-8")
    (tmp_path / "second.py").write_text(code.replace("clinic()", "clinic(lines=True)"), encoding="utf-8")
    first, second = run("first.py", folder=tmp_path), run("second.py", folder=tmp_path)
    assert "run the program again with `viz.clinic(lines=True)`" in first and "µs longer" in first
    assert "saved it here: second.py, line 5" in second and "changed it here: second.py, line 8" in second
    assert "lines=True" not in second.partition("What to do")[2]


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_target_of_the_line_is_never_listed_with_its_old_value(library, tmp_path):
    torch = pytest.importorskip(library)
    file = tmp_path / "again.py"
    file.write_text("y = torch.ones(7)\nw = torch.ones(3)\ny = torch.ones(2, 2) @ w\n", encoding="utf-8")
    with viz.clinic(), pytest.raises(RuntimeError) as caught:
        exec(compile(file.read_text("utf-8"), str(file), "exec"), {"torch": torch})
    found = viz.clinic.explain(caught.value)
    assert [name for name, _ in found.tensors] == ["w"]
    assert [line.number for line in found.lines] == [2, 3]


@pytest.mark.parametrize("code", ["class P:\n    def __init__(self, x): ...\nP()", "iter(len)", "None.sum()"])
def test_pythons_own_errors_are_left_alone(code):
    with viz.clinic(), pytest.raises((TypeError, AttributeError)) as caught:
        exec(compile(code, "program.py", "exec"), {})
    assert viz.clinic.explain(caught.value) is None

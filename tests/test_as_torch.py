"""`python -m minigrad PROGRAM`, `install_as_torch()`, and the import of modules that are not here.

Each program runs in a process of its own, most of them beside the same on Python alone: what a program sees of Python
must not differ. A file torch.py that only raises stands where the real one would, so that no program reaches that.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from goldens.record_submodules import SUBMODULES

from minigrad._as_torch.submodules import is_public, ours
from minigrad._messages.names import PRIVATE, submodules
from minigrad.version import __version__

ROOT = Path(__file__).parents[1]
NOT_HERE = "see 'What is not here' in its README"


@pytest.fixture
def python(tmp_path):
    """Run Python with these arguments in an empty folder, with a broken PyTorch installed."""
    site = tmp_path / "site"
    (site / "torch").mkdir(parents=True)
    (site / "torch" / "__init__.py").write_text("raise SystemError('this is the real PyTorch')", encoding="utf-8")

    def run(*arguments, torch=site, **options):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *([str(torch)] if torch else [])])}
        program = [sys.executable, *map(str, arguments)]
        options = {"cwd": tmp_path, "env": environment, "capture_output": True, "text": True} | options
        return subprocess.run(program, check=False, timeout=100, **options)

    run.folder = tmp_path
    return run


def write(folder, name, *lines):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


SEEN = """
import json, sys, __main__
names = {name: x if isinstance(x, str | None) else type(x).__name__ for name, x in vars(__main__).items()}
del names["json"], names["sys"], names["__main__"]
path = [folder for folder in sys.path if not folder.endswith("standin")]
print(json.dumps([names, sys.argv, path, sys.modules["__main__"] is __main__]))
"""
WAYS = {
    "a file": ["inner/seen.py", "--lr", "0.1"],
    "its whole path": ["{folder}/inner/seen.py"],
    "a module": ["-m", "inner.seen", "-c", "x"],
    "a package": ["-m", "inner"],
    "a module, joined": ["-minner.seen"],
    "a text": ["-c", SEEN, "-m", "x"],
}


@pytest.mark.parametrize(("way", "safe"), [*((way, []) for way in WAYS), ("a file", ["-P"]), ("a text", ["-P"])])
def test_a_program_sees_what_python_shows_it(python, way, safe):
    for name in ("seen", "__main__"):
        write(python.folder, f"inner/{name}.py", SEEN)
    arguments = [text.format(folder=python.folder) if "seen.py" in text else text for text in WAYS[way]]
    plain, on_minigrad = python(*safe, *arguments), python(*safe, "-m", "minigrad", *arguments)
    assert plain.stderr == on_minigrad.stderr
    assert json.loads(plain.stdout or "0") == json.loads(on_minigrad.stdout or "0")
    assert plain.returncode == on_minigrad.returncode


ENDS = {
    "an error": ["def f():", "    raise KeyError('lost')", "f()"],
    "an error with its cause": ["try:", "    1 / 0", "except Exception as e:", "    raise ValueError('x') from e"],
    "a wrong line": ["x = 1", "x = = 2"],
    "an exit code": ["import sys", "print('so far')", "sys.exit(7)"],
    "an exit text": ["raise SystemExit('enough')"],
    "a hook of its own": [
        "import sys",
        "sys.excepthook = lambda kind, error, trace: print(kind, trace.tb_lineno, trace.tb_frame.f_code.co_name)",
        "raise OSError('x')",
    ],
    "at exit": ["import atexit, __main__", "atexit.register(lambda: print(later, __main__.later))", "later = 3"],
    "Ctrl-C": ["import signal", "signal.raise_signal(signal.SIGINT)"],
    "a warning": ["import warnings", "warnings.warn('old', DeprecationWarning)", "warnings.warn('up', stacklevel=2)"],
}


@pytest.mark.parametrize(
    ("how", "by"), [*((how, "file") for how in ENDS), ("an error", "module"), ("an exit code", "module")]
)
def test_a_program_ends_as_python_ends_it(python, how, by):
    write(python.folder, "program.py", *ENDS[how])
    arguments = ["program.py"] if by == "file" else ["-m", "program"]
    plain, on_minigrad = python(*arguments), python("-m", "minigrad", *arguments)
    if how == "a warning":  # PyTorch's stacklevel of 2 leads out of the program: there Python names itself
        plain.stderr, on_minigrad.stderr = (said.splitlines()[:2] for said in (plain.stderr, on_minigrad.stderr))
    assert (plain.stdout, plain.stderr, plain.returncode) == (
        on_minigrad.stdout,
        on_minigrad.stderr,
        on_minigrad.returncode,
    )
    if how == "Ctrl-C" and os.name != "nt":
        assert on_minigrad.returncode == -signal.SIGINT


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nothere.py"], 2, "can't open file"),
        (["."], 2, ". is a folder; minigrad runs a file"),
        (["archive.zip"], 2, "archive.zip is an archive"),
        (["-x"], 2, "unknown option -x"),
        (["-m"], 2, "argument expected for the -m option"),
        (["-m", "nothere"], 1, "No module named nothere"),
    ],
)
def test_a_wrong_command_line(python, arguments, code, said):
    (python.folder / "archive.zip").write_bytes(b"PK\x03\x04")
    result = python("-m", "minigrad", *arguments)
    assert result.returncode == code and said in result.stderr and "Traceback" not in result.stderr


def test_alone_it_shows_what_is_available(python):
    result = python("-m", "minigrad")
    assert result.returncode == 0 and result.stderr == ""
    assert (
        result.stdout.startswith(f"minigrad {__version__}") and "NumPy" in result.stdout and "usage: " in result.stdout
    )
    assert python("-m", "minigrad", "--help").stdout.startswith("usage: python -m minigrad PROGRAM.py")


IMPORTS = """
import importlib.util, pickle, sys
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.utils.data, torch.optim.lr_scheduler
from torch import nn as again, tensor
from torch.nn import functional
from torch.utils.data import DataLoader
from torch.optim.lr_scheduler import StepLR
from torch.autograd import Variable
from torch.nn.parameter import Parameter
from torch.nn.utils.rnn import pad_sequence
import minigrad
assert nn is again is torch.nn is minigrad.nn and functional is F is minigrad.nn.functional
names = [name for name in sys.modules if name.partition(".")[0] == "torch"]
for name in names:
    assert sys.modules[name] is sys.modules["minigrad" + name[5:]], name
    assert sys.modules[name].__spec__.name == "minigrad" + name[5:], name
assert importlib.util.find_spec("torch") is not None and importlib.util.find_spec("torch.optim") is not None
assert importlib.util.find_spec("torch.fft") is None and importlib.util.find_spec("torch.linalg") is not None
assert torch.__file__ == minigrad.__file__ and torch.nn.__file__ == minigrad.nn.__file__
major, minor = torch.__version__.split(".")[:2]
assert int(major) >= 0 and isinstance(torch.ones(1), torch.Tensor) and isinstance(nn.Linear(1, 1), nn.Module)
assert pickle.loads(pickle.dumps(torch.float32)) is torch.float32
print(len(names))
"""


def test_every_import_line_gives_the_modules_of_minigrad(python):
    result = python("-W", "error", "-m", "minigrad", "-c", IMPORTS)
    assert result.stderr == "" and int(result.stdout) > 8


def test_a_line_at_the_top_does_the_same_and_can_be_taken_back(python):
    text = "import sys, minigrad; before = sys.meta_path[:], sys.path[:]; on = minigrad.install_as_torch()\n"
    text += "assert minigrad.install_as_torch() is not None\n" + IMPORTS + "on.remove()\n"
    text += "assert not any(name.partition('.')[0] == 'torch' for name in sys.modules), 'left behind'\n"
    text += "assert before == (sys.meta_path, sys.path) and 'no longer' in repr(on)\n"
    text += "try:\n    import torch\nexcept SystemError as error:\n    print(error)"
    result = python("-c", text)
    assert result.stderr == "" and result.stdout.endswith("this is the real PyTorch\n")


@pytest.mark.parametrize("loaded", ["torch", "torch.nn"])
def test_where_pytorch_is_imported_already_it_says_so(python, loaded):
    text = "import sys, types; sys.modules[{0!r}] = types.ModuleType({0!r}); import minigrad\n"
    text += "try:\n    minigrad.install_as_torch()\nexcept RuntimeError as error:\n    print(error, len(sys.path))"
    said = python("-c", text.format(loaded)).stdout
    assert f"{loaded!r} is imported already" in said and "Restart the kernel" in said


def test_importing_in_many_threads(python):
    text = "import threading, sys\nstart, seen, wrong = threading.Barrier(8), [], []\n"
    text += "threading.excepthook = lambda told: wrong.append(told)\n"
    text += (
        "def work():\n    start.wait()\n    import torch.nn.functional, torch.optim.lr_scheduler, torch.utils.data\n"
    )
    text += (
        "    from torch.distributions.normal import Normal\n    seen.append((torch, torch.nn, torch.optim, Normal))\n"
    )
    text += "sys.setswitchinterval(1e-6)\nthreads = [threading.Thread(target=work) for _ in range(8)]\n"
    text += "[each.start() for each in threads]; [each.join() for each in threads]\nimport minigrad\n"
    text += "assert not wrong, wrong\nassert {each[0] for each in seen} == {minigrad} and len(set(seen)) == 1, seen"
    result = python("-W", "error", "-m", "minigrad", "-c", text)
    assert result.stderr == ""


WORKERS = """
import multiprocessing, sys
import torch
from torch.utils.data import DataLoader, Dataset

class Squares(Dataset):
    def __len__(self): return 4
    def __getitem__(self, i): return torch.tensor(float(i)) ** 2

def work(dataset):
    import torch.nn as nn
    return dataset[3].item(), type(dataset[3]).__module__, __name__, nn.__name__

if __name__ == "__main__":
    for way in multiprocessing.get_all_start_methods():
        with multiprocessing.get_context(way).Pool(1) as pool:
            print(pool.apply(work, [Squares()]))
    print([batch.tolist() for batch in DataLoader(Squares(), 2, num_workers=2)])
"""


@pytest.mark.parametrize("installed", [True, False], ids=["beside PyTorch", "without"])
def test_other_processes(python, installed):
    write(python.folder, "workers.py", WORKERS)
    result = python("-m", "minigrad", "workers.py", **({} if installed else {"torch": None}))
    assert result.stderr == ""
    *works, batches = result.stdout.splitlines()
    assert len(works) >= 1 and batches == "[[0.0, 1.0], [4.0, 9.0]]"
    for each in works:
        assert each.startswith("(9.0, 'minigrad._tensors.tensor', '__m") and each.endswith("'minigrad.nn')")


def test_libraries_that_look_for_pytorch(python):
    lines = ["import torch", "import numpy as np, hypothesis, tqdm", "from matplotlib import use; use('agg')"]
    lines += ["import matplotlib.pyplot as plt", "from IPython.core.interactiveshell import InteractiveShell"]
    lines += ["x = torch.linspace(0, 1, 3)", "plt.plot(x, x.square()); plt.hist(x); plt.scatter(x, x)"]
    lines += ["for _ in tqdm.tqdm(x, disable=True): pass", "assert np.asarray(x).sum() == 1.5 and np.allclose(x, x)"]
    lines += ["from hypothesis import given, strategies as st", "given(st.integers())(lambda i: None)()"]
    lines += ["InteractiveShell.instance().run_cell('import torch; torch.ones(2)')"]
    result = python("-m", "minigrad", write(python.folder, "looks.py", *lines))
    assert result.returncode == 0, result.stderr
    assert "tensor([1., 1.])" in result.stdout


def test_the_clinic_explains_an_unchanged_program(python):
    lines = ["import torch", "import viz", "viz.clinic()", "w = torch.ones(2, requires_grad=True)", "y = w.exp()"]
    lines += ["y += 1", "y.sum().backward()"]
    path = write(python.folder, "overwrites.py", *lines)
    result = python("-m", "minigrad", path)
    assert result.returncode == 1
    first, second = result.stderr.splitlines()[:2]
    assert first == "Traceback (most recent call last):" and second.strip().startswith(f'File "{path}", line 7')
    assert "What happened" in result.stdout + result.stderr and "line 6: y += 1" in result.stdout + result.stderr


# -- modules that are not here -------------------------------------------------------------------

ABSENT = ["fft", "cuda.amp", "nn.attention", "nn.modules.loss", "utils.tensorboard", "distributions.beta", "jit"]
ABSENT += [
    "compiler",
    "storage",
    "sparse",
    "optim.swa_utils",
    "nn.utils.prune",
    "backends.cudnn.rnn",
    "_dynamo",
    "xpu.streams",
]


@pytest.mark.parametrize("library", ["torch", "minigrad"])
def test_importing_a_module_that_is_left_out(python, library):
    names = [name for name in ABSENT if library == "torch" or f"minigrad.{name}" not in PRIVATE]
    lines, expected = [], []
    for name in names:
        place, _, child = name.rpartition(".")
        lines += [f"import {library}.{name}", f"import {library}.{name} as x", f"from {library}.{name} import whatever"]
        first = "nn.modules" if name == "nn.modules.loss" else name  # Python asks for the parent first
        place, _, child = f"torch.{first}".rpartition(".")
        told = f"PyTorch has {place}.{child}, minigrad does not: {NOT_HERE}"
        full = f"{library}.{first}"
        expected += [f"ModuleNotFoundError|{full}|No module named '{full}'. {told}"] * 3
        if child[0] != "_" and name not in ("jit", "nn.modules.loss"):  # our `jit` is a function
            place = f"{library}.{name}".rpartition(".")[0]
            lines.append(f"from {place} import {child}")
            ours = "minigrad" + place.removeprefix(library)
            expected.append(f"ImportError|{ours}|cannot import name '{child}' from '{ours}'. {told}")
    text = f"for line in {lines}:\n    try:\n        exec(line)\n    except ImportError as error:\n"
    text += "        print(type(error).__name__, error.name, error, sep='|')\n    else:\n        print(line)\n"
    result = python(*(["-m", "minigrad"] if library == "torch" else []), "-c", text)
    assert result.stderr == ""
    assert [said.split(" (/")[0] for said in result.stdout.splitlines()] == expected


def test_a_module_that_pytorch_has_not_is_just_not_there(python):
    text = "import importlib.util, torch, minigrad.static, minigrad.nn\n"
    names = "_call _engine _tensors.tensor core core.tensor nothing nn.linear nn.applied static optim.algorithms"
    text += f"for name in {names.split()}:\n"
    text += "    try: __import__('torch.' + name)\n    except ModuleNotFoundError as error: print(error)\n"
    text += "try: import torch.optin\nexcept ModuleNotFoundError as error: print(error)\n"
    text += "try: import minigrad.optin\nexcept ModuleNotFoundError as error: print(error)\n"
    text += (
        "torch.jit; print([hasattr(torch, name) for name in ('storage', 'compiler')], hasattr(torch.nn, 'attention'))"
    )
    said = python("-m", "minigrad", "-c", text).stdout.splitlines()
    *plain, near, ours_near, attributes = said
    assert len(plain) == 10 and not any("PyTorch has" in each for each in plain)
    assert all(each.startswith("No module named 'torch.") for each in plain)
    assert near == "No module named 'torch.optin'. Did you mean: 'torch.optim'?"
    assert ours_near == "No module named 'minigrad.optin'. Did you mean: 'minigrad.optim'?"
    assert attributes == "[False, False] False"


def test_every_module_of_ours_with_a_name_of_pytorchs_is_public_or_private():
    """Whoever adds a module with such a name decides which."""
    files = {path.relative_to(ROOT / "minigrad").with_suffix("") for path in (ROOT / "minigrad").rglob("*.py")}
    here = {"torch." + ".".join(path.parts).removesuffix(".__init__") for path in files}
    shared = {name for name in here if name.rpartition(".")[2] in submodules().get(name.rpartition(".")[0], ())}
    private = {"torch" + name.removeprefix("minigrad") for name in PRIVATE}
    assert private < shared
    assert shared - private == {name for name in shared if is_public(name)}
    places = (
        "accelerator autograd backends cuda distributions linalg mps multiprocessing nn optim random serialization "
        "utils version xpu"
    )
    assert {name.split(".")[1] for name in shared - private} == {*places.split()}
    assert all(__import__(ours(name), fromlist=["x"]) for name in shared - private)


def test_the_list_is_small():
    assert SUBMODULES.stat().st_size < 5_000


@pytest.mark.torch
@pytest.mark.parametrize("unchanged", [[], ["--unchanged"]], ids=["imports changed", "unchanged"])
def test_the_list_of_public_programs_can_be_run(unchanged, tmp_path):
    write(tmp_path, "program.py", "import torch", "w = torch.ones(2, requires_grad=True)", "print(w * 2)")
    write(tmp_path, "other.py", "import torch", "torch.no_such_name")
    runner = ROOT / "tests" / "run_public_programs.py"
    command = [sys.executable, str(runner), str(tmp_path), *unchanged]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=True, timeout=100)
    assert "{'same': 2}" in done.stdout, done.stdout

"""The worlds that differ by variables and by files in the user's folder.

Read next: machines.py.
"""

import os
import subprocess
import venv

from .world import Absent, Start, world

# One line a world: what it sets.
PLAIN = {
    "warnings-error": {"PYTHONWARNINGS": "error"},
    "warnings-default": {"PYTHONWARNINGS": "default"},
    "no-bytecode": {"PYTHONDONTWRITEBYTECODE": "1"},
    "bytecode": {"PYTHONDONTWRITEBYTECODE": ""},
    "hashseed-0": {"PYTHONHASHSEED": "0"},
    "hashseed-1": {"PYTHONHASHSEED": "1"},
    "utf8-off": {"PYTHONUTF8": "0"},
    "utf8-on": {"PYTHONUTF8": "1"},
    "ascii-output": {"PYTHONIOENCODING": "ascii"},
    "backend-tk": {"MPLBACKEND": "TkAgg"},
    "backend-agg": {"MPLBACKEND": "Agg"},
    "backend-nonsense": {"MPLBACKEND": "nonsense"},
    "no-color": {"NO_COLOR": "1"},
    "force-color": {"FORCE_COLOR": "1", "PYTHON_COLORS": "1", "CLICOLOR_FORCE": "1"},
    "columns-40": {"COLUMNS": "40", "LINES": "10"},
    "lang-c": {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "posix": {"LC_ALL": "POSIX"},
    "kathmandu": {"TZ": "Asia/Kathmandu"},
    "dumb-terminal": {"TERM": "dumb"},
    "threads-8": {"OMP_NUM_THREADS": "8", "MKL_NUM_THREADS": "8"},
    "threads-64": {"OPENBLAS_NUM_THREADS": "64"},
    "start-file": {"PYTHONSTARTUP": "start.py", "PYTHONINSPECT": "1"},
    "pytest-options": {"PYTEST_ADDOPTS": "-vv --tb=line --color=yes"},
    "development-mode": {"PYTHONDEVMODE": "1"},
    "fast-path-off": {"MINIGRAD_FAST": "0"},
    "solutions-off": {"MINIGRAD_SOLUTIONS": "off"},
    "continuous-integration": {"CI": "true", "GITHUB_ACTIONS": "true"},
}

FAILS = "raise RuntimeError('this file is the user\\'s own')\n"


def sets(variables: dict[str, str]):
    def change(start: Start) -> None:
        start.environ |= variables

    change.__doc__ = " ".join(f"`{name}={value}`" for name, value in variables.items())
    return change


for name, variables in PLAIN.items():
    change = sets(variables)
    change.__name__ = name
    world(change)


@world
def plain(start: Start) -> None:
    """Nothing is changed."""


@world
def activated_venv(start: Start) -> None:
    """Another virtual environment is active, with another NumPy in it."""
    venv.create(start.folder / "venv")
    packages = next((start.folder / "venv").glob("[lL]ib/**/site-packages"))
    (packages / "numpy.py").write_text(FAILS, encoding="utf-8")
    start.environ["VIRTUAL_ENV"] = str(start.folder / "venv")
    first_in_path(start, start.folder / "venv" / "bin")


@world
def conda(start: Start) -> None:
    """A conda environment is active."""
    prefix = start.folder / "conda" / "envs" / "course"
    start.environ |= {"CONDA_PREFIX": str(prefix), "CONDA_DEFAULT_ENV": "course", "CONDA_SHLVL": "2"}
    start.environ |= {"CONDA_EXE": str(prefix / "bin" / "conda"), "CONDA_PYTHON_EXE": str(prefix / "bin" / "python")}
    for command in ("python", "python3", "conda", "jupyter"):
        start.write(f"conda/envs/course/bin/{command}", "#!/bin/sh\nexit 1\n").chmod(0o755)
    first_in_path(start, prefix / "bin")


def first_in_path(start: Start, folder) -> None:
    start.environ["PATH"] = os.pathsep.join([str(folder), start.environ["PATH"]])


@world
def pythonpath(start: Start) -> None:
    """`PYTHONPATH` names a folder with `tests/`, `utils.py`, `data.py` and `graph.py` in it."""
    for name in ("tests/__init__.py", "utils.py", "data.py", "graph.py", "lesson.py"):
        start.write(f"path/{name}", FAILS)
    start.environ["PYTHONPATH"] = os.pathsep.join([str(start.root), str(start.folder / "path")])


@world
def optimize(start: Start) -> None:
    """`PYTHONOPTIMIZE=1` takes every assert away: pytest asks whether that is meant, and ends."""
    start.environ["PYTHONOPTIMIZE"] = "1"
    start.says = "are you using python -O?"


@world
def jupyter_variables(start: Start) -> None:
    """`JUPYTER_*` name folders with a broken kernel `python3` and a configuration that fails."""
    broken_jupyter(start, "jupyter")
    for name in ("JUPYTER_PATH", "JUPYTER_CONFIG_DIR", "JUPYTER_CONFIG_PATH", "JUPYTER_DATA_DIR"):
        start.environ[name] = str(start.folder / "jupyter")
    start.environ |= {"JUPYTER_PREFER_ENV_PATH": "no", "JUPYTER_PLATFORM_DIRS": "1"}
    start.environ["JUPYTER_RUNTIME_DIR"] = "/dev/null/runtime"


def broken_jupyter(start: Start, folder: str) -> None:
    start.write(f"{folder}/kernels/python3/kernel.json", '{"argv": ["/bin/false"], "display_name": "mine"}')
    for name in ("jupyter_config", "jupyter_server_config", "jupyter_client_config"):
        start.write(f"{folder}/{name}.py", FAILS)


@world
def ipython_folder(start: Start) -> None:
    """`IPYTHONDIR` names a folder with a start file and a configuration that change what cells print."""
    changed_ipython(start, "ipython")
    start.environ["IPYTHONDIR"] = str(start.folder / "ipython")


def changed_ipython(start: Start, folder: str) -> None:
    start.write(f"{folder}/profile_default/startup/00-mine.py", "import math as torch\nprint('hello')\n" + FAILS)
    changed = 'c.InteractiveShell.ast_node_interactivity = "all"\nc.InteractiveShell.xmode = "Minimal"\n'
    for name in ("ipython_config", "ipython_kernel_config"):
        start.write(f"{folder}/profile_default/{name}.py", "c = get_config()\n" + changed)


@world
def settings_of_the_user(start: Start) -> None:
    """The home folder holds settings for IPython, Jupyter, Matplotlib, pdb and pip."""
    changed_ipython(start, "home/.ipython")
    broken_jupyter(start, "home/.local/share/jupyter")
    start.write("home/.jupyter/jupyter_config.py", FAILS)
    start.write(
        "home/.config/matplotlib/matplotlibrc", "backend: TkAgg\nfigure.dpi: 37\nfont.size: 30\naxes.grid: True\n"
    )
    start.write("home/.pdbrc", "print('hello from .pdbrc')\nalias n next\n")
    start.write("home/.config/pip/pip.conf", "[install]\nuser = true\n")
    start.write("home/.local/share/minigrad/progress.json", '{"exercises": {"relu_backward": {"right": true}}}')
    start.environ["HOME"] = str(start.folder / "home")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "MINIGRAD_PROGRESS"):
        start.environ.pop(name, None)


@world
def no_home(start: Start) -> None:
    """`HOME` is not set."""
    start.environ.pop("HOME", None)


@world
def no_writable_home(start: Start) -> None:
    """`HOME` is no folder, so nothing can be written there."""
    start.environ["HOME"] = "/dev/null/home"


@world
def turkish(start: Start) -> None:
    """The language is Turkish, whose small I has no dot."""
    with_locale(start, "tr_TR", "UTF-8")


@world
def encoding_warnings(start: Start) -> None:
    """Where our files read or write a text and name no encoding, an `EncodingWarning` is an error."""
    start.environ["PYTHONWARNDEFAULTENCODING"] = "1"
    ours = "(minigrad|viz|benchmarks|tests|test_|conftest|course)"  # libraries may rely on the machine's encoding
    lines = ["error", "ignore::EncodingWarning", f"error::EncodingWarning:{ours}"]
    start.options += ["-o", "filterwarnings=" + "\n".join(lines)]


@world
def latin_1(start: Start) -> None:
    """Files without a named encoding are read and written in Latin-1, and the console shows cp1252 alone."""
    with_locale(start, "de_DE", "ISO-8859-1")
    start.environ |= {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252:strict"}


def with_locale(start: Start, language: str, charset: str) -> None:
    made = ["localedef", "-i", language, "-f", charset, str(start.folder / f"{language}.{charset}")]
    try:
        subprocess.run(made, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        raise Absent(f"{made[0]} could make no locale {language}.{charset}") from None
    start.environ |= {"LOCPATH": str(start.folder), "LC_ALL": f"{language}.{charset}"}

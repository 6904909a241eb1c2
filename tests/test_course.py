"""course.py, before it installs anything: old Pythons can read it, and foreign folders are safe from it."""

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

COURSE = Path(__file__).parent.parent / "course.py"
try:
    import msvcrt as LOCKS
except ImportError:
    try:
        import fcntl as LOCKS
    except ImportError:
        LOCKS = None  # this system can't lock a file


def course(*arguments, **environ):
    command = [sys.executable, COURSE, *arguments]
    return subprocess.run(command, env={**os.environ, **environ}, capture_output=True, encoding="utf-8", check=False)


def test_an_old_python_can_read_it_and_says_what_is_missing():
    source = COURSE.read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 6))
    told = "import sys; sys.version_info = (3, 8, 0, 'final', 0)\n" + source.partition("import contextlib")[0]
    result = subprocess.run([sys.executable, "-c", told], capture_output=True, encoding="utf-8", check=False)
    assert result.returncode == 1
    assert result.stderr.startswith("minigrad needs Python 3.11 or newer")


def test_without_a_command_it_tells_which_there_are():
    result = course()
    assert result.returncode == 2
    assert "python3 course.py lab" in result.stdout


def test_it_clears_no_folder_that_is_not_a_virtual_environment(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work", encoding="utf-8")
    result = course("lab", "--version", MINIGRAD_VENV=str(tmp_path))
    assert result.returncode == 1
    assert "is no virtual environment" in result.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.fixture
def module():
    """course.py, imported."""
    spec = importlib.util.spec_from_file_location("course", COURSE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


USUAL = {"HOME": "/home/ada", "PATH": "/usr/bin", "LC_ALL": "zh_CN.UTF-8", "PYTHONUTF8": "1", "MINIGRAD_DOT": "dot"}
OF_THE_READER = {"DISPLAY": ":0", "https_proxy": "http://a:1", "JUPYTER_CONFIG_DIR": "/home/ada/jupyter"}
OTHERS = {
    "VIRTUAL_ENV": "/elsewhere",
    "PYTHONPATH": "/ros",
    "PYTHONWARNINGS": "error",
    "PYTHONSTARTUP": "/home/ada/start.py",
    "MPLBACKEND": "TkAgg",
    "JUPYTER_PATH": "/hub",
}


def test_what_would_change_the_lessons_is_not_handed_on_and_the_rest_is_the_readers(module, monkeypatch):
    monkeypatch.setattr(os, "environ", USUAL | OF_THE_READER | OTHERS)
    ours = {"VIRTUAL_ENV": str(module.VENV), "PATH": os.pathsep.join([str(module.PYTHON.parent), "/usr/bin"])}
    assert module.for_lab() == USUAL | OF_THE_READER | ours
    del ours["VIRTUAL_ENV"]
    assert module.for_tests() == USUAL | ours


def test_the_site_is_built_in_the_folder_that_the_reader_names(module, monkeypatch, tmp_path):
    called = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "hand_over", lambda command, environ, folder: called.append((command, folder)) or 0)
    assert module.build_site(["--out", "pages"]) == 0
    assert called == [([module.PYTHON, COURSE.parent / "site" / "build.py", "--out", "pages"], tmp_path)]


def test_pip_installs_into_our_environment_whatever_its_settings_say(module, monkeypatch):
    settings = {"PIP_INDEX_URL": "http://mirror", "PIP_TARGET": "/elsewhere", "PIP_USER": "1", "PIP_PREFIX": "/usr"}
    monkeypatch.setattr(os, "environ", USUAL | OTHERS | settings)
    given = module.for_pip()
    assert {name: value for name, value in given.items() if name.startswith("PIP_")} == {
        "PIP_INDEX_URL": "http://mirror",
        "PIP_USER": "0",
    }
    assert "PYTHONPATH" not in given


def test_folders_of_other_programs_hide_no_module_of_the_standard_library(tmp_path):
    for name in ("hashlib", "platform", "signal"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('this is another program')", encoding="utf-8")
    result = course("-h", PYTHONPATH=str(tmp_path))
    assert (result.returncode, result.stderr) == (0, "")


def test_a_console_without_the_letters_of_the_folders_name_is_written_to_all_the_same():
    code = "import course; course.main(['-h']); course.say('in \\u81ea\\u52a8\\u5fae\\u5206')"
    environ = os.environ | {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252:strict"}
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=COURSE.parent,
        env=environ,
        capture_output=True,
        encoding="cp1252",
        check=False,
    )
    assert result.stdout.endswith("in \\u81ea\\u52a8\\u5fae\\u5206 ...\n"), result.stderr


def test_jupyterlab_opens_on_the_start_page_and_a_file_that_hides_a_package_is_named(
    module, tmp_path, monkeypatch, capsys
):
    handed = []
    monkeypatch.setattr(module, "succeeds", lambda command: True)
    monkeypatch.setattr(module, "hand_over", lambda command, environ: handed.append(command))
    module.open_lab(["--no-browser"])
    assert "--LabApp.default_url=/lab/tree/00_start.ipynb" in handed[0] and handed[0][-1] == "--no-browser"
    assert "hides" not in capsys.readouterr().out
    (tmp_path / "notebooks").mkdir()
    for name in ("00_start.ipynb", "viz.py", "mine.py"):
        (tmp_path / "notebooks" / name).touch()
    monkeypatch.setattr(module, "ROOT", tmp_path)
    module.open_lab([])
    told = capsys.readouterr().out
    assert f"Your file {tmp_path / 'notebooks' / 'viz.py'} hides the package viz" in told and "mine.py" not in told


# -- first starts -----------------------------------------------------------------------------------------------------

WITHOUT_NETWORK = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0", "PIP_NO_CACHE_DIR": "1"}


@pytest.fixture
def start(module, tmp_path, monkeypatch):
    """`prepare`, with a fresh environment whose making and filling take no time, and a list of what was done."""
    monkeypatch.setattr(module, "VENV", tmp_path / "venv")
    monkeypatch.setattr(module, "PYTHON", tmp_path / "venv" / "bin" / "python")
    done = []

    def make():
        done.append("made")
        module.PYTHON.parent.mkdir(parents=True)
        (module.VENV / "pyvenv.cfg").touch()
        module.PYTHON.touch()

    monkeypatch.setattr(module, "make_environment", make)
    monkeypatch.setattr(module, "succeeds", lambda command, environ=None: True)
    monkeypatch.setattr(module.subprocess, "call", lambda command, env=None: done.append("filled") or 0)
    module.done = done
    return module


def test_a_first_start_makes_and_fills_the_environment_once(start):
    start.prepare("lab")
    start.prepare("lab")
    start.prepare("test")
    assert start.done == ["made", "filled", "filled"]


def test_a_start_that_was_interrupted_while_it_filled_goes_on(start, monkeypatch):
    def interrupted(command, env=None):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(start.subprocess, "call", interrupted)
        with pytest.raises(KeyboardInterrupt):
            start.prepare("lab")
    start.prepare("lab")
    assert start.done == ["made", "filled"]


def test_a_start_that_was_interrupted_while_it_made_the_environment_begins_again(module, tmp_path, monkeypatch):
    """venv makes its folders first, and writes pyvenv.cfg later."""
    monkeypatch.setattr(module, "VENV", tmp_path / "venv")
    (tmp_path / "venv" / "lib" / "python3.11" / "site-packages").mkdir(parents=True)
    (tmp_path / "venv" / "bin").mkdir()
    asked = []
    monkeypatch.setattr(module, "succeeds", lambda command, environ=None: asked.append(command) or True)
    module.make_environment()
    assert "--clear" in asked[0]


TWO = """
import sys, time
sys.path.insert(0, {root!r})
import course
from pathlib import Path
course.VENV = Path({venv!r})
with course.alone():
    log = Path({log!r})
    with log.open("a") as file: file.write("in ")
    time.sleep(0.7)
    with log.open("a") as file: file.write("out ")
"""


@pytest.mark.skipif(not LOCKS, reason="this system has no locks on files; the starts then go on beside each other")
def test_of_two_starts_at_once_the_second_waits(tmp_path):
    log = tmp_path / "log"
    code = TWO.format(root=str(COURSE.parent), venv=str(tmp_path / "venv"), log=str(log))
    two = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, encoding="utf-8") for _ in range(2)]
    told = [each.communicate(timeout=60)[0] for each in two]
    assert log.read_text(encoding="utf-8") == "in out in out "
    assert sum("Waiting for another start of course.py" in each for each in told) == 1


def test_a_start_that_was_killed_holds_no_lock(tmp_path):
    code = TWO.format(root=str(COURSE.parent), venv=str(tmp_path / "venv"), log=str(tmp_path / "log"))
    first = subprocess.Popen([sys.executable, "-c", code.replace("sleep(0.7)", "sleep(60)")])
    while not (tmp_path / "log").exists():
        assert first.poll() is None
    first.kill()
    first.wait()
    second = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=60, check=True)
    assert "Waiting" not in second.stdout


@pytest.mark.skipif(os.name == "nt", reason="a folder's permissions are POSIX's")
def test_in_a_checkout_that_cannot_be_written_one_sentence_says_what_to_do(module, tmp_path, monkeypatch):
    def refused(*_arguments, **_more):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(module, "VENV", tmp_path / "venv")
    monkeypatch.setattr(module.tempfile, "TemporaryFile", refused)  # root may write everywhere
    with pytest.raises(SystemExit) as told:
        module.make_environment()
    (line,) = str(told.value).splitlines()
    assert "can't be written (Permission denied); name a folder of yours in MINIGRAD_VENV" in line


def test_without_venv_and_without_network_one_sentence_says_what_to_do(module, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "VENV", tmp_path / "venv")
    monkeypatch.setattr(module, "succeeds", lambda command, environ=None: False)
    with pytest.raises(SystemExit) as told:
        module.make_environment()
    (line,) = str(told.value).splitlines()
    assert "it lacks venv" in line and "sudo apt install python3-venv" in line


def test_without_network_one_sentence_says_what_to_do_and_the_next_start_goes_on(tmp_path):
    result = course("lab", "--version", MINIGRAD_VENV=str(tmp_path / "venv"), **WITHOUT_NETWORK)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith(
        "pip could not install them; its message is above. Check the network"
    )
    assert (tmp_path / "venv" / "pyvenv.cfg").exists() and not [*(tmp_path / "venv").glob("installed-*")]
    again = course("lab", "--version", MINIGRAD_VENV=str(tmp_path / "venv"), **WITHOUT_NETWORK)
    assert "Making a virtual environment" in result.stdout and "Making a virtual environment" not in again.stdout


def test_grade_runs_where_the_teacher_is_and_hand_in_where_the_lessons_are(module, monkeypatch):
    handed = []
    monkeypatch.setattr(module, "prepare", lambda extra: handed.append(extra))
    monkeypatch.setattr(module, "hand_over", lambda command, environ, folder: handed.append((command[1:], folder)))
    module.main(["grade", "class", "--lessons", "1"])
    module.main(["hand-in", "Ada", "L"])
    assert handed[0] == handed[2] == "lab"
    assert handed[1] == (["-m", "viz.grading", "class", "--lessons", "1"], Path.cwd())
    assert handed[3] == (["-m", "viz.grading.pack", "Ada", "L"], COURSE.parent / "notebooks")

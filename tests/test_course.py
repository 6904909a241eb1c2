"""course.py, before it installs anything: old Pythons can read it, and foreign folders are safe from it."""

import ast
import os
import subprocess
import sys
from pathlib import Path

COURSE = Path(__file__).parent.parent / "course.py"


def course(*arguments, **environ):
    command = [sys.executable, COURSE, *arguments]
    return subprocess.run(command, env={**os.environ, **environ}, capture_output=True, text=True, check=False)


def test_an_old_python_can_read_it_and_says_what_is_missing():
    source = COURSE.read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 6))
    told = "import sys; sys.version_info = (3, 8, 0, 'final', 0)\n" + source.partition("import hashlib")[0]
    result = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr.startswith("minigrad needs Python 3.11 or newer")


def test_without_a_command_it_tells_which_there_are():
    result = course()
    assert result.returncode == 2
    assert "python3 course.py lab" in result.stdout


def test_it_clears_no_folder_that_is_not_a_virtual_environment(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    result = course("lab", "--version", MINIGRAD_VENV=str(tmp_path))
    assert result.returncode == 1
    assert "is no virtual environment" in result.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


def test_jupyterlab_opens_on_the_start_page_and_a_file_that_hides_a_package_is_named(tmp_path, monkeypatch, capsys):
    import importlib.util

    spec = importlib.util.spec_from_file_location("course", COURSE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    handed = []
    monkeypatch.setattr(module, "succeeds", lambda command: True)
    monkeypatch.setattr(module, "hand_over", handed.append)
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

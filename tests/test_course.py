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

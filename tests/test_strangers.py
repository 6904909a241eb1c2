"""A stranger's package named `minigrad` or `viz` is named at import, with what to do; no page sends anyone to one."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def python(folder, code):
    """Run code with `folder` before our packages, as a notebook's folder is."""
    setup = f"import sys; sys.path[:0] = [{str(folder)!r}]; sys.path.append({str(ROOT)!r})\n"
    command = [sys.executable, "-P", "-c", setup + code]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.parametrize("form", ["minigrad.py", "minigrad/__init__.py"])
@pytest.mark.parametrize("text", ["class Value: pass", "import a_package_that_nobody_has", "__version__ = '0.0.1'"])
def test_a_foreign_minigrad_is_named_where_viz_is_imported(tmp_path, form, text):
    file = tmp_path / form
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    (last,) = python(tmp_path, "import viz").stderr.splitlines()[-1:]
    assert last.startswith("ImportError: `import minigrad` finds another package") and str(file) in last
    assert "rename it" in last and "minigrad-course" in last


@pytest.mark.parametrize("form", ["viz.py", "viz/__init__.py"])
def test_a_foreign_viz_is_named_in_a_notebook_and_not_in_a_program(tmp_path, form):
    file = tmp_path / form
    file.parent.mkdir(exist_ok=True)
    file.write_text("x = 1", encoding="utf-8")
    notebook = python(tmp_path, "import ipykernel, minigrad").stderr
    assert "`import viz` finds another package than minigrad's" in notebook and str(file) in notebook
    assert python(tmp_path, "import minigrad").stderr == ""
    told = python(tmp_path, "from minigrad._as_torch.programs import report; print(report())").stdout
    assert str(file) in told


def test_nothing_is_said_where_both_are_ours(tmp_path):
    assert python(tmp_path, "import ipykernel, minigrad, viz").stderr == ""


def test_a_mistake_in_our_own_package_keeps_its_own_message(tmp_path):
    code = "import builtins\nreal = builtins.__import__\n"
    code += "def broken(name, *a, **k):\n    if name == 'numpy': raise RuntimeError('NumPy is broken')\n"
    code += "    return real(name, *a, **k)\nbuiltins.__import__ = broken\nimport viz"
    assert "RuntimeError: NumPy is broken" in python(tmp_path, code).stderr


INSTALL = re.compile(r"pip install [^\n`]*?(?<![\w./\[,-])(minigrad|viz)(?![\w-]|\.)")


def test_no_page_tells_anyone_to_install_a_strangers_package():
    """`pip install minigrad` would install another program. Ours is minigrad-course, or the folder `.`."""
    assert INSTALL.search("pip install minigrad") and INSTALL.search('pip install -q "minigrad[viz]"')
    assert not INSTALL.search("pip install minigrad-course") and not INSTALL.search("pip install .[viz]")
    for pattern in ("*.md", "**/*.md", "**/*.py", "**/*.ipynb", "**/*.po", "**/*.js", "**/*.html"):
        for file in ROOT.glob(pattern):
            parts = file.relative_to(ROOT).parts
            if file.name.startswith("test_") or {".git", ".venv", "build", "dist", "node_modules"} & {*parts}:
                continue
            found = INSTALL.search(file.read_text("utf-8", errors="replace"))
            assert not found, f"{file}: {found[0]}"

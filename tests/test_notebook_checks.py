"""Do the notebook tests notice what they should, and only that? One notebook of good and bad cells, see conftest.py."""

import ast
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat.v4 as nbf
import pytest

ROOT = Path(__file__).parent.parent
DISPLAY = "from IPython.display import SVG, clear_output, display\n"


def printed(text):
    return nbf.new_output("stream", name="stdout", text=text)


def shown(text, **data):
    return nbf.new_output("display_data", data={"text/plain": text, **data})


CELLS = [  # source, stored outputs, does the cell pass?
    ("print('y =', 21, 10.0)", [printed("y = 21 10.0\n")], True),
    ("print('y =', 22, 10.0)", [printed("y = 21 10.0\n")], False),
    ("print('y =', 21, 10.1)", [printed("y = 21 10.0\n")], False),
    ("print('z =', 21, 10.0)", [printed("y = 21 10.0\n")], False),
    ("print([31.4012, -1.5e-05])", [printed("[31.4021, -1.4999e-05]\n")], True),
    ("print(1.0, 2.0)", [printed("1.0\n")], False),
    ("print('tensor([1., 2.])')", [printed("tensor([1., 3.])\n")], False),
    ("print(object(), '12 ms')", [printed("<object object at 0x7f0011223344> 9 ms\n")], True),
    ("1 / 0", [], False),
    (DISPLAY + "d = display('a', display_id=True); display('z'); d.update('b')", [shown("'b'"), shown("'z'")], True),
    ("d = display('a', display_id=True); d.update('b')", [shown("'a'")], False),
    ("d.update('c')", [], True),
    ("display('a'); clear_output(); display('b')", [shown("'b'")], True),
    ("display('a'); clear_output(wait=True); display('b'); clear_output(wait=True)", [shown("'b'")], True),
    (
        "display({'text/plain': 'y', 'image/svg+xml': '<svg/>'}, raw=True)",
        [shown("y", **{"image/svg+xml": "<g/>"})],
        True,
    ),
    (
        "display({'text/plain': 'z', 'image/svg+xml': '<svg/>'}, raw=True)",
        [shown("y", **{"image/svg+xml": "<svg/>"})],
        False,
    ),
    (f"import sys; print(sys.prefix == {sys.prefix!r})", [printed("True\n")], True),
]


def test_a_changed_output_fails_and_a_changed_picture_does_not(tmp_path):
    cells = [nbf.new_code_cell(s, outputs=o, execution_count=n) for n, (s, o, _) in enumerate(CELLS, 1)]
    cells.append(nbf.new_code_cell("print('stored without having been run')"))
    outcomes = run(tmp_path, cells)
    expected = [passes for _, _, passes in CELLS] + [False]
    sources = [cell.source for cell in cells]
    assert dict(zip(sources, outcomes, strict=True)) == dict(zip(sources, expected, strict=True))


PROGRESS = "from viz.lesson import progress\n"


def test_an_answer_in_one_notebook_is_not_there_in_the_next(tmp_path):
    answer = nbf.new_code_cell(PROGRESS + "progress.note('questions', 'a', after='b')", execution_count=1)
    shows = nbf.new_code_cell(PROGRESS + "progress.known()", execution_count=1)
    shows.outputs = [nbf.new_output("execute_result", {"text/plain": "{}"}, execution_count=1)]
    assert run(tmp_path, [shows], earlier=[answer]) == [True]


def run(folder, cells, earlier=()):
    """Test a notebook of these cells as the project's own are tested; for each cell, whether it passed.

    The cells of `earlier` are a notebook that is tested before it, in the same process.
    """
    for name, contents in ("earlier", earlier), ("lesson", cells):
        notebook = nbf.new_notebook(cells=list(contents))
        (folder / f"{name}.ipynb").write_text(nbf.writes_json(notebook), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "conftest", "-p", "no:xdist", "-p", "no:cacheprovider"]
    command += ["-v", f"--rootdir={ROOT}", f"--config-file={ROOT / 'pyproject.toml'}", folder / "earlier.ipynb"]
    command += [folder / "lesson.ipynb"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80"}
    result = subprocess.run(command, env=environ, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    outcomes = re.findall(r"::Cell \d+ (PASSED|FAILED)", result.stdout)  # no file's name stands there: it is elsewhere
    assert len(outcomes) == len(earlier) + len(cells), result.stdout + result.stderr
    return [outcome == "PASSED" for outcome in outcomes[len(earlier) :]]


@pytest.mark.parametrize("script", sorted((ROOT / ".ci").glob("*.py")), ids=lambda path: path.stem)
def test_a_script_of_ours_finds_what_it_imports(script):
    """A name that has moved is found now, and not when a lesson must be stored."""
    imports = [node for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))) if is_ours(node)]
    for node in imports:
        module = importlib.import_module(node.module)
        for alias in node.names:
            assert hasattr(module, alias.name), f"{script.name}, line {node.lineno}: {ast.unparse(node)}"


def is_ours(node):
    return isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in ("minigrad", "viz")

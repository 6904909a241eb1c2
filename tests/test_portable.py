"""What Windows and macOS refuse, and Linux does not: found in the text of the files, for they cannot be run here.

`python -m tests.worlds` runs the tests with Windows' names, encodings and line ends.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parent.parent
FILES = [
    path.relative_to(ROOT).as_posix()
    for top in ("minigrad", "viz", "tests", "benchmarks", "notebooks", ".ci")
    for path in sorted((ROOT / top).rglob("*"))
    if path.is_file() and "__pycache__" not in path.parts and ".ipynb_checkpoints" not in path.parts
] + ["course.py", "conftest.py"]
READS_TEXT = {"read_text", "write_text", "open", "run", "Popen", "check_output", "NamedTemporaryFile"}


def without_encoding(source: str) -> list[int]:
    """The lines that open a text file or a program's output in the encoding of the machine.

    >>> without_encoding("path.read_text()\\nopen('x', 'rb')\\nopen('x', encoding='utf-8')\\nrun([], text=True)")
    [1, 4]
    """
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return sorted(node.lineno for node in calls if guesses(node))


def guesses(call: ast.Call) -> bool:
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name not in READS_TEXT:
        return False
    given = {each.arg: ast.unparse(each.value) for each in call.keywords}
    if "encoding" in given:
        return False
    if name in ("read_text", "write_text"):
        return len(call.args) < 1 + (name == "write_text")
    if name == "open":  # the built-in one: Image.open and others take no text
        return isinstance(function, ast.Name) and "b" not in (given.get("mode") or text_of(call.args[1:2]))
    if name == "NamedTemporaryFile":
        return "b" not in (given.get("mode") or text_of(call.args[:1]) or "b")
    return "True" in (given.get("text"), given.get("universal_newlines"))


def text_of(nodes: list[ast.expr]) -> str:
    return ast.unparse(nodes[0]) if nodes else ""


@pytest.mark.parametrize("file", [file for file in FILES if file.endswith(".py")])
def test_every_text_is_read_and_written_in_an_encoding_that_is_named(file):
    """Windows takes cp1252 otherwise, in which 中文 and → cannot be written and are read as other letters."""
    lines = without_encoding((ROOT / file).read_text("utf-8"))
    assert not lines, f"{file} names no encoding in line {', '.join(map(str, lines))}"


def test_every_system_can_store_these_names():
    assert len({file.lower() for file in FILES}) == len(FILES), "two names differ by capitals only"
    reserved = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)
    for file in FILES:
        parts = PurePosixPath(file).parts
        assert not any(reserved.match(part) or re.search(r'[<>:"|?*\\]|[. ]$', part) for part in parts), file
        assert len(file) < 120, f"{file} is too long for Windows, which counts the folder before it, up to 260 letters"


WITHOUT = """
import os, signal, sys
for name in ("fork", "forkpty", "killpg", "setsid"):
    delattr(os, name)
for name in ("SIGALRM", "alarm", "setitimer", "getitimer", "ITIMER_REAL", "SIGUSR1"):
    delattr(signal, name)
import minigrad as torch, viz
sys.modules |= dict.fromkeys(("fcntl", "resource", "termios", "pwd", "grp"))
w = torch.tensor([1.0, 2.0], requires_grad=True)
y = (w * w).sum()
y.backward()
viz.draw(y)._repr_mimebundle_()
viz.step(y)
with viz.clinic():
    print(viz.clinic.explain(RuntimeError("a leaf Variable that requires grad is being used")))
viz.exercise("relu_backward")
print(w.grad)
"""


def test_minigrad_and_viz_need_nothing_that_only_posix_has():
    ran = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, encoding="utf-8", cwd=ROOT, check=False)
    assert ran.returncode == 0 and ran.stdout.endswith("tensor([2., 4.])\n"), ran.stderr

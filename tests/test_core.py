"""The core alone: core/ and ops/ without the rest find the first and second derivatives of every operator.

Run in a process of its own, in which the package `minigrad` is an empty shell: whatever the core imported from
elsewhere would be seen.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import minigrad
from minigrad.core.record import function_of
from minigrad.core.rules import Rule

PACKAGE = Path(minigrad.__file__).parent
WALK = PACKAGE / "core" / "__main__.py"
CORE = sorted({*(PACKAGE / "core").glob("*.py")} - {WALK})

PROGRAM = """
import sys, types
package = types.ModuleType("minigrad")
package.__path__ = [sys.argv[1]]
sys.modules["minigrad"] = package
sys.path.insert(0, sys.argv[2])
import core_alone
core_alone.main()
"""


def test_the_core_alone_differentiates_every_operator_twice() -> None:
    tests = Path(__file__).parent
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM, str(PACKAGE), str(tests)]
    ran = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert ran.returncode == 0, ran.stderr
    print(ran.stdout)


@pytest.mark.parametrize(
    ("slopes", "said"),
    [
        ({"othr": lambda F, grad: grad}, r"twice has no input 'othr', only \('self',\)"),
        (
            {"self": lambda F, grad, selv: grad},
            r"twice's slope for self asks for {'selv'}, which nobody has; "
            r"it may ask for \['result', 'self', 'self_sizes', 'times'\]",
        ),
        ({"self": lambda F, grad, i: grad}, "asks for {'i'}"),  # that is for `*tensors`
    ],
)
def test_a_slope_for_or_from_what_nobody_has_fails_where_it_is_written(slopes: Any, said: str) -> None:
    def twice(xp: Any, self: Any, *, times: int = 2) -> Any:
        return self * times

    with pytest.raises(TypeError, match=said):
        Rule(twice, "TwiceBackward0").slope(**slopes)


def test_no_name_of_an_input_or_output_has_a_hidden_meaning() -> None:
    """Stated in the call of `op`: `fixed`, how many inputs keep their type; `each`, that all outputs have gradients."""

    def chosen(xp: Any, condition: Any, self: Any) -> Any:
        return self, self

    plain = Rule(chosen, "", outputs=("result0", "result1"))
    assert (plain.fixed, plain.each) == (0, False)
    special = Rule(chosen, "", outputs=("one", "other"), each=True, fixed=1)
    assert (special.fixed, special.each) == (1, True)


def walk(*options: str) -> str:
    """What `python -m minigrad.core` prints."""
    command = [sys.executable, *options, "-m", "minigrad.core"]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True, cwd=PACKAGE.parent).stdout


def test_the_walk_shows_what_an_operator_and_backward_do_in_order() -> None:
    lines = walk("-X", "utf8").splitlines()
    calls = [line.split() for line in lines if line.startswith("   ") and "(" in line and "# " not in line]
    names = [(words[0], words[1].partition("(")[0]) for words in calls]
    story = ["method", "function", "call", "settle", "compute", "the", "wrap", "record", "connect", "needs_along"]
    story += ["to_save", "pack", "backward", "make_pass", "run", "arrive", "send", "gradients", "arguments", "unpack"]
    story += ["release", "arrive_leaves"]
    coming = iter(names)
    assert [name for name in story if not any(each == name for _, each in coming)] == []
    assert [name for file, name in names if file == "record.py"].count("call") == 3
    assert lines[-1] == "y = 15.0, and its derivative with respect to w is 8.0: b + a, or 3 + 5."
    assert not [line for line in lines if " at 0x" in line]


NOT_NEEDED = {  # for numbers that are read once and that are of one size
    "engine.py": {"around_node", "retain", "fit"},
    "record.py": set(),
    "forms.py": {"recorded_unpack", "result"},  # for create_graph=True
}


@pytest.mark.parametrize("file", NOT_NEEDED)
def test_the_walk_shows_every_function_that_it_needs(file: str) -> None:
    written = ast.parse((PACKAGE / "core" / file).read_text("utf-8")).body
    functions = {node.name for node in written if isinstance(node, ast.FunctionDef)}
    printed = walk("-X", "utf8")
    assert {name for name in functions if f"{file}  {name}(" not in printed} == NOT_NEEDED[file]


SLOW = """
import sys
sys.path.insert(0, sys.argv[1])
import minigrad as torch
from minigrad.core import record
from minigrad._call.operators import FAST

calls = []
plain = record.call
record.call = lambda rule, *given: calls.append(rule.name) or plain(rule, *given)
w = torch.tensor([1.0, 2.0], requires_grad=True)
x = torch.tensor([3.0, 4.0])
y = torch.stack([(w + x) * (w + 1)]).sum()
y.backward()
print(FAST, torch.__file__.startswith(sys.argv[1]), calls, w.grad.tolist())
"""


def test_without_the_files_of_the_fast_path_every_operator_goes_through_call(tmp_path: Path) -> None:
    """And no variable is set. `python -m tests.worlds fast-path-deleted` runs other tests so."""
    shutil.copytree(PACKAGE, tmp_path / "minigrad", ignore=shutil.ignore_patterns("__pycache__", "fast*.py"))
    environ = {name: value for name, value in os.environ.items() if name not in ("MINIGRAD_FAST", "PYTHONPATH")}
    command = [sys.executable, "-c", SLOW, str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, encoding="utf-8", env=environ, check=False, cwd=tmp_path)
    assert ran.stdout == "False True ['add', 'add', 'mul', 'stack', 'sum'] [6.0, 9.0]\n", ran.stderr


def imported(file: Path) -> set[str]:
    """The modules that a file imports, anywhere in it; those of its own package with a dot for each level."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found.add("." * node.level + (node.module or ""))
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return found


def test_the_core_imports_numpy_and_itself() -> None:
    standard = {*sys.stdlib_module_names, "numpy"}
    for file in CORE:
        own = {f".{other.stem}" for other in CORE}
        foreign = {name for name in imported(file) if name not in own and name.split(".")[0] not in standard}
        assert not foreign, f"{file.name} imports {foreign}"


def test_the_functions_of_the_core_take_no_more_inputs_than_their_rows() -> None:
    """`acos(x, "a")` would give NotImplemented, which is what the second operand of `x + "a"` is asked for."""
    for rule in minigrad.ops.TABLE.values():
        if not rule.variadic:
            given = "takes 1 positional argument but" if len(rule.inputs) == 1 else "positional arguments but"
            with pytest.raises(TypeError, match=f"{given} {len(rule.inputs) + 1} were given"):
                function_of(rule)(*[None] * (len(rule.inputs) + 1))


def test_the_core_is_read_in_an_evening() -> None:
    lines = {file.name: file.read_text("utf-8").splitlines() for file in CORE}
    assert sum(map(len, lines.values())) <= 1000
    for name, text in lines.items():
        assert len(text) <= 200, f"{name} has {len(text)} lines"
        assert max(map(len, text)) <= 100, name


def test_the_order_of_reading_is_that_of_the_imports() -> None:
    """Each file of the core imports those before it in the order that core/__init__.py names, wherever it does."""
    text = (PACKAGE / "core" / "__init__.py").read_text("utf-8")
    order = [line.split()[0] for line in text.splitlines() if line.startswith("    ") and ".py " in line]
    assert sorted(order) == sorted(file.name for file in CORE if file.name != "__init__.py")
    for file in CORE:
        for name in imported(file):
            if name.startswith("."):
                assert order.index(name[1:] + ".py") < order.index(file.name), (file.name, name)

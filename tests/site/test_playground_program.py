"""Python's side of the playground, without a browser: what a program says, in which order, and that it never fails.

Each program has a Python of its own here, too: program/ changes what `input`, `IPython` and `torch` are.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.site

ROOT = Path(__file__).parents[2]
PLAYGROUND = ROOT / "site" / "playground"
DRIVER = """
import importlib.util, json, sys
place = sys.argv[1]
spec = importlib.util.spec_from_file_location("_playground", place + "/__init__.py", submodule_search_locations=[place])
program = sys.modules["_playground"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(program)
said = []
program.get_ready(lambda kind, data: said.append([kind, json.loads(data)]), "en", sys.argv[2] == "practise")
source, *names = json.load(sys.stdin)
program.run(source)
for name in names:
    program.show(name)
print("\\x00" + json.dumps(said))
"""


def said(source, *names, practise=""):
    """What the program printed, on each stream, and its messages as [kind, data]."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", DRIVER, PLAYGROUND / "program", practise],
        input=json.dumps([source, *names]),
        capture_output=True,
        encoding="utf-8",
    )
    printed, _, messages = done.stdout.partition("\x00")
    assert messages, done.stderr
    return printed, done.stderr, json.loads(messages)


def code_of(path):
    source = path.read_text(encoding="utf-8")
    return source if path.suffix == ".py" else re.search(r"^```python\n(.*?)^```", source, re.M | re.S)[1]


EXAMPLES = [*sorted((PLAYGROUND / "examples").glob("*.py")), *sorted((ROOT / "site" / "gallery").glob("w*.md"))[::5]]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_drawn_and_stepped_through(path):
    _, errors, messages = said(code_of(path))
    kinds = [kind for kind, _ in messages]
    assert kinds[-2:] == ["ran", "graph"] and "Error" not in errors
    graph = messages[-1][1]
    assert graph["svg"].startswith("<svg") and graph["alt"] and json.loads(graph["steps"])["events"]
    assert "no_steps" not in graph and "no_picture" not in graph


def test_another_tensor_is_shown_and_a_name_that_is_none_changes_nothing():
    source = "import torch\nw = torch.ones(2, requires_grad=True)\na = w * 2\ny = a.sum()\ny.backward()"
    messages = said(source, "a", "no such name")[2]
    last, a, none = (data for kind, data in messages if kind == "graph")
    assert (last["chosen"], last["names"], last["backward"]) == ("y", ["a", "y"], True)
    assert a["chosen"] == "a" and a["alt"].startswith("a = MulBackward0 of w and 2.")
    assert none == {"chosen": "no such name"}


def test_a_folded_box_says_where_it_is_and_opens():
    source = "import torch\nw = h = torch.ones(1, requires_grad=True)\nfor _ in range(30): h = h * 2\nh.backward()"
    (first,) = [data for kind, data in said(source)[2] if kind == "graph"]
    ((name, left, top, width, height),) = first["doors"]
    wide, high = map(float, re.search(r'width="([\d.]+)" height="([\d.]+)"', first["svg"]).groups())
    assert name == "mul" and 0 < left < left + width < wide and 0 < top < top + height < high


def test_practice_leaves_nothing_behind():
    source = (
        "import torch\nprint(torch.initial_seed() > 9, [n for n in globals() if n[0] != '_'])\ntorch.manual_seed(0)\n"
    )
    source += "print(torch.rand(2))"
    assert said(source)[0] == said(source, practise="practise")[0] == "True ['torch']\ntensor([0.4963, 0.7682])\n"


def test_an_error_tells_its_line_its_words_and_the_graph_of_the_pass_that_failed():
    source = "import torch\nw = torch.ones(2, requires_grad=True)\na = w * 2\nb = (a * a).sum()\na += 1\nb.backward()"
    ran, graph = said(source)[2]
    assert (ran[1]["line"], ran[1]["name"]) == (6, "RuntimeError") and "_playground" not in ran[1]["error"]
    assert [line[3] for line in ran[1]["clinic"]["lines"]] == [4, 5, 6]
    assert ran[1]["clinic"]["svg"].startswith("<svg") and graph[1]["chosen"] == "b"
    steps = json.loads(graph[1]["steps"])["events"]
    assert steps[-1]["words"] == "Line 6 stops with an error: RuntimeError." and "Done" not in json.dumps(steps)


@pytest.mark.parametrize(
    "source, places",
    [
        ("x = 1\ny = (1.0\n", ["program.py 2"]),
        ("import torch\nx = torch.ones(2).cuda()", ["program.py 2"]),
        ("import torch\ndef f():\n    return torch.ones(2) @ torch.ones(3)\nf()", ["program.py 4", "program.py 3"]),
        ("import torch\nlayer = torch.nn.Linear(2, 1)\nlayer(torch.ones(3))", ["program.py 3"]),
        ("import json\njson.loads('{')", ["program.py 2", "__init__.py", "decoder.py", "decoder.py"]),
        ("import numpy\nnumpy.linalg.inv(numpy.zeros((2, 2)))", ["program.py 2", "_linalg.py", "_linalg.py"]),
        # the reader's code, called by ours and by Python's
        ("import torch\nw = torch.ones(1, requires_grad=True)\nw.register_hook(lambda g: 1 / 0)\nw.sum().backward()",
         ["program.py 4", "program.py 3"]),
        ("import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x.cuda()\n"
         "Net()(torch.ones(1))", ["program.py 5", "program.py 4"]),
        ("import functools\nfunctools.reduce(lambda a, b: a / b, [1, 0])", ["program.py 2", "program.py 2"]),
        ("try:\n    1 / 0\nexcept Exception as error:\n    import torch\n    raise ValueError('why') from error",
         ["program.py 2", "program.py 5"]),
        ("open('helper.py', 'w').write('def f(): return [][1]')\nimport sys\nsys.path.insert(0, '')\nimport helper\n"
         "helper.f()", ["program.py 5", "helper.py"]),
    ],
)  # fmt: skip
def test_a_traceback_has_the_readers_lines_and_no_frame_of_ours(source, places, tmp_path, monkeypatch):
    """A reader saw a frame of python314.zip above a SyntaxError, and one of `<minigrad to_device>` under `.cuda()`."""
    monkeypatch.chdir(tmp_path)
    (told,) = [data["error"] for kind, data in said(source)[2] if kind == "ran"]
    found = re.findall(r'File "([^"]*)", line (\d+)', told)
    assert [
        f"{Path(file).name} {number}" if file == "program.py" else Path(file).name for file, number in found
    ] == places
    assert told.startswith("Traceback (most" if "SyntaxError" not in told else '  File "program.py", line 2')


@pytest.mark.parametrize(
    "source, printed, errors",
    [
        ("%matplotlib inline\nx = 1\n    !ls\nx", None, "IndentationError"),
        ("%time\nif True:\n    !ls\n2 + 2", "4\n", "Left out: line 1, 3. Only a notebook knows such commands.\n"),
        ("2 + 2;", "", ""),
        ("None", "", ""),
        ("from IPython.display import display, clear_output\ndisplay('a', [1])", "a\n[1]\n", ""),
        ("import sys\nsys.exit('why')", "", "why\n"),
        ("from __future__ import annotations\ndef f(x: nothing): pass\nprint(__name__, f.__annotations__)",
         "__main__ {'x': 'nothing'}\n", ""),
    ],
)  # fmt: skip
def test_what_programs_from_notebooks_and_files_print(source, printed, errors):
    out, told, messages = said(source)
    if printed is None:
        assert errors in messages[0][1]["error"]
    else:
        assert (out, told) == (printed, errors)


def test_pictures_and_plots_are_said_when_they_are_shown():
    source = "import torch, viz\nfrom IPython.display import display\nimport matplotlib.pyplot as plt\n"
    source += "w = torch.ones(1, requires_grad=True)\ny = w * 2\ndisplay(viz.draw(y))\ndisplay(viz.step(y))\n"
    source += "plt.plot([1, 2]); plt.xlabel('time'); plt.show()\nwith viz.live() as plot:\n    plot.update(loss=1.0)\n"
    source += "plt.plot([2, 1])\nplt.title('second');"
    messages = said(source)[2]
    assert [kind for kind, _ in messages] == ["picture", "steps", "plot", "plot", "plot", "ran", "graph"]
    plots = [data for kind, data in messages if kind == "plot"]
    assert [plot["alt"] for plot in plots] == [
        "Figure. x: time (1 lines)", "live plot. loss: 1 points, from 1 to 1.", "Figure. second (1 lines)",
    ]  # fmt: skip
    assert len({plot["name"] for plot in plots}) == 3 and all(plot["png"].startswith("iVBOR") for plot in plots)


def test_what_a_page_of_ours_needs_is_quiet_where_there_is_too_much(monkeypatch, capsys):
    import minigrad as torch
    import viz
    from viz.stepper import record

    monkeypatch.setattr(record, "MOST", 3)
    w = torch.ones(1, requires_grad=True)
    for quiet in (True, False):
        with viz.record(quiet=quiet) as tape:
            w * 2 * 3 * 4 * 5
        assert tape.too_many and ("too many" in capsys.readouterr().err) == (not quiet)

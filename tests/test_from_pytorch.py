"""Each line of "Coming from PyTorch" in the documentation: what it says is here, missing or different is so.

The lines are in site/docs/pytorch.toml. Every program runs on minigrad, and with `pytest -m torch` on PyTorch, too.
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINES = tomllib.loads((ROOT / "site" / "docs" / "pytorch.toml").read_text("utf-8"))["line"]
ERROR = re.compile(r"^\w+Error: .*\Z", re.MULTILINE)
# All programs in one process, in which `import torch` means the library
RUN = """
import contextlib, io, json, sys, warnings

if sys.argv[1] == "minigrad":
    import minigrad

    minigrad.install_as_torch()
import torch

warnings.simplefilter("ignore")
found = []
for code in json.load(sys.stdin):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(code, "program", "exec"), {"torch": torch, "__name__": "__main__"})
        except Exception as error:
            print(f"{type(error).__name__}: {str(error).splitlines()[0]}")
    found.append(printed.getvalue().strip("\\n"))
print(json.dumps(found))
"""


@pytest.fixture(scope="module", params=["minigrad", pytest.param("torch", marks=pytest.mark.torch)])
def outcomes(request):
    """The library, and what each program prints on it, with the first line of the error that ends it."""
    if request.param == "torch":
        pytest.importorskip("torch", reason='needs the real PyTorch: pip install "torch==2.13.0"')
    codes = json.dumps([line["code"] for line in LINES])
    command = [sys.executable, "-X", "utf8", "-c", RUN, request.param]
    done = subprocess.run(command, input=codes, capture_output=True, encoding="utf-8", cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return request.param, json.loads(done.stdout)


@pytest.mark.parametrize("line", LINES, ids=[re.sub(r"\W+", "-", line["says"])[:50] for line in LINES])
def test_a_program_does_what_the_page_says(line, outcomes):
    library, printed = outcomes
    expected = line.get("torch", line["prints"]) if library == "torch" else line["prints"]
    assert printed[LINES.index(line)] == expected.strip("\n")


@pytest.mark.parametrize("line", LINES, ids=[re.sub(r"\W+", "-", line["says"])[:50] for line in LINES])
def test_a_line_stands_below_the_right_heading(line):
    ours, theirs = line["prints"].strip("\n"), line.get("torch", line["prints"]).strip("\n")
    fails = bool(ERROR.search(ours)) and not ERROR.search(theirs)
    assert line["kind"] == ("here" if ours == theirs else "missing" if fails else "different")
    assert len({each["says"] for each in LINES}) == len(LINES)

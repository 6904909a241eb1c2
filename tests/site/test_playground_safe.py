"""The playground holds every program: endless ones, those that take all memory, and those that want to get out.

Each page is served by a plain static server under a path. The programs that try to get out are in hostile.py.
"""

from __future__ import annotations

import re

import pytest

from tests.site import hostile

pytestmark = pytest.mark.site
STORED = "async () => [localStorage.length, (await indexedDB.databases()).length, (await caches.keys()).length]"
WRONG = "script, image, use, a, foreignObject, [onload], [onclick]"  # what a drawing of ours never has


# -- programs that do not end -----------------------------------------------------------------------


def responsive(page) -> float:
    """The longest pause of the page in a second, in milliseconds."""
    return page.evaluate(
        """() => new Promise((resolve) => { let last = performance.now(), worst = 0; const from = last;
        const tick = () => { const now = performance.now(); worst = Math.max(worst, now - last); last = now;
          if (now - from > 1000) resolve(worst); else setTimeout(tick, 5); }; tick(); })"""
    )


def test_stop_ends_an_endless_loop_and_the_page_never_freezes(play):
    opened = play(code="print('in')\nwhile True:\n    pass")
    opened.wait("Running")
    assert responsive(opened.page) < 500
    assert opened.printed == "in\n"
    opened.page.click("#stop")
    opened.wait("Stopped", 3)
    assert opened.run("print(6 * 7)").startswith("Done") and opened.printed == "42\n"


def test_a_program_has_a_time_limit(play):
    opened = play("?limit=2", code="while True:\n    pass")
    opened.wait("Stopped after 2 s, the time that a program has here.", 90)


def test_run_while_running_starts_anew(play):
    opened = play(code="while True: pass")
    opened.wait("Running")
    opened.write("print('second')")
    opened.page.click("#run")
    opened.wait("Done")
    assert opened.printed == "second\n"


def test_an_endless_print_is_cut_and_stopped(play):
    opened = play("?limit=5", code="while True:\n    print('x' * 99)")
    opened.wait("Running")
    assert responsive(opened.page) < 1000
    opened.wait("Stopped", 60)
    assert len(opened.printed) < 400_000 and opened.printed.endswith("The rest of the text is left out.")
    assert opened.run("print('calm')").startswith("Done") and opened.printed == "calm\n"


@pytest.mark.parametrize(
    "code, line",
    [
        ("kept = []\nwhile True:\n    kept.append(bytearray(50_000_000))", 3),
        ("import numpy as np\nkept = []\nwhile True:\n    kept.append(np.ones(10_000_000))", 4),
        ("import torch\nx = torch.ones(4_000_000_000)", 2),
    ],
)
def test_endless_memory_is_an_error_of_python(play, code, line):
    opened = play(code=code)
    opened.wait("in line|Stopped|ended")
    assert re.fullmatch(rf"\w*(MemoryError|RuntimeError|ValueError) in line {line}\.", opened.status)
    assert opened.run("print('enough')").startswith("Done") and opened.printed == "enough\n"


def test_a_frame_that_does_not_answer_is_replaced(play):
    """As after a program that takes all memory of the frame's process by JavaScript: the browser ends that process."""
    opened = play(code="print(1)")
    opened.wait("Done")
    box = next(frame for frame in opened.page.frames if "box.html" in frame.url)
    box.evaluate("() => { setTimeout(() => { for (;;); }, 50); }")
    opened.write("print(2)")
    opened.page.wait_for_timeout(100)
    opened.page.click("#run")
    assert responsive(opened.page) < 1000
    opened.wait("did not answer any more")
    assert opened.run("print(3)").startswith("Done") and opened.printed == "3\n"


# -- from program to program ------------------------------------------------------------------------

SPOIL = """import sys, builtins, os, random, warnings
import numpy as np, torch
torch.manual_seed(5); np.random.seed(5); random.seed(5)
torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
torch.Tensor.spoiled = True
builtins.spoiled = True
sys.modules["spoiled"] = sys
sys.path.insert(0, "/spoiled"); os.environ["SPOILED"] = "1"; open("spoiled.txt", "w").close()
sys.stdout.write = None
""".replace("sys.stdout.write = None\n", "spoiled_name = 1\nprint('spoiled')\n")
LOOK = """import sys, os, torch, builtins
print([n for n in ("spoiled", "spoiled_name") if n in globals() or hasattr(builtins, n)])
print(hasattr(torch.Tensor, "spoiled"), "spoiled" in sys.modules, "/spoiled" in sys.path, "SPOILED" in os.environ)
print(os.path.exists("spoiled.txt"), torch.get_default_dtype(), torch.is_grad_enabled(), torch.initial_seed() == 5)
print(__name__, sorted(n for n in globals() if not n.startswith("__")))
"""


def test_nothing_of_a_program_is_left_for_the_next(play):
    opened = play(code=SPOIL)
    opened.wait("Done")
    assert opened.printed == "spoiled\n"
    opened.run(LOOK)
    assert opened.printed.split("\n")[:4] == [
        "[]",
        "False False False False",
        "False torch.float32 True False",
        "__main__ ['builtins', 'os', 'sys', 'torch']",
    ]  # fmt: skip


def test_the_same_seed_gives_the_same_numbers_as_a_fresh_start(play):
    code = "import torch\ntorch.manual_seed(0)\nprint(torch.rand(3))"
    opened = play(code=code)
    opened.wait("Done")
    first = opened.printed
    opened.run(code)
    assert opened.printed == first == "tensor([0.4963, 0.7682, 0.0885])\n"


# -- programs that want to get out --------------------------------------------------------------------


def test_python_reaches_no_server_and_no_storage(play, watched, own, served):
    opened = play(code=hostile.by_python(served), complains=True)
    opened.wait("Done")
    opened.page.wait_for_timeout(1000)
    lines = opened.printed.split("\n")
    assert len([line for line in lines if line.startswith("refused ")]) == 9 and "GOT OUT" not in opened.printed
    assert not watched[1] and not [path for path in own if "stolen" in path]


def test_javascript_reaches_no_server_no_storage_and_no_other_page(play, watched, own, served, browser):
    opened = play(code=hostile.reaching_out(served, watched[0]), complains=True)
    page = opened.page
    page.evaluate(
        "() => { window.heard = []; new BroadcastChannel('minigrad').onmessage = (e) => heard.push(e.data); }"
    )
    opened.wait_for(lambda: "end: of attempts" in opened.printed)
    told = [line for line in opened.printed.split("\n") if ": " in line]
    assert len(told) > 25 and [line for line in told if not line.endswith((": refused", "end: of attempts"))] == []
    assert not watched[1] and not [path for path in own if "stolen" in path]
    assert page.evaluate("() => heard") == []
    assert page.evaluate(STORED) == [0, 0, 0]


def test_forged_messages_show_no_html_run_no_script_and_ask_nobody(play, watched, own):
    opened = play(code=hostile.forging(watched[0]), complains=True)
    opened.wait_for(lambda: "forged all" in opened.printed)
    opened.page.wait_for_timeout(1500)
    for frame in opened.page.frames:
        assert frame.evaluate("() => window.stolen") is None
        if "steps.html" in frame.url:
            assert frame.evaluate(f"() => document.querySelectorAll('{WRONG}').length") == 1  # our own script
            assert "stolen?" not in frame.evaluate("() => document.querySelector('#steps svg')?.outerHTML ?? ''")
    assert opened.page.locator("#results b, #results script").count() == 0
    assert not watched[1] and not [path for path in own if "stolen" in path]
    assert opened.run("print('still here')").startswith("Done") and opened.printed == "still here\n"


def test_a_flood_of_messages_ends_its_worker_alone(play):
    opened = play(code=hostile.FLOOD, complains=True)
    opened.wait("more than this page can hold", 60)
    assert responsive(opened.page) < 1500
    assert opened.run("print('dry')").startswith("Done") and opened.printed == "dry\n"


def test_the_page_can_be_reached_from_neither_frame(play):
    opened = play(code="print(1)")
    opened.wait("Done")
    box = next(frame for frame in opened.page.frames if "box.html" in frame.url)
    assert box.evaluate("() => self.origin") == "null"
    for wish in ("parent.document", "localStorage", "document.cookie"):
        assert (
            box.evaluate(f"() => {{ try {{ return String({wish}) }} catch (error) {{ return error.name }} }}")
            == "SecurityError"
        )

"""The playground in Firefox: a program, Stop, an error, and a program that wants to get out."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from tests.browser.firefox import firefox
from tests.site import hostile
from tests.site.playing import Play, link

pytestmark = [
    pytest.mark.site,
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),  # the driver leaves them
]


class InFirefox(Play):
    """The playground in a Firefox that Marionette drives."""

    def __init__(self, browser, address):
        self.browser, self.address = browser, address
        wait = lambda ms: time.sleep(ms / 1000)  # noqa: E731
        self.page = SimpleNamespace(wait_for_timeout=wait, inner_text=lambda name: self.look(f"'{name}'", ".innerText"))

    def look(self, selector, what):
        return self.browser.execute_script(f"return document.querySelector({selector})?{what}")

    def open(self, code):
        self.browser.navigate("about:blank")
        self.browser.navigate(f"{self.address}play/{link(code)}")

    @property
    def status(self):
        return self.look("'#status'", ".textContent") or ""

    @property
    def printed(self):
        return self.look("'.output pre'", ".textContent") or ""


@pytest.fixture(scope="module")
def fox(served, site):
    if not (site / "play" / "index.html").exists():
        pytest.skip("the build left the playground out: see its last lines")
    with firefox() as browser:
        yield InFirefox(browser, served)


def test_a_program_is_printed_drawn_and_stepped_through(fox):
    fox.open("import torch\nw = torch.tensor(2.0, requires_grad=True)\n(w * w).backward()\nprint(w.grad)")
    fox.wait("Done")
    assert fox.printed == "tensor(4.)\n"
    fox.wait_for(lambda: float((fox.look("'iframe.steps'", ".style.height") or "0px").removesuffix("px")) > 200)


def test_stop_ends_an_endless_loop(fox):
    fox.open("print('in')\nwhile True: pass")
    fox.wait("Running")
    fox.look("'#stop'", ".click()")
    fox.wait("Stopped", 5)
    assert fox.printed == "in\n"


def test_an_error_names_its_line(fox):
    fox.open("import torch\nw = torch.ones(2, requires_grad=True)\nw += 1")
    assert fox.wait("in line") == "RuntimeError in line 3."
    assert "What to do" in fox.look("'.clinic'", ".innerText")


def test_after_an_edit_the_results_are_marked_as_earlier_ones(fox):
    fox.open("print('before')")
    fox.wait("Done")
    fox.look("'.cm-content'", ".focus()")
    fox.browser.execute_script("document.execCommand('insertText', false, '# ')")
    fox.wait_for(lambda: "press Run" in (fox.look("'#stale'", ".textContent") or ""))
    fox.look("'#run'", ".click()")
    fox.wait_for(lambda: not fox.look("'#stale'", ".textContent"))
    fox.wait("Done")
    assert fox.printed == ""  # the only line is a comment now


def test_endless_memory_is_an_error_of_python(fox):
    fox.open("kept = []\nwhile True:\n    kept.append(bytearray(50_000_000))")
    assert fox.wait("in line|Stopped") == "MemoryError in line 3."


def test_javascript_reaches_no_server_no_storage_and_no_other_page(fox, served, watched, own):
    fox.open(hostile.reaching_out(served, watched[0]))
    fox.wait_for(lambda: "end: of attempts" in fox.printed)
    told = [line for line in fox.printed.split("\n") if ": " in line]
    assert len(told) > 25 and [line for line in told if not line.endswith((": refused", "end: of attempts"))] == []
    assert not watched[1] and not [path for path in own if "stolen" in path]

"""Drives the playground's page in Chromium, for test_playground.py.

    play = Play(visit("play/" + link("print(1)")))
    play.wait("Done")

Imports the standard library alone.
"""

from __future__ import annotations

import base64
import re
import time
import zlib

PATIENCE = 90  # seconds, on a busy machine


def link(code: str) -> str:
    """The fragment in which a link holds this program."""
    small = zlib.compressobj(9, wbits=-15)
    packed = small.compress(code.encode()) + small.flush()
    return "#c=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def unpacked(fragment: str) -> str:
    """The program in a fragment."""
    letters = fragment.partition("c=")[2]
    return zlib.decompress(base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4)), wbits=-15).decode()


class Play:
    """An open playground."""

    def __init__(self, page):
        self.page = page

    @property
    def status(self) -> str:
        return self.page.inner_text("#status")

    @property
    def printed(self) -> str:
        """What the program has printed."""
        found = self.page.locator(".output pre")
        return found.inner_text() if found.count() else ""

    @property
    def code(self) -> str:
        """The program in the editor."""
        lines = self.page.locator(".cm-line")
        return "\n".join(text.replace("\u200b", "") for text in lines.all_text_contents())

    def wait(self, status: str, seconds: float = PATIENCE) -> str:
        """Wait for a status that this pattern finds."""
        until = time.monotonic() + seconds
        while not re.search(status, self.status):
            assert time.monotonic() < until, f"{self.status!r}; {self.page.inner_text('#shown')[-2000:]}"
            self.page.wait_for_timeout(50)
        return self.status

    def wait_for(self, what, seconds: float = PATIENCE):
        """Wait until `what()` is true."""
        until = time.monotonic() + seconds
        while not what():
            assert time.monotonic() < until, f"{self.status!r}; {self.page.inner_text('#shown')[-2000:]}"
            self.page.wait_for_timeout(50)

    def write(self, code: str) -> None:
        """Replace the program in the editor; on a busy machine a key may come before the editor has the focus."""
        for _ in range(5):
            self.page.click(".cm-content")
            self.page.keyboard.press("ControlOrMeta+a")
            self.page.keyboard.insert_text(code)
            if self.code == code:
                return
        raise AssertionError(f"the editor has {self.code!r}")

    def run(self, code: str, status: str = "Done|Error|Exception|Stopped|ended") -> str:
        """Run this program, and wait until it has ended."""
        self.write(code)
        self.page.click("#run")
        self.page.evaluate("() => { document.getElementById('status').textContent += ''; }")
        self.wait("Python starts|Loading|Running|" + status)
        return self.wait(status)

"""Output of a live plot in a plain script: a file at the end, shown on the screen if there is one.

Nothing is painted earlier, so the loop loses no time. Imports PIL when the picture is shown. Read live.py next.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from types import FrameType


def script_of(frame: FrameType) -> str:
    """The name of the program, without its ending, if `frame` is in the file that Python was started with; else ""."""
    if frame.f_globals.get("__name__") != "__main__" or sys.flags.interactive:
        return ""
    return Path(str(frame.f_globals.get("__file__", ""))).stem


class AtTheEnd:
    """Saves the last picture, prints its path, and opens it in a window if there is a screen."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, png: bytes, alt: str, size: tuple[int, int]) -> None:
        path = Path(tempfile.mkdtemp(prefix="viz-"), f"{self.name[:200]}.png")
        path.write_bytes(png)
        print(f"{alt} The picture: {path}", file=sys.stderr, flush=True)
        if has_screen():
            from PIL import Image

            with Image.open(path) as picture:
                picture.show(title=self.name)


def has_screen() -> bool:
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))

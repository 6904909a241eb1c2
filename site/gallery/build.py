"""Build the gallery: a page for each question, and the site's first page.

python site/gallery/build.py OUT
"""

from __future__ import annotations

import sys
from pathlib import Path


def build(out: Path, *, runtime: Path | None = None, address: str = "") -> list[str]:
    """Write the gallery's pages below `out`."""
    (out / "gallery").mkdir(parents=True, exist_ok=True)
    (out / "index.html").write_text("<!doctype html><html lang=en><title>minigrad</title><h1>minigrad</h1>", "utf-8")
    return []


if __name__ == "__main__":
    build(Path(sys.argv[1]))

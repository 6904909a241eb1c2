"""Build the gallery: a page for each question, its preview pictures, and the site's first page.

    python site/gallery/build.py OUT

Each page is one document that needs no other file, no Python and no server. Its program runs here, on minigrad, so that
the printed text and the picture are what the program does. The build stops if a program prints something other than
its file says, if a check of the answer is not true, or if a page is larger than MOST.

Imports minigrad, viz, Pygments, and the files beside it. Read source.py first, then program.py and pages.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

SITE = str(Path(__file__).resolve().parents[1])
sys.path.insert(0, SITE)
try:
    from gallery.pages import MOST, first_page, question_page
    from gallery.pictures import Shown
    from gallery.source import questions
finally:
    sys.path.remove(SITE)


def build(out: Path, *, runtime: Path | None = None, address: str = "") -> list[str]:
    """Write the gallery's pages below `out`."""
    folder = out / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    asked = questions()
    shown = [Shown(question) for question in asked]
    parts = {part for part in ("play", "lab", "docs") if (out / part / "index.html").exists()}
    for i, one in enumerate(shown):
        around = asked[i - 1], asked[(i + 1) % len(asked)]
        page = question_page(one, around, address, parts).encode()
        if len(page) > MOST:
            raise ValueError(f"{one.question.slug}.html has {len(page):,} bytes, more than {MOST:,}")
        (folder / f"{one.question.slug}.html").write_bytes(page)
        (folder / f"{one.question.slug}.png").write_bytes(one.preview())
        (folder / f"{one.question.slug}.svg").write_text(one.still, encoding="utf-8")
        if one.moving:
            (folder / f"{one.question.slug}.moving.svg").write_text(one.moving, encoding="utf-8")
    (out / "index.html").write_bytes(first_page(shown, address, parts).encode())
    largest = max(folder.glob("*.html"), key=lambda path: path.stat().st_size)
    print(f"   {len(asked)} questions; the largest page is {largest.name}, {largest.stat().st_size:,} bytes")
    return [] if "play" in parts else ["no page links to the playground, because it is not there: no *Edit this*"]


if __name__ == "__main__":
    print(*build(Path(sys.argv[1])), sep="\n")

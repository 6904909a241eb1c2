"""The figures of the gallery: bytes of each page, and milliseconds until its picture moves, in headless Chromium.

    python -m tests.site.figures [FOLDER]     FOLDER holds a built site (default: build/site)

The time runs from the start of the navigation, with an empty cache, to the first step that the player shows by itself.
An explorer moves when the reader moves it: its time is the one after which it can be moved. The last line has the time
of an empty page in the same run. Imports playwright, server.py and ../browser/labdriver.py.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

from tests.browser import labdriver
from tests.site.server import serve

FIRST = """
new MutationObserver((_, watch) => {
    const moved = document.querySelector('.viz-step[data-step="1"], .viz-leave[data-ready]');
    if (!moved) return;
    watch.disconnect();
    requestAnimationFrame(() => { window.moved = performance.now(); });
}).observe(document, { subtree: true, childList: true, attributes: true });
"""


def first_move(browser, address: str) -> float:
    """Milliseconds from the navigation to the first picture that moves."""
    context = browser.new_context(viewport=dict(width=1280, height=800))
    page = context.new_page()
    page.add_init_script(FIRST)
    page.goto(address)
    page.locator(".live").scroll_into_view_if_needed()
    moved = page.wait_for_function("window.moved", timeout=20_000).json_value()
    context.close()
    return float(moved)


def loaded(browser, address: str) -> float:
    """Milliseconds until a page has loaded."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    took = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    context.close()
    return float(took)


def figures(folder: Path) -> list[tuple[str, int, float]]:
    """Name, bytes and milliseconds of each page; prints them."""
    pages = [folder / "index.html", *sorted((folder / "gallery").glob("*.html"))]
    (folder / "empty.html").write_text("<!doctype html><title>empty</title>", encoding="utf-8")
    found = []
    try:
        with serve(folder) as address, labdriver.chromium() as browser:
            loaded(browser, address + "empty.html")  # the first page of a browser is slower
            empty = loaded(browser, address + "empty.html")
            for path in pages:
                name = path.relative_to(folder).as_posix()
                found.append((name, path.stat().st_size, first_move(browser, address + name)))
                print(f"{name:60} {found[-1][1]:>8,} bytes {found[-1][2]:>6,.0f} ms", flush=True)
    finally:
        (folder / "empty.html").unlink()
    sizes, times = [size for _, size, _ in found], [time for *_, time in found]
    print(
        f"{len(found)} pages: at most {max(sizes):,} bytes, median {statistics.median(sizes):,.0f}; "
        f"first move after {statistics.median(times):,.0f} ms (median), {max(times):,.0f} ms (longest); "
        f"an empty page loads in {empty:,.0f} ms"
    )
    return found


if __name__ == "__main__":
    figures(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2] / "build" / "site").resolve())

"""Bytes, and seconds from the click on a lesson to its first picture, beside an empty page with Pyodide, in one run.

    python site/lite/measure.py OUT --runtime FOLDER [--lesson 01] [--times 3]

OUT is a built site. Each page is opened in a fresh profile (cold), and then again (warm), in Chromium; figures are
medians. In a lesson, "Run All" is pressed as soon as the kernel is there, and the picture is the first in an output.
The bytes are those of the cold start, and the last lines say what they are. Needs playwright.
Imports ../playground/measure.py, which has the server and the empty page.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import re
import shutil
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from build import load  # noqa: E402  (this folder is no package)

playground = load(HERE.parent / "playground" / "measure.py")
# What a lesson loads, by the names of the files; what is left is the page itself
KINDS = {
    "Python": r"/pyodide(\.asm)?\.(mjs|wasm)$|/python_stdlib\.zip$|/pyodide-lock\.json$",
    "NumPy": r"/numpy-",
    "minigrad, viz and Graphviz": r"/(minigrad|graphviz_wasm)-",
    "matplotlib": r"/(matplotlib|pillow|contourpy|cycler|kiwisolver|fonttools|pyparsing|python_dateutil|packaging)-",
    "IPython and the kernel": r"\.whl$",
    "JupyterLite's page": r"",
}
READY = ".jp-Notebook-ExecutionIndicator[data-status=idle]"
PICTURE = ".jp-OutputArea svg, .jp-OutputArea img, .jp-OutputArea .jupyter-widgets"


class Handler(playground.Handler):  # type: ignore[misc, name-defined]
    """The playground's server, which also notes the bytes of each file."""

    files: dict[str, int] = {}

    def send_header(self, keyword: str, value: str) -> None:
        super().send_header(keyword, value)
        if keyword == "Content-Length":
            self.files[self.path.partition("?")[0]] = int(value)


def by_kind(files: dict[str, int]) -> dict[str, int]:
    """The bytes of these files, for each kind."""
    found = dict.fromkeys(KINDS, 0)
    for name, size in files.items():
        found[next(kind for kind, pattern in KINDS.items() if re.search(pattern, name))] += size
    return {kind: size for kind, size in found.items() if size}


def lesson(page: Any, address: str) -> float:
    """Seconds from the click on the link to the first picture."""
    began = time.perf_counter()
    page.goto(address)
    page.wait_for_selector(READY, state="attached", timeout=240_000)
    page.locator('.lm-MenuBar-itemLabel:text-is("Run")').click()
    page.locator('.lm-Menu-itemLabel:text-is("Run All Cells")').click()
    page.wait_for_selector(PICTURE, timeout=240_000)
    return time.perf_counter() - began


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description="Measure a lesson in JupyterLite beside an empty page with Pyodide.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--runtime", type=Path)
    parser.add_argument("--lesson", default="01")
    parser.add_argument("--times", type=int, default=3)
    given = parser.parse_args()
    release = load(HERE.parent / "runtime.py").Runtime.found(given.runtime)
    (name,) = (path.name for path in (given.out / "lab" / "files").glob(f"{given.lesson}_*.ipynb"))
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright:
        shutil.copytree(given.out / "lab", Path(work) / "lab")
        empty_page(Path(work) / "empty", release)
        handler = functools.partial(Handler, directory=work)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_port}/"
        program = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        kinds = {"empty": ("empty/", playground.seconds), "lesson": (f"lab/index.html?path={name}", lesson)}
        found: dict[str, list[tuple[float, float, float]]] = {kind: [] for kind in kinds}
        files: dict[str, dict[str, int]] = {}
        for _ in range(given.times):
            for kind, (path, seconds) in kinds.items():
                context = browser.new_context()
                Handler.files.clear()
                cold = seconds(context.new_page(), base + path)
                files[kind] = dict(Handler.files)
                size = sum(files[kind].values()) / 1e6
                found[kind].append((cold, seconds(context.new_page(), base + path), size))
                context.close()
        browser.close()
        server.shutdown()
    print(f"{'page':10}{'cold':>8}{'warm':>8}{'MB':>8}    medians of {given.times}; seconds to the first picture")
    medians = {kind: [statistics.median(column) for column in zip(*rows, strict=True)] for kind, rows in found.items()}
    for kind, (cold, warm, size) in medians.items():
        print(f"{kind:10}{cold:8.2f}{warm:8.2f}{size:8.2f}")
    ratios = [ours / empty for ours, empty in zip(medians["lesson"], medians["empty"], strict=True)]
    print(f"lesson / empty: {ratios[0]:.2f} cold, {ratios[1]:.2f} warm")
    for kind, amount in by_kind(files["lesson"]).items():
        print(f"{amount / 1e6:8.2f} MB  {kind}")


def empty_page(folder: Path, release: Any) -> None:
    """A page that starts Pyodide as its release is, and nothing else."""
    folder.mkdir()
    for file in playground.CORE:
        shutil.copy(release.folder / file, folder)
    (folder / "index.html").write_text(playground.EMPTY, encoding="utf-8")
    (folder / "worker.mjs").write_text(playground.WORKER, encoding="utf-8")


if __name__ == "__main__":
    main()

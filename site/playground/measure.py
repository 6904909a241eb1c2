"""Bytes, and seconds to the first picture, beside an empty page with Pyodide: in one run, on the same busy machine.

    python site/playground/measure.py OUT --runtime FOLDER [--times 3]

OUT is a built site. Each page is opened in a fresh profile (cold) and then again (warm), in Chromium; the figures are
medians. "empty" starts Pyodide as its release is, and computes 1 + 1. "empty, compiled" starts it with the standard
library that our build has compiled: the strictest measure. Needs playwright. Imports build.py for the runtime.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import http.server
import importlib.util
import json
import shutil
import statistics
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
EMPTY = """<!doctype html><meta charset="utf-8"><title>Empty</title><link rel="icon" href="data:,">
<script type="module">
const worker = new Worker("worker.mjs", { type: "module" });
worker.onmessage = () => performance.mark("picture");
</script>"""
WORKER = """import { loadPyodide } from "./pyodide.mjs";
const python = await loadPyodide({ indexURL: new URL("./", import.meta.url).href, packages: [] });
postMessage(python.runPython("1 + 1"));"""
SMALLER = (".mjs", ".js", ".wasm", ".html", ".css", ".json")  # what static hosts compress on their way


class Handler(http.server.SimpleHTTPRequestHandler):
    """A static host: it compresses texts and WebAssembly, and lets a browser keep everything for ten minutes."""

    sent: Counter[str] = Counter()
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            return self.send_error(404)
        small = path.suffix in SMALLER
        content = compressed(path) if small else path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "max-age=600")
        if small:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(content)
        self.sent["bytes"] += len(content)

    def log_message(self, *_: object) -> None:
        pass


@functools.cache
def compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), 6)


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location("playground_build", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def empty_pages(to: Path, play: Path, runtime: Any) -> None:
    """Two pages that start Pyodide and nothing else: as released, and with our standard library."""
    for name in ("empty", "compiled"):
        folder = to / name
        folder.mkdir()
        for file in CORE:
            shutil.copy(runtime.folder / file, folder)
        lock = {"info": runtime.lock["info"], "packages": {}}
        (folder / "pyodide-lock.json").write_text(json.dumps(lock))
        (folder / "index.html").write_text(EMPTY)
        (folder / "worker.mjs").write_text(WORKER)
    (ours,) = (play / "files").glob("stdlib.*.bin")
    (to / "compiled" / "python_stdlib.zip").write_bytes(gzip.decompress(ours.read_bytes()))


def seconds(page: Any, address: str) -> float:
    """From the start of the navigation to the first picture (of an empty page: to its answer)."""
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_function("() => performance.getEntriesByName('picture').length", timeout=120_000, polling=20)
    found: float = page.evaluate("() => performance.getEntriesByName('picture')[0].startTime / 1000")
    return found


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description="Measure the playground beside an empty page with Pyodide.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--runtime", type=Path)
    parser.add_argument("--times", type=int, default=3)
    given = parser.parse_args()
    runtime = load(HERE / "build.py").runtime_module.Runtime.found(given.runtime)
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright:
        shutil.copytree(given.out / "play", Path(work) / "play")
        empty_pages(Path(work), given.out / "play", runtime)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=work))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_port}/"
        program = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        pages = {"empty": "empty/", "empty, compiled": "compiled/", "playground": "play/"}
        cold: dict[str, list[float]] = {name: [] for name in pages}
        warm: dict[str, list[float]] = {name: [] for name in pages}
        size = {}
        for _ in range(given.times):
            for name, path in pages.items():
                context = browser.new_context()
                page = context.new_page()
                Handler.sent.clear()
                cold[name].append(seconds(page, base + path))
                size[name] = Handler.sent["bytes"]
                warm[name].append(seconds(page, base + path))
                context.close()
        browser.close()
        server.shutdown()
    print(f"{'page':18}{'cold':>8}{'warm':>8}{'MB':>8}    medians of {given.times}; seconds to the first picture")
    for name in pages:
        print(
            f"{name:18}{statistics.median(cold[name]):8.2f}{statistics.median(warm[name]):8.2f}{size[name] / 1e6:8.2f}"
        )
    for name in ("empty", "empty, compiled"):
        ratios = [statistics.median(each["playground"]) / statistics.median(each[name]) for each in (cold, warm)]
        print(f"playground / {name}: {ratios[0]:.2f} cold, {ratios[1]:.2f} warm")


if __name__ == "__main__":
    main()

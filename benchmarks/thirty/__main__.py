"""`python -m benchmarks.thirty`: a page with the pictures of all models by viz, torchview, TorchVista and torchviz.

It writes build/thirty/index.html, one file that needs no other, and prints a table; with --write, the table is stored
in ../README.md. Each tool draws all models in a process of its own. The tools take turns, A, B, C, A, B, C …, and a
ratio is the median over the rounds. In the last round, the arrows are compared with those of an independent trace.
TorchVista's pictures are laid out by a browser: with playwright and Chromium, they are photographed and measured.

Imports measure; it runs the tools by command. Read ../gallery.py next.
"""

from __future__ import annotations

import argparse
import base64
import importlib.util
import json
import shutil
import subprocess
import sys
from html import escape
from pathlib import Path
from statistics import median
from typing import Any

from ..report import load, machine, table
from . import MODELS
from .measure import PAPER, plain
from .peers import TOOLS

HOME = Path(__file__).parents[2]
BEGIN, END = "<!-- thirty: begin -->", "<!-- thirty: end -->"
ROUNDS, PATIENCE = 3, 900  # PATIENCE: seconds for all pictures of one tool
NAMES = {"viz": "viz", "torchview": "torchview", "torchvista": "TorchVista", "torchviz": "torchviz"}
Measured = dict[str, dict[str, Any]]  # by title

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{count} models, drawn</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 1rem auto; max-width: 84rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }}
section {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(min(36rem, 100%), 1fr)); gap: 1rem; }}
figure {{ margin: 0; min-width: 0; }}
.still {{ height: 34rem; overflow: auto; border: 1px solid #8A8A8A; background: #FFFFFF; color-scheme: light; }}
.still img {{ max-width: 100%; }}
table {{ border-collapse: collapse; }}
td, th {{ border: 1px solid #8A8A8A; padding: 0.1rem 0.5rem; text-align: left; vertical-align: top; }}
.wide {{ overflow-x: auto; }}
</style>
<h1>{count} models, drawn</h1>
<p>{said}</p>
<div class="wide">{table}</div>
{models}
</html>
"""

SAID = (
    "Each cell says how many arrows are right of those that an independent trace finds, how large the smallest letters "
    f"are when the picture is at most {PAPER:,} pixels wide, the size of the file, and the processor time as a "
    "multiple of viz's. The arrows of viz are those between operators, weights, inputs and results, and so are "
    "torchviz's; the others draw modules, and their arrows are compared between the innermost modules. TorchVista's "
    "browser lays out the picture, which is not in the time, and makes it as small as its window."
)


def run(tool: str, folder: Path, titles: list[str], *, arrows: bool) -> Measured:
    """One round of one tool. What is missing at the end was not drawn in time."""
    command = [sys.executable, "-m", "benchmarks.thirty.measure", tool, str(folder), *titles, *["--arrows"] * arrows]
    try:
        done = subprocess.run(command, cwd=HOME, capture_output=True, encoding="utf-8", timeout=PATIENCE).stdout
    except subprocess.TimeoutExpired as late:
        done = late.stdout.decode() if isinstance(late.stdout, bytes) else late.stdout or ""
    rows = [json.loads(line) for line in done.splitlines() if line.startswith('{"title"')]
    return {row["title"]: row for row in rows}


def photograph(folder: Path, found: Measured) -> None:
    """Open TorchVista's pages, 1,280 pixels wide: measure the letters, and keep a picture."""
    from playwright.sync_api import sync_playwright

    browser_path = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": PAPER, "height": 900})
        for row in found.values():
            if "file" not in row:
                continue
            page.goto((folder / row["file"]).as_uri())
            try:
                page.wait_for_selector("svg text", state="attached", timeout=20_000)
            except Exception:
                continue
            page.wait_for_timeout(500)
            row["size"] = page.evaluate(
                "() => { const all = [...document.querySelectorAll('svg text')].filter(t => t.textContent.trim());"
                "const sizes = all.map(t => parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a);"
                "const box = [...document.querySelectorAll('svg')].map(s => s.getBoundingClientRect())"
                ".sort((a, b) => b.width * b.height - a.width * a.height)[0];"
                "return [Math.round(box.width), Math.round(box.height), Math.round(10 * Math.min(...sizes)) / 10]; }"
            )
            row["still"] = row["file"].replace(".html", ".png")
            page.screenshot(path=str(folder / row["still"]))
        browser.close()


def cell(tool: str, row: dict[str, Any] | None, ratio: float) -> str:
    """What the table says of one picture."""
    if row is None:
        return f"not within {PATIENCE} s"
    if "failed" in row:
        return row["failed"]
    said = []
    if (arrows := row.get("arrows")) is not None:
        right, lacking, false = arrows
        said.append(f"**true**, {right}" if not lacking + false else f"{right} of {right + lacking}, {false} false")
    if "size" in row:
        said.append(f"{row['size'][2]} px")
    said.append(f"{row['bytes'] / 1e3:,.0f} kB")
    said.append(f"{row['seconds'] * 1e3:,.0f} ms" if tool == "viz" else f"{ratio:.2g} ×")
    return "; ".join(said)


def figure(tool: str, row: dict[str, Any] | None, said: str, folder: Path) -> str:
    told = f"<figcaption><b>{NAMES[tool]}</b>: {escape(said.replace('**', ''))}</figcaption>"
    name = (row or {}).get("still") or (row or {}).get("file", "")
    if not name or name.endswith(".html"):
        return f"<figure>{told}</figure>"
    kind = "image/png" if name.endswith(".png") else "image/svg+xml"
    data = base64.b64encode((folder / name).read_bytes()).decode()
    picture = f'<img loading="lazy" alt="by {NAMES[tool]}" src="data:{kind};base64,{data}">'
    return f'<figure>{told}<div class="still">{picture}</div></figure>'


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.thirty", description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=HOME / "build" / "thirty")
    parser.add_argument("--write", action="store_true", help="keep the table in README.md")
    parser.add_argument("--only", default="", help="models whose title begins so")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    args = parser.parse_args()
    if args.write and args.only:
        parser.error("--write keeps a whole run: leave --only out")
    if not importlib.util.find_spec("torch"):
        parser.error("the pictures are compared on PyTorch: pip install torch")
    tools = ["viz", *(tool for tool in TOOLS if importlib.util.find_spec(tool))]
    for tool in sorted({*TOOLS} - {*tools}):
        print(f"{NAMES[tool]} is missing: pip install {tool}", file=sys.stderr)
    args.folder.mkdir(parents=True, exist_ok=True)
    titles = [title for title in MODELS if title.startswith(args.only)]
    found: dict[str, list[Measured]] = {tool: [] for tool in tools}
    before = load()
    for i in range(args.rounds):
        for tool in tools:
            print(f"round {i + 1} of {args.rounds}: {NAMES[tool]}", file=sys.stderr)
            found[tool].append(run(tool, args.folder, titles, arrows=i == args.rounds - 1))
    after = load()
    last = {tool: rounds[-1] for tool, rounds in found.items()}
    if "torchvista" in tools:
        if importlib.util.find_spec("playwright") and (shutil.which("chromium") or shutil.which("google-chrome")):
            photograph(args.folder, last["torchvista"])
        else:
            print("TorchVista's pages are not measured: playwright or Chromium is missing", file=sys.stderr)

    def ratio(tool: str, title: str) -> float:
        pairs = zip(found["viz"], found[tool], strict=True)
        times = [(ours.get(title, {}).get("seconds"), theirs.get(title, {}).get("seconds")) for ours, theirs in pairs]
        known = [theirs / ours for ours, theirs in times if ours and theirs]
        return median(known) if known else 0.0

    rows, parts = [], []
    for title in titles:
        said = {tool: cell(tool, last[tool].get(title), ratio(tool, title)) for tool in tools}
        rows.append([title, *said.values()])
        figures = "".join(figure(tool, last[tool].get(title), said[tool], args.folder) for tool in tools)
        pages = f'<a href="{plain(title)}-viz.html">viz\'s page, whose boxes open</a>'
        parts.append(f"<h2>{escape(title)}</h2>\n<p>{pages}</p>\n<section>{figures}</section>")
    rows.append(["**In total**", *(summary(tool, last[tool], [ratio(tool, t) for t in titles]) for tool in tools)])
    head = ["", *(NAMES[tool] for tool in tools)]
    print(figures := f"{table(head, rows)}\n\n{machine(['torch', *tools[1:]], (before, after))}")
    html = "".join(row_of(tag, row) for tag, row in [("th", head), *(("td", row) for row in rows)])
    page = PAGE.format(count=len(titles), said=escape(SAID), table=f"<table>{html}</table>", models="\n".join(parts))
    (args.folder / "index.html").write_text(page, encoding="utf-8")
    if args.write:
        readme = HOME / "benchmarks" / "README.md"
        above, rest = readme.read_text(encoding="utf-8").split(BEGIN)
        readme.write_text(f"{above}{BEGIN}\n{figures}\n{END}{rest.split(END)[1]}", encoding="utf-8")
    print(f"The page: {args.folder / 'index.html'}", file=sys.stderr)


def row_of(tag: str, cells: list[str]) -> str:
    """A row of an HTML table."""
    return "<tr>" + "".join(f"<{tag}>{escape(each.replace('**', ''))}</{tag}>" for each in cells) + "</tr>"


def summary(tool: str, found: Measured, ratios: list[float]) -> str:
    """How many pictures there are and are true, the median of the letters and of the kilobytes, and of the ratios."""
    drawn = [row for row in found.values() if "failed" not in row]
    compared = [row["arrows"] for row in drawn if row.get("arrows") is not None]
    true = sum(not lacking + false for _, lacking, false in compared)
    said = [f"{len(drawn)} drawn", f"{true} of {len(compared)} compared are true"]
    if letters := [row["size"][2] for row in drawn if "size" in row]:
        said.append(f"{median(letters)} px, at least {min(letters)} px")
    said.append(f"{median(row['bytes'] for row in drawn) / 1e3:,.0f} kB" if drawn else "")
    if tool != "viz" and any(ratios):
        known = sorted(ratio for ratio in ratios if ratio)
        said.append(f"{median(known):.2g} × ({known[0]:.2g} to {known[-1]:.2g})")
    return "; ".join(said)


if __name__ == "__main__":
    main()

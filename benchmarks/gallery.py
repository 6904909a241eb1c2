"""Thirteen models, drawn by viz and by other tools: `python -m benchmarks.gallery` makes build/gallery/index.html.

viz draws each model on minigrad and on PyTorch, as boxes that open and close. torchviz, torchview and TorchVista draw
it, too, where they are installed (pip install torch torchviz torchview torchvista). With --write, the table of sizes
is stored in README.md. Every other tool runs in its own process, for at most a minute. A failure shows its reason.
Imports minigrad and viz. Read models.py next.
"""

import argparse
import importlib
import importlib.util
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import viz
from viz.drawing.engine import find_engine

from .models import MODELS
from .report import load, machine, seconds, table

BEGIN, END = "<!-- gallery: begin -->", "<!-- gallery: end -->"
PATIENCE = 60  # seconds that another tool may take for a picture
HOME = Path(__file__).parents[1]

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Thirteen models, drawn</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 1rem; font: 16px/1.5 system-ui, sans-serif; }}
section {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(36rem, 1fr)); gap: 1rem; }}
figure {{ margin: 0; }}
iframe {{ width: 100%; height: 34rem; border: 1px solid #8A8A8A; }}
.still {{ height: 34rem; overflow: auto; border: 1px solid #8A8A8A; background: #FFFFFF; }}
</style>
<h1>Thirteen models, drawn</h1>
{models}
</html>
"""


@dataclass
class Made:
    """The result of drawing one picture: its file, if there is one, and its text in the table."""

    file: Path | None
    told: str


def ours(title: str, library: str, folder: Path) -> Made:
    """Draw with viz, as a page whose boxes open and close."""
    torch = importlib.import_module(library)
    torch.manual_seed(1)
    things, options = MODELS[title](torch)
    began = time.process_time()
    picture = viz.draw(*things, **options)
    path = folder / f"{plain(title)}-{library}.html"
    picture.save(path)
    took = time.process_time() - began
    assert picture.opening is not None
    behind, boxes, views = len(picture.opening.whole.nodes), len(picture.graph.nodes), len(picture.opening.views)
    width, height = picture.geometry.size
    nodes = f"{behind:,} nodes" if behind == boxes else f"{boxes} of {behind:,} nodes"
    way = "" if views == 1 else f", {views} views by click"
    return Made(path, f"{nodes}, {width:,.0f} × {height:,.0f}{way}, {seconds(took)}")


def theirs(title: str, tool: str, folder: Path) -> Made:
    """Draw with another tool, in a separate process that is stopped after PATIENCE seconds."""
    path = folder / f"{plain(title)}-{tool}.{'html' if tool == 'torchvista' else 'svg'}"
    command = [sys.executable, "-m", "benchmarks.gallery", "--tool", tool, "--model", title, str(path)]
    began = time.perf_counter()
    try:
        done = subprocess.run(command, cwd=HOME, capture_output=True, encoding="utf-8", timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return Made(None, f"not within {PATIENCE} s")
    if done.returncode:
        return Made(None, (done.stderr.strip().splitlines() or ["failed"])[-1][:80])
    took = time.perf_counter() - began
    if path.suffix == ".html":  # the browser lays it out when the page opens
        return Made(path, f"a page of {path.stat().st_size / 1e6:.1f} MB, {seconds(took)} with its start")
    width, height = (
        float(n) * 4 / 3 for n in re.findall(r'(?:width|height)="([\d.]+)pt"', path.read_text(encoding="utf-8"))[:2]
    )
    return Made(path, f"{width:,.0f} × {height:,.0f}, {seconds(took)} with its start")


def by_torchviz(things: tuple[Any, ...], options: dict[str, Any], path: Path) -> None:
    from torchviz import make_dot

    if callable(things[0]) and hasattr(things[0], "named_parameters"):
        dot = make_dot(things[0](*things[1:]), params=dict(things[0].named_parameters()))
    else:
        dot = make_dot(things, params=options["names"])
    path.write_bytes(dot.pipe(format="svg"))


def by_torchview(things: tuple[Any, ...], options: dict[str, Any], path: Path) -> None:
    from torchview import draw_graph

    if not hasattr(things[0], "named_parameters"):
        sys.exit("draws modules only")
    drawn = draw_graph(things[0], input_data=things[1:], depth=3, expand_nested=True)
    path.write_bytes(drawn.visual_graph.pipe(format="svg"))


def by_torchvista(things: tuple[Any, ...], options: dict[str, Any], path: Path) -> None:
    from torchvista import trace_model

    if not hasattr(things[0], "named_parameters"):
        sys.exit("draws modules only")
    trace_model(things[0], things[1:], export_path=str(path))


TOOLS: dict[str, Callable[[tuple[Any, ...], dict[str, Any], Path], None]] = {
    "torchviz": by_torchviz,
    "torchview": by_torchview,
    "torchvista": by_torchvista,
}


def draw_by(tool: str, title: str, path: Path) -> None:
    """Draw with another tool and save the picture; this runs in the separate process."""
    import torch
    from graphviz.backend import dot_command

    torch.manual_seed(1)
    dot_command.DOT_BINARY = find_engine()
    things, options = MODELS[title](torch)
    TOOLS[tool](things, options, path)


def plain(title: str) -> str:
    return re.sub(r"\W+", "-", title).lower()


def figure(tool: str, made: Made, folder: Path) -> str:
    told = f"<figcaption><b>{escape(tool)}</b>: {escape(made.told)}</figcaption>"
    if made.file is None:
        return f"<figure>{told}</figure>"
    name = made.file.relative_to(folder).as_posix()
    if made.file.suffix == ".html":
        return f'<figure>{told}<iframe loading="lazy" title="{escape(tool)}" src="{name}"></iframe></figure>'
    return f'<figure>{told}<div class="still"><img loading="lazy" alt="by {escape(tool)}" src="{name}"></div></figure>'


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gallery", description="thirteen models, drawn")
    parser.add_argument("folder", nargs="?", type=Path, default=HOME / "build" / "gallery")
    parser.add_argument("--write", action="store_true", help="keep the table in README.md")
    parser.add_argument("--only", default="", help="models whose title begins so")
    parser.add_argument("--tool", choices=TOOLS, help=argparse.SUPPRESS)
    parser.add_argument("--model", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.tool:
        return draw_by(args.tool, args.model, args.folder)
    if args.write and args.only:
        parser.error("--write keeps a whole run: leave --only out")
    there = [name for name in ("torch", *TOOLS) if importlib.util.find_spec(name)]
    print("left out:", *sorted({"torch", *TOOLS} - {*there}), file=sys.stderr)
    args.folder.mkdir(parents=True, exist_ok=True)
    tools = ["minigrad", *there]
    rows, parts, before = [], [], load()
    for title in (title for title in MODELS if title.startswith(args.only)):
        print(title, file=sys.stderr)
        made = {name: (theirs if name in TOOLS else ours)(title, name, args.folder) for name in tools}
        rows.append([title, *(each.told for each in made.values())])
        names = {"minigrad": "viz on minigrad", "torch": "viz on PyTorch"}
        figures = "".join(figure(names.get(tool, tool), each, args.folder) for tool, each in made.items())
        parts.append(f"<h2>{escape(title)}</h2>\n<section>{figures}</section>")
    (args.folder / "index.html").write_text(PAGE.format(models="\n".join(parts)), encoding="utf-8")
    head = ["", *({"minigrad": "viz on minigrad", "torch": "viz on PyTorch"}.get(tool, tool) for tool in tools)]
    installed = [name for name in tools if name != "minigrad"]
    figures = f"{table(head, rows)}\n\n{machine(installed, (before, load()))}"
    print(figures)
    if args.write:
        readme = Path(__file__).parent / "README.md"
        above, rest = readme.read_text(encoding="utf-8").split(BEGIN)
        readme.write_text(f"{above}{BEGIN}\n{figures}\n{END}{rest.split(END)[1]}", encoding="utf-8")
    print(f"The page: {args.folder / 'index.html'}", file=sys.stderr)


if __name__ == "__main__":
    main()

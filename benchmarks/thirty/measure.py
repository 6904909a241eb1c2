"""Draws the models with one tool, in a process of its own, and prints a line of JSON for each picture.

    python -m benchmarks.thirty.measure TOOL FOLDER [TITLE …]

The clock runs from the model to the first picture as SVG; for TorchVista to its page, which the browser lays out. It
counts the processor's time of this process and of Graphviz. One picture is drawn before the clock starts.
Imports viz, peers and trace. Read __main__.py next.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import json
import os
import re
import signal
import sys
from pathlib import Path
from time import process_time
from typing import Any

from . import MODELS, Entry, Example
from .peers import TOOLS, Calls, between_modules, truth
from .trace import RECURRENT, Trace, modules_named, operators_drawn, operators_in

PATIENCE = 60  # seconds for one picture
PAPER = 1280  # pixels; a wider picture is made smaller


def plain(title: str) -> str:
    return re.sub(r"\W+", "-", title).strip("-").lower()


def processor() -> float:
    """Seconds of processor time, those of programs that have ended included."""
    ended = os.times()[2:4]  # on Windows 0; elsewhere, `resource` tells it in finer steps
    if importlib.util.find_spec("resource"):
        import resource

        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        ended = used.ru_utime, used.ru_stime
    return process_time() + sum(ended)


def letters(svg: str) -> tuple[int, int, float]:
    """The width and height of a picture, and the size of its smallest letters in pixels if it is at most 1,280 wide.

    >>> letters('<svg width="100pt" height="9pt" viewBox="0 0 100 9"><text font-size="12">a</text></svg>')
    (133, 12, 16.0)
    """
    root = re.search(r"<svg[^>]*>", svg)[0]  # type: ignore[index]
    sizes = [(float(n), unit) for n, unit in re.findall(r'\b(?:width|height)="([\d.]+)(pt|px)?"', root)]
    width, height = (n * (4 / 3 if unit == "pt" else 1) for n, unit in sizes[:2])
    inner = float(re.search(r'viewBox="\S+ \S+ ([\d.]+)', root)[1])  # type: ignore[index]
    scale = re.search(r'transform="scale\(([\d.]+)', svg)
    fonts = [float(n) for n in re.findall(r'<text[^>]*font-size="([\d.]+)', svg)]
    shown = min(1.0, PAPER / width) * (width / inner) * (float(scale[1]) if scale else 1)
    return round(width), round(height), round(min(fonts, default=0) * shown, 1)


def draw(tool: str, example: Example, path: Path) -> tuple[float, Any]:
    """Draw once; returns the seconds, and a function that reads the arrows."""
    began = processor()
    if tool != "viz":
        with contextlib.redirect_stdout(io.StringIO()):
            read = TOOLS[tool](example, path)
        return processor() - began, read
    import viz

    picture = viz.draw(example.model, *example.args, names={}, **example.kwargs)
    path.write_text(picture.svg, encoding="utf-8")
    took = processor() - began
    picture.save(path.with_suffix(".html"))
    assert picture.opening is not None
    return took, lambda: picture.opening.whole


def example_of(title: str, torch: Any) -> Example:
    torch.manual_seed(1)
    example = MODELS[title].make(torch)
    if isinstance(example.model, torch.nn.Module):
        example.model.eval()
    return example


def scored(tool: str, torch: Any, title: str, read: Any) -> tuple[int, int, int] | None:
    """How many arrows are right, lacking and false. None: the tool's picture can't be compared."""
    entry: Entry = MODELS[title]
    example = example_of(title, torch)
    trace = None if entry.by_hand is not None else Trace(torch, example)
    if tool == "viz":
        found = (
            operators_drawn(read(), trace.known, entry.through)
            if trace
            else modules_named(read(), {name for arrow in entry.by_hand or () for name in arrow} - {"output"})
        )
        wanted = trace.operators(entry.through) if trace else set(entry.by_hand or ())
    elif tool == "torchviz":
        kinds = {type(part).__name__ for part in example.model.modules()}
        if trace is None or kinds & set(RECURRENT):
            return None  # its operators are those of autograd, and a cell has many
        import viz

        graph = viz.draw(example.model, *example.args, names={}, fold=False, **example.kwargs).graph
        recorded: dict[str, list[str]] = {}
        for id_, label in operators_in(graph).items():
            if next(node for node in graph.nodes if node.id == id_).records:
                recorded.setdefault(label.partition(" ")[0], []).append(label)
        found = read(recorded)
        # It draws no statistics of batch norm, which carry no gradient
        wanted = {(a, b) for a, b in trace.operators() if a not in trace.buffers}
    else:
        calls = Calls(example.model, lambda: example.model(*example.args, **example.kwargs))
        wanted, kept = truth(trace, set(entry.by_hand or ()), calls)
        inputs = trace.inputs if trace else [each for each in ("x", "y") if each in kept]
        found = between_modules(*read(inputs, calls), {*kept, *inputs, "output"})
    return len(found & wanted), len(wanted - found), len(found - wanted)


def told(tool: str, title: str, folder: Path, *, arrows: bool) -> dict[str, Any]:
    """What is measured of one picture."""
    import torch

    path = folder / f"{plain(title)}-{tool}.{'html' if tool == 'torchvista' else 'svg'}"
    example = example_of(title, torch)
    if tool != "viz" and not isinstance(example.model, torch.nn.Module):
        return {"failed": "draws modules only"}
    took, read = draw(tool, example, path)
    kept = path.with_suffix(".html") if tool == "viz" else path
    found: dict[str, Any] = {"seconds": took, "bytes": kept.stat().st_size, "file": path.name}
    if path.suffix == ".svg":
        found["size"] = letters(path.read_text(encoding="utf-8"))
    if arrows:
        found["arrows"] = scored(tool, torch, title, read)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.thirty.measure")
    parser.add_argument("tool", choices=["viz", *TOOLS])
    parser.add_argument("folder", type=Path)
    parser.add_argument("titles", nargs="*")
    parser.add_argument("--arrows", action="store_true", help="compare the arrows, too")
    args = parser.parse_args()
    if args.tool in ("torchview", "torchviz"):
        from graphviz.backend import dot_command

        from viz.drawing.engine import find_engine

        dot_command.DOT_BINARY = find_engine()

    def stop(*_: Any) -> None:
        raise TimeoutError(f"not within {PATIENCE} s")

    signal.signal(signal.SIGALRM, stop)
    titles = args.titles or list(MODELS)
    for i, title in enumerate([titles[0], *titles]):
        signal.alarm(PATIENCE)
        try:
            found = told(args.tool, title, args.folder, arrows=args.arrows and i > 0)
        except Exception as error:
            said = str(error).strip().splitlines()
            found = {"failed": f"{type(error).__name__}: {said[0] if said else ''}"[:120]}
        signal.alarm(0)
        if i:
            print(json.dumps({"title": title, **found}), flush=True)
    sys.stdout.flush()


if __name__ == "__main__":
    main()

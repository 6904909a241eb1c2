"""How soon a notebook shows the picture of a large model, beside torchview: `python -m benchmarks.first_picture`.

Each measurement starts a new kernel, imports the tool and PyTorch there, makes the model, runs it once, and collects
garbage. Then it sends the cell that draws, as JupyterLab would, and waits for the output. So everything counts that the
tool does before its reader sees something: running the model, layout, HTML. The tools take turns; the ratio is the
median over the pairs. The last column is the time until viz has brought every view that opens with a click; it does
that while no cell runs.
Goal: at most three times torchview's time. Needs torch and torchview, and Graphviz's `dot` for torchview.
Imports jupyter_client, of the extra `dev`. Read next: large_models.py, and ../viz/drawing/later.py.
"""

import argparse
import os
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

from .large_models import LARGE

ROOT = Path(__file__).parents[1]
GOAL, PAIRS, PATIENCE = 3.0, 5, 60  # times torchview's time; kernels for each tool; seconds
SETUP = """
import gc, torch
from benchmarks.large_models import LARGE
{load}
torch.set_num_threads(1)
model, x = LARGE["{model}"](torch)
y = model(x)
gc.collect()
"""
TOOLS = {
    "viz": ("import viz", "viz.draw(model, x)"),
    "torchview": ("from torchview import draw_graph", "draw_graph(model, input_data=x).visual_graph"),
}


def send(client: Any, code: str) -> str:
    """Send a cell as JupyterLab does, with an id; returns the message's id."""
    content = {"code": code, "silent": False, "store_history": True, "allow_stdin": False, "stop_on_error": True}
    message = client.session.msg("execute_request", content, metadata={"cellId": "a-cell"})
    client.shell_channel.send(message)
    return message["header"]["msg_id"]


def until(client: Any, sent: str, kinds: tuple[str, ...]) -> dict[str, Any]:
    """The first output of one of these kinds that belongs to the message `sent`. Raises RuntimeError for an error."""
    while True:
        message = client.get_iopub_msg(timeout=PATIENCE)
        if message["parent_header"].get("msg_id") != sent:
            continue
        if message["msg_type"] == "error":
            raise RuntimeError("\n".join(message["content"]["traceback"]))
        if message["msg_type"] in kinds:
            return message["content"]


def measured(tool: str, model: str) -> tuple[float, float]:
    """Seconds until the output is there, and until the other views are."""
    from jupyter_client.manager import KernelManager

    manager = KernelManager()
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    assert manager.kernel_spec is not None
    manager.kernel_spec.argv = command
    manager.start_kernel(env={**os.environ, "PYTHONPATH": path})
    client = manager.client()
    try:
        client.start_channels()
        client.wait_for_ready(timeout=PATIENCE)
        load, draw = TOOLS[tool]
        sent = send(client, SETUP.format(load=load, model=model))
        while until(client, sent, ("status",))["execution_state"] != "idle":
            pass
        began = time.perf_counter()
        sent = send(client, draw)
        shown = until(client, sent, ("execute_result",))
        first = time.perf_counter() - began
        html = shown["data"].get("text/html", "")
        if '"later"' in html:
            until(client, sent, ("update_display_data",))
        return first, time.perf_counter() - began
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--models", nargs="*", default=list(LARGE))
    options = parser.parse_args()
    print("| model | viz | torchview | ratio | all views of viz |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for model in options.models:
        pairs = [(measured("viz", model), measured("torchview", model)) for _ in range(options.pairs)]
        ratio = median(ours[0] / theirs[0] for ours, theirs in pairs)
        ours, theirs, later = (
            f"{1e3 * median(each):,.0f} ms"
            for each in ([p[0][0] for p in pairs], [p[1][0] for p in pairs], [p[0][1] for p in pairs])
        )
        print(f"| {model} | {ours} | {theirs} | {ratio:.1f}{' : TOO SLOW' * (ratio > GOAL)} | {later} |", flush=True)


if __name__ == "__main__":
    main()

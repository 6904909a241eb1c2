"""What a student costs a server: `python -m benchmarks.classroom [LESSON …] [--students 5]`.

For each lesson: seconds until a kernel has started, until its first cell is done, and until all cells are; and the
memory that only this kernel uses after them. With several students, that many kernels run at the same time. TEACHING.md
repeats the table. Memory is read from /proc, so on Linux alone.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.classroom", description=__doc__.partition("\n")[0])
    parser.add_argument("lessons", nargs="*", type=int, help="numbers of lessons; without any, 1 to 13")
    parser.add_argument("--students", type=int, default=1, help="kernels at the same time (1)")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MINIGRAD_PROGRESS"] = str(Path(folder) / "progress.json")
        os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as course.py sets it
        print(f"{asked.students} at a time, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before")
        print("| lesson | kernel starts, s | first cell, s | all cells, s | memory, MB |")
        print("| --- | --- | --- | --- | --- |")
        for number in asked.lessons or range(1, 14):
            (path,) = ROOT.glob(f"notebooks/{number:02}_*.ipynb")
            found: list[tuple[float, float, float, float]] = []
            runs = [threading.Thread(target=lambda p=path, f=found: f.append(one(p))) for _ in range(asked.students)]
            for each in runs:
                each.start()
            for each in runs:
                each.join()
            if len(found) < asked.students:
                print(f"lesson {number} did not run", file=sys.stderr)
                return 1
            print(
                "| " + " | ".join([str(number), *(f"{median(each):.3g}" for each in zip(*found, strict=True))]) + " |",
                flush=True,
            )
        print(f"\nJupyterLab's server, which each student of a hub has: {server(folder):.3g} MB")
    return 0


def server(folder: str) -> float:
    """The megabytes that JupyterLab's server uses before a notebook is opened."""
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--allow-root",
        "--no-browser",
        "--ServerApp.port=0",
        f"--notebook-dir={folder}",
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, encoding="utf-8")
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if "is running at" in line:
                return private(process.pid)
        raise RuntimeError("JupyterLab has not started")
    finally:
        process.terminate()
        process.wait()


def one(path: Path) -> tuple[float, float, float, float]:
    """Run a lesson in a kernel of its own: seconds to the start, to the first cell, to the last one; megabytes."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.metadata.setdefault("tags", []).append("raises-exception")
    times: dict[str, float] = {}
    memory: list[float] = []

    def ended(cell: Any, cell_index: int, execute_reply: Any) -> None:
        times.setdefault("first", time.perf_counter())

    from nbclient import NotebookClient  # comes with JupyterLab, which the fast tests do without

    client = NotebookClient(
        notebook, timeout=600, resources={"metadata": {"path": str(path.parent)}}, on_cell_executed=ended
    )
    start = time.perf_counter()
    with client.setup_kernel():
        began = time.perf_counter()
        for index, cell in enumerate(notebook.cells):
            client.execute_cell(cell, index)
        done = time.perf_counter()
        memory.append(private(client.km.provisioner.process.pid))
    return began - start, times["first"] - began, done - began, memory[0]


def private(process: int) -> float:
    """The megabytes that this process alone uses."""
    told = Path(f"/proc/{process}/smaps_rollup").read_text("ascii")
    return sum(int(size) for size in re.findall(r"^Private_\w+:\s+(\d+) kB", told, re.M)) / 1000


if __name__ == "__main__":
    sys.exit(main())

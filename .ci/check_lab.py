"""Check that the README's first command serves the lessons, trusted: start it, ask JupyterLab, and shut it down."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

COMMAND = "python3 course.py lab"
ROOT = Path(__file__).parent.parent
PATIENCE = 300  # seconds; the first start of a fresh environment compiles every module that it imports


def main():
    assert f"\n{COMMAND}\n" in (ROOT / "README.md").read_text(encoding="utf-8"), "the README names another command"
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    with tempfile.TemporaryDirectory() as jupyter:  # trust is stored there, not in the reader's own Jupyter folder
        environ = {**os.environ, "JUPYTER_DATA_DIR": jupyter, "JUPYTER_CONFIG_DIR": jupyter}
        options = ["--no-browser", f"--port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token=ci"]
        lab = subprocess.Popen([*COMMAND.split(), *options], cwd=ROOT, env=environ)
        try:
            trusted = trusted_cells(lab, port)
        finally:
            if lab.poll() is None:
                try:
                    ask(port, "shutdown", "POST")
                    lab.wait(60)
                finally:
                    lab.kill()
    print(trusted)
    sys.exit(not trusted or not all(all(cells) for cells in trusted.values()))


def trusted_cells(lab, port):
    """For each lesson, whether JupyterLab trusts each of its code cells."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            names = [file["name"] for file in ask(port, "contents")["content"]]
            break
        except OSError:
            if lab.poll() is not None:
                sys.exit(f"`{COMMAND}` ended with status {lab.returncode}")
            if time.monotonic() > until:
                sys.exit(f"`{COMMAND}` did not answer within {PATIENCE} seconds")
            time.sleep(0.2)
    lessons = {name: ask(port, f"contents/{name}")["content"]["cells"] for name in names if name.endswith(".ipynb")}
    return {n: [c["metadata"]["trusted"] for c in cells if c["cell_type"] == "code"] for n, cells in lessons.items()}


def ask(port, path, method="GET"):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/{path}", headers={"Authorization": "token ci"}, method=method
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.loads(answer.read() or "null")


if __name__ == "__main__":
    main()

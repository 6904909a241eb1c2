"""Check the lessons and their widgets with the libraries that Google Colab has: `python3 .ci/colab.py`.

It makes a virtual environment (in a temporary folder, or in the one that MINIGRAD_VENV names), installs what colab.txt
lists, and runs every lesson and every test of pictures, widgets and exercises there. Arguments after the command
replace these tests and go to pytest, as in `python3 .ci/colab.py notebooks/01_graph.ipynb`. Colab's page itself does
not run outside Google, so this tests only the kernel, with the messages that a page would send.

Imports the standard library alone.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
TRIED = ["notebooks", *(f"tests/{name}" for name in ("test_viz_*.py", "test_lesson_*.py", "test_import.py"))]
# Some of these libraries are years old and use features that a newer Python or another library deprecates
OLD = ["-W", "default::DeprecationWarning", "-W", "default::PendingDeprecationWarning"]


def main(arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(os.environ.get("MINIGRAD_VENV") or folder)
        python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", home], check=True)
        pip = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        subprocess.run([*pip, "-r", ROOT / ".ci/colab.txt", "--editable", f"{ROOT}[test]"], check=True)
        tried = arguments or [str(path) for name in TRIED for path in sorted(ROOT.glob(name))]
        command = [python, "-m", "pytest", "--numprocesses=auto", "--dist=loadfile", *OLD, *tried]
        return subprocess.call(command, cwd=ROOT, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""`python3 course.py hand-in NAME`: the reader's notebooks and progress file in NAME.zip, for `course.py grade`.

On a hub, the same is `python -m viz.grading.pack NAME`, in a terminal that stands in the folder of the notebooks.
Imports viz.lesson.progress. Read next: submissions.py, which reads it.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

from ..lesson.progress import place


def main(arguments: list[str]) -> int:
    name = " ".join(arguments).strip()
    if not name or any(sign in name for sign in '/\\:*?"<>|') or name.startswith((".", "-")):
        print("usage: python3 course.py hand-in NAME   (your name, as your teacher knows it)", file=sys.stderr)
        return 2
    here = Path.cwd()
    notebooks = sorted(here.glob("[0-9][0-9]_*.ipynb"))
    if not notebooks:
        print(f"{here} holds no lesson.", file=sys.stderr)
        return 1
    target = here / f"{name}.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in notebooks:
            archive.write(each, each.name)
        if place().is_file():
            archive.write(place(), "progress.json")
    print(f"Hand in this file: {target}")
    if not place().is_file():
        print("It holds your notebooks alone: you have not answered anything yet.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

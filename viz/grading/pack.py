"""`python3 course.py hand-in NAME`: the reader's notebooks and progress file in NAME.zip, for `course.py grade`.

It packs all notebooks in the folder and in folders below it, so also those of a lecturer's own exercises.

On a hub, the same is `python -m viz.grading.pack NAME`, in a terminal that stands in the folder of the notebooks.
Imports viz.lesson.progress. Read next: submissions.py, which reads it.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

from ..lesson.progress import place


def main(arguments: list[str]) -> int:
    if arguments == ["--where"]:
        print(place())
        return 0
    name = " ".join(arguments).strip()
    if not name or any(sign in name for sign in '/\\:*?"<>|') or name.startswith((".", "-")):
        print("usage: python3 course.py hand-in NAME      (your name, as your teacher knows it)", file=sys.stderr)
        print("       python3 course.py hand-in --where   print the path of your progress file", file=sys.stderr)
        return 2
    here = Path.cwd()
    every = [each.relative_to(here) for each in sorted(here.rglob("*")) if each.is_file() and not each.is_symlink()]
    every = [each for each in every if not any(part[0] == "." or part == "before-update" for part in each.parts)]
    notebooks = [each for each in every if each.suffix == ".ipynb"]
    if not notebooks:
        print(f"{here} holds no notebook.", file=sys.stderr)
        return 1
    left = [each for each in every if each not in notebooks and len(each.parts) > 1 and "__pycache__" not in each.parts]
    target = here / f"{name}.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in notebooks:
            archive.write(here / each, each.as_posix())
        if place().is_file():
            archive.write(place(), "progress.json")
    print(f"Hand in this file: {target}")
    print(f"It holds {len(notebooks)} notebooks: {', '.join(each.as_posix() for each in notebooks)}")
    if left:
        print(f"Not in it, because it is no notebook: {', '.join(each.as_posix() for each in left)}")
    if not place().is_file():
        print("It holds no progress file: you have not answered anything yet.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

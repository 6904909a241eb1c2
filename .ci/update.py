"""`python3 course.py update`: the newest version of the course, and in it everything that you have written.

    python3 course.py update             from where this checkout was cloned (git)
    python3 course.py update FOLDER      FOLDER holds the course as you had it before; this checkout is the new version

A cell that you have changed stays as you wrote it; a cell that you have not changed becomes the new one; your own cells
stay where they are. Your notebooks of before are kept, in notebooks/before-update/. Nothing is run.

Imports the standard library alone. ../tests/test_update.py checks it.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
KEPT = "before-update"
ASKS = re.compile(r"\bexercise\(")


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Update, and return the exit status."""
    if len(arguments) > 1 or arguments and arguments[0].startswith("-"):
        print(__doc__)
        return 2
    return from_folder(Path(arguments[0]), root) if arguments else from_git(root)


def from_git(root: Path) -> int:
    def git(*command: str) -> str:
        result = subprocess.run(["git", "-C", str(root), *command], capture_output=True, encoding="utf-8", check=True)
        return result.stdout

    try:
        git("rev-parse", "--show-toplevel")
        changed = [line[3:].strip('"') for line in git("status", "--porcelain", "--untracked-files=no").splitlines()]
    except (OSError, subprocess.CalledProcessError):
        print(
            f"{root} is no git checkout: download the new version beside it, and there run "
            f"`python3 course.py update {root}`.",
            file=sys.stderr,
        )
        return 1
    if others := [name for name in changed if not re.fullmatch(r"notebooks/\d\d_\w+\.ipynb", name)]:
        print(f"You have changed {', '.join(others)}: commit that, and merge with git yourself.", file=sys.stderr)
        return 1
    try:
        git("fetch", "--quiet")
        new = git("rev-parse", "@{upstream}").strip()
        git("merge-base", "--is-ancestor", "HEAD", new)
    except subprocess.CalledProcessError as error:
        told = error.stderr.strip() or "this checkout has commits of its own: merge with git yourself"
        print(f"git found no newer version to go on to: {told}", file=sys.stderr)
        return 1
    merged, keep = {}, {}
    for name in changed:
        path = root / name
        if path.exists() and (text := _new(git, new, name)) is not None:
            keep[name] = path.read_bytes()
            base, mine = json.loads(git("show", f"HEAD:{name}")), json.loads(keep[name])
            merged[name] = as_text(merge(base, mine, json.loads(text)))
    aside(root, keep)
    git("checkout", "--quiet", "HEAD", "--", *changed) if changed else None
    git("merge", "--quiet", "--ff-only", new)
    return written(root, merged)


def _new(git: Any, new: str, name: str) -> str | None:
    try:
        return git("show", f"{new}:{name}")
    except subprocess.CalledProcessError:
        return None  # the new version has no such lesson


def from_folder(folder: Path, root: Path) -> int:
    """Without the old version as it was handed out, only answers to exercises and cells of your own can be known."""
    found = {path.name: path for path in sorted((folder / "notebooks").glob("[0-9][0-9]_*.ipynb"))}
    if not found or folder.resolve() == root.resolve():
        print(f"{folder} holds no other version of the course, with a folder `notebooks`.", file=sys.stderr)
        return 1
    merged, keep = {}, {}
    for name, path in found.items():
        target = root / "notebooks" / name
        if target.exists():
            new, mine = json.loads(target.read_text("utf-8")), json.loads(path.read_text("utf-8"))
            text = as_text(merge(None, mine, new))
            if json.loads(text) != new:
                merged[f"notebooks/{name}"], keep[f"notebooks/{name}"] = text, path.read_bytes()
    aside(root, keep)
    return written(root, merged)


def merge(base: dict[str, Any] | None, mine: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The new notebook with what the reader has changed in `mine` since `base`. Cells are known by their ids.

    Without a base, a cell with an exercise counts as changed, and a cell of another id as the reader's own.
    """
    old = None if base is None else {cell.get("id"): source(cell) for cell in base["cells"]}
    theirs = {cell.get("id"): cell for cell in mine["cells"]}
    known = {cell.get("id") for cell in new["cells"]}
    cells = []
    for cell in new["cells"]:
        own = theirs.get(cell.get("id"))
        if own is not None and source(own) != source(cell):
            changed = ASKS.search(source(own)) if old is None else source(own) != old.get(cell.get("id"))
            if changed:
                cell = {**cell, "source": own["source"]}
                if cell["cell_type"] == "code":
                    cell |= {"outputs": [], "execution_count": None}  # those of the new cell are of other code
        cells.append(cell)
    before = None  # the reader's own cells go behind the cell that they stood behind
    for cell in mine["cells"]:
        name = cell.get("id")
        if name in known:
            before = name
        elif old is None or name not in old or source(cell) != old[name]:
            place = next((at for at, each in enumerate(cells) if each.get("id") == before), -1)
            cells.insert(place + 1, cell)
            known.add(name)
            before = name
    return {**new, "cells": cells}


def source(cell: dict[str, Any]) -> str:
    text = cell["source"]
    return text if isinstance(text, str) else "".join(text)


def as_text(notebook: dict[str, Any]) -> str:
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def aside(root: Path, keep: dict[str, bytes]) -> None:
    """Keep the reader's notebooks as they are now."""
    folder = root / "notebooks" / KEPT
    if keep:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    for name, data in keep.items():
        (folder / Path(name).name).write_bytes(data)


def written(root: Path, merged: dict[str, str]) -> int:
    for name, text in merged.items():
        (root / name).write_text(text, encoding="utf-8", newline="\n")
    if merged:
        print(f"What you wrote is in the new version of {', '.join(Path(name).name for name in merged)}.")
        print(f"Your notebooks as they were: {root / 'notebooks' / KEPT}")
    else:
        print("The course is up to date; you had changed no lesson.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Which notebooks and progress files a folder of submissions holds.

    FOLDER/ada/01_graph.ipynb        a folder for each student, also with folders in it
    FOLDER/ada/progress.json         tries, hints and answers to the questions, as the student's machine has noted them
    FOLDER/ada.zip                   both in one file, as `python3 course.py hand-in ada` packs them
    FOLDER/ada_01_graph.ipynb        or all notebooks in one folder, the student's name before the lesson's

A notebook is read as JSON, and nothing of it is run here.
Imports the standard library alone. Read next: lesson.py.
"""

from __future__ import annotations

import json
import re
import zipfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

LARGE = 50_000_000  # bytes of one file
MANY = 2_000  # files of one archive
NOT_HANDED_IN = {".ipynb_checkpoints", "__MACOSX", "before-update"}
NAMED = re.compile(r"(?:^|.*[_\W])(\d\d)_[a-z]\w*?(?: ?\(\d+\)|-\w+)?\.ipynb$", re.I)  # "ada_01_graph (1).ipynb"


@dataclass
class Submission:
    """One notebook of one student."""

    student: str
    file: str
    cells: list[dict[str, Any]] = field(default_factory=list)
    progress: dict[str, Any] = field(default_factory=dict)
    broken: str = ""  # why the notebook could not be read

    @property
    def lesson(self) -> int | None:
        """The number of the lesson: from the file's name, else from the exercises that the notebook asks for."""
        if found := NAMED.match(PurePosixPath(self.file).name):
            return int(found[1])
        return None


def submissions(folder: Path) -> list[Submission]:
    """All notebooks in the folder, by student and name."""
    files: dict[str, dict[str, bytes | str]] = {}  # student -> file -> content, or why it has none
    path: Path
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            for each in sorted(path.rglob("*")):
                if wanted(each.name) and not NOT_HANDED_IN & {*each.parts} and not each.is_symlink():
                    files.setdefault(path.name, {})[each.relative_to(path).as_posix()] = content(each)
        elif path.suffix == ".zip":
            files.setdefault(path.stem, {}).update(unpacked(path))
        elif path.suffix == ".ipynb" and not path.is_symlink():
            found = re.match(r"(.+?)[_-]+\d\d_", path.name)
            files.setdefault(found[1] if found else path.stem, {})[path.name] = content(path)
    made = []
    for student, held in files.items():
        progress: dict[str, Any] = {}
        for name, data in held.items():
            if name.endswith("progress.json") and isinstance(data, bytes):
                progress = progress or as_progress(data)
        made += [notebook(student, name, data, progress) for name, data in held.items() if name.endswith(".ipynb")]
        if not any(name.endswith(".ipynb") for name in held):
            made.append(Submission(student, "", broken="no notebook was handed in"))
    return made


def wanted(name: str) -> bool:
    return name.endswith(".ipynb") or name == "progress.json"


def content(path: Path) -> bytes | str:
    try:
        return path.read_bytes() if path.stat().st_size <= LARGE else "the file is larger than 50 MB"
    except OSError as error:
        return f"the file can't be read: {error.strerror}"


def unpacked(path: Path) -> dict[str, bytes | str]:
    """The notebooks and the progress file in an archive. Nothing is written to the disk."""
    try:
        with zipfile.ZipFile(path) as archive:
            found: dict[str, bytes | str] = {}
            for entry in archive.infolist()[:MANY]:
                name = PurePosixPath(entry.filename)
                if wanted(name.name) and not NOT_HANDED_IN & {*name.parts}:
                    if entry.file_size > LARGE:
                        found[str(name)] = "the file is larger than 50 MB"
                    else:
                        with archive.open(entry) as file:
                            found[str(name)] = file.read(LARGE)
            return found
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError) as error:
        return {f"{path.stem}.ipynb": f"the archive can't be read: {error}"}


def as_progress(data: bytes) -> dict[str, Any]:
    """The content of a progress file; empty if it is none."""
    try:
        found = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def notebook(student: str, file: str, data: bytes | str, progress: dict[str, Any]) -> Submission:
    made = Submission(student, file, progress=progress)
    if isinstance(data, str):
        made.broken = data
        return made
    try:
        cells = json.loads(data.decode("utf-8"))["cells"]
        made.cells = [plain(cell) for cell in cells]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        made.broken = "the file is no notebook"
    return made


def plain(cell: dict[str, Any]) -> dict[str, Any]:
    """What is used of a cell, with the types that it must have."""
    source = cell["source"]
    told = []
    for output in cell.get("outputs", []):
        if isinstance(output, dict):
            text = output.get("text", "") if output.get("output_type") == "stream" else ""
            data = output.get("data")
            text = data.get("text/plain", text) if isinstance(data, dict) else text
            told.append("".join(map(str, text)) if isinstance(text, list) else str(text))
    return {
        "id": str(cell.get("id", "")),
        "kind": str(cell["cell_type"]),
        "source": source if isinstance(source, str) else "".join(map(str, source)),
        "shown": "\n".join(told)[:100_000],
    }

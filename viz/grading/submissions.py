"""Which notebooks and progress files a folder of submissions holds, and what of it was not read.

    FOLDER/ada/01_graph.ipynb        a folder for each student, also with folders and archives in it
    FOLDER/ada/progress.json         tries, hints and answers to the questions, as the student's machine has noted them
    FOLDER/ada.zip                   both in one file, as `python3 course.py hand-in ada` packs them
    FOLDER/ada_01_graph.ipynb        or all notebooks in one folder, the student's name before the lesson's,
    FOLDER/ada_progress.json         and before the progress file's

An archive CLASS.zip in place of FOLDER holds the same, as learning platforms hand out the work of a class.
A notebook is read as JSON, and nothing of it is run here.
Imports the standard library alone. Read next: lesson.py.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

LARGE = 50_000_000  # bytes of one file
ALL = 1_000_000_000  # bytes of one archive
MANY = 2_000  # files of one archive
BROKEN = (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, EOFError, zlib.error)
NOT_HANDED_IN = {".ipynb_checkpoints", "__MACOSX", "before-update"}
NAMED = re.compile(r"(?:^|.*[_\W])(\d\d)_[a-z]\w*?(?: ?\(\d+\)|-\w+)?\.ipynb$", re.I)  # "ada_01_graph (1).ipynb"
BEFORE_A_LESSON = re.compile(r"(.*?[_\W]|)(?=\d\d_[a-z])(?!.*[_\W]\d\d_[a-z]).*\.ipynb$", re.I)
BEFORE_PROGRESS = re.compile(r"(.*?)(?:minigrad-)?progress(?: ?\(\d+\))?\.json$", re.I)
PROGRESS = re.compile(r"(?:^|[/_\W])progress(?: ?\(\d+\))?\.json$", re.I)


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
    return collected(folder)[0]


def collected(folder: Path, ours: Path | None = None, names: Sequence[str] = ()) -> tuple[list[Submission], list[str]]:
    """All notebooks in a folder or in one archive, by student and name; and the unused files, each with the reason.

    ours: a file in the folder that a student did not hand in: the table. names: other notebooks that were handed out.
    """
    held = _Held()
    paths = [folder] if folder.is_file() else sorted(folder.iterdir())
    paths = [path for path in paths if ours is None or path.resolve() != ours.resolve()]
    visible = [path for path in paths if not path.name.startswith(".")]
    if folder.is_file() or (len(visible) == 1 and is_class(visible[0])):
        paths.remove(visible[0])
        held.whole(visible[0], names)
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            held.folder(path)
        else:
            held.file(owner(path, names), path.name, path, path.name)
    made = []
    for student, files in held.files.items():
        made += of_student(student, files)
    return made, held.unused


def is_class(path: Path) -> bool:
    """Whether this archive holds the work of several students: two of its folders hold the same lesson, or archives."""
    folders: dict[str, set[str]] = {}  # {lesson: the folders that hold it}
    if path.suffix.lower() != ".zip":
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            for each in map(PurePosixPath, archive.namelist()):
                lesson = NAMED.match(each.name)
                if (lesson or each.suffix.lower() == ".zip") and not NOT_HANDED_IN & {*each.parts}:
                    folders.setdefault(lesson[1] if lesson else "zip", set()).add(str(each.parent))
    except BROKEN:
        return False
    return any(len(those) > 1 for those in folders.values())


def owner(path: Path, names: Sequence[str] = ()) -> str:
    """The student to whom a file belongs that lies in the folder, or at the top of the archive, of the whole class."""
    if path.suffix.lower() == ".zip":
        return path.stem
    for name in names:
        if path.name.endswith(name) and (student := path.name.removesuffix(name).rstrip("_- ")):
            return student
    for pattern in (BEFORE_A_LESSON, BEFORE_PROGRESS):
        if found := pattern.match(path.name):
            return found[1].rstrip("_- ") or path.resolve().parent.name
    return path.stem


def of_student(student: str, files: Mapping[str, bytes | str]) -> list[Submission]:
    """A student's notebooks, each with the progress file that is nearest to it."""
    noted = {name: as_progress(data) for name, data in files.items() if isinstance(data, bytes) and is_progress(name)}
    made = []
    for name, data in files.items():
        if is_notebook(name):
            near = sorted(noted, key=lambda each: (not noted[each], folder_of(each) != folder_of(name)))
            made.append(notebook(student, name, data, noted[near[0]] if near else {}))
    return made or [Submission(student, "", broken="no notebook was handed in")]


def folder_of(name: str) -> str:
    return name.rpartition("/")[0]


def is_notebook(name: str) -> bool:
    return name.lower().endswith(".ipynb")


def is_progress(name: str) -> bool:
    return bool(PROGRESS.search(name))


def wanted(name: str) -> bool:
    return is_notebook(name) or is_progress(name)


def content(path: Path) -> bytes | str:
    try:
        return path.read_bytes() if path.stat().st_size <= LARGE else "the file is larger than 50 MB"
    except OSError as error:
        return f"the file can't be read: {error.strerror}"


class _Held:
    """What was found so far. files: {student: {file: its content, or why it has none}}."""

    def __init__(self) -> None:
        self.files: dict[str, dict[str, bytes | str]] = {}
        self.unused: list[str] = []

    def keep(self, student: str, name: str, data: bytes | str, source: str) -> None:
        """Keep a file; of two with the same name, the second is named after the archive or folder that holds it."""
        files = self.files.setdefault(student, {})
        if name in files and files[name] != data:
            name = f"{source}/{name}"
        files[name] = data

    def leave(self, shown: str, why: str = "") -> None:
        if not any(part.startswith(".") or part == "__MACOSX" for part in shown.split("/")):  # a system's own files
            self.unused.append(f"{shown} ({why})" if why else shown)

    def folder(self, path: Path) -> None:
        """The files of one student."""
        before, unused = len(self.files.get(path.name, ())), len(self.unused)
        for each in sorted(path.rglob("*")):
            inside = each.relative_to(path)
            if NOT_HANDED_IN & {*inside.parts}:
                continue
            if each.is_symlink() or not each.is_dir():
                self.file(path.name, inside.as_posix(), each, each.relative_to(path.parent).as_posix())
        if len(self.files.get(path.name, ())) == before:
            told = self.unused[unused:]
            del self.unused[unused:]
            names = f"it holds {', '.join(told[:5])}{' …' if len(told) > 5 else ''}" if told else "it is empty"
            self.leave(f"{path.name}/", f"no notebook: {names}")

    def file(self, student: str, name: str, path: Path, shown: str) -> None:
        if path.is_symlink():
            self.leave(shown, "a link")
        elif path.suffix.lower() == ".zip":
            self.archive(student, name, path, shown)
        elif wanted(name):
            self.keep(student, name, content(path), shown)
        else:
            self.leave(shown)

    def whole(self, file: Path, names: Sequence[str]) -> None:
        """The archive of a class: its first folders, or the names of the files outside them, are the students."""
        try:
            with zipfile.ZipFile(file) as archive:
                paths = [PurePosixPath(each.filename).parts for each in archive.infolist() if not each.is_dir()]
        except BROKEN as error:
            self.leave(file.name, f"the archive can't be read: {error}")
            return
        paths = [parts for parts in paths if parts and not NOT_HANDED_IN & {*parts} and not parts[-1].startswith(".")]
        around = int(
            bool(paths) and len({parts[0] for parts in paths}) == 1 and min(map(len, paths)) > 2
        )  # a folder holds the class

        def place(path: PurePosixPath) -> tuple[str, str]:
            first, *rest = path.parts[around:]
            return (first, "/".join(rest)) if rest else (owner(file.with_suffix("") / first, names), first)

        self.archive("", "", file, file.name, place=place)

    def archive(
        self,
        student: str,
        name: str,
        file: Path | io.BytesIO,
        shown: str,
        deep: int = 0,
        place: Callable[[PurePosixPath], tuple[str, str]] | None = None,
    ) -> None:
        """The notebooks and progress files in an archive, and in archives in it. Nothing is written to the disk.

        place: the student and the name of each file, for the archive of a class.
        """
        found = unused = 0
        try:
            with zipfile.ZipFile(file) as archive:
                entries = archive.infolist()
                left, many = (ALL, MANY) if place is None else (4 * ALL, 50 * MANY)
                for entry in entries[:many]:
                    path = PurePosixPath(entry.filename)
                    inside, where = str(path), f"{shown}/{path}"
                    is_archive = path.suffix.lower() == ".zip"
                    if entry.is_dir() or NOT_HANDED_IN & {*path.parts}:
                        continue
                    if not (wanted(inside) or is_archive) or (is_archive and deep == 2):
                        self.leave(where)
                        unused += 1
                        continue
                    found += 1
                    if place:
                        student, inside = place(path)
                    left -= entry.file_size
                    if entry.file_size > LARGE or left < 0:
                        self.keep(student, inside, "the file is larger than 50 MB", shown)
                        continue
                    data: bytes | str
                    try:
                        with archive.open(entry) as opened:
                            data = opened.read(LARGE)
                    except BROKEN as error:
                        data = f"the archive can't be read: {error}"
                    if is_archive and isinstance(data, bytes):
                        self.archive(student, inside, io.BytesIO(data), where, deep + 1)
                    else:
                        self.keep(student, f"{inside[:-4]}.ipynb" if is_archive else inside, data, shown)
                if len(entries) > many:
                    self.leave(shown, f"only its first {many} files were read")
            if not found and not place:
                self.files.setdefault(student, {})  # a student who gets a row
                if not unused:
                    self.leave(shown, "it is empty")
        except BROKEN as error:
            stem = name[: -len(".zip")]
            self.keep(student, f"{stem}.ipynb", f"the archive can't be read: {error}", shown)


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

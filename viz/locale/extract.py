"""Find the texts to translate, with an extractor for each kind of file; Babel can call these, too.

    for room, files in sources().items():
        for each in found_in(files): …     # each text of a room, once, in the order of the source

In Python, the extractor finds `tr("…")`, `tr("…", "context")` and `tr.table({"key": "…"})`. All of them must be plain
strings, because gettext looks a text up by its English. A file `texts/….toml` has a line for each text: `key = "…"`. A
comment on the line above that begins with "Translators:" goes into the catalogue.
Imports the standard library alone. Read next: update.py.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

Message = tuple[int, str, tuple[str, str], list[str]]  # line, "pgettext", (context, English), comments
Extractor = Callable[[IO[bytes], Any, Any, Any], Iterator[Message]]

TAG = "Translators:"
HERE = Path(__file__).parent


def python(file: IO[bytes], keywords: Collection[str] = (), tags: Any = (), options: Any = None) -> Iterator[Message]:
    """Each text of a Python file, from top to bottom. This is the signature of Babel's extraction methods.

    Raises ValueError, with the line, for a text that is not a plain string.
    """
    source = file.read().decode("utf-8")
    lines = source.splitlines()
    for node in sorted(_calls(ast.parse(source)), key=lambda call: (call.lineno, call.col_offset)):
        for context, english, place in _texts(node):
            yield place.lineno, "pgettext", (context, english), _comments(lines, place.lineno)


def _comments(lines: list[str], line: int) -> list[str]:
    """The comment for translators above this line, if there is one."""
    above = lines[line - 2].strip() if line > 1 else ""
    return [above.removeprefix("# ")] if above.startswith(f"# {TAG}") else []


def toml(file: IO[bytes], keywords: Any = (), tags: Any = (), options: Any = None) -> Iterator[Message]:
    """Each text of a table in a file of its own. Raises ValueError, with the line, for one that is not written so."""
    lines = file.read().decode("utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if line and not line.startswith("#"):
            try:
                ((key, english),) = tomllib.loads(line).items()
            except ValueError:
                key = english = ""
            if not (isinstance(english, str) and english):
                raise ValueError(f'line {number}: a text is written key = "…", in one line')
            yield number, "pgettext", (key, english), _comments(lines, number)


def _calls(tree: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("tr", "tr.table"):
            yield node


def _texts(call: ast.Call) -> Iterator[tuple[str, str, ast.expr]]:
    """(the context, the English, its place) of each text of a call."""
    pairs: list[tuple[ast.expr | None, ast.expr]]
    if isinstance(call.func, ast.Name):
        contexts = [*call.args[1:], *(each.value for each in call.keywords if each.arg == "context"), None]
        pairs = [(contexts[0], call.args[0])]
    elif isinstance(call.args[0], ast.Dict) and None not in call.args[0].keys:
        pairs = list(zip(call.args[0].keys, call.args[0].values, strict=True))
    elif isinstance(call.args[0], ast.Constant):  # the name of a file
        pairs = []
    else:
        raise ValueError(f"line {call.lineno}: `tr.table` takes a dict that is written out, or the name of a file")
    for context, text in pairs:
        yield _plain(context) if context else "", _plain(text), text


def _plain(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        return node.value
    raise ValueError(f"line {node.lineno}: `{ast.unparse(node)[:60]}` must be a string that is not empty")


@dataclass(frozen=True)
class Found:
    """A text, as it is in the source."""

    context: str
    english: str
    files: tuple[str, ...]
    comments: tuple[str, ...]  # for the translator


def found_in(files: Iterable[Path], root: Path = HERE.parent.parent) -> list[Found]:
    """The texts of some files, each once. Raises ValueError, with file and line, for one that can't be translated."""
    texts: dict[tuple[str, str], Found] = {}
    for file in files:
        name = file.relative_to(root).as_posix()
        with file.open("rb") as stream:
            try:
                for _line, _function, key, comments in EXTRACTORS[file.suffix](stream, (), (), None):
                    before = texts.get(key, Found(*key, (), ()))
                    names = tuple(dict.fromkeys([*before.files, name]))
                    texts[key] = Found(*key, names, (*before.comments, *comments))
            except ValueError as error:
                raise ValueError(f"{file}, {error}") from None
    return list(texts.values())


def sources(folder: Path | None = None) -> dict[str, list[Path]]:
    """The files that contain texts, by room: those of viz, or of a folder of a teacher's own exercises."""
    root = folder or HERE.parent
    found: dict[str, list[Path]] = {}
    for file in sorted(root.rglob("*")):
        if file.suffix in EXTRACTORS:
            found.setdefault(room_of(file, root) if folder is None else file.stem, []).append(file)
    return found


def markdown(file: IO[bytes], keywords: Any = (), tags: Any = (), options: Any = None) -> Iterator[Message]:
    """Each text of a page of exercises, of questions or of the clinic; other pages, such as README.md, have none."""
    from ..errors import case
    from ..lesson import pages, questions, written

    name, folder = Path(file.name).name, Path(file.name).parent
    if folder == HERE.parent / "errors" / "cases":
        yield from case.texts(file)
    elif name == "questions.md":
        yield from questions.texts(file)
    elif not pages.other(name):
        yield from written.texts(file)


EXTRACTORS: Mapping[str, Extractor] = {".py": python, ".md": markdown, ".toml": toml}


def room_of(file: Path, viz: Path) -> str:
    """The room of a file of `viz`: its folder's name, for an exercise its lesson's, else the file's own.

    >>> viz = Path("viz")
    >>> room_of(viz / "explore/static/ring.py", viz), room_of(viz / "front.py", viz)
    ('explore', 'front')
    >>> room_of(viz / "lesson/exercises/lesson07/leaky_relu.md", viz)
    'lesson07'
    """
    inside = file.relative_to(viz)
    if inside.parts[:2] == ("lesson", "exercises") and len(inside.parts) > 3:
        return inside.parts[2]
    return inside.parts[0] if len(inside.parts) > 1 else file.stem

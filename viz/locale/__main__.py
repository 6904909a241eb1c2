"""The catalogues of other languages, from a terminal (needs Babel, from the extra `test`):

python -m viz.locale                list the texts that are missing, fuzzy or out of date
python -m viz.locale update         update every catalogue from the source
python -m viz.locale update es      the same for one language, which may be new
python -m viz.locale update es lesson   only one catalogue, here lesson.po
python -m viz.locale keep lesson07  accept fuzzy translations where only the English wording has changed
python -m viz.locale --folder mine  any of these for a folder of your own exercises
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from . import ENGLISH, languages, room

if TYPE_CHECKING:
    from .update import Entry


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m viz.locale", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, help="your own exercises; their languages lie in FOLDER/locale")
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("list", help="what is missing, fuzzy or out of date (without a command, too)")
    adding = commands.add_parser("update", help="bring catalogues in step with the source")
    adding.add_argument("lang", nargs="*", help="a language such as es, which may be new; then, if wanted, catalogues")
    keeping = commands.add_parser("keep", help="take fuzzy translations over for the new English")
    keeping.add_argument("room", nargs="*", help="a catalogue, such as lesson07; without one, all")
    keeping.add_argument("--lang", help="one language; without it, all")
    keeping.add_argument("--containing", default="", help="only texts whose English contains this")
    given = parser.parse_args(arguments)
    if given.folder:
        room("", given.folder / "locale")  # so that its languages are known
    known = [lang for lang in languages(given.folder / "locale" if given.folder else None) if lang != ENGLISH]
    try:
        if given.command == "update":
            chosen = _rooms_among(given.lang, given.folder)
            return _update([lang for lang in given.lang if lang not in chosen] or known, given.folder, chosen)
        if given.command == "keep":
            return _keep([given.lang] if given.lang else known, given.folder, given.room, given.containing)
        code = _list(known, given.folder)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # the reader of a pipe, such as `head`, has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2


def _rooms_among(words: list[str], folder: Path | None) -> list[str]:
    """Which of these words are catalogues; the others are languages. Raises ValueError for a word that is neither."""
    from .extract import sources

    there = {*sources(), *sources(folder)}
    for word in words:
        if word not in there and not re.fullmatch(r"[a-z]{2,3}([-_@]\w+)*", word):
            raise ValueError(
                f"{word!r} is no language such as es, and no catalogue: there are {', '.join(sorted(there))}"
            )
    return [word for word in words if word in there]


def _update(languages: list[str], folder: Path | None, chosen: list[str]) -> int:
    from .update import compared, write

    for lang in languages:
        for file, old, new in compared(lang, folder, chosen):
            if new != old:
                write(file, new)
                print(f"{file}: {_counted(new)}")
    return 0


def _keep(languages: list[str], folder: Path | None, chosen: list[str], containing: str) -> int:
    from .update import keep, rooms

    left = 0
    for lang in languages:
        for file in rooms(lang, folder):
            if not chosen or file.stem in chosen:
                count, refused = keep(file, containing)
                left += len(refused)
                if count:
                    print(f"{file}: {count} taken over")
                for entry in refused:
                    print(f"{file}: the names in braces differ: {entry.english!r}: {entry.text!r}")
    return int(left > 0)


def _list(languages: list[str], folder: Path | None) -> int:
    """List the open texts. Returns 1 if a catalogue is out of date or has a text that would not be shown, else 0."""
    from .update import compared

    wrong = False
    command = "python -m viz.locale" + (f" --folder {shlex.quote(str(folder))}" if folder else "")
    if folder and not languages:
        print(f"{folder} has no translations yet. Begin with: {command} update es")
    for lang in languages:
        for file, old, new in compared(lang, folder):
            for entry in new if old else []:
                if entry.state and not entry.gone:
                    print(f"{file}: {entry.state}: {entry.context and f'[{entry.context}] '}{entry.english!r:.90}")
            late = f" (out of date: {command} update)" if new != old else ""
            wrong = wrong or bool(late) or any(entry.state == "differs" for entry in new)
            print(f"{lang} {file.stem}: {_counted(new)}{late}")
    return int(wrong)


def _counted(entries: Iterable[Entry]) -> str:
    counts = Counter(entry.state for entry in entries if not entry.gone)
    left = [f"{counts[state]} {state}" for state in ("missing", "fuzzy", "differs") if counts[state]]
    return f"{counts.total()} texts, {', '.join(left) or 'complete'}"


if __name__ == "__main__":
    raise SystemExit(main())

"""Update the catalogues from the source: find the texts, pair new English with old, and write the files.

If an English text has changed, its entry becomes fuzzy: it keeps the translation and notes the old English, and
readers see the new English. `keep` accepts such translations as they are. Texts that have been removed are kept at the
end of the file, marked `#~`, and are used again when their English returns.
Imports extract.py and po.py, and Babel, which is needed here only. Read next: __main__.py, the commands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import PoFileError, denormalize, normalize, read_po

from .extract import HERE, found_in, sources
from .po import places

HEADER = """\
# {room} in {lang}. English stands in the source; `python -m viz.locale` says what is missing here.
msgid ""
msgstr ""
"Language: {lang}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"""

LINE = re.compile(r'(#.*|(msg\w+(\[\d\])?\s+)?"([^"\\]|\\.)*")?')  # a comment, a text, or nothing


@dataclass(frozen=True)
class Entry:
    """An English text and its entry in a catalogue."""

    context: str
    english: str
    text: str = ""  # the translation
    fuzzy: bool = False
    before: str = ""  # the English that a fuzzy translation was made for
    files: Sequence[str] = ()  # the files that contain the English
    comments: Sequence[str] = ()  # for the translator, from the source
    notes: Sequence[str] = ()  # the translator's own
    gone: bool = False  # no longer in the source

    @property
    def key(self) -> tuple[str, str]:
        return self.context, self.english

    @property
    def state(self) -> str:
        """The open work: "missing", "fuzzy", "differs" (in the names in braces), or "" if there is none."""
        if not self.text:
            return "missing"
        if self.fuzzy:
            return "fuzzy"
        return "" if places(self.english) == places(self.text) else "differs"


def read(file: Path) -> list[Entry]:
    """The entries of a catalogue, in its order. Raises ValueError, with file and line, for an invalid catalogue."""
    if not file.exists():
        return []
    for number, line in enumerate(file.read_text(encoding="utf-8-sig").splitlines(), 1):
        if not LINE.fullmatch(line.strip()):
            raise ValueError(f"{file}, line {number}: `{line}` is no line of a catalogue; is a quotation mark missing?")
    with file.open("rb") as stream:
        try:
            catalogue = read_po(stream, abort_invalid=True)
        except PoFileError as error:
            raise ValueError(f"{file}, line {error.lineno}: {error.args[0]}") from None
    return [*_entries(catalogue), *(replace(each, gone=True) for each in _entries(catalogue.obsolete.values()))]


def _entries(messages: Iterable[object] | Catalog) -> Iterator[Entry]:
    for each in messages:
        if each.id:  # type: ignore[attr-defined]
            yield Entry(
                each.context or "",  # type: ignore[attr-defined]
                each.id,  # type: ignore[attr-defined]
                each.string,  # type: ignore[attr-defined]
                each.fuzzy,  # type: ignore[attr-defined]
                _before(each.user_comments),  # type: ignore[attr-defined]
                tuple(name for name, _line in each.locations),  # type: ignore[attr-defined]
                tuple(each.auto_comments),  # type: ignore[attr-defined]
                tuple(line for line in each.user_comments if not line.startswith("| ")),  # type: ignore[attr-defined]
            )


def _before(comments: Iterable[str]) -> str:
    """The English of the lines `#| msgid`: Babel reads them as comments of the translator."""
    lines = [
        line.removeprefix("| ").removeprefix("msgid ") for line in comments if line.startswith(('| msgid "', '| "'))
    ]
    return denormalize("\n".join(lines)) if lines else ""


def merged(english: Sequence[Entry], old: Sequence[Entry], others: Sequence[Entry] = ()) -> list[Entry]:
    """The texts of the source with the translations of a catalogue, fuzzy where the English has changed.

    others: entries of other rooms, for texts that are not in this catalogue.
    """
    known = {each.key: each for each in (*others, *old)}
    pairs = {each.key: known[each.key] for each in english if each.key in known}
    left = [each for each in old if each.key not in pairs]
    moved = {each.english: each for each in left}  # the same English in another context
    for each in english:
        if each.key not in pairs and each.english in moved:
            pairs[each.key] = moved.pop(each.english)
    used = {each.key for each in pairs.values()}
    left = [each for each in left if each.key not in used]
    likely = paired([each for each in left if not each.gone], [each for each in english if each.key not in pairs])
    result = []
    for each in english:
        was = pairs.get(each.key) or likely.get(each.key)
        if was is not None:
            changed = was.english != each.english and bool(was.text)
            each = replace(
                each,
                text=was.text,
                fuzzy=was.fuzzy or changed,
                before=(was.before or was.english) if changed else was.before,
                notes=was.notes,
            )
        result.append(each)
    used |= {each.key for each in likely.values()}
    return [*result, *(replace(each, gone=True) for each in left if each.key not in used and each.text)]


def paired(old: Sequence[Entry], new: Sequence[Entry]) -> dict[tuple[str, str], Entry]:
    """For new texts, by key, the old text that each one most likely replaces.

    Both lists have the order of the source, and pairs never cross. Among such pairings, it takes the one whose words
    and contexts agree most.
    """
    words = {each: Counter(re.findall(r"\w+", each.english.lower())) for each in {*old, *new}}

    def likeness(one: Entry, other: Entry) -> float:
        common = 2 * (words[one] & words[other]).total() / max(1, words[one].total() + words[other].total())
        same_place = one.context == other.context
        return common + 0.5 * same_place if same_place or common > 0.5 else 0.0

    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    alike = [[likeness(one, other) for other in new] for one in old]
    for i in range(len(old)):
        for j in range(len(new)):
            best[i + 1][j + 1] = max(best[i][j] + alike[i][j], best[i][j + 1], best[i + 1][j])
    found, i, j = {}, len(old), len(new)
    while i and j:
        if best[i][j] == best[i - 1][j]:
            i -= 1
        elif best[i][j] == best[i][j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            found[new[j].key] = old[i]
    return found


def write(file: Path, entries: Iterable[Entry]) -> None:
    """Write a catalogue, LANG/LC_MESSAGES/ROOM.po. The header of an existing file stays, because editors write there.

    Long lines are not wrapped, so a changed word changes one line, and no date is noted.
    """
    head = HEADER.format(room=file.stem, lang=file.parts[-3])
    if file.exists():
        head = file.read_text(encoding="utf-8-sig").partition("\n\n")[0] + "\n"
    file.parent.mkdir(parents=True, exist_ok=True)
    blocks = map(_block, sorted(entries, key=lambda each: each.gone))
    file.write_bytes("\n".join([head, *blocks]).encode("utf-8"))


def _block(entry: Entry) -> str:
    lines = [f"# {note}" for note in entry.notes]
    if not entry.gone:
        lines += [f"#. {comment}" for comment in entry.comments]
        lines += [f"#: {' '.join(entry.files)}"] if entry.files else []
    lines += ["#, fuzzy"] if entry.fuzzy else []
    lines += [f"#| {line}" for line in _field("msgid", entry.before)] if entry.before else []
    body = _field("msgctxt", entry.context) if entry.context else []
    body += [*_field("msgid", entry.english), *_field("msgstr", entry.text)]
    return "\n".join([*lines, *(f"#~ {line}" if entry.gone else line for line in body), ""])


def _field(name: str, text: str) -> list[str]:
    return f"{name} {normalize(text, width=0)}".splitlines()


def compared(
    lang: str, folder: Path | None = None, chosen: Collection[str] = ()
) -> Iterator[tuple[Path, list[Entry], list[Entry]]]:
    """(the file, its entries, its updated entries) for each room in a language.

    chosen: only these rooms. A text that has moved to another room keeps its translation.
    """
    known = {file: (read(file), english) for file, english in rooms(lang, folder, chosen).items()}
    anywhere = {each.key: each for old, _ in known.values() for each in old if each.text and not each.fuzzy}
    for file, (old, english) in known.items():
        if chosen and file.stem not in chosen:
            continue
        moved = [anywhere[each.key] for each in english if each.key in anywhere]
        yield file, old, merged(english, old, moved)


def rooms(lang: str, folder: Path | None = None, chosen: Collection[str] = ()) -> dict[Path, list[Entry]]:
    """The texts of the source, by catalogue; an empty list for a catalogue whose room no longer exists.

    A folder may also hold catalogues of the package: those that are there, and the rooms in `chosen`.
    """
    root, languages = (HERE.parent.parent, HERE) if folder is None else (folder, folder / "locale")
    catalogues = languages / lang / "LC_MESSAGES"
    found: dict[Path, list[Entry]] = {file: [] for file in sorted(catalogues.glob("*.po"))}
    own = sources(folder)
    places = {room: (files, root) for room, files in own.items()}
    wanted = {*chosen, *(file.stem for file in found)} - {*own}
    if folder is not None and wanted:
        places |= {room: (files, HERE.parent.parent) for room, files in sources().items() if room in wanted}
    for room, (files, base) in places.items():
        if english := found_in(files, base):
            found[catalogues / f"{room}.po"] = [Entry(**vars(each)) for each in english]
    return dict(sorted(found.items()))


def keep(file: Path, containing: str = "") -> tuple[int, list[Entry]]:
    """Accept the fuzzy translations of a catalogue for the new English, if the names in braces are the same.

    containing: only texts whose English contains this.
    Returns how many were accepted, and the entries whose names differ.
    """
    entries, refused, count = [], [], 0
    for each in read(file):
        if each.fuzzy and each.text and not each.gone and containing in each.english:
            if places(each.english) == places(each.text):
                each, count = replace(each, fuzzy=False, before=""), count + 1
            else:
                refused.append(each)
        entries.append(each)
    if count:
        write(file, entries)
    return count, refused

"""Read a gettext catalogue, a `.po` file as Poedit and Weblate write it. No build step is needed.

Imports the standard library alone. Read next: __init__.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

FIELD = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)\s+"(.*)"')
ESCAPED = re.compile(r"\\(.)")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
PLACE = re.compile(r"\{(\w*)(?:![rsa])?(?::[^{}]*)?\}")

Translations = dict[tuple[str, str], str]  # (context, English) -> translation


def read(text: str) -> Translations:
    r"""The translations in a catalogue's text that are ready to be shown.

    Entries that are fuzzy or empty are left out. So are entries whose names in braces differ from the English ones,
    because their values could not be filled in.

    >>> read('msgid "Check"\nmsgstr "检查"\n\n#, fuzzy\nmsgid "Hint"\nmsgstr "提示"\n')
    {('', 'Check'): '检查'}
    """
    found = {}
    for context, english, translated, fuzzy in entries(text):
        if translated and not fuzzy and places(english) == places(translated):
            found[context, english] = translated
    return found


def entries(text: str) -> Iterator[tuple[str, str, str, bool]]:
    """(context, English, translation, whether it is fuzzy) of each entry; obsolete entries are left out."""
    entry: dict[str, str] = {}
    field, fuzzy = "", False
    for line in [*text.splitlines(), "#"]:
        line = line.strip()
        starts = line.startswith(("#", "msgctxt", "msgid"))
        if starts and "msgstr" in entry:  # the entry before this line is complete
            if entry.get("msgid"):  # the file's header has an empty msgid
                yield _plain(entry.get("msgctxt", "")), _plain(entry["msgid"]), _plain(entry["msgstr"]), fuzzy
            entry, field, fuzzy = {}, "", False
        if line.startswith('"') and field:
            entry[field] += line[1:-1]
        elif match := FIELD.fullmatch(line):
            field = match[1]
            entry[field] = match[2]
        elif line.startswith("#,"):
            fuzzy = fuzzy or "fuzzy" in line


def places(text: str) -> list[str]:
    """The names in braces, where values are filled in, in alphabetical order.

    >>> places("{part} is {n:,}, not {part}"), places("`{'a': 1}`")
    (['n', 'part', 'part'], [])
    """
    return sorted(PLACE.findall(text)) if "{" in text else []


def _plain(text: str) -> str:
    return ESCAPED.sub(lambda match: ESCAPES.get(match[1], match[1]), text) if "\\" in text else text

"""Reads a gettext catalogue, a `.po` file as Poedit and Weblate write it. Nothing has to be built first.

Imports the standard library alone. Read next: __init__.py.
"""

from __future__ import annotations

import re

FIELD = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)\s+"(.*)"')
ESCAPED = re.compile(r"\\(.)")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}

PLACE = re.compile(r"\{(\w*)(?:![rsa])?(?::[^{}]*)?\}")

Translations = dict[tuple[str, str], str]  # (context, English) -> translation


def read(text: str) -> Translations:
    r"""The translations in the text of a catalogue. Entries that are fuzzy or empty are left out.

    So are those whose names in braces are not the English ones: filling in the values would fail.

    >>> read('msgid "Check"\nmsgstr "检查"\n\n#, fuzzy\nmsgid "Hint"\nmsgstr "提示"\n')
    {('', 'Check'): '检查'}
    """
    found: Translations = {}
    entry: dict[str, str] = {}
    field, fuzzy = "", False
    for line in [*text.splitlines(), 'msgid ""']:  # the last line ends the last entry
        line = line.strip()
        if line.startswith('"'):
            if field:
                entry[field] += line[1:-1]
        elif line.startswith("msg") and (match := FIELD.fullmatch(line)):
            if "msgstr" in entry and match[1] in ("msgctxt", "msgid"):
                _keep(found, entry, fuzzy)
                entry, fuzzy = {}, False
            field = match[1]
            entry[field] = match[2]
        elif line.startswith("#"):
            if "msgstr" in entry:  # a comment stands above its entry, so the entry before it is complete
                _keep(found, entry, fuzzy)
                entry, field, fuzzy = {}, "", False
            fuzzy = fuzzy or line.startswith("#,") and "fuzzy" in line
    return found


def _keep(found: Translations, entry: dict[str, str], fuzzy: bool) -> None:
    if not entry.get("msgid") or not entry.get("msgstr") or fuzzy:
        return
    english, text = _plain(entry["msgid"]), _plain(entry["msgstr"])
    if places(english) == places(text):
        found[_plain(entry.get("msgctxt", "")), english] = text


def places(text: str) -> list[str]:
    """The names in braces, where values are filled in, in alphabetical order.

    >>> places("{part} is {n:,}, not {part}"), places("`{1: 2}`")
    (['n', 'part', 'part'], [])
    """
    return sorted(PLACE.findall(text)) if "{" in text else []


def _plain(text: str) -> str:
    return ESCAPED.sub(lambda match: ESCAPES.get(match[1], match[1]), text) if "\\" in text else text

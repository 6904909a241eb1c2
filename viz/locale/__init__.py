"""What a reader sees, in the reader's language: English is in the source, every other language in a catalogue.

    tr = room("errors")                        # its catalogues: zh/LC_MESSAGES/errors.po, and so on
    advice = tr("Call `{name}` again.")        # a Text: an English sentence that knows its room
    advice.into("zh")                          # its translation, or the English while there is none
    WORDS = tr.table({"cure": "What to do"})   # short texts by key: WORDS["zh"]["cure"]
    WORDS = tr.table("clinic")                 # many of them: the file errors/texts/clinic.toml
    WORDS.text("again", name="w")              # one of them as a Text

A catalogue is a gettext `.po` file, which is read when a text of its room is first shown in its language. A language
is available if it has a folder beside this file. `python -m viz.locale` compares the catalogues with the source.
Imports the standard library alone. Read next: extract.py, which finds the texts; update.py, which keeps catalogues.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from ..beside import text_of
from . import po

ENGLISH = "en"

_spoken = ""  # a plain global, because widget callbacks run on other threads, where a ContextVar has its default


def speak(lang: str) -> None:
    """Choose the language of everything that is shown from now on; the `lang=` of a single call has priority.

    lang: "en", "zh", or another language that has catalogues. The environment variable MINIGRAD_LANG does the same.

    >>> speak("zh")
    >>> language()
    'zh'
    >>> speak("en")
    """
    global _spoken
    _spoken = language(lang)


def language(lang: str | None = None) -> str:
    """The language to use: `lang`, or the one that was chosen before. Raises ValueError if it has no catalogues."""
    chosen = lang if lang is not None else _spoken or os.environ.get("MINIGRAD_LANG") or ENGLISH
    if chosen != ENGLISH and chosen not in languages():
        what = "lang" if lang is not None else "MINIGRAD_LANG"
        error = ValueError(f"{what} must be one of {', '.join(map(repr, languages()))}, but got {chosen!r}")
        error.add_note("A language of a folder of your own is known after viz.exercises(folder).")
        raise error
    return chosen


def languages(folder: Any = None) -> list[str]:
    """English first, then every language that has a folder of catalogues; with `folder`, those of that folder alone.

    >>> languages()
    ['en', 'zh']
    """
    return [ENGLISH, *sorted({lang for each in ([folder] if folder else _folders) for lang in _in_folder(each)})]


@cache
def rooms() -> frozenset[str]:
    """The names of the package's own catalogues."""
    return frozenset(
        file.name.removesuffix(".po")
        for lang in _in_folder(_folders[0])
        for file in _folders[0].joinpath(lang, "LC_MESSAGES").iterdir()
    )


_times_read = 0  # how often a folder was added or read again: tables then forget the words that they have looked up
_folders: list[Any] = [files(__name__)]  # the folders of catalogues; a teacher's own exercises add a folder


@cache
def _in_folder(folder: Any) -> tuple[str, ...]:
    if not folder.is_dir():
        return ()
    return tuple(each.name for each in folder.iterdir() if each.joinpath("LC_MESSAGES").is_dir())


@cache
def _catalogue(folder: Any, room: str, lang: str) -> po.Translations:
    file = folder.joinpath(lang, "LC_MESSAGES", f"{room}.po")
    return po.read(file.read_text(encoding="utf-8-sig")) if file.is_file() else {}


@dataclass(frozen=True)
class Room:
    """The texts that share a catalogue. gettext calls this a domain. Make one with `room`."""

    name: str
    folder: Any  # contains a folder for each language; a pathlib.Path, or a folder inside a wheel

    @property
    def place(self) -> str:
        """The folder of `viz` that this room's texts are in; `room_of` in extract.py says the reverse."""
        return f"lesson/exercises/{self.name}" if self.name[-1:].isdigit() else self.name

    def __call__(self, english: str, context: str = "") -> Text:
        """A text of this room. context: the name of an exercise or a table's key, if the same English occurs again."""
        return Text(english, self, context)

    def table(self, english: Mapping[str, str] | str) -> Table:
        """Short texts by key, or the name of their file. The key is each text's context in the catalogue."""
        return Table(self, english)

    def translated(self, english: str, context: str, lang: str) -> str:
        """This text in a language, or in English while there is no translation.

        What the package itself does not have is also looked for in the catalogues of teachers' folders.
        """
        if lang == ENGLISH:
            return english
        more = _folders[1:] if self.folder == _folders[0] else []
        for folder in (self.folder, *more):
            if text := _catalogue(folder, self.name, lang).get((context, english)):
                return text
        return english


def room(name: str, folder: Any = None) -> Room:
    """The room of this name. folder: where its languages are, if not beside this file; they are read again."""
    if folder is None:
        return Room(name, _folders[0])
    global _times_read
    _times_read += 1
    if folder not in _folders:
        _folders.append(folder)
    _in_folder.cache_clear()
    _catalogue.cache_clear()
    return Room(name, folder)


@dataclass(frozen=True)
class Text:
    """An English text that can be shown in other languages. It is no str, so code that forgets `into` fails."""

    english: str
    room: Room
    context: str = ""
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def into(self, lang: str | None = None) -> str:
        """The text in this language, with its values filled in; without `lang`, in the chosen language."""
        lang = language() if lang is None else lang
        text = self.room.translated(self.english, self.context, lang)
        if not self.values:
            return text
        into = {name: value.into(lang) if isinstance(value, Text) else value for name, value in self.values.items()}
        return text.format(**into)

    def filled(self, **values: Any) -> Text:
        """The same text with values for the names in braces. A value may be a Text itself."""
        return replace(self, values={**self.values, **values})


class Table(Mapping[str, Mapping[str, str]]):
    """Short texts by language and key: `WORDS["zh"]["cure"]`. A language's words are looked up once."""

    def __init__(self, room: Room, english: Mapping[str, str] | str):
        self.room, self._given = room, english
        self._known: dict[str, dict[str, str]] = {}
        self._looked_up = _times_read

    @cached_property
    def english(self) -> dict[str, str]:
        """The texts in English; a file is read when one of its texts is first shown."""
        if not isinstance(self._given, str):
            return dict(self._given)
        import tomllib

        return tomllib.loads(text_of(f"{self.room.place}/texts/{self._given}.toml"))

    def text(self, key: str, /, **values: Any) -> Text:
        """One of the texts with its values, where its language is not known yet."""
        return self.room(self.english[key], key).filled(**values)

    def __getitem__(self, lang: str) -> dict[str, str]:
        if lang == ENGLISH:
            return self.english
        if self._looked_up != _times_read:
            self._looked_up, self._known = _times_read, {}
        known = self._known
        if lang not in known:
            if lang not in languages():
                raise KeyError(lang)
            known[lang] = {k: self.room.translated(text, k, lang) for k, text in self.english.items()}
        return known[lang]

    def __iter__(self) -> Iterator[str]:
        return iter(languages())

    def __len__(self) -> int:
        return len(languages())


def pick(text: str | Text, lang: str | None = None) -> str:
    """A Text in this language; a str, such as a teacher's own, unchanged."""
    return text.into(lang) if isinstance(text, Text) else text

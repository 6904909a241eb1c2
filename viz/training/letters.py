"""Names in any script, in a picture that matplotlib paints: finds fonts for the letters, and replaces missing ones.

matplotlib's own font has Latin, Greek and Cyrillic letters, and warns about all others. So Chinese and other scripts
use a system font that has their letters; a letter that no font has, usually an emoji, becomes a box. Imports matplotlib
when a letter is not in its own font. Read chart.py next.
"""

from __future__ import annotations

from functools import cache
from typing import Any

OWN, MISSING = "DejaVu Sans", "□"
PLAIN = "\u0500"  # below this, matplotlib's font has all letters
# Fonts of Linux, Windows and macOS with many letters, all as outlines, as matplotlib needs them
WIDE = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei"),
    *("WenQuanYi Zen Hei", "Droid Sans Fallback", "Microsoft YaHei", "SimHei", "PingFang SC", "Hiragino Sans GB"),
    *("Heiti SC", "STHeiti", "Arial Unicode MS", "Noto Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Symbola"),
)


@cache
def fonts() -> dict[str, frozenset[int]]:
    """The installed fonts, by name, with the letters that each has; matplotlib's own first."""
    from matplotlib.font_manager import fontManager, get_font

    files = {entry.name: entry.fname for entry in reversed(fontManager.ttflist) if entry.name in (OWN, *WIDE)}
    return {name: frozenset(get_font(files[name]).get_charmap()) for name in (OWN, *WIDE) if name in files}


def set_in(words: str) -> tuple[str, list[str]]:
    """`words` with missing letters replaced, and the fonts to search, in this order.

    >>> set_in("loss"), set_in("\\U000E0001")[0]
    (('loss', ['DejaVu Sans']), '□')
    """
    if max(words, default="") < PLAIN:
        return words, [OWN]
    there = fonts()
    used = [name for name in there if name == OWN or any(ord(letter) in there[name] for letter in words)]
    written = "".join(letter if any(ord(letter) in there[name] for name in used) else MISSING for letter in words)
    return written, used


def write(artist: Any, words: str) -> None:
    """Set the text of a matplotlib Text to `words`, as far as fonts have the letters."""
    written, families = set_in(words)
    artist.set_text(written)
    artist.set_fontfamily(families)

"""How sentences are joined and ended in each language: Chinese has no space between two, and its own full stop.

Imports the catalogues. Read stepper/script.py to see them used.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from . import room

tr = room("locale")

WORDS = tr.table(
    {
        # Translators: how two sentences follow each other, and how a list of facts becomes a sentence
        "then": "{one} {other}",
        "ended": "{words}.",
    }
)


def joined(sentences: Iterable[str], lang: str) -> str:
    """Sentences, one after the other.

    >>> joined(["Done.", "y = 3."], "en"), joined(["完成。", "y = 3。"], "zh")
    ('Done. y = 3.', '完成。y = 3。')
    """
    then = WORDS[lang]["then"]
    return reduce(lambda one, other: then.format(one=one, other=other), [*sentences] or [""])


def ended(words: str, lang: str) -> str:
    """These words as a sentence.

    >>> ended("y = 3", "zh")
    'y = 3。'
    """
    return WORDS[lang]["ended"].format(words=words)

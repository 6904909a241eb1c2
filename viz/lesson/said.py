"""The words of exercises and questions, which are in texts/, and their markup on a page.

Imports the catalogues. Read next: exercise.py.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from ..locale import room
from ..locale.sentences import ended

tr = room("lesson")
WORDS = tr.table("said")
KINDS = tr.table("kinds")
COUNTED = tr.table({"0": "no argument", "1": "1 argument", "2": "{count} arguments"})
CHANGED = tr.table("changed")  # the keys of undo.STATES

LONG = 30  # characters: code that is longer may be broken
EQUALS = re.compile(r"(?<=[\w)\]]) ([=·]) (?=[\w(\[−-])")


def kind_in_words(kind: str, lang: str) -> str:
    """The words for a kind from `compare.kind`, or for the name of a type."""
    return KINDS[lang].get(kind, f"{kind}")


def counted(count: int, lang: str) -> str:
    """The number of arguments, in words."""
    return COUNTED[lang][str(min(count, 2))].format(count=count)


def changes(names: Iterable[str], lang: str) -> str:
    """What an answer has changed, in words; a name between backticks stays as it is."""
    return ", ".join([CHANGED[lang].get(name, name) for name in dict.fromkeys(names)][:5])


def judged(sign: str, answer: str, reply: str) -> str:
    """The verdict on an answer. A reply that begins with the answer names it, so it is not written twice.

    >>> judged("✗", "6", "6 is the slope."), judged("✗", "6", "Look again.")
    ('✗ 6 is the slope.', '✗ 6. Look again.')
    """
    return f"{sign} {reply}" if reply.startswith(f"{answer} ") else f"{sign} {answer}. {reply}".strip()


def sentence(text: str, lang: str) -> str:
    """The text with a capital letter and a full stop."""
    return ended_sentence(text if text.startswith("`") else text[:1].upper() + text[1:], lang)


def ended_sentence(text: str, lang: str) -> str:
    """The text with a full stop, if it has no end mark."""
    return text if text[-1:] in ".?!。？！…" else ended(text, lang)


def marked(text: str) -> str:
    """The text escaped for a page, with `code` between backticks set as code. No line breaks in "5 · 6 = 30".

    >>> marked("w = 2 · 3, and `y = w`")
    'w\\xa0=\\xa02\\xa0·\\xa03, and <code>y = w</code>'
    """
    parts = text.split("`")
    return "".join(
        _code(part) if i % 2 else EQUALS.sub("\u00a0\\1\u00a0", html.escape(part)) for i, part in enumerate(parts)
    )


def _code(text: str) -> str:
    """The text set as code. A short one stays on one line, with the comma after it."""
    start = '<code class="viz-long">' if len(text) > LONG else "<code>"
    return f"{start}{html.escape(text)}</code>"

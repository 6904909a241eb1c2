"""The stepper's sentences, and the words on its buttons: texts/sentences.toml and texts/player.toml.

A `{…}` is replaced by text that may come from the reader; it is escaped where it is shown. Imports the catalogues. Read
script.py to see when each sentence is used.
"""

from ..locale import room

tr = room("stepper")
WORDS = tr.table("sentences")
PLAYER = tr.table("player")


def capital(sentence: str) -> str:
    """Capitalizes a sentence that begins with an article; a name such as tanh stays as it is."""
    return "The " + sentence[4:] if sentence.startswith("the ") else sentence

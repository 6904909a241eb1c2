"""The words of exercises and questions, and their markup on a page.

Imports the catalogues. Read next: exercise.py.
"""

from __future__ import annotations

import html
import re

from ..locale import room

tr = room("lesson")
WORDS = tr.table(
    {
        "label": "Exercise",
        "check": "Check",
        "hint": "Hint",
        "solution": "Solution",
        "hide": "Hide the solution",
        "again": "Run this cell to check (Shift+Enter)",
        "untried": "Not tried yet. Fill in the `...` and run this cell.",
        "untried order": "Not tried yet. Put the lines in order, then press Check.",
        "untried mend": "Not mended yet. Change the cell until it runs.",
        "untried silent": "Not mended yet. It runs, and that is the trouble: change what it does.",
        "untried warns": "Not mended yet. It runs, but with a warning: change the cell until there is none.",
        "right": "✓ Right.",
        "first": "Try once first, or take a hint.",
        "no more": "That was the last hint.",
        "hint n": "Hint {n} of {all}: {hint}",
        "away": "The solutions are left out here.",
        "kept": "Going on with your {name}.",
        "ours": "Going on with our {name}, until yours is right.",
        "at": "At {point}: ",
        "on": "{where}: ",
        "with": "{name} = {value}",
        "expected": "expected {wanted}, your code gave {given}.",
        "part": "expected {part} {wanted}, your code gave {given}.",
        "expected order": "expected {wanted}, your order gives {given}.",
        "part order": "expected {part} {wanted}, your order gives {given}.",
        "missing": "your code gave no {part}.",
        "None": "your function gave back None. Does it `return` its result?",
        "return": "Does your function `return` it?",
        "printed": "your function printed {printed} and returned nothing. `return` it instead of printing it.",
        "type": "expected {wanted}, your code gave {given}.",
        "type at": "result {number} has the right numbers, but it must be {wanted}, and your code gave {given}, "
        "`{value}`.",
        "shape": "expected the shape {wanted}, your code gave the shape {given}.",
        "changed": "the answer is right, but your code changed {name}, which belongs to the caller: it was {before}, "
        "now it is {after}. Make a new one instead.",
        "raised": "your code stopped {place}: {error}",
        "raised outside": "your code stopped: {error}",
        "in line": "in line {line}, `{text}`",
        "in another cell": "in `{name}`, line {line} of another cell, `{text}`",
        "in row": "in row {row}, `{text}`",
        "in frame": "at `{text}`",
        "unmade": "`{name}` is used there, but no line above it has made it",
        "numpy": "Use `torch.…`, as in `torch.sin(h)`: it takes a tensor and gives one. NumPy gives an array, and "
        "`math` takes one number only.",
        "loop": "after {seconds:g} s your code was still running, {place}. What would end it?",
        "loop outside": "after {seconds:g} s your code was still running. What would end it?",
        "busy": "This computer is too busy to try your code: our own solution was still running. Wait a moment, and "
        "run the cell again.",
        "an error": "an error ({name})",
        "left": "There is still a `...` to fill in.",
        "callable": "Give the check the {kind} itself: `check({name})`, without brackets after it.",
        "class": "A class was expected, with `forward` and `backward`: `check({name})`.",
        "arguments": "`{name}` is called with {count}: {point}. Yours takes {takes}.",
        "said": "Your code printed:",
        "order": "An order is the letters of all lines, each once: {letters}.",
        "yours": "what your code draws",
        "asked": "what was asked for",
        "up": "Move up",
        "down": "Move down",
        "line": "line {letter}, place {place} of {all}",
        "lines": "Lines to put in order: Alt with the arrow keys moves one",
    }
)

KINDS = tr.table(
    {
        "None": "None",
        "number": "a number",
        "truth": "True or False",
        "tensor": "a tensor",
        "symbol": "a symbol",
        "array": "a NumPy array",
        "text": "text",
        "list": "a list",
        "tuple": "a tuple",
        "dict": "a dict",
        "class": "a class",
        "function": "a function",
    }
)


COUNTED = tr.table({"0": "no argument", "1": "1 argument", "2": "{count} arguments"})

EQUALS = re.compile(r"(?<=[\w)\]]) = (?=[\w(\[−-])")


def kind_in_words(kind: str, lang: str) -> str:
    """The words for a kind from `compare.kind`, or for the name of a type."""
    return KINDS[lang].get(kind, f"{kind}")


def counted(count: int, lang: str) -> str:
    """The number of arguments, in words."""
    return COUNTED[lang][str(min(count, 2))].format(count=count)


def marked(text: str) -> str:
    """The text escaped for a page, with `code` between backticks set as code. No line breaks at the = in "w = 2".

    >>> marked("w = 2, and `y = w`")
    'w\\xa0=\\xa02, and <code>y = w</code>'
    """
    parts = html.escape(text).split("`")
    return "".join(
        f"<code>{part}</code>" if i % 2 else EQUALS.sub("\u00a0=\u00a0", part) for i, part in enumerate(parts)
    )

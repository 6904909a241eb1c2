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
        "untried fix": "Not fixed yet. Change the cell until it runs.",
        "untried silent": "Not fixed yet. The cell runs without an error, but it does the wrong thing: change it.",
        "untried warns": "Not fixed yet. The cell runs with a warning: change it until the warning is gone.",
        "right": "✓ Right.",
        "first": "Try once first, or take a hint.",
        "no more": "That was the last hint.",
        "hint n": "Hint {n} of {all}: {hint}",
        "away": "Solutions are switched off here.",
        "kept": "The next cells use your {name}.",
        "ours": "The next cells use our {name} until yours is right.",
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
        "changed": "the result is right, but your code changed its argument {name} from {before} to {after}. "
        "Compute a new value instead.",
        "raised": "your code stopped {place}: {error}",
        "raised outside": "your code stopped: {error}",
        "in line": "in line {line}, `{text}`",
        "in another cell": "in `{name}`, line {line} of another cell, `{text}`",
        "in row": "in row {row}, `{text}`",
        "in frame": "at `{text}`",
        "unmade": "`{name}` is used there, but no line above it has made it",
        "numpy": "Compute with tensors: a function of `torch`, or a method of the tensor, returns a tensor. NumPy "
        "returns an array, and `math` takes a single number.",
        "numpy named": "Use `{new}` in place of `{old}`: it takes a tensor and returns a tensor. NumPy returns an "
        "array, and `math` takes a single number.",
        "loop": "after {seconds:g} s, your code was still running, {place}. Which condition should end it?",
        "loop outside": "after {seconds:g} s, your code was still running. Which condition should end it?",
        "busy": "This computer is too busy to check your code: even our own solution did not finish. Wait a moment, "
        "and run the cell again.",
        "an error": "an error ({name})",
        "left": "There is still a `...` to fill in.",
        "callable": "Pass the {kind} itself to the check: `check({name})`, without brackets after the name.",
        "class": "Pass a class that has `forward` and `backward`: `check({name})`.",
        "arguments": "The check calls `{name}` with {count}: {point}. Your function takes {takes}.",
        "said": "Your code printed:",
        "order": "Write the numbers of all rows, each of them once: {numbers}.",
        "yours": "the picture of your code",
        "asked": "the picture to draw",
        "up": "Move up",
        "down": "Move down",
        "line": "row {place} of {all}",
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

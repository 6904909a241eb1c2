"""The words of exercises and questions, and their markup on a page.

Imports the catalogues. Read next: exercise.py.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from ..locale import room
from ..locale.sentences import ended

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
        "result": "result {number} of {all}",
        "entry": "entry {number} of {all}",
        "in": "in {which}, ",
        "at index": "at index `{index}`, ",
        "is wrong": "The first difference is in {which}.",
        "results": "your function must return {wanted} results, and it returned {count}: {kind}, `{given}`.",
        "one result": "your function must return {wanted} results, and it returned one: {kind}, `{given}`.",
        "once": "expected {wanted}, your code gave a {given}, which can be read only once. Make a list of it: "
        "`list(…)`, or `[…]` in place of `(…)`.",
        "not a generator": "expected {wanted}, your code gave a {given}, which has computed nothing yet.",
        "yields": "expected {wanted}, your code gave a generator, because your function contains `yield`. Use "
        "`return`.",
        "function needed": "`{name}` is a class, and the task asks for a function: begin with `def {name}`.",
        "class needed": "`{name}` is a function, and the task asks for a class: begin with `class {name}`.",
        "None of": "`{name}` gave back None. Does it `return` its result?",
        "returned": "`{name}` must return {wanted}, and it returned {given}.",
        "unusable": "the check can't use what `{name}` returned, `{value}`: {error}",
        "strange": "your code gave an object of type `{kind}`, and it can't be compared: {error}",
        "ours failed": "The check itself failed, and your answer was not judged: {error} ({place}). This is our "
        "mistake, not yours. The next cells use your answer.",
        "ours kept": "The check failed, so the next cells use your {name} as it is.",
        "restored": "It also changed {what}. The check has undone this.",
        "lost": "It also changed {what}, and the check can't undo this. Restart the kernel.",
        "thread": "A thread that your code has started still runs: {names}. The check can't end it.",
        "expected order": "expected {wanted}, your order gives {given}.",
        "part order": "expected {part} {wanted}, your order gives {given}.",
        "missing": "your code gave no {part}.",
        "no generator": "`{name}` gave back None, and not a generator.",
        "None": "your function gave back None. Does it `return` its result?",
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
        "unmade": "`{name}` is used there, but no earlier line defines it",
        "numpy": "Compute with tensors: a function of `torch`, or a method of the tensor, returns a tensor. NumPy "
        "returns an array, and `math` takes a single number.",
        "numpy named": "Use `{new}` instead of `{old}`: it takes a tensor and returns a tensor. NumPy returns an "
        "array, and `math` takes a single number.",
        "never runs": "In line {line}, `{text}` never runs, because it is below a `{kind}`.",
        "compares": "In line {line}, `{text}` only compares two values. An assignment has a single `=`.",
        "drops": "In line {line}, `{text}` computes a value but does not store it.",
        "idle": "In line {line}, `{text}` has no effect.",
        "altered": "The cell gives the line `{given}`. In your code, it is `{own}`.",
        "calls nothing": "In line {line}, `{text}` has no effect. If it is meant as a call, it needs brackets, `()`.",
        "loop": "after {seconds:g} s, your code was still running, {place}. Which condition should end it?",
        "loop outside": "after {seconds:g} s, your code was still running. Which condition should end it?",
        "waits": "after {seconds:g} s, your code was still waiting, {place}. What does it wait for?",
        "waits outside": "after {seconds:g} s, your code was still waiting. What does it wait for?",
        "stuck": "your code took {seconds:g} s, {place}. A single call like this can't be ended from outside: the "
        "check had to wait for it. Make it smaller.",
        "stuck outside": "your code took {seconds:g} s in a single call, which can't be ended from outside. Make it "
        "smaller.",
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
        "generator": "a generator",
        "list": "a list",
        "tuple": "a tuple",
        "dict": "a dict",
        "class": "a class",
        "function": "a function",
    }
)


COUNTED = tr.table({"0": "no argument", "1": "1 argument", "2": "{count} arguments"})

CHANGED = tr.table(  # the keys of undo.STATES
    {
        "recursion": "the limit of recursion",
        "switching": "the time between two threads",
        "digits": "the longest number that is printed",
        "streams": "the streams",
        "hooks": "the hooks for errors",
        "tracer": "the tracer",
        "thread tracer": "the tracer of threads",
        "signals": "the handlers of signals",
        "timer": "a timer",
        "directory": "the working directory",
        "numpy errors": "NumPy's reaction to errors",
        "numpy call": "NumPy's function for errors",
        "dtype": "the default dtype",
        "inference": "the inference mode",
        "recording": "the recording of gradients",
        "anomaly": "the detection of anomalies",
        "collector": "the garbage collector",
        "tensors printed": "how tensors are printed",
        "deterministic": "the choice of deterministic algorithms",
        "arrays printed": "how arrays are printed",
        "environment": "the environment",
        "search": "where modules are looked for",
    }
)


EQUALS = re.compile(r"(?<=[\w)\]]) = (?=[\w(\[−-])")


def kind_in_words(kind: str, lang: str) -> str:
    """The words for a kind from `compare.kind`, or for the name of a type."""
    return KINDS[lang].get(kind, f"{kind}")


def counted(count: int, lang: str) -> str:
    """The number of arguments, in words."""
    return COUNTED[lang][str(min(count, 2))].format(count=count)


def changes(names: Iterable[str], lang: str) -> str:
    """What an answer has changed, in words; a name between backticks stays as it is."""
    return ", ".join([CHANGED[lang].get(name, name) for name in dict.fromkeys(names)][:5])


def sentence(text: str, lang: str) -> str:
    """The text with a capital letter and a full stop."""
    return ended_sentence(text if text.startswith("`") else text[:1].upper() + text[1:], lang)


def ended_sentence(text: str, lang: str) -> str:
    """The text with a full stop, if it has no end mark."""
    return text if text[-1:] in ".?!。？！…" else ended(text, lang)


def marked(text: str) -> str:
    """The text escaped for a page, with `code` between backticks set as code. No line breaks at the = in "w = 2".

    >>> marked("w = 2, and `y = w`")
    'w\\xa0=\\xa02, and <code>y = w</code>'
    """
    parts = html.escape(text).split("`")
    return "".join(
        f"<code>{part}</code>" if i % 2 else EQUALS.sub("\u00a0=\u00a0", part) for i, part in enumerate(parts)
    )

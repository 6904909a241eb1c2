"""What a reader has typed, as the number, the word or the shape that it means.

A sum such as `7 + 7` is read as its number. It is parsed, and only numbers, + - * / ** and brackets are computed, as
floats; nothing is ever executed. explore/leaving.js reads in the same way: a browser test compares the two.
Imports the standard library alone. Read next: predict.py.
"""

from __future__ import annotations

import ast
import math
import operator
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable
from typing import Any

LONGEST = 100  # characters of a sum
NUMBER = re.compile(r"[+-]?(?:\d[\d_]*(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?")  # also 0,1
SIGNS = str.maketrans(
    {each: "-" for each in "−–—"}
    | {each: "*" for each in "×·⋅∙"}
    | {each: "/" for each in "÷⁄∕"}
    | {"²": "**2", "³": "**3", "^": "**"}  # nobody who types 2^3 as an answer means Python's xor
)
OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}
# Words that mean the same answer. Each is read as the first of these names that the question knows.
MEANT = (
    (
        re.compile(
            r"(?:it )?(?:gives |raises |throws )?(?:an? )?"
            r"(?:(?!noerror|noexception)[a-z]*(?:error|exception)|crash|traceback|errors|crashes|fails|stops)"
        ),
        ("error", "runtimeerror"),
    ),
    (re.compile(r"nothing|empty|null|nil|no|none|no grad|no gradient"), ("none", "nothing")),
    (re.compile(r"no|nope|n|false|never"), ("no", "false")),
    (re.compile(r"yes|yep|yeah|y|true"), ("yes", "true")),
)
WORDS = re.compile(r"nan|[-+]?inf(?:inity)?|z[ée]ro")  # they say something, but no number that is asked for


def plain(value: Any) -> Any:
    """A number if the value is one (also as a tensor, or typed), else a lower-case word without its article.

    >>> plain("w = 5"), plain("1/10"), plain("4 + 2*5"), plain("An error."), plain("None")
    (5.0, 0.1, 14.0, 'error', 'none')
    """
    value = value.item() if hasattr(value, "item") else value
    if not isinstance(value, str):
        return value if value is None or isinstance(value, bool) else float(value)
    word = value.strip(" `'\"").rstrip(".\u3002").lower().replace("−", "-").removeprefix("a ").removeprefix("an ")
    word = word.rpartition("=")[2].strip()  # "w = 5"
    word = re.sub(r"^(?:it|[a-z_][\w.]*) is (?:an? )?", "", word)  # "w.grad is None"
    word = re.sub(r"^(?:tensor)?\(?\[?([^][(),]+),?\]?\)?$", r"\1", word)  # "tensor([6.])", as it is printed
    number = float(word.replace(",", ".")) if NUMBER.fullmatch(word) else computed(value)
    return number if number is not None and math.isfinite(number) else word


def computed(text: str) -> float | None:
    """The number that a sum of numbers gives; None for any other text.

    >>> computed("1000*100 + 100*10"), computed("2^3"), computed("3 × −2,5"), computed("1/0"), computed("max(1, 2)")
    (101000.0, 8.0, -7.5, None, None)
    """
    parsed = _parsed(text)
    try:
        number = None if parsed is None else _value(parsed)
    except (ValueError, ArithmeticError):  # another operator, 1/0, or a number that is too large
        return None
    return number if isinstance(number, float) and math.isfinite(number) else None


def summed(text: str) -> bool:
    """Whether a text is a sum that has to be computed, and not a number as it is written."""
    parsed = _parsed(text)
    return parsed is not None and computed(text) is not None and any(isinstance(x, ast.BinOp) for x in ast.walk(parsed))


def _parsed(text: str) -> ast.expr | None:
    """A text as an expression, if only numbers, signs and brackets occur in it."""
    text = text.strip(" `'\"").rstrip(".").rpartition("=")[2].translate(SIGNS)
    text = unicodedata.normalize("NFKC", text).translate(SIGNS).strip()  # full-width digits, ½
    text, commas = re.subn(r"(?<=\d),(?=\d)", ".", text)  # 0,5 + 0,25
    text = re.sub(r"(?<=[\d.)])\s*x\s*(?=[\d.(])", "*", text)  # 4 x 4
    text = re.sub(r"(?<![\d.])0+(?=\d)", "", text)  # Python reads no 05
    if len(text) > LONGEST or not re.fullmatch(r"[\d.eE+*/() -]+", text):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return None if commas and isinstance(parsed, ast.Constant) else parsed  # (4,4) is no number


def _value(part: ast.expr) -> Any:
    """The value of one part of a sum. Floats keep each power small enough to be computed at once."""
    if isinstance(part, ast.Constant) and isinstance(part.value, (int, float)):
        return float(part.value)
    if isinstance(part, ast.BinOp) and type(part.op) in OPERATORS:
        return OPERATORS[type(part.op)](_value(part.left), _value(part.right))
    if isinstance(part, ast.UnaryOp) and type(part.op) in OPERATORS:
        return OPERATORS[type(part.op)](_value(part.operand))
    raise ValueError(f"{type(part).__name__} is no part of a sum")


def meant(word: Any, known: Iterable[Any]) -> Any:
    """The answer that a word means, if the question knows it by another word: a crash is an error.

    >>> meant("crash", ["error", 7.0]), meant("nothing", ["none"]), meant("crash", [7.0]), meant("nothing", ["nothing"])
    ('error', 'none', 'crash', 'nothing')
    """
    names = [str(each).lower() for each in known]
    if not isinstance(word, str) or word in names:
        return word
    for words, same_as in MEANT:
        if words.fullmatch(word):
            if found := next((each for each in same_as if each in names), None):
                return found
    return word


def says_something(word: str) -> bool:
    """Whether a word is an answer at all where a number is asked for: an error, None, yes, nan."""
    return any(words.fullmatch(word) for words, _ in MEANT) or WORDS.fullmatch(word) is not None


def shape(text: str) -> str | None:
    """A shape as Python writes it, if the text is one: "4x4", "4, 4" and "torch.Size([4, 4])" are "(4, 4)"."""
    inside = re.sub(r"^(?:torch\.size)?[\s(\[]*(.*?)[\s)\]]*$", r"\1", text.strip(" `'\"."), flags=re.IGNORECASE)
    if re.fullmatch(r"(?:torch\.size)?[(\[\s]+[)\]\s]+", text.strip(" `'\"."), flags=re.IGNORECASE):
        return "()"
    if not re.fullmatch(r"\d+(?:\s*(?:,|x|×|\*|by)\s*\d+)*\s*,?", inside) or inside.isdigit():
        return None
    sizes = re.findall(r"\d+", inside)
    return f"({', '.join(sizes)}{',' * (len(sizes) == 1)})"


def ungrouped(text: str) -> str:
    """A text without the marks between thousands: "101,000", "101.000" and "101 000" are "101000"."""
    if re.fullmatch(r"-?\d{1,3}(\.\d{3})+", text):
        return text.replace(".", "")  # in German and Spanish, "101.000" is "101,000"
    return re.sub(r"(?<=\d)[,_ '](?=\d{3}\b)", "", text)


def same(a: Any, b: Any) -> bool:
    """Whether two answers are the same."""
    if isinstance(a, float) and isinstance(b, float):
        counts = a.is_integer() and b.is_integer()  # 101001 runs are not 101000
        return a == b if counts else math.isclose(a, b, rel_tol=5e-3, abs_tol=1e-6)  # a slope by a small nudge counts
    one, other = (re.sub(r"\s+", " ", str(each).lower()) for each in (a, b))
    return one == other or re.sub(r"\s*([][(),.=*+/])\s*", r"\1", one) == re.sub(r"\s*([][(),.=*+/])\s*", r"\1", other)


def known_wrong(typed: str, given: Any, belief: Any) -> bool:
    """Whether a wrong answer is this known one, or this one rounded: 6.01 is not 6, and 0.667 is 2/3.

    A belief may also be a function that says whether a number is meant.
    """
    if callable(belief):
        return isinstance(given, float) and bool(belief(given))
    if not same(given, belief) or not (isinstance(given, float) and isinstance(belief, float)):
        return same(given, belief)
    if math.isclose(given, belief, rel_tol=1e-5, abs_tol=1e-9):
        return True
    digits = None if summed(typed) else re.search(r"[.,](\d+)$", typed.strip())
    return digits is not None and math.isclose(round(belief, len(digits[1])), given, rel_tol=1e-9, abs_tol=1e-12)


def written(value: Any) -> str:
    """An answer as a reply writes it."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))  # 1000000, and not 1e+06
    if isinstance(value, float) and 1e-9 < abs(value) < 1e-4:
        return f"{value:.12f}".rstrip("0")  # 0.000001, and not 1e-06
    return f"{value:g}" if isinstance(value, float) else PYTHONS.get(str(value), str(value))


PYTHONS = {"none": "None", "true": "True", "false": "False"}  # words that Python writes with a capital

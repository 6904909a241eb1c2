"""What a reply tells the reader to write, and whether their code has it already.

    told("The sum is lost. Write `s = s + x`.")                        {("s = s + x",)}
    followed("Write `s = s + x`.", "for x in xs:\\n    s = s + x")     {("s = s + x",)}

An instruction and a question are claims, too: they say that something is missing. A reply is not given to code that has
what the reply asks for, unless the wrong answer that the reply was written for has it as well: then the reply is about
its place.
Imports reading.py. Read next: beliefs.py, which uses it.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from .reading import nodes_of

VERBS = (
    *("Write", "Use", "Call", "Set", "Return", "Append", "Add", "Put", "Pass", "Keep", "Store", "Wrap", "Make", "Give"),
    *("Compare", "Multiply", "Divide", "Fetch", "Feed", "Compute", "Start", "Take", "Unpack", "Replace", "Assign"),
    *("Get", "Change", "Move", "Stack", "Choose", "Sum", "Read", "Look"),
)
ANY = "|".join((*VERBS, *map(str.lower, VERBS)))
TOLD = re.compile(
    rf"(?:^|(?<=[.?!:;] )|(?<=, so )|(?<=, and )|(?<=, or ))(?:\w+ )?(?:{ANY})\b[^`.?!]*(?:`[^`]+`[^`.?!]*)+"
)
NOT = re.compile(r",? (?:without|not|in place of|instead of) `[^`]+`")  # what it says to leave out
RETURN_IN_A_LOOP = "return in a loop"
ASKED = {r"`return` (?:is )?inside the loop|`return` inside a loop": RETURN_IN_A_LOOP}


@lru_cache(maxsize=2000)
def told(reply: str) -> frozenset[tuple[str, ...]]:
    """The pieces of code that a reply tells the reader to write, for each sentence."""
    return frozenset(tuple(sentence.split("`")[1::2]) for sentence in TOLD.findall(NOT.sub("", reply)))


@lru_cache(maxsize=4000)
def followed(reply: str, code: str) -> frozenset[tuple[str, ...]]:
    """The sentences of which a piece of code contains all parts. `…` stands for anything."""
    lines = _lines(code)
    return frozenset(
        parts for parts in told(reply) if all(any(_pattern(part).search(line) for line in lines) for part in parts)
    )


@lru_cache(maxsize=4000)
def written(piece: str, code: str) -> bool:
    """Whether a piece of code has this in it, spaces and comments aside. `…` stands for anything, also over several
    lines: ".backward(….zero_grad(….step(" says that the calls follow one another."""
    return bool(_pattern(piece).search("\n".join(_lines(code))))


@lru_cache(maxsize=2000)
def asked(reply: str) -> frozenset[str]:
    """What a reply asks the reader to look for: "return in a loop"."""
    return frozenset(name for pattern, name in ASKED.items() if re.search(pattern, reply))


@lru_cache(maxsize=2000)
def found(code: str) -> frozenset[str]:
    """Which of these a piece of code contains."""
    loops = [node for node in nodes_of(code) if isinstance(node, (ast.For, ast.While))]
    inside = any(isinstance(each, ast.Return) for loop in loops for each in ast.walk(loop))
    return frozenset({RETURN_IN_A_LOOP} if inside else ())


@lru_cache(maxsize=2000)
def _pattern(part: str) -> re.Pattern[str]:
    start, end = r"(?<![\w.])" if part[:1].isalnum() else "", r"(?!\w)" if part[-1:].isalnum() else ""
    text = ".*?".join(re.escape(_without_spaces(each)) for each in part.split("…"))
    return re.compile(start + text + end, re.DOTALL)  # in `followed`, each line is searched alone


@lru_cache(maxsize=2000)
def _lines(code: str) -> tuple[str, ...]:
    """The statements of a piece of code, without spaces and comments."""
    nodes = nodes_of(code)
    text = ast.unparse(nodes[0]) if nodes else code
    return tuple(map(_without_spaces, text.splitlines()))


def _without_spaces(text: str) -> str:
    """As it is compared: a space only between two words."""
    return re.sub(r"(?<!\w)\s+|\s+(?!\w)", "", text).replace('"', "'")

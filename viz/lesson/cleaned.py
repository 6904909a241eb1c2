"""What a reader has typed, without what they copied or added: as Python prints it, with a unit, in the marks of another
language. typed.py reads the rest.

    cleaned("tensor([6.], grad_fn=<MulBackward0>)")    "6."
    cleaned("154 nodes")                               "154"
    cleaned("5·10⁻³")                                  "5*10**(-3)"

Imports the standard library alone. Read next: typed.py.
"""

from __future__ import annotations

import re

PRINTED = re.compile(  # what tensors, arrays and their numbers look like when they are printed
    r"(?:parameter containing:\s*)?(?:torch\.|np\.|numpy\.|tf\.|minigrad\.)?"
    r"(?:tensor|parameter|array|scalar|size|float\d*|int\d*|uint8|bool_?)\((?P<inside>.*)\)",
    re.IGNORECASE | re.DOTALL,
)
ABOUT = re.compile(
    r",\s*(?:grad_fn\s*=\s*<.*?>|(?:requires_grad|dtype|device|size|shape)\s*=\s*(?:\([^)]*\)|[\w.'\":]+))"
)
BEFORE = re.compile(
    r"(?:>>>|out\[\d+\]:|[~≈]|(?:it'?s|that'?s|i (?:think|guess)|i'd say|the answer is|maybe|about"
    r"|approx(?:imately|\.)?|around|roughly|circa|line|step|row|node)\b:?)\s*",
    re.IGNORECASE,
)
NUMBER = r"[-+−]?(?:\d[\d.,_' ]*|[.,]\d+)(?:e[-+−]?\d+)?(?:\s*/\s*\d+)?"
UNIT = re.compile(rf"(?P<number>{NUMBER})\s*(?P<unit>[^\W\d_]+(?:[ -][^\W\d_]+)?)", re.IGNORECASE)
SCALES = re.compile(  # these are part of the number, or say something else: 5 million is not 5
    r"hundred|thousand|million|billion|trillion|dozen|k|m|bn|half|halves|third|quarter|percent|squared|cubed|by|x|e|j|pi"
    r"|and|or|not|times|more|less|per|over|minus|plus|error|none|nan|inf|if|to|than|at|in|for|is"
)
SHORT = ("s", "ms", "kb", "mb", "gb", "px")
CHINESE = re.compile("[\u4e00-\u9fff]{1,3}")  # a measure word
SMALL = dict(zip("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹", "-+0123456789", strict=True))


def cleaned(text: str) -> str:
    """The text as typed.py can read it. A text that is none of these stays as it is.

    >>> [cleaned(text) for text in ("tensor(6.)", "tensor([6.], grad_fn=<MulBackward0>)", "np.float64(0.25)", "none")]
    ['6.', '6.', '0.25', 'none']
    >>> [cleaned(text) for text in ("154 nodes", "about 6", "5 million", "1 1/2", "1.234,5", "10⁻³", "4-by-4")]
    ['154', '6', '5 million', '1+1/2', '1234.5', '10**(-3)', '4 by 4']
    """
    text = text.strip().strip("`'\"").strip().replace("\u00a0", " ").replace("\u202f", " ")
    text = without_print(text)
    text = re.sub(r"[⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹]+", _power, text)
    text = re.sub(r"(?<=\d)-by-(?=\d)", " by ", text)
    before = BEFORE.match(text)
    if before and re.match(rf"{NUMBER}", text[before.end() :]):
        text = text[before.end() :]
    text = without_unit(text)
    if re.fullmatch(r"-?\d{1,3}(?:\.\d{3})+,\d+", text):  # 1.234,5
        text = text.replace(".", "").replace(",", ".")
    if mixed := re.fullmatch(r"(\d+) (\d+/\d+)", text):  # 1 1/2
        text = f"{mixed[1]}+{mixed[2]}"
    return text


def without_print(text: str) -> str:
    """A number as it is written, if the text is a printed tensor, array or number with one entry."""
    bare = text.rstrip(".")
    _, equals, right = bare.partition("=")
    for each in (bare, right.strip() if equals else ""):  # w.grad = tensor([6.])
        if found := PRINTED.fullmatch(each):
            inside = ABOUT.sub("", ", " + found["inside"]).removeprefix(", ").strip().rstrip(",")
            alone = re.fullmatch(r"[\[(\s]*([^\[\](),\s]+)[\])\s,]*", inside)
            return alone[1] if alone else inside
    return text


def without_unit(text: str) -> str:
    """The number alone, if one or two words follow it that only name what is counted: "154 nodes"."""
    found = UNIT.fullmatch(text.strip().rstrip("."))
    if found is None:
        return text
    words = re.split("[ -]", found["unit"].lower())
    if any(SCALES.fullmatch(word) for word in words):
        return text
    if any(len(word) < 3 and word not in SHORT and not CHINESE.fullmatch(word) for word in words):  # 2 w is a formula
        return text
    return found["number"].strip()


def _power(found: re.Match[str]) -> str:
    return f"**({''.join(SMALL[each] for each in found[0])})"

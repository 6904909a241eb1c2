"""Write a wanted value and another one so that the two texts differ, and say where they differ.

    apart(45.0, 45.001)           ("45", "45.001")
    apart([1.0], np.array([1]))   ("a list, `[1]`", "a NumPy array, `[1]`") with `words`
    place((1, 2, 3), (1, 5, 3))   ([1], 2, 5)

Imports compare.py and NumPy. Read next: trial.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .compare import FEW, alike, array_of, brief, is_tensor, kind

DIGITS = (4, 5, 6, 7, 8, 9, 10, 12, 14, 17)  # tried one after the other, until the texts differ
Equal = Callable[[Any, Any], bool]


def apart(wanted: Any, given: Any, words: Callable[[str], str] = lambda kind: kind) -> tuple[str, str]:
    """Both values, each between backticks, in as few digits as show that they differ. Two values that look the same in
    every digit are told by their kind, their dtype, their shape.

    words: the words for a kind.

    >>> apart(45.0, 45.001), apart(0.5, 0.25), apart(np.zeros((0, 3)), np.zeros((0, 2)))
    (('`45`', '`45.001`'), ('`0.5`', '`0.25`'), ('`[]` (shape 0×3)', '`[]` (shape 0×2)'))
    >>> apart([1.0], (1.0,)), apart(np.float32(1), 1.0), apart(0.0, -0.0)
    (('`[1]`', '`(1,)`'), ('`1` (float32)', '`1` (float)'), ('`0.0`', '`−0.0`'))
    """
    if isinstance(wanted, str) and isinstance(given, str) and wanted != given:
        return _window(wanted, given)
    for digits in DIGITS:
        texts = f"`{brief(wanted, digits)}`", f"`{brief(given, digits)}`"
        if texts[0] != texts[1]:
            return texts
    for told in (_exact, kind, _shape, _dtype, _grad, _type, _python):
        marks = told(wanted), told(given)
        if marks[0] != marks[1] and (all(marks) or told not in (_exact, _python)):
            if told is kind:
                return f"{words(marks[0])}, {texts[0]}", f"{words(marks[1])}, {texts[1]}"
            if told in (_exact, _python):
                return f"`{marks[0]}`", f"`{marks[1]}`"
            return f"{texts[0]} ({marks[0]})", f"{texts[1]} ({marks[1]})"
    inner = _inner(wanted, given)
    if inner is not None:
        return apart(*inner, words)
    return f"{texts[0]} (1)", f"{texts[1]} (2: another object that looks the same)"


def _window(wanted: str, given: str) -> tuple[str, str]:
    """Two texts, around the first place where they differ."""
    shared = min(len(wanted), len(given))
    at = next((i for i in range(shared) if wanted[i] != given[i]), shared)
    start = at - 20 if at > 40 else 0
    end = start + 60
    one, other = (f"{'…' * bool(start)}{each[start:end]}{'…' * (len(each) > end)}" for each in (wanted, given))
    return f"`{one!r}`", f"`{other!r}`"


def _exact(value: Any) -> str:
    """A number with its sign, where it is 0."""
    numbers = array_of(value)
    if numbers is None or numbers.dtype == object or numbers.size > FEW or kind(value) == "truth":
        return ""
    return repr(numbers.tolist()).replace("-", "−") if numbers.dtype.kind == "f" and not numbers.all() else ""


def _shape(value: Any) -> str:
    numbers = array_of(value)
    return "" if numbers is None else f"shape {'×'.join(map(str, numbers.shape)) or '()'}"


def _dtype(value: Any) -> str:
    if is_tensor(value) or isinstance(value, (np.ndarray, np.generic)):
        return str(getattr(value, "dtype", "")).removeprefix("torch.").removeprefix("minigrad.")
    return type(value).__name__


def _grad(value: Any) -> str:
    return f"requires_grad={value.requires_grad}" if hasattr(value, "requires_grad") else ""


def _type(value: Any) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"


def _python(value: Any) -> str:
    """What Python writes, around the first place where it may differ."""
    try:
        return repr(value)[:2000] if isinstance(value, (str, bytes, Mapping, list, tuple, set, frozenset)) else ""
    except Exception:
        return ""


def _inner(wanted: Any, given: Any) -> tuple[Any, Any] | None:
    """The first two entries that differ, of two lists or dicts that are written in the same way."""
    if isinstance(wanted, Mapping) and isinstance(given, Mapping):
        pairs = [(each, given.get(name)) for name, each in wanted.items()]
    elif isinstance(wanted, (list, tuple)) and isinstance(given, (list, tuple)) and len(wanted) == len(given):
        pairs = [*zip(wanted, given, strict=True)]
    else:
        return None
    return next((pair for pair in pairs if pair[0] is not pair[1]), None)


def place(wanted: Any, given: Any, equal: Equal) -> tuple[list[Any], Any, Any]:
    """Where the first difference is, and the two values there: the numbers of the entries on the way to it.

    >>> place((1, [2, 3]), (1, [2, 4]), lambda a, b: a == b)
    ([1, 1], 3, 4)
    """
    path: list[Any] = []
    while len(path) < 20 and isinstance(wanted, (list, tuple)) and isinstance(given, (list, tuple)):
        if len(wanted) != len(given):
            break
        found = next((at for at, (a, b) in enumerate(zip(wanted, given, strict=True)) if differ(a, b, equal)), None)
        if found is None:
            break
        path, wanted, given = [*path, found], wanted[found], given[found]
    return path, wanted, given


def differ(wanted: Any, given: Any, equal: Equal) -> bool:
    return not (alike(wanted, given) and equal(wanted, given))


def entry(wanted: Any, given: Any, equal: Equal) -> tuple[str, Any, Any] | None:
    """The index of the first number that differs, in two arrays of one shape that are too large to be written out, and
    the two numbers."""
    a, b = array_of(wanted), array_of(given)
    if a is None or b is None or a.shape != b.shape or a.size <= FEW or a.dtype == object or b.dtype == object:
        return None
    for at in np.ndindex(a.shape):
        if not equal(a[at], b[at]):
            return f"[{', '.join(map(str, at))}]", a[at], b[at]
    return None

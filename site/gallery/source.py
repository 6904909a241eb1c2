"""The questions of the gallery: each is a Markdown file beside this one, and its name is the page's address.

    # Why is `.grad` None?                    the title

    group: leaves                             which part of the first page it is in (GROUPS)
    words: retain_grad, non-leaf              more words that the search finds it by
    names: a2 = a                             a name for a tensor that a variable no longer holds
    picture: viz.explore.kink()               what is shown; without it, the steps of the program
    shows: h=6 needle=30                      its state on the first page and in the preview of a link
    sways: h                                  its slider that moves by itself at first, to show that it can be moved

    ```python                                 an unchanged PyTorch program
    ```
    ```output                                 what it prints, or how it ends
    ```
    ```check                                  for each claim of the answer, an expression that must be true
    ```
    ```also                                   a program that asserts the answer's other claims: "without it, 12"
    ```
                                              the answer: two sentences
The build runs each program on minigrad, compares what it prints, and evaluates the checks; a test does the same on
PyTorch, and runs the other claims on both. A page never shows an output that was not printed.

Imports the standard library alone. Read program.py next.
"""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

HERE = Path(__file__).resolve().parent
GROUPS = {  # in the order of the first page
    "leaves": "Where is my gradient?",
    "backward": "What does backward do?",
    "errors": "Why does it stop?",
    "shapes": "Shapes and ties",
    "training": "Training loops",
    "play": "One idea, moved by hand",
}
KEYS = {"group", "words", "names", "picture", "shows", "sways"}
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$\n?", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Question:
    """One page. `title` and `answer` have `code` between backticks."""

    slug: str
    title: str
    group: str
    code: str
    output: str
    checks: tuple[str, ...]
    answer: str
    also: str = ""
    picture: str = ""
    shows: tuple[tuple[str, int], ...] = ()
    sways: str = ""
    words: str = ""
    names: tuple[tuple[str, str], ...] = ()  # (shown, an expression)

    @property
    def plain(self) -> str:
        """The title without backticks."""
        return self.title.replace("`", "")

    @cached_property
    def fragment(self) -> str:
        """The program as the playground's address has it after #: raw deflate, in base64url without padding."""
        packer = zlib.compressobj(9, wbits=-15)
        packed = packer.compress(self.code.encode()) + packer.flush()
        return "c=" + urlsafe_b64encode(packed).decode().rstrip("=")


def read(path: Path) -> Question:
    """The question in a file. Raises ValueError with the file's name for a part that is missing or unknown."""
    text = path.read_text(encoding="utf-8")
    fences = dict(FENCE.findall(text))
    title, _, rest = FENCE.sub("", text).strip().partition("\n")
    head, _, answer = rest.strip().partition("\n\n")
    keys = dict(line.split(": ", 1) for line in head.splitlines())
    wrong = [
        *(f"the key {key!r}" for key in keys if key not in KEYS),
        *(f"the fence {fence!r}" for fence in fences if fence not in ("python", "output", "check", "also")),
        *(["a title"] if not title.startswith("# ") else []),
        *(["a group"] if keys.get("group") not in GROUPS else []),
        *(["a program"] if not fences.get("python") else []),
        *(["an answer"] if not answer.strip() else []),
    ]
    if wrong:
        raise ValueError(f"{path.name}: look at {', '.join(wrong)}")
    return Question(
        slug=path.stem,
        title=title.removeprefix("# "),
        group=keys["group"],
        code=fences["python"],
        output=fences.get("output", "").rstrip("\n"),
        checks=tuple(line for line in fences.get("check", "").splitlines() if line.strip()),
        answer=" ".join(answer.split()),
        also=fences.get("also", ""),
        picture=keys.get("picture", ""),
        shows=tuple((name, int(at)) for name, at in re.findall(r"(\w+)=(\d+)", keys.get("shows", ""))),
        sways=keys.get("sways", ""),
        words=keys.get("words", ""),
        names=tuple(tuple(each.split(" = ", 1)) for each in keys.get("names", "").split(", ") if each),  # type: ignore[misc]
    )


def questions() -> list[Question]:
    """All questions, in the order of the first page: by group, then by file name's order in ORDER."""
    order = (HERE / "order.txt").read_text(encoding="utf-8").split()
    found = {path.stem: read(path) for path in sorted(HERE.glob("*.md"))}
    if lost := sorted(set(found) ^ set(order)):
        raise ValueError(f"order.txt and the files differ in {', '.join(lost)}")
    return sorted((found[slug] for slug in order), key=lambda each: list(GROUPS).index(each.group))

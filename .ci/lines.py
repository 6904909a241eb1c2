"""Count lines of Python by room: code, docstrings and comments separately. Run: python3 .ci/lines.py [PACKAGE …]

A room is a folder directly inside a package, with all its subfolders; the files beside the folders form one more room.
A line with code and a comment counts as code. Imports the standard library alone.
"""

import ast
import io
import sys
import tokenize
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COLUMNS = ("files", "code", "docstrings", "comments", "blank", "total")
NOT_CODE = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT, tokenize.ENDMARKER)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def lines_of(source: str) -> Counter[str]:
    """How many lines of each kind one file has.

    >>> sorted(lines_of('\"\"\"What it is.\"\"\"\\n\\n# why\\nx = 1  # and this\\n').items())
    [('blank', 1), ('code', 1), ('comments', 1), ('docstrings', 1), ('files', 1), ('total', 4)]
    """
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            docstrings.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    code: set[int] = set()
    comments: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            comments.add(token.start[0])
        elif token.type not in NOT_CODE:
            code.update(range(token.start[0], token.end[0] + 1))
    code -= docstrings
    total = len(source.splitlines())
    counted = {"code": len(code), "docstrings": len(docstrings), "comments": len(comments - code)}
    return Counter(counted | {"files": 1, "blank": total - sum(counted.values()), "total": total})


def rooms(package: str) -> dict[str, Counter[str]]:
    """The line counts of each room of a package, by the room's name."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for file in sorted((ROOT / package).rglob("*.py")):
        inside = file.relative_to(ROOT / package).parts
        found["/".join([package, *inside[:1], ""] if len(inside) > 1 else [package, "*.py"])] += lines_of(
            file.read_text(encoding="utf-8")
        )
    return dict(sorted(found.items(), key=lambda room: -room[1]["total"]))


def show(name: str, counted: Counter[str]) -> None:
    print(f"{name:28}", *(f"{counted[column]:>10,}" for column in COLUMNS))


def main(packages: list[str]) -> None:
    print(f"{'':28}", *(f"{column:>10}" for column in COLUMNS))
    for package in packages or ["minigrad", "viz"]:
        found = rooms(package)
        for name, counted in found.items():
            show(name, counted)
        show(f"{package}: all", sum(found.values(), Counter()))
        print()


if __name__ == "__main__":
    main(sys.argv[1:])

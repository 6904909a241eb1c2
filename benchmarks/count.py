"""How big the library is: lines of code, docstrings, comments and empty lines apart. `python benchmarks/count.py`

A reader's budget: the core, without the static engine and the exercises, in 3,500 lines, and no file much
over 350.
"""

import ast
import io
import tokenize
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "minigrad"
APART = ("static", "exercises")
LIMIT, FILE_LIMIT = 3500, 350
SILENT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def code_lines(source: str) -> int:
    """Lines that hold code.

    >>> code_lines('def f():  # one' + chr(10) + '    "not this"' + chr(10) + '    return 1')
    2
    """
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in SILENT:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                lines.difference_update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return len(lines)


def count() -> dict[str, tuple[int, int]]:
    """File -> lines of code, lines in all."""
    counts = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        inside = path.relative_to(PACKAGE)
        if inside.parts[0] not in APART:
            source = path.read_text(encoding="utf-8")
            counts[inside.as_posix()] = code_lines(source), len(source.splitlines())
    return counts


def main() -> None:
    counts = count()
    for name, (code, lines) in counts.items():
        print(f"{code:6} of {lines:4}  {name}{'  (long)' * (lines > FILE_LIMIT)}")
    print(f"{sum(code for code, _ in counts.values()):6} lines of code in all; the budget is {LIMIT}")


if __name__ == "__main__":
    main()

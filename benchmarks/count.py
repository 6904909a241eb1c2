"""Count the library's lines of code, docstrings, comments and empty lines: `python benchmarks/count.py`.

The budget: core/, the idea, has at most 1,000 lines with its docstrings. The rest, without the static engine and the
exercises, has no budget, except that no file should be much longer than 350 lines.
"""

import ast
import io
import re
import tokenize
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "minigrad"
APART = ("static", "exercises")
LIMIT, FILE_LIMIT = 1000, 350
SAYS = re.compile(r"raise |return \w*(Error|Exception)\(|warnings\.warn\(")  # it raises an error or gives a warning
SILENT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def kinds(source: str) -> dict[int, str]:
    """Map the number of each line that holds code to the purpose of that code."""
    lines: dict[int, str] = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in SILENT:
            lines.update(dict.fromkeys(range(token.start[0], token.end[0] + 1), "everything else"))

    def mark(first: int, last: int | None, kind: str) -> None:
        lines.update(dict.fromkeys(range(first, (last or first) + 1), kind))

    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            mark(node.lineno, node.end_lineno, "imports")
        elif isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            mark(first, max(first, node.body[0].lineno - 1), "signatures")
        elif isinstance(node, ast.Raise | ast.Return | ast.Expr) and SAYS.match(ast.unparse(node)):
            mark(node.lineno, node.end_lineno, "errors and warnings in PyTorch's words")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                for line in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1):
                    lines.pop(line, None)
    return {line: kind for line, kind in lines.items() if source.splitlines()[line - 1].strip()}


def code_lines(source: str) -> int:
    """The number of lines that hold code.

    >>> code_lines('def f():  # one' + chr(10) + '    "not this"' + chr(10) + '    return 1')
    2
    """
    return len(kinds(source))


def count() -> dict[str, tuple[int, int]]:
    """Map each file to its number of lines of code and its number of lines."""
    counts = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        inside = path.relative_to(PACKAGE)
        if inside.parts[0] not in APART:
            source = path.read_text(encoding="utf-8")
            counts[inside.as_posix()] = code_lines(source), len(source.splitlines())
    return counts


def core(counts: dict[str, tuple[int, int]]) -> int:
    """The number of lines in core/, without the walk through it, `python -m minigrad.core`."""
    files = {name: lines for name, (_, lines) in counts.items() if name.startswith("core/")}
    return sum(files.values()) - files["core/__main__.py"]


def main() -> None:
    counts = count()
    for name, (code, lines) in counts.items():
        print(f"{code:6} of {lines:4}  {name}{'  (long)' * (lines > FILE_LIMIT)}")
    print(f"{core(counts):6} lines in core/; the budget is {LIMIT}")
    print(f"{sum(code for code, _ in counts.values()):6} lines of code in all")
    folders: Counter[str] = Counter()
    for name, (code, _) in counts.items():
        folders[name.partition("/")[0] if "/" in name else "files at the top"] += code
    print("       " + ", ".join(f"{folder} {code}" for folder, code in folders.most_common()))
    uses = Counter(kind for name in counts for kind in kinds((PACKAGE / name).read_text(encoding="utf-8")).values())
    for kind, lines in uses.most_common():
        print(f"{lines:6} {kind}")


if __name__ == "__main__":
    main()

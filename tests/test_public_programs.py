"""The list of public programs and what README says of it: the same counts."""

import re
from pathlib import Path

HERE = Path(__file__).parent


def outcomes():
    """The last column of every row."""
    rows = [line for line in (HERE / "public_programs.md").read_text(encoding="utf-8").splitlines() if line[:2] == "| "]
    cells = [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]
    return [row[-1].strip("| ") for row in cells if row[0] != "program"]


def test_the_counts_that_are_told_are_those_of_the_list():
    found = outcomes()
    every, same = len(found), sum(outcome == "same" or outcome.startswith("same,") for outcome in found)
    assert all(found), "each program that differs says why"
    told = {
        "README.md": r"Of (\d+) programs by other people, (\d+) print the same",
        "tests/public_programs.md": r"Of (\d+) programs (\d+) print the same",
    }
    for file, pattern in told.items():
        numbers = re.search(pattern, (HERE.parent / file).read_text(encoding="utf-8"))
        assert numbers and (int(numbers[1]), int(numbers[2])) == (every, same), file

"""The list of public programs and what README says of it: the same counts."""

import re
from pathlib import Path

HERE = Path(__file__).parent


PARTS = (
    (HERE / "public_programs.md").read_text(encoding="utf-8").split("## A hundred more")
)  # the first list, and these


def outcomes(part):
    """The last column of every row."""
    rows = [line for line in PARTS[part].splitlines() if line[:2] == "| "]
    cells = [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]
    return [row[-1].strip("| ") for row in cells if row[0] != "program"]


def counts(part):
    """How many programs there are, and how many of them print the same."""
    found = outcomes(part)
    assert all(found), "each program that differs says why"
    return len(found), sum(outcome == "same" or outcome.startswith("same,") for outcome in found)


def test_the_counts_that_are_told_are_those_of_the_list():
    readme = (HERE.parent / "README.md").read_text(encoding="utf-8")
    told = {r"Of (\d+) programs by other people, (\d+) print the same": readme}
    told[r"Of (\d+) programs (\d+) print the same"] = PARTS[0]
    for pattern, text in told.items():
        numbers = re.search(pattern, text)
        assert numbers and (int(numbers[1]), int(numbers[2])) == counts(0), pattern


def test_the_counts_of_the_hundred_are_those_of_their_list():
    numbers = re.search(r"Of these (\d+) programs .*?; (\d+) do today", PARTS[1], re.DOTALL)
    assert numbers and (int(numbers[1]), int(numbers[2])) == counts(1)
    readme = (HERE.parent / "README.md").read_text(encoding="utf-8")
    told = re.search(r"Of a hundred more, which were\s+chosen later, (\d+) do", readme)
    assert told and (100, int(told[1])) == counts(1)

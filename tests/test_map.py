"""tests/README.md says which tests hold which files: each file of the packages and of the tests has its place there."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROWS = [
    re.findall(r"`([^`]+)`", cell)
    for line in (ROOT / "tests" / "README.md").read_text("utf-8").splitlines()
    if line.startswith("| ")
    for cell in line.strip("| ").split(" | ")
]
MAPPED = {name for cell in ROWS for name in cell}
NO_TESTS = {"conftest.py", "saying.py"}  # they serve the tests beside them


def placed(path: str) -> bool:
    """Is this file, or a folder that it is in, in the map? A `*` there stands for anything."""
    return any(fnmatch(path, each) or (each.endswith("/") and path.startswith(each)) for each in MAPPED)


def files(*folders: str) -> list[str]:
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path.relative_to(ROOT).as_posix() for path in found if "__pycache__" not in path.parts]


def test_every_file_says_which_tests_hold_it() -> None:
    lost = [path for path in files("minigrad", "viz") if not placed(path)]
    assert not lost, f"tests/README.md does not say which tests hold {lost}"


def test_every_file_of_tests_says_what_it_holds() -> None:
    names = [path.removeprefix("tests/") for path in files("tests")]
    lost = [name for name in names if not placed(name) and Path(name).name not in NO_TESTS]
    lost = [name for name in lost if not name.startswith("goldens/")]
    assert not lost, f"tests/README.md does not say what {lost} hold"


def test_what_the_map_names_is_there() -> None:
    gone = [name for name in MAPPED if not any([*ROOT.glob(name), *(ROOT / "tests").glob(name)])]
    assert not gone, f"tests/README.md names {gone}"


def test_no_row_stands_twice() -> None:
    """Two branches that each lengthen a row leave both after a merge."""
    firsts = [row[0] for row in ROWS[::2] if row]
    assert len(firsts) == len({*firsts}), sorted({first for first in firsts if firsts.count(first) > 1})

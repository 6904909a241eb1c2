"""Where the project is published: `python3 course.py address` prints it, `… address OWNER/REPO [SITE]` changes it.

pyproject.toml holds the address, as `Source` (the repository) and `Homepage` (the site). Other files repeat it, because
a badge, a link in a notebook and a citation cannot read pyproject.toml. The command rewrites all of them at once.
SITE is the site's address, if it is not https://OWNER.github.io/REPO/.

Imports the standard library alone. ../tests/test_address.py checks it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Where the address may be repeated: everything that people and services read, and nothing that a program has recorded
PLACES = [
    "*.md",
    "*.toml",
    "*.cff",
    "binder/*",
    "notebooks/*.ipynb",
    "notebooks/*.md",
    ".github/**/*",
    "benchmarks/*.md",
    "site/**/*",
    "tests/*.md",
    "minigrad/**/*.py",
    "viz/**/*.py",
    "viz/**/*.md",
    "viz/**/*.po",
]
# What stands before OWNER/REPO in the addresses of GitHub and of the services that open notebooks from it
BEFORE = r"github\.com/|raw\.githubusercontent\.com/|colab\.research\.google\.com/github/|mybinder\.org/v2/gh/"


def main(arguments: list[str]) -> int:
    """Print or change the address, and return the exit status."""
    repository, site = address()
    if not arguments:
        print(f"Source:   https://github.com/{repository}\nHomepage: {site}")
        return 0
    new = arguments[0].removeprefix("https://github.com/").removesuffix(".git").strip("/")
    if len(arguments) > 2 or not re.fullmatch(r"[A-Za-z0-9][\w.-]*/[\w.-]+", new):
        print("usage: python3 course.py address OWNER/REPO [SITE]", file=sys.stderr)
        return 2
    new_site = arguments[1] if arguments[1:] else pages(new)
    for file in change((repository, site), (new, new_site.rstrip("/") + "/")):
        print(f"changed {file.relative_to(ROOT).as_posix()}")
    return 0


def address(root: Path = ROOT) -> tuple[str, str]:
    """The repository as OWNER/REPO, and the address of the site."""
    urls = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    return urls["Source"].removeprefix("https://github.com/"), urls["Homepage"]


def pages(repository: str) -> str:
    """The address that GitHub gives to the site of a repository."""
    owner, _, name = repository.partition("/")
    host = f"{owner.lower() if owner != 'OWNER' else owner}.github.io"
    return f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"


def change(old: tuple[str, str], new: tuple[str, str], root: Path = ROOT) -> Iterator[Path]:
    """Write the new repository and site in place of the old ones. Yields each file that has changed."""
    here, encoded = re.escape(old[0]), re.escape(old[0].replace("/", "%2F"))
    patterns = [
        (rf"(?<![\w.-])({BEFORE}){here}(?=\.git\b|[^\w.-]|[.-](?!\w)|$)", rf"\g<1>{new[0]}"),
        (rf"(github\.com%2F){encoded}(?=[^\w.-]|$)", rf"\g<1>{new[0].replace('/', '%2F')}"),
        (rf"(?<![\w.-]){re.escape(old[1])}", new[1]),
    ]
    for file in files(root):
        before = after = file.read_bytes().decode("utf-8")
        for pattern, replacement in patterns:
            after = re.sub(pattern, replacement, after)
        if after != before:
            file.write_bytes(after.encode("utf-8"))
            yield file


def files(root: Path = ROOT) -> list[Path]:
    """The text files that may repeat the address."""
    found = {path for place in PLACES for path in root.glob(place) if path.is_file()}
    return sorted(path for path in found if is_text(path))


def is_text(path: Path) -> bool:
    try:
        path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Build what is published, and try it: `python .ci/release.py [--rehearse] [PYTHON …]`. RELEASING.md says when.

It builds the sdist and the wheel from the files that git knows, checks them as an index would, and installs each of
them into a fresh environment of every Python that it finds (3.11 to 3.14, or those that are named). There it runs what
a newcomer runs first. It prints a table, and publishes nothing.

With `--rehearse`, it also builds what must not be published: a placeholder as address, changes that are not committed,
a version that has been tagged before.

Needs git, `build` and `twine` (the extra `dev`), and a network for the environments.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ["3.11", "3.12", "3.13", "3.14"]

# What a newcomer does first, with NumPy alone and with the pictures
ALONE = """
import minigrad as torch
w = torch.tensor([1.0], requires_grad=True); x = torch.tensor([2.0], requires_grad=True)
y = (w + x) * (w + 1)
y.backward()
assert (y.item(), w.grad.item(), x.grad.item()) == (6, 5, 2)
net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
net(torch.ones(4, 2)).mean().backward()
optimizer.step()
"""
PICTURES = (
    ALONE
    + """
import viz
assert viz.draw(y).svg.startswith("<svg")
task = viz.exercise("cube_slope")
assert task.check(lambda w: 3 * w * w).verdict.right
viz.step(y).save("page.html")
from pathlib import Path
assert (Path(viz.__file__).parent / "py.typed").is_file() and (Path(torch.__file__).parent / "__init__.pyi").is_file()
assert viz.exercise("cube_slope", lang="zh").words["check"] != "Check"
"""
)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "pythons", nargs="*", metavar="PYTHON", help="the Pythons to try; without any, all that are found"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the built files go (dist)")
    parser.add_argument("--rehearse", action="store_true", help="also build what must not be published yet")
    parser.add_argument("--only-try", action="store_true", help="try the files that are in --out already")
    asked = parser.parse_args(arguments)
    if not asked.only_try:
        problems = [*agree(), *([] if asked.rehearse else unready())]
        if problems:
            print(*problems, sep="\n", file=sys.stderr)
            return 1
        build(asked.out)
    wheel, sdist = *asked.out.glob("*.whl"), *asked.out.glob("*.tar.gz")
    problems = [*contents(wheel, sdist)]
    if subprocess.call([sys.executable, "-m", "twine", "check", "--strict", wheel, sdist]):
        problems.append("twine refuses the files; its message is above")
    print(*problems, sep="\n", file=sys.stderr)
    rows = [row for python in asked.pythons or found() for row in tried(python, wheel, sdist)]
    print("\n| Python | NumPy | file | with NumPy alone | with pictures |\n| --- | --- | --- | --- | --- |")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    missing = [each for each in VERSIONS if not any(row[0].startswith(each) for row in rows)]
    if missing:
        print(f"\nNot tried, because this machine has none: Python {', '.join(missing)}")
    bad = problems or not rows or any("failed" in cell for row in rows for cell in row)
    end = "A rehearsal, and all went well" if asked.rehearse else "Ready to be published"
    print("\nThe files can't be published." if bad else f"\n{end}: {wheel.name}, {sdist.name}")
    return int(bool(bad))


def version() -> str:
    text = (ROOT / "minigrad" / "version.py").read_text("utf-8")
    return re.search(r'__version__ = "(.*)"', text)[1]  # type: ignore[index]


def agree() -> Iterator[str]:
    """Where the version is not the same in all places that name it."""
    number = version()
    if tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"] != number:
        yield f"pyproject.toml: its version is not {number}, as in minigrad/version.py"
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    if f"\nversion: {number}\n" not in citation:
        yield f"CITATION.cff: its version is not {number}, as in minigrad/version.py"
    heading = re.search(
        rf"^## \[{re.escape(number)}\] - (\d{{4}}-\d\d-\d\d)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M
    )
    if not heading:
        yield f"CHANGELOG.md has no heading `## [{number}] - YYYY-MM-DD`"
    elif f"\ndate-released: {heading[1]}\n" not in citation:
        yield f"CITATION.cff: date-released is not {heading[1]}, as in CHANGELOG.md"


def git(*arguments: str) -> str:
    command = ["git", "-c", "core.quotePath=off", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True).stdout


def unready() -> Iterator[str]:
    """What keeps this checkout from being published, though it can be built."""
    homepage = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Source"]
    if "/OWNER/" in homepage:
        yield "The address is still OWNER's: python3 course.py address YOUR-NAME/minigrad"
    if changed := git("status", "--porcelain").splitlines():
        yield f"Not committed: {', '.join(line[3:] for line in changed[:5])}{' …' * (len(changed) > 5)}"
    tag = f"v{version()}"
    if git("tag", "--list", tag) and git("rev-list", "-1", tag) != git("rev-parse", "HEAD"):
        yield f"The tag {tag} marks another commit: a version is published once. Raise the number"


def build(out: Path) -> None:
    """Build both files from a copy of what git knows, so that nothing else of this checkout gets into them."""
    shutil.rmtree(out, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        for name in filter(None, git("ls-files", "-z").split("\0")):
            if (ROOT / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, copy / name)
        subprocess.run([sys.executable, "-m", "build", "--outdir", out, copy], check=True, stdout=subprocess.DEVNULL)


def contents(wheel: Path, sdist: Path) -> Iterator[str]:
    """What is wrong with the files: links that lead nowhere, packages that are missing or too many."""
    name = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["name"].replace("-", "_")
    with zipfile.ZipFile(wheel) as archive:
        inside = archive.namelist()
        (metadata,) = [each for each in inside if each.endswith(".dist-info/METADATA")]
        text = archive.read(metadata).decode("utf-8")
    tops = {each.partition("/")[0] for each in inside}
    if tops != {"minigrad", "viz", f"{name}-{version()}.dist-info"}:
        yield f"{wheel.name} holds {sorted(tops)}"
    for each in ("minigrad/py.typed", "viz/py.typed", "minigrad/__init__.pyi", "viz/drawing/page.html"):
        if each not in inside:
            yield f"{wheel.name} lacks {each}"
    for link in re.findall(r'\]\(([^)\s]*)|(?:src|href)="([^"]*)"', text.partition("\n\n")[2]):
        if not "".join(link).startswith("https://"):
            yield f"{wheel.name}: the link {''.join(link)!r} in its description is not absolute"
    with tarfile.open(sdist) as archive:
        held = {each.partition("/")[2] for each in archive.getnames()}
    for each in (
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "notebooks/01_graph.ipynb",
        "minigrad/version.py",
        "viz/py.typed",
    ):
        if each not in held:
            yield f"{sdist.name} lacks {each}"


def found() -> list[str]:
    """The Pythons of this machine: those that are called python3.11 … and really are, also in pyenv's folders."""
    places = [shutil.which(f"python{each}") for each in VERSIONS]
    places += [str(each) for each in sorted((Path.home() / ".pyenv" / "versions").glob("3.*/bin/python"))]
    seen: dict[str, str] = {}
    for place in [sys.executable, *places]:
        if place:
            command = [place, "-c", "import sys, venv, ensurepip; print(*sys.version_info[:2], sep='.')"]
            told = subprocess.run(command, capture_output=True, encoding="utf-8", check=False).stdout.strip()
            if told in VERSIONS:
                seen.setdefault(told, place)
    return [seen[each] for each in VERSIONS if each in seen]


def tried(python: str, wheel: Path, sdist: Path) -> Iterator[list[str]]:
    """A row for each file: installed and run in fresh environments."""
    for file in (wheel, sdist):
        print(f"Trying {file.name} in fresh environments of {python}: a minute or two ...", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            fresh = Path(folder) / "venv"
            inside = fresh / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
            if not succeeds([python, "-m", "venv", fresh], folder):
                yield [python, "?", file.suffix, "failed: no venv", ""]
                continue
            cells = []
            for extra, program in (("", ALONE), ("[viz]", PICTURES)):
                pip = [inside, "-m", "pip", "install", "-qq", "--disable-pip-version-check", f"{file.resolve()}{extra}"]
                well = succeeds(pip, folder) and succeeds([inside, "-W", "error", "-c", program], folder)
                well = (
                    well
                    and succeeds([inside, "-m", "minigrad"], folder)
                    and succeeds([inside, "-m", "pip", "check"], folder)
                )
                cells.append("works" if well else "failed")
            ask = "import platform, numpy; print(platform.python_version(), numpy.__version__)"
            told = subprocess.run(
                [inside, "-c", ask], capture_output=True, encoding="utf-8", check=False
            ).stdout.split()
            yield [*(told or [python, "?"]), "wheel" if file == wheel else "sdist", *cells]


def succeeds(command: list, folder: str) -> bool:
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    environ["MINIGRAD_PROGRESS"] = os.path.join(folder, "progress.json")
    result = subprocess.run(command, cwd=folder, env=environ, capture_output=True, encoding="utf-8", check=False)
    if result.returncode:
        print(f"{' '.join(map(str, command))[:100]}\n{result.stdout[-1000:]}{result.stderr[-3000:]}", file=sys.stderr)
    return result.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

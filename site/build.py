"""Build the site: static pages for any server, under any path. Run by `python3 course.py site`, or by itself.

    python site/build.py [--out FOLDER] [--runtime FOLDER]

Each folder here that has a build.py is a part of the site. Its function
`build(out, *, runtime, address) -> list[str]` writes its pages below `out` and returns a sentence about each thing that
it left out. The parts are built in the order of PARTS. Each can be built alone: `python site/gallery/build.py OUT`.

site/ is a folder of scripts and not a package, because the standard library has a module `site`: its files are loaded
by their path. Imports the standard library alone. Read gallery/build.py next.
"""

from __future__ import annotations

import argparse
import html
import importlib.util
import re
import shutil
import sys
import time
import tomllib
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
OUT = ROOT / "build" / "site"
# part: the folder below OUT that it fills. The gallery comes last, because its pages link only to parts that are there.
PARTS = {"playground": "play", "lite": "lab", "docs": "docs", "gallery": "gallery"}
LINK = re.compile(r"""<a\b[^>]*\shref="(?!\w+:|//|#)([^"#?]+)""")  # to a file of the site
MARK = ".minigrad-site"  # only a folder with this file in it is cleared


def load(path: Path) -> ModuleType:
    """A script of the site as a module. Two parts may both have a file of this name."""
    name = "minigrad_site_" + "_".join(path.relative_to(HERE).with_suffix("").parts)
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def address() -> str:
    """Our own address, for badges, embed lines and previews: `Homepage` in pyproject.toml.

    It is "" while a placeholder stands there for the owner: then a page finds its address by itself where it can.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    home = project.get("urls", {}).get("Homepage", "")
    return home.rstrip("/") + "/" if home and "OWNER" not in home else ""


def clear(out: Path) -> None:
    """Make `out` an empty folder. Raises SystemExit if it holds files that are not from an earlier build."""
    if out.exists() and any(out.iterdir()) and not (out / MARK).exists():
        sys.exit(f"{out} is not empty, and no site was built there. Name another folder, or empty it first.")
    out.mkdir(parents=True, exist_ok=True)
    for entry in out.iterdir():
        shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
    (out / MARK).touch()
    (out / ".nojekyll").touch()  # GitHub's pages would leave out files whose names begin with an underscore


def build(out: Path, *, runtime: Path | None = None, address: str = "", parts: list[str] | None = None) -> list[str]:
    """Build the site, or some parts of it, and return what was left out."""
    clear(out)
    left_out = []
    for part, folder in PARTS.items():
        if parts and part not in parts:
            continue
        script = HERE / part / "build.py"
        if not script.exists():
            left_out.append(f"{part}: site/{part}/build.py does not exist yet")
            continue
        start = time.perf_counter()
        print(f"-> {part} ...", flush=True)
        left_out += [f"{part}: {each}" for each in load(script).build(out, runtime=runtime, address=address)]
        files, size = measured(out / folder)
        print(f"   {folder}/: {files:,} files, {size / 1e6:,.1f} MB, {time.perf_counter() - start:.0f} s", flush=True)
    return left_out


def dangling(out: Path) -> list[str]:
    """The links of the pages that lead to no file of the site: "docs/index.html: ../play/". The lab has its own."""
    found = []
    for page in sorted(out.rglob("*.html")):
        name = page.relative_to(out).as_posix()
        if name.startswith("lab/") and name != "lab/index.html":
            continue
        for link in sorted(set(LINK.findall(page.read_text(encoding="utf-8")))):
            aim = page.parent / unquote(html.unescape(link))
            if not (aim / "index.html" if aim.is_dir() else aim).exists():
                found.append(f"{name}: {link}")
    return found


def measured(folder: Path) -> tuple[int, int]:
    """How many files a folder has, and their bytes."""
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    return len(sizes), sum(sizes)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="course.py site", description="Build the site as static pages.")
    parser.add_argument("--out", type=Path, default=OUT, help="where to build it (default: build/site)")
    parser.add_argument("--runtime", type=Path, help="a folder with Pyodide's files; without it, they are downloaded")
    parser.add_argument("--part", action="append", choices=PARTS, help="build only this part (may be repeated)")
    parser.add_argument("--address", default=address(), help="our own address, for embed lines and preview pictures")
    given = parser.parse_args(arguments)
    given.address = given.address and given.address.rstrip("/") + "/"
    left_out = build(given.out.resolve(), runtime=given.runtime, address=given.address, parts=given.part)
    for each in [*left_out, *load(HERE / "placeholder.py").unset()]:
        print(f"left out: {each}")
    for each in dangling(given.out.resolve()):
        print(f"leads nowhere: {each}")
    files, size = measured(given.out)
    print(f"{given.out}: {files:,} files, {size / 1e6:,.1f} MB. To look at it:")
    print(f"   {Path(sys.executable).name} -m http.server --directory {given.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

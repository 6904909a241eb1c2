"""Build the documentation: the API, the lessons with their pictures, and pages for authors and for PyTorch users.

    python site/docs/build.py OUT         writes OUT/docs/

Nothing is executed: the API comes from docstrings, and the lessons show the outputs that are stored in them. The
sources for Sphinx are put together in a temporary folder, and a warning of Sphinx stops the build. The pages link to
the playground and to the lessons in JupyterLite if those are in OUT.
Imports the files beside it. Read api.py, lessons.py, texts.py and pytorch.py next: each writes some pages.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NEEDED = ("sphinx", "myst_nb", "furo")
FOLDER = "docs"
UNUSED = (".buildinfo", "_sources")  # what Sphinx writes and no page uses

sys.path.insert(0, str(HERE.parent))
try:
    from docs import api, lessons, pytorch, texts
finally:
    sys.path.remove(str(HERE.parent))


def build(out: Path, *, runtime: Path | None = None, address: str = "") -> list[str]:
    """Write OUT/docs/, and return what was left out."""
    if missing := [name for name in NEEDED if importlib.util.find_spec(name) is None]:
        return [f"the documentation, because {missing[0]} is not installed"]
    out = out.resolve()
    parts = [part for part in ("play", "lab") if (out / part / "index.html").exists()]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "source")
        shutil.copytree(HERE / "pages", source)
        picture = (ROOT / "tests" / "goldens" / "steps.svg").read_text(encoding="utf-8")  # the README's first picture
        (source / "steps.html").write_text(f'<div class="lesson-output first">{picture}</div>', encoding="utf-8")
        texts.write(source)
        api.write(source / "api")
        lessons.write(source / "lessons", lab="lab" in parts)
        pytorch.write(source / "from-pytorch.md")
        built = Path(folder, "html")  # myst-nb also writes a folder beside it
        sphinx(source, Path(folder, "doctrees"), built, parts, address)
        shutil.copytree(built, out / FOLDER, ignore=shutil.ignore_patterns(*UNUSED), dirs_exist_ok=True)
    largest = max((out / FOLDER).rglob("*.html"), key=lambda path: path.stat().st_size)
    print(f"   the largest page is {largest.relative_to(out / FOLDER)}, {largest.stat().st_size:,} bytes")
    return [] if "lab" in parts else ["no lesson links to its page in JupyterLite, because there is none"]


def sphinx(source: Path, doctrees: Path, target: Path, parts: list[str], address: str) -> None:
    """Run Sphinx in a process of its own. Raises RuntimeError with what it said, if it had anything to complain of."""
    command = [sys.executable, "-m", "sphinx", "--builder", "html", "--conf-dir", str(HERE), "--doctree-dir"]
    command += [str(doctrees), "--fail-on-warning", "--keep-going", "--quiet", "--html-define"]
    command += [f"parts={','.join(parts)}"]
    if address:
        command += ["--define", f"html_baseurl={address}{FOLDER}/"]
    done = subprocess.run([*command, str(source), str(target)], capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise RuntimeError(f"Sphinx has not built the documentation:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    for each in build(Path(sys.argv[1])):
        print(f"left out: {each}")

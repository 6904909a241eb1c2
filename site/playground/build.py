"""Build the playground into OUT/play: PyTorch code, run in the reader's browser. `python site/playground/build.py OUT`.

index.html, page/     the page: editor, buttons, results
box.html, box.js      a frame without an origin; it starts and ends the workers
worker.js             one Python for one program; program/ is its Python side
steps.html, steps.js  a frame without an origin for the stepper
files/                all of Python, compressed here, since not every static server compresses

The page fetches files/ and hands them to the box; neither box nor worker can fetch anything. Modules that a program
loads in any case are compiled: Python would otherwise compile them at every start. Tests, headers and the like stay
behind, and so do the lessons. Needs Node and npm. Imports ../runtime.py. Read worker.js next.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import importlib.util
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
FOLDER = "play"
PLOTS = (
    "matplotlib",
    "contourpy",
    "cycler",
    "kiwisolver",
    "pillow",
    "pyparsing",
    "python-dateutil",
    "six",
    "packaging",
)
# In wheels: what no program of a reader's imports
LEFT_OUT = re.compile(
    r"(^|/)(tests?|testing|sphinxext|_pyinstaller|f2py|typing|sample_data|images|afm|pdfcorefonts|include)/"
    r"|\.(pyi|pxd|h|a|c|lib|svg|template|zip|gz)$|(^|/)(conftest|_pytesttester_stub)\.py$|dist-info/(licenses|RECORD|sboms)"
    r"|^matplotlib/backends/(backend_(gtk|qt|tk|wx|mac|nbagg|webagg|pgf|ps|cairo)|_backend_(gtk|tk)|qt_|web_backend|_macosx)"
    r"|mpl-data/fonts/ttf/(STIXGeneral|DejaVuSerif|DejaVuSansMono-.*Oblique|DejaVuSans-BoldOblique)"
    r"|^PIL/(_webp|_avif|_imagingcms|_imagingtk)\."
)
STDLIB_LEFT_OUT = re.compile(
    r"^(idlelib|tkinter|turtledemo|ensurepip|_pyrepl|lib2to3|wsgiref|xmlrpc|pydoc_data|venv)/|^turtle"
)
OURS_LEFT_OUT = re.compile(
    r"^viz/lesson/exercises/|^viz/lesson/own/|/README\.md$|^viz/locale/(update|extract|__main__)\.py$"
    r"|^viz/locale/\w+/LC_MESSAGES/(lesson|exercises|trainer)"
)
FIRST = ("product", "in_place", "training", "live")  # our own examples, in the order of the menu


def load(path: Path) -> Any:
    """A script of the site as a module."""
    name = "minigrad_site_" + "_".join(path.relative_to(HERE.parent).with_suffix("").parts)
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


runtime_module = load(HERE.parent / "runtime.py")


def build(out: Path, *, runtime: Path | None = None, address: str = "") -> list[str]:
    """Build the playground below `out`, and return what was left out."""
    try:
        return build_with(runtime_module.Runtime.found(runtime), out / FOLDER)
    except runtime_module.Missing as error:
        clear(out / FOLDER)  # half a playground is none
        return [f"the playground, because {error}"]


def clear(target: Path) -> None:
    """Remove an earlier playground, whose files have other hashes in their names."""
    if (target / "files").is_dir():
        shutil.rmtree(target)


def build_with(release: Any, target: Path) -> list[str]:
    modules = runtime_module.node_modules()
    clear(target)
    left_out = []
    (target / "files").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        plots = None
        try:
            plots = {name: content for each in PLOTS for name, content in wheel_files(release, each).items()}
        except runtime_module.Missing as error:
            left_out.append(f"the playground's plots, because {error}")
        python = archives(release, modules, plots, work)
        python["worker"] = worker(release, work)
        python["wasm"] = (release.folder / "pyodide.asm.wasm").read_bytes()
        python["info"] = json.dumps(release.lock["info"]).encode()
        listed = {name: keep(target / "files", name, content) for name, content in python.items()}
        page(target, listed, work)
        licences = licences_of(release, modules, ["numpy", *(PLOTS if plots else ())])
    write(target / "files" / "LICENSES.txt", licences)
    return left_out


# -- Python ---------------------------------------------------------------------------------------


def wheel_files(release: Any, name: str) -> dict[str, bytes]:
    found: dict[str, bytes] = runtime_module.read_zip(release.wheel(name), lambda path: not LEFT_OUT.search(path))
    return found


def archives(release: Any, modules: Path, plots: Mapping[str, bytes] | None, work: Path) -> dict[str, bytes]:
    """The zip archives for a worker: the standard library, the packages, and those for plots."""
    stdlib = runtime_module.read_zip(
        release.folder / "python_stdlib.zip", lambda path: not STDLIB_LEFT_OUT.search(path)
    )
    ours = runtime_module.our_files(lambda path: not OURS_LEFT_OUT.search(path))
    own = {f"_playground/{path.name}": path.read_bytes() for path in sorted((HERE / "program").glob("*.py"))}
    numpy = wheel_files(release, "numpy")
    examples = [HERE / "examples" / f"{name}.py" for name in FIRST]
    if plots is None:
        examples = [path for path in examples if "matplotlib" not in path.read_text() and "viz" not in path.read_text()]
    used = loaded(release, modules, {**numpy, **ours, **own, **(plots or {})}, examples, work)

    lib = f"/lib/python{release.python}"
    site, zipped = f"{lib}/site-packages", f"{lib.replace('.', '')}.zip"

    def compiled(files: Mapping[str, bytes], level: int, place: str = site) -> dict[str, bytes]:
        modules = {name: content for name, content in files.items() if name in used}
        out = {name: content for name, content in files.items() if name not in used}
        return out | runtime_module.compiled(release, modules, place, level)

    # Without docstrings and asserts (-OO), but for ours, which help() shows
    packages = {**compiled(numpy, 2), **compiled({**ours, **own}, 0)}
    found = {"stdlib.zip": stored(compiled(stdlib, 2, zipped)), "packages.zip": stored(packages)}
    return found if plots is None else {**found, "plots.zip": stored(compiled(plots, 2))}


def loaded(release: Any, modules: Path, files: Mapping[str, bytes], programs: list[Path], work: Path) -> set[str]:
    """The names of the modules, as in the archives, that a start and these programs load."""
    runtime_module.write_zip(work / "packages.zip", files)
    graphviz = modules / "@hpcc-js" / "wasm-graphviz" / "dist" / "index.js"
    told = runtime_module.run(
        "node", HERE / "used.mjs", release.folder, graphviz, work / "packages.zip", *programs, folder=HERE
    )
    places = json.loads(told.splitlines()[-1])
    return {re.sub(r"^/lib/python3[\d.]+(/site-packages|\.zip)?/", "", place) for place in places}


def stored(files: Mapping[str, bytes]) -> bytes:
    """A zip archive that compresses nothing: the whole is compressed once, better and for a faster start."""
    import io
    import zipfile

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, runtime_module.FIRST), files[name])
    return out.getvalue()


def worker(release: Any, work: Path) -> bytes:
    """worker.js with Pyodide and Graphviz in it, as one text: a worker of an opaque origin can import no file."""
    aliases = {"pyodide": release.folder / "pyodide.mjs", "pyodide-module": work / "pyodide-module.mjs"}
    whole = (release.folder / "pyodide.asm.mjs").read_text(encoding="utf-8")
    (work / "pyodide-module.mjs").write_text(whole, encoding="utf-8")
    externals = ["--external:node:*", "--external:ws"]  # Pyodide asks for them only where it runs in Node
    # Chromium starts no module worker in an opaque origin. Pyodide wants to be in one, and tells by importScripts.
    classic = ["--format=iife", "--banner:js=self.importScripts=()=>{throw new Error('nothing to import')};"]
    address = '--define:import.meta.url="http://nowhere.invalid/worker.js"'
    runtime_module.bundled(HERE / "worker.js", work / "worker.js", *classic, address, *externals, aliases=aliases)
    return (work / "worker.js").read_bytes()


def keep(folder: Path, name: str, content: bytes) -> list[Any]:
    """Write a file compressed, with its hash in its name, so that a browser may keep it: [its name, its size]."""
    small = gzip.compress(content, 9, mtime=0)
    file = f"{Path(name).stem}.{hashlib.sha256(small).hexdigest()[:10]}.bin"
    (folder / file).write_bytes(small)
    return [file, len(content)]


# -- the page -------------------------------------------------------------------------------------


def examples() -> list[dict[str, str]]:
    """The menu: our own examples, whose first comment is the title, then the gallery's questions in their order."""
    found = []
    for name in FIRST:
        title, _, code = (HERE / "examples" / f"{name}.py").read_text(encoding="utf-8").partition("\n")
        found.append({"title": title.removeprefix("# "), "code": code, "group": "first"})
    order = HERE.parent / "gallery" / "order.txt"
    for slug in order.read_text(encoding="utf-8").split() if order.exists() else ():
        source = (order.parent / f"{slug}.md").read_text(encoding="utf-8")
        title, code = re.search(r"^# (.+)$", source, re.M), re.search(r"^```python\n(.*?)^```", source, re.M | re.S)
        if title and code:
            found.append({"title": title[1].replace("`", ""), "code": code[1], "group": "gallery", "slug": slug})
    return found


def page(target: Path, files: Mapping[str, list[Any]], work: Path) -> None:
    """The page, and the two frames."""
    plots = {name: file for name, file in files.items() if name == "plots.zip"}
    core = {name: file for name, file in files.items() if name not in plots}
    given = {"FILES": {"core": core, "plots": plots}, "EXAMPLES": examples()}
    constants = [f"--define:{name}={json.dumps(value)}" for name, value in given.items()]
    runtime_module.bundled(HERE / "page" / "main.js", work / "page.js", "--format=esm", *constants)
    runtime_module.bundled(HERE / "page" / "page.css", work / "page.css")
    named = {name: named_by_hash(target, work / name) for name in ("page.js", "page.css")}
    preload = f'<link rel="modulepreload" href="{named["page.js"]}">'
    html = (HERE / "page" / "index.html").read_text(encoding="utf-8")
    write(target / "index.html", filled(html, style=named["page.css"], page=named["page.js"], preload=preload))

    box = (HERE / "box.js").read_text(encoding="utf-8")
    write(target / "box.html", framed(HERE / "box.html", box))
    viz = HERE.parents[1] / "viz"
    scripts, styles = (
        [(viz / name).read_text(encoding="utf-8") for name in names]
        for names in (
            ("stepper/notebook.js", "edges.js", "stepper/player.js"),
            ("drawing/theme.css", "edges.css", "stepper/player.css"),
        )
    )
    steps = "".join(scripts).replace("export function", "function") + (HERE / "steps.js").read_text(encoding="utf-8")
    style = "".join(styles)
    write(target / "steps.html", framed(HERE / "steps.html", steps, style=style))


def licences_of(release: Any, modules: Path, wheels: Iterable[str]) -> str:
    """The licences of everything that is in files/ and page.js: ours, npm's packages, Pyodide, and the wheels."""
    found = {"minigrad": (HERE.parents[1] / "LICENSE").read_text(encoding="utf-8")}
    for path in sorted(modules.glob("**/LICENSE*")):
        found[path.parent.relative_to(modules).as_posix()] = path.read_text(encoding="utf-8")
    found["Pyodide"] = "Mozilla Public License 2.0, https://github.com/pyodide/pyodide; CPython in it: PSF License."
    found["Graphviz"] = "Eclipse Public License 2.0, https://graphviz.org; compiled into @hpcc-js/wasm-graphviz."
    for name in wheels:
        is_licence = re.compile(r"dist-info/(licenses/)?[^/]*(LICEN[CS]E|COPYING)[^/]*$", re.I)
        for path, text in runtime_module.read_zip(release.wheel(name), is_licence.search).items():
            found[f"{name}: {Path(path).name}"] = text.decode(errors="replace")
    return "\n\n".join(f"{'=' * 8} {name}\n\n{text.strip()}" for name, text in found.items()) + "\n"


def named_by_hash(target: Path, path: Path) -> str:
    content = path.read_bytes()
    name = f"{path.stem}.{hashlib.sha256(content).hexdigest()[:10]}{path.suffix}"
    (target / name).write_bytes(content)
    return name


def framed(template: Path, script: str, **values: str) -> str:
    """A frame's page: its policy runs this script, by its hash, and no other."""
    assert "</script" not in script
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return filled(template.read_text(encoding="utf-8"), script=script, hash=f"sha256-{digest}", **values)


def filled(template: str, **values: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], found[0]), template)


def write(path: Path, text: str) -> None:
    path.write_bytes(text.encode())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Build the playground alone.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--runtime", type=Path)
    given = parser.parse_args()
    for each in build(given.out, runtime=given.runtime):
        print(f"left out: {each}")
    sizes = {path.name: path.stat().st_size for path in (given.out / FOLDER).rglob("*") if path.is_file()}
    for name, size in sorted(sizes.items(), key=lambda pair: -pair[1]):
        print(f"{size / 1e6:8.2f} MB  {name}")
    print(f"{sum(sizes.values()) / 1e6:8.2f} MB")

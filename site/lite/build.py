"""Builds the course as pages that need no server: the notebooks in JupyterLite, with a kernel in the reader's browser.

    python site/lite/build.py OUT [--runtime FOLDER]     writes OUT/lab/

`OUT/lab/` lists the lessons, and `OUT/lab/index.html?path=01_graph.ipynb` opens one of them by itself.

A lesson is copied without its stored outputs, which the page would show as text until the reader runs the cells, and
without the lines that install the course on Colab. The lock of Pyodide's packages gets our own wheel, so that
`import minigrad` and `import viz` load what they need, and nothing is looked up elsewhere. Modules are compiled here;
else each browser would do that at each start.
Imports ../runtime.py. Needs Node, npm and the extra `site`. Read browser.py in viz/ next: how viz lives there.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FOLDER = "lab"
# Loaded before the first cell: the kernel
KERNEL = ("micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython")
VIZ = ("numpy", "ipywidgets", "anywidget")  # loaded by `import viz` or `import minigrad`
LATER = ("matplotlib", "fonttools")  # loaded when something is plotted, and when a picture is saved as .pdf
# What a wheel asks for and no lesson imports: the page has the widgets' front ends already; no plot has time zones
UNUSED = {"widgetsnbextension", "jupyterlab-widgets", "pytz"}
# What no lesson imports, of the packages of others
LEFT_OUT = re.compile(
    r"(^|/)(tests?|sphinxext|_pyinstaller|f2py|sample_data|django-stubs)/|\.(pxd|h|a|c|lib|template|map)$"
    r"|^(numpy|matplotlib)/(testing|typing|.*include)/|^(numpy|matplotlib|PIL|contourpy|kiwisolver)/.*\.pyi$"
    r"|^jedi/third_party/typeshed/(third_party|tests|stdlib/2/|stdlib/[^/]+/(tkinter|distutils|lib2to3|xmlrpc|wsgiref"
    r"|msilib|sqlite3|turtle|_curses|curses|ssl|winreg))"
    r"|^anywidget/(labextension|nbextension)/|\.data/data/share/|dist-info/(licenses/|RECORD|sboms)"
    r"|^matplotlib/(backends/(backend_(gtk|qt|tk|wx|mac|nbagg|webagg|pgf|ps|cairo)|_backend_(gtk|tk)|qt_|web_backend))"
    r"|^matplotlib/mpl-data/(images|fonts/(afm|pdfcorefonts)|sample_data|plot_directive)/"
    r"|^matplotlib/mpl-data/fonts/ttf/(STIX|cm|DejaVuSerif|DejaVuSansDisplay|DejaVuSans(Mono)?-.*Oblique)"
    r"|^PIL/(_webp|_avif|_imagingcms|_imagingtk)\."
    r"|^pygments/formatters/(img|latex|rtf|svg|bbcode|groff|irc|pangomarkup)"
    r"|^pygments/lexers/(?!__init__|_mapping|python|special|text|diff|data|console|shell|html|javascript|css|ruby|perl"
    r"|markup|jvm|_tsql|sql|web|dotnet|c_cpp|c_like)"
    r"|^encodings/(big5|cp(?!437)|euc_|gb|hp_|hz|iso2022|iso8859_(?!1\.)|johab|koi8|kz|mac_|palmos|ptcp|shift_|tis_)"
    r"|^(idlelib|tkinter|turtledemo|ensurepip|lib2to3|wsgiref|xmlrpc|pydoc_data|venv)/|^turtle"
    r"|^(_pyio|imaplib|smtplib|poplib|ftplib|mailbox|http/server|modulefinder|zipapp|pyclbr|tabnanny|wave)\.py$"
    r"|^asyncio/(windows_|proactor_)|^ctypes/(_aix|macholib)"
    r"|^_pyrepl/(reader|readline|unix_|windows_|terminfo|historical|completing|_module|commands)"
)
PYTHON = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}
LITE = ("jupyter-lite.json", "overrides.json")
OURS: dict[str, dict[str, list[str]]] = {
    "minigrad": {"imports": ["minigrad", "viz"], "depends": [*VIZ, "graphviz-wasm"]},
    "graphviz-wasm": {"imports": ["graphviz_wasm"], "depends": []},
}
IN_LOCK = {"install_dir": "site", "package_type": "package", "unvendored_tests": False}
# Compiled with their docstrings, which `help` shows; all others without, as in `python -OO`
TOLD = {"minigrad", "numpy", "ipython", "traitlets", "ipywidgets", "anywidget", "pyodide-kernel", "ipykernel", "comm"}
# Without an icon, a browser asks the server's root for one
FIRST_LINK, ICON = '<link rel="manifest"', '<link rel="icon" type="image/png" href="../icon-120x120.png">'
PICTURES = ROOT / "tests" / "goldens" / "lessons"  # those of the README
INSTALLS = re.compile(
    r'\Afrom importlib\.util import find_spec\n\nif not find_spec\("viz"\):.*?\n\n', re.DOTALL
)  # for Colab
LIBRARY = "python_stdlib.zip"
ZIPPED, PACKAGES = "lib/python314.zip", "lib/python3.14/site-packages"  # where the browser's Python has its modules
LESSONS = [ROOT / "notebooks" / name for name in ("01_graph.ipynb", "03_why_is_my_grad_none.ipynb")]


def load(path: Path) -> Any:
    """A script of the site as a module."""
    name = "minigrad_site_" + "_".join(path.relative_to(HERE.parent).with_suffix("").parts)
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


site = load(HERE.parent / "runtime.py")
placeholder = load(HERE.parent / "placeholder.py")


def build(out: Path, *, runtime: Path | None = None, address: str = "") -> list[str]:
    """Write OUT/lab/, and return what was left out."""
    target = out.resolve() / FOLDER
    if importlib.util.find_spec("jupyterlite_core") is None:
        return ["the lessons in JupyterLite, because jupyterlite-core is not installed"]
    try:
        release = site.Runtime.found(runtime)
        with tempfile.TemporaryDirectory() as folder:
            lite = Path(folder) / "lite"
            pyodide(release, lite / "static" / "pyodide")
            lessons = lessons_in(ROOT / "notebooks", lite / "files")
            for name in LITE:
                shutil.copy(HERE / name, lite / name)
            shutil.rmtree(target, ignore_errors=True)
            jupyterlite(lite, target)
    except site.Missing as error:
        return [f"the lessons in JupyterLite, because {error}"]
    app = target / "notebooks" / "index.html"
    head = app.read_text(encoding="utf-8")
    assert head.count(FIRST_LINK) == 1
    app.write_text(head.replace(FIRST_LINK, ICON + FIRST_LINK), encoding="utf-8")
    page = (HERE / "index.html").read_text(encoding="utf-8")
    (target / "index.html").write_text(
        page.replace("<!-- lessons -->", listed(lessons, target / "pictures")), encoding="utf-8"
    )
    return []


def jupyterlite(lite: Path, target: Path) -> None:
    """JupyterLite's own build, with the interface that shows one document."""
    told = ["--lite-dir", lite, "--contents", lite / "files", "--output-dir", target, "--apps", "notebooks"]
    command = [
        sys.executable,
        "-m",
        "jupyterlite_core",
        "build",
        *told,
        "--no-sourcemaps",
        "--no-unused-shared-packages",
    ]
    done = subprocess.run(list(map(str, command)), cwd=lite, capture_output=True, encoding="utf-8")
    if done.returncode:
        raise RuntimeError(f"JupyterLite was not built:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


# -- Pyodide --------------------------------------------------------------------------------------


def pyodide(release: Any, target: Path) -> None:
    """Pyodide's files, the wheels that the lessons need, and a lock that names all of them."""
    target.mkdir(parents=True)
    chosen = needed(release, *KERNEL, *VIZ, *LATER)
    archives = {name: site.read_zip(release.wheel(name), is_needed) for name in chosen}
    archives["python"] = site.read_zip(release.folder / LIBRARY, is_needed)
    archives["minigrad"] = site.our_files()
    with tempfile.TemporaryDirectory() as folder:
        engine = site.graphviz_wheel(Path(folder))
        archives["graphviz-wasm"] = site.read_zip(engine)
        compiled = modules(release, archives, Path(folder))
    lock = release.lock
    lock["packages"] = {}
    for name, files in archives.items():
        ready = with_compiled(files, compiled.get(name, {}), shown=name == "minigrad")
        if name == "python":
            site.write_zip(target / LIBRARY, ready)
        elif name in chosen:
            wheel = target / chosen[name]["file_name"]
            site.write_zip(wheel, ready)
            depends = [each for each in chosen[name]["depends"] if each not in {*UNUSED, *LATER}]
            lock["packages"][name] = {**chosen[name], "depends": depends, "sha256": hash_of(wheel)}
        else:
            version = site.version() if name == "minigrad" else engine.name.split("-")[1]
            ready = {inside: content for inside, content in ready.items() if ".dist-info/" not in inside}
            wheel = site.write_wheel(target, name.replace("-", "_"), version, ready, record=False)
            lock["packages"][name] = entry(wheel, **OURS[name])
    (target / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    for name in site.CORE:
        if name.endswith((".mjs", ".wasm")):
            shutil.copy(release.folder / name, target)


def needed(release: Any, *names: str) -> dict[str, dict[str, Any]]:
    """The lock's entries of these packages, and of all that they depend on and the lessons need. Raises Missing."""
    known, found, todo = release.lock["packages"], {}, list(names)
    while todo:
        name = todo.pop().replace("_", "-").lower()
        if name not in found and name not in UNUSED:
            if name not in known:
                raise site.Missing(f"{release.folder} has no wheel of {name}")
            found[name] = known[name]
            todo += known[name]["depends"]
    return dict(sorted(found.items()))


def is_needed(name: str) -> bool:
    return not LEFT_OUT.search(name)


def hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def entry(wheel: Path, imports: list[str], depends: list[str]) -> dict[str, Any]:
    """The lock's entry of a wheel of ours."""
    name, version, *_ = wheel.name.split("-")
    made = {"name": name, "version": version, "file_name": wheel.name, "sha256": hash_of(wheel)}
    return {**made, **IN_LOCK, "imports": imports, "depends": depends}


def modules(release: Any, archives: dict[str, dict[str, bytes]], folder: Path) -> dict[str, dict[str, bytes]]:
    """The compiled modules of these archives that a lesson loads, by archive. Kept for later: it takes a minute."""
    mark = hashlib.sha256()
    for name, files in archives.items():
        for inside, content in files.items():
            mark.update(f"{name}/{inside}/{len(content)}/".encode() + content)
    for path in (*LESSONS, HERE / "used.py", HERE / "used.mjs"):
        mark.update(path.read_bytes())
    kept: Path = site.cache() / f"lite-{mark.hexdigest()[:16]}.zip"
    if not kept.exists():
        wheels = folder / "wheels"
        for name, files in archives.items():
            if name != "python":
                site.write_zip(wheels / f"{name}.zip", files)
        command = ("node", HERE / "used.mjs", release.folder, wheels, HERE / "used.py", *LESSONS)
        loaded = set(json.loads(site.run(*command, folder=HERE).splitlines()[-1]))
        sources: dict[bool, dict[str, bytes]] = {True: {}, False: {}}
        for name, files in archives.items():
            used = {each: content for each, content in files.items() if f"/{place_of(name)}/{each}" in loaded}
            sources[name in TOLD].update({f"{place_of(name)}/{each}": content for each, content in used.items()})
        new = folder / "new.zip"
        site.write_zip(new, site.compiled(release, sources[True], "") | site.compiled(release, sources[False], "", 2))
        shutil.move(new, kept)
    ready = site.read_zip(kept)
    found = {name: {f"{each}c": f"{place_of(name)}/{each}c" for each in files} for name, files in archives.items()}
    return {name: {each: ready[path] for each, path in paths.items() if path in ready} for name, paths in found.items()}


def place_of(name: str) -> str:
    """Where the browser's Python has the files of this archive."""
    return ZIPPED if name == "python" else PACKAGES


def with_compiled(files: dict[str, bytes], compiled: dict[str, bytes], *, shown: bool) -> dict[str, bytes]:
    """The files with compiled modules in place of their sources. The library's own sources stay beside them if `shown`:
    a traceback and `??` show them."""
    ready = dict(files)
    for name, content in compiled.items():
        folder, _, file = name.rpartition("/")
        if shown and name.startswith("minigrad/"):
            ready[f"{folder}/__pycache__/{file.removesuffix('.pyc')}.cpython-314.pyc"] = content
        else:
            del ready[name.removesuffix("c")]
            ready[name] = content
    return ready


# -- lessons --------------------------------------------------------------------------------------


def lessons_in(folder: Path, target: Path) -> list[tuple[str, str]]:
    """Copy the lessons; returns the file and the title of each."""
    target.mkdir(parents=True)
    lessons = []
    for path in sorted(folder.glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            cell["source"] = INSTALLS.sub("", "".join(cell["source"]))
            if cell["cell_type"] == "code":
                cell["outputs"], cell["execution_count"] = [], None
            else:
                cell["source"] = placeholder.unlinked(cell["source"]).rstrip()
        notebook["metadata"]["kernelspec"] = PYTHON
        (target / path.name).write_text(json.dumps(notebook, ensure_ascii=False, indent=1), encoding="utf-8")
        text = next(cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "markdown")
        lessons.append((path.name, text.partition("\n")[0].lstrip("# ")))
    return lessons


def listed(lessons: list[tuple[str, str]], target: Path) -> str:
    """The lessons as items of a list, each with its picture, which is copied into the folder `target`."""
    target.mkdir()
    items = []
    for name, title in lessons:
        picture = PICTURES / f"{name[:2]}.svg"
        image = ""
        if picture.exists():
            shutil.copy(picture, target)
            image = f'<img src="pictures/{picture.name}" alt="" loading="lazy">'
        address = f"notebooks/index.html?path={name}"
        items.append(f'<li><a href="{address}">{image}<span>{html.escape(title)}</span></a></li>')
    return "\n".join(items)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--runtime", type=Path)
    given = parser.parse_args()
    for each in build(given.out, runtime=given.runtime):
        print(f"left out: {each}")

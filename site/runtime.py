"""What the parts of the site share: Pyodide's files, wheels for it, compiled Python, and packages from npm.

    with runtime.Runtime.found(folder) ...    Pyodide's release: a folder, or downloaded and checked
    Runtime.wheels("numpy")                   wheels of the release, with what they depend on
    our_wheel(folder)                         minigrad and viz; graphviz_wheel(folder): the layout engine for a kernel
    packed(...)                               a zip of compiled modules, for a page of our own
    node_modules()                            npm's packages, as package-lock.json pins them
    bundled(...)                              JavaScript modules as one file, by esbuild

Missing is raised with one sentence if something is lacking here: no npm, no internet. Node is needed where it says so.
Imports the standard library alone. Read playground/build.py next.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
VERSION = "314.0.3"
# npm's own hash of the package `pyodide`; its lock has the hashes of all wheels
INTEGRITY = "sha512-sK40My6m8tmBUYtYH9au9rXUeh9x0wfahtHdOlGmJxZDsKBGKtP6KznyFB2+u/klbQTdDionR0uaVd176zVQzQ=="
RELEASE = (
    f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"  # where the release keeps its wheels; asked by the build only
)
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
FIRST = (1980, 1, 1, 0, 0, 0)  # every file in our archives has this time: the same sources, the same bytes


class Missing(Exception):
    """Something can't be had on this machine; the message says what and why."""


def cache() -> Path:
    """The folder of the user's in which downloads are kept."""
    home = os.environ.get("XDG_CACHE_HOME") or (
        os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else Path.home() / ".cache"
    )
    folder = Path(home or Path.home() / ".cache") / "minigrad-site"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


# -- Pyodide --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Runtime:
    """Pyodide's release in a folder. Files that are missing there are downloaded, if `whole` is not set."""

    folder: Path
    whole: bool = True

    @classmethod
    def found(cls, folder: Path | None) -> Runtime:
        """The runtime in `folder`; without one, Pyodide's release, checked by its hash. Raises Missing."""
        if folder is not None:
            if lacks := [name for name in CORE if not (folder / name).is_file()]:
                raise Missing(f"{folder} is no Pyodide runtime: it has no {lacks[0]}")
            return cls(folder.resolve())
        kept = cache() / f"pyodide-{VERSION}"
        if not (kept / CORE[-1]).is_file():
            from_npm("pyodide", VERSION, INTEGRITY, kept)
        return cls(kept, whole=False)

    @property
    def lock(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / "pyodide-lock.json").read_text(encoding="utf-8"))
        return found

    @property
    def python(self) -> str:
        """The version of its Python, such as "3.14"."""
        return ".".join(self.lock["info"]["python"].split(".")[:2])

    def wheels(self, *names: str) -> dict[str, dict[str, Any]]:
        """The entries of the lock for these packages and all that they depend on."""
        known, found, todo = self.lock["packages"], {}, list(names)
        while todo:
            name = re.sub(r"[-_.]+", "-", todo.pop(0)).lower()
            if name not in found:
                if name not in known:
                    raise Missing(f"{self.folder} has no wheel of {name}")
                found[name] = known[name]
                todo += known[name]["depends"]
        return found

    def wheel(self, name: str) -> Path:
        """The wheel of this package, checked against the lock."""
        entry = self.wheels(name)[name]
        path = self.folder / entry["file_name"]
        if not path.is_file():
            if self.whole:
                raise Missing(f"{self.folder} has no {entry['file_name']}")
            path.write_bytes(downloaded(RELEASE + entry["file_name"]))
        if hashlib.sha256(path.read_bytes()).hexdigest() != entry["sha256"]:
            if not self.whole:
                path.unlink()
            raise Missing(f"{path.name} is not the file that pyodide-lock.json names: its hash differs")
        return path


def downloaded(address: str) -> bytes:
    try:
        with urllib.request.urlopen(address, timeout=120) as answer:
            content: bytes = answer.read()
    except OSError as error:
        raise Missing(f"{address} can't be downloaded: {error}") from error
    return content


# -- npm ------------------------------------------------------------------------------------------


def run(*command: str | Path, folder: Path) -> str:
    """What a command prints. Raises Missing if it is not there or fails."""
    program = shutil.which(str(command[0]))
    if program is None:
        raise Missing(f"{command[0]} is not installed")
    done = subprocess.run([program, *command[1:]], cwd=folder, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode:
        lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise Missing(f"{Path(str(command[0])).name} {command[1]} failed: {' '.join(lines[:6])[:500]}")
    return done.stdout


def from_npm(name: str, version: str, integrity: str, to: Path) -> None:
    """The files of one npm package in the folder `to`. Raises Missing if its hash is another."""
    with tempfile.TemporaryDirectory(dir=to.parent) as work:
        run("npm", "pack", f"{name}@{version}", "--silent", folder=Path(work))
        (archive,) = Path(work).glob("*.tgz")
        method, _, expected = integrity.partition("-")
        if base64.b64encode(hashlib.new(method, archive.read_bytes()).digest()).decode() != expected:
            raise Missing(f"npm's {name} {version} is not the pinned one: its hash differs")
        with tarfile.open(archive) as files:
            files.extractall(work, filter="data")
        os.replace(Path(work) / "package", to)


def node_modules() -> Path:
    """The folder node_modules with what package.json asks for, as package-lock.json pins it. Raises Missing."""
    files = {name: (HERE / name).read_bytes() for name in ("package.json", "package-lock.json")}
    kept = cache() / f"npm-{hashlib.sha256(b''.join(files.values())).hexdigest()[:16]}"
    if not kept.is_dir():
        with tempfile.TemporaryDirectory(dir=kept.parent) as work:
            fresh = Path(work) / "fresh"
            fresh.mkdir()
            for name, content in files.items():
                (fresh / name).write_bytes(content)
            # npm checks every hash in the lock; no package gets to run a program of its own
            run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", folder=fresh)
            if not kept.is_dir():
                os.replace(fresh, kept)
    return kept / "node_modules"


def bundled(entry: Path, to: Path, *options: str, aliases: Mapping[str, Path] | None = None) -> None:
    """The JavaScript of `entry` and all that it imports, as one small file. Raises Missing."""
    modules = node_modules()
    esbuild = modules / ".bin" / ("esbuild.cmd" if sys.platform == "win32" else "esbuild")
    names = [f"--alias:{name}={path}" for name, path in (aliases or {}).items()]
    flags = ["--bundle", "--minify", "--legal-comments=none", "--target=es2022", "--log-level=error", "--charset=utf8"]
    environment = [f"--outfile={to}", *flags, *names, *options]
    previous = os.environ.get("NODE_PATH")
    os.environ["NODE_PATH"] = str(modules)  # the sources stand in site/, the packages in the cache
    try:
        run(str(esbuild), str(entry), *environment, folder=entry.parent)
    finally:
        os.environ.pop("NODE_PATH") if previous is None else os.environ.update(NODE_PATH=previous)


# -- wheels and archives --------------------------------------------------------------------------


def version() -> str:
    found = re.search(r'__version__ = "(.+)"', (ROOT / "minigrad" / "version.py").read_text(encoding="utf-8"))
    assert found is not None
    return found[1]


def is_source(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"


def our_files(keep: Callable[[str], bool] = lambda name: True) -> dict[str, bytes]:
    """The files of minigrad and viz, by the name that they have in a wheel. keep: which names."""
    paths = sorted(path for package in ("minigrad", "viz") for path in (ROOT / package).rglob("*") if is_source(path))
    names = {path.relative_to(ROOT).as_posix(): path for path in paths}
    return {name: path.read_bytes() for name, path in names.items() if keep(name)}


def our_wheel(folder: Path, keep: Callable[[str], bool] = lambda name: True) -> Path:
    """A wheel of minigrad and viz, made from the sources here; `keep` chooses among the names in it."""
    return write_wheel(folder, "minigrad", version(), our_files(keep))


def graphviz_wheel(folder: Path) -> Path:
    """A wheel of graphviz_wasm, the layout engine for a kernel in a browser; npm's module is in it. Raises Missing."""
    package = node_modules() / "@hpcc-js" / "wasm-graphviz"
    files = {
        "graphviz_wasm/__init__.py": (HERE / "graphviz_wasm" / "__init__.py").read_bytes(),
        "graphviz_wasm/index.js": (package / "dist" / "index.js").read_bytes(),
        "graphviz_wasm/LICENSE": (package / "LICENSE").read_bytes(),
    }
    return write_wheel(folder, "graphviz_wasm", json.loads((package / "package.json").read_text())["version"], files)


def write_wheel(folder: Path, name: str, version: str, files: Mapping[str, bytes], *, record: bool = True) -> Path:
    """A wheel of pure Python. The same files give the same bytes. record: the list of files, for pip."""
    info = f"{name}-{version}.dist-info"
    told = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: minigrad site\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    if record:
        lines = [f"{path},sha256={digest(content)},{len(content)}\n" for path, content in told.items()]
        told[f"{info}/RECORD"] = "".join([*lines, f"{info}/RECORD,,\n"]).encode()
    path = folder / f"{name}-{version}-py3-none-any.whl"
    write_zip(path, told)
    return path


def digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def write_zip(path: Path, files: Mapping[str, bytes]) -> None:
    """A zip archive whose bytes depend on nothing but its files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, FIRST)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name], zipfile.ZIP_DEFLATED, 9)


def read_zip(path: Path, keep: Callable[[str], bool] = lambda name: True) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/") and keep(name)}


def lock_with(runtime: Runtime, names: Iterable[str], ours: Mapping[Path, Mapping[str, Any]]) -> dict[str, Any]:
    """A pyodide-lock.json with these packages of the release, and our wheels: {path: its imports and depends}."""
    lock = runtime.lock
    lock["packages"] = runtime.wheels(*names)
    for path, known in ours.items():
        name, number, *_ = path.name.split("-")
        lock["packages"][re.sub(r"[-_.]+", "-", name).lower()] = {
            "name": name,
            "version": number,
            "file_name": path.name,
            "install_dir": "site",
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "package_type": "package",
            "unvendored_tests": False,
            **known,
        }
    return lock


def compiled(runtime: Runtime, files: Mapping[str, bytes], place: str, level: int = 0) -> dict[str, bytes]:
    """The same files with each module compiled: name.pyc in place of name.py. Needs Node.

    place: the folder in which they will stand; a code's file name tells libraries from a reader's program.
    level: as in `python -O`.
    """
    with tempfile.TemporaryDirectory() as work:
        sources, results = Path(work, "sources"), Path(work, "results")
        modules = {name: content for name, content in files.items() if name.endswith(".py")}
        for name, content in modules.items():
            path = sources / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        run("node", HERE / "compile.mjs", runtime.folder, sources, results, place, str(level), folder=HERE)
        out = {name: content for name, content in files.items() if name not in modules}
        for name, content in modules.items():
            path = results / f"{name}c"
            out.update({f"{name}c": path.read_bytes()} if path.is_file() else {name: content})
    return out

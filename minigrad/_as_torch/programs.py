"""`python -m minigrad PROGRAM`: run an unchanged PyTorch program on minigrad, as `python PROGRAM` would run it.

The program gets what Python gives it: its own `__main__`, `sys.argv` and `sys.path[0]`, its exit code, and tracebacks
that begin at its own first line. Imports finder. Read next: __main__.py.
"""

from __future__ import annotations

import builtins
import importlib.metadata
import io
import linecache
import os
import runpy
import sys
from collections.abc import Callable
from importlib.machinery import BuiltinImporter, SourceFileLoader
from importlib.util import find_spec
from types import TracebackType
from typing import Any, NoReturn

from .finder import install_as_torch

USAGE = """\
usage: python -m minigrad PROGRAM.py [ARGUMENTS]   run a PyTorch program on minigrad: its `import torch` gives minigrad
       python -m minigrad -m MODULE [ARGUMENTS]    the same for a module
       python -m minigrad -c CODE [ARGUMENTS]      the same for a text
       python -m minigrad                          show the versions, and what is available"""


def main() -> None:
    """Do what the command line says."""
    options = sys.argv[1:]
    if not options:
        print(report())
        return
    first, rest = options[0], options[1:]
    if first in ("-h", "--help"):
        print(USAGE)
        return
    run: Callable[[str], None] = run_file
    if first[:2] in ("-m", "-c"):
        run = run_module if first[1] == "m" else run_text
        if len(first) > 2:
            first, rest = first[:2], [first[2:], *rest]
        if not rest:
            refuse(f"argument expected for the {first} option")
        what, *rest = rest
    elif first.startswith("-"):
        refuse(f"unknown option {first}")
    else:
        what = first
    sys.argv[:] = [first, *rest]
    install_as_torch()
    try:
        run(what)
    except BaseException:
        sys.excepthook = without_ours(sys.excepthook)
        raise


def refuse(why: str) -> NoReturn:
    """Python's own way to say that a command line is wrong."""
    print(f"{why}\n{USAGE}", file=sys.stderr)
    sys.exit(2)


def run_file(path: str) -> None:
    """Run a file of Python code as `__main__`."""
    full = os.path.abspath(path)
    if os.path.isdir(full):
        refuse(f"{path} is a folder; minigrad runs a file")
    try:
        with io.open_code(full) as file:
            source = file.read()
    except OSError as error:
        print(f"{sys.executable}: can't open file {full!r}: [Errno {error.errno}] {error.strerror}", file=sys.stderr)
        sys.exit(2)
    if source.startswith(b"PK\x03\x04"):
        refuse(f"{path} is an archive; minigrad runs a file of Python code")
    if not sys.flags.safe_path:
        sys.path[0] = os.path.dirname(os.path.realpath(full))
    names = become_main(__loader__=SourceFileLoader("__main__", full), __file__=full)
    exec(compile(source, full, "exec", dont_inherit=True), names)


def run_text(code: str) -> None:
    """Run a string of code as `__main__`."""
    if not sys.flags.safe_path:
        sys.path[0] = ""
    code += "\n"
    linecache.cache["<string>"] = len(code), None, code.splitlines(keepends=True), "<string>"
    exec(compile(code, "<string>", "exec", dont_inherit=True), become_main(__loader__=BuiltinImporter))


def run_module(name: str) -> None:
    """Run a module as `__main__`, by the function that `python -m` itself calls."""
    become_main()
    runpy._run_module_as_main(name)  # type: ignore[attr-defined]


def become_main(**given: Any) -> dict[str, Any]:
    """Reset the names of `__main__` to those that Python gives a new program; until now the module was minigrad's."""
    names = vars(sys.modules["__main__"])
    older: dict[str, Any] = {"__annotations__": {}} if "__annotations__" in names else {}
    if "__file__" in given and "__cached__" in names:
        older["__cached__"] = None
    names.clear()
    names.update(__name__="__main__", __doc__=None, __package__=None, __spec__=None, __builtins__=builtins)
    names.update(older | given)
    return names


def without_ours(excepthook: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap the hook that prints an uncaught error, so that its traceback begins in the program."""

    def shown(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        while trace is not None and trace.tb_frame.f_code is not main.__code__:
            trace = trace.tb_next  # skip Python's own frames, which run this module
        while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next
        excepthook(kind, error.with_traceback(trace), trace)

    return shown


def report() -> str:
    """The versions, and which parts that need other packages are available.

    >>> print(report())
    minigrad ..., Python ..., NumPy ...
    ...
    """
    import shutil

    from .. import cuda
    from .._messages.strangers import stranger
    from ..version import __version__

    has_viz, has_lab, has_torch = (find_spec(name) is not None for name in ("viz", "jupyterlab", "torch"))
    lacks = [name for name in ("matplotlib", "ipywidgets", "anywidget") if find_spec(name) is None]
    if find_spec("graphviz_pure") is None and shutil.which("dot") is None:
        lacks.append("graphviz-pure")
    pictures = f"no: they need {' and '.join(lacks)} (pip install 'minigrad-course[viz]')" if lacks else "yes"
    other = stranger()
    lines = [
        f"minigrad {__version__}, Python {sys.version.split()[0]}, NumPy {version('numpy')}",
        f"in       {os.path.dirname(os.path.dirname(__file__))}",
        f"pictures {pictures if has_viz else 'no: the package viz is not installed'}" if not other else other,
        f"lessons  {'yes: JupyterLab ' + version('jupyterlab') if has_lab else 'no: they need JupyterLab'}",
        f"GPU      {'yes: CuPy finds one' if cuda.is_available() else 'no: CuPy finds none, or is not installed'}",
        f"PyTorch  {version('torch') + ' is installed beside minigrad' if has_torch else 'not installed, not needed'}",
        "",
        USAGE,
    ]
    return "\n".join(lines)


def version(name: str) -> str:
    """The version of the installed package of this name."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "of an unknown version"

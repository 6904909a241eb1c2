"""Graphviz as WebAssembly, for Python in a browser: `layout(source)` gives the JSON of one graph.

viz/drawing/engine.py asks for a module of this name where Python runs in a browser. index.js beside this file is
`@hpcc-js/wasm-graphviz` from npm, one file that needs no other; ../runtime.py packs both into a wheel.

Loading starts with the import and takes a tenth of a second. In a browser in which Python can wait for JavaScript
(JSPI), the first layout waits for it. In the other browsers, the first layout of a cell that also imports this module
is too early, and the error says so.
"""

from base64 import b64encode
from importlib.resources import files
from typing import Any

from pyodide.code import run_js
from pyodide.ffi import can_run_sync, run_sync

TOO_EARLY = "Graphviz is still being loaded by this browser. Run the cell again."

LOAD = """async source => {
    const { Graphviz } = await import("data:text/javascript;base64," + source);
    return Graphviz.load();
}"""

_engine: Any = None


def _loaded(engine: Any) -> None:
    global _engine
    _engine = engine


_loading = run_js(LOAD)(b64encode(files(__name__).joinpath("index.js").read_bytes()).decode())
_loading.then(_loaded)


def layout(source: str) -> str:
    """Graphviz's JSON for one graph. Raises RuntimeError if the engine is not loaded yet and Python can't wait."""
    if _engine is None:
        if not can_run_sync():
            raise RuntimeError(TOO_EARLY)
        _loaded(run_sync(_loading))
    answer: str = _engine.layout(source, "json0", "dot")
    return answer

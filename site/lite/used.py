# Run by used.mjs in Pyodide: the cells of the `notebooks`, then a live plot. The last value is the answer.
# ruff: noqa: F704, F821, E402  (a top-level await; `notebooks` comes from used.mjs)
import json
import sys

import graphviz_wasm

await graphviz_wasm._loading

import pyodide_kernel

kernel = pyodide_kernel.kernel_instance
shell, failed = kernel.interpreter, []
for stream in (pyodide_kernel.stdout_stream, pyodide_kernel.stderr_stream):
    stream.publish_stream_callback = lambda *_: None
for name in ("clear_output_callback", "display_data_callback", "update_display_data_callback"):
    setattr(shell.display_pub, name, lambda *_: None)
shell.displayhook.publish_execution_result = lambda *_: None
shell.send_comm = lambda *_: None
kernel.comm_manager.comms.clear()

PLOT = "import viz, viz.training.trainer\nwith viz.live() as plot:\n    plot.update(loss=1.0)"


async def run(source, parent):
    kernel._parent_header = {"header": {}, **parent}
    answer = await kernel.run(source)
    if answer["status"] != "ok":
        failed.append(f"{source[:200]}\n{answer['evalue'][:500]}")


for notebook in notebooks:
    for cell in json.loads(notebook)["cells"]:
        if cell["cell_type"] == "code":
            about = dict(cell["metadata"], cellId=cell["id"])
            stops = "raises-exception" not in cell["metadata"].get("tags", [])
            await run("".join(cell["source"]), {"metadata": about, "content": {"stop_on_error": stops}})
await run(PLOT, {"metadata": {}, "content": {}})
assert not failed, "\n\n".join(failed)

places = (getattr(getattr(module, "__spec__", None), "origin", None) for module in list(sys.modules.values()))
json.dumps(sorted({place for place in places if place}))

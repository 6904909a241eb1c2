// node used.mjs PYODIDE GRAPHVIZ PACKAGES PROGRAM…: runs each program as the playground does, and prints the names of all
// modules of Python that are loaded then, as JSON. The build compiles these; the others stay sources, which are smaller.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, graphviz, packages, ...programs] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(resolve(path)).href);
const { loadPyodide } = await load(join(runtime, "pyodide.mjs"));
const { Graphviz } = await load(graphviz);
const engine = await Graphviz.load();
const python = await loadPyodide({ indexURL: resolve(runtime), packages: [] });
python.setStdout({ batched: (line) => console.error(line) });
const site = python.runPython("import sys; f'/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages'");
python.unpackArchive(new Uint8Array(readFileSync(packages)), "zip", { extractDir: site });
python.registerJsModule("graphviz_wasm", { layout: (source) => engine.layout(source, "json0", "dot") });
const program = python.pyimport("_playground");
const said = [];
program.get_ready((kind, data) => said.push(kind, data), "zh", true);
for (const path of programs) program.run(readFileSync(path, "utf8"));
const ends = said.filter((_, i) => said[i - 1] === "ran");
const failed = ends.some((end) => end.includes("Error") && !end.includes("RuntimeError")); // one example shows an error
if (failed || ends.length !== programs.length || !said.includes("graph")) throw new Error(`a program did not run: ${said.join(" ").slice(0, 2000)}`);
const files = python.runPython(`
import json
json.dumps(sorted({module.__spec__.origin for module in list(sys.modules.values()) if getattr(module, "__spec__", None) and module.__spec__.origin}))
`);
console.log(files);
process.exit(0);

// node used.mjs PYODIDE WHEELS USED.PY NOTEBOOK…: runs lessons as the kernel of JupyterLite does, and prints the files of all
// modules of Python that are loaded then, as JSON. The build compiles these; the others stay sources, which are smaller.
// WHEELS: a folder with the wheels to unpack.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, wheels, program, ...notebooks] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(resolve(runtime), "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: resolve(runtime), packages: [] });
const site = python.runPython("import sys; f'/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages'");
for (const name of readdirSync(wheels)) {
  python.unpackArchive(new Uint8Array(readFileSync(join(wheels, name))), "zip", { extractDir: site });
}
python.globals.set("notebooks", python.toPy(notebooks.map((path) => readFileSync(path, "utf8"))));
python.setStdout({ batched: (line) => console.error(line) });
const stop = (error) => {
  console.error(String(error.message).slice(-2000));
  process.exit(1);
};
process.on("uncaughtException", stop);
const answer = await python.runPythonAsync(readFileSync(program, "utf8")).catch(stop);
process.stdout.write(`${answer}\n`, () => process.exit(0));

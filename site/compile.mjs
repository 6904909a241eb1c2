// node compile.mjs PYODIDE IN OUT PLACE LEVEL: compiles every .py in the folder IN to a .pyc in OUT, by Pyodide's own
// Python. PLACE is the folder in which they will stand, for tracebacks; LEVEL is that of `python -O`.
//
// A browser's Python starts with nothing compiled, so it would compile each module at every start: half of the time that
// a reader waits. The .pyc stand where the .py stood, and Python takes them without a source and without a check.
import { readdirSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, from, to, place, level] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(resolve(runtime), "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: resolve(runtime), packages: [] });
python.runPython(`
import importlib._bootstrap_external as how

def compiled(source, path, level):
    code = compile(bytes(source), path, "exec", dont_inherit=True, optimize=level)
    return how._code_to_hash_pyc(code, b"\\0" * 8, False)
`);
const compiled = python.globals.get("compiled");
for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !entry.name.endsWith(".py")) continue;
  const path = join(entry.parentPath ?? entry.path, entry.name);
  const inside = path.slice(join(from, "/").length);
  const source = new Uint8Array(readFileSync(path));
  let answer;
  try {
    answer = compiled(source, `${place}/${inside}`, Number(level));
  } catch (error) {
    if (!String(error).includes("SyntaxError")) throw error;
    continue; // a template that only looks like Python
  }
  const target = join(to, inside + "c");
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, answer.toJs());
  answer.destroy();
}
process.exit(0);

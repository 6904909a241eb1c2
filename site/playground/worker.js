// One Python for one program: Pyodide, minigrad and Graphviz in a worker that can reach nothing.
//
// The worker's origin is opaque and its content-security policy (box.html's) lets it connect to nowhere, so its files come
// by message. What a program does here it can also do without Python, by Pyodide's doors to JavaScript: so nothing in this
// file is a wall. The walls are the origin, the policy, and box.js, which believes no message from here.
import { loadPyodide } from "pyodide";
import createPyodideModule from "pyodide-module";
import { Graphviz } from "@hpcc-js/wasm-graphviz";

const MOST_MEMORY = 1 << 30; // bytes; a program that wants more gets Python's MemoryError, and the browser lives on
const AT_ONCE = 400; // pieces of text that go out as they come; after that, they are collected
const TOGETHER = 50; // milliseconds for which text is collected
const post = self.postMessage.bind(self);
const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65536 > MOST_MEMORY) throw new RangeError("the playground's limit of memory");
  return grow.call(this, pages);
};

function printer() { // text in the order in which it came, whichever stream it is on
  const decoders = [new TextDecoder(), new TextDecoder()];
  let pieces = 0, waiting = "", waitingFor = 0, last = 0;
  const flush = () => {
    if (waiting) post({ kind: "text", text: waiting, error: waitingFor === 1 });
    [waiting, last] = ["", performance.now()];
  };
  const write = (stream) => (bytes) => {
    const text = decoders[stream].decode(bytes, { stream: true });
    if (waitingFor !== stream) flush();
    [waiting, waitingFor] = [waiting + text, stream];
    if ((pieces += 1) < AT_ONCE || performance.now() - last > TOGETHER) flush();
    return bytes.length;
  };
  return { write, flush };
}

async function boot({ files, wasm, lang, practise }) {
  const layout = Graphviz.load();
  const type = (name) => (name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream");
  self.fetch = async (address) => { // Pyodide's own wish for files; there is no network behind it
    const name = String(address).split("/").pop();
    return files[name] ? new Response(files[name], { headers: { "Content-Type": type(name) } }) : new Response(null, { status: 404 });
  };
  WebAssembly.instantiateStreaming = async (_, imports) => ({ module: wasm, instance: await WebAssembly.instantiate(wasm, imports) });
  // What `import js` gives: no fetch and no storage. They would be refused anyway; Pyodide itself needs the rest.
  const timers = Object.fromEntries(["setTimeout", "clearTimeout", "setInterval", "clearInterval"].map((name) => [name, self[name].bind(self)]));
  const jsglobals = { Object, Array, Promise, Map, Set, Uint8Array, ...timers };
  const python = await loadPyodide({
    createPyodideModule, jsglobals, indexURL: "http://nowhere.invalid/", packageBaseUrl: "http://nowhere.invalid/",
    lockFileContents: { info: files.info, packages: {} }, stdLibURL: "http://nowhere.invalid/stdlib.zip", env: { HOME: "/home/reader" },
  });
  const { write, flush } = printer();
  python.setStdout({ write: write(0) });
  python.setStderr({ write: write(1) });
  const [major, minor] = files.info.python.split(".");
  const SITE = `/lib/python${major}.${minor}/site-packages`;
  const add = (name) => python.unpackArchive(files[name], "zip", { extractDir: SITE });
  add("packages.zip");
  const engine = await layout;
  python.registerJsModule("graphviz_wasm", { layout: (source) => engine.layout(source, "json0", "dot") });
  const program = python.pyimport("_playground");
  const say = (kind, data) => { flush(); post({ kind, data }); };
  program.get_ready(say, lang, practise);
  return { python, program, add, flush };
}

self.onmessage = ({ data: first }) => {
  const ready = boot(first);
  ready.then(() => post({ kind: "ready" }), (error) => post({ kind: "broken", text: String(error) }));
  self.onmessage = async ({ data }) => {
    const { program, add, flush } = await ready;
    try {
      Object.assign(first.files, data.more);
      if (data.plots) add("plots.zip");
      if (data.source !== undefined) {
        post({ kind: "running" });
        program.run(data.source);
      } else program.show(data.show, data.unfold);
    } catch (error) { // Python itself has ended: os._exit, a stack that is too deep, a fault in WebAssembly
      post({ kind: "died", text: String(error?.message ?? error) });
    }
    flush();
    post({ kind: "done" });
  };
};

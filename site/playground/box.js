// Between the page and the workers: starts them, ends them, and passes on only what has the right form and size.
//
// It runs in a frame whose origin is opaque, by the sandbox around it: its workers have no storage, and no way to the
// page but this port. Nothing that a worker says is believed. After each program a fresh worker gets ready, so that no
// program finds anything of an earlier one, and the next starts at once.
const MOST = { text: 300_000, messages: 20_000, bytes: 60_000_000, field: 6_000_000 };
let port, files, wasm, lang, url;
let current = null, spare = null;

const say = (kind, more = {}) => port.postMessage({ kind, ...more });
const isText = (thing, most = MOST.field) => typeof thing === "string" && thing.length <= most;

function start(practise) {
  const worker = new Worker(url);
  const made = { worker, printed: 0, messages: 0, bytes: 0, ready: false };
  worker.onmessage = ({ data }) => hear(made, data);
  worker.onerror = (event) => { event.preventDefault?.(); hear(made, { kind: "broken", text: String(event.message ?? "") }); };
  worker.postMessage({ files, wasm, lang, practise });
  return made;
}

function end(made) {
  if (!made) return;
  made.ended = true;
  made.worker.terminate();
  made.worker.onmessage = null;
}

function hear(from, data) {
  if (from.ended) return;
  const { kind } = data ?? {};
  from.messages += 1;
  if (kind === "ready") {
    from.ready = true;
    return say("ready", { spare: from !== current });
  }
  if (kind === "broken" && from === spare) spare = null;
  if (from !== current) return;
  for (const text of [data, data?.text, data?.data]) if (typeof text === "string") from.bytes += text.length;
  if (from.messages > MOST.messages || from.bytes > MOST.bytes) {
    end(from);
    current = null;
    refill();
    return say("flooded");
  }
  if (data === null || typeof data !== "object") return;
  if (kind === "text" && isText(data.text)) {
    const left = MOST.text - from.printed;
    from.printed += data.text.length;
    if (left > 0) say("text", { text: data.text.slice(0, left), error: data.error === true, cut: data.text.length > left });
  } else if (["picture", "steps", "plot", "graph", "ran", "clear"].includes(kind) && isText(data.data)) say(kind, { data: data.data });
  else if (kind === "running" || kind === "done") {
    say(kind);
    if (kind === "done") refill();
  } else if (["died", "broken"].includes(kind)) {
    end(from);
    current = null;
    refill();
    say(kind, { text: isText(data.text, 2000) ? data.text : "" });
  }
}

function refill() {
  spare ??= start(true);
}

const orders = {
  run({ source, more, plots }) {
    end(current);
    current = spare ?? start(false);
    spare = null;
    for (const name of Object.keys(more ?? {})) files[name] = more[name];
    current.worker.postMessage({ source, plots, more });
  },
  show({ name, unfold }) {
    current?.worker.postMessage({ show: name, unfold });
  },
  stop() {
    end(current);
    current = null;
    refill();
    say("stopped");
  },
  ping() {
    say("pong");
  },
};

addEventListener("message", async function first({ data, source, ports }) {
  if (source !== parent || !ports[0]) return;
  removeEventListener("message", first);
  [port] = ports;
  ({ files, lang } = data);
  url = URL.createObjectURL(new Blob([data.worker], { type: "text/javascript" }));
  try {
    wasm = await WebAssembly.compile(data.wasm); // once for all workers
  } catch (error) {
    return say("broken", { text: String(error) });
  }
  spare = start(false);
  port.onmessage = ({ data }) => orders[data.order]?.(data);
});
parent.postMessage("box", "*");

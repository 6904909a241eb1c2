// Python for the page: fetches its files once, hands them to the box, a frame with an opaque origin, and listens.
// FILES is written by the build: {name: [file, bytes before compression]}.
const { core, plots } = FILES;
const HEARTBEAT = 3000, SILENCE = 9000; // milliseconds: how often the box is asked whether it lives, and how long is too long
const url = (file) => new URL(`files/${file}`, document.baseURI).href;

async function unpackedFile([file], progress) {
  const answer = await fetch(url(file));
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  const counted = new TransformStream({ transform(piece, to) { progress(piece.byteLength); to.enqueue(piece); } });
  // Compressed by the build, since not every static server compresses
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")).pipeThrough(counted)).arrayBuffer();
}

export class Python {
  constructor({ frame, lang, hear }) {
    Object.assign(this, { frame, lang, hear, port: null, waiting: [], heard: 0, withPlots: null });
    this.progress = 0;
  }

  // Start: fetch what is needed, and prepare a first Python. Nothing happens before.
  start() {
    this.files ??= this.fetched(core);
    this.opened ??= this.open();
    return this.opened;
  }

  async fetched(list) {
    const all = Object.values(list).reduce((sum, [, size]) => sum + size, 0);
    let got = 0;
    const progress = (bytes) => { got += bytes; this.hear({ kind: "loading", share: got / all }); };
    const found = await Promise.all(Object.entries(list).map(async ([name, file]) => [name, await unpackedFile(file, progress)]));
    return Object.fromEntries(found);
  }

  async open() {
    const box = document.createElement("iframe");
    const listening = new Promise((resolve) => {
      this.greet = ({ data, source }) => { if (source === box.contentWindow && data === "box") resolve(); };
      addEventListener("message", this.greet);
    });
    box.setAttribute("sandbox", "allow-scripts"); // without allow-same-origin: nothing of this site's is its own
    box.title = "Python";
    box.hidden = true;
    box.src = new URL("box.html", document.baseURI).href;
    this.frame.replaceChildren(box);
    const files = await this.files;
    await listening;
    removeEventListener("message", this.greet);
    const { port1, port2 } = new MessageChannel();
    const { wasm, worker, ...others } = files;
    this.port = port1;
    port1.onmessage = ({ data }) => { this.heard = performance.now(); if (data.kind !== "pong") this.hear(data); };
    const info = JSON.parse(new TextDecoder().decode(others.info));
    box.contentWindow.postMessage({ files: { ...others, info }, wasm, worker, lang: this.lang }, "*", [port2]);
    this.heard = performance.now();
  }

  // needsPlots: matplotlib's files are fetched, too
  async run(source, needsPlots) {
    await this.start();
    let more;
    if (needsPlots) {
      this.withPlots ??= this.fetched(plots);
      more = await this.withPlots;
    }
    this.port.postMessage({ order: "run", source, plots: needsPlots, more });
    this.watch();
  }

  // unfold: names of boxes of the picture that are open
  show(name, unfold) {
    this.port?.postMessage({ order: "show", name, unfold: unfold ? JSON.stringify(unfold) : "" });
    this.watch();
  }

  stop() {
    if (!this.port) return this.again("stopped");
    this.port.postMessage({ order: "stop" });
    clearTimeout(this.stopping);
    this.stopping = setTimeout(() => this.again("stopped"), 2000);
  }

  calm() {
    clearInterval(this.beating);
    clearTimeout(this.stopping);
  }

  // While a program runs: a box whose process has ended (its memory ran out) does not answer
  watch() {
    this.calm();
    this.heard = performance.now();
    this.beating = setInterval(() => {
      if (performance.now() - this.heard > SILENCE) this.again("lost");
      else this.port?.postMessage({ order: "ping" });
    }, HEARTBEAT);
  }

  // A new box, with the files that are here already
  again(kind) {
    this.calm();
    this.port?.close();
    this.port = null;
    this.opened = this.open();
    this.hear({ kind });
  }
}

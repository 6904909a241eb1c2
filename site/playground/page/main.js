// The playground's page: the editor, the buttons, the link, and one program at a time in python.js.
import { editor } from "./editor.js";
import { packed, unpacked } from "./link.js";
import { Python } from "./python.js";
import { make, Results } from "./results.js";
import { fill, lang, words } from "./words.js";

const $ = (id) => document.getElementById(id);
const options = new URLSearchParams(location.search);
const embedded = options.get("embed") === "1";
const LIMIT = Math.min(120, Math.max(1, Number(options.get("limit")) || 30)); // seconds that a program may run
const NEEDS_PLOTS = /^\s*(import|from)\s+(matplotlib|mpl_toolkits|PIL)\b|\bviz\s*\.\s*(live|trainer)\b|\bfrom\s+viz\s+import\b/m;

document.documentElement.lang = lang === "zh" ? "zh-CN" : lang;
document.title = `minigrad · ${words.title}`;
document.body.classList.toggle("embedded", embedded);
for (const element of document.querySelectorAll("[data-word]")) element.textContent = words[element.dataset.word];
for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", words[element.dataset.label]);

const lacking = [["WebAssembly", self.WebAssembly], ["CompressionStream", self.CompressionStream], ["MessageChannel", self.MessageChannel]].find(([, there]) => !there);

let ran = null; // the program whose results are shown
let own = null; // the reader's own program, also while an example is in the editor
let from = options.get("from"), ownFrom = from; // the question of the gallery that the program in the editor began as
let state = "new"; // "waiting" until Python runs the program, then "running"; "over"
let began = 0, ticking = null;
const status = (text) => { $("status").textContent = text; };
const results = new Results($("shown"), { pick: (name, opened) => python.show(name, opened) });
const python = new Python({ frame: $("box"), lang, hear });

function busy(now) {
  state = now;
  const isBusy = now === "waiting" || now === "running";
  $("stop").disabled = !isBusy;
  $("run").classList.toggle("busy", isBusy);
  if (now === "running") return;
  clearInterval(ticking);
  $("clock").textContent = "";
}

function tick() {
  const seconds = (performance.now() - began) / 1000;
  if (seconds >= LIMIT) {
    python.stop();
    return over(fill(words.time, { limit: LIMIT }));
  }
  $("clock").textContent = fill(words.clock, { seconds: Math.floor(seconds), limit: LIMIT });
}

function over(text) {
  busy("over");
  status(text);
}

// After an edit, what is shown belongs to the program before it. Undoing the edit makes it right again
function changed() {
  const isStale = ran !== null && code.text !== ran;
  $("results").classList.toggle("stale", isStale);
  $("stale").textContent = isStale ? words.stale : "";
  const found = EXAMPLES.findIndex((one) => one.code === code.text);
  menu.value = found < 0 ? "" : String(found);
  if (found < 0) [own, ownFrom] = [code.text, from];
}

// The address holds the program that was run, so that Reload and Back bring it back
async function kept(text) {
  const hash = await packed(text);
  if (hash !== location.hash && text === ran) history.replaceState(null, "", hash);
}

async function run() {
  performance.clearMarks("picture");
  performance.mark("run");
  results.clear();
  code.mark([]);
  ran = code.text;
  changed();
  asks();
  if (location.hash || ran !== FIRST) kept(ran);
  $("results").classList.add("used");
  busy("waiting");
  status(words.starting);
  try {
    await python.run(ran, NEEDS_PLOTS.test(ran));
  } catch (error) {
    over(fill(words.broken, { text: error.message }));
  }
}

const hearing = {
  loading({ share }) {
    if (state === "waiting" && share < 1) status(fill(words.loading, { share: Math.floor(100 * share) }));
    else if (state === "waiting") status(words.starting);
  },
  ready() {
    performance.mark("ready");
    document.body.dataset.python = "ready";
    if (state === "new") status(words.ready);
  },
  running() {
    performance.mark("running");
    began = performance.now();
    busy("running");
    clearInterval(ticking);
    ticking = setInterval(tick, 250);
    status(words.running);
    tick();
  },
  ran({ data }) {
    const ended = JSON.parse(data);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    this.ended = fill(words.done, { seconds });
    if (typeof ended.error === "string") {
      results.error(ended);
      const line = Number(ended.line) || 0, name = String(ended.name).slice(0, 80);
      const parts = (ended.clinic?.lines ?? []).filter(([, , , number]) => number && number !== line).map(([part, , , number]) => [Number(number), String(part).slice(0, 60), "part"]);
      if (code.text === ran) code.mark([...parts, ...(line ? [[line, words.here, "error"]] : [])]);
      this.ended = fill(line ? words.failed : words.failedSomewhere, { name, line });
    } else if (Number.isFinite(ended.exit)) this.ended = fill(words.exit, { code: ended.exit });
    over(this.ended);
    busy("running"); // the pictures are still to come
    clearInterval(ticking);
  },
  done() {
    python.calm();
    performance.mark("done");
    if (state === "running") over(this.ended ?? "");
    results.nothing();
  },
  graph({ data }) { results.graph(JSON.parse(data)); },
  picture({ data }) { results.picture(JSON.parse(data)); },
  steps({ data }) { results.steps(JSON.parse(data)); },
  plot({ data }) { results.plot(JSON.parse(data)); },
  text(said) { results.text(said); },
  clear() { results.clear(); },
  stopped() { python.calm(); if (state !== "over") over(words.stopped); },
  flooded() { python.calm(); over(words.flooded); },
  lost() { over(words.lost); },
  died() { python.calm(); over(words.died); },
  broken({ text }) { python.calm(); over(fill(words.broken, { text })); },
};

function hear(said) {
  try {
    hearing[said.kind]?.(said);
  } catch (error) { // a program has sent something of its own in place of our messages
    console.info(`not shown: ${error.message}`);
  }
}

const FIRST = EXAMPLES[0].code;
let given = null;
try {
  given = await unpacked(location.hash);
} catch {
  given = words.damaged;
}
const code = editor($("code"), { text: given ?? FIRST, label: `${words.program}. ${words.leave}`, run, changed });

const menu = $("examples");
menu.append(make("option", { value: "" }, words.own));
for (const group of new Set(EXAMPLES.map((one) => one.group))) {
  const titles = EXAMPLES.flatMap((one, i) => (one.group === group ? [make("option", { value: String(i) }, one.title)] : []));
  menu.append(make("optgroup", { label: words[group] }, ...titles));
}
changed();
menu.addEventListener("change", () => {
  if (menu.value === "" && own === null) return changed();
  const { code: text, slug } = EXAMPLES[menu.value] ?? { code: own, slug: ownFrom };
  [from, code.text] = [slug, text];
  run();
});

// The lines of a program that tell it from others: without numbers, which a reader changes, comments and imports
const lines = (text) => text.split("\n").map((line) => line.replace(/#.*/, "").replace(/[\d.]+/g, "0").replaceAll(/\s/g, ""))
  .filter((line) => line && !/^(import|from)/.test(line));
const isOf = (text, example) => { // at least half of the example is still there
  const left = lines(text), all = lines(example);
  const found = all.filter((line) => left.includes(line) && left.splice(left.indexOf(line), 1));
  return found.length >= all.length / 2;
};

// The question of the gallery that the program is from: its page is one click away, until another program takes its place
function asks() {
  const known = EXAMPLES.find((one) => from && one.slug === from && isOf(code.text, one.code));
  if (known) options.set("from", from);
  else options.delete("from");
  history.replaceState(null, "", location.pathname + (String(options) && `?${options}`) + location.hash);
  document.body.classList.toggle("asked", Boolean(known));
  $("from").hidden = !known;
  if (!known) return;
  $("from").href = `../gallery/${known.slug}.html`;
  $("from").textContent = `← ${known.title}`;
}
asks();
$("run").addEventListener("click", run);
$("stop").addEventListener("click", () => python.stop());
$("share").addEventListener("click", async () => {
  asks();
  const link = new URL(location.href);
  const asked = options.get("from");
  link.search = new URLSearchParams({ ...(asked && { from: asked }), ...(lang !== "en" && { lang }) });
  link.hash = await packed(code.text);
  history.replaceState(null, "", link.hash);
  try {
    await navigator.clipboard.writeText(link.href);
    status(words.copied);
  } catch {
    prompt(words.share, link.href);
  }
});
$("open").addEventListener("click", async (event) => {
  event.preventDefault();
  asks();
  const asked = options.get("from");
  open(new URL(`./${asked ? `?from=${asked}` : ""}${await packed(code.text)}`, location.href), "_blank", "noopener");
});
addEventListener("hashchange", async () => {
  const text = await unpacked(location.hash).catch(() => words.damaged);
  if (text === null || text === code.text) return;
  code.text = text;
  run();
});
addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) { event.preventDefault(); run(); }
});

busy("new");
results.clear(true);
if (lacking) over(fill(words.old, { what: lacking[0] }));
else if ((!embedded || options.get("run") === "1") && given !== words.damaged) run();

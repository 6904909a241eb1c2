// What a program has shown: text as text, pictures as images, the stepper in a frame of its own. Nothing is HTML.
import { fill, words } from "./words.js";

const LONGEST_STEPS = 6_000_000;
const TALLEST = 2400; // pixels of the stepper's frame

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== false) element.setAttribute(name, value === true ? "" : value);
  element.append(...children);
  return element;
}

// Text in which code stands between backticks
const marked = (text) => String(text).split("`").map((part, i) => (i % 2 ? make("code", {}, part) : part));
const text = (thing, most = 4000) => String(thing ?? "").slice(0, most);

function image(content, type, alt, attributes = {}) {
  const picture = make("img", { alt: text(alt, 20_000), ...attributes });
  const url = URL.createObjectURL(new Blob([content], { type }));
  const free = () => URL.revokeObjectURL(url);
  picture.addEventListener("load", () => { free(); performance.mark("picture"); }, { once: true });
  picture.addEventListener("error", free, { once: true });
  picture.src = url;
  return picture;
}

const picture = (svg, alt) => make("div", { class: "scrolls", tabindex: "0", role: "group", "aria-label": words.picture }, image(svg, "image/svg+xml", alt));

const section = (name, title, ...children) => make("section", { class: `card ${name}`, "aria-label": title }, make("h2", {}, title), ...children);

// A stepper: a frame without an origin, which draws only what our own steppers draw
function stepper(data) {
  const frame = make("iframe", { class: "steps", sandbox: "allow-scripts", title: words.steps });
  const listen = ({ source, data: said }) => {
    if (source !== frame.contentWindow) return;
    if (said === "steps") frame.contentWindow.postMessage(data, "*");
    else if (Number.isFinite(said?.height)) {
      frame.style.height = `${Math.min(TALLEST, Math.max(120, said.height))}px`;
      if (said.height > 200) performance.mark("picture");
    }
  };
  addEventListener("message", listen);
  frame.free = () => removeEventListener("message", listen);
  frame.src = new URL("steps.html", document.baseURI).href;
  return frame;
}

export class Results {
  constructor(root, { pick }) {
    Object.assign(this, { root, pick });
    this.clear();
  }

  clear(start = false) {
    for (const frame of this.root.querySelectorAll("iframe.steps")) frame.free();
    this.root.replaceChildren();
    this.printed = this.stream = this.plots = this.graphs = null;
    this.byName = new Map();
    this.isEmpty = true;
    if (start) this.root.append(make("p", { class: "hint" }, words.empty));
  }

  add(element) {
    if (this.isEmpty) this.root.replaceChildren();
    this.isEmpty = false;
    this.root.append(element);
    return element;
  }

  text({ text: said, error, cut }) {
    if (!this.printed) {
      this.printed = make("pre", { tabindex: "0", "aria-label": words.output });
      const card = section("output", words.output, this.printed);
      if (this.isEmpty) this.add(card);
      else this.root.prepend(card);
    }
    const atEnd = this.printed.scrollHeight - this.printed.scrollTop - this.printed.clientHeight < 8; // then it stays there
    const last = this.printed.lastChild;
    if (last?.data !== undefined && !error) last.appendData(said);
    else if (last?.classList?.contains("stderr") && error) last.append(said);
    else this.printed.append(error ? make("span", { class: "stderr" }, said) : document.createTextNode(said));
    if (cut) this.printed.append(make("span", { class: "stderr" }, `\n${words.cut}`));
    if (atEnd) this.printed.scrollTop = this.printed.scrollHeight;
  }

  plot({ name, png, alt, width, height }) {
    const bytes = Uint8Array.from(atob(text(png, 6_000_000)), (letter) => letter.charCodeAt(0));
    const fresh = image(bytes, "image/png", alt, { width: Number(width) || 640, height: Number(height) || 480, class: "plot" });
    if (!this.plots) this.plots = this.add(section("plots", words.plots));
    const place = this.byName.get(name) ?? { shown: fresh, number: 0, count: 0 };
    const number = (place.count += 1);
    if (!this.byName.has(name)) {
      this.byName.set(name, place);
      this.plots.append(fresh);
    }
    fresh.addEventListener("load", () => { // a frame replaces the one before when it can be seen, and never a later one
      if (number <= place.number) return;
      if (place.shown !== fresh) place.shown.replaceWith(fresh);
      Object.assign(place, { shown: fresh, number });
    }, { once: true });
  }

  picture({ svg, alt }) {
    this.add(section("picture", words.graph, picture(text(svg, 6_000_000), alt)));
  }

  steps({ steps }) {
    this.add(section("graph", words.steps, stepper(text(steps, LONGEST_STEPS))));
  }

  error({ error, clinic }) {
    const card = section("error", words.error, make("pre", { tabindex: "0", "aria-label": words.error }, text(error, 40_000)));
    if (clinic) card.append(this.clinic(clinic));
    this.add(card);
    if (this.printed) this.root.prepend(card);
  }

  clinic({ happened, lines = [], tensors = [], cures = [], svg, alt }) {
    const note = make("div", { class: "clinic", role: "note" });
    note.append(make("h3", {}, words.happened), make("p", {}, ...marked(text(happened))));
    const list = (title, rows) => {
      if (!rows.length) return;
      const body = make("dl", {});
      for (const [first, second, code] of rows) body.append(make("dt", {}, text(first)), make("dd", {}, second ? `${text(second)} ` : "", make("code", {}, text(code))));
      note.append(make("h3", {}, title), body);
    };
    if (svg) note.append(picture(text(svg, 6_000_000), alt));
    list(words.lines, lines.map(([part, place, code]) => [part, place, code]));
    list(words.tensors, tensors.map(([name, what]) => [name, "", what]));
    if (cures.length) note.append(make("h3", {}, words.todo), make("ul", {}, ...cures.map((cure) => make("li", {}, ...marked(text(cure))))));
    return note;
  }

  // The graph of the last backward pass or of another tensor; names: the tensors that may be chosen
  graph({ names, chosen, backward, svg, alt, steps, no_steps: noSteps, no_picture: noPicture, turns_left_out: turns }) {
    if (names) this.known = { names: names.slice(0, 100).map((name) => text(name, 200)), backward };
    if (!svg && !steps && !noPicture) return this.known?.names.length ? undefined : this.nothing();
    const views = [];
    if (steps) views.push([words.steps, () => stepper(text(steps, LONGEST_STEPS))]);
    if (svg) views.push([words.whole, () => picture(text(svg, 6_000_000), alt)]);
    const why = { "too many": words.manySteps, "too long": words.longSteps }[noSteps] ?? (turns > 0 && steps ? fill(words.turns, { turns: Number(turns) }) : "");
    const card = section("graph", words.graph);
    const head = make("div", { class: "graph-head" }, card.firstChild, this.menu(chosen));
    const stage = make("div", { class: "stage" });
    if (views.length > 1) head.append(this.tabs(views, stage));
    card.append(head, ...(why ? [make("p", { class: "hint" }, why)] : []), ...(noPicture ? [make("p", { class: "hint" }, text(noPicture))] : []), stage);
    if (views.length) stage.append(views[0][1]());
    const old = this.graphs;
    this.graphs = card;
    if (!old) return this.add(card);
    for (const frame of old.querySelectorAll("iframe.steps")) frame.free();
    const hadFocus = old.querySelector("select") === document.activeElement;
    old.replaceWith(card);
    if (hadFocus) card.querySelector("select")?.focus();
  }

  menu(chosen) {
    const { names, backward } = this.known ?? { names: [] };
    const menu = make("select", { "aria-label": `${words.graph} ${words.of}` });
    if (backward && !chosen) menu.append(make("option", { value: "" }, words.backward));
    for (const name of names) menu.append(make("option", { value: name, selected: name === chosen }, name));
    menu.addEventListener("change", () => menu.value && this.pick(menu.value));
    return make("label", { class: "of" }, `${words.of} `, menu);
  }

  tabs(views, stage) {
    const bar = make("div", { class: "tabs", role: "group", "aria-label": words.graph });
    const shown = new Map();
    for (const [i, [title, build]] of views.entries()) {
      const button = make("button", { type: "button", "aria-pressed": String(i === 0) }, title);
      button.addEventListener("click", () => {
        for (const other of bar.children) other.setAttribute("aria-pressed", String(other === button));
        if (i === 0) shown.set(0, stage.firstChild);
        for (const child of stage.children) child.hidden = true;
        const known = [...stage.children].find((child) => child.view === i) ?? stage.appendChild(Object.assign(build(), { view: i }));
        known.hidden = false;
      });
      bar.append(button);
    }
    queueMicrotask(() => { if (stage.firstChild) stage.firstChild.view = 0; });
    return bar;
  }

  nothing() {
    if (this.isEmpty) this.add(make("p", { class: "hint" }, words.nothing));
  }
}

export { fill };

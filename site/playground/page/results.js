// What a program has shown: text as text, pictures as images, the stepper in a frame of its own. Nothing is HTML.
import { edges } from "../../../viz/edges.js";
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

function picture(svg, alt) {
  const shown = image(svg, "image/svg+xml", alt);
  const pane = make("div", { class: "scrolls", tabindex: "0", role: "group", "aria-label": words.picture }, shown);
  shown.addEventListener("load", edges(pane), { once: true });
  return pane;
}

// A picture of a graph whose folded boxes open. doors: [name, left, top, width, height] of each, in pixels; from a program
function folded({ svg, alt, doors = [], opened = [] }, open) {
  const frame = picture(text(svg, 6_000_000), alt), sheet = make("div", { class: "sheet" }, ...frame.childNodes);
  const way = (title, signs, names) => {
    const button = make("button", { type: "button", "aria-label": title, title }, signs);
    button.addEventListener("click", () => open(names));
    return button;
  };
  const known = opened.slice(0, 50).map((name) => text(name, 200));
  for (const [name, ...place] of doors.slice(0, 200)) {
    const door = way(fill(words.opens, { name: text(name, 200) }), "", [...known, text(name, 200)]);
    door.className = "door";
    for (const [i, side] of ["left", "top", "width", "height"].entries()) door.style[side] = `${Number(place[i]) || 0}px`;
    sheet.append(door);
  }
  frame.append(sheet);
  const closes = known.map((name) => way(fill(words.closes, { name }), `${name} ×`, known.filter((other) => other !== name)));
  return make("div", { class: "folded" }, ...(closes.length ? [make("div", { class: "opened" }, ...closes)] : []), frame);
}

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
    this.printed = this.stream = this.plots = this.graphs = this.whose = null;
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
      this.whole = make("button", { type: "button", class: "whole", hidden: true });
      const card = section("output", words.output, this.printed, this.whole), printed = this.printed;
      this.whole.addEventListener("click", () => { card.classList.add("all"); card.querySelector(".whole").hidden = true; printed.focus(); });
      if (this.isEmpty) this.add(card);
      else this.root.prepend(card);
    }
    // It begins with its first line; a reader who has scrolled to its end stays there
    const atEnd = this.printed.scrollTop > 0 && this.printed.scrollHeight - this.printed.scrollTop - this.printed.clientHeight < 8;
    const last = this.printed.lastChild;
    if (last?.data !== undefined && !error) last.appendData(said);
    else if (last?.classList?.contains("stderr") && error) last.append(said);
    else this.printed.append(error ? make("span", { class: "stderr" }, said) : document.createTextNode(said));
    if (cut) this.printed.append(make("span", { class: "stderr" }, `\n${words.cut}`));
    if (atEnd) this.printed.scrollTop = this.printed.scrollHeight;
    if (this.counting) return;
    this.counting = requestAnimationFrame(() => {
      this.counting = 0;
      if (!this.printed || this.printed.parentElement.classList.contains("all")) return;
      this.whole.hidden = this.printed.scrollHeight <= this.printed.clientHeight + 1;
      this.whole.textContent = fill(words.allLines, { lines: this.printed.textContent.trimEnd().split("\n").length });
    });
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
  graph(said) {
    const { names, chosen, backward, svg, alt, steps, doors, no_steps: noSteps, no_picture: noPicture, turns_left_out: turns } = said;
    if (this.whose && said.opened && said.chosen === undefined && said.names === undefined) return this.reopened(said);
    if (names) this.known = { names: names.slice(0, 100).map((name) => text(name, 200)), backward };
    if (!svg && !steps && !noPicture) return this.known?.names.length ? undefined : this.nothing();
    const views = [];
    if (steps) views.push([words.steps, () => stepper(text(steps, LONGEST_STEPS))]);
    this.whose = { name: text(chosen, 200) };
    if (svg) views.push([words.whole, () => this.foldedPicture({ svg, alt, doors })]);
    const why = { "too many": words.manySteps, "too long": words.longSteps }[noSteps] ?? (turns > 0 && steps ? fill(words.turns, { turns: Number(turns) }) : "");
    const card = section("graph", words.graph);
    const head = make("div", { class: "graph-head" }, card.firstChild, this.menu(chosen));
    const stage = make("div", { class: "stage" });
    const was = this.graphs?.querySelector(".tabs [aria-pressed='true']")?.textContent; // the next tensor is shown the same way
    const at = Math.max(0, views.findIndex(([title]) => title === was));
    if (views.length > 1) head.append(this.tabs(views, stage, at));
    card.append(head, ...(why ? [make("p", { class: "hint" }, why)] : []), ...(noPicture ? [make("p", { class: "hint" }, text(noPicture))] : []), stage);
    if (views.length) stage.append(Object.assign(views[at][1](), { view: at }));
    const old = this.graphs;
    this.graphs = card;
    if (!old) return this.add(card);
    for (const frame of old.querySelectorAll("iframe.steps")) frame.free();
    const hadFocus = old.querySelector("select") === document.activeElement;
    old.replaceWith(card);
    if (hadFocus) card.querySelector("select")?.focus();
  }

  foldedPicture(said) {
    const { name } = this.whose;
    return folded(said, (names) => this.pick(name, names));
  }

  // The picture with other boxes open, in the place of the one before
  reopened(said) {
    const old = this.graphs?.querySelector(".folded");
    if (!old) return;
    if (said.no_picture) return old.prepend(make("p", { class: "hint" }, text(said.no_picture)));
    const fresh = this.foldedPicture(said), had = old.contains(document.activeElement);
    fresh.view = old.view;
    fresh.hidden = old.hidden;
    old.replaceWith(fresh);
    if (had) (fresh.querySelector(".opened button:last-child") ?? fresh.querySelector(".door") ?? fresh.querySelector(".scrolls")).focus({ preventScroll: true });
  }

  menu(chosen) {
    const { names, backward } = this.known ?? { names: [] };
    const menu = make("select", { "aria-label": `${words.graph} ${words.of}` });
    if (backward && !chosen) menu.append(make("option", { value: "" }, words.backward));
    for (const name of names) menu.append(make("option", { value: name, selected: name === chosen }, name));
    menu.addEventListener("change", () => menu.value && this.pick(menu.value));
    return make("label", { class: "of" }, `${words.of} `, menu);
  }

  tabs(views, stage, at) {
    const bar = make("div", { class: "tabs", role: "group", "aria-label": words.graph });
    for (const [i, [title, build]] of views.entries()) {
      const button = make("button", { type: "button", "aria-pressed": String(i === at) }, title);
      button.addEventListener("click", () => {
        for (const other of bar.children) other.setAttribute("aria-pressed", String(other === button));
        for (const child of stage.children) child.hidden = true;
        const known = [...stage.children].find((child) => child.view === i) ?? stage.appendChild(Object.assign(build(), { view: i }));
        known.hidden = false;
      });
      bar.append(button);
    }
    return bar;
  }

  nothing() {
    if (this.isEmpty) this.add(make("p", { class: "hint" }, words.nothing));
  }
}

export { fill };

// Shows one view of a graph at a time, and goes to another one when a reader opens or closes a box. `data` is made by
// viewer.py; what comes from a reader goes through textContent, but for the SVG, which svg.py has escaped. In a notebook,
// later.py brings more views after the first picture is shown.
async function mount(root, data) {
  if (!window.DecompressionStream) return; // an old browser keeps the still picture
  const unpacked = (letters) => {
    const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  };
  let views = await unpacked(data.views), awaited = data.later; // the name under which more views will come
  const index = await unpacked(data.index);
  const { words } = data, SHRINKS = 1.7, READABLE = 0.75, LARGEST = 4, SVG = "http://www.w3.org/2000/svg";
  const fill = (element, attributes, children) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
  const draw = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
  const OURS = { "data-lm-suppress-shortcuts": "true" }; // on what has the focus: b or 0 0 mean something to JupyterLab
  const button = (label, sign, action) => {
    const made = make("button", { type: "button", "aria-label": label, title: label, ...OURS }, sign);
    made.addEventListener("click", action);
    return made;
  };

  // -- the page -------------------------------------------------------------------------------------
  const say = (key, values) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const trail = make("span");
  const field = make("input", { type: "search", class: "viz-view-field", placeholder: words.search, "aria-label": words.search,
    "aria-keyshortcuts": "/", autocomplete: "off", spellcheck: "false", ...OURS });
  const said = make("span", { class: "viz-view-said", role: "status" });
  const bar = make("div", { class: "viz-view-bar" }, button(words.smaller, "−", () => scale(zoom / 1.25)),
    button(words.fit, "⤢", () => fit()), button(words.larger, "+", () => scale(zoom * 1.25)), field, trail, said);
  const pane = make("div", { class: "viz-view-pane", tabindex: 0, role: "group", "aria-label": words.picture, ...OURS });
  const map = draw("svg", { class: "viz-view-map viz-view-off", role: "img", "aria-label": words.map });
  const box = make("div", { class: "viz-view", role: "group", lang: data.lang, "aria-label": data.title }, bar, pane, map);
  root.replaceChildren(box);
  let shown = 0, zoom = 1, fitted = true, svg = null;
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  // -- doors: boxes and frames that open and close ----------------------------------------------------
  function door(element, name, open, corner) { // corner: where its sign stands
    if (!(name in views[shown].moves) && !awaited) { // it does not open: a click says why
      if (!open) element.addEventListener("click", () => { if (!moved) refuse("too large", name); });
      return;
    }
    if (!(name in views[shown].moves) && open) return;
    element.classList.add("viz-door");
    element.dataset.name = name;
    fill(element, { tabindex: 0, role: "button", "aria-expanded": open, "aria-label": name, ...OURS }, []);
    element.append(draw("circle", { class: "mg-paper mg-ink-line", cx: corner[0], cy: corner[1], r: 10, "stroke-width": 1.5 }),
      draw("path", { class: "mg-ink-line", fill: "none", "stroke-width": 2,
        d: `M${corner[0] - 5} ${corner[1]}h10${open ? "" : `M${corner[0]} ${corner[1] - 5}v10`}` }));
    element.addEventListener("click", (event) => { if (!moved) { event.stopPropagation(); toggle(name); } });
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " " || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      toggle(name);
    });
  }

  const refuse = (why, name) => { said.textContent = say(why, { name, quoted: JSON.stringify(name) }); };

  const places = () => { // where the nodes are on the screen, by the ids that they keep from view to view
    const { prefix } = views[shown], found = {};
    for (const node of svg.querySelectorAll(`[id^="${prefix}-n"]`))
      found[node.id.slice(prefix.length + 1)] = [node, node.getBoundingClientRect()];
    return found;
  };

  function show(number) {
    shown = number;
    const view = views[number];
    pane.innerHTML = view.svg;
    svg = pane.querySelector("svg");
    svg.setAttribute("role", "group");
    const part = (id) => svg.querySelector(`[id="${view.prefix}-${id}"]`);
    view.frames.forEach(([name, x, y, wide]) => {
      if (!view.opened.includes(name)) return;
      const group = svg.appendChild(draw("g"));
      group.append(draw("title", {}, `${name}: ${words.close}`), // the sign and, as far as it is known, the label
        draw("rect", { x, y, width: Math.min(wide, 24 + 9 * name.length), height: 24, fill: "transparent", class: "viz-sign" }));
      door(group, name, true, [x, y]);
    });
    for (const [id, [name, width, height]] of Object.entries(view.boxes)) door(part(id), name, false, [-width / 2, -height / 2]);
    trail.replaceChildren(...view.opened.filter((name) => name in view.moves).map((name) => {
      const closes = button(`${name}: ${words.close}`, `${name} ×`, () => toggle(name));
      closes.dataset.name = name;
      return closes;
    }));
    mark();
    chart();
  }

  let pending = "", seeking = false; // the box that opens as soon as its view arrives; for the search?
  async function arrive() {
    const more = window.vizLater?.[awaited];
    if (more === undefined) return;
    awaited = "";
    const { opened } = views[shown], focus = document.activeElement?.closest(".viz-door")?.dataset.name;
    if (more) views = await unpacked(more);
    show(Math.max(0, views.findIndex((view) => `${view.opened}` === `${opened}`)));
    if (fitted) fit(); else scale(zoom);
    if (focus) pane.querySelector(`.viz-door[data-name="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
    if (pending && seeking) go(0);
    else if (pending) toggle(pending);
  }

  function toggle(name) { // open or close a box, and let the eye follow what stays
    if (!(name in views[shown].moves)) {
      pending = awaited ? name : "";
      seeking = false;
      return refuse(awaited ? "waits" : "too large", name);
    }
    pending = "";
    seeking = false;
    const before = places(), anchor = pane.querySelector(`[data-name="${CSS.escape(name)}"]`)?.getBoundingClientRect();
    const had = views[shown].opened, opens = !had.includes(name);
    show(views[shown].moves[name]);
    if (fitted) fit(); else scale(zoom);
    const after = pane.querySelector(`[data-name="${CSS.escape(name)}"]`);
    if (anchor && after) {
      const now = after.getBoundingClientRect();
      pane.scrollLeft += now.left - anchor.left;
      pane.scrollTop += now.top - anchor.top;
    }
    const gone = had.some((each) => each !== name && !views[shown].opened.includes(each));
    said.textContent = say(!opens ? "closed" : gone ? "instead" : "opened", { name });
    const focus = svg.querySelector(`.viz-door[data-name="${CSS.escape(name)}"]`) ??
      [...trail.children].find((each) => each.dataset.name === name) ?? pane;
    if (document.activeElement !== field) focus.focus({ preventScroll: true });
    if (still.matches) return;
    for (const [id, [node, now]] of Object.entries(places())) {
      const was = before[id]?.[1];
      if (was) node.animate({ transform: [`translate(${(was.left - now.left) / zoom}px, ${(was.top - now.top) / zoom}px)`, "none"] },
        { duration: 300, easing: "ease-out", composite: "add" });
      else node.animate({ opacity: [0, 1] }, { duration: 300 });
    }
    for (const edge of svg.querySelectorAll(`[id^="${views[shown].prefix}-e"]`))
      edge.animate({ opacity: [0, 0, 1] }, { duration: 400 });
  }

  // -- search ---------------------------------------------------------------------------------------
  let hits = [], at = -1; // what is found: its name, where it is drawn, and whether that is a closed box around it
  function find(term) {
    const view = views[shown], part = (id) => svg.querySelector(`[id="${view.prefix}-${id}"]`);
    const boxes = Object.entries(view.boxes);
    const around = (id, path) => path.map((label) => boxes.find(([, [name]]) => name === label)).find(Boolean)
      ?? boxes.find(([box]) => view.inside[box]?.includes(id));
    return index.filter(([name]) => name.toLowerCase().includes(term)).map(([name, id, operator, path]) => {
      const frame = view.frames.findIndex(([label]) => !id && label === name);
      const box = boxes.find(([, [label]]) => !id && label === name);
      const place = id || operator; // a module without a frame of its own is a single operator
      const here = box ? part(box[0]) : frame >= 0 ? part(`c${frame}`) : place ? part(place) : null;
      const isBox = here && !box && frame < 0 && view.boxes[place]; // a box has the id of an operator inside
      if (here && !isBox) return { name, here, inside: "" };
      const closed = isBox ? [place, view.boxes[place]] : around(operator, path);
      return closed && { name, here: part(closed[0]), inside: closed[1][0] };
    }).filter((hit) => hit?.here);
  }
  function mark() { // a ring around each, with its number; around a closed box, dashed, with how many are in it
    svg.querySelectorAll(".viz-hit").forEach((each) => each.remove());
    const term = field.value.trim().toLowerCase();
    hits = term ? find(term) : [];
    const drawn = new Map();
    hits.forEach((hit, i) => drawn.set(hit.here, [...drawn.get(hit.here) ?? [], [hit, i]]));
    for (const [here, found] of drawn) {
      const isFrame = here.tagName === "rect", size = here.getBBox(), own = found.filter(([hit]) => !hit.inside);
      const now = found.some(([, i]) => i === at), { x, y, width, height } = size;
      const inner = found.length - own.length, label = [own.length ? `${own[0][1] + 1}` : "", inner ? `+${inner}` : ""].join(" ").trim();
      const wide = 10 + 9 * label.length;
      (isFrame ? svg : here).append(draw("g", { class: `viz-hit${own.length ? "" : " viz-hit-inside"}${now ? " viz-hit-now" : ""}` },
        draw("rect", { x: x - 5, y: y - 5, width: width + 10, height: height + 10, rx: 6 }),
        draw("rect", { class: "viz-hit-tag", x: x + width - wide + 5, y: y - 17, width: wide, height: 20 }),
        draw("text", { x: x + width - wide / 2 + 5, y: y - 2 }, label)));
    }
  }
  function search() {
    at = -1;
    mark();
    const m = hits.filter((hit) => hit.inside).length, name = field.value.trim();
    said.textContent = !name ? "" : say(!hits.length ? "not found" : m ? "found inside" : "found", { n: hits.length, m, name });
  }
  function go(step) { // to the next one; it opens the closed box around it, and the one inside that, if they open
    if (!hits.length) return;
    at = (at + step + hits.length) % hits.length;
    const { name } = hits[at];
    for (let box = hits[at].inside; box && box in views[shown].moves; box = hits[at].inside) {
      toggle(box);
      const again = hits.findIndex((hit, i) => i >= at && hit.name === name);
      if (again < 0 || hits[again].inside === box) break;
      at = again;
    }
    mark();
    const hit = hits[at], place = hit.here.getBoundingClientRect(), page = pane.getBoundingClientRect();
    pane.scrollLeft += place.left + place.width / 2 - page.left - pane.clientWidth / 2;
    pane.scrollTop += place.top + place.height / 2 - page.top - pane.clientHeight / 2;
    said.textContent = say(hit.inside ? "hit inside" : "hit", { i: at + 1, n: hits.length, name: hit.name, box: hit.inside });
    if (!hit.inside) return;
    toggle(hit.inside); // it says why it does not open
    seeking = true;
  }
  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    event.stopPropagation(); // + and 0 are letters here
    if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") { field.value = ""; search(); pane.focus(); }
    else return;
    event.preventDefault();
  });

  // -- large and small --------------------------------------------------------------------------------
  function scale(wanted, x = pane.clientWidth / 2, y = pane.clientHeight / 2) { // what is at (x, y) of the pane stays there
    const [width, height] = views[shown].size;
    const left = (pane.scrollLeft + x) / zoom, top = (pane.scrollTop + y) / zoom;
    fitted = false;
    zoom = Math.min(LARGEST, Math.max(wanted, 0.05));
    Object.assign(svg.style, { width: `${width * zoom}px`, height: `${height * zoom}px`, minWidth: 0, maxWidth: "none" });
    pane.scrollLeft = left * zoom - x;
    pane.scrollTop = top * zoom - y;
    chart();
  }
  function fit() { // all of it, if it can be read then
    const [width, height] = views[shown].size;
    const room = parseFloat(getComputedStyle(pane).maxHeight) || Infinity; // none where the page is printed
    scale(Math.max(Math.min(1, pane.clientWidth / width, room / height), Math.min(1, 1 / SHRINKS)));
    fitted = true;
  }

  // -- the map ----------------------------------------------------------------------------------------
  const here = draw("rect", { class: "viz-here" });
  let charted = -1;
  function chart() {
    const [width, height] = views[shown].size;
    const cut = pane.scrollWidth > pane.clientWidth + 1 || pane.scrollHeight > pane.clientHeight + 1;
    map.classList.toggle("viz-view-off", !cut);
    if (!cut) return;
    map.style.setProperty("--viz-top", `${pane.offsetTop + 12}px`);
    if (charted !== shown) {
      charted = shown;
      const small = Math.min(170 / width, 130 / height);
      fill(map, { viewBox: `0 0 ${width} ${height}`, width: Math.max(12, width * small), height: Math.max(12, height * small),
        preserveAspectRatio: "none" }, []);
      const page = svg.getBoundingClientRect(), real = page.width / width || 1;
      map.replaceChildren(...Object.values(places()).map(([, place]) => draw("rect", { x: (place.left - page.left) / real,
        y: (place.top - page.top) / real, width: place.width / real, height: place.height / real })), here);
    }
    fill(here, { x: pane.scrollLeft / zoom, y: pane.scrollTop / zoom, width: Math.min(width, pane.clientWidth / zoom),
      height: Math.min(height, pane.clientHeight / zoom) }, []);
  }
  function follow(event) {
    const page = map.getBoundingClientRect(), [width, height] = views[shown].size;
    pane.scrollLeft = (event.clientX - page.left) / page.width * width * zoom - pane.clientWidth / 2;
    pane.scrollTop = (event.clientY - page.top) / page.height * height * zoom - pane.clientHeight / 2;
  }
  map.addEventListener("pointerdown", (event) => { map.setPointerCapture(event.pointerId); follow(event); });
  map.addEventListener("pointermove", (event) => { if (event.buttons) follow(event); });
  pane.addEventListener("scroll", chart);

  // -- mouse and keys ---------------------------------------------------------------------------------
  pane.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const page = pane.getBoundingClientRect();
    scale(zoom * Math.exp(-event.deltaY / 300), event.clientX - page.left, event.clientY - page.top);
  }, { passive: false });
  let from = null, moved = false; // a drag is no click
  pane.addEventListener("pointerdown", (event) => {
    moved = false;
    if (event.button === 0 && event.pointerType === "mouse") from = [event.clientX, event.clientY, pane.scrollLeft, pane.scrollTop];
  });
  pane.addEventListener("pointermove", (event) => {
    if (!from || !event.buttons) return void (from = null);
    const dx = event.clientX - from[0], dy = event.clientY - from[1];
    if (!moved && Math.hypot(dx, dy) < 5) return;
    if (!moved) pane.setPointerCapture(event.pointerId);
    moved = true;
    pane.classList.add("viz-held");
    pane.scrollLeft = from[2] - dx;
    pane.scrollTop = from[3] - dy;
  });
  for (const end of ["pointerup", "pointercancel"])
    pane.addEventListener(end, () => { from = null; pane.classList.remove("viz-held"); });
  const keys = { "+": () => scale(zoom * 1.25), "=": () => scale(zoom * 1.25), "-": () => scale(zoom / 1.25), 0: () => fit(),
    "/": () => field.focus() };
  box.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });

  show(0);
  fit();
  const refused = svg.querySelector(".mg-refused"), page = () => pane.getBoundingClientRect();
  const first = refused ?? svg.querySelector(`[id^="${views[0].prefix}-n"]`), place = () => first.getBoundingClientRect();
  if (refused) { // its message must be readable, as a whole if there is room
    map.classList.add("viz-view-map-top");
    const readable = Math.min(1, (page().width - 40) / (place().width / zoom));
    if (zoom < readable || place().width + 40 > page().width) scale(Math.max(readable, READABLE));
    pane.scrollLeft += place().left - page().left - Math.max(20, (pane.clientWidth - place().width) / 2);
  }
  if (first) pane.scrollTop += place().top + place().height / 2 - page().top - pane.clientHeight / 2;
  const hints = [Object.keys(views[0].moves).length ? words.hint : "", map.classList.contains("viz-view-off") ? "" : words.wide];
  said.textContent = hints.join(" ").trim();
  new ResizeObserver(() => (fitted ? fit() : chart())).observe(box);
  window.addEventListener("viz-later", () => { if (awaited) arrive(); });
  if (awaited) arrive();
}

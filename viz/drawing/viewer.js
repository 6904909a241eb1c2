// Shows one view of a graph at a time, and goes to another one when a reader opens or closes a box. `data` is made by
// viewer.py; what comes from a reader goes through textContent, but for the SVG, which svg.py has escaped.
async function mount(root, data) {
  if (!window.DecompressionStream) return; // an old browser keeps the still picture
  const bytes = Uint8Array.from(atob(data.views), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const views = await new Response(stream).json();
  const { words } = data, SHRINKS = 1.7, LARGEST = 4, SVG = "http://www.w3.org/2000/svg";
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
  const trail = make("span");
  const said = make("span", { class: "viz-view-said", role: "status" });
  const bar = make("div", { class: "viz-view-bar" }, button(words.smaller, "−", () => scale(zoom / 1.25)),
    button(words.fit, "⤢", () => fit()), button(words.larger, "+", () => scale(zoom * 1.25)), trail, said);
  const pane = make("div", { class: "viz-view-pane", tabindex: 0, role: "group", "aria-label": words.picture, ...OURS });
  const map = draw("svg", { class: "viz-view-map viz-view-off", role: "img", "aria-label": words.map });
  const box = make("div", { class: "viz-view", role: "group", lang: data.lang, "aria-label": data.title }, bar, pane, map);
  root.replaceChildren(box);
  let shown = 0, zoom = 1, fitted = true, svg = null;
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  // -- doors: boxes and frames that open and close ----------------------------------------------------
  function door(element, name, open, corner) { // corner: where its sign stands
    const leads = name in views[shown].moves;
    if (!leads) {
      const title = element.querySelector("title");
      if (title && !open) title.textContent += `\n${words["too large"]}: unfold=${JSON.stringify(name)}`;
      return;
    }
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
    chart();
  }

  function toggle(name) { // open or close a box, and let the eye follow what stays
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
    said.textContent = words[!opens ? "closed" : gone ? "instead" : "opened"].replace("{name}", () => name);
    const focus = svg.querySelector(`.viz-door[data-name="${CSS.escape(name)}"]`) ??
      [...trail.children].find((each) => each.dataset.name === name) ?? pane;
    focus.focus({ preventScroll: true });
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
  const keys = { "+": () => scale(zoom * 1.25), "=": () => scale(zoom * 1.25), "-": () => scale(zoom / 1.25), 0: () => fit() };
  box.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });

  show(0);
  fit();
  const first = svg.querySelector(`[id^="${views[0].prefix}-n"]`)?.getBoundingClientRect();
  if (first) pane.scrollTop += first.top + first.height / 2 - pane.getBoundingClientRect().top - pane.clientHeight / 2;
  const hints = [Object.keys(views[0].moves).length ? words.hint : "", map.classList.contains("viz-view-off") ? "" : words.wide];
  said.textContent = hints.join(" ").trim();
  new ResizeObserver(() => (fitted ? fit() : chart())).observe(box);
}

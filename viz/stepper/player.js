// Plays the steps of script.py on the one picture of stage.py. `data` is made by Step.data; everything in it that may
// come from a reader goes through textContent, but for the SVG, which svg.py has escaped. notebook.js stands before it.
function mount(root, data) {
  const { events, words } = data;
  const last = events.length - 1;
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const button = (label, sign, action) => {
    const made = make("button", { type: "button", "aria-label": label, title: label }, sign);
    made.addEventListener("click", action);
    return made;
  };

  // -- the page -------------------------------------------------------------------------------------
  const restart = button(words.restart, "↺", () => { pause(); go(0); });
  const back = button(words.back, "←", () => { pause(); go(shown - 1); });
  const play = button(words.play, "▶", () => (timer ? pause() : start()));
  const next = button(words.next, "→", () => { pause(); forward(); });
  const slider = make("input", { type: "range", min: 0, max: last, step: 1, "aria-label": words.step });
  const count = make("span", { class: "viz-step-count" });
  const speed = make("select", { "aria-label": words.speed, title: words.speed });
  for (const times of [0.5, 1, 2, 4, 10]) speed.append(make("option", { value: times }, `${times} ×`));
  speed.value = "1";
  const said = make("p", { class: "viz-step-words", role: "status", "aria-live": "polite" });
  // Room for the longest text that will ever stand there, so that nothing below it moves. On a phone, such a room would
  // be half empty most of the time: there it is that of the steps of one part, such as forward
  const room = (texts, part = "all") => make("div", { class: `viz-step-room viz-of-${part}`, "aria-hidden": "true" },
    texts.reduce((longest, text) => (text.length > longest.length ? text : longest), ""));
  const asks = events.flatMap((event) => (data.predict && event.ask ? [`${words.predict} ${event.ask.question} `] : []));
  const verdict = asks.length ? words.shown + " " : "";
  const replies = events.flatMap(({ ask }) => (data.predict && ask ? [...(ask.replies ?? []).map(([, text]) => text), ask.again ?? ""] : []));
  const rooms = asks.length
    ? [room([...events.map((event) => verdict + event.words), ...replies.map((text) => `${words.wrong} ${text}`), words.waits])]
    : [...new Set(events.map(({ part }) => part))].map((part) =>
      room(events.flatMap((event) => (event.part === part ? [event.words] : [])), part));
  const talk = make("div", { class: "viz-step-talk" }, ...rooms, said);
  const picture = make("div", { class: "viz-step-picture", tabindex: 0, role: "group", "aria-label": words.picture });
  picture.innerHTML = data.svg;
  const description = picture.querySelector("svg > desc"); // the graph, then the step: for who reads with the ears
  const graph = description.textContent.slice(0, -events[0].words.length);
  const question = make("label");
  const field = make("input", { type: "text", size: 14, placeholder: words.field, autocomplete: "off" });
  const check = button(words.check, words.check, () => answer());
  const show = button(words.show, words.show, () => settleFor(words.shown, "viz-told"));
  show.classList.add("viz-step-off"); // until one answer was tried
  const ask = make("div", { class: "viz-step-ask viz-step-off" }, make("div", { class: "viz-step-talk" }, room(asks), question),
    field, check, show);
  const code = make("div", { class: "viz-step-code", role: "group", "aria-label": words.code, tabindex: 0 });
  const lines = data.code.map(([file, number, text]) => {
    const line = make("div");
    code.append(line);
    return { line, head: `${file ? file + ":" : ""}${String(number).padStart(3)}  `, text: Array.from(text) };
  });
  const bar = make("div", { class: "viz-step-bar" }, restart, back, play, next, slider, count, speed);
  const box = make("div", { class: "viz-step", tabindex: 0, role: "group", lang: data.lang,
    "aria-label": `${words.label}: ${data.title}`, "data-lm-suppress-shortcuts": "true" }, bar);
  const left = make("div", { class: "viz-step-told" }, talk);
  if (asks.length) left.append(ask);
  box.append(make("div", { class: "viz-step-side" }, left, ...(lines.length ? [code] : [])), picture);
  root.replaceChildren(box);
  edges(picture);
  edges(code);

  // -- what a step can change, found once: two players may show the same graph, so only inside this one -------
  const parts = {};
  const group = (id) => picture.querySelector(`[id="${data.prefix}-${id}"]`);
  const after = (node, label) => { // the number that stands in a box after its label
    const texts = [...node.querySelectorAll("text")];
    const at = texts.findIndex((text) => !text.hasAttribute("font-family") && text.textContent === label);
    return at < 0 ? null : texts[at + 1];
  };
  for (const id of Object.keys(events[0].set)) {
    const node = group(id), number = id.slice(1);
    if (!node) continue;
    parts[id] = id[0] === "e"
      ? { node, text: node.querySelector("text"), back: group("b" + number) }
      : { node, value: after(node, data.rows[0]), grad: after(node, data.rows[1]), sum: group("s" + number),
          freed: group("f" + number) };
  }
  const write = (text, words) => { if (text && text.textContent !== words) text.textContent = words; };
  const change = {
    look: (part, value) => part.node.classList.toggle("later", value === "later"),
    value: (part, value) => write(part.value, value),
    grad: (part, value) => write(part.grad, value),
    text: (part, value) => write(part.text, value),
    back: (part, value) => part.back && part.back.classList.toggle("viz-on", value),
    sum: (part, value) => {
      if (!part.sum) return;
      part.sum.classList.toggle("viz-on", Boolean(value));
      write(part.sum.querySelector("text"), value);
    },
    freed: (part, value) => {
      part.node.classList.toggle("viz-freed", value);
      if (part.freed) part.freed.classList.toggle("viz-on", value);
    },
  };

  // -- steps ----------------------------------------------------------------------------------------
  let shown = -1, now = [], here = null, timer = null;
  let told = data.predict ? 0 : last; // the furthest step whose number the reader may see
  const painted = {}; // what the picture has now: id → {what: value}

  function paint(step) { // the sum of all changes up to `step`; only what differs touches the page
    const from = step > shown && shown >= 0 ? shown + 1 : 0;
    const wanted = {};
    for (let i = from; i <= step; i++)
      for (const [id, set] of Object.entries(events[i].set)) Object.assign((wanted[id] ??= {}), set);
    for (const [id, set] of Object.entries(wanted)) {
      if (!parts[id]) continue;
      const has = (painted[id] ??= {});
      for (const [what, value] of Object.entries(set))
        if (has[what] !== value) { change[what](parts[id], value); has[what] = value; }
    }
  }

  function light(event) { // what the step is about
    for (const element of now) element.classList.remove("viz-now-forward", "viz-now-backward", "viz-strong");
    now = [];
    for (const id of event.now) {
      const part = parts[id];
      if (!part) continue;
      const back = event.part === "backward" && part.back;
      const element = back || part.node;
      element.classList.add(back ? "viz-strong" : `viz-now-${event.part}`);
      now.push(element);
    }
    const node = event.now.length && parts[event.now[0]];
    if (!node) return;
    const frame = picture.getBoundingClientRect(), first = node.node.getBoundingClientRect();
    const all = [first, ...now.map((element) => element.getBoundingClientRect())];
    const side = (least, name) => least(...all.map((place) => place[name]));
    const whole = new DOMRect(side(Math.min, "left"), side(Math.min, "top"), side(Math.max, "right") - side(Math.min, "left"),
      side(Math.max, "bottom") - side(Math.min, "top"));
    const place = whole.width < frame.width && whole.height < frame.height ? whole : first; // in two rows, say: the first
    if (place.left < frame.left || place.right > frame.right)
      picture.scrollLeft += place.left + place.width / 2 - frame.left - frame.width / 2;
    if (place.top < frame.top || place.bottom > frame.bottom)
      picture.scrollTop += place.top + place.height / 2 - frame.top - frame.height / 2;
  }

  function mark(place) { // the reader's line, and in it the piece that is being computed
    if (here) here.line.replaceChildren(make("span", { class: "viz-number" }, here.head), here.text.join(""));
    here?.line.classList.remove("viz-here");
    here = place ? lines[place[0]] : null;
    if (!here) return;
    const [, from, to] = place;
    here.line.replaceChildren(make("span", { class: "viz-number" }, here.head), here.text.slice(0, from).join(""),
      make("mark", {}, here.text.slice(from, to).join("")), here.text.slice(to).join(""));
    here.line.classList.add("viz-here");
    const top = here.line.offsetTop - code.offsetTop;
    if (top < code.scrollTop || top + here.line.offsetHeight > code.scrollTop + code.clientHeight)
      code.scrollTop = top - code.clientHeight / 2;
  }

  function go(step) {
    while (told < last && !events[told + 1].ask) told += 1; // up to the next question all may be seen
    step = Math.max(0, Math.min(step, last, told));
    paint(step);
    shown = step;
    const event = events[step];
    light(event);
    mark(event.code);
    said.textContent = event.words;
    said.className = `viz-step-words viz-${event.part}`;
    description.textContent = graph + event.words;
    asking(false);
    settle();
  }

  function jump(step) { // go there, or as far as the next question, which says why
    go(step);
    if (step <= shown) return;
    put();
    said.textContent = words.waits.replace("{step}", shown + 1);
  }

  const isAsking = () => !ask.classList.contains("viz-step-off");
  function asking(on) {
    const had = ask.contains(document.activeElement);
    ask.classList.toggle("viz-step-off", !on);
    if (had && !on) focusBox();
  }
  const focusBox = () => box.focus({ preventScroll: true });

  function settle() { // buttons, slider and count, after a step or a question
    slider.value = shown;
    const event = events[shown];
    count.textContent = `${words.step} ${shown} ${words.of} ${last} · ${words[event.part]}`;
    slider.setAttribute("aria-valuetext", count.textContent);
    const focused = document.activeElement;
    restart.disabled = back.disabled = shown === 0;
    next.disabled = shown === last;
    if (box.contains(focused) && focused.disabled) focusBox(); // a button that is off hears no key
    box.dataset.step = shown;
    box.dataset.part = event.part;
  }

  function forward() { // one step on, or the question that stands before it
    if (shown === last) return;
    if (shown < told) return go(shown + 1);
    pause();
    put();
    field.focus();
  }

  function put() { // the question that stands before the next step
    question.textContent = `${words.predict} ${events[shown + 1].ask.question} `;
    field.setAttribute("aria-label", question.textContent);
    light(events[shown + 1]);
    mark(events[shown + 1].code);
    if (isAsking()) return;
    said.textContent = events[shown].words; // without what was said of the last answer
    field.value = "";
    show.classList.add("viz-step-off");
    asking(true);
  }

  function answer() {
    const asked = events[shown + 1].ask, given = field.value.trim();
    const number = Number(given.replace("−", "-").replace(",", "."));
    if (!given || Number.isNaN(number)) { said.textContent = words.empty; return field.focus(); }
    const right = Math.abs(number - asked.answer) <= 0.005 * Math.abs(asked.answer) + 1e-6;
    if (right) return settleFor(words.right, "viz-right");
    const known = (asked.replies ?? []).find(([wrong]) => Math.abs(number - wrong) <= 1e-6 * Math.max(1, Math.abs(wrong)));
    const verdict = make("b", { class: "viz-wrong" }, words.wrong.replace("{given}", () => given));
    said.replaceChildren(verdict, " ", known?.[1] || asked.again || words.again);
    show.classList.remove("viz-step-off");
    field.focus({ preventScroll: true });
    field.select();
  }

  function settleFor(verdict, kind) { // go to the step that was asked about, and say its number
    const asked = events[shown + 1].ask;
    told = Math.max(told, shown + 1);
    go(shown + 1);
    said.prepend(make("b", { class: kind }, verdict.replace("{answer}", () => asked.text)), " ");
    (next.disabled ? box : next).focus({ preventScroll: true });
  }

  function pause() {
    clearTimeout(timer);
    timer = null;
    play.textContent = "▶";
    play.setAttribute("aria-label", words.play);
    play.title = words.play;
    said.setAttribute("aria-live", "polite");
  }

  function start() {
    if (shown === last) go(0);
    play.textContent = "❚❚";
    play.setAttribute("aria-label", words.pause);
    play.title = words.pause;
    said.setAttribute("aria-live", "off"); // nobody can listen that fast
    const tick = () => {
      if (!box.isConnected) return pause();
      timer = setTimeout(tick, 1200 / speed.value);
      forward();
      if (shown === last) pause();
    };
    timer = setTimeout(tick, 400 / speed.value);
  }

  goesOn(box, box, (event) => { if (event.target === field && field.value.trim()) answer(); });
  field.addEventListener("input", () => { if (said.textContent === words.empty) said.textContent = events[shown].words; });
  slider.addEventListener("input", () => { pause(); jump(Number(slider.value)); });
  const keys = {
    ArrowRight: () => { pause(); forward(); },
    ArrowLeft: () => { pause(); go(shown - 1); },
    " ": () => (timer ? pause() : start()),
    Home: () => { pause(); go(0); },
    End: () => { pause(); jump(last); },
  };
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.shiftKey) return;
    if (event.target === field) {
      if (event.key === "Enter") { event.preventDefault(); answer(); } // else the button that gets the focus is pressed, too
      return event.stopPropagation();
    }
    const scrolls = event.target === picture || event.target === code || event.target === speed;
    const presses = event.key === " " && event.target.tagName === "BUTTON";
    if (!(event.key in keys) || scrolls || presses || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });
  go(0);
  go(data.first);
  for (const line of lines)
    if (line !== here) line.line.replaceChildren(make("span", { class: "viz-number" }, line.head), line.text.join(""));
  return pause;
}

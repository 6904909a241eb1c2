// Shows the page of leaving.py: controls change a state of whole numbers, and each part of the page is looked up by it.
// Texts that are not markup go through textContent; all markup was escaped in Python.
function mount(root, { stream, lang, title }) {
  if (typeof DecompressionStream === "undefined") return;
  root.querySelector(".viz-still")?.remove();
  const bytes = Uint8Array.from(atob(stream), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  new Response(unpacked).json().then((data) => show(root, data, lang, title));
}

function show(root, data, lang, title) {
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const button = (label, action) => {
    const made = make("button", { type: "button" }, label);
    made.addEventListener("click", () => made.getAttribute("aria-disabled") === "true" || action());
    return made;
  };

  // -- contents -------------------------------------------------------------------------------------
  const bases = { 0: [] }; // the last content of each length
  let used = 0;
  const tag = (number) => (number ? number - 1 : used++); // 0: the next tag of the list
  const contents = data.contents.map(([length, ...written]) => {
    if (!bases[length]) return (bases[length] = written.map(tag));
    const content = bases[length].slice();
    for (let i = 0, at = 0; i < written.length; i += 2) content[(at += written[i])] = tag(written[i + 1]);
    return (bases[length] = content);
  });
  const tables = data.tables.map((table) => {
    let sum = 0;
    return table.contents.map((step) => (sum += step));
  });

  // -- state ----------------------------------------------------------------------------------------
  const state = { ...data.start };
  const named = (term) => term.replace(/\{(\w+)\}/g, (_, name) => state[name] ?? 0);
  const value = (term) => {
    if (!term.includes("!=")) return state[named(term)] ?? 0;
    const [one, other] = term.split("!=");
    return Number(value(one) !== value(other));
  };
  const apply = (sets) => {
    for (const [term, source, less = 0, once = 0] of sets) {
      const name = named(term), fixed = typeof source === "number";
      const number = fixed ? source : value(source) - less;
      if ((fixed || number >= 0 || less < 0) && !(once && name in state)) state[name] = number;
    }
  };
  const content = (at) => {
    const { sizes } = data.tables[at], key = data.parts[at].by.map(value);
    const place = key.reduce((sum, each, i) => sum * sizes[i] + each, 0);
    const found = key.every((each, i) => each < sizes[i]) ? tables[at][place] : 0;
    return contents[found].map((tag) => data.pieces[tag]).join("");
  };
  const first = (kind) => {
    const at = data.parts.findIndex((part) => part.kind === kind);
    return at < 0 ? null : content(at);
  };
  const act = (sets) => { apply(sets); paint(); };

  // -- the page -------------------------------------------------------------------------------------
  const box = make("div", { class: "viz-leave", role: "group", lang, "aria-label": title });
  const updates = [];
  const bar = make("div", { class: "viz-leave-bar" });
  const sliders = make("div");
  for (const control of data.controls) {
    if (control.kind === "slider") {
      const input = make("input", { type: "range", min: 0, max: control.count - 1, step: 1, "aria-label": control.label });
      const readout = make("b");
      sliders.append(make("div", { class: "viz-leave-slider" }, make("span", { "aria-hidden": "true" }, control.label), input, readout));
      input.addEventListener("input", () => {
        state[control.name] = Number(input.value);
        act(control.on);
      });
      updates.push((moves) => {
        input.value = state[control.name] ?? 0;
        input.disabled = `no ${control.name}` in moves;
        const text = control.texts.length ? control.texts[input.value] : first(`shown ${control.name}`);
        readout.textContent = control.before + text;
        input.setAttribute("aria-valuetext", control.before + text);
      });
    } else if (control.kind === "button") {
      const made = button(control.label, () => {
        drawn = []; // what moves begins again
        act(data.moves[now[control.move]]);
      });
      bar.append(made);
      updates.push((moves) => made.setAttribute("aria-disabled", String(!(control.move in moves))));
    } else if (control.kind === "switch") {
      const made = control.labels.map((label, at) => button(label, () => { state[control.name] = at; act(control.on); }));
      box.append(make("div", { class: "viz-leave-bar", role: "group" }, ...made));
      updates.push((moves) => made.forEach((each, at) => {
        each.setAttribute("aria-pressed", String(at === (state[control.name] ?? 0)));
        each.setAttribute("aria-disabled", String(`no ${control.name}` in moves));
      }));
    } else {
      const input = make("input", { type: "checkbox" });
      bar.append(make("label", {}, input, control.label));
      input.addEventListener("change", () => { state[control.name] = Number(input.checked); act(control.on); });
      updates.push((moves) => {
        input.checked = Boolean(state[control.name]);
        input.disabled = `no ${control.name}` in moves;
      });
    }
  }
  const asking = make("div", { hidden: "" });
  const makes = { told: () => make("div"), picture: () => make("div", { tabindex: 0, role: "group", "aria-label": title }) };
  const places = data.parts.map((part) => makes[part.kind]?.() ?? null); // a picture has the focus: it may have to scroll
  const of = (kind) => places.filter((_, at) => data.parts[at].kind === kind);
  const heard = make("div", { class: "viz-leave-heard", role: "status", "aria-live": "polite" });
  box.append(asking, sliders, bar, ...of("told"), make("div", { class: "viz-leave-pictures" }, ...of("picture")),
    make("p", { class: "viz-leave-note" }, data.note), heard);
  root.replaceChildren(box);
  const fades = of("picture").map(edges);

  // -- questions ------------------------------------------------------------------------------------
  const given = {}; // by question: what was typed, the reply and its kind
  let asked = -1;
  const plain = (text) => { // a number if it is one, else a word in small letters, as in lesson/typed.py
    const word = text.trim().replace(/^[ `'"]+|[ `'"]+$/g, "").replace(/[.。]+$/, "").toLowerCase().replace(/−/g, "-")
      .replace(/^an? /, "").split("=").pop().trim().replace(/^(?:it|[a-z_][\w.]*) is (?:an? )?/, "")
      .replace(/^(?:tensor)?\(?\[?([^\][(),]+),?\]?\)?$/, "$1");
    const number = /^[+-]?(?:\d[\d_]*(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/.test(word)
      ? Number(word.replace(",", ".").replace(/_/g, "")) : computed(text).value;
    return Number.isFinite(number) ? number : word;
  };
  const signs = (text) => text.replace(/[−–—]/g, "-").replace(/[×·⋅∙]/g, "*").replace(/[÷⁄∕]/g, "/")
    .replace(/²/g, "**2").replace(/³/g, "**3").replace(/\^/g, "**");
  const computed = (typed) => { // the value of a sum such as 7 + 7, and whether something had to be computed
    let text = typed.trim().replace(/^[ `'"]+|[ `'"]+$/g, "").replace(/\.+$/, "").split("=").pop();
    text = signs(signs(text).normalize("NFKC")).trim();
    const commas = /\d,\d/.test(text);
    text = text.replace(/(\d),(?=\d)/g, "$1.").replace(/([\d.)])\s*x\s*(?=[\d.(])/g, "$1*");
    if (text.length > 100 || !/^[\d.eE+*/() -]+$/.test(text)) return {};
    const tokens = text.match(/(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|\*\*|[-+*/()]|[^ ]/g) ?? [];
    let at = 0, some = false;
    const did = (value) => { some = true; return value; };
    const sum = () => {
      let left = product();
      while (tokens[at] === "+" || tokens[at] === "-") left = did(tokens[at++] === "+" ? left + product() : left - product());
      return left;
    };
    const product = () => {
      let left = signed();
      while (tokens[at] === "*" || tokens[at] === "/") left = did(tokens[at++] === "*" ? left * signed() : left / signed());
      return left;
    };
    const signed = () => {
      if (tokens[at] === "-") { at++; return -signed(); }
      if (tokens[at] === "+") { at++; return signed(); }
      const base = single();
      if (tokens[at] !== "**") return base;
      at++;
      return did(base ** signed());
    };
    const single = () => {
      if (tokens[at] !== "(") return /^[\d.]/.test(tokens[at] ?? "") ? Number(tokens[at++]) : NaN;
      at++;
      const inside = sum();
      return tokens[at++] === ")" ? inside : NaN;
    };
    const value = sum();
    return at === tokens.length && Number.isFinite(value) && (some || !commas) ? { value, some } : {};
  };
  const written = (value) => Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value + 0)
    : Math.abs(value) > 1e-9 && Math.abs(value) < 1e-4 ? value.toFixed(12).replace(/0+$/, "") : String(Number(value.toPrecision(6)));
  const understood = (word, known) => { // a word for an answer that the question knows by another word
    if (typeof word === "number" || known.includes(word)) return word;
    const names = data.meant.filter(([words]) => new RegExp(`^(?:${words})$`).test(word)).flatMap(([, each]) => each);
    return names.find((each) => known.includes(each)) ?? word;
  };
  const same = (one, other) => typeof one === "number" && typeof other === "number"
    ? Math.abs(one - other) <= Math.max(5e-3 * Math.max(Math.abs(one), Math.abs(other)), 1e-6)
    : String(one).toLowerCase() === String(other).toLowerCase();
  const meant = (typed, one, other) => { // a known wrong answer, or this one rounded, as in lesson/typed.py
    if (!same(one, other) || typeof one !== "number" || typeof other !== "number") return same(one, other);
    if (Math.abs(one - other) <= Math.max(1e-5 * Math.max(Math.abs(one), Math.abs(other)), 1e-9)) return true;
    const digits = computed(typed).some ? null : /[.,](\d+)$/.exec(typed);
    return digits !== null && Math.abs(Number(other.toFixed(Math.min(digits[1].length, 20))) - one) <= 1e-9 * Math.abs(one) + 1e-12;
  };
  function put(at) { // the question with this number takes the place of the one before
    if (at === asked) return;
    asked = at;
    const one = data.questions[at];
    asking.hidden = !one;
    if (!one) return asking.replaceChildren();
    const question = make("p"), said = make("div", { class: "viz-leave-said", role: "status" });
    question.innerHTML = one.asked;
    const reply = () => {
      const known = given[at];
      said.dataset.kind = known?.kind ?? "";
      said.replaceChildren(...(known?.text ? [known.text] : []));
      said.insertAdjacentHTML("beforeend", known?.markup ?? "");
      hint.setAttribute("aria-disabled", String(!known?.tried));
      for (const each of choices) each.setAttribute("aria-pressed", String(each.textContent === known?.typed));
    };
    const answer = (typed) => {
      typed = typed.trim();
      if (!/[\p{L}\p{N}]/u.test(typed)) { given[at] = { ...given[at], kind: "", text: one.words.first, markup: "" }; return reply(); }
      const number = understood(plain(typed), [...one.right, ...one.beliefs.map(([wrong]) => wrong)]);
      const right = one.right.some((each) => same(number, each));
      const told = !one.choices.length && computed(typed).some ? `${typed} = ${written(number)}` : "";
      const belief = one.beliefs.find(([wrong]) => meant(typed, number, wrong));
      const other = typeof number === "number" ? one.words.no : one.other;
      if (one.words.unread && typeof number !== "number" && !belief && !new RegExp(`^(?:${data.said})$`).test(number)) { // asked again
        given[at] = { ...given[at], typed, kind: "", text: one.words.unread.replace("{}", () => typed).replaceAll("`", ""), markup: "" };
        return reply();
      }
      given[at] = right ? { tried: true, typed, kind: "right", text: told && `✓ ${written(number) === one.called ? told : `${one.called} (${told})`}. `, markup: told ? one.because : one.praise }
        : { tried: true, typed, kind: "wrong", text: `✗ ${told || typed}. `, markup: belief ? belief[1] : other };
      reply();
      act([...one.tried, ...(right ? one.done : [])]);
    };
    const hint = button(one.words.show, () => {
      given[at] = { ...given[at], kind: given[at].kind === "right" ? "right" : "", text: "", markup: one.show };
      reply();
      act(one.done);
    });
    const choices = one.choices.map((choice) => button(choice, () => answer(choice)));
    const row = make("div", { class: "viz-leave-bar" });
    if (choices.length) row.append(...choices);
    else {
      const field = make("input", { type: "text", placeholder: one.words.yours, "aria-label": question.textContent,
        autocomplete: "off", spellcheck: "false", value: given[at]?.typed ?? "" });
      field.addEventListener("keydown", (event) => event.key === "Enter" && answer(field.value));
      row.append(field, button(one.words.check, () => answer(field.value)));
    }
    if (one.show) row.append(hint);
    const had = asking.contains(document.activeElement);
    asking.replaceChildren(question, row, said);
    if (had) row.firstElementChild.focus({ preventScroll: true });
    reply();
  }

  // -- what is shown --------------------------------------------------------------------------------
  let now = {}, drawn = [], told = new Set(), timer = null;
  function paint() {
    now = Object.fromEntries((first("moves") || "").split(",").filter(Boolean).map((each) => each.split(":")));
    for (const update of updates) update(now);
    const asks = first("asks");
    if (asks !== null && asks !== "same") put(asks === "" ? -1 : Number(asks));
    places.forEach((place, at) => {
      const markup = place ? content(at) : "";
      if (!place || drawn[at] === markup) return;
      const across = place.scrollLeft;
      place.innerHTML = drawn[at] = markup;
      place.scrollLeft = across;
    });
    for (const fade of fades) fade();
    clearTimeout(timer);
    timer = setTimeout(say, 300); // after the last of many moves
  }
  function say() { // the sentences that are new, in words
    const words = [...of("told").map((place) => place.textContent),
      ...[...box.querySelectorAll("svg > desc")].map((desc) => desc.textContent)];
    const sentences = words.flatMap((each) => each.split(/(?<=[.:;!?。；？！])\s+|(?<=[。；？！])/)).filter((each) => each.trim());
    const fresh = sentences.filter((each) => !told.has(each));
    if (told.size && fresh.length) heard.textContent = fresh.join(" ");
    told = new Set(sentences);
  }
  paint();
  clearTimeout(timer);
  say(); // at once: the first move may come within those 300 ms, and it must be heard
  box.dataset.ready = "";
}

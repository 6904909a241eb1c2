// The panel of an exercise: its task, buttons, the verdict, hints, and lines to put in order. Pictures were escaped by
// svg.py. Read page.js first.
function render({ model, el }) {
  saves(el);
  const { words, lines, hints, solutions, task, name, lang } = model.get("data");
  const send = (message) => model.send(message);

  const said = html("p", {}, `<b>${words.label}.</b> ${task}`);
  const check = button(words.check, () => {
    if (lines.length) send({ do: "check", order });
    else if (!press(el, { ctrlKey: true })) send({ do: "check" }); // what stands in the cell is checked by running it
  }, {
    title: lines.length ? words.check : words.again });
  const hint = button(words.hint, () => send({ do: "hint" }));
  const solution = button(words.solution, () => send({ do: "solution" }), { "aria-expanded": "false" });
  const verdict = make("div", { class: "viz-exercise-verdict", role: "status", "aria-live": "polite" });
  const printed = make("pre", { hidden: "" });
  const pictures = make("div", { class: "viz-exercise-pictures", hidden: "" });
  const given = make("ol", { class: "viz-exercise-hints", "aria-live": "polite" });
  const code = make("pre", { tabindex: 0, "aria-label": words.solution, hidden: "" });
  const bar = make("div", { class: "viz-exercise-bar" }, check, hint, ...(solutions ? [solution] : []));
  const list = make("ol", { class: "viz-exercise-lines", "aria-label": words.lines });
  const box = make("div", { class: "viz-exercise", role: "group", lang, "aria-label": `${words.label}: ${name}`,
    "data-lm-suppress-shortcuts": "true" }, said);
  if (lines.length) box.append(list);
  box.append(bar, verdict, printed, pictures, given, code);
  el.replaceChildren(box);

  goesOn(box, el);

  // -- lines to put in order ---------------------------------------------------------------------------------------
  let order = [];
  const texts = new Map(lines);
  const items = new Map();
  const place = () => {
    order.forEach((number, at) => {
      const item = items.get(number);
      const told = words.line.replace("{place}", at + 1).replace("{all}", order.length);
      item.setAttribute("aria-label", `${told}: ${texts.get(number)}`);
      item.querySelector("b").textContent = at + 1; // the rows are numbered from the top, whatever stands in them
      const [up, down] = item.querySelectorAll("button");
      up.disabled = at === 0;
      down.disabled = at === order.length - 1;
      if (list.children[at] !== item) list.insertBefore(item, list.children[at] ?? null);
    });
  };
  const move = (number, to, focus) => {
    const from = order.indexOf(number);
    if (to < 0 || to >= order.length || to === from) return;
    order.splice(to, 0, ...order.splice(from, 1));
    place();
    (focus?.disabled ? items.get(number) : focus)?.focus();
    send({ do: "order", order });
    if (model.get("state").kind === "untried") return;
    model.set("state", { ...model.get("state"), kind: "untried", text: words.moved, printed: "", pictures: [], order: [...order] });
    model.save_changes(); // the old verdict was about another order
  };
  for (const [number, text] of texts) {
    const up = button("↑", () => move(number, order.indexOf(number) - 1, up), { "aria-label": `${words.up}: ${text}`, title: words.up });
    const down = button("↓", () => move(number, order.indexOf(number) + 1, down), { "aria-label": `${words.down}: ${text}`, title: words.down });
    const item = make("li", { tabindex: 0, draggable: "true" }, make("b"), make("pre", {}, text), up, down);
    item.addEventListener("keydown", (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.altKey) move(number, order.indexOf(number) + step, item);
      else (step < 0 ? item.previousElementSibling : item.nextElementSibling)?.focus();
    });
    item.addEventListener("dragstart", (event) => { event.dataTransfer.setData("text/plain", text); held = number; event.stopPropagation(); });
    item.addEventListener("dragover", (event) => { if (held !== null) { event.preventDefault(); event.stopPropagation(); item.classList.add("viz-held"); } });
    item.addEventListener("dragleave", () => item.classList.remove("viz-held"));
    item.addEventListener("drop", (event) => {
      event.preventDefault();
      event.stopPropagation();
      item.classList.remove("viz-held");
      if (held !== null) move(held, order.indexOf(number), null);
      held = null;
    });
    items.set(number, item);
  }
  let held = null;

  // -- what changes --------------------------------------------------------------------------------------------------
  const show = () => {
    const state = model.get("state");
    verdict.innerHTML = state.text;
    verdict.dataset.kind = state.kind;
    verdict.classList.toggle("viz-wrong", state.kind !== "right" && state.kind !== "untried");
    printed.hidden = !state.printed;
    printed.textContent = state.printed ? `${words.said}\n${state.printed}` : "";
    pictures.hidden = !state.pictures.length;
    pictures.replaceChildren(...state.pictures.map((svg, i) => {
      const figure = make("figure", {}, make("figcaption", {}, i ? words.asked : words.yours));
      figure.insertAdjacentHTML("beforeend", svg);
      return figure;
    }));
    given.replaceChildren(...state.hints.map((text) => html("li", {}, text)));
    given.hidden = !state.hints.length;
    hint.textContent = `${words.hint} ${state.hints.length}/${hints}`;
    const last = state.hints.length === hints;
    const focused = last && hint.matches(":focus");
    hint.disabled = last;
    solution.disabled = !state.tried;
    if (focused) (solutions ? solution : check).focus(); // a disabled button would lose the focus to the page
    solution.title = state.tried ? words.solution : words.first;
    solution.textContent = state.solution ? words.hide : words.solution;
    solution.setAttribute("aria-expanded", String(Boolean(state.solution)));
    code.hidden = !state.solution;
    code.textContent = state.solution;
    if (lines.length && String(order) !== String(state.order)) { order = [...state.order]; place(); }
  };
  model.on("change:state", show);
  show();
  return () => model.off("change:state", show);
}
export default { render };

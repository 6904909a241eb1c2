// The questions before and after a lesson: choices as buttons, one of which is pressed. Read page.js first.
function render({ model, el }) {
  saves(el);
  const { title, note, unknown, lang, asks } = model.get("data");
  const box = make("div", { class: "viz-exercise viz-asks", role: "group", lang, "aria-label": title,
    "data-lm-suppress-shortcuts": "true" }, make("p", {}, make("b", {}, title + ". "), note));
  const parts = asks.map(({ ask, code, choices }, at) => {
    const question = html("p", {}, `<b>${at + 1}.</b> ${ask}`);
    const buttons = [...choices, ["?", unknown]].map(([choice, label]) =>
      [choice, button(label, () => model.send({ number: at + 1, choice }), { "aria-pressed": "false" })]);
    const said = make("div", { class: "viz-exercise-verdict", role: "status", "aria-live": "polite" });
    const part = make("div", { class: "viz-ask", role: "group", "aria-label": question.textContent }, question,
      ...(code ? [make("pre", {}, code)] : []),
      make("div", { class: "viz-exercise-bar" }, ...buttons.map(([, made]) => made)), said);
    const first = make("div");
    part.append(first);
    box.append(part);
    return { buttons, said, first };
  });
  el.replaceChildren(box);
  goesOn(box, el);
  const show = () => {
    const { given, said, first } = model.get("state");
    // An answer to one question leaves the others as they are: what the reader has opened stays open.
    parts.forEach((part, at) => {
      for (const [choice, made] of part.buttons) made.setAttribute("aria-pressed", String(choice === given[at]));
      part.said.innerHTML = said[at];
      part.said.dataset.kind = said[at].startsWith("✓") ? "right" : "";
      part.said.classList.toggle("viz-wrong", said[at].startsWith("✗"));
      const was = first[at], written = JSON.stringify(was);
      if (part.written === written) return;
      part.written = written;
      part.first.replaceChildren(...(was ? [make("details", { class: "viz-ask-first" }, make("summary", {}, was.title),
        html("p", {}, was.ask), ...(was.code ? [make("pre", {}, was.code)] : []), html("p", {}, was.said))] : []));
    });
  };
  model.on("change:state", show);
  show();
  return () => model.off("change:state", show);
}
export default { render };

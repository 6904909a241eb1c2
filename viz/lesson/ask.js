// The questions before and after a lesson: choices as buttons, one of which is pressed. What is set as HTML was escaped
// by said.py's `marked`.
function render({ model, el }) {
  const { title, note, unknown, lang, asks } = model.get("data");
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const box = make("div", { class: "viz-exercise viz-asks", role: "group", lang, "aria-label": title,
    "data-lm-suppress-shortcuts": "true" }, make("p", {}, make("b", {}, title + ". "), note));
  const parts = asks.map(({ ask, code, choices }, at) => {
    const question = make("p");
    question.innerHTML = `<b>${at + 1}.</b> ${ask}`;
    const buttons = [...choices, ["?", unknown]].map(([choice, label]) => {
      const made = make("button", { type: "button", "aria-pressed": "false" }, label);
      made.addEventListener("click", () => model.send({ number: at + 1, choice }));
      return [choice, made];
    });
    const said = make("div", { class: "viz-exercise-verdict", role: "status", "aria-live": "polite" });
    const part = make("div", { class: "viz-ask", role: "group", "aria-label": question.textContent }, question,
      ...(code ? [make("pre", {}, code)] : []),
      make("div", { class: "viz-exercise-bar" }, ...buttons.map(([, made]) => made)), said);
    box.append(part);
    return { buttons, said };
  });
  el.replaceChildren(box);
  box.addEventListener("keydown", (event) => {
    const notebook = el.closest(".jp-Notebook");
    if (event.key !== "Enter" || !event.shiftKey || !notebook) return;
    event.preventDefault();
    event.stopPropagation();
    el.closest(".jp-Cell")?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
    notebook.focus();
    notebook.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", keyCode: 13, shiftKey: true,
      bubbles: true, cancelable: true }));
  });
  const show = () => {
    const { given, said } = model.get("state");
    parts.forEach((part, at) => {
      for (const [choice, made] of part.buttons) made.setAttribute("aria-pressed", String(choice === given[at]));
      part.said.innerHTML = said[at];
      part.said.dataset.kind = said[at].startsWith("✓") ? "right" : "";
      part.said.classList.toggle("viz-wrong", said[at].startsWith("✗"));
    });
  };
  model.on("change:state", show);
  show();
  return () => model.off("change:state", show);
}
export default { render };

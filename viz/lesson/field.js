// Where a prediction is typed, or chosen among words. Enter answers; once the answer is right the keyboard goes back to
// the notebook, so that Shift+Enter goes on; in the field it answers and goes on. Read page.js first.
function render({ model, el }) {
  saves(el);
  const { choices, words } = model.get("data");
  const box = make("div", { class: "viz-field", "data-lm-suppress-shortcuts": "true" });
  const answer = (value) => {
    model.set("value", value);
    model.save_changes();
  };
  let shown;
  if (choices.length) {
    box.setAttribute("role", "group");
    const buttons = choices.map((choice) => button(choice, () => answer(choice), { "aria-pressed": "false" }));
    box.append(...buttons);
    shown = () => buttons.forEach((made, at) => made.setAttribute("aria-pressed", String(choices[at] === model.get("value"))));
    goesOn(box, el);
  } else {
    const field = make("input", { type: "text", placeholder: words.yours, title: words.yours, "aria-label": words.yours,
      autocomplete: "off", spellcheck: "false" });
    box.append(field, button(words.check, () => answer(field.value)));
    shown = () => { if (document.activeElement !== field || model.get("state").right) field.value = model.get("value") ?? ""; };
    goesOn(box, el, () => { if (field.value.trim() && field.value !== model.get("value")) answer(field.value); });
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      answer(field.value);
    });
  }
  const settled = () => { if (model.get("state").right && box.contains(document.activeElement)) toNotebook(el); };
  el.replaceChildren(box);
  model.on("change:value", shown);
  model.on("change:state", settled);
  shown();
  return () => { model.off("change:value", shown); model.off("change:state", settled); };
}
export default { render };

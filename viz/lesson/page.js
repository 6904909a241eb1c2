// What the lessons' panels share; page.py puts it in front of each. What comes from a reader goes through textContent;
// what is set as HTML was escaped by said.py's `marked`.
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const button = (label, action, attributes = {}) => {
  const made = make("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", action);
  return made;
};
const html = (tag, attributes, text) => {
  const made = make(tag, attributes);
  made.innerHTML = text;
  return made;
};

// Hand the keyboard back to JupyterLab's notebook around `el`, at the cell that `el` stands in. False elsewhere.
const toNotebook = (el) => {
  const cell = el.closest(".jp-Cell"), notebook = el.closest(".jp-Notebook");
  if (!cell || !notebook) return false;
  cell.dispatchEvent(new MouseEvent("mousedown", { bubbles: true })); // makes it the active cell
  document.activeElement?.blur();
  (notebook.querySelector(".jp-Cell.jp-mod-active") ?? notebook).focus();
  return true;
};
// Press Enter there, with Shift or Ctrl; true if JupyterLab has heard it.
const press = (el, keys) =>
  toNotebook(el) && !(document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", {
    key: "Enter", code: "Enter", keyCode: 13, bubbles: true, cancelable: true, ...keys }));
// Shift+Enter in a panel goes on to the next cell, as it does everywhere else.
const goesOn = (box, el, before = () => {}) => box.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  before();
  press(el, { shiftKey: true });
});

// What every panel that takes the keyboard says to JupyterLab's notebook around it. player.py and lesson/page.py put
// this text in front of their scripts: a widget's script arrives as one text, with no address to import another from.

// Hand the keyboard back to the notebook around `el`, at the cell that `el` stands in. False where there is none.
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
// Shift+Enter in a panel goes on to the next cell, as it does everywhere else; `before` is done first.
const goesOn = (box, el, before = () => {}) => box.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.shiftKey) return;
  event.stopPropagation();
  before(event);
  if (el.closest(".jp-Notebook")) event.preventDefault();
  press(el, { shiftKey: true });
});

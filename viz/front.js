const saves = (el) => el.addEventListener("keydown", (event) => {
  const notebook = el.closest(".jp-Notebook");
  const { key, ctrlKey, metaKey } = event;
  if (!notebook || key?.toLowerCase() !== "s" || ctrlKey === metaKey || event.altKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  notebook.dispatchEvent(new KeyboardEvent("keydown", { key: "s", code: "KeyS", keyCode: 83, ctrlKey, metaKey,
    bubbles: true, cancelable: true }));
});

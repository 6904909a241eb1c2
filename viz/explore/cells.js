// The entries of row_and_column.py: pointing at one, touching it, or an arrow key chooses it. The picture contains what
// belongs to each entry; this script shows one part and hides the others, so no message has to arrive first.

function render({ model, el }) {
  saves(el);
  const box = document.createElement("div");
  box.className = "viz-cells viz-scroll";
  box.dataset.lmSuppressShortcuts = "true"; // or JupyterLab takes the arrow keys
  el.append(box);
  const of = (entry) => box.querySelector(`[data-entry="${entry}"]`);
  const show = () => {
    const entry = model.get("entry");
    const reveal = (part, on) => (on ? part.removeAttribute("display") : part.setAttribute("display", "none"));
    for (const part of box.querySelectorAll("[data-lights]")) reveal(part, part.dataset.lights.split(",").includes(entry));
    for (const part of box.querySelectorAll("[data-told]")) reveal(part, part.dataset.told === entry);
    for (const part of box.querySelectorAll("[data-entry]")) {
      part.setAttribute("tabindex", part.dataset.entry === entry ? "0" : "-1");
      part.setAttribute("aria-pressed", String(part.dataset.entry === entry));
    }
  };
  const choose = (entry) => {
    if (entry === model.get("entry")) return;
    model.set("entry", entry);
    model.save_changes();
  };
  const paint = () => {
    box.innerHTML = model.get("value"); // made by Python, which has escaped all text
    const picture = box.querySelector("svg");
    if (!picture) return;
    picture.setAttribute("role", "group"); // an image would hide its entries from a screen reader
    picture.setAttribute("aria-label", picture.querySelector("title").textContent);
    picture.querySelector("title").remove(); // a browser shows it as a tooltip above the entries
    show();
  };
  const pointed = (event) => {
    const part = event.target.closest("[data-entry]");
    if (part) choose(part.dataset.entry);
    return part;
  };
  let place = ""; // where the pointer was: it also enters an entry that has just been painted under it
  box.addEventListener("pointermove", (event) => {
    const now = `${event.clientX} ${event.clientY}`;
    if (now !== place) pointed(event);
    place = now;
  });
  box.addEventListener("focusin", pointed);
  box.addEventListener("click", (event) => pointed(event)?.focus());
  box.addEventListener("keydown", (event) => {
    const part = event.target.closest("[data-entry]");
    if (!part || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const order = model.get("order");
    const across = order.filter((entry) => entry.startsWith("b")).length;
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = order[order.indexOf(part.dataset.entry) + by];
    if (next !== undefined) of(next).focus();
  });
  model.on("change:value", paint);
  model.on("change:entry", show);
  paint();
}

export default { render };

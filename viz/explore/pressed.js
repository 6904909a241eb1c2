// A picture whose nodes can be pressed, as ring.py has. The buttons above it do the same from the keyboard, so the nodes
// take no focus.

function render({ model, el }) {
  saves(el);
  const box = document.createElement("div");
  box.className = "viz-pressed";
  el.append(box);
  const nodes = () => [...box.querySelectorAll("g[id]")].map((part) => [part, model.get("names")[part.id.split("-").pop()]]);
  const paint = () => {
    box.innerHTML = model.get("value"); // made by Python, which has escaped all text
    for (const [part, name] of nodes()) part.classList.toggle("viz-press", Boolean(name));
  };
  box.addEventListener("click", (event) => {
    const pressed = nodes().find(([part, name]) => name && part.contains(event.target));
    if (pressed) model.send({ pressed: pressed[1] });
  });
  model.on("change:value", paint);
  paint();
}

export default { render };

// A slider: the browser's own range input, so that it has a name for screen readers and answers to the arrow keys.
// While it is dragged, at most one message goes out for each frame that the screen paints.

function render({ model, el }) {
  saves(el);
  const label = document.createElement("label");
  const name = document.createElement("span");
  const input = document.createElement("input");
  const readout = document.createElement("b");
  label.className = "viz-slider";
  label.append(name, input, readout);
  input.dataset.lmSuppressShortcuts = "true"; // or JupyterLab takes the arrow keys
  el.append(label);
  input.type = "range";

  const written = (number) => {
    const label = model.get("labels")[Math.round((number - model.get("min")) / model.get("step"))];
    return label ?? model.get("before") + String(number).replace("-", "−");
  };
  const show = () => {
    name.textContent = model.get("description"); // as text: nothing in a name is markup
    input.setAttribute("aria-label", model.get("description"));
    if (model.get("labels").length) input.setAttribute("aria-valuetext", written(model.get("value")));
    else input.removeAttribute("aria-valuetext");
    for (const key of ["min", "max", "step"]) input[key] = model.get(key);
    input.value = model.get("value");
    input.disabled = model.get("disabled");
    readout.textContent = written(Number(Number(model.get("value")).toPrecision(6)));
  };
  let due = false;
  const send = () => {
    due = false;
    model.set("value", Number(input.value));
    model.save_changes();
  };
  input.addEventListener(model.get("live") ? "input" : "change", () => {
    if (!due) requestAnimationFrame(send);
    due = true;
  });
  input.addEventListener("input", () => (readout.textContent = written(input.value)));
  model.on("change", show);
  show();
}

export default { render };

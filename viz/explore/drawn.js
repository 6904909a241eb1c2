// The curve that a reader draws on the plot of drawn.py: with a pointer, or with the arrow keys. Python gets the curve
// when the pointer is lifted, or after a key.

const SVG = "http://www.w3.org/2000/svg";
const STEP = 0.1; // powers of ten that an arrow key moves a point

function render({ model, el }) {
  saves(el);
  const { left, right, top, bottom, low, high, first, start, words } = model.get("data");
  const box = document.createElement("div");
  box.className = "viz-drawn viz-scroll";
  box.dataset.lmSuppressShortcuts = "true"; // or JupyterLab takes the arrow keys
  box.setAttribute("role", "slider");
  box.setAttribute("aria-label", words.slider);
  el.append(box);

  let points = [...model.get("drawn")];
  let at = 1; // the point that the keys move, counted from 0; the one at 0 is fixed
  let down = false;
  let overlay;

  const x = (i) => left + (i * (right - left)) / (first - 1);
  const y = (power) => bottom - ((power - low) * (bottom - top)) / (high - low);
  const level = (i) => points[Math.min(i, points.length - 1)] ?? start;

  const make = (tag, attributes) => {
    const made = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const draw = () => {
    if (!overlay) return;
    overlay.replaceChildren();
    if (!model.get("drawing")) return;
    const course = (from, to) =>
      Array.from({ length: Math.max(to - from + 1, 0) }, (_, k) => `${k ? "L" : "M"}${x(from + k)} ${y(level(from + k))}`).join("");
    const line = { fill: "none", stroke: "#CC79A7", "stroke-width": 5, "stroke-linecap": "round" };
    if (points.length > 1) {
      overlay.append(make("path", { ...line, d: course(0, points.length - 1) }));
      overlay.append(make("path", { ...line, "stroke-dasharray": "1 10", d: course(points.length - 1, first - 1) }));
    }
    if (document.activeElement === box && !down) {
      const ring = { cx: x(at), cy: y(level(at)), r: 9, fill: "none", stroke: "currentColor", "stroke-width": 3 };
      overlay.append(make("circle", ring));
    }
    const loss = Math.pow(10, level(at));
    const written = Number(loss.toPrecision(2)).toLocaleString("en-US");
    box.setAttribute("aria-valuemin", low);
    box.setAttribute("aria-valuemax", high);
    box.setAttribute("aria-valuenow", level(at).toFixed(1));
    box.setAttribute("aria-valuetext", words.point.replace("{at}", at + 1).replace("{loss}", written));
  };
  const put = (i, power) => {
    const value = Math.min(Math.max(power, low), high);
    while (points.length < i) points.push(level(points.length)); // points that were jumped over
    if (points.length === 0) points.push(start);
    points[0] = start;
    points[i] = value;
  };
  const send = () => {
    model.set("drawn", [...points]);
    model.save_changes();
  };
  const paint = () => {
    box.innerHTML = model.get("value"); // made by Python, which has escaped all text
    const picture = box.querySelector("svg");
    if (!picture) return;
    picture.setAttribute("aria-hidden", String(model.get("drawing")));
    picture.querySelector("title").remove(); // a browser shows it as a tooltip above the curve
    if (model.get("drawing")) box.setAttribute("tabindex", "0");
    else {
      for (const name of ["tabindex", "role", "aria-label", "aria-valuemin", "aria-valuemax", "aria-valuenow", "aria-valuetext"])
        box.removeAttribute(name);
    }
    overlay = make("g", { "aria-hidden": "true" });
    picture.append(overlay);
    draw();
  };
  let last; // where the pointer was: points between two messages of a fast pointer lie on a line
  const follow = (event) => {
    const picture = box.querySelector("svg");
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    const i = Math.min(Math.max(Math.round(((place.x - left) / (right - left)) * (first - 1)), 1), first - 1);
    const power = low + ((bottom - place.y) / (bottom - top)) * (high - low);
    const from = last ?? { i, power };
    const steps = Math.abs(i - from.i);
    for (let k = 1; k <= steps; k++) put(from.i + Math.sign(i - from.i) * k, from.power + ((power - from.power) * k) / steps);
    put(i, power);
    last = { i, power };
    at = i;
    draw();
  };
  box.addEventListener("pointerdown", (event) => {
    if (!model.get("drawing") || event.button) return;
    down = true;
    last = undefined;
    box.setPointerCapture(event.pointerId);
    box.focus({ preventScroll: true });
    event.preventDefault();
    follow(event);
  });
  box.addEventListener("pointermove", (event) => down && follow(event));
  for (const end of ["pointerup", "pointercancel"])
    box.addEventListener(end, () => {
      if (!down) return;
      down = false;
      send();
    });
  box.addEventListener("keydown", (event) => {
    if (!model.get("drawing") || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const raise = { ArrowUp: STEP, ArrowDown: -STEP, PageUp: 1, PageDown: -1 }[event.key];
    const go = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (raise === undefined && go === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (go) at = Math.min(Math.max(at + go, 1), first - 1);
    else {
      put(at, level(at) + raise);
      send();
    }
    draw();
  });
  box.addEventListener("focus", draw);
  box.addEventListener("blur", draw);
  model.on("change:value", paint);
  model.on("change:drawing", paint);
  model.on("change:drawn", () => {
    if (!down) points = [...model.get("drawn")];
    draw();
  });
  paint();
}

export default { render };

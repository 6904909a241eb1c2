// Shows a stepper's data with the player of viz/stepper, in a frame of its own. The data come from a program that anybody
// may have written: the drawing is rebuilt from the elements and attributes that ours have, and the frame's policy runs
// no script but this one.
const ELEMENTS = new Set("svg g path rect circle ellipse line polygon polyline text tspan title desc defs marker clipPath style".split(" "));
const WRONG = /^(on|href$|xlink:|src$)|^style$/i;
const REACHES_OUT = /url\s*\(\s*(?!["']?#)|@import|expression|\\/i;

function cleaned(source) {
  const from = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
  const copy = (node) => {
    if (node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE) return document.createTextNode(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || node.namespaceURI !== "http://www.w3.org/2000/svg" || !ELEMENTS.has(node.localName)) return null;
    const made = document.createElementNS(node.namespaceURI, node.localName);
    if (node.localName === "style" && REACHES_OUT.test(node.textContent)) return null;
    for (const { name, value } of node.attributes)
      if (!WRONG.test(name) && !REACHES_OUT.test(value) && !name.startsWith("xmlns")) made.setAttribute(name, value);
    for (const child of node.childNodes) {
      const inside = copy(child);
      if (inside) made.append(inside);
    }
    return made;
  };
  const svg = copy(from);
  return svg?.localName === "svg" ? new XMLSerializer().serializeToString(svg) : null;
}

addEventListener("message", ({ data, source }) => {
  if (source !== parent || typeof data !== "string") return;
  const given = JSON.parse(data);
  given.svg = cleaned(String(given.svg));
  if (!given.svg || !Array.isArray(given.events) || !given.events.length) return;
  const root = document.getElementById("steps");
  mount(root, given);
});
const TALLEST = 2400; // pixels; the page makes no frame higher than this
const tell = () => {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  document.documentElement.style.overflowY = height > TALLEST ? "auto" : "";
  parent.postMessage({ height }, "*");
};
new ResizeObserver(tell).observe(document.documentElement);
parent.postMessage("steps", "*");

// What the lessons' panels share; page.py puts it, and stepper/notebook.js, in front of each. What comes from a reader goes through textContent;
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

// The parts of a gallery page around its picture: the marked line, the theme, the line to embed.
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

function when(selector, then) { // calls then(element) as soon as the page has such an element
  const watch = new MutationObserver(() => {
    const found = document.querySelector(selector);
    if (!found) return;
    watch.disconnect();
    then(found);
  });
  watch.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-step", "data-ready"] });
}

function lines(places) { // the steps play by themselves as soon as they are in view, and mark their lines of the program
  when(".viz-step[data-step]", (box) => {
    const all = document.querySelectorAll(".code .line"), code = document.querySelector(".code");
    const mark = () => {
      const [number, from, to, part] = places[box.dataset.step];
      for (const line of document.querySelectorAll(".code .here")) line.classList.remove("here", "backward", "end");
      const line = all[number - 1];
      if (!line) return;
      line.classList.add("here", part);
      line.style.setProperty("--from", from);
      line.style.setProperty("--to", to);
      if (line.offsetTop < code.scrollTop || line.offsetTop + line.offsetHeight > code.scrollTop + code.clientHeight)
        code.scrollTop = line.offsetTop - code.clientHeight / 2;
    };
    mark();
    new MutationObserver(mark).observe(box, { attributeFilter: ["data-step"] });
    if (calm) return;
    const [restart, , play] = box.querySelectorAll(".viz-step-bar button");
    restart.click();
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      play.click();
    }, { threshold: 0.3 });
    seen.observe(box.querySelector(".viz-step-picture"));
    for (const touched of ["pointerdown", "keydown"]) box.addEventListener(touched, () => seen.disconnect(), { once: true });
  });
}

function sways(name) { // an explorer's slider moves there and back once, until the reader touches the page
  if (calm) return;
  let timer = 0;
  const stop = () => clearTimeout(timer);
  for (const touched of ["pointerdown", "keydown"]) addEventListener(touched, stop, { once: true, capture: true });
  when(".viz-leave[data-ready]", (box) => {
    const slider = box.querySelector(`input[aria-label="${name}"]`), start = Number(slider.value);
    const far = Math.min(4, Number(slider.max) - start) || -Math.min(4, start);
    const way = [...Array(Math.abs(far)).keys()].map((i) => start + (i + 1) * Math.sign(far));
    way.push(...way.slice(0, -1).reverse(), start);
    const move = () => {
      slider.value = way.shift();
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      if (way.length) timer = setTimeout(move, 450);
    };
    timer = setTimeout(move, 400);
  });
}

addEventListener("DOMContentLoaded", () => {
  const root = document.documentElement, theme = document.querySelector(".theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const tell = () => theme.setAttribute("aria-pressed", String(isDark()));
  theme.hidden = false;
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("minigrad-theme", root.dataset.theme); } catch { /* it holds for this page only */ }
    tell();
  });
  system.addEventListener("change", tell);
  tell();
  edges(document.querySelector(".code"));

  if ("embed" in root.dataset) // what is opened from a frame needs a window of its own
    for (const link of document.querySelectorAll(".actions a")) Object.assign(link, { target: "_blank", rel: "noopener" });
  const embeds = document.querySelector(".embeds");
  if (!embeds) return;
  const box = document.querySelector(".embedding"), field = box.querySelector("textarea"), copy = box.querySelector(".copy");
  const own = document.querySelector("main").dataset.address || location.href.replace(/[?#].*/, "");
  const title = document.querySelector("h1").textContent.replace(/"/g, "&quot;");
  field.value = `<iframe src="${own}?embed" title="${title}" width="100%" height="720" loading="lazy" style="border: 1px solid #8A8A8A; border-radius: 8px"></iframe>`;
  embeds.hidden = false;
  embeds.addEventListener("click", () => {
    box.hidden = !box.hidden;
    embeds.setAttribute("aria-expanded", String(!box.hidden));
    if (!box.hidden) field.select();
  });
  copy.addEventListener("click", async () => {
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
    box.querySelector("[role=status]").textContent = "Copied.";
  });
});

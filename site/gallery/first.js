// The first page: the filter, and previews that move while a card is under the pointer, has the focus or, on a screen
// without a pointer, is in the middle.
(() => {
  const find = document.querySelector(".find"), field = find.querySelector("input"), none = document.querySelector(".none");
  const cards = [...document.querySelectorAll("li[data-words]")];
  find.hidden = false;
  const filler = new Set(("a an the is are was my i it of to in on what why how when does do did after and or vs with for need get "
    + "has have can not difference between pytorch torch nothing error").split(" "));
  const said = cards.map((card) => card.dataset.words), code = cards.map((card) => card.dataset.code);
  const forms = (word) => { // x.grad: grad; requires_grad=False: that, then requires_grad; layers: layer
    const bare = word.replace(/\(.*\)|[().=]+$/g, "").replace(/^\p{L}[\p{L}\p{N}_]*\.(?=\p{L})/u, "");
    return [bare, bare.split("=")[0], bare.replace(/s$/, "")];
  };
  const found = (word) => { // which cards have it; the program counts if no card says it in words
    for (const texts of [said, code])
      for (const form of forms(word)) {
        const rows = texts.map((text) => text.includes(form));
        if (form && rows.includes(true)) return rows;
      }
    return cards.map(() => false);
  };
  const filter = () => { // the cards that have the words, above all the rare ones; a word that no card has counts against all
    const typed = [...new Set(field.value.toLowerCase().match(/[\p{L}\p{N}_.()=]+/gu) ?? [])].filter((word) => forms(word)[0]);
    const words = typed.filter((word) => !filler.has(word));
    const score = cards.map(() => 0);
    let all = 0;
    for (const form of new Set(words.map((word) => forms(word)[0]))) {
      const rows = found(form), weight = Math.log((cards.length + 1) / Math.max(1, rows.filter(Boolean).length));
      all += weight;
      rows.forEach((has, i) => { score[i] += has ? weight : 0; });
    }
    const best = Math.max(...score), enough = best > all / 3 ? best * 0.75 : Infinity; // of all that was typed, a third at least
    for (const whole of words.map((word) => word.replace(/\(.*/, "")).filter((word) => word.includes("."))) // loss.backward
      said.forEach((text, i) => { score[i] += text.includes(whole) && score[i] >= enough ? 1 : 0; });
    const least = Math.max(enough, Math.max(...score) * 0.75);
    cards.forEach((card, i) => { card.hidden = words.length > 0 && !(score[i] >= least); });
    const count = cards.filter((card) => !card.hidden).length;
    for (const group of document.querySelectorAll(".group")) group.hidden = !group.querySelector("li:not([hidden])");
    none.hidden = count > 0;
    document.querySelector(".columns").hidden = words.length > 0; // what was found comes first
    find.querySelector("[role=status]").textContent = words.length ? `${count} of ${cards.length} questions` : "";
  };
  field.addEventListener("input", filter);
  if (location.hash.startsWith("#q=")) field.value = decodeURIComponent(location.hash.slice(3));
  filter();

  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const move = (card, on) => {
    const picture = card.querySelector("img");
    picture.dataset.still ??= picture.getAttribute("src");
    if (picture.dataset.moving) picture.src = on ? picture.dataset.moving : picture.dataset.still;
  };
  if (matchMedia("(hover: none)").matches) {
    const middle = new IntersectionObserver((entries) => {
      for (const entry of entries) move(entry.target, entry.isIntersecting);
    }, { rootMargin: "-45% 0px -45% 0px" });
    for (const card of cards) middle.observe(card);
    return;
  }
  for (const card of cards) {
    card.addEventListener("pointerenter", () => move(card, true));
    card.addEventListener("pointerleave", () => move(card, false));
    card.addEventListener("focusin", () => move(card, true));
    card.addEventListener("focusout", () => move(card, false));
  }
})();

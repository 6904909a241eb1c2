// The first page: the filter, and previews that move while a card is under the pointer, has the focus or, on a screen
// without a pointer, is in the middle.
(() => {
  const find = document.querySelector(".find"), field = find.querySelector("input"), none = document.querySelector(".none");
  const cards = [...document.querySelectorAll("li[data-words]")];
  find.hidden = false;
  const filler = new Set("a an the is are was my i it of to in on what why how when does do after and".split(" "));
  const filter = () => { // the cards that have all words; if no card has them, those that have most, but more than half
    const typed = field.value.toLowerCase().match(/[\p{L}\p{N}_.()=]+/gu) ?? [];
    const bare = typed.map((word) => word.replace(/^\p{L}[\p{L}\p{N}_]*\.(?=\p{L})/u, "")); // x.grad: grad
    const words = [...new Set(bare.filter((word) => !filler.has(word)))];
    const having = cards.map((card) => words.filter((word) => card.dataset.words.includes(word)).length);
    const most = Math.max(...having), enough = most > words.length / 2 ? most : words.length;
    cards.forEach((card, i) => { card.hidden = having[i] < enough; });
    const found = cards.filter((card) => !card.hidden).length;
    for (const group of document.querySelectorAll(".group")) group.hidden = !group.querySelector("li:not([hidden])");
    none.hidden = found > 0;
    find.querySelector("[role=status]").textContent = words.length ? `${found} of ${cards.length} questions` : "";
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

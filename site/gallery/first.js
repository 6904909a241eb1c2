// The first page: the filter, and previews that move while a card is under the pointer, has the focus or, on a screen
// without a pointer, is in the middle.
(() => {
  const find = document.querySelector(".find"), field = find.querySelector("input"), none = document.querySelector(".none");
  const cards = [...document.querySelectorAll("li[data-words]")];
  const homes = cards.map((card) => card.parentElement), found = document.querySelector(".found"), list = found.querySelector("ul");
  const titles = cards.map((card) => card.querySelector(".title").textContent.toLowerCase().split(/[^\p{L}\p{N}_]+/u));
  find.hidden = false;
  const filler = new Set(("a an the is are was my i it of to in on what why how when does do did after and or vs with for need get "
    + "has have can not difference between pytorch torch nothing error").split(" "));
  const said = cards.map((card) => card.dataset.words), code = cards.map((card) => card.dataset.code);
  const forms = (word) => { // x.grad: grad; requires_grad=False: that, then requires_grad; layers: layer
    const bare = word.replace(/\(.*\)|[().=]+$/g, "").replace(/^\p{L}[\p{L}\p{N}_]*\.(?=\p{L})/u, "");
    return [bare, bare.split("=")[0], bare.replace(/s$/, "")];
  };
  const having = (word) => { // which cards have it; the program counts if no card says it in words
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
    const score = cards.map(() => 0), title = cards.map(() => 0), rare = cards.map(() => 0); // what the title has of it; its rarest word
    let all = 0;
    for (const form of new Set(words.map((word) => forms(word)[0]))) {
      const rows = having(form), weight = Math.log((cards.length + 1) / Math.max(1, rows.filter(Boolean).length));
      all += weight;
      rows.forEach((has, i) => { score[i] += has ? weight : 0; });
      titles.forEach((parts, i) => {
        if (!forms(form).some((each) => parts.includes(each))) return;
        title[i] += weight;
        rare[i] = Math.max(rare[i], weight);
      });
    }
    const best = Math.max(...score), enough = best > all / 3 ? best * 0.75 : Infinity; // of all that was typed, a third at least
    for (const whole of words.map((word) => word.replace(/\(.*/, "")).filter((word) => word.includes("."))) // loss.backward
      said.forEach((text, i) => { score[i] += text.includes(whole) && score[i] >= enough ? 1 : 0; });
    const least = Math.max(enough, Math.max(...score) * 0.75);
    const RARE = Math.log((cards.length + 1) / 4); // a word of at most three cards: in a title, it says what the card is about
    const isHit = (i) => score[i] >= least || (enough < Infinity && rare[i] >= RARE), searches = words.length > 0;
    const hits = searches ? [...cards.keys()].filter(isHit).sort((i, j) => score[j] + title[j] - score[i] - title[i]) : [];
    cards.forEach((card, i) => { card.hidden = searches && !isHit(i); if (!hits.includes(i)) homes[i].append(card); });
    list.append(...hits.map((i) => cards[i]));
    found.hidden = !hits.length;
    for (const group of document.querySelectorAll(".group:not(.found)")) group.hidden = searches;
    none.hidden = !searches || hits.length > 0;
    document.querySelector(".columns").hidden = searches; // what was found comes first
    document.querySelector("main").classList.toggle("searches", searches);
    find.querySelector("[role=status]").textContent = searches ? `${hits.length} of ${cards.length} questions` : "";
    const first = hits.length ? cards[hits[0]].querySelector(".title").getBoundingClientRect().bottom : 0;
    if (first > (visualViewport?.height ?? innerHeight) * 0.6) find.scrollIntoView(); // the first title is in sight
  };
  // The address holds what was typed, so that Back returns to what was found
  let timer = 0;
  const keep = () => {
    clearTimeout(timer);
    const hash = field.value.trim() ? `#q=${encodeURIComponent(field.value)}` : "";
    if (hash !== location.hash) history.replaceState(null, "", location.pathname + location.search + hash);
  };
  const asked = () => {
    try { return location.hash.startsWith("#q=") ? decodeURIComponent(location.hash.slice(3)) : ""; } catch { return ""; }
  };
  field.addEventListener("input", () => {
    filter();
    clearTimeout(timer);
    timer = setTimeout(keep, 300); // browsers refuse more than some changes a second
  });
  document.addEventListener("click", keep, { capture: true });
  addEventListener("hashchange", () => { field.value = asked(); filter(); });
  field.value = asked() || field.value; // a browser may have kept what was typed
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

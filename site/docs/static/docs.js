// Code and pictures that are wider than the page scroll, so the keyboard must reach them. The two columns beside the text
// get names, each page a title, and an empty corner of a table is no heading.
addEventListener("DOMContentLoaded", () => {
  for (const each of document.querySelectorAll("pre, .lesson-output, .viz-scroll, .table-wrapper")) {
    if (each.scrollWidth > each.clientWidth + 1 && !each.hasAttribute("tabindex")) each.tabIndex = 0;
  }
  if (!document.querySelector("h1")) {
    const title = document.createElement("h1"); // the search's page has none
    title.textContent = "Search";
    document.querySelector("article")?.prepend(title);
  }
  document.querySelector("aside.sidebar-drawer")?.setAttribute("aria-label", "All pages");
  document.querySelector("aside.toc-drawer")?.setAttribute("aria-label", "On this page");
  for (const each of document.querySelectorAll("thead th")) {
    if (!each.textContent.trim()) each.replaceWith(document.createElement("td"));
  }
});

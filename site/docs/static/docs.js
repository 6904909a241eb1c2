// Code that is wider than the page scrolls, so the keyboard must reach it.
addEventListener("DOMContentLoaded", () => {
  for (const each of document.querySelectorAll("pre, .lesson-output, .table-wrapper")) {
    if (each.scrollWidth > each.clientWidth + 1 && !each.hasAttribute("tabindex")) each.tabIndex = 0;
  }
});

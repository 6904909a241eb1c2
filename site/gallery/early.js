// Runs before the first paint: the theme that the reader has chosen on any page of the site, and ?embed in a frame.
(() => {
  const root = document.documentElement;
  let theme = null;
  try { theme = localStorage.getItem("minigrad-theme"); } catch { /* a frame may have no storage */ }
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  if (/[?&]embed\b/.test(location.search)) root.dataset.embed = "";
})();

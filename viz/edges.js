// Where a part of a page goes on beyond its side, it fades out there: many systems show no scroll bar until one scrolls.
// edges.css draws it. Without the word `export`, this text also stands in front of the scripts of saved pages.
export function edges(pane) {
  const HARDLY = 8; // pixels: a margin that is cut hides nothing
  const look = () => {
    const right = pane.scrollWidth - pane.clientWidth - pane.scrollLeft;
    pane.classList.toggle("viz-goes-left", pane.scrollLeft > HARDLY);
    pane.classList.toggle("viz-goes-right", right > HARDLY);
  };
  pane.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(pane);
  return look; // to be called after its content has changed
}

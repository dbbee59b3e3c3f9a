/**
 * The first screen comes first: until it stands, what lies below it is neither styled nor laid out
 * (site.css), which takes half of the first work from a slow phone. The figure follows in the next
 * frame; sections later, when there is nothing else to do, one after the other.
 */
(() => {
  const root = document.documentElement;
  if (root.dataset.later === undefined) return; // theme.js decides
  const waiting = [...document.querySelectorAll(".bd-article > section > section, section > .attn-map")];

  function go(from, to) {
    if (from !== undefined && root.dataset.later === from) root.dataset.later = to;
  }

  function next() {
    const section = waiting.shift();
    if (!section) {
      delete root.dataset.later;
      return;
    }
    section.dataset.laidOut = "";
    later();
  }

  // One section a frame: then the browser holds what is being read in its place.
  function later() {
    requestAnimationFrame(() => requestIdleCallback(next));
  }

  // A frame, and what comes after it.
  requestAnimationFrame(() => setTimeout(() => go("first", "next")));
  addEventListener("load", later);
  // Who goes on meanwhile finds what comes into view.
  addEventListener("scroll", () => go(root.dataset.later, "scrolled"), { once: true });
  // Who goes to a section meanwhile wants its true place.
  document.addEventListener("click", ({ target }) => {
    if (target.closest("a[href^='#']")) delete root.dataset.later;
  });
})();

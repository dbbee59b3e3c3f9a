/**
 * The first screen comes first. While the page settles, sections below it are neither styled nor laid
 * out (site.css), which halves the time to a live figure on a slow phone; afterwards, when there is
 * nothing else to do, one after the other is.
 */
(() => {
  const root = document.documentElement;
  if (root.dataset.settling === undefined) return; // theme.js decides
  const waiting = [...document.querySelectorAll(".bd-article > section > section")];

  function settle() {
    const section = waiting.shift();
    if (!section) {
      delete root.dataset.settling;
      return;
    }
    section.dataset.settled = "";
    later();
  }

  // One section a frame: then the browser holds what is being read in its place.
  function later() {
    requestAnimationFrame(() => requestIdleCallback(settle));
  }

  addEventListener("load", later);
  // Who goes to a section meanwhile wants its true place.
  document.addEventListener("click", ({ target }) => {
    if (target.closest("a[href^='#']")) delete root.dataset.settling;
  });
})();

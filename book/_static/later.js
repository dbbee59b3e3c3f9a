/**
 * The first screen comes first: until it stands, sections below it are neither styled nor laid out
 * (site.css), which takes half of the first work from a slow phone. Later, when there is nothing else
 * to do, one after the other is.
 */
(() => {
  const root = document.documentElement;
  if (root.dataset.later === undefined) return; // theme.js decides
  const waiting = [...document.querySelectorAll(".bd-article > section > section")];

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

  addEventListener("load", later);
  // Who goes to a section meanwhile wants its true place.
  document.addEventListener("click", ({ target }) => {
    if (/** @type {Element} */ (target).closest("a[href^='#']")) delete root.dataset.later;
  });
})();

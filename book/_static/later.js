/**
 * The first screen comes first: until it stands, what lies below it is neither styled nor laid out
 * (site.css), which takes half of the first work from a slow phone. The figure follows in the next
 * frame, then the sections near the window, one a frame; all others later, when there is nothing
 * else to do.
 */
(() => {
  const root = document.documentElement;
  if (root.dataset.later === undefined) return; // theme.js decides
  const waiting = [...document.querySelectorAll(".bd-article > section > section, section > .attn-map")];

  const far = [...waiting];

  function afterFrame(then) {
    requestAnimationFrame(() => setTimeout(then));
  }

  const away = (section) => Math.abs(section.getBoundingClientRect().top);

  // From now on the browser lays a section out when it comes near the window. The nearest comes first, and all others
  // are laid out after that: then what is being read is held in its place.
  function approach() {
    const nearest = far.sort((a, b) => away(b) - away(a)).pop();
    if (nearest) {
      nearest.dataset.near = "";
      afterFrame(approach);
    } else if (document.readyState === "complete") later();
    else addEventListener("load", later);
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

  afterFrame(() => {
    if (root.dataset.later === "first") root.dataset.later = "";
    afterFrame(approach);
  });
  // Who goes to a section meanwhile wants its true place.
  document.addEventListener("click", ({ target }) => {
    if (target.closest("a[href^='#']")) delete root.dataset.later;
  });
})();

/**
 * Comes back to where a reader was. Nothing is kept before the box below a chapter is ticked; then
 * this browser keeps the last chapter, its last section and the chapters that are done, and one
 * press forgets all. A classic script, so that it runs on pages opened from a disk as well.
 */

(() => {
  const KEY = "attn-place";
  /** @typedef {{page: string, section: string, done: string[]}} Place */

  /** @returns {Place | null} */
  function kept() {
    try {
      return JSON.parse(localStorage.getItem(KEY));
    } catch {
      return null; // storage is refused
    }
  }

  /** @param {Place | null} place */
  function keep(place) {
    try {
      if (place) localStorage.setItem(KEY, JSON.stringify(place));
      else localStorage.removeItem(KEY);
    } catch {
      // it is full or refused: the page works without it
    }
  }

  const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".bd-links a")]);
  /** @param {string} page */
  const entry = (page) =>
    // A page leads to itself by "#".
    links.find((link) => link.href.split("#")[0].endsWith(`/${page}.html`));

  /** The last section that has begun above the middle of the window. */
  function section() {
    const begun = [...document.querySelectorAll(".bd-article section[id]")];
    return begun.filter((part) => part.getBoundingClientRect().top < innerHeight / 2).pop()?.id ?? "";
  }

  /** Mark in the list of chapters those that are done. */
  function mark() {
    for (const old of document.querySelectorAll(".attn-done")) old.remove();
    const list = /** @type {HTMLElement | null} */ (document.querySelector(".bd-links"));
    if (!list) return; // slides have none
    const { done } = list.dataset;
    for (const page of kept()?.done ?? []) {
      const sign = document.createElement("span");
      sign.className = "attn-done";
      sign.setAttribute("role", "img");
      sign.setAttribute("aria-label", done);
      sign.textContent = " ✓";
      entry(page)?.append(sign);
    }
  }

  const below = /** @type {HTMLElement | null} */ (document.querySelector(".attn-place[data-page]"));
  if (below) {
    const { page } = below.dataset;
    const [keeps, done] = /** @type {HTMLInputElement[]} */ ([...below.querySelectorAll("input")]);
    const here = () => ({ page, section: section(), done: kept()?.done ?? [] });
    const show = () => {
      const place = kept();
      keeps.checked = !!place;
      done.checked = !!place?.done.includes(page);
      done.parentElement.hidden = !place;
      mark();
    };
    keeps.addEventListener("change", () => {
      keep(keeps.checked ? here() : null);
      show();
    });
    done.addEventListener("change", () => {
      const others = here().done.filter((other) => other !== page);
      keep({ ...here(), done: done.checked ? [...others, page] : others });
      show();
    });
    const leave = () => kept() && keep(here());
    addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", leave);
    addEventListener("pageshow", show);
    below.hidden = false;
  } else mark();

  const offer = /** @type {HTMLElement | null} */ (document.querySelector(".attn-place[data-offer]"));
  const place = kept();
  const chapter = place && entry(place.page);
  if (offer && chapter) {
    const link = offer.querySelector("a");
    link.href = `${chapter.href.split("#")[0]}#${place.section}`;
    link.textContent = chapter.firstChild.textContent.trim();
    offer.querySelector("button").addEventListener("click", () => {
      keep(null);
      offer.hidden = true;
      mark();
    });
    offer.hidden = false;
  }
})();

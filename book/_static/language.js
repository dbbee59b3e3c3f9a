/**
 * Remembers the reader's language, suggests one on the landing page, and keeps the place on the
 * page (which is also the state of its figures) when the reader changes the language. A classic
 * script, so that it runs on pages opened from a disk as well.
 */

(() => {
  const KEY = "attn-language";

  /** @returns {string | null} the language chosen last, where the browser lets us remember it */
  function remembered() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // storage is refused: the page works without it
    }
  }

  /** @param {string} language */
  function remember(language) {
    try {
      localStorage.setItem(KEY, language);
    } catch {
      // as above
    }
  }

  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll("a[data-language]");
  for (const link of links) {
    link.addEventListener("click", () => {
      remember(link.dataset.language);
      if (link.closest(".attn-languages")) link.hash = location.hash;
    });
  }

  const sections = [...document.querySelectorAll("section[data-language]")];
  if (sections.length) {
    const last = remembered();
    const asked = location.pathname.split("/"); // on the page for addresses that lead nowhere
    const own = navigator.languages.map((tag) => tag.split("-")[0]);
    const wanted = [...asked, ...(last ? [last] : own)];
    const language = wanted.find((code) => sections.some((section) => section.dataset.language === code));
    const section = sections.find((candidate) => candidate.dataset.language === language);
    if (section) {
      section.classList.add("suggested");
      section.parentElement.prepend(section); // on a phone the others are below the fold
      const hint = section.querySelector(`[data-hint=${last ? "remembered" : "suggested"}]`);
      if (hint) hint.hidden = false;
    }
  }
})();

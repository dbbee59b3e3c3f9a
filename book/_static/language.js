/**
 * Remembers the reader's language, puts it first where one is chosen, and keeps the place on the
 * page (which is also the state of its figures) when the reader changes the language. A classic
 * script, so that it runs on pages opened from a disk as well.
 */

(() => {
  const KEY = "attn-language";

  /** @param {string} language */
  function remember(language) {
    try {
      localStorage.setItem(KEY, language);
    } catch {
      // storage is refused: the page works without it
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

  // What the reader can read comes first (visitor.js), also for those who go from link to link.
  const { language } = document.documentElement.dataset;
  const section = language && document.querySelector(`section[data-language=${language}]`);
  section?.parentElement.prepend(section);
})();

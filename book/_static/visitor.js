/**
 * Before anything is drawn: the language of the page where a reader chooses one. On the page for addresses that lead nowhere
 * it is that of the address; else the one chosen last, else the browser's. Without one of these the page is English.
 */
(() => {
  const root = document.documentElement;
  const tags = new Map(document.currentScript.dataset.languages.split(" ").map((pair) => /** @type {[string, string]} */ (pair.split(":"))));
  let last = null;
  try {
    last = localStorage.getItem("attn-language"); // language.js remembers it
  } catch {
    // storage is refused: the browser decides
  }
  const own = navigator.languages.map((tag) => tag.split("-")[0]);
  const wanted = [...location.pathname.split("/"), ...(last ? [last] : own)];
  const language = wanted.find((code) => tags.has(code));
  if (!language) return;
  root.lang = tags.get(language);
  root.dataset.language = language;
})();

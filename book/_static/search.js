/**
 * Search in the dialog and on search.html: asks the Pagefind index of this page's language.
 * The index is fetched when the field is first focused, not with the page.
 */

(() => {
  const INDEX = new URL("../pagefind/pagefind.js", /** @type {HTMLScriptElement} */ (document.currentScript).src).href;
  const MOST = 10;

  let index;

  /** @returns {Promise<any>} Pagefind, loaded once; a browser does not read it from a disk */
  function load() {
    if (location.protocol !== "file:") index ??= import(INDEX);
    return index;
  }

  /** @param {HTMLInputElement} input @param {HTMLElement} results */
  async function show(input, results) {
    const query = input.value.trim();
    const status = results.querySelector(".attn-results__status");
    const list = results.querySelector("ol");
    if (!query) {
      status.textContent = "";
      list.replaceChildren();
      return;
    }
    const loading = load();
    if (!loading) {
      status.textContent = results.dataset.disk;
      return;
    }
    try {
      const pagefind = await loading;
      const found = await pagefind.debouncedSearch(query, {}, 150);
      if (found === null) return; // the reader typed on; a later call shows the results
      const pages = await Promise.all(found.results.slice(0, MOST).map((result) => result.data()));
      if (query !== input.value.trim()) return;
      status.textContent = pages.length
        ? results.dataset.found.replace("{count}", found.results.length)
        : results.dataset.none.replace("{query}", query);
      list.replaceChildren(...pages.map(item));
    } catch (error) {
      status.textContent = results.dataset.failed;
      list.replaceChildren();
      throw error;
    }
  }

  /** One result: a link and an excerpt, in which Pagefind has escaped all but its <mark>. */
  function item(page) {
    const entry = document.createElement("li");
    const link = document.createElement("a");
    link.href = page.url;
    link.textContent = page.meta.title;
    const excerpt = document.createElement("p");
    excerpt.innerHTML = page.excerpt;
    entry.append(link, excerpt);
    return entry;
  }

  for (const form of document.querySelectorAll("form.bd-search")) {
    const input = form.querySelector("input");
    const results = form.parentElement.querySelector(".attn-results");
    if (!results) continue;
    input.addEventListener("focus", load, { once: true });
    input.addEventListener("input", () => show(input, results));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const first = results.querySelector("a");
      if (form.closest("dialog") && first) first.click();
      else show(input, results);
    });
  }

  /** @type {HTMLInputElement | null} */
  const page = document.querySelector(".attn-search-page input");
  if (page) {
    page.value = new URLSearchParams(location.search).get("q") ?? "";
    page.focus();
    show(page, page.closest("article").querySelector(".attn-results"));
  }
})();

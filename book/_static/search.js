/**
 * Search in the dialog and on search.html: asks the Pagefind index of this page's language.
 * The index is fetched when the field is first focused, not with the page.
 */

(() => {
  const INDEX = new URL("../pagefind/pagefind.js", /** @type {HTMLScriptElement} */ (document.currentScript).src).href;
  const MOST_IN_DIALOG = 10;

  let index;

  /** @returns {Promise<any>} Pagefind, loaded once; a browser does not read it from a disk */
  function load() {
    if (location.protocol !== "file:") index ??= start();
    return index;
  }

  async function start() {
    const pagefind = await import(INDEX);
    // Every Chinese character is a word of the index.
    const excerptLength = document.documentElement.lang.startsWith("zh") ? 60 : 30;
    await pagefind.options({ excerptLength, ranking: { metaWeights: { names: 10 } } });
    return pagefind;
  }

  /**
   * What is asked, cut into words as the index is (search.py). In quotes the words are to follow
   * each other, as the characters of a Chinese word do.
   * @param {string} query @returns {string}
   */
  function inWords(query, quote = /\p{Script=Han}/u.test(query) ? '"' : "") {
    const words = query
      .replace(/(\w)(?=\.[A-Za-z_]|\()/g, "$1 ")
      .replace(/(\p{Script=Han})(?=[\p{L}\p{N}])/gu, "$1 ")
      .replace(/([\p{L}\p{N}])(?=\p{Script=Han})/gu, "$1 ");
    return quote + words + quote;
  }

  /** An excerpt as its page has it, without the cuts of the index (search.py). @param {string} text */
  function asWritten(text) {
    return text.replace(/ ?(<\/?mark>)?\u2063/g, "$1");
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
      let found = await pagefind.debouncedSearch(inWords(query), {}, 150);
      if (found === null) return; // the reader typed on; a later call shows the results
      if (!found.results.length) found = await pagefind.search(inWords(query, ""));
      const most = input.closest("dialog") ? MOST_IN_DIALOG : Infinity;
      const pages = await Promise.all(found.results.slice(0, most).map((result) => result.data()));
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
    excerpt.innerHTML = asWritten(page.excerpt);
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

/**
 * What stands around a chapter: light and dark, search dialog, contents, menus, printing. A classic
 * script, so that it runs on pages opened from a disk as well.
 */
(() => {
  const root = document.documentElement;
  const all = (/** @type {string} */ selector) => [.../** @type {NodeListOf<any>} */ (document.querySelectorAll(selector))];

  /**
   * Read from or write to a storage, or do without where the browser refuses it.
   * @param {"localStorage" | "sessionStorage"} storage @param {string} key @param {string} [value]
   */
  function stored(storage, key, value) {
    try {
      if (value === undefined) return window[storage].getItem(key);
      window[storage].setItem(key, value);
    } catch {
      return null;
    }
  }

  // A report names the state of the figure that the address shows.

  for (const link of all(".attn-report")) {
    link.addEventListener("click", () => {
      const form = new URL(link.href);
      const [page, version] = form.searchParams.get("page").split(" ");
      form.searchParams.set("page", `${page.split("#")[0]}${location.hash} ${version}`);
      link.href = form.href;
    });
  }

  // Light and dark. The button goes round: the system's choice, its opposite, its like.

  const dark = matchMedia("(prefers-color-scheme: dark)");

  function show() {
    const { mode } = root.dataset;
    root.dataset.theme = mode === "auto" ? (dark.matches ? "dark" : "light") : mode;
  }

  function setMode(mode) {
    root.dataset.mode = mode;
    show();
    stored("localStorage", "mode", mode);
  }

  dark.addEventListener("change", show);
  // Paper is white, whatever the screen is.
  addEventListener("beforeprint", () => (root.dataset.theme = "light"));
  addEventListener("afterprint", show);
  for (const button of all(".theme-switch-button")) {
    button.addEventListener("click", () => {
      const round = dark.matches ? ["auto", "light", "dark"] : ["auto", "dark", "light"];
      setMode(round[(round.indexOf(root.dataset.mode) + 1) % 3]);
    });
  }

  // Dialogs close by a click beside them.

  /** @param {HTMLDialogElement} dialog */
  function closeBeside(dialog) {
    dialog.addEventListener("click", ({ clientX: x, clientY: y }) => {
      const box = dialog.getBoundingClientRect();
      if (x < box.left || x > box.right || y < box.top || y > box.bottom) dialog.close();
    });
  }

  // Search: the dialog of a chapter, or the field of the search page.

  const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("pst-search-dialog"));
  const mac = /Mac|iPhone|iPad/.test(navigator.platform);

  function search() {
    if (!dialog) document.querySelector("form.bd-search input").focus();
    else if (dialog.open) dialog.close();
    else dialog.showModal();
  }

  if (dialog) {
    closeBeside(dialog);
    dialog.addEventListener("keydown", (event) => {
      if (event.key === "Escape") dialog.close(); // a field with words in it would take the first
    });
  }
  for (const button of all(".search-button__button")) button.addEventListener("click", search);
  if (mac) for (const key of all(".search-button__kbd-shortcut kbd:first-child")) key.textContent = "⌘";
  addEventListener("keydown", (event) => {
    const control = mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
    if (!control || event.shiftKey || event.altKey || event.key.toLowerCase() !== "k") return;
    event.preventDefault();
    search();
  });

  // Chapters and contents: beside the text where there is room, else in a dialog over it.

  function move(from, to) {
    to.append(...from.childNodes);
    to.classList.add(...from.classList);
    from.removeAttribute("class");
  }

  for (const [name, beside] of [["primary", "(min-width: 992px)"], ["secondary", null]]) {
    const button = document.querySelector(`.${name}-toggle`);
    const sidebar = document.getElementById(`pst-${name}-sidebar`);
    const over = /** @type {HTMLDialogElement | null} */ (document.getElementById(`pst-${name}-sidebar-modal`));
    if (!button || !sidebar || !over) continue;
    closeBeside(over);
    over.addEventListener("close", () => move(over, sidebar));
    over.addEventListener("click", (event) => {
      if (/** @type {Element} */ (event.target).closest("a[href^='#']")) over.close();
    });
    button.addEventListener("click", () => {
      if (beside && matchMedia(beside).matches) {
        sidebar.classList.toggle("pst-sidebar-hidden");
        return;
      }
      move(sidebar, over);
      over.showModal();
    });
  }

  // The list of chapters stays where it was scrolled to, from page to page. To ask for a place is to lay out the page:
  // a phone, which shows no list, is spared that.

  const chapters = document.getElementById("pst-primary-sidebar");
  const current = chapters?.querySelector("li.current > a");
  if (chapters && matchMedia("(min-width: 960px)").matches) {
    chapters.scrollTop = Number(stored("sessionStorage", "chapters") ?? (current?.offsetTop ?? 0) - innerHeight / 2);
    addEventListener("pagehide", () => stored("sessionStorage", "chapters", String(chapters.scrollTop)));
  }

  // The contents mark the section that is being read.

  const entries = new Map(
    all("#pst-page-toc-nav a").map((link) => [
      document.getElementById(decodeURIComponent(link.hash.slice(1))),
      link,
    ]),
  );
  entries.delete(null);

  function mark(link) {
    for (const other of entries.values()) {
      other.classList.toggle("active", other === link);
      other.closest("li").classList.toggle("active", other.closest("li").contains(link));
      if (other === link) other.setAttribute("aria-current", "true");
      else other.removeAttribute("aria-current");
    }
  }

  const reading = new IntersectionObserver(
    (seen) => {
      const last = seen.filter((entry) => entry.isIntersecting).pop();
      if (last) mark(entries.get(last.target.closest("section")));
    },
    { rootMargin: "0px 0px -70% 0px" },
  );
  for (const section of entries.keys()) {
    const heading = section.querySelector("h1, h2, h3, h4, h5, h6");
    if (heading) reading.observe(heading);
  }

  // Menus are <details>: they open by themselves, and close when the reader turns to something else.

  for (const menu of all(".attn-menu")) {
    document.addEventListener("click", (event) => {
      if (!menu.contains(event.target)) menu.open = false;
    });
    menu.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
    });
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.querySelector("summary").focus();
    });
  }
  // Tabs of one group turn together, and stay so on the next page.

  function turn(group, sync) {
    for (const tab of all(".attn-tabs > input"))
      if (tab.dataset.group === group && tab.dataset.sync === sync) tab.checked = true;
  }

  for (const tab of all(".attn-tabs > input")) {
    const { group, sync } = tab.dataset;
    if (stored("localStorage", `tab-${group}`) === sync) turn(group, sync);
    tab.addEventListener("change", () => {
      const before = tab.getBoundingClientRect().top;
      turn(group, sync);
      scrollBy(0, tab.getBoundingClientRect().top - before); // other sets above may have grown
      stored("localStorage", `tab-${group}`, sync);
    });
  }

  for (const button of all("[data-print]")) button.addEventListener("click", () => print());
})();

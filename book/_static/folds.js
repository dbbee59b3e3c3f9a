/**
 * The closed boxes of a page (_ext/content/folds.py): a link that points into one opens it, and on
 * paper all of them are open.
 */

(() => {
  /** Open what the address points at; "#lookup?q=Le" points at the figure of this name. */
  function reveal() {
    const name = location.hash.slice(1).split("?")[0];
    const target =
      document.querySelector(":target") ?? document.getElementById(`figure-${name}`) ?? document.getElementById(name);
    /** @type {HTMLDetailsElement | null} */
    let box = target?.closest("details:not([open])");
    if (!box) return;
    for (; box; box = box.closest("details:not([open])")) box.open = true;
    target.scrollIntoView();
  }

  reveal();
  addEventListener("hashchange", reveal);
  // The same link once more: the address does not change, and the reader may have closed the box.
  document.addEventListener("click", (event) => {
    /** @type {HTMLAnchorElement | null} */
    const link = /** @type {Element} */ (event.target).closest("a[href*='#']");
    if (link?.href === location.href) reveal();
  });

  /** @type {HTMLDetailsElement[]} */
  let closed = [];
  addEventListener("beforeprint", () => {
    /** @type {NodeListOf<HTMLDetailsElement>} */
    const folds = document.querySelectorAll(".attn-fold:not([open])");
    closed = [...folds];
    for (const box of closed) box.open = true;
  });
  addEventListener("afterprint", () => {
    for (const box of closed) box.open = false;
  });
})();

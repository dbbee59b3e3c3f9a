/**
 * A formula, table or piece of code that is wider than its column scrolls by itself. As long as it
 * does, the keyboard can reach it, and a screen reader hears what it is.
 */

(() => {
  const { formula, table, code, output } = document.currentScript.dataset;

  /** @param {HTMLElement} element */
  function mark(element) {
    const scrolls = element.scrollWidth > element.clientWidth;
    const program = element.closest(".cell_output") ? output : code;
    const name = element.matches("pre") ? program : element.matches(".math") ? formula : table;
    set(element, "tabindex", scrolls ? "0" : null);
    set(element, "role", scrolls ? "group" : null);
    set(element, "aria-label", scrolls ? name : null);
  }

  function set(element, attribute, value) {
    if (value === null) element.removeAttribute(attribute);
    else element.setAttribute(attribute, value);
  }

  // The content changes its size as well: when formulas are set, when a closed box opens.
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) mark(target.closest("[data-scrolls]"));
  });
  for (const element of document.querySelectorAll(".bd-article :is(div.math, pre, .pst-scrollable-table-container)")) {
    if (element.closest("attn-explorer")) continue; // figures look after their own
    element.dataset.scrolls = "";
    for (const sized of [element, ...element.children]) observer.observe(sized);
  }
})();

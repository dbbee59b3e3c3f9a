// A figure on a page changes in itself alone: what a move changes is laid out within it, and the page around it, a long
// one, need not be looked at.

/**
 * Keep the room of a figure as large as the figure is, and its layout apart from the page's.
 * In Chromium (seen in 156) a `select` in the figure undoes this, as what a popover may be anchored to is made known
 * outside: a move costs a fifth more, so a figure with sliders offers its choices as radio buttons.
 * @param {HTMLElement} around what holds the figure and nothing else @param {HTMLElement} figure
 */
export function island(around, figure) {
  new ResizeObserver(([{ borderBoxSize }]) => {
    // The size first: an element whose contents do not count for its size has none of its own.
    around.style.height = `${borderBoxSize[0].blockSize}px`;
    around.style.contain = "size layout style";
  }).observe(figure);
}

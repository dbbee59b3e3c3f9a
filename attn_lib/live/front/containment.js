// Layout containment: a move changes a figure and nothing around it, so the browser need not lay out the rest of the page.

/**
 * Contain the layout of a figure in its element, and keep that element as high as the figure.
 * In Chromium (seen in 156) a `select` in the figure undoes this, because a popover may be anchored to it from outside:
 * a move costs a fifth more. So a figure with sliders offers its choices as radio buttons.
 * @param {HTMLElement} element holds the figure and nothing else @param {HTMLElement} figure
 */
export function containLayout(element, figure) {
  new ResizeObserver(([{ borderBoxSize }]) => {
    // The height first: under size containment the contents give the element none.
    element.style.height = `${borderBoxSize[0].blockSize}px`;
    element.style.contain = "size layout style";
  }).observe(figure, { box: "border-box" });
}

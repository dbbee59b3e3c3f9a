// Scrolling to what a press has changed, where it cannot be seen.

/**
 * Scroll to the beginning of an element, unless it is below the page's header and seen.
 * @param {Element} element
 * @param {(top: number) => boolean} isSeen whether enough is seen of an element that begins there
 */
export function bringIntoView(element, isSeen) {
  const header = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  const { top } = element.getBoundingClientRect();
  if (top < header || !isSeen(top)) element.scrollIntoView({ block: "start" });
}

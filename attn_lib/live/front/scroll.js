// Scrolls to what a press has changed, if it is out of sight.

/**
 * Scroll to the beginning of an element, unless it is below the page's header and seen.
 * @param {Element} element
 * @param {(top: number) => boolean} [isSeen] whether enough is seen of an element that begins there
 */
export function bringIntoView(element, isSeen = () => true) {
  if (roomAbove(element) < 0 || !isSeen(element.getBoundingClientRect().top)) element.scrollIntoView({ block: "start" });
}

/** How far an element begins below the page's header. */
function roomAbove(element) {
  const { scrollPaddingTop } = getComputedStyle(document.documentElement);
  const { scrollMarginTop } = getComputedStyle(element);
  const room = (parseFloat(scrollPaddingTop) || 0) + parseFloat(scrollMarginTop);
  return element.getBoundingClientRect().top - room;
}

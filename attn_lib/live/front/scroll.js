// Scrolls to what a press has changed, if it is out of sight.

/**
 * Scroll to the beginning of an element, unless it is below the page's header and seen.
 * @param {Element} element
 * @param {(top: number) => boolean} [isSeen] whether enough is seen of an element that begins there
 */
export function bringIntoView(element, isSeen = () => true) {
  if (roomAbove(element) < 0 || !isSeen(element.getBoundingClientRect().top)) element.scrollIntoView({ block: "start" });
}

/**
 * Scroll until all from one element to the end of another is seen, and no further; the beginning counts for more.
 * @param {Element} first @param {Element} last
 */
export function bringBothIntoView(first, last) {
  const shown = document.createRange(); // it may have no box of its own
  shown.selectNodeContents(last);
  const beyond = Math.max(0, shown.getBoundingClientRect().bottom - innerHeight);
  scrollBy(0, Math.min(beyond, roomAbove(first)));
}

/** How far an element begins below the page's header. */
function roomAbove(element) {
  const { scrollPaddingTop } = getComputedStyle(document.documentElement);
  const { scrollMarginTop } = getComputedStyle(element);
  const room = (parseFloat(scrollPaddingTop) || 0) + parseFloat(scrollMarginTop);
  return element.getBoundingClientRect().top - room;
}

// What a closed fold hides is painted when the hand rests: nobody sees it, and a move has to fit into a frame.

const REST = 120; // ms

/** @type {WeakMap<Element, number>} */
const waiting = new WeakMap();

/**
 * Paint at once what can be seen, and what a fold of the figure hides a moment after the last call.
 * @param {Element} element @param {() => void} paint
 */
export function paintSeen(element, paint) {
  const isWaiting = waiting.has(element);
  const finish = () => {
    if (waiting.delete(element)) element.removeAttribute("aria-busy");
    paint();
  };
  clearTimeout(waiting.get(element));
  if (!element.closest(".attn-figure details:not([open])")) return finish();
  if (!isWaiting) element.setAttribute("aria-busy", "true");
  waiting.set(element, setTimeout(finish, REST));
}

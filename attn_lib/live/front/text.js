// Changes to elements that are there already. Each changes as little as possible, because a browser computes styles anew
// for whatever is set, even to the value that it has.

/**
 * Set the text of a node that holds nothing else. The text node stays: a new one would have the styles of its neighbours
 * computed again.
 * @param {Node} node @param {string} text
 */
export function setText(node, text) {
  const own = /** @type {Text | null} */ (node.firstChild);
  if (!own) node.textContent = text;
  else if (own.data !== text) own.data = text;
}

/**
 * Hide an element, or show it.
 * @param {any} element @param {boolean} hidden
 */
export function hide(element, hidden) {
  if (element.hidden !== hidden) element.hidden = hidden;
}

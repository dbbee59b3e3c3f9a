// Changing what is drawn already, and no more of it than changes: a browser looks again at the style of all else.

/**
 * Change the text of a node that holds nothing else, without making a new one: all that a style says of what a node
 * contains would be looked at again.
 * @param {Node} node @param {string} text
 */
export function say(node, text) {
  if (!node.firstChild) node.textContent = text;
  else if (node.firstChild.data !== text) node.firstChild.data = text;
}

/**
 * Hide an element, or show it. Browsers style anew also what is hidden already and told so again.
 * @param {any} element @param {boolean} hidden
 */
export function hide(element, hidden) {
  if (element.hidden !== hidden) element.hidden = hidden;
}

// Writing into what is drawn already.

/**
 * Change the text of a node that holds nothing else, without making a new one: all that a style says of what a node
 * contains would be looked at again.
 * @param {Node} node @param {string} text
 */
export function say(node, text) {
  if (!node.firstChild) node.textContent = text;
  else if (node.firstChild.data !== text) node.firstChild.data = text;
}

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

// Around what is bold in a text, and behind the name of its hue.
const [OPEN, HUE, CLOSE] = ["\u0001", "\u0002", "\u0003"];
const BOLD = new RegExp(`${OPEN}(\\w+)${HUE}([^${CLOSE}]*)${CLOSE}`);

/** Slots of which some have a hue, for `setMarked`. @param {Record<string, string>} slots @param {Record<string, string>} hues */
export function markSlots(slots, hues) {
  const marked = Object.entries(hues).map(([name, hue]) => [name, `${OPEN}${hue}${HUE}${slots[name]}${CLOSE}`]);
  return { ...slots, ...Object.fromEntries(marked) };
}

/** Set a text with bold parts, as host/figure.py writes it. @param {Element} element @param {string} text */
export function setMarked(element, text) {
  // Text, hue, bold text, text, hue, ...
  const parts = text.split(BOLD);
  const nodes = /** @type {Node[]} */ ([]);
  parts.forEach((part, i) => {
    if (i % 3 === 2) nodes.push(Object.assign(document.createElement("b"), { className: `attn-hue-${parts[i - 1]}`, textContent: part }));
    else if (i % 3 === 0 && part) nodes.push(document.createTextNode(part));
  });
  const shape = (/** @type {Iterable<any>} */ all) => [...all].map(({ className = "" }) => className).join();
  if (shape(nodes) !== shape(element.childNodes)) element.replaceChildren(...nodes);
  else {
    nodes.forEach(({ textContent }, i) => {
      const old = element.childNodes[i];
      if (old.textContent !== textContent) old.textContent = textContent;
    });
  }
}

/**
 * Hide an element, or show it.
 * @param {any} element @param {boolean} hidden
 */
export function hide(element, hidden) {
  if (element.hidden !== hidden) element.hidden = hidden;
}

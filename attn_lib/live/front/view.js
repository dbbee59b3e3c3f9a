// Paints a whole view: its parts, its sentences, its summary. Both hosts use it.

import { fill, sumUp } from "./numbers.js";
import { paintHeatmap, paintNumbers } from "./heatmap.js";
import { paintVisible } from "./deferred.js";
import { hide, markSlots, setMarked, setText } from "./text.js";

const PAINTERS = {
  heatmap: paintHeatmap,
  numbers: paintNumbers,
};

/**
 * @typedef {object} View
 * @property {Record<string, any>} parts numbers by the part's name
 * @property {Record<string, string>} slots formatted numbers for sentences
 * @property {string[]} summary names of the sentences that sum the state up
 */

/**
 * Show a view in a figure that is drawn already.
 * @param {HTMLElement} root the element around the view and its summary
 * @param {View} view
 * @param {any} words the figure's words, from its declaration
 * @param {{ note?: string }} [more] a sentence to add
 */
export function paintView(root, view, words, { note } = {}) {
  const { parts, sentences, slots } = elementsOf(root);
  for (const element of parts) {
    paintVisible(element, () => {
      const part = view.parts[element.dataset.part];
      // A part that is null does not exist in this state.
      hide(element, part === null);
      // What has no painter here is painted by the figure's own drawing.js.
      if (part !== null) PAINTERS[element.dataset.view]?.(element, part, words.frame);
    });
  }
  for (const element of sentences) {
    setText(element, fill(words.sentences[element.dataset.sentence], view.slots));
  }
  for (const element of slots) {
    // A hidden column has room for a name that is not there.
    setText(element, view.slots[element.dataset.slot] ?? "");
  }
  // Beside what is in hand the sentence follows at once; screen readers hear the hand.
  setMarked(summaryOf(root), sumUp({ ...view, slots: markSlots(view.slots, words.hues) }, words, note));
}

/** @type {WeakMap<HTMLElement, Record<"parts" | "sentences" | "slots", NodeListOf<HTMLElement>>>} */
const elements = new WeakMap();

/** The elements that a view is painted into, found once, as they stay. */
function elementsOf(root) {
  if (!elements.has(root)) {
    const [parts, sentences, slots] = ["part", "sentence", "slot"].map((kind) => root.querySelectorAll(`[data-${kind}]`));
    elements.set(root, { parts, sentences, slots });
  }
  return elements.get(root);
}

/** The element with the sentences that sum a view up. */
export function summaryOf(root) {
  return root.querySelector(".attn-summary");
}

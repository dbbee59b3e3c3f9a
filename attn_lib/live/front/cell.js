// A cell of a table: its number, the shade of a weight, and for screen readers what its look says. All that is painted in
// a cell is found by its class. The markup is host/templates/cell.html, the look figure.css, under "A cell", and
// shades.json says how many shades there are and from which on the text turns.

import { formatFine, formatNumber, formatOutput, formatSmall, formatWeight, tone } from "./numbers.js";
import { hundredth, setAttributes } from "./svg.js";
import { setText } from "./text.js";

/**
 * @typedef {object} Nodes
 * @property {HTMLElement} number
 * @property {HTMLElement | null} shade a cell without a weight has none
 * @property {HTMLElement | null} spoken for screen readers alone, where there is something to say
 */

/** @type {WeakMap<Element, Nodes>} */
const nodes = new WeakMap();

/** The elements of a cell that are painted, found once, as they stay. @param {Element} cell @returns {Nodes} */
export function nodesOf(cell) {
  if (!nodes.has(cell)) {
    const [number, shade, spoken] = ["number", "shade", "sr"].map((name) => cell.querySelector(`.attn-${name}`));
    nodes.set(cell, { number, shade, spoken });
  }
  return nodes.get(cell);
}

// What `data-digits` names where a number of decimals does not say how numbers are written.
const WRITERS = { output: formatOutput, weight: formatWeight, fine: formatFine, small: formatSmall };

/**
 * Write a number as a table's `data-digits` says: by a name, a number of decimals, or "" for as many as it has.
 * @param {number | null} value @param {string} digits
 */
export function written(value, digits) {
  return WRITERS[digits]?.(value) ?? formatNumber(value, digits ? Number(digits) : null);
}

/**
 * Paint the weight of a cell.
 * @param {Element} cell @param {number | null} weight @param {string} text the weight as written
 */
export function paintWeight(cell, weight, text) {
  setAttributes(cell, { "data-weight": weight });
  paintShade(cell, weight);
  const { number } = nodesOf(cell);
  if (number.textContent === text) return;
  // A narrow column drops the leading zero (`cell` of page.py). Its element is made once and kept empty where there is
  // none: for a new one a browser would compute the styles of much of the page again.
  if (!number.firstElementChild) number.innerHTML = '<span class="attn-zero"></span>.';
  const fraction = text.startsWith("0.");
  setText(number.querySelector(".attn-zero"), fraction ? "0" : "");
  /** @type {Text} */ (number.lastChild).data = fraction ? text.slice(1) : text;
}

/**
 * Paint the shade of a cell, by the class of its hundredth in place of the style with which it was served.
 * @param {Element} cell @param {number | null} weight
 */
export function paintShade(cell, weight) {
  const { shade } = nodesOf(cell);
  setAttributes(shade, { class: `attn-shade ${hundredth(weight ?? 0)}`, "data-tone": tone(weight ?? 0) });
  shade.removeAttribute("style");
}

/** Paint the plain number of a cell. @param {Element} cell @param {number | null} value @param {string} text as written */
export function paintNumber(cell, value, text) {
  setAttributes(cell, { "data-value": value });
  setText(nodesOf(cell).number, text);
}

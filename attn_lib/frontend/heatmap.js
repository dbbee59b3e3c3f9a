// Paints tables of numbers: weights as a heatmap, scores and outputs without colour.
// The table is there already (explorer/templates/parts.html); painting changes numbers, never structure.

import { formatFine, formatNumber, formatOutput, formatSmall, formatWeight, tone } from "./format.js";
import { paintOnScreen, paintWhenStill } from "./deferred.js";
import { hundredth, setAttributes } from "./svg.js";
import { hide, setText } from "./text.js";

/**
 * @typedef {object} Part
 * @property {(number | null)[][]} rows
 * @property {boolean[][]} [masked]
 * @property {number | null} [chosen] index of the outlined column
 * @property {number} [digits] decimals of plain numbers
 * @property {string[]} [notes] one text beside each row
 */
/** @typedef {{ masked: string, leak: string }} Words */

// What `data-digits` names where a number of decimals does not say how numbers are written.
const WRITERS = { output: formatOutput, weight: formatWeight, fine: formatFine, small: formatSmall };

/**
 * Paint attention weights.
 * @param {HTMLElement} table @param {Part} part @param {Words} words
 */
export function paintHeatmap(table, part, words) {
  const write = WRITERS[table.dataset.digits] ?? WRITERS.weight;
  const paint = (cell, weight, masked) => {
    const leak = masked && weight > 0;
    cell.classList.toggle("attn-leak", leak);
    setAttributes(cell, { "data-weight": weight });
    shade(cell, weight);
    writeWeight(cell.lastElementChild.previousElementSibling, write(weight));
    return masked ? (leak ? words.leak : words.masked) : "";
  };
  eachCell(table, part, paint, (row, i) => {
    if (!part.notes) return;
    setText(row.querySelector(".attn-note-text"), part.notes[i]);
    hide(row.querySelector(".attn-leak-word"), !row.querySelector(".attn-leak"));
  });
}

/**
 * Give a cell the colour of its weight, by the class of its hundredth in place of the style with which it was served.
 * @param {HTMLElement} cell @param {number | null} weight
 */
export function shade(cell, weight) {
  const [under] = cell.children;
  setAttributes(under, { class: `attn-shade ${hundredth(weight ?? 0)}`, "data-tone": tone(weight ?? 0) });
  under.removeAttribute("style");
}

/**
 * Paint plain numbers. The part says how many decimals, else `data-digits` on the table: "" as many as there are.
 * @param {HTMLElement} table @param {Part} part @param {Words} words
 */
export function paintNumbers(table, part, words) {
  const digits = String(part.digits ?? table.dataset.digits ?? "");
  eachCell(table, part, (cell, value, masked) => {
    setAttributes(cell, { "data-value": value });
    const text = WRITERS[digits]?.(value) ?? formatNumber(value, digits ? Number(digits) : null);
    setText(cell.firstElementChild, text);
    return masked ? words.masked : "";
  });
}

/**
 * Call `paint(cell, value, masked)` for every number of a table, or of a row that shows one of a part, and after those of a
 * row `end(row, i)`. A row outside of the window waits for the hand to rest, and so does what can only be heard: the text
 * that `paint` returns, for the last element of the cell.
 * @param {any} table @param {Part} part
 * @param {(cell: HTMLElement, value: number | null, masked: boolean) => any} paint
 * @param {(row: HTMLElement, i: number) => void} [end]
 */
export function eachCell(table, part, paint, end) {
  const isChosen = (j) => j === part.chosen;
  [...(table.tHead?.rows[0].querySelectorAll("th") ?? [])].forEach((header, j) =>
    header.classList.toggle("attn-chosen", isChosen(j)),
  );
  const first = firstOf(table);
  rowsOf(table).forEach((tr, position) => {
    const i = first + position;
    paintOnScreen(tr, () => {
      const cells = cellsOf(tr);
      const heard = part.rows[i].map((raw, j) => {
        // JSON has no infinity: a kernel sends it as the text "-Infinity".
        const value = raw === null ? null : Number(raw);
        const masked = Boolean(part.masked?.[i][j]);
        cells[j].classList.toggle("attn-masked", masked);
        cells[j].classList.toggle("attn-chosen", isChosen(j));
        return paint(cells[j], value, masked);
      });
      end?.(tr, i);
      const isNews = (text, j) => text !== undefined && cells[j].lastElementChild.textContent !== text;
      if (heard.some(isNews)) paintWhenStill(tr, () => heard.forEach((text, j) => setText(cells[j].lastElementChild, text)));
    });
  });
}

/** @type {WeakMap<HTMLElement, NodeListOf<HTMLElement>>} */
const cells = new WeakMap();

/** The cells of a row with a number: looked for once, as they stay. */
function cellsOf(row) {
  if (!cells.has(row)) cells.set(row, row.querySelectorAll(".attn-weight, .attn-value"));
  return cells.get(row);
}

/** The rows that show a part: those of a table's body, or the one row that stands among others. */
function rowsOf(element) {
  return element.matches("tr") ? [element] : [...element.tBodies[0].rows];
}

/** The row of the part that the first of them shows. */
function firstOf(element) {
  return Number(element.dataset.first ?? 0);
}

/** Write a weight. */
function writeWeight(number, text) {
  if (number.textContent === text) return;
  // A narrow column drops the leading zero. Made once, kept empty where there is none: a new element would have the
  // style of much of the page looked at again.
  if (!number.firstElementChild) number.innerHTML = '<span class="attn-zero"></span>.';
  const fraction = text.startsWith("0.");
  setText(number.firstElementChild, fraction ? "0" : "");
  number.lastChild.data = fraction ? text.slice(1) : text;
}

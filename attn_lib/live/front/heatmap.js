// Paints tables of numbers: weights as a heatmap, scores and outputs without colour. The table is there already
// (host/templates/parts.html): painting changes numbers, never structure. What a cell consists of is known to cell.js.

import { nodesOf, paintNumber, paintWeight, written } from "./cell.js";
import { paintOnScreen, paintWhenStill } from "./deferred.js";
import { fill } from "./numbers.js";
import { hide, setText } from "./text.js";

/**
 * @typedef {object} Part
 * @property {(number | null)[][]} rows
 * @property {boolean[][]} [masked]
 * @property {number | null} [chosen] index of the outlined column
 * @property {number} [digits] decimals of plain numbers
 * @property {string[]} [notes] one text beside each row
 * @property {{ rows: (number | null | undefined)[][], said: string, whole: any }} [book] what the book has where a reader's function
 * gives something else
 */
/** @typedef {{ masked: string, leak: string }} Words */

/**
 * Paint attention weights.
 * @param {HTMLElement} table @param {Part} part @param {Words} words
 */
export function paintHeatmap(table, part, words) {
  const digits = table.dataset.digits ?? "weight";
  const paint = (cell, weight, masked, i, j) => {
    const leak = masked && weight > 0;
    cell.classList.toggle("attn-leak", leak);
    paintWeight(cell, weight, written(weight, digits));
    return [masked ? (leak ? words.leak : words.masked) : "", unlike(cell, part, i, j, digits)].filter(Boolean).join(", ");
  };
  eachCell(table, part, paint, (row, i) => {
    if (!part.notes) return;
    setText(row.querySelector(".attn-note-text"), part.notes[i]);
    hide(row.querySelector(".attn-leak-word"), !row.querySelector(".attn-leak"));
  });
}

/**
 * Paint plain numbers. The part says how many decimals, else `data-digits` on the table: "" as many as there are.
 * @param {HTMLElement} table @param {Part} part @param {Words} words
 */
export function paintNumbers(table, part, words) {
  const digits = String(part.digits ?? table.dataset.digits ?? "");
  eachCell(table, part, (cell, value, masked, i, j) => {
    paintNumber(cell, value, written(value, digits));
    return [masked ? words.masked : "", unlike(cell, part, i, j, digits)].filter(Boolean).join(", ");
  });
}

/**
 * Mark a cell whose number is not the book's, and say what the book has.
 * @param {HTMLElement} cell @param {Part} part @param {number} i @param {number} j @param {string} digits
 */
function unlike(cell, { book }, i, j, digits) {
  const own = book?.rows[i][j];
  cell.classList.toggle("attn-unlike", own !== undefined);
  return own === undefined ? "" : fill(book.said, { w: written(own, digits) });
}

/**
 * Call `paint(cell, value, masked, i, j)` for every number of a table, or of a row that stands alone, and after each row
 * `end(row, i)`. During a move, rows outside the window are deferred, and so is the text that `paint` returns, which
 * only screen readers get.
 * @param {any} table @param {Part} part
 * @param {(cell: HTMLElement, value: number | null, masked: boolean, i: number, j: number) => any} paint
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
      const texts = part.rows[i].map((raw, j) => {
        // JSON has no infinity: a kernel sends it as the text "-Infinity".
        const value = raw === null ? null : Number(raw);
        const masked = Boolean(part.masked?.[i][j]);
        cells[j].classList.toggle("attn-masked", masked);
        cells[j].classList.toggle("attn-chosen", isChosen(j));
        return paint(cells[j], value, masked, i, j);
      });
      end?.(tr, i);
      const spokenOf = (j) => (texts[j] === undefined ? null : nodesOf(cells[j]).spoken);
      const isNews = (text, j) => spokenOf(j) && spokenOf(j).textContent !== text;
      if (!texts.some(isNews)) return;
      paintWhenStill(tr, () => texts.forEach((text, j) => spokenOf(j) && setText(spokenOf(j), text)));
    });
  });
}

/** @type {WeakMap<HTMLElement, NodeListOf<HTMLElement>>} */
const cells = new WeakMap();

/** The cells of a row with a number, found once, as they stay. */
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

// Paints a bare matrix, the entries that one output is made of outlined.

import { paintNumbers } from "../../frontend/heatmap.js";

/**
 * @param {HTMLTableElement} table
 * @param {import("../../frontend/heatmap.js").Part & { marked: boolean[][] }} part
 * @param {import("../../frontend/heatmap.js").Words} words
 */
export function paintMatrix(table, part, words) {
  paintNumbers(table, part, words);
  part.marked.forEach((row, i) =>
    row.forEach((marked, j) => table.tBodies[0].rows[i].cells[j].classList.toggle("attn-marked", marked)),
  );
}

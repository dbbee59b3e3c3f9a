// Paints a bare matrix, the entries that one output is made of outlined.

import { paintNumbers } from "../../front/heatmap.js";

/**
 * @param {HTMLTableElement} table
 * @param {import("../../front/heatmap.js").Part & { marked: boolean[][] }} part
 * @param {import("../../front/heatmap.js").Words} words
 */
export function paintMatrix(table, part, words) {
  paintNumbers(table, part, words);
  part.marked.forEach((row, i) =>
    row.forEach((marked, j) => table.tBodies[0].rows[i].cells[j].classList.toggle("attn-marked", marked)),
  );
}

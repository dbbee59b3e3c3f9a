// Paints a table with one key a row: plain numbers, and the weight as a bar.

import { formatNumber } from "../../front/numbers.js";
import { nodesOf, paintNumber } from "../../front/cell.js";
import { eachCell } from "../../front/heatmap.js";
import { setText } from "../../front/text.js";

/**
 * @param {HTMLElement} table
 * @param {import("../../front/heatmap.js").Part} part each row is [...numbers, weight]
 * @param {number | null} digits how many decimals a weight has
 */
export function paintBars(table, part, digits) {
  eachCell(table, part, (cell, value) => {
    if (cell.classList.contains("attn-weight")) {
      // Its length, not a tint alone: hundredths would show. And it was served with a style of its own.
      cell.querySelector(".attn-track").style.setProperty("--w", (value ?? 0).toFixed(3));
      cell.dataset.weight = String(value);
      setText(nodesOf(cell).number, formatNumber(value, digits));
    } else {
      paintNumber(cell, value, formatNumber(value, Number(cell.dataset.digits)));
    }
  });
}

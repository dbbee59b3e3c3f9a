// Paints a table with one key a row: plain numbers, and the weight as a bar.

import { formatNumber } from "../../frontend/format.js";
import { eachCell } from "../../frontend/heatmap.js";
import { setText } from "../../frontend/text.js";

/**
 * @param {HTMLElement} table
 * @param {import("../../frontend/heatmap.js").Part} part each row is [...numbers, weight]
 * @param {number | null} digits how many decimals a weight has
 */
export function paintBars(table, part, digits) {
  eachCell(table, part, (cell, value) => {
    const number = cell.querySelector(".attn-number");
    if (cell.classList.contains("attn-weight")) {
      // Its length, not a tint alone: hundredths would show. And it was served with a style of its own.
      /** @type {HTMLElement} */ (cell.lastElementChild).style.setProperty("--w", (value ?? 0).toFixed(3));
      cell.dataset.weight = String(value);
      setText(number, formatNumber(value, digits));
    } else {
      cell.dataset.value = String(value);
      setText(number, formatNumber(value, Number(cell.dataset.digits)));
    }
  });
}

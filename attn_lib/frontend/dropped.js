// Paints weights after dropout: numbers without colour, since they may lie above 1, with their row sums.

import { paintNumbers } from "./heatmap.js";

/**
 * @param {HTMLElement} table
 * @param {import("./heatmap.js").Part & { dropped: boolean[][] }} part
 * @param {import("./heatmap.js").Words} words
 */
export function paintDropped(table, part, words) {
  paintNumbers(table, part, words);
  part.dropped.forEach((row, i) => {
    const { cells } = table.tBodies[0].rows[i];
    row.forEach((dropped, j) => {
      cells[j + 1].classList.toggle("attn-dropped", dropped);
      cells[j + 1].querySelector(".attn-drop-word").hidden = !dropped;
    });
    table.tBodies[0].rows[i].querySelector(".attn-note-text").textContent = part.notes[i];
  });
}

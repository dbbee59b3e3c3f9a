// Paints a ladder of shapes: one line of code per row, its result's axes beside it, in columns by axis number.

import { setText } from "../../front/text.js";

/** What a row shows; most moves change few of them. @type {WeakMap<HTMLTableRowElement, string>} */
const painted = new WeakMap();

/**
 * @param {HTMLTableElement} table
 * @param {{ rows: (number | null)[][], letters: string[][], marks: string[][], counts: (number | null)[],
 *   code: string[], at: number, failed: boolean }} part sizes of the axes, null where there is none
 */
export function paintLadder(table, part) {
  [...table.tBodies[0].rows].forEach((line, i) => {
    const now = JSON.stringify([part.rows[i], part.letters[i], part.marks[i], part.code[i], part.at - i, part.failed]);
    if (painted.get(line) === now) return;
    painted.set(line, now);
    line.classList.toggle("attn-now", i === part.at);
    line.classList.toggle("attn-ahead", i > part.at);
    line.classList.toggle("attn-failed", i === part.at && part.failed);
    const code = line.querySelector("code");
    if (code.textContent !== part.code[i]) code.replaceChildren(...breakable(part.code[i]));
    const count = part.counts[i];
    setText(line.querySelector(".attn-size"), String(count ?? ""));
    setText(line.querySelector(".attn-bytes"), count === null ? "" : String(4 * count));
    line.querySelectorAll(".attn-axis").forEach((cell, axis) => {
      const size = part.rows[i][axis];
      cell.dataset.value = String(size);
      cell.dataset.mark = part.marks[i][axis];
      cell.classList.toggle("attn-absent", size === null);
      setText(cell.querySelector(".attn-letter"), part.letters[i][axis]);
      setText(cell.querySelector("span:not(.attn-letter)"), String(size ?? ""));
    });
  });
}

/** A call too long for its column breaks before a point. */
function breakable(code) {
  return code.split(/(?=\.)/).flatMap((piece, i) => (i ? [document.createElement("wbr"), piece] : [piece]));
}

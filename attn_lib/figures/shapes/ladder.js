// Paints a ladder of shapes: one line of code per row, its result's axes beside it, in columns by axis number.

/**
 * @param {HTMLElement} table
 * @param {{ rows: (number | null)[][], letters: string[][], marks: string[][], counts: (number | null)[],
 *   code: string[], at: number, failed: boolean }} part sizes of the axes, null where there is none
 */
export function paintLadder(table, part) {
  [...table.tBodies[0].rows].forEach((line, i) => {
    line.classList.toggle("attn-now", i === part.at);
    line.classList.toggle("attn-ahead", i > part.at);
    line.classList.toggle("attn-failed", i === part.at && part.failed);
    line.querySelector("code").replaceChildren(...breakable(part.code[i]));
    const count = part.counts[i];
    line.querySelector(".attn-size").textContent = count ?? "";
    line.querySelector(".attn-bytes").textContent = count === null ? "" : 4 * count;
    line.querySelectorAll(".attn-axis").forEach((cell, axis) => {
      const size = part.rows[i][axis];
      cell.dataset.value = String(size);
      cell.dataset.mark = part.marks[i][axis];
      cell.classList.toggle("attn-one", size === 1);
      cell.firstElementChild.textContent = part.letters[i][axis];
      cell.lastElementChild.textContent = size ?? "";
    });
  });
}

/** A call too long for its column breaks before a point. */
function breakable(code) {
  return code.split(/(?=\.)/).flatMap((piece, i) => (i ? [document.createElement("wbr"), piece] : [piece]));
}

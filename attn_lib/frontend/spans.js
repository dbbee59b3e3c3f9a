// Paints sizes on a logarithmic axis and exact counts. Where the axis begins and ends, the figure knows.

/**
 * @param {HTMLElement} table
 * @param {{ rows: (number | null)[][], places: (number | null)[][], sizes: string[] }} part
 *   each row is [filled, outlined, the larger]; null where there is none
 */
export function paintSpans(table, part) {
  [...table.tBodies[0].rows].forEach((row, i) => {
    row.querySelectorAll("[data-value]").forEach((cell, j) => {
      cell.dataset.value = String(part.rows[i][j]);
    });
    row.querySelectorAll(".attn-lane > span").forEach((bar, j) => {
      const place = part.places[i][j];
      bar.hidden = place === null;
      bar.style.setProperty("--x", (place ?? 0).toFixed(4));
    });
    const [size, exact] = row.querySelector(".attn-bytes-cell").children;
    size.textContent = part.sizes[i];
    exact.textContent = grouped(part.rows[i][2]);
  });
}

/** @param {HTMLElement} table @param {{ rows: number[][] }} part */
export function paintCounts(table, part) {
  [...table.tBodies[0].rows].forEach((row, i) =>
    row.querySelectorAll("[data-value]").forEach((cell, j) => {
      cell.dataset.value = String(part.rows[i][j]);
      cell.textContent = grouped(part.rows[i][j]);
    }),
  );
}

/** A whole number as Python's format(n, ",") writes it, in every language. */
function grouped(number) {
  return number.toLocaleString("en-US");
}

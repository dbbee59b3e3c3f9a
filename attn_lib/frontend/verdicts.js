// Paints what tests say of code: the code itself, what each test expected and got, and a matrix of verdicts.
// A verdict is 1 (the test fails, so the fault is caught), 0 (it passes) or null (it was not run).

/** @param {HTMLElement} pre @param {{ text: string }} part */
export function paintListing(pre, part) {
  pre.firstElementChild.textContent = part.text;
}

/**
 * @param {HTMLElement} table
 * @param {{ rows: (number | null)[][], expected: string[], got: string[] }} part one verdict in each row
 */
export function paintFindings(table, part) {
  [...table.tBodies[0].rows].forEach((row, i) => {
    const [verdict] = part.rows[i];
    row.hidden = verdict === null;
    paintVerdict(table, row.querySelector("[data-value]"), verdict);
    const [expected, got] = row.querySelectorAll(".attn-evidence b");
    expected.textContent = part.expected[i];
    got.textContent = part.got[i];
  });
}

/**
 * @param {HTMLElement} table
 * @param {{ rows: (number | null)[][], at: number, ran: boolean[] }} part rows are exhibits, columns tests
 */
export function paintVerdicts(table, part) {
  [...table.tHead.rows[0].querySelectorAll("th")].forEach((header, n) =>
    header.classList.toggle("attn-unrun", !part.ran[n]),
  );
  [...table.tBodies[0].rows].forEach((row, i) => {
    row.classList.toggle("attn-here", i === part.at);
    row.querySelectorAll("[data-value]").forEach((cell, n) => {
      cell.classList.toggle("attn-unrun", !part.ran[n]);
      paintVerdict(table, cell, part.rows[i][n]);
    });
  });
}

/** The sign for the eye; for the ear the words that the table carries, for 0, 1 and null. */
function paintVerdict(table, cell, verdict) {
  const which = verdict ?? 2;
  const [sign, spoken] = cell.children;
  cell.dataset.value = String(verdict);
  sign.textContent = "✓✗?"[which];
  spoken.textContent = JSON.parse(table.dataset.verdicts)[which];
}

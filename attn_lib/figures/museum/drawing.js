// Figure `museum`, to see: the code itself, its faulty line beside the right one, what each test expected and got, and
// a matrix of verdicts. A verdict is 1 (the test fails, so the fault is caught), 0 (it passes) or null (not run).

/** @type {import("../../frontend/live.js").Mount} */
export function mount(figure) {
  const body = figure.querySelector(".attn-body");
  const [code, line, findings, matrix] = ["code", "line", "findings", "matrix"].map((name) =>
    body.querySelector(`[data-part="${name}"]`),
  );
  return {
    paint({ parts }) {
      code.firstElementChild.textContent = parts.code.text;
      if (parts.line) {
        const [faulty, right] = line.querySelectorAll("code");
        faulty.textContent = parts.line.faulty;
        right.textContent = parts.line.right;
      }
      paintFindings(findings, parts.findings);
      paintMatrix(matrix, parts.matrix);
    },
    grabs: [],
  };
}

function paintFindings(table, { rows, expected, got }) {
  [...table.tBodies[0].rows].forEach((row, i) => {
    const [verdict] = rows[i];
    row.hidden = verdict === null;
    paintVerdict(table, row.querySelector("[data-value]"), verdict);
    const [wanted, came] = row.querySelectorAll(".attn-evidence b");
    wanted.textContent = expected[i];
    came.textContent = got[i];
  });
}

/** Rows are exhibits, columns tests. */
function paintMatrix(table, { rows, at, ran }) {
  [...table.tHead.rows[0].querySelectorAll("th")].forEach((header, n) =>
    header.classList.toggle("attn-unrun", !ran[n]),
  );
  [...table.tBodies[0].rows].forEach((row, i) => {
    row.classList.toggle("attn-here", i === at);
    row.querySelectorAll("[data-value]").forEach((cell, n) => {
      cell.classList.toggle("attn-unrun", !ran[n]);
      paintVerdict(table, cell, rows[i][n]);
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

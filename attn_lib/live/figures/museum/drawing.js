// Figure `museum`, to see and to press: the code itself with its faulty lines above the right ones, what each test
// expected and got, and a matrix of verdicts. A verdict is 1 (the test fails, so the fault is caught), 0 (it passes)
// or null (not run).

import { fill } from "../../front/numbers.js";
import { setText } from "../../front/text.js";

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { words }) {
  const body = figure.querySelector(".attn-body");
  const code = body.querySelector('[data-part="code"]');
  /** @type {HTMLTableElement[]} */
  const [findings, matrix] = ["findings", "matrix"].map((name) => body.querySelector(`[data-part="${name}"]`));
  const tallies = body.querySelectorAll(".attn-tally");
  // Who can press a head reads so in place of the table's name.
  matrix.querySelector(".attn-plain").classList.add("attn-sr");
  // A press on the name of a test or on a verdict leads to the test's lines and to what it found. The target is no
  // help: a table that holds the mouse is itself what was clicked.
  const lead = (table, testOf) =>
    table.addEventListener("click", ({ clientX, clientY }) => {
      const cell = document.elementFromPoint(clientX, clientY)?.closest("th, td.attn-verdict-cell");
      if (cell) findings.tBodies[0].rows[testOf(cell)]?.querySelector("input")?.focus({ preventScroll: true });
    });
  // A tap on a row would take the focus away, and with it the test that was chosen; the mouse does not.
  matrix.addEventListener("mousedown", (event) => event.preventDefault());
  lead(findings, (cell) => cell.parentElement.sectionRowIndex);
  lead(matrix, (cell) => cell.cellIndex - 1);
  return {
    paint({ parts, slots }) {
      paintCode(code, parts.code);
      paintFindings(findings, parts.findings);
      paintMatrix(matrix, parts.matrix);
      // Of what was not run nothing is counted.
      for (const tally of tallies) {
        setText(tally, fill(words.sentences[parts.matrix.tally], slots));
        tally.hidden = slots.of === "0";
        tally.classList.toggle("attn-all", parts.matrix.tally !== "tally");
      }
    },
    grabs: [pressed(matrix)],
  };
}

function paintCode(code, { lines }) {
  const kinds = JSON.parse(code.dataset.kinds);
  while (code.children.length > lines.length) code.lastElementChild.remove();
  while (code.children.length < lines.length) code.append(code.firstElementChild.cloneNode(true));
  lines.forEach(([pieces, kind], i) => {
    const line = code.children[i];
    const [spoken, said] = [line.querySelector(":scope > .attn-sr"), line.querySelector(":scope > :not(.attn-sr)")];
    line.dataset.kind = kind;
    setText(spoken, kinds[kind]);
    if (said.textContent !== `${pieces.join("")}\n`) said.replaceChildren(...pieces.flatMap(broken), "\n");
  });
}

/** A piece of a line, as in verdicts.html: every other one is not broken, and before a point a line may be. */
function broken(piece, i) {
  if (!piece || i % 2 === 0) return piece.startsWith(".") ? [document.createElement("wbr"), piece] : [piece];
  const whole = document.createElement("span");
  whole.className = "attn-uncut";
  whole.append(piece);
  return [whole];
}

function paintFindings(table, { rows, expected, got, at }) {
  [...table.tBodies[0].rows].forEach((row, i) => {
    row.classList.toggle("attn-shown", i === at);
    paintVerdict(table, row.querySelector("[data-value]"), rows[i][0]);
    const [came, wanted] = row.querySelectorAll(".attn-evidence p b");
    paintNumbers(came, got[i], expected[i], rows[i][0]);
    setText(wanted, expected[i]);
  });
}

/** What a test got: where it fails, numbers that are not the expected ones are marked. */
function paintNumbers(node, got, expected, verdict) {
  const wanted = expected.split(" ");
  const differs = (piece, i) => verdict === 1 && piece !== wanted[i];
  const pieces = got.split(" ");
  const marks = pieces.filter(differs).length;
  if (node.textContent === got && node.children.length === marks) return;
  node.replaceChildren(
    ...pieces.flatMap((piece, i) => {
      const text = document.createElement("span");
      text.className = "attn-differs";
      text.append(piece);
      return [i ? " " : "", differs(piece, i) ? text : piece];
    }),
  );
}

/** Rows are exhibits, columns tests. */
function paintMatrix(table, { rows, at, ran, fates }) {
  const words = JSON.parse(table.dataset.fates);
  [...table.tHead.rows[0].querySelectorAll("th")].forEach((header, n) =>
    header.classList.toggle("attn-unrun", !ran[n]),
  );
  [...table.tBodies[0].rows].forEach((row, i) => {
    row.classList.toggle("attn-here", i === at);
    row.dataset.fate = String(fates[i]);
    setText(row.querySelector(".attn-fate"), words[fates[i]] ?? "");
    row.querySelectorAll("[data-value]").forEach((cell, n) => paintVerdict(table, cell, rows[i][n]));
  });
}

/** The sign for the eye; for the ear the words that the table carries, for 0, 1 and null. */
function paintVerdict(table, cell, verdict) {
  const which = verdict ?? 2;
  const [sign, spoken] = [cell.querySelector(".attn-sign"), cell.querySelector(".attn-sr")];
  // A style that named the value of a cell would have every cell of every figure looked at again.
  cell.dataset.value = cell.dataset.found = String(verdict);
  setText(sign, "✓✗·"[which]);
  setText(spoken, JSON.parse(table.dataset.verdicts)[which]);
}

/** A head runs its test or takes it back; a row chooses its exhibit, and its cell runs the test as well. */
function pressed(table) {
  return ({ control }) => ({
    surface: table,
    tap(x, y, { t: ticked }) {
      const hit = [...table.querySelectorAll("th, tbody td")].find(
        ({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) =>
          x >= offsetLeft && x < offsetLeft + offsetWidth && y >= offsetTop && y < offsetTop + offsetHeight,
      );
      if (!hit) return null;
      const isTest = hit.matches("thead th, .attn-verdict-cell"); // before them a name, behind them its fate
      const test = isTest ? hit.cellIndex : 0;
      const others = ticked.filter((n) => n !== test);
      const withIt = test > 0 ? [...others, test].sort((a, b) => a - b) : ticked;
      if (hit.closest("thead")) return { t: ticked.includes(test) ? others : withIt };
      return { bug: control("bug").options[hit.parentElement.sectionRowIndex], t: withIt };
    },
  });
}

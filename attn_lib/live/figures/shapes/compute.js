// Figure `shapes`: which axis did that line just change? The browser's port of __init__.py.

import { NO_BREAK_SPACE, enclosed, formatNumber } from "../../front/numbers.js";
import { dot } from "../../front/scoring.js";

const COLUMNS = 4;
// What PyTorch says of a product whose weights lack an axis.
const BMM_ERROR = "batch1 must be a 3D tensor";

/**
 * One line of code and the shape it makes. A layout has a letter for each axis, in the column where the
 * drawing shows it; a space is an empty column, "·" is an axis without a meaning, and "=" one that queries and keys share.
 * @typedef {object} Step
 * @property {string} code
 * @property {any[][]} operands what goes in: name (a string), layout (a string) and shape (a list) of each
 * @property {number[] | null} output null where the line raises an error
 * @property {string} name the name of the result
 * @property {string} layout the result's layout, with the axes that the line removes
 * @property {string} [sign] what the line does with two operands
 * @property {number[]} [changed] axes that the line made or replaced
 * @property {number[]} [removed] axes that the line took away
 * @property {string} [lost] letters, in their columns, of the axes that the line takes away by mistake, or that its first
 *   operand lacks because an earlier line has done so
 */

const PATHS = {
  /** @returns {Step[]} */
  bmm() {
    const one = (b) => ({
      code: `Z[${b}] = X[${b}] @ Y[${b}]`,
      operands: [[`X[${b}]`, " QD ", [1, 2]], [`Y[${b}]`, "  DK", [2, 4]]],
      output: [1, 4],
      name: `Z[${b}]`,
      layout: " Q K",
      sign: "×",
      changed: [1],
    });
    const both = [["X", "BQD ", [2, 1, 2]], ["Y", "B DK", [2, 2, 4]]];
    return [
      one(0),
      one(1),
      { code: "Z = torch.bmm(X, Y)", operands: both, output: [2, 1, 4], name: "Z", layout: "BQ K", sign: "×", changed: [2] },
    ];
  },
  /** @returns {Step[]} */
  dot({ n: [B, Q, K] }) {
    const [keys, turned, scores] = [[B, K, 2], [B, 2, K], [B, Q, K]];
    const pair = [["queries", "BQD ", [B, Q, 2]], ["keys_T", "B DK", turned]];
    const made = [["scores", "BQ K", scores]];
    const both = [["weights", "BQK ", scores], ["values", "B KV", [B, K, 4]]];
    return [
      { code: "keys_T = keys.transpose(1, 2)", operands: [["keys", "B KD", keys]], output: turned, name: "keys_T", layout: "B DK", changed: [1, 2] },
      { code: "scores = bmm(queries, keys_T)", operands: pair, output: scores, name: "scores", layout: "BQ K", sign: "×", changed: [2] },
      { code: "scores = scores / sqrt(D)", operands: made, output: scores, name: "scores", layout: "BQ K" },
      { code: "weights = softmax(scores, -1)", operands: made, output: scores, name: "weights", layout: "BQ K" },
      { code: "output = bmm(weights, values)", operands: both, output: [B, Q, 4], name: "output", layout: "BQ V", sign: "×", changed: [2] },
    ];
  },
  /** @returns {Step[]} */
  additive({ n: [B, Q, K, U], un, sq }) {
    const opened = un === "1";
    const projected = [B, Q, U];
    const [q, k] = opened ? [[B, Q, 1, U], [B, 1, K, U]] : [projected, [B, K, U]];
    const [qLayout, kLayout] = opened ? ["BQ·U", "B·KU"] : [" BQU", " BKU"];
    const pair = [["q", qLayout, q], ["k", kLayout, k]];
    const steps = [
      { code: "q = W_q(queries)", operands: [["queries", "BQD ", [B, Q, 20]]], output: projected, name: "q", layout: "BQ U", changed: [2] },
      { code: opened ? "q = q.unsqueeze(2)" : "# q = q.unsqueeze(2)", operands: [["q", opened ? "BQ U" : qLayout, projected]], output: q, name: "q", layout: qLayout, changed: opened ? [2] : [] },
      { code: opened ? "k = W_k(keys).unsqueeze(1)" : "k = W_k(keys)", operands: [["keys", opened ? "B KD" : " BKD", [B, K, 2]]], output: k, name: "k", layout: kLayout, changed: opened ? [1, 3] : [2] },
    ];
    const call = sq === "last" ? "squeeze(-1)" : "squeeze()";
    const codes = ["total = q + k", "features = tanh(total)", "scores = w_v(features)", `weights = softmax(scores.${call})`, "output = bmm(weights, values)"];
    const shared = Q === K ? "=" : Q === 1 ? "K" : "Q";
    const layout = opened ? "BQKU" : ` B${shared}U`;
    if (!sumError(q, k)) {
      const total = q.map((size, axis) => (size === 1 ? k[axis] : size));
      const scores = [...total.slice(0, -1), 1];
      const flat = `${layout.slice(0, -1)}·`;
      const last = [scores.length - 1];
      const removed = sq === "last" ? last : scores.flatMap((size, axis) => (size === 1 ? [axis] : []));
      const weights = scores.filter((_, axis) => !removed.includes(axis));
      const output = weights.length === 3 ? [B, Q, 4] : null;
      const left = [...flat].map((letter, c) => (removed.includes(axisOf(flat, c)) ? " " : letter)).join("");
      const lost = [...flat].map((letter, c) => (letter === left[c] || letter === "·" ? " " : letter)).join("");
      const both = [["weights", left, weights], ["values", "B KV", [B, K, 4]]];
      return [
        ...steps,
        { code: codes[0], operands: pair, output: total, name: "total", layout, sign: "+", changed: opened ? [1, 2].filter((axis) => total[axis] > 1) : [1] },
        { code: codes[1], operands: [["total", layout, total]], output: total, name: "features", layout },
        { code: codes[2], operands: [["features", layout, total]], output: scores, name: "scores", layout: flat, changed: last },
        { code: codes[3], operands: [["scores", flat, scores]], output: weights, name: "weights", layout: flat, removed, lost },
        { code: codes[4], operands: both, output, name: "output", layout: "BQ V", sign: "×", changed: [2], lost },
      ];
    }
    return [...steps, ...codes.map((code) => ({ code, operands: pair, output: null, name: "total", layout, sign: "+" }))];
  },
};

/** @param {any} state @param {{ X: number[][][], Y: number[][][] }} data */
export function compute(state, data) {
  const steps = PATHS[state.p](state);
  // A program stops at its first error, whatever line the reader asks for.
  const failing = steps.findIndex(({ output }) => output === null);
  const i = failing < 0 ? state.i : Math.min(state.i, failing + 1);
  const step = steps[i - 1];
  const { output } = step;
  const inputs = step.operands.map(([, , shape]) => shapeText(shape)).join(`${NO_BREAK_SPACE}${step.sign} `);
  const slots = { i: String(i), inputs, output: output ? shapeText(output) : "", count: output ? String(count(output)) : "" };
  const sentences = summary(state, i, steps, slots);
  const parts = Object.fromEntries(Object.keys(PATHS).map((name) => [name, null]));
  parts[state.p] = ladder(steps, i);
  Object.assign(parts, matrices(state, data, slots));
  parts.blocks = blocks(step);
  return { parts, slots, summary: sentences, main: "output" };
}

/** Which axis a column of a layout shows. */
function axisOf(layout, column) {
  return layout.slice(0, column).replaceAll(" ", "").length;
}

/** The size in each column of a layout, null where it is empty. */
function sizesOf(layout, shape) {
  const left = [...shape];
  return [...layout].map((letter) => (letter === " " ? null : left.shift()));
}

/** An axis as the table and the drawing name it. */
function letterOf(letter) {
  return letter === "=" ? "Q,K" : letter;
}

/** The axes of what goes in and comes out: name, size, stretched to, column; the columns made, wrong and gone. */
function blocks(step) {
  const { operands, output, sign = "", layout, changed = [], removed = [], lost = "" } = step;
  const rows = operands.map(([, form, shape]) => sizesOf(form, shape));
  const columns = Array.from({ length: COLUMNS }, (_, c) => c);
  const missing = [...lost].flatMap((letter, c) => (letter === " " ? [] : [[letterOf(letter), c]]));
  // A sum pairs what stands in one column, be it the same axis or not.
  const paired = columns.filter(
    (c) => sign === "+" && new Set(operands.map(([, form]) => form[c])).size > 1 && rows.every((row) => (row[c] ?? 1) > 1),
  );
  const wrong = removed.length ? missing.map(([, c]) => c) : paired;
  const met = columns.map((c) => Math.max(...rows.map((row) => row[c] ?? 1)));
  const tensors = operands.map(([name, form], t) => ({
    name,
    axes: columns
      .filter((c) => rows[t][c] !== null)
      .map((c) => [letterOf(form[c]), rows[t][c], sign === "+" && rows[t][c] === 1 ? met[c] : rows[t][c], c]),
  }));
  let [made, gone] = [[], []];
  if (output) {
    const shown = sizesOf(layout, rowShape(step));
    const among = (axes, c) => shown[c] !== null && axes.includes(axisOf(layout, c));
    const kept = columns.filter((c) => shown[c] !== null && !among(removed, c));
    made = columns.filter((c) => among(changed, c));
    gone = columns.filter((c) => !kept.includes(c) && rows.some((row) => row[c] !== null));
    tensors.push({ name: step.name, axes: kept.map((c) => [letterOf(layout[c]), shown[c], shown[c], c]) });
  }
  return { tensors, sign, stops: !output, wrong, made, gone, lost: removed.length ? [] : missing };
}

/** The lines up to number i with the sizes of their axes; later lines are only code. */
function ladder(steps, i) {
  const reached = steps.map(({ output }, s) => s < i && output !== null);
  const cells = steps.map((step, s) => (reached[s] ? axisCells(step) : []));
  const filled = (part, empty) => cells.map((row) => [0, 1, 2, 3].map((axis) => row[axis]?.[part] ?? empty));
  return {
    rows: filled(1, null),
    letters: filled(0, ""),
    marks: filled(2, ""),
    counts: steps.map(({ output }, s) => (reached[s] ? count(output) : null)),
    code: steps.map(({ code }) => code),
    at: i - 1,
    failed: steps[i - 1].output === null,
  };
}

/** Letter, size and mark of each axis of a result, by its number; behind them those of the axes that are gone. */
function axisCells(step) {
  const { layout, changed = [], removed = [], lost = "" } = step;
  const letters = layout.replaceAll(" ", "");
  const cells = rowShape(step).map((size, axis) => {
    const letter = letterOf(letters[axis]);
    if (!removed.includes(axis)) return [letter, size, changed.includes(axis) ? "changed" : ""];
    return lost.includes(letters[axis]) ? [letter, size, "lost"] : ["", size, "removed"];
  });
  const isGone = (/** @type {any[]} */ [, , mark]) => mark === "removed" || mark === "lost";
  return [...cells.filter((cell) => !isGone(cell)), ...cells.filter(isGone)];
}

/** The sizes of a result, those of removed axes (1) in their old places. */
function rowShape({ output, removed = [] }) {
  const left = [...output];
  return Array.from({ length: output.length + removed.length }, (_, axis) =>
    removed.includes(axis) ? 1 : left.shift(),
  );
}

/** The numbers of path bmm, the row and the column behind an output marked. */
function matrices({ p, i, z }, { X, Y }, slots) {
  const parts = {};
  for (const example of [1, 2]) {
    const [x, y] = [X[example - 1], Y[example - 1]];
    const products = y[0].map((_, j) => dot(x[0], y.map((row) => row[j])));
    const busy = i === example || i === 3;
    const here = products.map((_, j) => busy && j === Number(z) - 1);
    const shown = p === "bmm";
    parts[`X${example}`] = shown ? { rows: x, marked: [x[0].map(() => busy)] } : null;
    parts[`Y${example}`] = shown ? { rows: y, marked: y.map(() => here) } : null;
    parts[`Z${example}`] = shown && i >= example ? { rows: [products], marked: [here] } : null;
    if (!shown) continue;
    const terms = x[0].map((a, m) => [a, y[m][z - 1]].map((factor) => enclosed(formatNumber(factor, 0))).join(" · "));
    slots.z = z;
    slots[`sum${example}`] = `${terms.join(" + ")} = ${formatNumber(products[z - 1], 0)}`.replaceAll(" ", NO_BREAK_SPACE);
  }
  return parts;
}

function summary({ p, un, sq, n }, i, steps, slots) {
  const { operands, output, sign, lost } = steps[i - 1];
  if (output === null) {
    const [first, second] = operands.map(([, , shape]) => shape);
    slots.error = sign === "+" ? sumError(first, second) : BMM_ERROR;
    if (sign === "+") {
      Object.assign(slots, { sums: "0", wanted: String(n[1] * n[2]) });
      return ["failed", "mismatch"];
    }
    slots.got = shapeText(first);
    if (un === "0") return ["failed", "shared"];
    slots.lost = lostLetters(lost);
    return ["failed", "lost"];
  }
  let name = `${p}${i}`;
  if (p === "additive") {
    const [, Q, K] = n;
    const opened = un === "1";
    slots.sums = String(opened ? Q * K : Math.max(Q, K));
    slots.wanted = String(Q * K);
    if (!opened && (i === 2 || i === 3)) name = "forgotten";
    if (i === 4) {
      // An axis of size 1 is stretched only where it meets a larger one.
      slots.stretched = K > Q ? "q" : "k";
      const cases = opened ? ["stretched_none", "stretched_one", name] : ["short_none", "short_one", "diagonal"];
      name = cases[Number(Q > 1) + Number(K > 1)];
    }
    if (i === 7 && sq === "all") {
      slots.lost = lostLetters(lost);
      name = slots.lost ? "squeezed_more" : "squeezed_one";
    }
  }
  const one = count(output) > 1 ? "" : output.length ? "_one" : "_scalar";
  return [`step${one}`, name];
}

function lostLetters(lost) {
  return [...lost].filter((letter) => letter !== " ").map(letterOf).join(", ");
}

/** What PyTorch says of a sum of two shapes with equally many axes, or nothing if it exists. */
function sumError(a, b) {
  const axis = a.findLastIndex((size, i) => size !== b[i] && size !== 1 && b[i] !== 1);
  if (axis < 0) return "";
  return `The size of tensor a (${a[axis]}) must match the size of tensor b (${b[axis]}) at non-singleton dimension ${axis}`;
}

function count(shape) {
  return shape.reduce((product, size) => product * size, 1);
}

/** A shape as Python writes it, in one piece: (2, 1, 10), (2,), (). */
function shapeText(shape) {
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(`,${NO_BREAK_SPACE}`)})`;
}

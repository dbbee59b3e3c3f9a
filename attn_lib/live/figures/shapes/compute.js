// Figure `shapes`: which axis did that line just change? The browser's port of __init__.py.

import { NO_BREAK_SPACE, enclosed, formatNumber } from "../../front/numbers.js";
import { dot } from "../../front/scoring.js";

const MOST_AXES = 4;
// What PyTorch says of a product whose weights lack an axis.
const BMM_ERROR = "batch1 must be a 3D tensor";

/**
 * One line of code and the shape it makes. An axis is a letter; "·" is one without a meaning, and "=" one that queries and
 * keys share.
 * @typedef {object} Step
 * @property {string} code
 * @property {any[][]} operands what goes in: name (a string), axes (a string) and shape (a list) of each
 * @property {number[] | null} output null where the line raises an error
 * @property {string} name the name of the result
 * @property {string} axes the result's axes, with those that the line removes
 * @property {string} [sign] what the line does with two operands
 * @property {number[]} [changed] axes that the line made or replaced
 * @property {number[]} [removed] axes that the line took away
 * @property {string} [lost] axes that the line takes away by mistake, or that its first operand lacks because an earlier
 *   line has done so
 */

const PATHS = {
  /** @returns {Step[]} */
  bmm() {
    const one = (b) => ({
      code: `Z[${b}] = X[${b}] @ Y[${b}]`,
      operands: [[`X[${b}]`, "QD", [1, 2]], [`Y[${b}]`, "DK", [2, 4]]],
      output: [1, 4],
      name: `Z[${b}]`,
      axes: "QK",
      sign: "×",
      changed: [1],
    });
    const both = [["X", "BQD", [2, 1, 2]], ["Y", "BDK", [2, 2, 4]]];
    return [
      one(0),
      one(1),
      { code: "Z = torch.bmm(X, Y)", operands: both, output: [2, 1, 4], name: "Z", axes: "BQK", sign: "×", changed: [2] },
    ];
  },
  /** @returns {Step[]} */
  dot({ n: [B, Q, K] }) {
    const [keys, turned, scores] = [[B, K, 2], [B, 2, K], [B, Q, K]];
    const pair = [["queries", "BQD", [B, Q, 2]], ["keys_T", "BDK", turned]];
    const made = [["scores", "BQK", scores]];
    const both = [["weights", "BQK", scores], ["values", "BKV", [B, K, 4]]];
    return [
      { code: "keys_T = keys.transpose(1, 2)", operands: [["keys", "BKD", keys]], output: turned, name: "keys_T", axes: "BDK", changed: [1, 2] },
      { code: "scores = bmm(queries, keys_T)", operands: pair, output: scores, name: "scores", axes: "BQK", sign: "×", changed: [2] },
      { code: "scores = scores / sqrt(D)", operands: made, output: scores, name: "scores", axes: "BQK" },
      { code: "weights = softmax(scores, -1)", operands: made, output: scores, name: "weights", axes: "BQK" },
      { code: "output = bmm(weights, values)", operands: both, output: [B, Q, 4], name: "output", axes: "BQV", sign: "×", changed: [2] },
    ];
  },
  /** @returns {Step[]} */
  additive({ n: [B, Q, K, U], un, sq }) {
    const opened = un === "1";
    const projected = [B, Q, U];
    const [q, k] = opened ? [[B, Q, 1, U], [B, 1, K, U]] : [projected, [B, K, U]];
    const [qAxes, kAxes] = opened ? ["BQ·U", "B·KU"] : ["BQU", "BKU"];
    const [newQ, newK] = opened ? [[2], [1, 3]] : [[], [2]];
    const pair = [["q", qAxes, q], ["k", kAxes, k]];
    const steps = [
      { code: "q = W_q(queries)", operands: [["queries", "BQD", [B, Q, 20]]], output: projected, name: "q", axes: "BQU", changed: [2] },
      { code: opened ? "q = q.unsqueeze(2)" : "# q = q.unsqueeze(2)", operands: [["q", "BQU", projected]], output: q, name: "q", axes: qAxes, changed: newQ },
      { code: opened ? "k = W_k(keys).unsqueeze(1)" : "k = W_k(keys)  # .unsqueeze(1)", operands: [["keys", "BKD", [B, K, 2]]], output: k, name: "k", axes: kAxes, changed: newK },
    ];
    const call = sq === "last" ? "squeeze(-1)" : "squeeze()";
    const codes = ["total = q + k", "features = tanh(total)", "scores = w_v(features)", `weights = softmax(scores.${call})`, "output = bmm(weights, values)"];
    const shared = Q === K ? "=" : Q === 1 ? "K" : "Q";
    const axes = opened ? "BQKU" : `B${shared}U`;
    if (!sumError(q, k)) {
      const total = q.map((size, axis) => (size === 1 ? k[axis] : size));
      const scores = [...total.slice(0, -1), 1];
      const flat = `${axes.slice(0, -1)}·`;
      const last = [scores.length - 1];
      const removed = sq === "last" ? last : scores.flatMap((size, axis) => (size === 1 ? [axis] : []));
      const weights = scores.filter((_, axis) => !removed.includes(axis));
      const output = weights.length === 3 ? [B, Q, 4] : null;
      const left = [...flat].filter((_, axis) => !removed.includes(axis)).join("");
      const lost = removed.filter((axis) => !last.includes(axis)).map((axis) => flat[axis]).join("");
      const both = [["weights", left, weights], ["values", "BKV", [B, K, 4]]];
      return [
        ...steps,
        { code: codes[0], operands: pair, output: total, name: "total", axes, sign: "+", changed: opened ? [1, 2].filter((axis) => total[axis] > 1) : [1] },
        { code: codes[1], operands: [["total", axes, total]], output: total, name: "features", axes },
        { code: codes[2], operands: [["features", axes, total]], output: scores, name: "scores", axes: flat, changed: last },
        { code: codes[3], operands: [["scores", flat, scores]], output: weights, name: "weights", axes: flat, removed, lost },
        { code: codes[4], operands: both, output, name: "output", axes: "BQV", sign: "×", changed: [2], lost },
      ];
    }
    return [...steps, ...codes.map((code) => ({ code, operands: pair, output: null, name: "total", axes, sign: "+" }))];
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
  parts.line = lineOf(step);
  return { parts, slots, summary: sentences };
}

/** What a line takes and makes, and which axes it makes and loses, for the drawing. */
function lineOf({ operands, output, name, axes, sign = "", changed = [], removed = [], lost = "" }) {
  const tensor = (/** @type {any[]} */ [name, axes, sizes]) => ({ name, letters: [...axes].map(letterOf), sizes });
  const left = [...axes].filter((_, axis) => !removed.includes(axis));
  return {
    operands: operands.map(tensor),
    sign,
    result: output && tensor([name, left, output]),
    made: changed.map((axis) => letterOf(axes[axis])),
    lost: [...lost].map(letterOf),
  };
}

/** An axis as the table and the drawing name it. */
function letterOf(letter) {
  return letter === "=" ? "Q,K" : letter;
}

/** The lines up to number i with the sizes of their axes; later lines are only code. */
function ladder(steps, i) {
  const outputs = steps.map(({ output }, s) => (s < i ? output : null));
  const cells = steps.map((step, s) => (outputs[s] ? axisCells(step) : []));
  const filled = (part, empty) => cells.map((row) => Array.from({ length: MOST_AXES }, (_, axis) => row[axis]?.[part] ?? empty));
  return {
    rows: filled(1, null),
    letters: filled(0, ""),
    marks: filled(2, ""),
    counts: outputs.map((output) => output && count(output)),
    code: steps.map(({ code }) => code),
    at: i - 1,
    failed: steps[i - 1].output === null,
  };
}

/** Letter, size and mark of each axis of a result, by its number; behind them those of the axes that are gone. */
function axisCells({ output, axes, changed = [], removed = [], lost = "" }) {
  const [kept, gone] = [[], []];
  [...axes].forEach((letter, axis) => {
    if (!removed.includes(axis)) kept.push([letterOf(letter), output[kept.length], changed.includes(axis) ? "changed" : ""]);
    else gone.push(lost.includes(letter) ? [letterOf(letter), 1, "lost"] : ["", 1, "removed"]);
  });
  return [...kept, ...gone];
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
  return [...lost].map(letterOf).join(", ");
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

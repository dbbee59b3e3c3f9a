// Figure `shapes`: which axis did that line just change? The twin of __init__.py.

import { formatNumber } from "../../frontend/format.js";
import { dot } from "../../frontend/scoring.js";

const X = [[[1, 2, 3]], [[4, 5, 6]]]; // (B=2, N=1, M=3)
const Y = [
  [1, 0],
  [0, 1],
  [1, 1],
]; // (M=3, K=2), the same in both examples

/**
 * @typedef {object} Step one line of code and the shape it makes
 * @property {string} code
 * @property {string} inputs the shapes that go in, joined by what the line does with them
 * @property {number[] | null} output null where the line raises an error
 * @property {string} axes the letter of each axis of the row; "·" is an axis without a meaning
 * @property {number[]} [changed] axes that the line made or replaced
 * @property {number[]} [removed] axes that the line took away
 */

const PATHS = {
  /** @returns {Step[]} */
  bmm() {
    const one = [1, 2];
    return [
      { code: "Z[0] = X[0] @ Y[0]", inputs: join(" × ", [1, 3], [3, 2]), output: one, axes: "NK", changed: [1] },
      { code: "Z[1] = X[1] @ Y[1]", inputs: join(" × ", [1, 3], [3, 2]), output: one, axes: "NK", changed: [1] },
      { code: "Z = torch.bmm(X, Y)", inputs: join(" × ", [2, 1, 3], [2, 3, 2]), output: [2, 1, 2], axes: "BNK", changed: [2] },
    ];
  },
  /** @returns {Step[]} */
  dot({ n: [B, Q, K] }) {
    const [keys, turned, scores] = [[B, K, 2], [B, 2, K], [B, Q, K]];
    return [
      { code: "keys_T = keys.transpose(1, 2)", inputs: join("", keys), output: turned, axes: "BDK", changed: [1, 2] },
      { code: "scores = bmm(queries, keys_T)", inputs: join(" × ", [B, Q, 2], turned), output: scores, axes: "BQK", changed: [2] },
      { code: "scores = scores / sqrt(D)", inputs: join("", scores), output: scores, axes: "BQK" },
      { code: "weights = softmax(scores, -1)", inputs: join("", scores), output: scores, axes: "BQK" },
      { code: "output = bmm(weights, values)", inputs: join(" × ", scores, [B, K, 4]), output: [B, Q, 4], axes: "BQV", changed: [2] },
    ];
  },
  /** @returns {Step[]} */
  additive({ n: [B, Q, K, H], sq }) {
    const [q, k, total, scores] = [[B, Q, 1, H], [B, 1, K, H], [B, Q, K, H], [B, Q, K, 1]];
    const removed = sq === "last" ? [3] : [0, 1, 2, 3].filter((axis) => scores[axis] === 1);
    const weights = scores.filter((_, axis) => !removed.includes(axis));
    const call = sq === "last" ? "squeeze(-1)" : "squeeze()";
    const output = misfit(weights, [B, Q, K]) ? null : [B, Q, 4];
    return [
      { code: "q = W_q(queries)", inputs: join("", [B, Q, 20]), output: [B, Q, H], axes: "BQH", changed: [2] },
      { code: "q = q.unsqueeze(2)", inputs: join("", [B, Q, H]), output: q, axes: "BQ·H", changed: [2] },
      { code: "k = W_k(keys).unsqueeze(1)", inputs: join("", [B, K, 2]), output: k, axes: "B·KH", changed: [1, 3] },
      { code: "total = q + k", inputs: join(" + ", q, k), output: total, axes: "BQKH", changed: [1, 2] },
      { code: "features = tanh(total)", inputs: join("", total), output: total, axes: "BQKH" },
      { code: "scores = w_v(features)", inputs: join("", total), output: scores, axes: "BQK·", changed: [3] },
      { code: `weights = softmax(scores.${call})`, inputs: join("", scores), output: weights, axes: "BQK·", removed },
      { code: "output = bmm(weights, values)", inputs: join(" × ", weights, [B, K, 4]), output, axes: "BQV", changed: [2] },
    ];
  },
};

/** @param {Record<string, any>} state */
export function compute(state) {
  const { p, i } = state;
  const steps = PATHS[p](state);
  const { inputs, output } = steps[i - 1];
  const slots = { i: String(i), inputs, output: output ? shapeText(output) : "", count: output ? String(count(output)) : "" };
  const parts = Object.fromEntries(Object.keys(PATHS).map((name) => [name, null]));
  parts[p] = ladder(steps, i);
  Object.assign(parts, matrices(state, slots));
  return { parts, slots, summary: summary(state, steps, slots), main: "output" };
}

/** The lines up to number i with the sizes of their axes; later lines are only code. */
function ladder(steps, i) {
  const reached = steps.map(({ output }, s) => s < i && output !== null);
  const filled = (make, empty) =>
    steps.map((step, s) => {
      const shape = reached[s] ? rowShape(step) : [];
      return [0, 1, 2, 3].map((axis) => (axis < shape.length ? make(step, axis, shape) : empty));
    });
  return {
    rows: filled((_, axis, shape) => shape[axis], null),
    letters: filled(({ axes }, axis) => axes[axis], ""),
    marks: filled(
      ({ changed = [], removed = [] }, axis) =>
        removed.includes(axis) ? "removed" : changed.includes(axis) ? "changed" : "",
      "",
    ),
    counts: steps.map(({ output }, s) => (reached[s] ? count(output) : null)),
    code: steps.map(({ code }) => code),
    at: i - 1,
    failed: steps[i - 1].output === null,
  };
}

/** The sizes in a row, those of removed axes (1) in their old places. */
function rowShape({ output, removed = [] }) {
  const left = [...output];
  return Array.from({ length: output.length + removed.length }, (_, axis) =>
    removed.includes(axis) ? 1 : left.shift(),
  );
}

/** The numbers of path bmm, the row and the column behind an output marked. */
function matrices({ p, i, z }, slots) {
  const parts = {};
  for (const example of [1, 2]) {
    const x = X[example - 1];
    const products = [0, 1].map((j) => dot(x[0], Y.map((row) => row[j])));
    const busy = i === example || i === 3;
    const here = [0, 1].map((j) => busy && j === Number(z) - 1);
    const shown = p === "bmm";
    parts[`X${example}`] = shown ? { rows: x, marked: [x[0].map(() => busy)] } : null;
    parts[`Y${example}`] = shown ? { rows: Y, marked: Y.map(() => here) } : null;
    parts[`Z${example}`] = shown && i >= example ? { rows: [products], marked: [here] } : null;
    if (!shown) continue;
    const terms = x[0].map((a, m) => `${formatNumber(a, 0)} · ${formatNumber(Y[m][z - 1], 0)}`);
    slots[`sum${example}`] = `${terms.join(" + ")} = ${formatNumber(products[z - 1], 0)}`;
  }
  return parts;
}

function summary({ p, i, sq, n }, steps, slots) {
  if (steps[i - 1].output === null) {
    slots.error = misfit(steps[i - 2].output, n.slice(0, 3));
    return ["failed"];
  }
  let name = `${p}${i}`;
  if (name === "additive7" && sq === "all") {
    name = steps[6].removed.length === 1 ? "squeezed_one" : "squeezed_more";
  }
  return ["step", name];
}

/** What attn_lib says of weights with this shape, or nothing if they are right. */
function misfit(shape, wanted) {
  if (shapeText(shape) === shapeText(wanted)) return "";
  return `weights must have shape (B, Q, K)=${shapeText(wanted)}. Got ${shapeText(shape)}.`;
}

function count(shape) {
  return shape.reduce((product, size) => product * size, 1);
}

function join(sign, ...shapes) {
  return shapes.map(shapeText).join(sign);
}

/** A shape as Python writes it: (2, 1, 10), (2,), (). */
function shapeText(shape) {
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
}

// Figure `compare`: when do scorers disagree? The twin of __init__.py.

import { formatNumber, formatWeight } from "../../frontend/format.js";
import {
  additiveScores,
  cosineScores,
  dotProductScores,
  gaussianScores,
  softmax,
  vectorSumScores,
} from "../../frontend/scoring.js";

const [REACH, STEPS, FAR] = [8, 128, 1e6];
const GRID = Array.from({ length: STEPS + 1 }, (_, i) => -REACH + (2 * REACH * i) / STEPS);

/** @typedef {{ keys: number[][], cats: number[], W_q: number[][], W_k: number[][], w_v: number[] }} Data */

const SCORERS = {
  additive: (query, keys, { cats, W_q, W_k, w_v }, q) =>
    additiveScores([cats.map((x) => q * x)], keys, W_q, W_k, w_v),
  dot: (query, keys) => dotProductScores([query], keys, false),
  scaled: (query, keys) => dotProductScores([query], keys),
  cosine: (query, keys) => cosineScores([query], keys),
  gauss: (query, keys) => gaussianScores([query], keys),
  sum: (query, keys) => vectorSumScores([query], keys),
};
const NAMES = Object.keys(SCORERS);

/** The weights of all keys by one scorer, key 1 taken `s` times. */
function weightsAt(name, s, q, data) {
  const [first, ...others] = data.keys;
  const query = first.map((x) => q * x);
  return softmax(SCORERS[name](query, [first.map((x) => s * x), ...others], data, q)[0]);
}

// The curves depend on the query alone, and the reader moves key 1.
let drawn = { q: NaN, curves: [], limits: { floor: NaN, ceiling: NaN } };

function curvesOf(q, data) {
  if (drawn.q !== q) {
    const curves = NAMES.map((name) => GRID.map((s) => weightsAt(name, s, q, data)[0]));
    // Where key 1 has no direction, the cosine jumps.
    curves[NAMES.indexOf("cosine")][STEPS / 2] = null;
    const [floor, ceiling] = [-FAR, FAR].map((s) => weightsAt("additive", s, q, data)[0]);
    drawn = { q, curves, limits: { floor, ceiling } };
  }
  return drawn;
}

/** @param {Record<string, any>} state @param {Data} data */
export function compute({ s, q, f }, data) {
  const { curves, limits } = curvesOf(q, data);
  const rows = NAMES.map((name) => weightsAt(name, s, q, data));
  const onKey1 = Object.fromEntries(NAMES.map((name, i) => [name, formatWeight(rows[i][0])]));
  return {
    parts: { weights: { rows }, curves: { lines: curves }, limits },
    slots: {
      s: formatNumber(s, 1),
      q: formatNumber(q, 1),
      lit: onKey1[f],
      floor: formatWeight(limits.floor),
      ceiling: formatWeight(limits.ceiling),
      ...onKey1,
    },
    summary: f === "additive" ? ["at", s < 0 ? "least" : "most"] : ["at"],
    main: "additive",
  };
}

// Figure `compare`: when do scorers disagree? The browser's port of __init__.py.

import { enclosed, formatNumber, formatWeight, neverExact } from "../../frontend/format.js";
import {
  additiveScores,
  cosineScores,
  dot,
  dotProductScores,
  gaussianScores,
  project,
  softmax,
  vectorSumScores,
} from "../../frontend/scoring.js";
import { numbersOf } from "../../frontend/typed.js";

const [REACH, STEPS, FAR, ROOM] = [8, 128, 1e6, 1.2];
const GRID = Array.from({ length: STEPS + 1 }, (_, i) => -REACH + (2 * REACH * i) / STEPS);

/** @typedef {{ keys: number[][], cats: number[][], words: string[], W_q: number[][], W_k: number[][], w_v: number[] }} Data */

const SCORERS = {
  // Its queries have three numbers.
  additive: ([across, upwards], keys, { W_q, W_k, w_v }) =>
    additiveScores([[across, 0, upwards]], keys, W_q, W_k, w_v),
  dot: (query, keys) => dotProductScores([query], keys, false),
  scaled: (query, keys) => dotProductScores([query], keys),
  cosine: (query, keys) => cosineScores([query], keys),
  gauss: (query, keys) => gaussianScores([query], keys),
  sum: (query, keys) => vectorSumScores([query], keys),
};
const vector = (/** @type {number[]} */ numbers) => `(${numbers.map((x) => formatNumber(x, null)).join(", ")})`;
// Another key than the example's may get more on its way than at its end.
const UNBOUNDED = { floor: null, ceiling: null };
const NAMES = Object.keys(SCORERS);

/**
 * The scores of all keys by one scorer, key 1 taken `s` times.
 * @param {string} name @param {number} s @param {number} q @param {number[][]} vectors @param {any} data
 */
function scoresAt(name, s, q, [query, key], data) {
  const others = data.keys.slice(1);
  return SCORERS[name](query.map((x) => q * x), [key.map((x) => s * x), ...others], data)[0];
}

/** @type {typeof scoresAt} */
const weightsAt = (...given) => softmax(scoresAt(...given));

/** The weight of key 1 all along the grid, from its places there and the other keys, which score the same everywhere. */
function curveOf(name, query, keys, data) {
  const [scores] = SCORERS[name](query, keys, data);
  const rest = scores.splice(GRID.length);
  // One sum for all places: as if the other keys were a single one that scores the logarithm of their powers' sum.
  const largest = Math.max(...rest);
  const together = largest + Math.log(rest.reduce((sum, score) => sum + Math.exp(score - largest), 0));
  return scores.map((score) => 1 / (1 + Math.exp(together - score)));
}

/** A score in about four figures: far from the query the Gaussian's reaches thousands. */
function scoreOf(score) {
  const size = Math.abs(score);
  return formatNumber(score, size < 10 ? 2 : size < 100 ? 1 : 0);
}

// The curves depend on the query and the vectors alone, and the reader moves s.
let drawn = { of: "", curves: [], limits: { floor: NaN, ceiling: NaN } };

function curvesOf(q, vectors, data) {
  const of = `${q};${vectors}`;
  if (drawn.of !== of) {
    const [query, key] = [vectors[0].map((x) => q * x), vectors[1]];
    const keys = [...GRID.map((s) => key.map((x) => s * x)), ...data.keys.slice(1)];
    const curves = NAMES.map((name) => curveOf(name, query, keys, data));
    // Where key 1 has no direction, the cosine jumps.
    curves[NAMES.indexOf("cosine")][STEPS / 2] = null;
    const [floor, ceiling] = [-FAR, FAR].map((s) => weightsAt("additive", s, q, vectors, data)[0]);
    drawn = { of, curves, limits: { floor, ceiling } };
  }
  return drawn;
}

/**
 * What the scorer in front measures, as points of a plane, and how they make its score. The plane is as large as the
 * points at q = 1 and s = 1 need.
 * @param {string} f @param {number} s @param {number} q @param {number[][]} vectors @param {any} data
 */
function planeOf(f, s, q, [query1, key1], data) {
  let query = query1.map((x) => q * x);
  let keys = [key1.map((x) => s * x), ...data.keys.slice(1)];
  let within = [query1, key1];
  if (f === "additive") {
    // The zero between the two numbers of a query takes the middle column away.
    const W_q = data.W_q.map(([across, , upwards]) => [across, upwards]);
    within = [...project([query1], W_q), ...project([key1], data.W_k)];
    [query] = project([query], W_q);
    keys = project(keys, data.W_k);
  }
  const sums = keys.map((key) => key.map((x, i) => x + query[i]));
  const points = { additive: sums.map((sum) => sum.map(Math.tanh)), sum: sums }[f] ?? keys;
  const reach = ROOM * Math.max(f === "sum" ? 3 : 2, ...within.flat().map(Math.abs));
  return [{ query, key: keys[0], points, reach }, measureOf(f, query, keys[0], points[0])];
}

/** How a point makes the score, in words. @param {string} f @param {number[]} query @param {number[]} key @param {number[]} point */
function measureOf(f, query, key, [x, y]) {
  if (f === "additive" || f === "sum") return `${scoreOf(x)} + ${enclosed(scoreOf(y))}`;
  if (f === "gauss") return `−${scoreOf(Math.hypot(...query.map((x, i) => x - key[i])))}² ÷ 2`;
  const [length, product] = [Math.hypot(...query), dot(query, key)];
  if (f === "cosine") {
    const far = length * Math.hypot(...key);
    if (!far) return `cos ${formatNumber(null, 0)}`;
    return `cos ${formatNumber((Math.acos(Math.max(-1, Math.min(1, product / far))) * 180) / Math.PI, 0)}°`;
  }
  const shadow = length ? scoreOf(product / length) : formatNumber(null, 0);
  return `${shadow} × ${scoreOf(length)}${f === "scaled" ? " ÷ √2" : ""}`;
}

/**
 * Which sentence says what the scorer in front does here.
 * @param {string} f @param {number} s @param {number} q @param {number[][]} vectors @param {boolean} own
 */
function reading(f, s, q, [query, key], own) {
  if (f === "additive" && !own) return s < 0 ? "least" : "most";
  if (["dot", "scaled", "cosine"].includes(f) && query.every((x) => q * x === 0)) return "blind";
  if (f === "cosine" && key.every((x) => s * x === 0)) return "no_direction";
  if (f === "gauss" && key.some((x) => x !== 0)) {
    // How far beyond its highest place the marker is.
    const along = (/** @type {number[]} */ other) => key.reduce((sum, x, i) => sum + x * other[i], 0);
    return Math.abs(s * along(key) - q * along(query)) < 1e-9 ? "nearest" : f;
  }
  return f;
}

/** Which sentence says how many scorers put key 1 first. */
function agreement(first) {
  return { 0: "agree_none", 1: "agree_one", [NAMES.length]: "agree_all" }[first] ?? "agree";
}

/** @param {any} state @param {Data} data */
export function compute({ s, q, f, own }, data) {
  const vectors = own ? numbersOf(own) : data.cats;
  const { curves, limits: ends } = curvesOf(q, vectors, data);
  const limits = own ? UNBOUNDED : ends;
  const scores = NAMES.map((name) => scoresAt(name, s, q, vectors, data));
  const rows = scores.map((row) => neverExact(softmax(row)));
  const first = rows.filter((/** @type {number[]} */ [weight, ...others]) => weight > Math.max(...others) + 1e-9).length;
  const ofKey1 = scores.map(([score]) => scoreOf(score));
  const [plane, measure] = planeOf(f, s, q, vectors, data);
  const onKey1 = Object.fromEntries(NAMES.map((name, i) => [name, formatWeight(rows[i][0])]));
  return {
    parts: { weights: { rows }, curves: { lines: curves }, limits, plane },
    slots: {
      s: formatNumber(s, 1),
      q: formatNumber(q, 1),
      query: vector(vectors[0]),
      key: vector(vectors[1]),
      k1: own ? "k1" : data.words[0],
      lit: onKey1[f],
      first: String(first),
      score: ofKey1[NAMES.indexOf(f)],
      measure,
      floor: formatWeight(limits.floor),
      ceiling: formatWeight(limits.ceiling),
      ...onKey1,
      ...Object.fromEntries(NAMES.map((name, i) => [`score_${name}`, ofKey1[i]])),
    },
    summary: [`at_${f}`, reading(f, s, q, vectors, Boolean(own)), agreement(first)],
    main: "additive",
  };
}

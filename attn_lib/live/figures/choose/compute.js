// Figure `choose`: which keys can each score find? The browser's port of __init__.py.

import { formatWeight, neverExact } from "../../front/numbers.js";
import { additiveScores, cosineScores, dotProductScores, gaussianScores, softmax } from "../../front/scoring.js";

export const NAMES = ["dot", "gauss", "cosine", "additive"];
// What the maps show of the plane.
export const WINDOW = [3.6, 2.5];
const [SAME, NEAR] = [1e-9, 1e-7];
const GRID = [144, 100];
const DIRECTIONS = 720;

/** @typedef {number[]} Point */
/** @typedef {{ words: string[], keys: Point[], W_q: number[][], W_k: number[][], w_v: number[], comma: string }} Data */

const SCORES = {
  dot: (queries, _, seen) => dotProductScores(queries, seen, false),
  gauss: (queries, keys) => gaussianScores(queries, keys),
  cosine: (queries, keys) => cosineScores(queries, keys),
  additive: (queries, keys, _, { W_q, W_k, w_v }) => additiveScores(queries, keys, W_q, W_k, w_v),
};

// The queries in the middles of a grid over the window, and those in all directions.
const TRIED = Array.from({ length: GRID[0] * GRID[1] }, (_, i) => {
  const [column, row] = [Math.floor(i / GRID[1]), i % GRID[1]];
  return [((column + 0.5) / GRID[0]) * 2 * WINDOW[0] - WINDOW[0], WINDOW[1] - ((row + 0.5) / GRID[1]) * 2 * WINDOW[1]];
});
const AROUND = Array.from({ length: DIRECTIONS }, (_, i) => {
  const angle = (i * 2 * Math.PI) / DIRECTIONS;
  return [Math.cos(angle), Math.sin(angle)];
});

// What a score can find depends on the keys and the matrix, and the reader mostly moves the query.
let found = { of: "", owners: /** @type {Record<string, number[]>} */ ({}), largest: { cosine: NaN, additive: NaN } };

function foundBy(keys, seen, data) {
  const of = `${keys};${seen}`;
  if (found.of === of) return found;
  const tried = SCORES.additive(TRIED, keys, seen, data);
  const owners = {
    dot: corners(seen),
    gauss: keys.flatMap(([x, y], i) => (keys.findIndex(([u, v]) => u === x && v === y) === i ? [i] : [])),
    cosine: directed(keys),
    additive: [...new Set(tried.map((row) => firstOf(row)[0]))].sort((a, b) => a - b),
  };
  const largest = (/** @type {number[][]} */ rows) => rows.reduce((most, row) => Math.max(most, ...softmax(row)), 0);
  found = { of, owners, largest: { cosine: largest(SCORES.cosine(AROUND, keys)), additive: largest(tried) } };
  return found;
}

/** Which scores are the largest. @param {number[]} row */
function firstOf(row) {
  const top = Math.max(...row) - SAME;
  return row.flatMap((score, i) => (score >= top ? [i] : []));
}

/** @param {any} state @param {Data} data */
export function compute(state, data) {
  const { x, y, f, theta, rho, kx, ky } = state;
  const { words, comma } = data;
  const query = [x, y];
  const keys = kx.map((across, i) => [across, ky[i]]);
  const M = lookAlong(theta, rho);
  const seen = keys.map(([u, v]) => M.map(([a, b]) => a * u + b * v));
  const scores = NAMES.map((name) => SCORES[name]([query], keys, seen, data)[0]);
  const weights = scores.map((row) => neverExact(softmax(row)));
  const first = scores.map(firstOf);
  const { owners, largest } = foundBy(keys, seen, data);
  const front = NAMES.indexOf(f);
  const never = words.filter((_, i) => !owners[f].includes(i));
  const asks = keys.findIndex(([u, v]) => u === x && v === y);
  const heads = Object.fromEntries(NAMES.map((name, j) => [name, headOf(first[j].map((i) => words[i]), weights[j][first[j][0]])]));
  return {
    parts: {
      weights: { rows: weights },
      plane: {
        query,
        keys,
        seen,
        outline: owners.dot.map((i) => seen[i]),
        never: NAMES.map((name) => words.map((_, i) => !owners[name].includes(i))),
      },
    },
    slots: {
      ...heads,
      who: first[front].map((i) => words[i]).join(comma),
      w: formatWeight(weights[front][first[front][0]]),
      asks: words[asks] ?? "",
      never: never.join(comma),
      ends: owners.dot.toSorted((a, b) => a - b).map((i) => words[i]).join(comma),
      most: formatWeight(largest[f] ?? 1),
    },
    summary: summaryOf(state, first, asks, never.length > 0),
  };
}

/** Which sentences say who wins here, and what the score in front can find at all. */
function summaryOf({ f, rho, kx }, first, asks, someNever) {
  const best = first[NAMES.indexOf(f)];
  const through = f === "dot" && rho < 1;
  let lead = through ? "at_matrix" : `at_${f}`;
  if (best.length === kx.length) lead = "nobody";
  else if (first.every((row) => row.length === 1 && row[0] === best[0])) lead = "all";
  else if (asks >= 0 && best.length === 1 && best[0] !== asks && !through) lead = `own_${f}`;
  if (f === "dot") return [lead, rho === 0 ? "line" : someNever ? "inside" : "corners"];
  return [lead, f === "additive" && someNever ? "additive_never" : f];
}

/** Who wins under a score, and with which weight; of several, that they tie. @param {string[]} winners @param {number} weight */
function headOf(winners, weight) {
  const who = winners.length < 3 ? winners.join(" = ") : "–";
  return `${who} ${formatWeight(weight)}`;
}

/** The matrix that sees one direction, at `theta` degrees, and `rho` times the rest. */
function lookAlong(theta, rho) {
  if (rho === 1) return [[1, 0], [0, 1]];
  const [c, s] = [Math.cos((theta * Math.PI) / 180), Math.sin((theta * Math.PI) / 180)];
  const across = (1 - rho) * c * s;
  return [[c * c + rho * s * s, across], [across, s * s + rho * c * c]];
}

/** Which points are corners of the outline around all, in order; of equal ones the first. @param {Point[]} points */
function corners(points) {
  const different = [];
  points.forEach(([x, y], i) => {
    if (different.every((j) => Math.hypot(x - points[j][0], y - points[j][1]) > NEAR)) different.push(i);
  });
  if (different.length < 3) return different;
  const rounded = points.map((point) => point.map((at) => Math.round(at * 1e8) / 1e8));
  const ordered = different.toSorted((i, j) => rounded[i][0] - rounded[j][0] || rounded[i][1] - rounded[j][1] || i - j);
  const side = (/** @type {number[]} */ order) => {
    const edge = [];
    for (const i of order) {
      while (edge.length > 1 && turn(points[edge.at(-2)], points[edge.at(-1)], points[i]) <= NEAR) edge.pop();
      edge.push(i);
    }
    return edge.slice(0, -1);
  };
  return [...side(ordered), ...side(ordered.toReversed())];
}

/** @param {Point} a @param {Point} b @param {Point} c */
function turn(a, b, c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/**
 * Which keys win a cosine: the first in each direction. A key at 0 scores 0 everywhere, so it needs a query from which all
 * others point away.
 * @param {Point[]} keys
 */
function directed(keys) {
  const isZero = (/** @type {Point} */ [x, y]) => x === 0 && y === 0;
  return keys.flatMap(([x, y], i) => {
    const before = keys.slice(0, i);
    if (isZero([x, y])) return before.some(isZero) || !leavesHalf(keys.filter((key) => !isZero(key))) ? [] : [i];
    return before.some(([u, v]) => Math.abs(x * v - y * u) < SAME && x * u + y * v > 0) ? [] : [i];
  });
}

/** Whether more than half of all directions lie between two neighbours. @param {Point[]} points */
function leavesHalf(points) {
  if (points.length === 0) return true;
  const angles = points.map(([x, y]) => Math.atan2(y, x)).sort((a, b) => a - b);
  return angles.some((angle, i) => (angles[i + 1] ?? angles[0] + 2 * Math.PI) - angle > Math.PI + SAME);
}

const FORMERLY = { additive: "additive", dot: "dot", scaled: "dot", cosine: "cosine", gauss: "gauss", sum: "dot" };
const REACH = [3.25, 2.25];

/**
 * The state that is nearest to one of the figure `compare`, in whose place this one stands: there the key of cats was taken
 * `s` times and the query `q` times, both (1, 1) or typed. null for any other link.
 * @param {string} fragment @returns {string | null}
 */
export function formerly(fragment) {
  const link = /^#?compare(?:\?(.*))?$/.exec(fragment);
  if (!link) return null;
  const pairs = new URLSearchParams(link[1] ?? "");
  const settings = [];
  if (["s", "q", "f", "own"].some((key) => pairs.has(key))) {
    const numbers = (pairs.get("own") ?? "1,1;1,1").split(/[,;]/).map(Number);
    // What lies too far out is brought in along its own direction.
    const place = (/** @type {string} */ times, /** @type {number} */ first) => {
      const far = [0, 1].map((axis) => Number(pairs.get(times) ?? 1) * numbers[first + axis]);
      const by = Math.min(1, ...far.map((at, axis) => REACH[axis] / Math.abs(at)));
      return far.map((at) => Math.round(4 * by * at) / 4 || 0);
    };
    const [[x, y], [u, v]] = [place("q", 0), place("s", 2)];
    settings.push(`f=${FORMERLY[pairs.get("f") ?? "additive"]}`, `x=${x}`, `y=${y}`);
    settings.push(`kx=${u},1,-1,-1,0.5,-2`, `ky=${v},-1,1,-1,0.25,0.5`);
  }
  if (pairs.has("ask")) settings.push(`ask=${pairs.get("ask")}`);
  return `#choose${settings.length > 0 ? "?" : ""}${settings.join("&")}`;
}

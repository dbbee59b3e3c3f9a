// Figure `sparse`: must every key get some weight? The browser's port of __init__.py.

import { formatNumber, formatWeight, neverExact } from "../../front/numbers.js";
import { dot, softmax } from "../../front/scoring.js";

// How far softmax's bell is drawn, which ends nowhere, and in how many steps a curve is, to each side of the query.
const [FAR, STEPS] = [10, 80];
// Keys farther away than this make the water sink.
const NEAR = 1;
const [HALVINGS, LEAST] = [60, 1e-12];
const BEST = 2; // the score of the best key; its rivals score 0
const SAME = 1e-4; // weights that differ by less are equal

/** The settings that lead from a state to one where the figure asks a reader's function. */
export const asks = { sparsemax: () => ({ a: 2 }) };

/**
 * @param {Record<string, any>} state
 * @param {{ points: number[][], rivals: number[], comma: string }} data
 * @param {{ sparsemax?: Own }} [own] the reader's function
 */
export function compute({ x, a: alpha, n }, { points, rivals, comma }, { sparsemax: own } = {}) {
  const weigh = own ? (/** @type {number[]} */ scores) => own([[[scores]]], [1, 1, scores.length])[0][0] : sparsemax;
  const [keys, values] = [0, 1].map((axis) => points.map((point) => point[axis]));
  const scores = keys.map((key) => -((x - key) ** 2) / 2);
  const soft = neverExact(softmax(scores));
  // The hill and the water are the book's; the reader's own weights may be others.
  const hill = alpha === 1 ? soft : entmax(scores, alpha);
  const row = alpha === 2 ? weigh(scores) : hill;
  const distances = keys.map((key) => Math.abs(key - x));
  const best = row.indexOf(Math.max(...row));
  const top = hill.indexOf(Math.max(...hill));
  const width = alpha === 1 ? null : widthOf(distances[top], hill[top], alpha);
  const alive = keys.filter((_, i) => row[i] > 0);
  const near = Math.min(...distances);
  const crowd = rivals.map((n) => amongRivals(n, weigh));
  const at = rivals.indexOf(n);
  const now = crowd[at];
  const sums = now.map((one) => one.reduce((sum, w) => sum + w, 0));
  const bell = bellOf(distances);
  return {
    parts: {
      weights: { rows: [row, soft] },
      lift: { query: x, width, line: width === null ? bell : lifted(width, alpha), bell },
      crowd: {
        rows: now.map((one) => [one[0], one.at(-1)]),
        masked: now.map(() => [false, false]),
        notes: sums.map((sum) => formatNumber(sum, 2)),
      },
      rivals: { lines: [0, 1, 2].map((i) => crowd.map((ways) => ways[i][0])), at },
    },
    slots: {
      x: formatNumber(x, null),
      a: formatNumber(alpha, null),
      sum: formatNumber(row.reduce((sum, w) => sum + w, 0), 2),
      keys: alive.join(comma),
      count: String(alive.length),
      near: formatNumber(near, null),
      width: width === null ? "" : formatNumber(width, 2),
      fit: formatNumber(dot(row, values), 2),
      soft: formatNumber(dot(soft, values), 2),
      w: formatWeight(row[best]),
      best: String(keys[best]),
      n: String(n),
      c_soft: formatWeight(now[0][0]),
      c_sigmoid: formatWeight(now[2][0]),
      c_sum: formatNumber(sums[2], 2),
      c_bias: formatWeight(now[3][0]),
    },
    summary: row.every((w, i) => Math.abs(w - hill[i]) < SAME) ? summaryOf(alpha, alive.length, keys.length, near) : ["own"],
  };
}

/**
 * Weights max((alpha - 1) a - t, 0) ** (1 / (alpha - 1)), with the t that makes the sum 1: sparsemax for 2.
 * @param {number[]} scores @param {number} alpha
 */
function entmax(scores, alpha) {
  if (alpha === 2) return sparsemax(scores);
  const scaled = scores.map((score) => (alpha - 1) * score);
  const power = 1 / (alpha - 1);
  let high = Math.max(...scaled);
  let low = high - 1;
  for (let i = 0; i < HALVINGS; i += 1) {
    const middle = (low + high) / 2;
    const sum = scaled.reduce((all, a) => all + Math.max(a - middle, 0) ** power, 0);
    if (sum > 1) low = middle;
    else high = middle;
  }
  const heights = scaled.map((a) => (a - low > LEAST ? (a - low) ** power : 0));
  const sum = heights.reduce((all, height) => all + height, 0);
  return heights.map((height) => height / sum);
}

/** By sorting: the right threshold is the last that its worst key exceeds. @param {number[]} scores */
function sparsemax(scores) {
  let [sum, threshold] = [0, 0];
  scores.toSorted((a, b) => b - a).forEach((score, i) => {
    const next = (sum + score - 1) / (i + 1);
    if (score <= next) return;
    sum += score;
    threshold = next;
  });
  return scores.map((score) => Math.max(score - threshold, 0));
}

/** How far from the query the hill meets the water, from one key that has weight. */
function widthOf(distance, weight, alpha) {
  return Math.sqrt(distance ** 2 + (2 * weight ** (alpha - 1)) / (alpha - 1));
}

/** The hill from shore to shore: at each key it is as high as the key's weight. */
function lifted(width, alpha) {
  const power = 1 / (alpha - 1);
  const tall = (((alpha - 1) * width ** 2) / 2) ** power;
  return places().map((u) => tall * (1 - u * u) ** power);
}

/** Softmax's curve, FAR to each side of the query. @param {number[]} distances */
function bellOf(distances) {
  const total = distances.reduce((sum, d) => sum + Math.exp(-(d ** 2) / 2), 0);
  return places().map((u) => Math.exp(-((FAR * u) ** 2) / 2) / total);
}

/** From one end of a curve to the other, -1 to 1. */
function places() {
  return Array.from({ length: 2 * STEPS + 1 }, (_, i) => (i - STEPS) / STEPS);
}

/** The weights of the best key and of n equal rivals, in four ways. @param {number} n @param {(scores: number[]) => number[]} weigh */
function amongRivals(n, weigh) {
  const scores = [BEST, ...Array(n).fill(0)];
  const sigmoid = (bias) => scores.map((score) => 1 / (1 + Math.exp(-score - bias)));
  return [softmax(scores), weigh(scores), sigmoid(0), sigmoid(-Math.log(n))];
}

function summaryOf(alpha, count, all, near) {
  if (alpha === 1) return ["softmax"];
  const who = count === 1 ? "one" : count === all ? "all" : "some";
  return [alpha === 2 ? "sparsemax" : "entmax", who, near > NEAR ? "gap" : "shore"];
}

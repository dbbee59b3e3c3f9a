// Figure `tame`: can one word be heard among many? The browser's port of __init__.py, which explains why four scores are
// enough for any number of words.

import { formatCount, formatNumber, formatSmall, neverExact, TINY } from "../../front/numbers.js";
import { cosineScores, dotProductScores, softmax } from "../../front/scoring.js";

export const NAMES = ["raw", "cosine", "gain", "cap", "length"];
const SIZES = [
  4, 7, 13, 22, 37, 61, 100, 178, 316, 562, 1000, 1777, 3163, 5623, 10000, 17785, 31624, 56236, 131071,
];
const FIRST = SIZES[0];
export const DETAIL = 4; // points of a line for each of these sizes
const CROWD = 50;
// Which sentence says what became of cats: weights, stretches, a cap.
const [DROWNED, DEAF, LOUD, BELT] = [0.05, 0.95, 4, 30];
const HARDLY = 0.94; // what a cap leaves of a score that it hardly bends

// The places of the lines.
const LENGTHS = SIZES.flatMap((size, i) =>
  i === SIZES.length - 1 ? [size] : Array.from({ length: DETAIL }, (_, part) => size * (SIZES[i + 1] / size) ** (part / DETAIL)),
);

/** @typedef {{ words: string[], keys: number[][] }} Data */

/** @param {Record<string, any>} state @param {Data} data */
export function compute(state, { keys }) {
  const { f, s, n, c } = state;
  const lit = NAMES.indexOf(f);
  const scores = scoresAt(keys, s, n, c);
  const rows = scores.map((row) => weigh(row, n));
  const w = rows[lit][0];
  return {
    parts: {
      weights: { rows },
      crowd: { lines: across(LENGTHS.map((size) => weightsOfCats(keys, s, size, c))) },
    },
    slots: {
      s: formatNumber(s, null),
      n: formatCount(n),
      m: formatCount((n - 1) / 3),
      c: String(c),
      w: formatSmall(w),
      ...Object.fromEntries(rows.map((row, i) => [`w${i + 1}`, formatSmall(row[0])])),
      raw: formatNumber(scores[0][0], null),
      score: formatNumber(scores[lit][0], 2),
      need: formatNumber(gainFor(0.9, n), 1),
      best: formatSmall(1 / (1 + (n - 1) * Math.exp(-2))),
      grown: formatNumber((c * Math.log(n)) / Math.log(FIRST), 1),
    },
    summary: [told(state, rows[lit], keys, scores[lit][0] / scores[0][0])],
  };
}

/** What each score says of the four words, when cats asks `s` times as loud among `n` words. */
function scoresAt(keys, s, n, c) {
  const query = keys[0].map((x) => s * x);
  const [dot] = dotProductScores([query], keys, false);
  const [cosine] = cosineScores([query], keys);
  const grown = (c * Math.log(n)) / Math.log(FIRST);
  return [
    dot,
    cosine,
    cosine.map((x) => c * x),
    dot.map((x) => c * Math.tanh(x / c)),
    cosine.map((x) => grown * x),
  ];
}

/** The weights of cats and of all copies of each other word. */
function weigh(scores, n) {
  const copies = Math.log((n - 1) / 3);
  return neverExact(softmax(scores.map((score, i) => (i ? score + copies : score))));
}

function weightsOfCats(keys, s, n, c) {
  return scoresAt(keys, s, n, c).map((row) => weigh(row, n)[0]);
}

/** Lines in place of columns. @param {number[][]} columns */
function across(columns) {
  return NAMES.map((_, i) => columns.map((column) => column[i]));
}

/** Which sentence says what became of cats. @param {any} state @param {number[]} row @param {number[][]} keys @param {number} left of its score */
function told({ f, s, n, c }, row, keys, left) {
  const [isCrowd, isFirst] = [n > CROWD, isAsInChapter1(n, row, keys)];
  if (f === "raw") {
    if (s >= LOUD && row[0] > DEAF) return "raw_loud";
    if (isFirst) return "first";
    return isCrowd && row[0] < DROWNED ? "raw_drowned" : "raw";
  }
  if (f === "cosine") return isCrowd ? "cosine_crowd" : "cosine";
  if (f === "gain") return isFirst ? "gain_first" : "gain";
  if (f === "cap") return isFirst ? "cap_first" : c >= BELT && s >= LOUD && left >= HARDLY ? "cap_belt" : "cap";
  return n > FIRST ? "length" : "length_first";
}

/** The g with which cats gets a weight: e^g = r m (2 + e^-g) with r = w / (1 - w). */
function gainFor(weight, n) {
  const half = ((weight / (1 - weight)) * (n - 1)) / 3;
  return Math.log(half + Math.sqrt(half * half + half));
}

/** Whether four words have the weights of the first chapter, to the digits that are shown. */
function isAsInChapter1(n, row, keys) {
  const first = softmax(dotProductScores([keys[0]], keys, false)[0]);
  return n === FIRST && row.every((w, i) => Math.abs(w - first[i]) < TINY);
}

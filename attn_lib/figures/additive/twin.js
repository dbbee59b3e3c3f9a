// Figure `additive`: does the query decide who gets the weight? The twin of __init__.py.

import { formatNumber, formatWeight } from "../../frontend/format.js";
import { additiveScores, maskedSoftmax, weightedAverage } from "../../frontend/scoring.js";

// The published toy with weights chosen by hand: eight hidden units, features of size 20 and 2.
const repeat = (count, make) => Array.from({ length: count }, (_, i) => make(i));
const W_Q = repeat(8, (h) => repeat(20, () => (h % 2 ? -1 : 1) / 20));
const W_K = repeat(8, (h) => (h % 4 < 2 ? [1, 0] : [0, 1]));
const W_V = repeat(8, (h) => (h % 2 ? 2 : -1));
const VALUES = repeat(10, (i) => repeat(4, (v) => 4 * i + v));

const COMBINE = {
  after: (q, k) => Math.tanh(q + k),
  before: (q, k) => Math.tanh(q) + Math.tanh(k),
  none: (q, k) => q + k,
};

/** @param {Record<string, any>} state */
export function compute(state) {
  const { n, q, k, len } = state;
  const query = repeat(20, () => q);
  const keys = repeat(10, (i) => (i === n - 1 ? k : [1, 1]));
  const scores = additiveScores([query], keys, W_Q, W_K, W_V, COMBINE[state.tanh]);
  const weights = maskedSoftmax([scores[0], scores[0]], len);
  const weightSentence = (example) =>
    (len[example - 1] === 0 ? "empty" : n > len[example - 1] ? "masked" : "weight") + example;
  return {
    parts: {
      scores: { rows: scores, chosen: n - 1 },
      weights: { rows: weights, masked: len.map((L) => keys.map((_, j) => j >= L)), chosen: n - 1 },
      output: { rows: weightedAverage(weights, VALUES) },
    },
    slots: {
      q: formatNumber(q, 1),
      n: String(n),
      k1: formatNumber(k[0], 1),
      k2: formatNumber(k[1], 1),
      score: formatNumber(scores[0][n - 1], 1),
      others: formatNumber(scores[0][n % 10], 1),
      w1: formatWeight(weights[0][n - 1]),
      w2: formatWeight(weights[1][n - 1]),
      len1: String(len[0]),
      len2: String(len[1]),
    },
    summary: [`tanh_${state.tanh}`, "vectors", weightSentence(2), weightSentence(1)],
    main: "w2",
  };
}

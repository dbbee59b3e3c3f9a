// Figure `additive`: does the query decide who gets the weight? The browser's port of __init__.py.

import { formatNumber, formatOutput, formatWeight } from "../../front/numbers.js";
import { dot, softmax } from "../../front/scoring.js";

const HEIGHTS = {
  after: (query, word) => Math.tanh(query + word),
  before: (query, word) => Math.tanh(query) + Math.tanh(word),
  none: (query, word) => query + word,
};

// Weights that are all so near to a quarter have come from the flat ends; those that differ by less are equal.
const [LEVEL, SAME] = [0.01, 1e-9];

/** The settings that lead from a state to one where the figure asks a reader's function. */
export const asks = { additive_scores: () => ({ tanh: "after" }) };

/**
 * @param {Record<string, any>} state
 * @param {Record<"W_q" | "W_k" | "keys", number[][]> & Record<"w_v" | "pages", number[]> & { words: string[] }} data
 * @param {{ additive_scores?: Own }} [own] the reader's function
 */
export function compute(state, { words, keys, pages, W_q, W_k, w_v }, { additive_scores } = {}) {
  const query = [1, 0, state.t];
  const alone = W_q.map((row) => dot(row, query));
  const runs = W_k.map((row) => keys.map((key) => dot(row, key)));
  const height = (u, run) => w_v[u] * HEIGHTS[state.tanh](alone[u], run);
  const heights = runs.map((row, u) => row.map((run) => height(u, run)));
  const sums = keys.map((_, j) => heights.reduce((total, row) => total + row[j], 0));
  const scores = additive_scores && state.tanh === "after" ? additive_scores([[[query]], [keys], W_q, W_k, w_v], [1, 1, keys.length])[0][0] : sums;
  // What the reader's function makes of the words, the curves do not show.
  const isOwn = scores.some((score, j) => Math.abs(score - sums[j]) > 1e-8 + 1e-5 * Math.abs(sums[j]));
  const weights = softmax(scores);
  const top = weights.indexOf(Math.max(...weights));
  const slots = {
    t: formatNumber(Math.round(10 * state.t) / 10, null),
    page: formatOutput(dot(weights, pages)),
    top: words[top],
    w: formatWeight(weights[top]),
    unit: String(top + 1),
  };
  words.forEach((word, j) => {
    slots[`word${j + 1}`] = word;
    slots[`w${j + 1}`] = formatWeight(weights[j]);
  });
  return {
    parts: {
      heights: { rows: [...heights, scores], query: alone, runs, base: alone.map((_, u) => height(u, 0)) },
      weights: { rows: [weights] },
    },
    slots,
    summary: [isOwn ? "own" : state.tanh === "after" ? told(weights) : state.tanh],
  };
}

/** Which sentence says what the curves have made of the words. @param {number[]} weights */
function told(weights) {
  if (weights.every((weight) => Math.abs(weight - 1 / weights.length) < LEVEL)) return "flat";
  return Math.abs(weights[0] - weights[1]) < SAME ? "tied" : "leads";
}

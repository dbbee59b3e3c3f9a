// Figure `mask`: where does the weight of padding go? The twin of __init__.py.

import { formatWeight } from "../../frontend/format.js";
import { softmax } from "../../frontend/scoring.js";

const ZEROS = [0, 0, 0, 0];
const HUGE = [-3e6, -3e6, 0, 0];
const SCORES = {
  hand: [[1, 2, 3, 4], [4, 3, 2, 1], [0, 0, 0, 0], [2, 0, 2, 0]],
  equal: [ZEROS, ZEROS, ZEROS, ZEROS],
  huge: [HUGE, HUGE, HUGE, HUGE],
};
const FILLS = { inf: -Infinity, "1e6": -1e6, zero: 0 };

const sum = (/** @type {number[]} */ row) => row.reduce((total, x) => total + x, 0);
const tidy = (/** @type {number} */ total) => Number(total.toFixed(9));

/** @param {Record<string, any>} state */
export function compute(state) {
  const scores = SCORES[state.s];
  const lens = state.dim === "2" ? state.len : state.len.flatMap((L) => [L, L]);
  const masked = lens.map((L) => ZEROS.map((_, j) => j >= L));
  const after = state.fill === "after";
  const filled = after
    ? scores
    : scores.map((row, i) => row.map((score, j) => (masked[i][j] ? FILLS[state.fill] : score)));
  const weights = filled.map((row, i) => softmax(row).map((w, j) => (after && masked[i][j] ? 0 : w)));

  const sums = weights.map((row) => tidy(sum(row)));
  const leaks = weights.map((row, i) => tidy(sum(row.filter((_, j) => masked[i][j]))));
  const slots = Object.fromEntries(sums.map((total, i) => [`sum${i + 1}`, formatWeight(total)]));
  const summary = [1, 2].map((example) => {
    const row = tellingRow(2 * example - 2, sums, leaks);
    slots[`query${example}`] = String((row % 2) + 1);
    slots[`L${example}`] = String(lens[row]);
    slots[`total${example}`] = slots[`sum${row + 1}`];
    slots[`leak${example}`] = formatWeight(leaks[row]);
    const kind = leaks[row] > 0 ? "leak" : lens[row] === 0 ? "empty" : "right";
    return kind + example;
  });
  return {
    parts: {
      scores: { rows: filled, masked },
      weights: { rows: weights, masked, notes: weights.map((_, i) => slots[`sum${i + 1}`]) },
    },
    slots,
    summary,
    main: "leak1",
  };
}

/** The row of an example to talk about: the largest leak, else the sum farthest from 1. */
function tellingRow(first, sums, leaks) {
  const second = first + 1;
  const off = (row) => Math.abs(sums[row] - 1);
  const worse = leaks[second] > leaks[first] || (leaks[second] === leaks[first] && off(second) > off(first));
  return worse ? second : first;
}

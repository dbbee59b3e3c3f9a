// Figure `lookup`: what does a look-up return when no key matches? The twin of __init__.py.

import { formatNumber, formatOutput, formatWeight } from "../../frontend/format.js";
import { dot, softmax } from "../../frontend/scoring.js";

/**
 * Count the letters to insert, delete or replace to turn one word into the other.
 * @param {string} a @param {string} b
 */
export function levenshtein(a, b) {
  const others = [...b];
  let row = [0, ...others.map((_, j) => j + 1)];
  [...a].forEach((letter, i) => {
    // `row` is for the first i letters of a, `below` for i + 1: entry j is the distance to j letters of b.
    const below = [i + 1];
    others.forEach((other, j) => {
      below.push(Math.min(row[j] + Number(letter !== other), row[j + 1] + 1, below[j] + 1));
    });
    row = below;
  });
  return row.at(-1);
}

/**
 * @param {Record<string, any>} state
 * @param {{ keys: string[], desks: number[] }} data
 */
export function compute({ q, how, t }, { keys, desks }) {
  const exact = how === "exact";
  const distances = keys.map((key) => levenshtein(q.toLowerCase(), key.toLowerCase()));
  const weights = exact
    ? keys.map((key) => Number(q.toLowerCase() === key.toLowerCase()))
    : softmax(distances.map((distance) => -distance / t));
  const found = weights.some((weight) => weight > 0);
  const desk = found ? dot(weights, desks) : null;
  const [first, second] = weights.map((_, i) => i).sort((i, j) => weights[j] - weights[i]);
  return {
    parts: {
      // One row per key: its distance (an exact look-up takes none) and its weight.
      records: { rows: keys.map((_, i) => [exact ? null : distances[i], weights[i]]) },
      weights: { rows: [weights] },
      output: { rows: [[desk]] },
    },
    slots: {
      q,
      first: keys[first],
      second: keys[second],
      w1: formatWeight(weights[first]),
      w2: formatWeight(weights[second]),
      desk: formatOutput(desk),
      t: formatNumber(t, null),
    },
    summary: [exact ? (found ? "found" : "missing") : "soft"],
    main: "desk",
  };
}

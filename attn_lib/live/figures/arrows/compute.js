// Figure `arrows`: can the output go wherever the query goes? The browser's port of __init__.py.

import { formatNumber, formatPoint, formatWeight, neverExact } from "../../front/numbers.js";
import { dotProductScores, softmax, weightedAverage } from "../../front/scoring.js";
import { numbersOf } from "../../front/typed.js";

// The words of the example. More keys have narrower columns.
const FEW = 4;
// A narrow column has no room for a decimal beside three digits and a sign.
const LONG = 100;
// Scores that differ by less are equal.
const SAME = 1e-9;

/**
 * @param {Record<string, any>} state
 * @param {{ words: string[], keys: number[][] }} data
 */
export function compute({ x, y, t, own }, data) {
  const keys = own ? numbersOf(own) : data.keys;
  const words = own ? keys.map((_, j) => `k${j + 1}`) : data.words;
  const query = [x, y];
  const scores = dotProductScores([query], keys, false);
  const divided = scores.map((row) => row.map((score) => score / t));
  const weights = divided.map((row) => neverExact(softmax(row)));
  // A word's value is its own vector.
  const output = weightedAverage(weights, keys);
  const [row] = scores;
  const largest = Math.max(...row);
  const first = words.filter((_, j) => row[j] > largest - SAME);
  const many = words.length > FEW;
  const long = divided[0].some((score) => Math.abs(score) >= LONG);
  return {
    parts: {
      scores: { rows: scores, digits: many ? 1 : 2 },
      divided: { rows: divided, digits: many ? (long ? 0 : 1) : 2 },
      weights: { rows: weights },
      output: { rows: output, query },
      keys: { points: keys, words },
    },
    slots: {
      q: formatPoint(query, 2),
      t: formatNumber(t, null),
      o: formatPoint(output[0], 3),
      top: first.join(" / "),
      w: formatWeight(Math.max(...weights[0])),
      sum: formatWeight(Number(weights[0].reduce((sum, weight) => sum + weight, 0).toFixed(9))),
      ...Object.fromEntries(words.map((word, j) => [`w${j + 1}`, word])),
    },
    summary: [reason(first.length, words.length, t)],
  };
}

/** The sentence that says why the output lies where it does. */
function reason(first, keys, t) {
  if (first === keys) return "equal";
  return (first === 1 ? "leads" : "lead") + (t === 1 ? "" : "_at");
}

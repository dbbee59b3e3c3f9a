// Figure `arrows`: where does the output lie when nothing matches exactly? The twin of __init__.py.

import { formatNumber, formatWeight } from "../../frontend/format.js";
import { dotProductScores, softmax, weightedAverage } from "../../frontend/scoring.js";
import { numbersOf } from "../../frontend/typed.js";

const point = (numbers, digits) => `(${numbers.map((x) => formatNumber(x, digits)).join(", ")})`;

/**
 * @param {Record<string, any>} state
 * @param {{ words: string[], keys: number[][] }} data
 */
export function compute({ x, y, t, own }, data) {
  const keys = own ? numbersOf(own) : data.keys;
  const words = own ? keys.map((_, j) => `k${j + 1}`) : data.words;
  const query = [x, y];
  const scores = dotProductScores([query], keys, false);
  const weights = scores.map((row) => softmax(row.map((score) => score / t)));
  // A word's value is its own vector.
  const output = weightedAverage(weights, keys);
  return {
    parts: {
      scores: { rows: scores },
      weights: { rows: weights },
      output: { rows: output, query },
      keys: { points: keys, words },
    },
    slots: {
      q: point(query, 2),
      t: formatNumber(t, null),
      o: point(output[0], 3),
      ...Object.fromEntries(words.map((word, j) => [`w${j + 1}`, word])),
      ...Object.fromEntries(weights[0].map((weight, j) => [`a${j + 1}`, formatWeight(weight)])),
    },
    summary: ["all"],
    main: "o",
  };
}

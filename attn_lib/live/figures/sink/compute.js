// Figure `sink`: can attention say nothing when nothing fits? The browser's port of __init__.py.

import { formatNumber, formatPoint, formatWeight, neverExact } from "../../front/numbers.js";
import { dotProductScores, softmax, weightedAverage } from "../../front/scoring.js";

// Scores that differ by less are equal.
const SAME = 1e-9;
// A bin with less is hardly heard.
const LITTLE = 0.05;

/**
 * @param {Record<string, any>} state
 * @param {{ words: string[], keys: number[][] }} data
 */
export function compute({ x, y, bin, s }, { words, keys }) {
  const off = bin === "off";
  const query = [x, y];
  const scores = dotProductScores([query], keys, false);
  const [given] = scores;
  const plain = softmax(given);
  // No bin is a bin with the score -inf: its weight is exactly 0.
  const score = off ? -Infinity : s;
  const row = neverExact(softmax([...given, score]), [...given.map(() => false), off]);
  const weights = row.slice(0, -1);
  const said = weights.reduce((sum, weight) => sum + weight, 0);
  // Where values cancel, what is left of them is nothing but rounding.
  const [output, ghost] = weightedAverage([weights, plain], keys).map((row) => row.map((x) => Number(x.toFixed(12))));

  const top = Math.max(...given);
  const best = words.filter((_, j) => given[j] > top - SAME);
  return {
    parts: {
      scores: { rows: [[...given, score]] },
      weights: { rows: [row], without: plain },
      output: { rows: [output], query, plain: ghost },
    },
    slots: {
      q: formatPoint(query, 2),
      s: formatNumber(s, 1),
      bin: formatWeight(row.at(-1)),
      said: formatWeight(Number(said.toFixed(9))),
      top: best.join(" / "),
      w: formatWeight(Math.max(...weights)),
      lead: formatNumber(top - s, 2),
    },
    summary: [kind(off, best.length === words.length, row.at(-1))],
  };
}

/** The sentence that says what the bin does. @param {boolean} off @param {boolean} nothingFits @param {number} taken */
function kind(off, nothingFits, taken) {
  if (off) return nothingFits ? "all_speak" : "no_bin";
  if (nothingFits) return "nothing";
  return taken < LITTLE ? "loud" : "same_share";
}

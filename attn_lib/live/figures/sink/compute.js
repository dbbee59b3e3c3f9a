// Figure `sink`: can attention say nothing when nothing fits? The browser's port of __init__.py.

import { formatNumber, formatPoint, formatWeight, neverExact } from "../../front/numbers.js";
import { dotProductScores, softmax, weightedAverage } from "../../front/scoring.js";

// Scores that differ by less are equal, and so are weights.
const [SAME, ALIKE] = [1e-9, 1e-4];
// A bin with less is hardly heard.
const LITTLE = 0.05;

/** The settings that lead from a state to one where the figure asks a reader's function. */
export const asks = { with_sink: ({ bin }) => (bin === "on" ? {} : { bin: "on", s: 2 }) };

/**
 * @param {Record<string, any>} state
 * @param {{ words: string[], keys: number[][] }} data
 * @param {{ with_sink?: Own }} [own] the reader's function
 */
export function compute({ x, y, bin, s }, { words, keys }, { with_sink } = {}) {
  const off = bin === "off";
  const query = [x, y];
  const scores = dotProductScores([query], keys, false);
  const [given] = scores;
  const plain = softmax(given);
  // No bin is a bin with the score -inf: its weight is exactly 0.
  const score = off ? -Infinity : s;
  const book = softmax([...given, score]);
  /** @type {number[]} */
  const mine = with_sink && !off ? with_sink([[[given]], { whole: [given.length] }, s], [1, 1, given.length])[0][0] : null;
  const all = mine ? [...mine, 1 - mine.reduce((sum, weight) => sum + weight, 0)] : book;
  const row = neverExact(all, [...given.map(() => false), off]);
  const isOwn = all.some((weight, j) => j < given.length && Math.abs(weight - book[j]) > ALIKE);
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
    summary: [isOwn ? "own" : kind(off, best.length === words.length, row.at(-1))],
  };
}

/** The sentence that says what the bin does. @param {boolean} off @param {boolean} nothingFits @param {number} taken */
function kind(off, nothingFits, taken) {
  if (off) return nothingFits ? "all_speak" : "no_bin";
  if (nothingFits) return "nothing";
  return taken < LITTLE ? "loud" : "same_share";
}

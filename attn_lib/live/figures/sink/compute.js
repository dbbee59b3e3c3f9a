// Figure `sink`: can attention say nothing when nothing fits? The browser's port of __init__.py.

import { formatNumber, formatPoint, formatWeight, neverExact } from "../../front/numbers.js";
import { dotProductScores, softmax, weightedAverage } from "../../front/scoring.js";

// Scores that differ by less are equal.
const SAME = 1e-9;
// A bin with less is hardly heard; a head with as much has parked its words on the first token.
const [LITTLE, PARKED] = [0.05, 0.5];

/**
 * @param {Record<string, any>} state
 * @param {{ words: string[], keys: number[][], heads: Record<string, number[][]> }} data
 */
export function compute({ x, y, bin, s }, { words, keys, heads }) {
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
      weights: { rows: [row] },
      output: { rows: [output], query, plain: ghost },
    },
    slots: {
      q: formatPoint(query, 2),
      s: formatNumber(s, 1),
      o: formatPoint(output, 2),
      bin: formatWeight(row.at(-1)),
      said: formatWeight(Number(said.toFixed(9))),
      top: best.join(" / "),
      w: formatWeight(Math.max(...weights)),
      lead: formatNumber(top - s, 2),
      parked: String(heads.share.flat().filter((weight) => weight >= PARKED).length),
      first: formatNumber(median(heads.first.flat()), 2),
      others: formatNumber(median(heads.others.flat()), 2),
    },
    summary: [kind(off, best.length === words.length, row.at(-1))],
    main: "said",
  };
}

/** The middle of an even number of numbers. @param {number[]} numbers */
function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return (sorted[sorted.length / 2 - 1] + sorted[sorted.length / 2]) / 2;
}

/** The sentence that says what the bin does. @param {boolean} off @param {boolean} nothingFits @param {number} taken */
function kind(off, nothingFits, taken) {
  if (off) return nothingFits ? "all_speak" : "no_bin";
  if (nothingFits) return "nothing";
  return taken < LITTLE ? "loud" : "same_share";
}

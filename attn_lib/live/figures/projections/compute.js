// Figure `projections`: where do a word's query and key come from? The browser's port of __init__.py.

import { formatPoint, formatWeight, neverExact } from "../../front/numbers.js";
import { dotProductScores, project, softmax } from "../../front/scoring.js";

// The words' names in links, in their order.
export const NAMES = ["cats", "purr", "dogs", "bark"];
// The noun and the verb of an animal, between whom the figure draws what each splits.
const PAIRS = [[0, 1], [2, 3]];
// Scores that differ by less are equal.
const SAME = 1e-9;
// A weight that is less by so much is told as less.
const NOTABLY = 0.01;

/** The matrix with these two columns. */
const matrix = (/** @type {number[]} */ [a, b, c, d]) => [[a, c], [b, d]];

/** A point in as many of two decimals as it has. */
const rounded = (/** @type {number[]} */ vector) => formatPoint(vector.map((x) => Number(x.toFixed(2))), null);

/**
 * @param {Record<string, any>} state
 * @param {{ words: string[], vectors: number[][], things: Record<string, string> }} data
 */
export function compute({ w, m, q, k }, { words, vectors, things }) {
  const tied = m === "one";
  const columns = tied ? q : k;
  const [W_q, W_k] = [matrix(q), matrix(columns)];
  const [queries, keys] = [project(vectors, W_q), project(vectors, W_k)];
  const scores = dotProductScores(queries, keys, false);
  const weights = scores.map((row) => neverExact(softmax(row)));

  const asker = NAMES.indexOf(w);
  const tops = scores.map(largest);
  const [found] = tops[asker];
  // A word scores as well as its vector points to this one, so it is what the query asks for.
  const [wish] = project([queries[asker]], [[columns[0], columns[1]], [columns[2], columns[3]]]);
  const shown = vectors[asker].map((x, i) => (W_k[0][i] || W_k[1][i] ? x : 0));
  const offer = keys[asker].some((x) => x !== 0) ? shown : [0, 0];
  const [noun, verb] = PAIRS[Math.floor(asker / 2)];
  return {
    parts: {
      weights: { rows: weights },
      vectors: { rows: queries.map((query, i) => [...query, ...keys[i]]) },
      matrices: { rows: [q, columns] },
      // Of what each of the pair gives to both of them, the share of the other one.
      pair: { word: asker, noun, verb, shares: [[noun, verb], [verb, noun]].map(([i, j]) => share(scores[i], i, j)) },
    },
    slots: {
      word: words[asker],
      asks: thing(wish, things),
      shows: thing(offer, things),
      q: rounded(queries[asker]),
      found: words[found],
      tops: tops[asker].map((j) => words[j]).join(" / "),
      theirs: tops[found].map((j) => words[j]).join(" / "),
      w: formatWeight(weights[asker][found]),
      back: formatWeight(weights[found][asker]),
      own: formatWeight(weights[found][found]),
    },
    summary: summary(tied, asker, tops, weights),
  };
}

/** The softmax weight of the other one where there are only the two of them. @param {number[]} scores @param {number} asker @param {number} other */
function share(scores, asker, other) {
  return 1 / (1 + Math.exp(scores[asker] - scores[other]));
}

/** Where a row has its largest score. @param {number[]} scores */
function largest(scores) {
  const most = Math.max(...scores);
  return scores.flatMap((score, j) => (score > most - SAME ? [j] : []));
}

/** What a vector of the words' plane points to. @param {number[]} vector @param {Record<string, string>} things */
function thing(vector, things) {
  const [across, upwards] = vector.map((x) => (Math.abs(x) < SAME ? 0 : x));
  const animal = across > 0 ? "cat" : across ? "dog" : "";
  const kind = upwards > 0 ? "noun" : upwards ? "verb" : "";
  return things[`${animal} ${kind}`.trim() || "nothing"];
}

/** The sentences that say whom the word finds, and why. @param {boolean} tied @param {number} asker @param {number[][]} tops @param {number[][]} rows */
function summary(tied, asker, tops, rows) {
  const [found, ...others] = tops[asker];
  const alone = () => {
    if (found === asker) return "itself";
    if (tied) return "longer";
    if (String(tops[found]) === String(asker)) return "pair";
    return rows[found][asker] < rows[asker][found] - NOTABLY ? "oneway" : "oneway_still";
  };
  const kind = others.length === 0 ? alone() : tops[asker].length === NAMES.length ? "equal" : "shared";
  if (!tied) return [kind];
  return ["one", ["equal", "longer"].includes(kind) ? kind : `one_${kind}`];
}

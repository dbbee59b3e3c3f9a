// Figure `lookup`: what does a look-up return when no key matches? The browser's port of __init__.py.

import { formatNumber, formatOutput, neverExact } from "../../front/numbers.js";
import { dot, softmax } from "../../front/scoring.js";

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
 * How the fewest changes turn one word into the other: each letter, and its fate. A replaced letter is gone and another
 * is new, but only the new one is named; so there are as many letters that are not kept as changes.
 * @param {string} query in small letters @param {string} key @returns {string[][]}
 */
export function changes(query, key) {
  const [ours, others] = [[...query], [...key.toLowerCase()]];
  const between = (i, j) => levenshtein(ours.slice(0, i).join(""), others.slice(0, j).join(""));
  const found = [];
  let [i, j] = [ours.length, others.length];
  while (i > 0 || j > 0) {
    const same = i > 0 && j > 0 && ours[i - 1] === others[j - 1];
    const left = between(i, j);
    if (i > 0 && j > 0 && left === between(i - 1, j - 1) + Number(!same)) {
      i--;
      j--;
      found.push([key[j], same ? "kept" : "new"]);
    } else if (i > 0 && left === between(i - 1, j) + 1) {
      i--;
      found.push([ours[i], "gone"]);
    } else {
      j--;
      found.push([key[j], "new"]);
    }
  }
  return found.reverse();
}

/**
 * @param {Record<string, any>} state
 * @param {{ keys: string[], desks: number[] }} data
 */
export function compute({ q, how, t }, { keys, desks }) {
  const exact = how === "exact";
  const d = keys.map((key) => levenshtein(q.toLowerCase(), key.toLowerCase()));
  const scaled = d.map((distance) => (0 - distance) / t);
  const weights = exact
    ? keys.map((key) => Number(q.toLowerCase() === key.toLowerCase()))
    : neverExact(softmax(scaled));
  const found = weights.some((weight) => weight > 0);
  const desk = found ? dot(weights, desks) : null;
  // The 0 and the 1 of an exact look-up are exact; a softmax comes near to them only.
  const shares = weights.map((weight) => formatNumber(weight, exact ? null : 2));
  const written = formatOutput(desk);
  // A desk counts as one whose number it has, as far as it is written out.
  const owner = desks.map(formatOutput).indexOf(written);
  const [first, second] = weights.map((_, i) => i).sort((i, j) => weights[j] - weights[i]);
  // The desk of one who has less weight than another is met only by chance.
  const met = weights[owner] > weights[first] - 1e-9 ? "desk" : "others_desk";
  const owned = Math.max(owner, 0);
  const tied = (/** @type {number} */ i) => weights.filter((weight) => Math.abs(weight - weights[i]) < 1e-9).length;
  return {
    parts: {
      // One row per key: its distance d, -d/T and its weight. An exact look-up takes no scores.
      records: { rows: keys.map((_, i) => [d[i], exact ? null : scaled[i], weights[i]]) },
      weights: { rows: [weights] },
      output: { rows: [[desk]] },
      letters: keys.map((key) => changes(q.toLowerCase(), key)),
    },
    slots: {
      q,
      first: keys[first],
      second: keys[second],
      w1: shares[first],
      w2: shares[second],
      desk: written,
      owner: keys[owned],
      w3: shares[owned],
      n: String(tied(first)),
      n2: String(tied(second)),
      near: formatNumber(Math.min(...d), null),
    },
    summary: exact ? (found ? ["found", "desk"] : ["missing"]) : [leaders(tied(first), tied(second), shares[first], shares[second]), owner < 0 ? "between" : met],
  };
}

/** Which sentence names the largest weights: equal ones have no order. */
function leaders(first, second, w1, w2) {
  if (first > 1) return first === 2 ? "tie" : "ties";
  if (w2 === "0.00") return "alone";
  if (second > 1) return "first_then";
  return w1 === w2 ? "level" : "first";
}

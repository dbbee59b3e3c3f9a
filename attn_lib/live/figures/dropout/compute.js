// Figure `dropout`: why do my weights not sum to 1? The browser's port of __init__.py.

import { formatFine, formatNumber } from "../../front/numbers.js";
import { mulberry32 } from "../../front/random_stream.js";

const SEED = 16;
const MOST = 1000;
const RECENT = 32;
export const BETWEEN = [0.5, 1.5];
const OUTCOMES = [0, 1].flatMap((a) => [0, 1, 2].flatMap((b) => [0, 1].map((c) => [a, b, c])));
// Draws are the same at every p, and most are only looked at: which words one keeps are the bits of a number.
const WORDS = 4;
const STREAM = mulberry32(SEED, WORDS * MOST);
const keeps = (/** @type {number} */ bits, /** @type {number} */ j) => (bits >> j) & 1;
const OUTCOME_OF = Array.from({ length: 2 ** WORDS }, (_, bits) => {
  const [a, b, c, d] = Array.from({ length: WORDS }, (_, j) => keeps(bits, j));
  return OUTCOMES.findIndex((one) => one[0] === a && one[1] === b + c && one[2] === d);
});

const sum = (/** @type {number[]} */ row) => row.reduce((total, x) => total + x, 0);
const tidy = (/** @type {number} */ total) => Number(total.toFixed(9));

/**
 * @param {Record<string, any>} state
 * @param {{ weights: number[] }} data
 */
export function compute({ mode, p, n }, { weights }) {
  const train = mode === "train";
  const all = keptBy(p);
  const draws = all.slice(0, n).map((bits) => weights.map((w, j) => (keeps(bits, j) ? w / (1 - p) : 0)));
  const now = train ? draws[n - 1] : weights;
  const sums = draws.map(sum);
  const means = weights.map((_, j) => sum(draws.map((row) => row[j])) / n);
  const mean = tidy(sum(sums) / n);
  const between = sums.filter((total) => total > BETWEEN[0] && total < BETWEEN[1]).length;
  const gap = gapOf(weights, p);
  const slots = {
    n: String(n),
    factor: formatFactor(p === 1 ? Infinity : 1 / (1 - p)),
    sum: formatFine(tidy(sum(now))),
    mean: formatFine(mean),
    between: String(between),
    low: gap ? formatNumber(gap[0], 2) : "",
    high: gap ? formatNumber(gap[1], 2) : "",
  };
  // What each weight was multiplied by.
  const factors = now.map((w, j) => tidy(w / weights[j]));
  return {
    parts: {
      weights: {
        rows: [weights],
        masked: [weights.map(() => false)],
        notes: ["1"],
        next: train ? turned(all, n) : weights.map(() => null),
      },
      factors: { rows: [factors], texts: factors.map(formatFactor), rule: train ? (p === 1 ? "all" : "train") : "eval" },
      now: { rows: [[...now, tidy(sum(now))]] },
      mean: train ? { rows: [[...means, mean]] } : null,
      sums: train
        ? { rows: count(all.slice(0, n), weights, p), recent: all.slice(Math.max(0, n - RECENT), n).map((bits) => OUTCOME_OF[bits]), next: next(all, n), gap }
        : null,
    },
    slots,
    summary: train ? summaryOf(p, n, now[0] > 0, between) : ["eval"],
  };
}

/** Which sentences say what the last draw was, and where all of them lie. */
function summaryOf(p, n, hasCats, between) {
  if (p === 0 || p === 1) return [p ? "everything" : "nothing"];
  const one = hasCats ? "kept" : "dropped";
  return n > 1 ? [one, between ? "between" : "none"] : [one];
}

/** The words that every draw keeps. @param {number} p */
function keptBy(p) {
  const all = [];
  for (let i = 0; i < STREAM.length; i += WORDS) {
    let bits = 0;
    for (let j = 0; j < WORDS; j += 1) if (STREAM[i + j] >= p && p < 1) bits |= 1 << j;
    all.push(bits);
  }
  return all;
}

/** What a weight is multiplied by: 2, 2.5 and 1.25 are exact, 3.333 is rounded. @param {number} factor */
function formatFactor(factor) {
  const isExact = (/** @type {number} */ digits) => Math.abs(factor - Number(factor.toFixed(digits))) < 1e-9;
  return formatNumber(factor, factor === Infinity ? 0 : ([0, 1, 2].find(isExact) ?? 3));
}

/** The sum of each outcome and how many draws had it. @param {number[]} draws @param {number[]} weights @param {number} p */
function count(draws, [first, second, , last], p) {
  const scale = p === 1 ? 0 : 1 / (1 - p);
  const found = OUTCOMES.map(() => 0);
  for (const bits of draws) found[OUTCOME_OF[bits]] += 1;
  return OUTCOMES.map(([a, b, c], i) => [Number((scale * (a * first + b * second + c * last)).toFixed(12)), found[i]]);
}

/** For each outcome the first draw after draw n that has it; null where none has. */
function next(all, n) {
  const found = OUTCOMES.map(() => null);
  for (let i = n; i < all.length; i += 1) found[OUTCOME_OF[all[i]]] ??= i + 1;
  return found;
}

/**
 * For each word the next draw that differs from draw n in this word alone; null where none does. After the last draw
 * it goes on with the first one, as the button does.
 */
function turned(all, n) {
  return Array.from({ length: WORDS }, (_, j) => {
    const wanted = all[n - 1] ^ (1 << j);
    const later = all.indexOf(wanted, n);
    const found = later === -1 ? all.indexOf(wanted) : later;
    return found === -1 ? null : found + 1;
  });
}

/**
 * The largest sum without cats and the smallest with it; null where every draw has the same sum.
 * @param {number[]} weights @param {number} p
 */
function gapOf([first, ...others], p) {
  return p > 0 && p < 1 ? [tidy(sum(others) / (1 - p)), tidy(first / (1 - p))] : null;
}

// Figure `dropout`: why do my weights not sum to 1? The twin of __init__.py.

import { formatFine, formatNumber } from "../../frontend/format.js";
import { mulberry32 } from "../../frontend/random_stream.js";

const SEED = 16;
const MOST = 1000;
const BETWEEN = [0.5, 1.5];
const OUTCOMES = [0, 1].flatMap((a) => [0, 1, 2].flatMap((b) => [0, 1].map((c) => [a, b, c])));

const sum = (/** @type {number[]} */ row) => row.reduce((total, x) => total + x, 0);
const tidy = (/** @type {number} */ total) => Number(total.toFixed(9));

/**
 * @param {Record<string, any>} state
 * @param {{ weights: number[] }} data
 */
export function compute({ mode, p, n }, { weights }) {
  const train = mode === "train";
  const u = mulberry32(SEED, 4 * MOST);
  const all = Array.from({ length: MOST }, (_, i) =>
    weights.map((w, j) => (u[4 * i + j] >= p && p < 1 ? w / (1 - p) : 0)),
  );
  const draws = all.slice(0, n);
  const now = train ? draws[n - 1] : weights;
  const sums = draws.map(sum);
  const means = weights.map((_, j) => sum(draws.map((row) => row[j])) / n);
  const mean = tidy(sum(sums) / n);
  const between = sums.filter((total) => total > BETWEEN[0] && total < BETWEEN[1]).length;
  const slots = {
    n: String(n),
    p: formatNumber(p, 1),
    factor: formatFactor(p === 1 ? Infinity : 1 / (1 - p)),
    sum: formatFine(tidy(sum(now))),
    mean: formatFine(mean),
    between: String(between),
  };
  // What each weight was multiplied by.
  const factors = now.map((w, j) => tidy(w / weights[j]));
  const more = n > 1 ? [between > 0 ? "between" : "none"] : [];
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
      sums: train ? { rows: count(draws, weights, p), now: outcome(now), next: next(all, n), gap: gap(weights, p) } : null,
    },
    slots,
    summary: train ? ["train", ...more] : ["eval"],
    main: "sum",
  };
}

/** What a weight is multiplied by: 2, 2.5 and 1.25 are exact, 3.333 is rounded. @param {number} factor */
function formatFactor(factor) {
  const isExact = (/** @type {number} */ digits) => Math.abs(factor - Number(factor.toFixed(digits))) < 1e-9;
  return formatNumber(factor, factor === Infinity ? 0 : ([0, 1, 2].find(isExact) ?? 3));
}

/** The sum of each outcome and how many draws had it. */
function count(draws, [first, second, , last], p) {
  const scale = p === 1 ? 0 : 1 / (1 - p);
  const found = draws.map(outcome);
  return OUTCOMES.map(([a, b, c], i) => {
    return [scale * (a * first + b * second + c * last), found.filter((one) => one === i).length];
  });
}

/** For each outcome the first draw after draw n that has it; null where none has. */
function next(all, n) {
  const found = OUTCOMES.map(() => null);
  for (let i = n; i < all.length; i += 1) found[outcome(all[i])] ??= i + 1;
  return found;
}

/**
 * For each word the next draw that differs from draw n in this word alone; null where none does. After the last draw
 * it goes on with the first one, as the button does.
 */
function turned(all, n) {
  const rows = all.map((row) => row.reduce((bits, w, j) => bits + (w === 0 ? 0 : 2 ** j), 0));
  return all[0].map((_, j) => {
    const wanted = rows[n - 1] ^ (2 ** j);
    const later = rows.indexOf(wanted, n);
    const found = later === -1 ? rows.indexOf(wanted) : later;
    return found === -1 ? null : found + 1;
  });
}

/** The largest sum without cats and the smallest with it; null where every draw has the same sum. */
function gap([first, ...others], p) {
  return p > 0 && p < 1 ? [tidy(sum(others) / (1 - p)), tidy(first / (1 - p))] : null;
}

function outcome(row) {
  const [a, b, c, d] = row.map((w) => Number(w !== 0));
  return OUTCOMES.findIndex((one) => one[0] === a && one[1] === b + c && one[2] === d);
}

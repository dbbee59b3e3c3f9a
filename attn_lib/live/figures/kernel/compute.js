// Figure `kernel`: what does the width do, and what happens in a gap? The browser's port of __init__.py.

import { NO_BREAK_SPACE, formatNumber, formatOutput, formatWeight, neverExact } from "../../front/numbers.js";
import { dot, kernelHeights, kernelOutputs, kernelWeights } from "../../front/scoring.js";

const POINTS = [[0, 1], [1, 3], [2, 2], [3, 4], [7, 6], [8, 5]];
const AXES = { left: -1, right: 9 };
// How far the bump at the query is drawn: so many widths of a bell, one width of the others, which end there; at most so
// far, and in so many steps to each side.
const REACH = { widths: 4, most: 10, steps: 60 };

// Places that differ by less are equal, and shorter stems are not seen.
const [SAME, SHORT] = [1e-9, 0.01];
const APART = 1e-4; // weights that differ by less are equal
// A bell is narrow where one key's weight rounds to 1.00, and wide where each has this share of the largest.
const [ALL, ALIKE] = [0.995, 0.8];

// The curve has 100 steps to a unit: the steps of a narrow bell are steep. Distances are counted in these steps, as whole
// numbers, so that a key exactly one width away is outside a compact kernel in every host.
const STEPS = 100;
const PLACES = POINTS.map(([x]) => STEPS * x);
const KEYS = PLACES.map((place) => [place]);
const VALUES = POINTS.map(([, y]) => y);
const GRID = Array.from({ length: STEPS * (AXES.right - AXES.left) + 1 }, (_, i) => STEPS * AXES.left + i);
// A reader's function is asked at one step in so many: the page's Python takes its time.
const SPARED = 10;
const ASKED = GRID.filter((_, i) => i % SPARED === 0);

/** The settings that lead from a state to one where the figure asks a reader's function: there a gap lies. */
export const asks = { kernel_gap: ({ k }) => (k === "boxcar" ? {} : { k: "boxcar", x: 5, s: 1 }) };

// The curve that was computed last, and its jumps: they do not depend on the query.
/** @type {{ s: number, k: string, curve: (number | null)[], jumps: number[] }} */
let last = { s: NaN, k: "", curve: [], jumps: [] };

/**
 * @param {Record<string, any>} state
 * @param {any} [_]
 * @param {{ kernel_gap?: Own }} [own] the reader's function
 */
export function compute({ x, s, k }, _, { kernel_gap } = {}) {
  if (last.s !== s || last.k !== k) last = { s, k, curve: kernelOutputs(GRID, PLACES, VALUES, k, STEPS * s), jumps: jumps(s, k) };
  const mine = kernel_gap && k === "boxcar"
    ? (/** @type {number[]} */ places) => kernel_gap([places, PLACES, STEPS * s], [places.length, PLACES.length])
    : null;
  const book = kernelWeights([[STEPS * x]], KEYS, k, STEPS * s);
  const own = mine?.(ASKED);
  const given = mine?.([STEPS * x]) ?? book;
  const isOwn = isUnlike(given, book);
  const unlike = own ? kernelWeights(ASKED.map((place) => [place]), KEYS, k, STEPS * s).map((row, i) => isUnlike([row], [own[i]])) : [];
  const isOther = isOwn || unlike.includes(true);
  const [weights] = isOther ? given : book;
  // Where it gives the book's weights, the curve is the book's.
  const fitAt = (/** @type {number | null} */ fit, /** @type {number} */ i) => {
    const nearest = Math.floor((i + SPARED / 2) / SPARED);
    return unlike[nearest] ? fitOf(own[nearest]) : fit;
  };
  const curve = isOther ? last.curve.map(fitAt) : last.curve;
  const [fit] = isOther ? [fitOf(weights)] : kernelOutputs([STEPS * x], PLACES, VALUES, k, STEPS * s);
  // The bell is nowhere 0.
  const row = k === "gaussian" ? neverExact(weights) : weights;
  const shares = POINTS.map(([, y], j) => [formatWeight(row[j]), y]);
  // Of shares that are whole hundredths, and no bell has them, the sum is exact.
  const whole = row.every((w) => Math.abs(100 * w - Math.round(100 * w)) < SAME);
  const raised = bump(x, s, k);
  const tallest = Math.max(...raised.heights);
  const seen = fit === null || tallest > SHORT || isOwn;
  return {
    parts: {
      // As numbers the fit at whole x, as a line at every step. Nobody knows where a curve unlike the book's jumps.
      curve: { rows: [curve.filter((_, i) => i % STEPS === 0)], line: curve, query: x, fit, jumps: isOther ? [] : last.jumps },
      bump: { ...raised, seen },
      weights: { rows: [row] },
    },
    slots: {
      x: formatNumber(x, 2),
      s: formatNumber(s, null),
      y: formatOutput(fit),
      w: formatWeight(Math.max(...row)),
      sum: shares
        .filter(([share]) => share !== "0" && share !== "0.00")
        .map(([share, y]) => `${share}${NO_BREAK_SPACE}·${NO_BREAK_SPACE}${y}`)
        .join(" + "),
      equals: fit === null ? "" : whole && k !== "gaussian" ? "=" : "≈",
      times: seen ? "" : power(tallest),
      total: formatNumber(row.reduce((sum, w) => sum + w, 0), 2),
    },
    summary: told(isOwn ? "own" : shape(k, row), fit, seen),
  };
}

/** Which sentences say what the query finds. @param {string} shape @param {number | null} fit @param {boolean} seen */
function told(shape, fit, seen) {
  if (fit === null) return [shape === "own" ? "own" : "gap"];
  return seen ? [shape, "fit"] : ["unseen"];
}

/** @param {number[][]} weights @param {number[][]} book */
function isUnlike(weights, book) {
  return weights.some((row, i) => row.some((w, j) => Math.abs(w - book[i][j]) > APART));
}

/** What weights make of the values; nothing where no key has weight. @param {number[]} weights */
function fitOf(weights) {
  return weights.some(Boolean) ? dot(weights, VALUES) : null;
}

/** Which sentence says how the kernel makes these weights. */
function shape(kernel, row) {
  const largest = Math.max(...row);
  if (kernel === "gaussian" && largest >= ALL) return "narrow";
  return kernel === "gaussian" && Math.min(...row) >= ALIKE * largest ? "wide" : kernel;
}

/** The power of ten that makes the tallest stem about as tall as the kernel. */
function power(tallest) {
  return `10${String(Math.round(-Math.log10(tallest))).replace(/[0-9]/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit])}`;
}

/** The steps at which the curve jumps: only a boxcar takes a key in all at once. */
function jumps(s, k) {
  if (k !== "boxcar") return [];
  const atEdge = (place) => KEYS.some(([key]) => Math.abs(Math.abs(place - key) - STEPS * s) < SAME);
  return GRID.flatMap((place, i) => (atEdge(place) ? [i] : []));
}

/** The kernel around the query as a line, and its height at each key. */
function bump(x, s, k) {
  const reach = Math.min(REACH.most, (k === "gaussian" ? REACH.widths : 1) * s);
  const steps = Array.from({ length: 2 * REACH.steps + 1 }, (_, i) => i - REACH.steps);
  return {
    reach,
    line: kernelHeights(steps.map((step) => (step * reach) / REACH.steps / s), k),
    heights: kernelHeights(KEYS.map(([key]) => (STEPS * x - key) / (STEPS * s)), k),
  };
}

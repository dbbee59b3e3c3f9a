// Figure `kernel`: what does the width do, and what happens in a gap? The browser's port of __init__.py.

import { NO_BREAK_SPACE, formatNumber, formatOutput, formatWeight, neverExact } from "../../front/numbers.js";
import { kernelHeights, kernelOutputs, kernelWeights } from "../../front/scoring.js";

const POINTS = [[0, 1], [1, 3], [2, 2], [3, 4], [7, 6], [8, 5]];
const AXES = { left: -1, right: 9 };
// How far the bump at the query is drawn: so many widths of a bell, one width of the others, which end there; at most so
// far, and in so many steps to each side.
const REACH = { widths: 4, most: 10, steps: 60 };

// Places that differ by less are equal, and shorter stems are not seen.
const [SAME, SHORT] = [1e-9, 0.01];
// A bell is narrow where one key's weight rounds to 1.00, and wide where each has this share of the largest.
const [ALL, ALIKE] = [0.995, 0.8];

// The curve has 100 steps to a unit: the steps of a narrow bell are steep. Distances are counted in these steps, as whole
// numbers, so that a key exactly one width away is outside a compact kernel in every host.
const STEPS = 100;
const PLACES = POINTS.map(([x]) => STEPS * x);
const KEYS = PLACES.map((place) => [place]);
const VALUES = POINTS.map(([, y]) => y);
const GRID = Array.from({ length: STEPS * (AXES.right - AXES.left) + 1 }, (_, i) => STEPS * AXES.left + i);

// The curve that was computed last, and its jumps: they do not depend on the query.
/** @type {{ s: number, k: string, curve: (number | null)[], jumps: number[] }} */
let last = { s: NaN, k: "", curve: [], jumps: [] };

/** @param {Record<string, any>} state */
export function compute({ x, s, k }) {
  if (last.s !== s || last.k !== k) last = { s, k, curve: kernelOutputs(GRID, PLACES, VALUES, k, STEPS * s), jumps: jumps(s, k) };
  const { curve } = last;
  const [weights] = kernelWeights([[STEPS * x]], KEYS, k, STEPS * s);
  const [fit] = kernelOutputs([STEPS * x], PLACES, VALUES, k, STEPS * s);
  // The bell is nowhere 0.
  const row = k === "gaussian" ? neverExact(weights) : weights;
  const shares = POINTS.map(([, y], j) => [formatWeight(row[j]), y]);
  // Of shares that are whole hundredths, and no bell has them, the sum is exact.
  const whole = row.every((w) => Math.abs(100 * w - Math.round(100 * w)) < SAME);
  const raised = bump(x, s, k);
  const tallest = Math.max(...raised.heights);
  const seen = fit === null || tallest > SHORT;
  return {
    parts: {
      // As numbers the fit at whole x, as a line at every step.
      curve: { rows: [curve.filter((_, i) => i % STEPS === 0)], line: curve, query: x, fit, jumps: last.jumps },
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
    },
    summary: fit === null ? ["gap"] : seen ? [shape(k, row), "fit"] : ["unseen"],
  };
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

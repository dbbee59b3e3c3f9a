// Figure `kernel`: what does the width do, and what happens in a gap? The twin of __init__.py.

import { formatNumber, formatOutput, formatWeight } from "../../frontend/format.js";
import { dot, kernelHeights, kernelWeights } from "../../frontend/scoring.js";

const POINTS = [[0, 1], [1, 3], [2, 2], [3, 4], [7, 6], [8, 5]];
const AXES = { left: -1, right: 9 };
// How far the bump at the query is drawn, in widths and at most, and in how many steps to each side.
const REACH = { widths: 4, most: 10, steps: 60 };

// Weights that differ by less are equal, and shorter stems are not seen.
const [SAME, SHORT] = [1e-9, 0.01];

// The curve has 20 steps to a unit. Distances are counted in these steps, as whole numbers, so that
// a key exactly one width away is outside a compact kernel in every host.
const STEPS = 20;
const KEYS = POINTS.map(([x]) => [STEPS * x]);
const VALUES = POINTS.map(([, y]) => y);
const GRID = Array.from({ length: STEPS * (AXES.right - AXES.left) + 1 }, (_, i) => STEPS * AXES.left + i);

/** @param {Record<string, any>} state */
export function compute({ x, s, k }) {
  const queries = [STEPS * x, ...GRID].map((position) => [position]);
  const weights = kernelWeights(queries, KEYS, k, STEPS * s);
  // Where no key has weight there is nothing to draw, so the curve breaks.
  const fits = weights.map((row) => (row.some((w) => w > 0) ? dot(row, VALUES) : null));
  const [row] = weights;
  const [fit, ...curve] = fits;
  const top = Math.max(...row);
  const raised = bump(x, s, k);
  const largest = POINTS.flatMap(([place], j) => (row[j] > top - SAME ? [place] : []));
  const seen = fit === null || Math.max(...raised.heights) > SHORT;
  return {
    parts: {
      // As numbers the fit at whole x, as a line at every step.
      curve: { rows: [curve.filter((_, i) => i % STEPS === 0)], line: curve, query: x, fit, jumps: jumps(s, k) },
      bump: raised,
      weights: { rows: [row] },
      output: { rows: [[fit]] },
    },
    slots: {
      x: formatNumber(x, 2),
      s: formatNumber(s, null),
      y: formatOutput(fit),
      w: formatWeight(top),
      i: largest.slice(0, -1).join(", "),
      last: String(largest.at(-1)),
    },
    summary: [`kernel_${k}`, outcome(fit, largest.length), ...(seen ? [] : ["unseen"])],
    main: "y",
  };
}

/** The sentence that says the fit, and whether several keys share the largest weight. */
function outcome(fit, largest) {
  if (fit === null) return "gap";
  return largest > 1 ? "fit_tie" : "fit";
}

/** The steps at which the curve jumps: only a boxcar takes a key in all at once. */
function jumps(s, k) {
  if (k !== "boxcar") return [];
  const atEdge = (place) => KEYS.some(([key]) => Math.abs(Math.abs(place - key) - STEPS * s) < SAME);
  return GRID.flatMap((place, i) => (atEdge(place) ? [i] : []));
}

/** The kernel around the query as a line, and its height at each key. */
function bump(x, s, k) {
  const reach = Math.min(REACH.most, REACH.widths * s);
  const steps = Array.from({ length: 2 * REACH.steps + 1 }, (_, i) => i - REACH.steps);
  return {
    reach,
    line: kernelHeights(steps.map((step) => (step * reach) / REACH.steps / s), k),
    heights: kernelHeights(KEYS.map(([key]) => (STEPS * x - key) / (STEPS * s)), k),
  };
}

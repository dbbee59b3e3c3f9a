// Figure `kernel`: what does the width do, and what happens in a gap? The twin of __init__.py.

import { formatNumber, formatOutput, formatWeight } from "../../frontend/format.js";
import { dot, kernelWeights } from "../../frontend/scoring.js";

const POINTS = [[0, 1], [1, 3], [2, 2], [3, 4], [7, 6], [8, 5]];
const AXES = { left: -1, right: 9, bottom: 0, top: 7 };

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
  const largest = row.indexOf(Math.max(...row));
  return {
    parts: {
      // As numbers the fit at whole x, as a line at every step.
      curve: {
        rows: [curve.filter((_, i) => i % STEPS === 0)],
        line: curve,
        query: x,
        fit,
        weights: row,
        points: POINTS,
        axes: AXES,
      },
      weights: { rows: [row] },
      output: { rows: [[fit]] },
    },
    slots: {
      x: formatNumber(x, 2),
      s: formatNumber(s, null),
      y: formatOutput(fit),
      w: formatWeight(row[largest]),
      i: String(POINTS[largest][0]),
    },
    summary: [`kernel_${k}`, fit === null ? "gap" : "fit"],
    main: "y",
  };
}

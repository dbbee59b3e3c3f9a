// Figure `scale`: which d breaks the softmax, and why the square root of d? The twin of
// __init__.py, which explains the draws.

import { formatNumber, formatWeight } from "../../frontend/format.js";
import { normals } from "../../frontend/random_stream.js";
import { softmax } from "../../frontend/scoring.js";

const SIZES = [1, 4, 16, 64, 256, 512];
const DIVISORS = ["none", "sqrt", "d"];
const [TRIALS, KEYS] = [200, 10];
const [BINS, REACH] = [31, 30];

/** @param {Record<string, any>} state */
export function compute(state) {
  const { d, m, rho, c } = state;
  const divisor = divisorOf(c, d);
  const scores = dividedScores(d, m, rho, c);
  const centred = scores.map((row) => row.map((score) => score - mean(row)));
  const weights = scores.map(softmax);
  const entropy = median(weights.map((row) => -sum(row.map((w) => (w > 0 ? w * Math.log(w) : 0)))));
  const jacobian = median(weights.map(jacobianNorm));
  const largest = DIVISORS.map((name) => SIZES.map((size) => typicalLargest(size, m, rho, name)));
  const at = SIZES.indexOf(d);
  const atLargest = largest[DIVISORS.indexOf(c)][at];

  const theoryMean = (d * (m ** 2 + rho)) / divisor;
  const variance = (d * (1 + rho ** 2 + 2 * m ** 2 * (1 + rho))) / divisor ** 2;
  // Ten numbers vary around their own mean by nine tenths of their variance.
  const across = ((1 - 1 / KEYS) * (1 - rho ** 2) * d * (1 + m ** 2)) / divisor ** 2;
  const counts = [countsOf(scores.flat()), countsOf(centred.flat())];
  const top = Math.max(...counts.flat());
  const total = mean(scores.flat());
  return {
    parts: {
      histogram: {
        rows: counts,
        top,
        spread: [-1, 0, 1].map((side) => onAxis(theoryMean + side * Math.sqrt(variance))),
      },
      moments: {
        rows: [
          [
            total,
            mean(scores.flat().map((score) => (score - total) ** 2)),
            mean(centred.flat().map((score) => score ** 2)),
          ],
          [theoryMean, variance, across],
        ],
      },
      weights: { rows: [weights[typicalTrial(weights)]] },
      softmax: { rows: [[atLargest, entropy, jacobian]] },
      largest: { rows: largest, chosen: at },
    },
    slots: { d: String(d), top: String(top), w: formatWeight(atLargest), J: formatNumber(jacobian, 4) },
    summary: rho === 1 ? [c, "equal"] : [c],
    main: "w",
  };
}

const drawn = new Map();

/** What the numbers of each trial amount to: the sum of z, the sum of its squares, and e. */
function draws(d) {
  if (!drawn.has(d)) {
    const noise = normals(1, TRIALS * (d + KEYS));
    const trials = Array.from({ length: TRIALS }, (_, i) => {
      const trial = noise.slice(i * (d + KEYS), (i + 1) * (d + KEYS));
      const z = trial.slice(0, d);
      return { total: sum(z), squares: sum(z.map((x) => x * x)), e: trial.slice(d) };
    });
    drawn.set(d, trials);
  }
  return drawn.get(d);
}

function dividedScores(d, m, rho, c) {
  return draws(d).map(({ total, squares, e }) => {
    const shared = m * (m * d + total) + rho * (m * total + squares);
    const norm = Math.sqrt(m * m * d + 2 * m * total + squares);
    return e.map((x) => (shared + Math.sqrt(1 - rho ** 2) * norm * x) / divisorOf(c, d));
  });
}

function divisorOf(name, d) {
  return { none: 1, sqrt: Math.sqrt(d), d }[name];
}

function typicalLargest(d, m, rho, c) {
  const weights = dividedScores(d, m, rho, c).map(softmax);
  return Math.max(...weights[typicalTrial(weights)]);
}

/** The trial with the median largest weight; of equal ones, the first. */
function typicalTrial(weights) {
  const rounded = weights.map((row) => Math.round(Math.max(...row) * 1e9));
  const order = rounded.map((_, i) => i).sort((i, j) => rounded[i] - rounded[j] || i - j);
  return order[Math.floor((TRIALS - 1) / 2)];
}

/** The Frobenius norm of diag(w) - w w^T. */
function jacobianNorm(w) {
  return Math.sqrt(sum(w.flatMap((x, i) => w.map((y, j) => ((i === j ? x : 0) - x * y) ** 2))));
}

/** Counts in equal bins from -30 to 30; the outer bins take the rest. */
function countsOf(scores) {
  const counts = new Array(BINS).fill(0);
  for (const score of scores) {
    const bin = Math.floor((score + REACH) * (BINS / (2 * REACH)));
    counts[Math.min(Math.max(bin, 0), BINS - 1)] += 1;
  }
  return counts;
}

function onAxis(score) {
  return Math.min(Math.max(score, -REACH), REACH);
}

function sum(row) {
  return row.reduce((total, x) => total + x, 0);
}

function mean(row) {
  return sum(row) / row.length;
}

/** The lower of the two middle values, as torch.median has it. */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
}

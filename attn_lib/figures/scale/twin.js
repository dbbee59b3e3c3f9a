// Figure `scale`: which d breaks the softmax, and why the square root of d? The twin of
// __init__.py, which explains the draws.

import { formatNumber, formatWeight } from "../../frontend/format.js";
import { normals } from "../../frontend/random_stream.js";
import { softmax } from "../../frontend/scoring.js";

const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const DIVISORS = ["none", "sqrt", "d"];
const [TRIALS, KEYS] = [200, 10];
const [BINS, REACH] = [31, 30];
const SATURATED = 0.1; // of equal weights the norm is 0.3

/** @param {Record<string, any>} state */
export function compute(state) {
  const { d, m, rho, c } = state;
  const watched = rho > 0 ? "fits" : "largest"; // the weight to watch
  const [at, row] = [SIZES.indexOf(d), DIVISORS.indexOf(c)];
  const table = typicalOfAll(m, rho);
  const [typical, trials, norms] = [0, 1, 2].map((i) => table.map((line) => line.map((median) => median[i])));

  const [sorted, gaps, fits, readings] = [[], [], [], []];
  DIVISORS.forEach((name, i) => {
    const scores = dividedScores(d, m, rho, name);
    const weights = scores.map(softmax);
    const trial = trials[i][at];
    const order = weights[trial].map((_, j) => j).sort((j, k) => weights[trial][k] - weights[trial][j]);
    sorted.push(order.map((j) => weights[trial][j]));
    const top = Math.max(...scores[trial]);
    gaps.push(order.map((j) => top - scores[trial][j]));
    fits.push(rho > 0 ? order.indexOf(0) : null);
    const entropies = weights.map((w) => -sum(w.map((x) => (x > 0 ? x * Math.log(x) : 0))));
    readings.push([typical[i][at], median(entropies), norms[i][at]]);
  });

  const scores = dividedScores(d, m, rho, c);
  const centred = scores.map((line) => line.map((score) => score - mean(line)));
  const [theoryMean, variance, across] = theory(d, m, rho, divisorOf(c, d));
  const counts = [countsOf(scores.flat()), countsOf(centred.flat())];
  const top = Math.max(...counts.flat());
  const why = reading(d, c, rho, typical[row][at]);
  const total = mean(scores.flat());
  return {
    parts: {
      typical: { rows: typical, chosen: at, lit: row, fits: rho > 0 },
      norms: { rows: norms },
      weights: { rows: sorted, gaps, fits },
      softmax: { rows: readings },
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
    },
    slots: {
      d: String(d),
      m: formatNumber(m, 1),
      root: formatNumber(Math.sqrt(d), 1),
      top: String(top),
      w: formatWeight(typical[row][at]),
      w1: formatWeight(typical[0][at]),
      w2: formatWeight(typical[1][at]),
      w3: formatWeight(typical[2][at]),
      J: formatNorm(norms[row][at]),
    },
    summary: [
      c,
      watched,
      why,
      ...outcome(why, norms[row][at]),
      ...(m ? ["mean"] : []),
    ],
    main: "w",
    about: watched,
  };
}

/** Which sentence says why the weight is what it is. */
function reading(d, c, rho, weight) {
  if (d === 1) return "alike";
  if (rho === 0) return `noise_${c}`;
  return weight < 1 / KEYS - 0.005 ? "below" : `match_${c}`;
}

/** The sentence, if any, that says what comes of it. */
function outcome(why, norm) {
  if (norm < SATURATED) return ["saturated"];
  return why === "noise_none" ? ["favoured"] : [];
}

let noise; // one stream: a smaller d reads less of it
const drawn = new Map();

/** What the numbers of each trial amount to: the sum of z, the sum of its squares, and e. */
function draws(d) {
  noise ??= normals(1, TRIALS * (SIZES.at(-1) + KEYS));
  if (!drawn.has(d)) {
    const trials = [];
    for (let start = 0; trials.length < TRIALS; start += d + KEYS) {
      const z = noise.slice(start, start + d);
      const e = noise.slice(start + d, start + d + KEYS);
      trials.push({ total: sum(z), squares: z.reduce((total, x) => total + x * x, 0), e });
    }
    drawn.set(d, trials);
  }
  return drawn.get(d);
}

function dividedScores(d, m, rho, c) {
  return draws(d).map(({ total, squares, e }) => {
    const shared = m * (m * d + total);
    const norm = Math.sqrt(m * m * d + 2 * m * total + squares);
    return e.map((x, j) => {
      const correlation = j === 0 ? rho : 0;
      const noise = norm * Math.sqrt(1 - correlation ** 2) * x;
      return (shared + correlation * (m * total + squares) + noise) / divisorOf(c, d);
    });
  });
}

/** What mean, variance and variance across the keys of a trial are in theory. */
function theory(d, m, rho, divisor) {
  const first = 1 / KEYS; // the share of the key that may fit
  const others = 1 - first;
  const spread = others * (1 + 2 * m ** 2) + first * (1 + rho ** 2 + 2 * m ** 2 * (1 + rho));
  const variance = d * spread + first * others * (d * rho) ** 2;
  // Ten numbers vary around their own mean by nine tenths of their variance.
  const noise = others * d * (1 + m ** 2) * (1 - first * rho ** 2);
  const across = noise + first * others * rho ** 2 * (d ** 2 + 2 * d + m ** 2 * d);
  return [(d * (m ** 2 + first * rho)) / divisor, variance / divisor ** 2, across / divisor ** 2];
}

function divisorOf(name, d) {
  return { none: 1, sqrt: Math.sqrt(d), d }[name];
}

let latest = { m: NaN, rho: NaN, table: [] };

/** What is typical, for each divisor and each d; that of the last m and rho is kept. */
function typicalOfAll(m, rho) {
  if (latest.m !== m || latest.rho !== rho) {
    latest = { m, rho, table: DIVISORS.map((c) => SIZES.map((d) => typicalOf(d, m, rho, c))) };
  }
  return latest.table;
}

/** The median of the weight to watch (that of the key that fits, or the largest), the first trial that has it, and the median of the norm. */
function typicalOf(d, m, rho, c) {
  const weights = dividedScores(d, m, rho, c).map(softmax);
  const watched = weights.map((row) => (rho > 0 ? row[0] : Math.max(...row)));
  const rounded = watched.map((weight) => Math.round(weight * 1e9));
  const order = rounded.map((_, i) => i).sort((i, j) => rounded[i] - rounded[j] || i - j);
  const trial = order[Math.floor((TRIALS - 1) / 2)];
  return [watched[trial], trial, median(weights.map(jacobianNorm))];
}

/** The Frobenius norm of diag(w) - w w^T. */
function jacobianNorm(w) {
  let squares = 0;
  for (let i = 0; i < w.length; i += 1) {
    squares += (w[i] - w[i] * w[i]) ** 2;
    for (let j = 0; j < i; j += 1) squares += 2 * (w[i] * w[j]) ** 2;
  }
  return Math.sqrt(squares);
}

/** A norm as text; one that is not 0 never reads as 0. */
export function formatNorm(norm) {
  return norm > 0 && norm < 0.00005 ? "< 0.0001" : formatNumber(norm, 4);
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

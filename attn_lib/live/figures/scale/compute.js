// Figure `scale`: which d breaks the softmax, and why the square root of d? The browser's port of
// __init__.py, which explains the draws.

import { formatNumber, formatWeight, neverExact, relation } from "../../front/numbers.js";
import { normals } from "../../front/random_stream.js";

const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const DIVISORS = ["none", "sqrt", "d"];
const CORRELATIONS = Array.from({ length: 21 }, (_, i) => i / 20);
const [TRIALS, KEYS] = [200, 10];
const [BINS, REACH] = [31, 30];
const ALL = 0.95 * TRIALS * KEYS; // so many scores in one column are nearly all of them
const SATURATED = 0.1; // of equal weights the norm is 0.3
const WIDE = 99.95; // what is larger has no decimals

/** @param {Record<string, any>} state */
export function compute(state) {
  const { d, m, rho, c } = state;
  const watched = rho > 0 ? "fits" : "largest"; // the weight to watch
  const [at, row] = [SIZES.indexOf(d), DIVISORS.indexOf(c)];
  const { typical, trials, norms } = typicalOfAll(m, rho);
  foresee(m);

  const scores = scoresOf(d, m, rho);
  const [sorted, gaps, fits] = [[], [], []];
  DIVISORS.forEach((name, i) => {
    const divided = trialOf(scores, trials[i][at]).map((score) => score / divisorOf(name, d));
    const shown = neverExact([...softmaxOf(divided, 1)]);
    const order = [...shown.keys()].sort((j, k) => shown[k] - shown[j]);
    sorted.push(order.map((j) => shown[j]));
    gaps.push(order.map((j) => Math.max(...divided) - divided[j]));
    fits.push(rho > 0 ? order.indexOf(0) : null);
  });
  const why = reading(d, c, rho, typical[row][at]);
  return {
    parts: {
      typical: { rows: typical, chosen: at, lit: row, fits: rho > 0 },
      norms: { rows: norms },
      weights: { rows: sorted, fits },
      gaps: { rows: gaps, digits: Number(Math.max(...gaps.flat()) < WIDE) },
      // What the fold shows is worked out when it is painted.
      get softmax() {
        const entropies = DIVISORS.map((name) => median(rowsOf(softmaxOf(scores, divisorOf(name, d))).map(entropy)));
        return { rows: entropies.map((middle, i) => [typical[i][at], middle, norms[i][at]]) };
      },
      get histogram() {
        return histogramOf({ d, m, rho, c }, scores);
      },
      get moments() {
        return momentsOf({ d, m, rho, c }, scores);
      },
    },
    slots: {
      d: String(d),
      m: formatNumber(m, 1),
      root: formatNumber(Math.sqrt(d), 1),
      root_is: relation(Math.sqrt(d), 1),
      w: formatWeight(typical[row][at]),
      w1: formatWeight(typical[0][at]),
      w2: formatWeight(typical[1][at]),
      w3: formatWeight(typical[2][at]),
    },
    summary: [
      c,
      watched,
      // What a mean does is the news, where there is one.
      ...(m ? ["mean"] : [why, ...outcome(why, norms[row][at])]),
    ],
  };
}

/** How the scores, divided, lie on the axis; and how those of each trial lie around their mean. */
function histogramOf({ d, m, rho, c }, scores) {
  const divided = scores.map((score) => score / divisorOf(c, d));
  const counts = [countsOf(divided), countsOf(aroundMean(divided))];
  const [theoryMean, variance] = theory(d, m, rho, divisorOf(c, d));
  const highest = counts.map((row) => Math.max(...row));
  return {
    rows: counts,
    top: Math.max(...highest),
    sentence: Math.min(...highest) < ALL ? "histogram" : "histogram_one",
    spread: [-1, 0, 1].map((side) => onAxis(theoryMean + side * Math.sqrt(variance))),
  };
}

/** Mean, variance and variance across the keys of a trial, as measured and in theory. */
function momentsOf({ d, m, rho, c }, scores) {
  const divided = scores.map((score) => score / divisorOf(c, d));
  const total = mean(divided);
  const measured = [
    total,
    mean(divided.map((score) => (score - total) ** 2)),
    mean(aroundMean(divided).map((score) => score ** 2)),
  ];
  return { rows: [measured, theory(d, m, rho, divisorOf(c, d))] };
}

function aroundMean(scores) {
  return rowsOf(scores).flatMap((row) => {
    const middle = mean(row);
    return Array.from(row, (score) => score - middle);
  });
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
    for (let at = 0; trials.length < TRIALS; at += KEYS) {
      let [total, squares] = [0, 0];
      for (const end = at + d; at < end; at += 1) {
        total += noise[at];
        squares += noise[at] ** 2;
      }
      trials.push({ total, squares, e: noise.slice(at, at + KEYS) });
    }
    drawn.set(d, trials);
  }
  return drawn.get(d);
}

// A table takes thirty times 200 trials, and one that was not foreseen less than a frame: that takes loops over
// numbers that lie side by side, ten for each trial, and no new arrays.

/** The dot products of all trials, undivided. */
function scoresOf(d, m, rho, scores = new Float64Array(TRIALS * KEYS)) {
  const own = Math.sqrt(1 - rho ** 2); // what of the key that may fit is its own noise
  let at = 0;
  for (const { total, squares, e } of draws(d)) {
    const shared = m * (m * d + total);
    const norm = Math.sqrt(m * m * d + 2 * m * total + squares);
    scores[at] = shared + rho * (m * total + squares) + norm * own * e[0];
    for (let j = 1; j < KEYS; j += 1) scores[at + j] = shared + norm * e[j];
    at += KEYS;
  }
  return scores;
}

/** The weights of all trials. */
function softmaxOf(scores, divisor, weights = new Float64Array(scores.length)) {
  for (let start = 0; start < scores.length; start += KEYS) {
    const end = start + KEYS;
    // Who is largest undivided is so divided.
    let largest = scores[start];
    for (let at = start + 1; at < end; at += 1) if (scores[at] > largest) largest = scores[at];
    largest /= divisor;
    let total = 0;
    for (let at = start; at < end; at += 1) {
      weights[at] = Math.exp(scores[at] / divisor - largest);
      total += weights[at];
    }
    for (let at = start; at < end; at += 1) weights[at] /= total;
  }
  return weights;
}

/** The numbers of a trial, looked at as a row. */
function trialOf(numbers, t) {
  return numbers.subarray(t * KEYS, (t + 1) * KEYS);
}

function rowsOf(numbers) {
  return Array.from({ length: TRIALS }, (_, t) => trialOf(numbers, t));
}

function entropy(weights) {
  return -weights.reduce((total, w) => total + (w > 0 ? w * Math.log(w) : 0), 0);
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

// What every move fills anew: of one d the scores and, for one divisor, the weights; of each trial a number.
const room = {
  scores: new Float64Array(TRIALS * KEYS),
  weights: new Float64Array(TRIALS * KEYS),
  watched: new Float64Array(TRIALS),
  squares: new Float64Array(TRIALS),
  sorted: new Float64Array(TRIALS),
};

/** @type {Map<string, any>} */
const tables = new Map(); // of each m and rho that was asked for or foreseen

/** What is typical, for each divisor and each d: the weight, a trial, the norm. */
function typicalOfAll(m, rho) {
  const name = nameOf(m, rho);
  if (!tables.has(name)) {
    const columns = SIZES.map((d) => {
      const scores = scoresOf(d, m, rho, room.scores);
      return DIVISORS.map((c) => typicalOf(softmaxOf(scores, divisorOf(c, d), room.weights), rho > 0));
    });
    const [typical, trials, norms] = [0, 1, 2].map((k) => DIVISORS.map((_, i) => columns.map((column) => column[i][k])));
    tables.set(name, { typical, trials, norms });
  }
  return tables.get(name);
}

function nameOf(m, rho) {
  return `${m} ${rho}`;
}

let ahead = null; // the m of the tables that are being worked out ahead

/** Work out what the slider of rho may ask for next: a table at a time, when there is nothing else to do. */
function foresee(m) {
  const isAtWork = ahead !== null;
  ahead = m;
  if (!isAtWork) goOn();
}

function goOn() {
  const rho = CORRELATIONS.find((one) => !tables.has(nameOf(ahead, one)));
  if (rho === undefined || !globalThis.requestIdleCallback) {
    ahead = null;
    return;
  }
  requestIdleCallback(() => {
    typicalOfAll(ahead, rho);
    goOn();
  });
}

/** The median of the weight to watch (that of the key that fits, or the largest), the first trial that has it, and the median of the norm. */
function typicalOf(weights, isFit) {
  const { watched, squares } = room;
  for (let t = 0; t < TRIALS; t += 1) {
    const start = t * KEYS;
    let largest = weights[start];
    // The squares of diag(w) - w w^T: on the diagonal, and twice those below it.
    let [sum, below] = [0, 0];
    for (let at = start; at < start + KEYS; at += 1) {
      const w = weights[at];
      const square = w * w;
      if (w > largest) largest = w;
      sum += (w - square) ** 2 + 2 * square * below;
      below += square;
    }
    watched[t] = Math.round((isFit ? weights[start] : largest) * 1e9); // as in __init__.py
    squares[t] = sum;
  }
  const trial = watched.indexOf(median(watched));
  const row = neverExact(trialOf(weights, trial));
  return [isFit ? row[0] : Math.max(...row), trial, Math.sqrt(median(squares))];
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

/** The lower of the two middle values of all trials, as torch.median has it. */
function median(values) {
  room.sorted.set(values);
  return room.sorted.sort()[Math.floor((TRIALS - 1) / 2)];
}

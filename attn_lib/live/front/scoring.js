// The mathematics of attn_lib for one example of a batch: plain arrays in, plain arrays out.
// Names and results follow scoring.py and masking.py; a test compares them case by case. What runs for each pair of
// a query and a key makes no list and calls no callback: a curve has hundreds of pairs, and is computed at every move.

/** @typedef {number[]} Vector */
/** @typedef {number[][]} Matrix  rows of numbers */

/** @param {Vector} a @param {Vector} b */
export function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i] * b[i];
  return sum;
}

/**
 * W x for every row x, as nn.Linear without bias.
 * @param {Matrix} rows (N, D) @param {Matrix} W (H, D) @returns {Matrix} (N, H)
 */
export function project(rows, W) {
  return rows.map((x) => W.map((w) => dot(w, x)));
}

/**
 * Scores q . k / sqrt(D), or q . k where `scaled` is false.
 * @param {Matrix} queries (Q, D) @param {Matrix} keys (K, D) @param {boolean} [scaled]
 * @returns {Matrix} (Q, K)
 */
export function dotProductScores(queries, keys, scaled = true) {
  return queries.map((q) => {
    const by = scaled ? Math.sqrt(q.length) : 1;
    return keys.map((k) => dot(q, k) / by);
  });
}

/** What additive attention makes of two projections. @param {number} q @param {number} k */
export const tanhOfSum = (q, k) => Math.tanh(q + k);

/**
 * Scores w_v . combine(W_q q, W_k k); additive attention combines by tanh of the sum.
 * @param {Matrix} queries (Q, D_q) @param {Matrix} keys (K, D_k)
 * @param {Matrix} W_q (H, D_q) @param {Matrix} W_k (H, D_k) @param {Vector} w_v (H)
 * @param {(q: number, k: number) => number} [combine] one hidden unit from its two projections
 * @returns {Matrix} (Q, K)
 */
export function additiveScores(queries, keys, W_q, W_k, w_v, combine = tanhOfSum) {
  return projectedScores(project(queries, W_q), project(keys, W_k), w_v, combine);
}

/**
 * The scores of additive attention where W_q q and W_k k are known.
 * @param {Matrix} queries (Q, H) @param {Matrix} keys (K, H) @param {Vector} w_v (H)
 * @param {(q: number, k: number) => number} combine @returns {Matrix} (Q, K)
 */
export function projectedScores(queries, keys, w_v, combine) {
  const score = (/** @type {Vector} */ q, /** @type {Vector} */ k) => {
    let sum = 0;
    for (let h = 0; h < w_v.length; h += 1) sum += w_v[h] * combine(q[h], k[h]);
    return sum;
  };
  return queries.map((q) => keys.map((k) => score(q, k)));
}

/**
 * Scores by the cosine of the angle between query and key; a zero vector scores 0.
 * @param {Matrix} queries (Q, D) @param {Matrix} keys (K, D) @returns {Matrix} (Q, K)
 */
export function cosineScores(queries, keys) {
  const lengths = keys.map(length);
  return queries.map((q) => {
    const long = length(q);
    return keys.map((k, j) => (long > 0 && lengths[j] > 0 ? dot(q, k) / long / lengths[j] : 0));
  });
}

/** @param {Vector} x */
function length(x) {
  return Math.sqrt(dot(x, x));
}

/**
 * Scores -|q - k|^2 / 2, the exponent of a Gaussian kernel of width 1.
 * @param {Matrix} queries (Q, D) @param {Matrix} keys (K, D) @returns {Matrix} (Q, K)
 */
export function gaussianScores(queries, keys) {
  return queries.map((q) => keys.map((k) => -squaredDistance(q, k) / 2));
}

/** @param {Vector} a @param {Vector} b */
function squaredDistance(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] - b[i]) ** 2;
  return sum;
}

// The kernels that are 0 from one width on, as functions of (distance / width)^2.
const COMPACT_KERNELS = {
  boxcar: (squared) => Number(squared < 1),
  triangular: (squared) => Math.max(0, 1 - Math.sqrt(squared)),
  epanechnikov: (squared) => Math.max(0, 1 - squared),
};

/**
 * The heights of a kernel at distances counted in widths; it is 1 at 0.
 * @param {Vector} distances @param {string} kernel @returns {Vector}
 */
export function kernelHeights(distances, kernel) {
  return distances.map((u) => (kernel === "gaussian" ? Math.exp(-(u ** 2) / 2) : COMPACT_KERNELS[kernel](u ** 2)));
}

/**
 * Weights that fall with distance, as KernelAttention; all zeros where no key is within the width.
 * @param {Matrix} queries (Q, D) @param {Matrix} keys (K, D)
 * @param {string} kernel "gaussian" or one of COMPACT_KERNELS @param {number} width
 * @returns {Matrix} (Q, K)
 */
export function kernelWeights(queries, keys, kernel, width) {
  return queries.map((q) => {
    const squared = keys.map((k) => squaredDistance(q, k) / width / width);
    if (kernel === "gaussian") return softmax(squared.map((s) => -s / 2));
    const heights = squared.map(COMPACT_KERNELS[kernel]);
    const total = heights.reduce((sum, height) => sum + height, 0);
    return heights.map((height) => height / (total > 0 ? total : 1));
  });
}

/**
 * The outputs of KernelAttention on a line, at many places: a curve. No list is made for each, as kernelWeights does.
 * @param {Vector} places (Q) @param {Vector} keys (K) @param {Vector} values (K)
 * @param {string} kernel as of kernelWeights @param {number} width
 * @returns {(number | null)[]} (Q); null where no key is within the width, so that a line breaks
 */
export function kernelOutputs(places, keys, values, kernel, width) {
  const squared = new Float64Array(keys.length);
  return places.map((place) => {
    let nearest = Infinity;
    for (let j = 0; j < keys.length; j += 1) {
      squared[j] = (place - keys[j]) ** 2 / width / width;
      nearest = Math.min(nearest, squared[j]);
    }
    let [total, sum] = [0, 0];
    for (let j = 0; j < keys.length; j += 1) {
      const height = kernel === "gaussian" ? Math.exp((nearest - squared[j]) / 2) : COMPACT_KERNELS[kernel](squared[j]);
      total += height;
      sum += height * values[j];
    }
    return total > 0 ? sum / total : null;
  });
}

/**
 * Softmax of one row of scores. A row of nothing but -Infinity has nothing to attend to: all zeros.
 * @param {Vector} scores @returns {Vector}
 */
export function softmax(scores) {
  const largest = Math.max(...scores);
  if (largest === -Infinity) return scores.map(() => 0);
  const powers = scores.map((score) => Math.exp(score - largest));
  const total = powers.reduce((sum, x) => sum + x, 0);
  return powers.map((x) => x / total);
}

/**
 * Softmax over the first `validLens[i]` scores of row i; every other weight is exactly 0.
 * @param {Matrix} scores (Q, K) @param {number[]} validLens one length per query
 * @returns {Matrix} (Q, K)
 */
export function maskedSoftmax(scores, validLens) {
  return scores.map((row, i) => softmax(row.map((score, j) => (j < validLens[i] ? score : -Infinity))));
}

/**
 * The output of attention: the average of the values under each row of weights.
 * @param {Matrix} weights (Q, K) @param {Matrix} values (K, V) @returns {Matrix} (Q, V)
 */
export function weightedAverage(weights, values) {
  return weights.map((row) => values[0].map((_, v) => dot(row, values.map((value) => value[v]))));
}

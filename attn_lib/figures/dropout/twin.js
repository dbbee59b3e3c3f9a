// Figure `dropout`: why do my weights not sum to 1? The twin of __init__.py.

import { formatNumber, formatOutput, formatWeight } from "../../frontend/format.js";
import { mulberry32 } from "../../frontend/random_stream.js";
import { maskedSoftmax, weightedAverage } from "../../frontend/scoring.js";

// The published toy: equal keys, so the weights are uniform over the valid ones.
const LENS = [2, 6];
const KEYS = Array.from({ length: 10 }, (_, i) => i);
const VALUES = KEYS.map((i) => [0, 1, 2, 3].map((v) => 4 * i + v));
const WEIGHTS = maskedSoftmax(LENS.map(() => KEYS.map(() => 0)), LENS);
const MASKED = LENS.map((L) => KEYS.map((j) => j >= L));
// All draws are pieces of one stream: streams of neighbouring seeds would resemble each other.
const SEED = 818;

/** @param {Record<string, any>} state */
export function compute({ mode, p, n }) {
  const train = mode === "train";
  const u = mulberry32(SEED, 20 * n);
  const draws = Array.from({ length: n }, (_, draw) =>
    WEIGHTS.map((row, i) => row.map((w, j) => (u[20 * draw + 10 * i + j] >= p && p < 1 ? w / (1 - p) : 0))),
  );
  const now = train ? draws[n - 1] : WEIGHTS;
  const output = weightedAverage(now, VALUES);
  const sums = now.map((row) => Number(row.reduce((total, w) => total + w, 0).toFixed(9)));
  const slots = {
    n: String(n),
    p: formatNumber(p, 1),
    sum1: formatWeight(sums[0]),
    sum2: formatWeight(sums[1]),
    out1: formatOutput(output[0][0]),
    out2: formatOutput(output[1][0]),
    zeros: String(draws.filter(([first]) => first.every((w) => w === 0)).length),
  };
  return {
    parts: {
      weights: { rows: WEIGHTS, masked: MASKED, notes: ["1", "1"] },
      kept: {
        rows: now,
        masked: MASKED,
        dropped: now.map((row, i) => row.map((w, j) => w === 0 && !MASKED[i][j])),
        notes: [slots.sum1, slots.sum2],
      },
      output: { rows: output },
      mean: train ? { rows: mean(draws.map((kept) => weightedAverage(kept, VALUES))) } : null,
    },
    slots,
    summary: train ? ["train", "zeros"] : ["eval"],
    main: "out1",
  };
}

/** The mean of several tables of the same size. */
function mean(tables) {
  return tables[0].map((row, i) =>
    row.map((_, j) => tables.reduce((total, table) => total + table[i][j], 0) / tables.length),
  );
}

// Figure `cost`: what must be kept to compute attention? The twin of __init__.py.

import { formatNumber, formatOutput } from "../../frontend/format.js";

const FLOAT = 4; // bytes
const SIZE = 64;
const MIB = 2 ** 20;

/**
 * @param {Record<string, any>} state
 * @param {{ pages: number[], scores: number[] }} data
 */
export function compute({ mode, p, t, n, j }, data) {
  const T = Math.min(t, n);
  const done = Math.min(n, Math.floor((p / 100) * Math.ceil(n / T)) * T);
  const output = FLOAT * n * SIZE;
  const largest = Math.max(FLOAT * T * (mode === "kernel" ? T : n), output);
  const row = { train: FLOAT * n, kernel: FLOAT * (SIZE + 1) }[mode] ?? 0;
  const [m, s, o] = keep(j, data);
  const page = j > 0 ? o / s : null;
  return {
    parts: {
      memory: { rows: [[(FLOAT * n * n) / MIB, largest / MIB, (row * done) / MIB]] },
      table: { done: done / n, block: Math.min(T, n - done) / n, tile: T / n },
      kept: { rows: [[j, j > 0 ? m : null, s, o, page]] },
    },
    slots: {
      n: String(n),
      T: String(T),
      done: formatNumber((done / n) * 100, 0),
      table: formatNumber((FLOAT * n * n) / MIB, 2),
      largest: formatNumber(largest / MIB, 2),
      kept: formatNumber((row * done) / MIB, 2),
      j: String(j),
      m: formatNumber(j > 0 ? m : null, 0),
      s: formatNumber(s, 4),
      o: formatOutput(o),
      page: page === null ? formatNumber(null, 2) : formatOutput(page),
    },
    summary: [mode, j > 0 ? "read" : "unread"],
    main: "kept",
  };
}

function keep(j, { pages, scores }) {
  let [m, s, o] = [-Infinity, 0, 0];
  for (let i = 0; i < j; i += 1) {
    const top = Math.max(m, scores[i]);
    const [again, e] = [Math.exp(m - top), Math.exp(scores[i] - top)];
    [m, s, o] = [top, again * s + e, again * o + e * pages[i]];
  }
  return [m, s, o];
}

// Figure `cost`: what must be kept to compute attention? The browser's port of __init__.py.

import { enclosed, formatNumber, formatOutput } from "../../front/numbers.js";

const FLOAT = 4; // bytes
const SIZE = 64;
const MIB = 2 ** 20;
// Decimals of what bark keeps, where it is no whole number.
const DIGITS = { m: 0, again: 4, new: 4, s: 4, o: 2, page: 2 };
const MODES = ["predict", "train", "again", "kernel"];
export const TWICE = ["again", "kernel"];

/**
 * @param {Record<string, any>} state
 * @param {{ pages: number[], scores: number[] }} data
 */
export function compute({ mode, p, t, n, j }, data) {
  const T = Math.min(t, n);
  const blocks = Math.ceil(n / T);
  const twice = TWICE.includes(mode);
  const steps = twice ? 2 * blocks : blocks;
  const swept = Math.floor((p * steps) / 100);
  const back = twice && swept >= blocks;
  const passed = back ? swept - blocks : swept;
  const at = back ? Math.max(0, blocks - 1 - passed) : Math.min(swept, blocks - 1);
  const done = Math.min(n, swept * T);
  const output = FLOAT * n * SIZE;
  const blockOf = (way) => FLOAT * T * (way === "kernel" ? T : n);
  const rowOf = (way) => ({ train: FLOAT * n, kernel: FLOAT * (SIZE + 1) })[way] ?? 0;
  const memory = MODES.map((way) =>
    [Math.max(blockOf(way), output), rowOf(way) * n].map((size) => size / MIB),
  );
  const block = blockOf(mode);
  const [largest] = memory[MODES.indexOf(mode)];
  const kept = rowOf(mode) * done;
  const part = mode === "kernel" ? "largest_tile" : "largest_block";
  const { parts, slots } = bark(j, data);
  return {
    parts: {
      memory: { rows: memory },
      table: { done: done / n, kept: kept / (FLOAT * n * n), from: (at * T) / n, block: T / n, twice, back, swept, steps },
      ...parts,
    },
    slots: {
      n: String(n),
      T: String(T),
      pass: back ? "2" : "1",
      passes: twice ? "2" : "1",
      swept: String(passed),
      blocks: String(blocks),
      table: formatNumber((FLOAT * n * n) / MIB, 2),
      output: formatNumber(output / MIB, 2),
      block: formatNumber(block / MIB, block < MIB / 10 ? 3 : 2),
      largest: formatNumber(largest, 2),
      kept: formatOutput(kept / MIB),
      weights: formatNumber((FLOAT * n * done) / MIB, 2),
      ...slots,
    },
    summary: [mode === "kernel" && swept === 0 ? "kernel_start" : mode, block < output ? "largest_output" : part],
  };
}

/** What bark keeps after j keys, and how the last of them changed it. */
function bark(j, data) {
  const [m, s, o] = keep(j, data);
  let numbers = { m: null, again: null, new: null, s, o, page: null };
  let slots = { j: String(j), larger: "", old: "", fresh: "", s_sum: "", o_sum: "", ratio: "" };
  if (j > 0) {
    const [score, page] = [data.scores[j - 1], data.pages[j - 1]];
    const [oldM, oldS, oldO] = keep(j - 1, data);
    const [again, fresh] = [Math.exp(oldM - m), Math.exp(score - m)];
    numbers = { ...numbers, m, again, new: fresh, page: o / s };
    const [factor, e] = [again, fresh].map((x) => rounded(x, 4));
    slots = {
      ...slots,
      larger: `max(${formatNumber(oldM, 0)}, ${formatNumber(score, 0)})`,
      old: difference(oldM, m),
      fresh: difference(score, m),
      s_sum: `${factor} · ${rounded(oldS, 4)} + ${e}`,
      o_sum: `${factor} · ${rounded(oldO, 2)} + ${e} · ${formatNumber(page, 0)}`,
      ratio: `${rounded(o, 2)} ÷ ${rounded(s, 4)}`,
    };
  }
  const parts = {};
  for (const [name, number] of Object.entries(numbers)) {
    const digits = decimals(number, DIGITS[name]);
    parts[name] = { rows: [[number]], digits };
    slots[name] = formatNumber(number, digits);
    slots[`${name}_is`] = digits ? "≈" : "=";
  }
  return { parts, slots };
}

function rounded(number, most) {
  return formatNumber(number, decimals(number, most));
}

/** A whole number has no decimals, nor has one that there is not. */
function decimals(number, most) {
  return number === null || Number.isInteger(number) ? 0 : most;
}

/** a − b, with b in brackets where it has a sign of its own. */
function difference(a, b) {
  return `${formatNumber(a, 0)} \u2212 ${enclosed(formatNumber(b, 0))}`;
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

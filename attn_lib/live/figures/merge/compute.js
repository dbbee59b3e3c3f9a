// Figure `merge`: how are two blocks of keys, read apart, put together? The browser's port of __init__.py.

import { formatNumber, formatOutput, formatSmall, relation } from "../../front/numbers.js";
import { dot, softmax } from "../../front/scoring.js";
import { numbersOf } from "../../front/typed.js";

const SAME = 1e-4; // outputs that differ by less are equal

/** The settings that lead from a state to one where the figure asks a reader's function: the largest score comes second. */
export const asks = { online_softmax: ({ how }) => (how === "scaled" ? {} : { how: "scaled", c: 1 }) };

/** What is kept of a block. @typedef {{ m: number, s: number, o: number }} Kept */

/**
 * @param {Record<string, any>} state
 * @param {{ scores: number[], values: number[] }} data
 * @param {{ online_softmax?: Own }} [own] the reader's function
 */
export function compute({ c, how: wanted, len, own }, { scores: example, values }, { online_softmax } = {}) {
  const row = own ? numbersOf(own)[0] : example;
  const scores = row.map((score, j) => (j < len ? score : -Infinity));
  const whole = dot(softmax(scores), values);
  const cut = [[0, c], [c, scores.length]].map(([from, to]) => [scores, values].map((all) => all.slice(from, to)));
  const read = cut.map(([given, worth]) => readBlock(given, worth));
  const blocks = read.map(({ kept }) => kept);
  const [left, right] = blocks;
  const [first, second] = blocks.map(outputOf);
  const reply = online_softmax && wanted === "scaled" ? online_softmax([{ blocks: cut }], []) : null;
  // Of an output unlike ours nobody knows the sums.
  const isOwn = reply !== null && !(Math.abs(reply - whole) < SAME);
  const how = isOwn ? "apart" : wanted;
  const logs = logsOf(how, blocks);
  const merged = logs.length > 0 ? merge(blocks, logs) : null;
  const output = reply ?? (merged && outputOf(merged));
  // A mean adds no sums.
  const added = how === "mean" ? null : merged;
  const share = logs.map((log, i) => Math.exp(log) * blocks[i].s);
  const apart = Math.abs(left.m - right.m);
  return {
    parts: {
      m: { rows: [[left.m, right.m, added && added.m]] },
      factor: { rows: [[...factorsOf(how, blocks), null]] },
      s: { rows: [[left.s, right.s, added && added.s]] },
      o: { rows: [[left.o, right.o, added && added.o]] },
      output: { rows: [[first, second, output]] },
      share: { rows: [merged ? [...share.map((x) => x / (share[0] + share[1])), null] : [null, null, null]] },
      bars: { scores, own: read.flatMap(({ powers }) => powers), logs },
    },
    slots: {
      c: String(c),
      m1: formatNumber(left.m, null),
      m2: formatNumber(right.m, null),
      s1: formatNumber(left.s, 2),
      s2: formatNumber(right.s, 2),
      is1: relation(left.s, 2),
      is2: relation(right.s, 2),
      y1: formatOutput(first),
      y2: formatOutput(second),
      out: formatOutput(output),
      y: formatOutput(whole),
      d: formatNumber(apart, null),
      f: formatSmall(Math.exp(-apart)),
      t: formatNumber(Math.exp(apart), 2),
    },
    summary: [isOwn ? "own" : kind(how, left, right, formatOutput(output) === formatOutput(whole))],
  };
}

/** What is kept of a block, and its exponentials. @param {number[]} scores @param {number[]} values */
function readBlock(scores, values) {
  const m = Math.max(...scores);
  // -Infinity - (-Infinity) is no number: a block that sees no key keeps sums of 0.
  const powers = scores.map((score) => (m > -Infinity ? Math.exp(score - m) : 0));
  return { kept: { m, s: powers.reduce((sum, x) => sum + x, 0), o: dot(powers, values) }, powers };
}

/** @param {Kept} kept */
function outputOf({ s, o }) {
  return s ? o / s : null;
}

/** The logarithms of what multiplies the sums of each block before they are added. @param {string} how @param {Kept[]} blocks */
function logsOf(how, blocks) {
  if (how === "apart" || (how === "mean" && !blocks.every(({ s }) => s))) return [];
  // Its own sum divides a block's, so that each counts 1.
  if (how === "mean") return blocks.map(({ s }) => -Math.log(s));
  const largest = Math.max(...blocks.map(({ m }) => m));
  // Sums of 0 stay 0, whatever multiplies them.
  return blocks.map(({ m, s }) => (how === "scaled" && s ? m - largest : 0));
}

/** What multiplies the sums of each block, as a table shows it. @param {string} how @param {Kept[]} blocks */
function factorsOf(how, blocks) {
  const largest = Math.max(...blocks.map(({ m }) => m));
  if (how === "scaled") return blocks.map(({ m }) => Math.exp(m - largest));
  return how === "plain" ? [1, 1] : [null, null];
}

/** @param {Kept[]} blocks @param {number[]} logs @returns {Kept} */
export function merge(blocks, logs) {
  const factors = logs.map(Math.exp);
  const [s, o] = [blocks.map((block) => block.s), blocks.map((block) => block.o)].map((sums) => dot(factors, sums));
  return { m: Math.max(...blocks.map(({ m }) => m)), s, o };
}

/** Which sentence says what becomes of the blocks. @param {string} how @param {Kept} left @param {Kept} right @param {boolean} isRight */
function kind(how, left, right, isRight) {
  if (!right.s) return `${how}_empty`;
  if (how === "apart" || (how === "mean" && !isRight)) return how;
  if (how === "mean" || left.m === right.m) return `${how}_level`;
  return left.m < right.m ? `${how}_left` : how;
}

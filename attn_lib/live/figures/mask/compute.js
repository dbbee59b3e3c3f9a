// Figure `mask`: where does the weight of padding go? The browser's port of __init__.py.

import { formatNumber, formatWeight, neverExact } from "../../front/numbers.js";
import { softmax } from "../../front/scoring.js";
import { numbersOf, wordsOf } from "../../front/typed.js";

const FILLS = { inf: -Infinity, "1e6": -1e6, zero: 0 };

const PADDING = "␣";

const sum = (/** @type {number[]} */ row) => row.reduce((total, x) => total + x, 0);
const tidy = (/** @type {number} */ total) => Number(total.toFixed(9));
/** Write a sum of weights: an exact one, or one that leaves some weight, however little. */
const share = (/** @type {number} */ total, /** @type {boolean} */ exact) =>
  formatWeight(exact ? tidy(total) : neverExact([total, 1 - total])[0]);

/**
 * @param {any} state
 * @param {{ scores: Record<string, number[][]>, words: string[][], queries: string[] }} data
 */
export function compute(state, data) {
  const scores = state.own ? numbersOf(state.own) : data.scores[state.s];
  const lens = state.dim === "2" ? state.len : state.len.flatMap((L) => [L, L]);
  const masked = lens.map((L, i) => scores[i].map((_, j) => j >= L));
  const after = state.fill === "after";
  const filled = after
    ? scores
    : scores.map((row, i) => row.map((score, j) => (masked[i][j] ? FILLS[state.fill] : score)));
  const gone = state.fill === "inf" || state.fill === "1e6" ? masked : [];
  const all = filled.map((row, i) => neverExact(softmax(row), gone[i]));
  const deleted = all.map((row, i) => row.map((w, j) => (after && masked[i][j] ? w : 0)));
  const weights = all.map((row, i) => row.map((w, j) => w - deleted[i][j]));
  const exps = filled.map((row) => {
    // softmax subtracts the largest score first; a row of -inf has nothing to subtract.
    const largest = Math.max(...row);
    return row.map((score) => (score === -Infinity ? 0 : Math.exp(score - largest)));
  });

  const sums = weights.map((row) => tidy(sum(row)));
  const leaks = weights.map((row, i) => sum(row.filter((_, j) => masked[i][j])));
  // A row with a key gives all of its weight away.
  const lost = deleted.map((row, i) => (lens[i] > 0 ? sum(row) : 0));
  const { tokens, queries } = names(state, data);
  const totals = sums.map((total, i) => [`sum${i + 1}`, share(total, lost[i] === 0)]);
  const slots = { q1: queries[0], q2: queries[1], ...Object.fromEntries(totals) };
  slots.fill = formatNumber(FILLS[state.fill] ?? 0, null);
  lens.forEach((L, i) => (slots[`len${i + 1}`] = String(L)));
  lost.forEach((missing, i) => (slots[`missing${i + 1}`] = missing > 0 ? formatNumber(-missing, 2) : ""));
  tokens.forEach((token, place) => (slots[`w${place + 1}`] = token));
  /** Whether what is said of one row of an example is true of the other. */
  const alike = (/** @type {number} */ first) => {
    const [one, other] = [first, first + 1].map((i) => JSON.stringify([lens[i], sums[i], scores[i].slice(0, lens[i]).sort((a, b) => a - b)]));
    return one === other;
  };
  const summary = [1, 2].flatMap((example) => {
    const row = tellingRow(2 * example - 2, sums, leaks);
    slots[`query${example}`] = queries[row % 2];
    slots[`L${example}`] = String(lens[row]);
    const valid = scores[row].filter((_, j) => !masked[row][j]);
    slots[`best${example}`] = valid.length ? formatNumber(Math.max(...valid), null) : "";
    slots[`total${example}`] = slots[`sum${row + 1}`];
    slots[`leak${example}`] = share(leaks[row], leaks[row] === 0 || lens[row] === 0);
    slots[`lost${example}`] = share(lost[row], lost[row] === 0);
    // Lengths of their own that do no harm: the sentence names both, whichever was moved last.
    if (state.dim === "2" && slots[`total${example}`] === "1" && leaks[row] === 0) return [`both${example}`];
    const whose = alike(2 * example - 2) ? "each" : lens[row] === 0 ? "query" : "worst";
    const said = (/** @type {string} */ kind) => [whose + example, kind + example];
    if (leaks[row] > 0) return said(lens[row] === 0 ? "even" : state.fill === "1e6" ? "above" : "leak");
    if (lens[row] === 0) return said("empty");
    if (lost[row] > 0) return said("short");
    return [(masked[row].includes(true) ? "right" : "whole") + example];
  });
  return {
    parts: {
      scores: { rows: filled, masked },
      exps: { rows: exps, masked, notes: exps.map(total) },
      weights: { rows: weights, masked, deleted, notes: weights.map((_, i) => slots[`sum${i + 1}`]) },
    },
    slots,
    summary,
    main: "leak1",
    about: slots.query1,
  };
}

/** What the keys of both examples are called, and the two queries. */
function names({ own, words }, data) {
  if (!own && !words) return { tokens: data.words.flat(), queries: data.queries };
  const sentences = words ? wordsOf(words) : [[1, 2, 3, 4], [1, 2, 3, 4]].map((row) => row.map((j) => `k${j}`));
  const tokens = sentences.flatMap((sentence) => [0, 1, 2, 3].map((j) => sentence[j] ?? PADDING));
  return { tokens, queries: ["q1", "q2"] };
}

/** The sum of a row, written without decimals where it is exact, as where each exp is 0 or 1. */
function total(exps) {
  return formatNumber(sum(exps), exps.every(Number.isInteger) ? null : 2);
}

/** The row of an example to talk about: the largest leak, else the sum farthest from 1. */
function tellingRow(first, sums, leaks) {
  const second = first + 1;
  const off = (row) => tidy(Math.abs(sums[row] - 1));
  const [one, other] = [first, second].map((row) => tidy(leaks[row]));
  return other > one || (other === one && off(second) > off(first)) ? second : first;
}

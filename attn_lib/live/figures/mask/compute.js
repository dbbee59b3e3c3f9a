// Figure `mask`: where does the weight of padding go? The browser's port of __init__.py.

import { formatNumber, formatWeight, neverExact } from "../../front/numbers.js";
import { softmax } from "../../front/scoring.js";
import { numbersOf, wordsOf } from "../../front/typed.js";

const FILLS = { inf: -Infinity, "1e6": -1e6, zero: 0 };
// What −∞ is while the wall sinks: so low that nothing is seen of its weight.
const DEEP = -9;
const PADDING = "␣";

/** The settings that lead from a state to one where the figure asks a reader's function. */
export const asks = { masked_softmax: () => ({ fill: "inf" }) };

const sum = (/** @type {number[]} */ row) => row.reduce((total, x) => total + x, 0);
const tidy = (/** @type {number} */ total) => Number(total.toFixed(9));
/** Write a sum of weights: an exact one, or one that leaves some weight, however little. */
const share = (/** @type {number} */ total, /** @type {boolean} */ exact) =>
  formatWeight(exact ? tidy(total) : neverExact([total, 1 - total])[0]);

/**
 * @param {any} state
 * @param {{ scores: Record<string, number[][]>, words: string[][], queries: string[] }} data
 * @param {{ masked_softmax?: Own }} [own] the reader's function
 */
export function compute(state, data, { masked_softmax } = {}) {
  const scores = state.own ? numbersOf(state.own) : data.scores[state.s];
  const lens = state.dim === "2" ? state.len : state.len.flatMap((L) => [L, L]);
  const masked = lens.map((L, i) => scores[i].map((_, j) => j >= L));
  const after = state.fill === "after";
  const sunk = sunkOf(state);
  const fill = sunk === null ? FILLS[state.fill] : DEEP * (1 - sunk) ** 2;
  const filled = after
    ? scores
    : scores.map((row, i) => row.map((score, j) => (masked[i][j] ? fill : score)));
  const gone = sunk === null && (state.fill === "inf" || state.fill === "1e6") ? masked : [];
  const all =
    masked_softmax && sunk === null && state.fill === "inf"
      ? masked_softmax([halves(scores), { whole: state.dim === "2" ? halves(state.len) : state.len }], [2, 2, 4]).flat()
      : filled.map((row, i) => neverExact(softmax(row), gone[i]));
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
  const missing = deleted.map((row, i) => (lens[i] > 0 ? (after ? sum(row) : tidy(1 - sums[i])) : 0));
  const best = scores.map((row, i) => (lens[i] > 0 ? Math.max(...row.slice(0, lens[i])) : null));
  const { tokens, queries } = names(state, data);
  const slots = { q1: queries[0], q2: queries[1] };
  slots.fill = formatNumber(FILLS[state.fill] ?? 0, null);
  tokens.forEach((token, place) => (slots[`w${place + 1}`] = token));
  lens.forEach((L, i) => {
    slots[`sum${i + 1}`] = share(sums[i], !(missing[i] > 0));
    slots[`leak${i + 1}`] = share(leaks[i], leaks[i] === 0 || L === 0);
    slots[`missing${i + 1}`] = missing[i] > 0 ? formatNumber(-missing[i], 2) : "";
  });
  // What the sentence tells of: the largest leak, else what is missing, else a row without a key.
  const weigh = (/** @type {number} */ i) => [tidy(leaks[i]), leaks[i] > 0, Math.abs(tidy(missing[i])), missing[i] !== 0, lens[i] === 0].map(Number);
  const told = [1, 2, 3].reduce((most, i) => (isMore(weigh(i), weigh(most)) ? i : most), 0);
  const first = told - (told % 2);
  const facts = (/** @type {number} */ i) => String([lens[i], tidy(leaks[i]), sums[i]]);
  Object.assign(slots, {
    E: String(first / 2 + 1),
    who: queries.filter((_, i) => facts(first + i) === facts(told)).join(" / "),
    best: best[told] === null ? "" : formatNumber(best[told], null),
    leak: slots[`leak${told + 1}`],
    one: slots[`leak${first + 1}`],
    other: slots[`leak${first + 2}`],
    total: slots[`sum${told + 1}`],
    lost: formatNumber(missing[told], 2),
  });
  const summary = () => {
    if (leaks[told] > 0) {
      if (sunk !== null || state.fill === "inf") return ["leak"];
      if (lens[told] === 0) return ["even"];
      return state.fill === "zero" ? ["zero", "leak"] : ["above"];
    }
    // A reader's own function may give away more, or less, than there is.
    if (missing[told] !== 0) return [after ? "short" : "wrong"];
    if (lens[told] === 0) return ["empty"];
    return [masked.flat().includes(true) ? "right" : "whole"];
  };
  return {
    parts: {
      scores: { rows: filled, masked, ...(sunk !== null && { sunk }) },
      exps: { rows: exps, masked, notes: exps.map(total) },
      weights: { rows: weights, masked, deleted, notes: weights.map((_, i) => slots[`sum${i + 1}`]) },
    },
    slots,
    summary: summary(),
  };
}

/** The two examples of what is listed. @param {any[]} all */
function halves(all) {
  return [all.slice(0, all.length / 2), all.slice(all.length / 2)];
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

/** Whether numbers come after others, the first that differs deciding. */
function isMore(numbers, others) {
  const at = numbers.findIndex((number, i) => number !== others[i]);
  return at >= 0 && numbers[at] > others[at];
}

/** How far the wall has sunk, from 0 to 1, on its way from −∞ to 0 or back; null where it stands. */
function sunkOf({ fill, way }) {
  const ends = [way?.from.fill, fill];
  if (!way || !ends.includes("inf") || !ends.includes("zero")) return null;
  return fill === "zero" ? way.share : 1 - way.share;
}

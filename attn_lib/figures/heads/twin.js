// Figure `heads`: what can several heads do that one cannot? The twin of __init__.py.

import { formatNumber, formatWeight } from "../../frontend/format.js";
import { dotProductScores, maskedSoftmax } from "../../frontend/scoring.js";

const COUNTS = { one: 1, two: 2, four: 4 };

/**
 * @param {Record<string, any>} state
 * @param {{ words: string[], names: string[], features: number[][] }} data
 */
export function compute(state, { words, names, features }) {
  const numHeads = Number(state.h);
  const query = Number(state.q) - 1;
  const size = 4 / numHeads;
  const X = features.map((row) => row.map((x) => state.c * x));
  const lens = X.map((_, i) => (state.m === "1" ? Math.min(i + 1, state.len) : state.len));
  const masked = lens.map((L) => X.map((_, j) => j >= L));
  const heads = Array.from({ length: numHeads }, (_, head) => {
    const own = X.map((row) => row.slice(head * size, (head + 1) * size));
    const scores = dotProductScores(own, own);
    return { scores, weights: maskedSoftmax(scores, lens) };
  });

  const shared = X.map((row) => row.map((x, f) => x * X[query][f] > 0));
  const parts = { features: { rows: X, shared } };
  for (const [name, count] of Object.entries(COUNTS)) {
    for (let head = 0; head < count; head += 1) {
      const own = count === numHeads ? heads[head] : null;
      parts[`scores_${name}${head + 1}`] = own && { rows: [own.scores[query]], masked: [masked[query]] };
      parts[`weights_${name}${head + 1}`] = own && { rows: own.weights, masked };
    }
  }
  parts.asked = { rows: [heads[0].weights[query]] };

  const slots = {};
  heads.forEach(({ weights }, head) => {
    weights[query].forEach((w, key) => (slots[`${"abcd"[head]}${key + 1}`] = formatWeight(w)));
  });
  const own = names.flatMap((_, feature) => (features[query][feature] ? [feature] : []));
  own.forEach((feature, i) => {
    slots[`f${i + 1}`] = names[feature];
    slots[`self${i + 1}`] = formatWeight(heads[Math.floor(feature / size)].weights[query][query]);
  });
  Object.assign(slots, { q: words[query], self: slots.self1, seen: String(lens[query]) });

  // One score worked out: in the head of the word's first feature, with the other word that has it.
  const head = Math.floor(own[0] / size);
  const key = features.findIndex((row, j) => row[own[0]] && j !== query);
  const text = (/** @type {number} */ x) => formatNumber(x, null);
  const terms = X[query].map((x, feature) => `${text(x)}·${text(X[key][feature])}`);
  const total = terms.slice(head * size, (head + 1) * size).join(" + ");
  const worked = size > 1 ? `(${total}) ÷ √${size}` : `${total} ÷ √1`;
  Object.assign(slots, {
    head: String(head + 1),
    key: words[key],
    worked: worked.replaceAll(" ", "\u00a0"),
    score: formatNumber(heads[head].scores[query][key], 1),
  });
  return { parts, slots, summary: summary(state, query), main: "self", about: `${slots.q}, ${numHeads}` };
}

function summary(state, query) {
  if (state.len === 0) return ["empty"];
  if (state.c === 0) return ["flat"];
  const count = Object.keys(COUNTS).find((name) => COUNTS[name] === Number(state.h));
  const limited = limit(state, query);
  // A head without a feature of the word: its row is uniform, or as uniform as a mask lets it be.
  const others = limited.length > 0 ? ["equal"] : ["uniform"];
  return [count, ...(count === "four" ? others : []), ...limited];
}

/** The sentence on what the word sees: only what keeps words from it is called causal. */
function limit({ m, len }, query) {
  if (m === "1" && (query + 1 < len || len === 4)) return ["causal"];
  return m === "1" || len < 4 ? ["seen"] : [];
}

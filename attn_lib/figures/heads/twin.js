// Figure `heads`: what can several heads do that one cannot? The twin of __init__.py.

import { formatNumber, formatWeight } from "../../frontend/format.js";
import { dotProductScores, maskedSoftmax } from "../../frontend/scoring.js";

const NO_BREAK_SPACE = "\u00a0";
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

  // As the query, the pressed word keeps its features, whether it sees itself or not.
  const unseen = X.map((row, j) => row.map(() => masked[query][j] && j !== query));
  const shared = X.map((row, j) => row.map((x, f) => x * X[query][f] > 0 && !unseen[j][f]));
  const own = names.flatMap((_, feature) => (features[query][feature] ? [feature] : []));
  const key = keyOf(features, own, masked[query], query, Number(state.k) - 1);
  const parts = { features: { rows: X, shared, masked: unseen }, pair: key === null ? null : { key } };
  for (const [name, count] of Object.entries(COUNTS)) {
    for (let head = 0; head < count; head += 1) {
      const shown = count === numHeads ? heads[head] : null;
      const asked = shown && { rows: [shown.scores[query]], masked: [masked[query]], chosen: key };
      parts[`scores_${name}${head + 1}`] = asked;
      parts[`weights_${name}${head + 1}`] = shown && { rows: shown.weights, masked, chosen: key };
    }
  }
  parts.asked = { rows: [heads[0].weights[query]] };

  const slots = {};
  heads.forEach(({ weights }, head) => {
    weights[query].forEach((w, key) => (slots[`${"abcd"[head]}${key + 1}`] = formatWeight(w)));
  });
  own.forEach((feature, i) => {
    slots[`f${i + 1}`] = names[feature];
    slots[`self${i + 1}`] = formatWeight(heads[Math.floor(feature / size)].weights[query][query]);
  });
  Object.assign(slots, { q: words[query], self: slots.self1, seen: String(lens[query]) });
  if (numHeads === 2) {
    const [whole] = maskedSoftmax(dotProductScores([X[query]], X), [lens[query]]);
    Object.assign(slots, kin(heads, whole, own, query, features, words));
  }
  slots.head = String(Math.floor(own[0] / size) + 1);
  slots.key = key === null ? "" : words[key];
  if (key !== null) {
    const scores = heads.map((head) => head.scores[query][key]);
    Object.assign(slots, worked(X[query], X[key], scores));
  }
  return { parts, slots, summary: summary(state, query), main: "self", about: `${slots.q}, ${numHeads}` };
}

/**
 * The key whose score is worked out, of those that the query sees: the pressed one. If none is, or it is masked,
 * another word, if it sees one, which has its first feature, or else its second one.
 */
function keyOf(features, own, masked, query, pressed) {
  const seen = [...masked.keys()].filter((j) => !masked[j]);
  const others = seen.filter((j) => j !== query);
  const has = (j) => Number(own.map((feature) => features[j][feature]).join(""));
  const better = (best, j) => (has(j) > has(best) ? j : best);
  if (seen.includes(pressed)) return pressed;
  if (seen.length === 0) return null;
  return (others.length > 0 ? others : seen).reduce(better);
}

/** Which word shares a feature with the query in each of two heads, and its weight there and in one head. */
function kin(heads, whole, own, query, features, words) {
  const slots = {};
  own.forEach((feature, head) => {
    const other = features.findIndex((row, j) => j !== query && row[feature]);
    slots[`t${head + 1}`] = words[other];
    slots[`x${head + 1}`] = formatWeight(heads[head].weights[query][other]);
    slots[`whole${head + 1}`] = formatWeight(whole[other]);
  });
  return slots;
}

/** The scores of a query with a key worked out, one in each head. */
function worked(queryFeatures, keyFeatures, scores) {
  const size = 4 / scores.length;
  const text = (/** @type {number} */ x) => formatNumber(x, null);
  const terms = queryFeatures.map((x, feature) => `${text(x)}·${text(keyFeatures[feature])}`);
  const lines = scores.map((score, head) => {
    const total = terms.slice(head * size, (head + 1) * size).join(" + ");
    const quotient = size > 1 ? `(${total}) ÷ √${size}` : `${total} ÷ √1`;
    // Where a head is narrow, the result may stand on a line of its own.
    return [`worked${head + 1}`, `${quotient.replaceAll(" ", NO_BREAK_SPACE)} =${NO_BREAK_SPACE}${formatNumber(score, 1)}`];
  });
  return Object.fromEntries(lines);
}

function summary(state, query) {
  if (state.len === 0) return ["empty"];
  if (state.c === 0) return ["flat"];
  const count = Object.keys(COUNTS).find((name) => COUNTS[name] === Number(state.h));
  const limited = limit(state, query);
  // A head without a feature of the word: its row is uniform, or as uniform as a mask lets it be.
  const others = limited.length > 0 ? ["equal"] : ["uniform"];
  if (count === "two" && limited.length === 0) return ["apart"];
  return [count, ...(count === "four" ? others : []), ...limited];
}

/** The sentence on what the word sees: only what keeps words from it is called causal. */
function limit({ m, len }, query) {
  if (m === "1" && (query + 1 < len || len === 4)) return ["causal"];
  return m === "1" || len < 4 ? ["seen"] : [];
}

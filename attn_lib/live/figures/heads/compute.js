// Figure `heads`: what does each of several heads find? The browser's port of __init__.py.

import { NO_BREAK_SPACE, fill, formatNumber, formatWeight } from "../../front/numbers.js";
import { dotProductScores, maskedSoftmax } from "../../front/scoring.js";

const COUNTS = { one: 1, two: 2, four: 4 };

/**
 * @param {any} state
 * @param {{ words: string[], names: string[], features: number[][], pair: Record<string, string> }} data
 */
export function compute(state, data) {
  const { words, names, features } = data;
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
  const average = (feature) => (sum, w, j) => sum + w * X[j][feature];
  const headOf = (feature) => Math.floor(feature / size);
  parts.output = { rows: [names.map((_, f) => heads[headOf(f)].weights[query].reduce(average(f), 0))] };

  const first = headOf(own[0]);
  const row = heads[first].weights[query].map(formatWeight);
  const slots = Object.fromEntries(row.map((w, j) => [`a${j + 1}`, w]));
  Object.assign(slots, { q: words[query], head: String(first + 1), own: row[query], seen: String(lens[query]), only: words[0] });
  Object.assign(slots, { key: "", pair: "" });
  const kin = kinOf(features, own, masked[query], query);
  parts.single = null;
  if (numHeads > 1) {
    const single = maskedSoftmax(dotProductScores([X[query]], X), [lens[query]]);
    parts.single = { rows: single, masked: [masked[query]], chosen: key };
    kin.forEach(([word, feature], i) => {
      const head = headOf(feature);
      slots[`t${i + 1}`] = words[word];
      slots[`head${i + 1}`] = names.slice(head * size, (head + 1) * size).join(data.pair.list);
      slots[`x${i + 1}`] = formatWeight(heads[head].weights[query][word]);
      slots[`single${i + 1}`] = formatWeight(single[0][word]);
    });
  }
  if (key !== null) {
    const scores = heads.map((head) => head.scores[query][key]);
    Object.assign(slots, worked(X[query], X[key], scores), { key: words[key] });
    slots.pair = pairOf(state, query, key, heads.map((head) => head.weights[query][key]), data);
  }
  const kinSeen = kin.filter(([word]) => !masked[query][word]).length;
  return {
    parts,
    slots,
    summary: summary(state, query, lens[query], kinSeen),
  };
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

/** Each other word that has a feature of the query, and this feature; seen ones first. */
function kinOf(features, own, masked, query) {
  const kin = own.map((feature) => [features.findIndex((row, j) => j !== query && row[feature]), feature]);
  return kin.sort(([one], [other]) => masked[one] - masked[other]);
}

/** The scores of a query with a key worked out, one in each head. */
function worked(queryFeatures, keyFeatures, scores) {
  const size = 4 / scores.length;
  const text = (/** @type {number} */ x) => formatNumber(x, null);
  const terms = queryFeatures.map((x, feature) => `${text(x)}·${text(keyFeatures[feature])}`);
  const lines = scores.map((score, head) => {
    const total = terms.slice(head * size, (head + 1) * size).join(" + ");
    const quotient = size > 1 ? `(${total}) ÷ √${size}` : `${total} ÷ √1`;
    const sign = Math.abs(score - Number(score.toFixed(1))) < 1e-6 ? "=" : "≈";
    const result = `${sign}${NO_BREAK_SPACE}${formatNumber(score, 1)}`;
    // Where a head is narrow, the result may stand on a line of its own.
    return [`worked${head + 1}`, `${quotient.replaceAll(" ", NO_BREAK_SPACE)} ${result}`];
  });
  return Object.fromEntries(lines);
}

/** What a query and a key have in common, and the weight that each head makes of it. */
function pairOf({ h, c, k }, query, key, weights, { words, names, features, pair }) {
  const slots = { q: words[query], key: words[key] };
  const pressed = Number(k) - 1;
  if (pressed !== -1 && pressed !== key) return fill(pair.unseen, { ...slots, pressed: words[pressed] });
  const shared = names.filter((_, f) => features[query][f] && features[key][f]).map((name) => `“${name}”`);
  weights.forEach((weight, head) => {
    slots[`weight${head + 1}`] = formatWeight(weight);
  });
  const kind = c === 0 ? "flat" : key === query ? "own" : shared.length > 0 ? "share" : "nothing";
  const lead = fill(pair[kind], { ...slots, shared: shared.join(pair.and) });
  return fill(pair[countOf(h)], { ...slots, lead });
}

/** @param {string} h */
function countOf(h) {
  return Object.keys(COUNTS).find((name) => COUNTS[name] === Number(h));
}

function summary(state, query, seen, kinSeen) {
  if (state.len === 0) return ["empty"];
  if (state.c === 0) return ["flat"];
  const limited = limit(state, query);
  if (state.h === "1") return ["one", ...limited];
  // A word that is alone is not found: whatever its score, every head gives it all the weight.
  const found = ["neither", seen === 1 ? "alone" : "half", "both"][kinSeen];
  // Where the word sees less, that is what is said.
  return [found, ...(limited.length > 0 ? limited : ["single"])];
}

/** The sentence on what the word sees: only what keeps words from it is called causal. */
function limit({ m, len }, query) {
  if (m === "1" && query + 1 === len && len === 4) return ["causal_last"];
  if (m === "1" && query + 1 < len) return ["causal"];
  return m === "1" || len < 4 ? ["seen"] : [];
}

// Figure `heads`: what can two heads see that one cannot? The twin of __init__.py.

import { formatWeight } from "../../frontend/format.js";
import { dotProductScores, maskedSoftmax } from "../../frontend/scoring.js";

// Four words, each with two of four properties: noun or verb, about cats or about dogs.
const FEATURES = [
  [1, 0, 1, 0],
  [0, 1, 1, 0],
  [1, 0, 0, 1],
  [0, 1, 0, 1],
];
const COUNTS = { one: 1, two: 2, four: 4 };

/** @param {Record<string, any>} state */
export function compute(state) {
  const numHeads = Number(state.h);
  const size = 4 / numHeads;
  const X = FEATURES.map((row) => row.map((x) => state.c * x));
  const lens = X.map((_, i) => (state.m === "1" ? Math.min(i + 1, state.len) : state.len));
  const masked = lens.map((L) => X.map((_, j) => j >= L));
  const weights = Array.from({ length: numHeads }, (_, head) => {
    const features = X.map((row) => row.slice(head * size, (head + 1) * size));
    return maskedSoftmax(dotProductScores(features, features), lens);
  });

  const parts = { features: { rows: X } };
  for (const [name, count] of Object.entries(COUNTS)) {
    for (let head = 0; head < count; head += 1) {
      parts[`weights_${name}${head + 1}`] = count === numHeads ? { rows: weights[head], masked } : null;
    }
  }
  const slots = {};
  for (const [letter, head] of [["a", 0], ["b", Math.floor(numHeads / 2)]]) {
    weights[head][0].forEach((w, key) => (slots[`${letter}${key + 1}`] = formatWeight(w)));
  }
  slots.p1 = formatWeight(weights[0][1][0]);
  slots.p2 = formatWeight(weights[0][1][1]);
  return { parts, slots, summary: summary(state), main: "a3" };
}

function summary({ h, c, m, len }) {
  if (len === 0) return ["empty"];
  if (c === 0) return ["flat"];
  const count = Object.keys(COUNTS).find((name) => COUNTS[name] === Number(h));
  return m === "1" ? [count, "causal"] : [count];
}

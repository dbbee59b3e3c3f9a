// Figure `NAME`: how sure is the softmax? The browser's port of __init__.py.

import { formatNumber, formatWeight } from "../../front/numbers.js";
import { softmax } from "../../front/scoring.js";

const SCORES = [2, 0, 0, -2];

/** @param {Record<string, any>} state */
export function compute(state) {
  const weights = softmax(SCORES.map((score) => state.t * score));
  return {
    parts: { weights: { rows: [weights] } },
    slots: { t: formatNumber(state.t, 1), w: formatWeight(weights[0]) },
    summary: ["largest"],
  };
}

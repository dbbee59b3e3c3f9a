// Figure `norm`: does the nearest key win? The browser's port of __init__.py.

import { formatNumber, formatWeight, neverExact } from "../../front/numbers.js";
import { dot, dotProductScores, gaussianScores, softmax } from "../../front/scoring.js";

const QUERY = [1, 1];
// What differs by less is equal.
const SAME = 1e-9;

/** A coordinate, as in "(4, −2)" and "(0.5, 1)". */
const formatPlace = (/** @type {number} */ number) => formatNumber(number, Number.isInteger(number) ? 0 : 1);

const weigh = (/** @type {number[]} */ scores) => neverExact(softmax(scores));

/** @param {Record<string, any>} state */
export function compute(state) {
  const key2 = [state.x, state.y];
  const subtract = state.sub === "on";
  const keys = [QUERY, key2];
  const scores = dotProductScores([QUERY], keys, false);
  const gaussian = gaussianScores([QUERY], keys);
  const halves = keys.map((key) => dot(key, key) / 2);
  const shifted = scores.map((row) => row.map((score, j) => score - halves[j]));
  const [left] = (subtract ? shifted : scores).map(weigh);
  const distances = keys.map((key) => Math.hypot(QUERY[0] - key[0], QUERY[1] - key[1]));
  const shadows = keys.map((key) => dot(key, QUERY) / Math.hypot(...QUERY));
  const isTie = Math.abs(shadows[1] - shadows[0]) < SAME && distances[1] > 0;
  return {
    parts: {
      plane: { query: QUERY, key: key2, weights: left },
      shadows: { rows: [shadows] },
      scores_dot: { rows: scores },
      weights_dot: { rows: scores.map(weigh) },
      halves: subtract ? { rows: [halves] } : null,
      scores_shifted: subtract ? { rows: shifted } : null,
      weights_shifted: subtract ? { rows: shifted.map(weigh) } : null,
      distances: { rows: [distances] },
      scores_gaussian: { rows: gaussian },
      weights_gaussian: { rows: gaussian.map(weigh) },
    },
    slots: {
      x: formatPlace(key2[0]),
      y: formatPlace(key2[1]),
      distance: formatNumber(distances[1], 2),
      w: formatWeight(left[1]),
      g: formatWeight(weigh(gaussian[0])[1]),
      half: formatNumber(dot(QUERY, QUERY) / 2, 0),
    },
    summary: subtract ? ["shifted", "apart"] : [isTie ? "tie" : "at", "gaussian"],
  };
}

// Figure `norm`: does the nearest key win? The browser's port of __init__.py.

import { formatNumber, formatWeight, neverExact } from "../../front/numbers.js";
import { dot, dotProductScores, gaussianScores, softmax } from "../../front/scoring.js";

const QUERY = [1, 1];

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
  const weightsOf = (rows) => ({ rows: rows.map(weigh), chosen: 1 });
  const [left] = (subtract ? shifted : scores).map(weigh);
  const distance = Math.hypot(QUERY[0] - key2[0], QUERY[1] - key2[1]);
  return {
    parts: {
      plane: {
        rows: [QUERY, QUERY, key2],
        products: keys.map((key) => dot(key, QUERY)),
        distance,
        weights: left,
        halves: subtract ? halves : null,
      },
      scores_dot: subtract ? null : { rows: scores, chosen: 1 },
      weights_dot: subtract ? null : weightsOf(scores),
      scores_shifted: subtract ? { rows: shifted, chosen: 1 } : null,
      weights_shifted: subtract ? weightsOf(shifted) : null,
      scores_gaussian: { rows: gaussian, chosen: 1 },
      weights_gaussian: weightsOf(gaussian),
    },
    slots: {
      x: formatPlace(key2[0]),
      y: formatPlace(key2[1]),
      distance: formatNumber(distance, 2),
      w: formatWeight(left[1]),
      g: formatWeight(weigh(gaussian[0])[1]),
      half: formatNumber(dot(QUERY, QUERY) / 2, 0),
    },
    summary: subtract ? ["shifted", "apart"] : ["at", "dot"],
    main: "w",
  };
}

// Figure `norm`: does the nearest key win? The twin of __init__.py.

import { formatNumber, formatWeight } from "../../frontend/format.js";
import { dot, dotProductScores, gaussianScores, softmax } from "../../frontend/scoring.js";

const QUERY = [1, 0];
const KEY_1 = [1, 0];

/** @param {Record<string, any>} state */
export function compute(state) {
  const { r, a } = state;
  const subtract = state.sub === "on";
  const key2 = point(r, a);
  const keys = [KEY_1, key2];
  const scores = dotProductScores([QUERY], keys, false);
  const gaussian = gaussianScores([QUERY], keys);
  const shifted = scores.map((row) => row.map((score, j) => score - dot(keys[j], keys[j]) / 2));
  const weightsOf = (rows) => ({ rows: rows.map(softmax), chosen: 1 });
  const left = (subtract ? shifted : scores).map(softmax);
  return {
    parts: {
      plane: {
        rows: [QUERY, KEY_1, key2],
        lengths: [1, 1, r],
        angles: [0, 0, a],
        circle: Math.hypot(QUERY[0] - key2[0], QUERY[1] - key2[1]),
        line: !subtract,
      },
      scores_dot: subtract ? null : { rows: scores, chosen: 1 },
      weights_dot: subtract ? null : weightsOf(scores),
      scores_shifted: subtract ? { rows: shifted, chosen: 1 } : null,
      weights_shifted: subtract ? weightsOf(shifted) : null,
      scores_gaussian: { rows: gaussian, chosen: 1 },
      weights_gaussian: weightsOf(gaussian),
    },
    slots: {
      r: formatNumber(r, 2),
      w: formatWeight(left[0][1]),
      g: formatWeight(softmax(gaussian[0])[1]),
    },
    summary: [r === 0 ? "no_direction" : "at", subtract ? "shifted" : "dot"],
    main: "w",
  };
}

/** A point of the plane, without the last bits that sine and cosine leave at 0. */
function point(length, angle) {
  const turn = (angle * Math.PI) / 180;
  return [Math.cos(turn), Math.sin(turn)].map((x) => Number((length * x).toFixed(12)));
}

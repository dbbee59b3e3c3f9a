// Figure `compare`: when do two scorers disagree? The twin of __init__.py.

import { formatNumber, formatWeight } from "../../frontend/format.js";
import {
  additiveScores,
  bilinearScores,
  dotProductScores,
  gaussianScores,
  softmax,
  vectorSumScores,
} from "../../frontend/scoring.js";

const EYE = [[1, 0], [0, 1]];
// The bilinear scorer looks at the first feature only.
const M = [[1, 0], [0, 0]];
const SCORERS = {
  scaled: dotProductScores,
  additive: (queries, keys) => additiveScores(queries, keys, EYE, EYE, [1, 1]),
  gauss: gaussianScores,
  bilinear: (queries, keys) => bilinearScores(queries, keys, M),
  sum: vectorSumScores,
};

/** @param {Record<string, any>} state */
export function compute(state) {
  const { s, q } = state;
  const keys = [[s, s], [1, 1], [1, 1], [1, 1]];
  const chosen = Object.keys(SCORERS).filter((name) => state.f.includes(name));
  const parts = {};
  const onKey1 = {};
  for (const [name, score] of Object.entries(SCORERS)) {
    const scores = score([[q, q]], keys);
    const weights = scores.map(softmax);
    const shown = chosen.includes(name);
    parts[`scores_${name}`] = shown ? { rows: scores, chosen: 0 } : null;
    parts[`weights_${name}`] = shown ? { rows: weights, chosen: 0 } : null;
    onKey1[name] = formatWeight(weights[0][0]);
  }
  const summary = chosen.length > 0 ? ["at", ...chosen] : ["none"];
  if (chosen.length > 0 && s === 1) summary.push("identical");
  return {
    parts,
    slots: {
      s: formatNumber(s, 1),
      q: formatNumber(q, 1),
      first: chosen.length > 0 ? onKey1[chosen[0]] : formatNumber(null, 2),
      ...onKey1,
    },
    summary,
    main: "additive",
  };
}

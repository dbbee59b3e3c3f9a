// Figure `choose`: who wins at every place of the plane, and with which weight. All scores but the cosine are made of a
// factor for the column and one for the row of a place, the cosine of its direction alone.

import { cosineScores, project, softmax } from "../../frontend/scoring.js";

// What the maps show of the plane.
export const WINDOW = [3.6, 2.5];
// A key that comes later wins only by more than this.
const MORE = 1 + 1e-9;
const TURNS = 1440;
const STEPS = 4096;

/** @typedef {{ winners: Uint8Array, weights: Float32Array }} Field row by row from above */

/**
 * @param {string} name of the score @param {any} view @param {any} data @param {number} width in places @param {number} height
 * @returns {Field}
 */
export function fieldOf(name, { parts: { plane } }, data, width, height) {
  const step = [(2 * WINDOW[0]) / width, (2 * WINDOW[1]) / height];
  const xs = Float64Array.from({ length: width }, (_, i) => -WINDOW[0] + (i + 0.5) * step[0]);
  const ys = Float64Array.from({ length: height }, (_, j) => WINDOW[1] - (j + 0.5) * step[1]);
  if (name === "cosine") return byDirection(plane.keys, xs, ys);
  if (name === "additive") return bySums(plane.keys, data, xs, ys);
  const points = name === "dot" ? plane.seen : plane.keys;
  const grown = name === "dot" ? (x, a) => Math.exp(x * a) : (x, a) => Math.exp(-((x - a) ** 2) / 2);
  const left = points.map(([u]) => xs.map((x) => grown(x, u)));
  const right = points.map(([, v]) => ys.map((y) => grown(y, v)));
  return byFactors(left, right, width, height);
}

function byFactors(left, right, width, height) {
  const field = empty(width, height);
  for (let j = 0, place = 0; j < height; j += 1) {
    for (let i = 0; i < width; i += 1, place += 1) {
      let [best, top] = [0, left[0][i] * right[0][j]];
      let all = top;
      for (let k = 1; k < left.length; k += 1) {
        const power = left[k][i] * right[k][j];
        all += power;
        if (power > top * MORE) {
          top = power;
          best = k;
        }
      }
      field.winners[place] = best;
      field.weights[place] = top / all;
    }
  }
  return field;
}

/** A hidden unit sees one number of the query: its powers are looked up in a table of these. */
function bySums(keys, { W_q, W_k, w_v }, xs, ys) {
  const field = empty(xs.length, ys.length);
  const units = W_q.map(([across, upwards], h) => {
    const reach = Math.abs(across) * WINDOW[0] + Math.abs(upwards) * WINDOW[1];
    const powers = project(keys, W_k).map((key) =>
      Float64Array.from({ length: STEPS + 1 }, (_, i) => Math.exp(w_v[h] * Math.tanh((2 * i * reach) / STEPS - reach + key[h]))),
    );
    return { across, upwards, reach, powers };
  });
  const at = new Int32Array(units.length);
  for (let j = 0, place = 0; j < ys.length; j += 1) {
    for (let i = 0; i < xs.length; i += 1, place += 1) {
      for (let h = 0; h < at.length; h += 1) {
        const { across, upwards, reach } = units[h];
        at[h] = Math.round(((across * xs[i] + upwards * ys[j] + reach) / (2 * reach)) * STEPS);
      }
      let [best, top, all] = [0, 0, 0];
      for (let k = 0; k < keys.length; k += 1) {
        let power = 1;
        for (let h = 0; h < at.length; h += 1) power *= units[h].powers[k][at[h]];
        all += power;
        if (power > top * MORE) {
          top = power;
          best = k;
        }
      }
      field.winners[place] = best;
      field.weights[place] = top / all;
    }
  }
  return field;
}

function byDirection(keys, xs, ys) {
  const field = empty(xs.length, ys.length);
  const turns = Array.from({ length: TURNS }, (_, i) => {
    const angle = ((i + 0.5) * 2 * Math.PI) / TURNS;
    return winnerOf(cosineScores([[Math.cos(angle), Math.sin(angle)]], keys)[0]);
  });
  for (let j = 0, place = 0; j < ys.length; j += 1) {
    for (let i = 0; i < xs.length; i += 1, place += 1) {
      const turn = Math.floor((Math.atan2(ys[j], xs[i]) / (2 * Math.PI) + 1) * TURNS) % TURNS;
      [field.winners[place], field.weights[place]] = turns[turn];
    }
  }
  return field;
}

/** The first of the largest, and its weight. @param {number[]} scores */
function winnerOf(scores) {
  let best = 0;
  for (let k = 1; k < scores.length; k += 1) if (scores[k] > scores[best] + 1e-9) best = k;
  return [best, softmax(scores)[best]];
}

function empty(width, height) {
  return { winners: new Uint8Array(width * height), weights: new Float32Array(width * height) };
}

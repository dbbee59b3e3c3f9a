// Figure `choose`: who wins at every place of the plane, and with which weight. All scores but the cosine are made of a
// factor for the column and one for the row of a place, the cosine of its direction alone.

import { cosineScores, project, softmax } from "../../front/scoring.js";
import { WINDOW } from "./compute.js";

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
  return byPowers(points.length, xs, ys, (powers, i, j) => {
    for (let k = 0; k < powers.length; k += 1) powers[k] = left[k][i] * right[k][j];
  });
}

/**
 * @param {number} count of keys @param {Float64Array} xs @param {Float64Array} ys
 * @param {(powers: Float64Array, i: number, j: number) => void} setPowers puts there the exponentials of the scores at a place
 * @returns {Field}
 */
function byPowers(count, xs, ys, setPowers) {
  const field = empty(xs.length, ys.length);
  const powers = new Float64Array(count);
  for (let j = 0, place = 0; j < ys.length; j += 1) {
    for (let i = 0; i < xs.length; i += 1, place += 1) {
      setPowers(powers, i, j);
      let [best, top, all] = [0, powers[0], powers[0]];
      for (let k = 1; k < count; k += 1) {
        all += powers[k];
        if (powers[k] > top * MORE) {
          top = powers[k];
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
  const units = W_q.map(([across, upwards], h) => {
    const reach = Math.abs(across) * WINDOW[0] + Math.abs(upwards) * WINDOW[1];
    const powers = project(keys, W_k).map((key) =>
      Float64Array.from({ length: STEPS + 1 }, (_, i) => Math.exp(w_v[h] * Math.tanh((2 * i * reach) / STEPS - reach + key[h]))),
    );
    return { across, upwards, reach, powers };
  });
  return byPowers(keys.length, xs, ys, (all, i, j) => {
    all.fill(1);
    for (const { across, upwards, reach, powers } of units) {
      const at = Math.round(((across * xs[i] + upwards * ys[j] + reach) / (2 * reach)) * STEPS);
      for (let k = 0; k < all.length; k += 1) all[k] *= powers[k][at];
    }
  });
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

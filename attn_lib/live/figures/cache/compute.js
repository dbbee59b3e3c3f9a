// Figure `cache`: who may share keys and values? The browser's port of __init__.py.

import { NO_BREAK_SPACE, formatCount, formatNumber } from "../../front/numbers.js";
import { dotProductScores, softmax } from "../../front/scoring.js";

export const HEADS = 12;
const SIZE = 32;
const STEPS = 127;
const BYTES = 2;
const GROUPS = [12, 6, 4, 3, 2, 1];
const [KIB, MIB, GIB] = [2 ** 10, 2 ** 20, 2 ** 30];

/**
 * @typedef {number[][]} Map the weights of a head: a row for each word that asks
 * @typedef {{ largest: number[], steps: string }} Packed
 * @typedef {{ name: string, layers: number, heads: number, kept: number, size: number }} Model
 * @typedef {{ q: Packed, k: Packed, models: Record<string, Model> }} Data
 */
/** What does not depend on the state. @type {WeakMap<Data, { Q: number[][][], K: number[][][], own: Map[], without: number[] }>} */
const known = new WeakMap();

/** @param {Record<string, any>} state @param {Data} data */
export function compute({ g: groups, how, model, n, kv }, data) {
  const { Q, K, own, without } = headsOf(data);
  const each = HEADS / groups;
  const members = how === "alike" ? alike(own, each) : neighbours(each);
  const joined = groupsOf(members);
  const asked = how === "repeat" ? joined.map((_, head) => head % groups) : joined;
  const now = shared(Q, K, members, asked);
  const apart = moved(own, now);
  const mean = meanOf(apart);
  const beside = neighbours(each);
  const plain = how === "near" ? mean : meanOf(moved(own, shared(Q, K, beside, groupsOf(beside))));
  const bytes = GROUPS.map((count) => bytesOf(data.models[model], count, n, kv));
  const { heads, kept } = data.models[model];
  const isReal = how === "near" && kv === "0" && groups * heads === HEADS * kept;
  const [low, high] = [Math.min(...apart), Math.max(...apart)];
  return {
    parts: {
      moved: { rows: apart.map((share, head) => [share, without[head]]) },
      bytes: { rows: bytes.map((size) => [size / n / KIB, size / MIB]) },
      heads: { words: own[0].length, own: hundredths(own), now: hundredths(now) },
      tank: {
        level: (groups / HEADS) * (kv === "1" ? 0.5 : 1),
        mean,
        bare: meanOf(without),
        places: placesOf(asked, each),
        real: kept / heads,
      },
    },
    slots: {
      model: data.models[model].name,
      astray: String(asked.filter((group, head) => group !== joined[head]).length),
      g: String(groups),
      s: String(each),
      times: String(each * (kv === "1" ? 2 : 1)),
      mean: formatNumber(mean, 2),
      bare: formatNumber(meanOf(without), 2),
      plain: formatNumber(plain, 2),
      least: String(apart.indexOf(low) + 1),
      low: formatNumber(low, 2),
      most: String(apart.indexOf(high) + 1),
      high: formatNumber(high, 2),
      n: formatCount(n),
      bytes: written(bytes[GROUPS.indexOf(groups)]),
      full: written(bytesOf(data.models[model], HEADS, n, "0")),
    },
    summary: summary(groups, isReal ? "real" : how, kv),
  };
}

/** @param {number} groups @param {string} how @param {string} kv */
function summary(groups, how, kv) {
  const isOne = groups === 1 || groups === HEADS;
  if (how === "repeat") return isOne ? ["blind"] : ["repeat"];
  if (groups === HEADS) return [kv === "1" ? "own_same" : "own"];
  const first = groups === 1 ? "one" : how;
  return kv === "1" ? [first, "same"] : [first];
}

/** Queries and keys of all heads, their own maps, and what would move without keys. @param {Data} data */
function headsOf(data) {
  if (!known.has(data)) {
    const [Q, K] = [unpacked(data.q), unpacked(data.k)];
    const own = Q.map((queries, head) => weightsOf(queries, K[head]));
    // Without keys all scores are equal.
    const without = moved(own, own.map((map) => map.map((row) => row.map(() => 1 / row.length))));
    known.set(data, { Q, K, own, without });
  }
  return known.get(data);
}

/** @param {Packed} packed */
function unpacked({ largest, steps }) {
  const bytes = Int8Array.from(atob(steps), (letter) => letter.charCodeAt(0));
  const words = bytes.length / HEADS / SIZE;
  return largest.map((most, head) =>
    Array.from({ length: words }, (_, word) => {
      const start = (head * words + word) * SIZE;
      return Array.from(bytes.subarray(start, start + SIZE), (step) => (step * most) / STEPS);
    }),
  );
}

/** The map of a head with some keys. @param {number[][]} queries @param {number[][]} keys */
function weightsOf(queries, keys) {
  return dotProductScores(queries, keys).map(softmax);
}

/** The maps of all heads with the mean keys of the groups that they ask. */
function shared(Q, K, members, asked) {
  const means = members.map((group) =>
    K[0].map((key, word) => key.map((_, i) => meanOf(group.map((/** @type {number} */ head) => K[head][word][i])))),
  );
  return Q.map((queries, head) => weightsOf(queries, means[asked[head]]));
}

/** How much of each head's weight lies elsewhere, averaged over the words that ask. @param {Map[]} own @param {Map[]} now */
function moved(own, now) {
  return own.map((map, head) => meanOf(map.map((row, i) => half(row, now[head][i]))));
}

/** The total variation of two rows of weights. @param {number[]} one @param {number[]} other */
function half(one, other) {
  return one.reduce((sum, weight, j) => sum + Math.abs(weight - other[j]), 0) / 2;
}

function neighbours(each) {
  return Array.from({ length: HEADS / each }, (_, group) => Array.from({ length: each }, (_, i) => group * each + i));
}

/** The first head that is left, with those whose maps differ least from its own, until none is left. */
function alike(own, each) {
  let left = own.map((_, head) => head);
  const groups = [];
  while (left.length > 0) {
    const [first, ...others] = left;
    const far = own.map((map) => meanOf(map.map((row, i) => half(row, own[first][i]))));
    const nearest = others.toSorted((a, b) => far[a] - far[b]).slice(0, each - 1);
    const group = [first, ...nearest].toSorted((a, b) => a - b);
    groups.push(group);
    left = left.filter((head) => !group.includes(head));
  }
  return groups;
}

/** The group of each head. @param {number[][]} members */
function groupsOf(members) {
  const groups = Array(HEADS).fill(0);
  members.forEach((group, i) => group.forEach((head) => (groups[head] = i)));
  return groups;
}

/** Where each head's wire ends, of twelve places: beside those that ask the same group. */
function placesOf(asked, each) {
  return asked.map((group, head) => group * each + asked.slice(0, head).filter((other) => other === group).length);
}

/** What a model would keep for so many words if so many of twelve heads had keys of their own. @param {Model} model */
function bytesOf({ layers, heads, size }, groups, words, kv) {
  return (kv === "1" ? 1 : 2) * layers * ((heads * groups) / HEADS) * size * BYTES * words;
}

/** @param {number} bytes */
function written(bytes) {
  const [number, unit] = bytes < GIB ? [formatNumber(bytes / MIB, bytes < 10 * MIB ? 1 : 0), "MiB"] : [formatNumber(bytes / GIB, 2), "GiB"];
  return number + NO_BREAK_SPACE + unit;
}

/** Maps as a drawing reads them: by head, key and query. @param {Map[]} maps */
function hundredths(maps) {
  const ordered = maps.flatMap((map) => map[0].flatMap((_, key) => map.map((row) => row[key])));
  return btoa(ordered.map((weight) => String.fromCharCode(Math.round(100 * weight))).join(""));
}

function meanOf(numbers) {
  return numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
}

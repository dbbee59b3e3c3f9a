// The writer's forward pass: what attn_lib.examples.writer does with a trained model, in plain arrays.
// A letter is read by itself: keys and values of all that stand before it lie in the cache.

import { restored } from "../../front/eight_bits.js";
import { mulberry32 } from "../../front/random_stream.js";
import { dot, softmax } from "../../front/scoring.js";

export const LONGEST = 150; // characters of a text
export const LONGEST_WRITTEN = 200;
const HEADS = 4;
const EPS = 1e-6;
const BASE = 10_000; // the last pair of RoPE turns by BASE^(-7/8) a letter
export const UNNAMED = "□"; // a spare place that no character has
const END = 0; // the number of the end mark
const HELLO = { en: "hello ", vi: "chào ", ko: "안녕 ", zh: "你好" };
const MARKED = /[ăâđêôơưàáảãạèéẻẽẹìíỉĩịòóỏõọùúủũụỳýỷỹỵằắẳẵặầấẩẫậềếểễệồốổỗộờớởỡợừứửữự]/u;
const KOREAN = /[\u1100-\u1112\u1161-\u1175\u11a8-\u11c2가-힣]/u;

/** @typedef {import("../../front/scoring.js").Vector} Vector */
/** @typedef {import("../../front/scoring.js").Matrix} Matrix */
/**
 * @typedef {object} Model
 * @property {string} language
 * @property {string[]} alphabet the end mark first
 * @property {string[]} spare letters that stand for characters which the alphabet lacks
 * @property {string} places "rope", "alibi", "learned" or "none"
 * @property {number} layers
 * @property {(name: string) => any} parameter a number, a vector or a matrix by its name in torch
 */
/** One entry for each letter so far, each with a vector for each head. @typedef {{ keys: Matrix[], values: Matrix[] }} Cache */

/** A stored model, its parameters as numbers. @param {any} stored @returns {Model} */
export function unpack({ language, alphabet, places, layers, parameters }) {
  const numbers = restored(parameters);
  const letters = [...alphabet];
  const spare = letters.filter((c) => c >= "\ue000" && c <= "\uf8ff");
  return { language, alphabet: letters, spare, places, layers, parameter: (name) => numbers[name] };
}

/** Equal-looking texts get equal characters. @param {string} text */
export function normalise(text) {
  return text.normalize("NFKC").toLowerCase().normalize("NFKC");
}

/** Whose model goes on with a text, by its greeting or else by its script. @param {string} text */
export function languageOf(text) {
  const typed = normalise(text);
  const greeted = Object.keys(HELLO).find((lang) => typed.startsWith(HELLO[lang]));
  if (greeted) return greeted;
  if (KOREAN.test(typed)) return "ko";
  if (/[一-鿿]/u.test(typed)) return "zh";
  return MARKED.test(typed) ? "vi" : "en";
}

/** The letters of a normalised text: of Korean syllables the parts. @param {string} typed @param {string} language */
export function takeApart(typed, language) {
  return [...(language === "ko" ? typed.replace(/[가-힣]/gu, (c) => c.normalize("NFD")) : typed)];
}

/**
 * The numbers of a text's letters, that of the end mark first.
 * @param {Model} model @param {string} text
 * @returns {{ numbers: number[], strangers: string[] }} strangers: what the alphabet lacks, each once
 */
export function spell({ language, alphabet, spare }, text) {
  const typed = normalise(text);
  const apart = takeApart(typed, language);
  const known = (c) => alphabet.includes(c) && !spare.includes(c);
  const strangers = [...new Set(apart.filter((c) => !known(c)))];
  const number = (c) => alphabet.indexOf(known(c) ? c : spare[strangers.indexOf(c)]);
  return { numbers: [END, ...apart.map(number)], strangers };
}

/** No letter is read yet. @param {Model} model @returns {Cache[]} one for each layer */
export function begin({ layers }) {
  return Array.from({ length: layers }, () => ({ keys: [], values: [] }));
}

/**
 * Read one more letter, and add its keys and values to the cache.
 * @param {Model} model @param {Cache[]} cache @param {number} letter
 * @param {[number, number][]} [off] heads whose output is left out, as layer and head
 * @param {string} [fault] a mistake, as in faults.py @param {number} [start] so many letters are read at once, before this one
 * @returns {{ chances: Vector, rows: Matrix[] }} the probability of every next letter; for each layer and head its
 *   weights on all letters so far
 */
export function step({ places: own, parameter }, cache, letter, off = [], fault = "none", start = Infinity) {
  const places = fault === "places" ? "none" : own;
  const at = cache[0].keys.length;
  let X = parameter("letters.weight")[letter];
  if (places === "learned") {
    const table = parameter("stands.weight");
    X = sum(X, table[Math.min(at, table.length - 1)]);
  }
  const rows = cache.map(({ keys, values }, layer) => {
    const Y = norm(X);
    const [queries, new_keys, new_values] = ["q", "k", "v"].map((name) => {
      const [W, bias] = ["weight", "bias"].map((kind) => parameter(`layers.${layer}.W_${name}.${kind}`));
      return heads(sum(W.map((row) => dot(row, Y)), bias));
    });
    const placed = (x, stands) => (places === "rope" ? turn(norm(x), stands) : norm(x));
    keys.push(new_keys.map((key) => placed(key, fault === "counter" ? Math.max(0, at - 1) : at)));
    values.push(new_values);
    const gain = parameter(`layers.${layer}.gain`);
    const isCornered = fault === "corner" && at >= start;
    const weights = queries.map((query, head) => {
      if (isCornered) return keys.map((_, j) => (j === 0 ? 1 : 0));
      const q = placed(query, at);
      const slope = places === "alibi" ? 2 ** ((-8 * (head + 1)) / HEADS) : 0;
      const divisor = fault === "scale" ? 1 : Math.sqrt(q.length);
      return softmax(keys.map((k, j) => (gain[head] * dot(q, k[head])) / divisor - slope * (at - j)));
    });
    const outputs = weights.map((row, head) => {
      const on = off.some(([l, h]) => l === layer && h === head) ? 0 : 1;
      return new_values[head].map((_, i) => on * row.reduce((total, w, j) => total + w * values[j][head][i], 0));
    });
    const output = outputs.flat();
    X = sum(X, parameter(`layers.${layer}.W_o.weight`).map((row) => dot(row, output)));
    return weights;
  });
  const last = norm(X);
  const chances = softmax(parameter("letters.weight").map((row) => parameter("loud") * dot(row, last)));
  return { chances, rows };
}

/**
 * @typedef {object} How
 * @property {[number, number][]} [off] heads whose output is left out
 * @property {number} [draw] the seed of a stream by which each letter is drawn, instead of the likeliest
 * @property {string} [fault] a mistake, as in faults.py
 */
/**
 * A text that is being gone on with. What is written stays as it is when more is written.
 * @typedef {object} Writing
 * @property {string[]} letters all letters so far @property {number[]} numbers theirs in the alphabet @property {number} start the place of the first that was written
 * @property {Matrix} chances after each letter the chances of all
 * @property {Matrix[][]} weights after each letter those of each layer's heads
 */

/**
 * Read a text, and return what goes on with it.
 * @param {Model} model
 * @param {string} text with no more strange characters than there are spare places
 * @param {How} [how]
 * @returns {(most: number) => Writing} so many letters written, or fewer where the model has ended the text
 */
export function read(model, text, { off = [], draw, fault = "none" } = {}) {
  const { numbers, strangers } = spell(model, text);
  const start = numbers.length;
  const lots = draw === undefined ? [] : mulberry32(draw, LONGEST_WRITTEN);
  const cache = begin(model);
  const looks = numbers.map((letter) => step(model, cache, letter, off, fault, start));
  const shown = (c) => (model.spare.includes(c) ? strangers[model.spare.indexOf(c)] ?? UNNAMED : c);
  return (most) => {
    while (numbers.length < start + most && (numbers.length === start || numbers.at(-1) !== END)) {
      const letter = choose(looks.at(-1).chances, lots[numbers.length - start]);
      numbers.push(letter);
      looks.push(step(model, cache, letter, off, fault, start));
    }
    const end = Math.min(numbers.length, start + most);
    return {
      letters: numbers.slice(0, end).map((n) => shown(model.alphabet[n])),
      numbers: numbers.slice(0, end),
      start,
      chances: looks.slice(0, end).map((look) => look.chances),
      weights: looks.slice(0, end).map((look) => look.rows),
    };
  };
}

/**
 * Go on with a text until the model ends it.
 * @param {Model} model @param {string} text @param {How & { most?: number }} [how] how many letters at most
 */
export function write(model, text, { most = LONGEST_WRITTEN, ...how } = {}) {
  return read(model, text, how)(most);
}

/** The likeliest letter; with a lot from 0 up to 1, the one on which it falls. */
function choose(chances, lot) {
  if (lot === undefined) return chances.indexOf(Math.max(...chances));
  let below = 0;
  const at = chances.findIndex((chance) => (below += chance) > lot);
  return at < 0 ? chances.length - 1 : at;
}

/** Each head's share of the features. @param {Vector} x @returns {Matrix} */
function heads(x) {
  const size = x.length / HEADS;
  return Array.from({ length: HEADS }, (_, h) => x.slice(h * size, (h + 1) * size));
}

/** Divide a vector by the root of its mean square. */
function norm(x) {
  const size = Math.sqrt(dot(x, x) / x.length + EPS);
  return x.map((a) => a / size);
}

/** Turn each pair of features i and i + half by its place: RoPE. */
function turn(x, place) {
  const half = x.length / 2;
  return x.map((a, i) => {
    const angle = place * BASE ** (-(i % half) / half);
    return i < half
      ? a * Math.cos(angle) - x[i + half] * Math.sin(angle)
      : x[i - half] * Math.sin(angle) + a * Math.cos(angle);
  });
}

const sum = (a, b) => a.map((x, i) => x + b[i]);

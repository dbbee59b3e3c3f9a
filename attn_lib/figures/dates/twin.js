// Figure `dates`: a trained model reads what you type, and shows where it looked. The twin of __init__.py.

import { formatNumber, formatWeight } from "../../frontend/format.js";
import { load, normalise, read, SYMBOLS, unknownLetters } from "./reader.js";

// A probability from here on reads 1.00.
const SURE = 0.995;
// The row of so many weights is written out, if they are not 0.00.
const WRITTEN_OUT = 5;
const NOT_NOTHING = 0.005;
// So many of the hidden characters are named.
const NAMED = 9;

/** @type {Map<string, import("./reader.js").Model>} */
const models = new Map();

/**
 * Fetch the model that a state needs.
 * @param {Record<string, any>} state @returns {Promise<void> | undefined} undefined where it is there
 */
export function prepare({ model }) {
  if (models.has(model)) return undefined;
  return load(model).then((loaded) => void models.set(model, loaded));
}

/** @param {Record<string, any>} state @param {{ month: string[], between: string, hidden: string }} data */
export function compute(state, data) {
  const model = models.get(state.model);
  const text = normalise(state.t);
  const letters = [...text];
  const unknown = unknownLetters(text, model);
  const [first, end] = monthSpan(text, data.month);
  const slots = {
    text,
    unknown: unknown.join(data.between),
    month: letters.slice(first, end).join(""),
    iso: "",
    sure: "",
    place: "",
    least: "",
    hidden: "",
    whole: "",
    row: String(state.row),
    first: "",
    first_chance: "",
    second: "",
    second_chance: "",
    looked: "",
    others: "",
    part: formatNumber(state.m, null),
  };
  if (unknown.length > 0) {
    const flags = letters.map((letter) => (unknown.includes(letter) ? "unknown" : ""));
    const map = { letters, symbols: "", rows: [], confidence: [], flags, seen: text, least: null };
    return { parts: { map }, slots, summary: ["unknown"], main: "iso", about: text };
  }
  const seen = seenOf(letters, normalise(state.see), data.hidden);
  const allow = seen.map((letter, j) => (letter === data.hidden ? 0 : first <= j && j < end ? state.m : 1));
  const { iso, weights, chances } = read(model, text, { allow, temperature: state.temp });
  const confidence = chances.map((row) => Math.max(...row));
  const lowest = Math.min(...confidence);
  const least = confidence.indexOf(lowest);
  Object.assign(slots, { iso, sure: formatWeight(lowest), place: String(least + 1), least: iso[least] });
  Object.assign(slots, likeliest(chances[state.row - 1]), writtenOut(letters, weights[state.row - 1]));
  // Where even the least sure symbol reads 1.00, no row stands out.
  const isSure = lowest >= SURE;
  const flags = allow.map((left) => (left === 0 ? "hidden" : left < 1 ? "faded" : ""));
  let summary = [isSure ? "sure" : "reads"];
  if (allow.includes(0)) {
    slots.hidden = runs(letters, allow);
    slots.whole = read(model, text, { temperature: state.temp }).iso;
    summary = slots.whole === iso ? [...summary, "kept"] : ["misled"];
  } else summary.push(state.m === 1 ? "press" : end > first ? "faded" : "no_month");
  const map = { letters, symbols: iso, rows: weights, confidence, flags, seen: seen.join(""), least: isSure ? null : least };
  return { parts: { map }, slots, summary, main: "iso", about: text };
}

/** What may be seen of a text: all of it, unless `see` was said of this text. */
function seenOf(letters, see, hidden) {
  const said = [...see];
  const fits = said.length === letters.length && said.every((letter, j) => letter === hidden || letter === letters[j]);
  return fits ? said : letters;
}

/** The hidden characters, an ellipsis where others stand between them. */
function runs(letters, allow) {
  const hidden = letters.map((letter, j) => (allow[j] === 0 ? visible(letter) : "\n")).join("");
  const named = hidden.split(/\n+/).filter(Boolean).join("…");
  return named.length <= NAMED ? named : `${named.slice(0, NAMED)}…`;
}

/** The two symbols that a row might write, each with its probability. */
function likeliest(chances) {
  const [first, second] = [...chances.keys()].sort((a, b) => chances[b] - chances[a]);
  return {
    first: SYMBOLS[first],
    first_chance: formatWeight(chances[first]),
    second: SYMBOLS[second],
    second_chance: formatWeight(chances[second]),
  };
}

/** A row's largest weights in words, in the order of the text, and the sum of the rest. */
function writtenOut(letters, weights) {
  const largest = weights.map((_, j) => j).sort((a, b) => weights[b] - weights[a]).slice(0, WRITTEN_OUT);
  const named = largest.filter((j) => weights[j] >= NOT_NOTHING).sort((a, b) => a - b);
  const others = weights.reduce((sum, weight, j) => (named.includes(j) ? sum : sum + weight), 0);
  return {
    looked: named.map((j) => `“${visible(letters[j])}”\u00a0${formatWeight(weights[j])} · `).join(""),
    others: formatWeight(others),
  };
}

const visible = (/** @type {string} */ letter) => (letter === " " ? "␣" : letter);

/** Where the month stands: its first character and the one after its last. */
function monthSpan(text, patterns) {
  for (const pattern of patterns) {
    const found = new RegExp(pattern, "d").exec(text);
    // A pattern counts code units and the model characters; in a text that it can read these agree.
    if (found) return found.indices[1];
  }
  return [0, 0];
}

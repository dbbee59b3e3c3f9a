// Figure `dates`: a trained model reads what you type, and shows where it looked. The browser's port of __init__.py.

import { fill, formatNumber, formatWeight, neverExact } from "../../front/numbers.js";
import { load, normalise, read, SYMBOLS, unknownLetters } from "./reader.js";

// A probability from here on reads 1.00.
const SURE = 0.995;
// So many weights of a row are written out, from here on; the rest, if it is as much together.
const WRITTEN_OUT = 3;
const WORTH_WORDS = 0.05;
// Below this probability the least sure symbol is called a guess.
const UNSURE = 0.6;
// From here on nearly all of a row's weight lies on one character.
const ALONE = 0.9;
// The rows that write the last digit of the month and of the day.
const [MONTH, DAY] = [6, 9];
// So many characters are named: of the unknown ones, of the hidden ones, of a repeated word.
const NAMED = 9;
// Weights so near to a half are about half each.
const HALVES = [0.4, 0.6];

/** @type {Map<string, import("./reader.js").Model>} */
const models = new Map();

/**
 * Fetch the model that a state needs.
 * @param {any} state @returns {Promise<void> | undefined} undefined where it is there
 */
export function prepare({ model }) {
  if (models.has(model)) return undefined;
  return load(model).then((loaded) => void models.set(model, loaded));
}

/**
 * Whether a state is computed without a model: the question's text, as it is.
 * @param {any} state @param {Data} data
 */
export function isKnown({ t, m, temp, model, see }, { known }) {
  return normalise(t) === known.text && m === 1 && temp === 1 && model === "additive" && !see.includes("_");
}

/**
 * @typedef {{ month: string[], between: string, hidden: string, years: Record<string, [number, number]>,
 *   why: { average: string, made: string, state: string }, looked: Record<string, string>, fields: string[],
 *   known: { text: string, iso: string, weights: number[][], chances: number[][] } }} Data
 */
/** @param {any} state @param {Data} data */
export function compute(state, data) {
  const model = models.get(state.model);
  const known = model ? undefined : keptOf(data.known);
  const text = normalise(state.t);
  const letters = [...text];
  const unknown = known ? [] : unknownLetters(text, model);
  const [first, end] = monthSpan(text, data.month);
  const slots = {
    text,
    unknown: unknown.slice(0, NAMED).join(data.between),
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
    why: "",
    looked: "",
    part: formatNumber(state.m, null),
    temp: formatNumber(state.temp, null),
  };
  if (unknown.length > 0) {
    const flags = letters.map((letter) => (unknown.includes(letter) ? "unknown" : ""));
    const map = { letters, symbols: "", rows: [], confidence: [], flags, seen: text, least: null };
    return { parts: { map }, slots, summary: ["unknown"] };
  }
  const seen = seenOf(letters, normalise(state.see), data.hidden);
  const allow = seen.map((letter, j) => (letter === data.hidden ? 0 : first <= j && j < end ? state.m : 1));
  const reading = known ?? read(model, text, { allow, temperature: state.temp });
  const { iso, weights, chances } = reading;
  const confidence = chances.map((row) => Math.max(...row));
  const lowest = Math.min(...confidence);
  const least = confidence.indexOf(lowest);
  Object.assign(slots, { iso, sure: formatWeight(lowest), place: String(least + 1), least: iso[least] });
  const row = weights[state.row - 1];
  Object.assign(slots, likeliest(chances[state.row - 1]));
  slots.looked = writtenOut(letters, row, data.looked);
  slots.why = whyOf(letters, row, slots.first, data.why);
  // Where even the least sure symbol reads 1.00, no row stands out.
  const isSure = lowest >= SURE;
  const flags = allow.map((left) => (left === 0 ? "hidden" : left < 1 ? "faded" : ""));
  let summary = [isSure ? "sure" : "reads"];
  if (state.row < data.fields.length) summary = ["row"];
  else if (allow.includes(0)) {
    slots.hidden = runs(letters, allow);
    slots.whole = read(model, text, { temperature: state.temp }).iso;
    const misled = isSure ? "misled_sure" : "misled";
    summary = slots.whole === iso ? [...summary, "kept"] : [misled, lowest < UNSURE ? "doubtful" : "overconfident"];
  } else {
    const [remark, more] = remarkOn(text, state, reading, data.years[state.model], allow, () => read(model, text, { allow }).iso);
    summary.push(...remark);
    Object.assign(slots, more);
  }
  const map = { letters, symbols: iso, rows: weights, confidence, flags, seen: seen.join(""), least: isSure ? null : least };
  return { parts: { map }, slots, summary };
}

/** A reading that is kept in so many digits: what reads 0 or 1 there is not exactly that. @param {Data["known"]} known */
function keptOf({ iso, weights, chances }) {
  const [inner, outer] = [weights, chances].map((rows) => rows.map((row) => neverExact(row)));
  return { iso, weights: inner, chances: outer };
}

/**
 * What is most worth saying of a reading to which no character was hidden. What was set comes first, unless the
 * answer is the same; then what is odd about answer and text.
 * @returns {[string[], Record<string, string>]}
 */
function remarkOn(text, { temp, m }, reading, years, allow, atOne) {
  const plain = temp === 1 ? reading.iso : atOne();
  const tempered = temp > 1 ? "evened" : "sharpened";
  if (plain !== reading.iso) return [[tempered, "other_at_1"], { plain }];
  // Of a month that is not found, no weight was reduced.
  if (m < 1) return [[Math.min(...allow) < 1 ? "faded" : "no_month"], {}];
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(reading.iso)) return [["no_date"], {}];
  const beyond = beyondOf(text, years, reading);
  if (beyond) return [[beyond.year === beyond.written ? "copied" : "replaced"], beyond];
  if (!exists(reading.iso)) return [["no_such_day"], {}];
  // A single character has all of the weight at any temperature.
  if (temp !== 1 && text.length > 1) return [[tempered, "same_at_1"], {}];
  const repeated = repeatedOf(text, reading);
  if (repeated) return [["repeated"], repeated];
  const shared = sharedOf(text, reading);
  return shared ? [["shared"], shared] : [["press"], {}];
}

/** Whether a calendar, which begins with the year 1, has the day; a browser may turn it into another one. */
function exists(iso) {
  const day = new Date(iso);
  return iso > "0001" && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(iso);
}

/** What became of a year that no text of the training had, if it is the only one. */
function beyondOf(text, [first, last], { iso, weights }) {
  const found = [...text.matchAll(/[0-9]+/g)].filter(([number]) => number.length === "yyyy".length);
  if (found.length !== 1) return null;
  const [{ 0: year, index }] = found;
  if (first <= Number(year) && Number(year) <= last) return null;
  const right = [...year].filter((_, i) => topOf(weights[i]) === index + i).length;
  const written = iso.slice(0, year.length);
  return { year, written, first_year: String(first), last_year: String(last), right: String(right) };
}

/** A word that stands in a text several times, if month and day are both read from it. */
function repeatedOf(text, { weights }) {
  const [month, day] = [MONTH, DAY].map((row) => topOf(weights[row]));
  const words = [...text.matchAll(/[^ ]+/g)];
  for (const [word] of words) {
    const same = words.filter(([other]) => other === word);
    const at = [month, day].map((top) => same.findIndex(({ index }) => index <= top && top < index + word.length) + 1);
    if (same.length > 1 && word.length <= NAMED && at.every(Boolean)) {
      return { word, times: String(same.length), month_at: String(at[0]), day_at: String(at[1]) };
    }
  }
  return null;
}

/** The two characters that month and day both look at, about half each. */
function sharedOf(text, { weights }) {
  const [first, second] = [MONTH, DAY].map((row) => weights[row].flatMap((weight, j) => (HALVES[0] <= weight && weight <= HALVES[1] ? [j] : [])));
  if (String(first) !== String(second) || first.length !== HALVES.length || text[first[0]] === text[first[1]]) return null;
  return { one: visible(text[first[0]]), two: visible(text[first[1]]) };
}

/** Where the largest weight lies. */
function topOf(weights) {
  return weights.indexOf(Math.max(...weights));
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

/**
 * A row's largest weights in words, in the order of the text, and what is left. A character that stands in the text
 * several times is named with its number among them.
 */
function writtenOut(letters, weights, words) {
  const largest = weights.map((_, j) => j).sort((a, b) => weights[b] - weights[a]).slice(0, WRITTEN_OUT);
  const named = largest.filter((j) => weights[j] >= WORTH_WORDS).sort((a, b) => a - b);
  if (named.length === 0) return weights.some(Boolean) ? words.none : words.nothing;
  const said = named.map((j) => {
    const same = [...letters.keys()].filter((i) => letters[i] === letters[j]);
    const name = same.length === 1 ? words.once : words.again;
    return [fill(name, { letter: visible(letters[j]), place: String(same.indexOf(j) + 1) }), weights[j]];
  });
  const others = weights.reduce((sum, weight, j) => (named.includes(j) ? sum : sum + weight), 0);
  // What is written adds up to 1.
  if (others >= WORTH_WORDS) said.push([words.others, 1 - said.reduce((sum, [, weight]) => sum + Number(formatWeight(weight)), 0)]);
  return said.map(([name, weight]) => `${name}\u00a0${formatWeight(weight)}`).join(" · ");
}

/** What makes a symbol of a row's weights, unless the row copies its character. */
function whyOf(letters, weights, symbol, why) {
  const top = topOf(weights);
  if (weights[top] === 0) return why.state;
  if (weights[top] < ALONE) return why.average;
  return letters[top] === symbol ? "" : fill(why.made, { top: visible(letters[top]) });
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

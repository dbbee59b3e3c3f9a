// Figure `writer`: a trained model writes on, letter by letter. The browser's port of __init__.py.

import { load } from "../../front/loader.js";
import { formatCount, formatWeight, neverExact } from "../../front/numbers.js";
import { languageOf, LONGEST, normalise, read, spell, takeApart, UNNAMED, unpack } from "./writer.js";

const HEADS = 4;
const HEADS_IN_ALL = 8;
const SIZE = 64;
const COPIER = "copier";
const LIKELIEST = 5;
// Bytes of a number in the cache; so many letters of what is written are said, and of strangers.
const [BYTES, SAID, NAMED] = [4, 24, 6];
// Weights that differ by less are equal.
const SAME = 1e-9;
const UNDEFINED = "\u2014";
const END = "▪";

/**
 * @typedef {{ jobs: string[], copier: number }} Jobs what each head of a model does, and which copies best
 * @typedef {{ example: string, typed: number, names: string[], candidates: string[][], stored: string[], jobs: Record<string, Jobs>,
 *   alone: Record<string, string>, spare: Record<string, number>, trained: number, said: Record<string, string> }} Data
 */

/** @type {Map<string, import("./writer.js").Model>} */
const models = new Map();
/** What was written last in each way: while the hand moves, a text is not read again. @type {Map<string, (most: number) => import("./writer.js").Writing>} */
const readings = new Map();
const MOST_READINGS = 8;

/**
 * Fetch the model that a state needs.
 * @param {any} state @param {Data} data @returns {Promise<void> | undefined} undefined where it is there
 */
export function prepare(state, data) {
  const { name } = asked(state, data);
  if (models.has(name)) return undefined;
  return load(`writers/${name}`).then((stored) => void models.set(name, unpack(stored)));
}

/** Whether a state is computed without a model: nothing is written yet. @param {any} state */
export function isKnown({ t, w, at }) {
  return t === "" && w === 0 && at === 0;
}

/** Which text a state is about, and which model goes on with it. @param {any} state @param {Data} data */
function asked(state, { example, stored }) {
  const text = [...normalise(state.t || example)].slice(0, LONGEST).join("");
  const language = languageOf(text);
  const kind = stored.includes(`${language}-${state.model}`) ? state.model : "rope";
  return { text, language, kind, name: `${language}-${kind}` };
}

/** @param {any} state @param {Data} data */
export function compute(state, data) {
  const { text, language, kind, name } = asked(state, data);
  const model = models.get(name);
  const jobs = data.jobs[name];
  const apart = takeApart(text, language);
  const shown = (/** @type {string} */ letter) => (letter === " " ? "␣" : data.alone[letter] ?? letter);
  // Where nothing is written yet, no sentence names them.
  const strangers = model ? spell(model, text).strangers : [];
  const room = data.spare[language];
  const head = headOf(state.head, jobs);
  const slots = { written: "", query: "", top: "", back: "", weight: "", first: "", chance: "", plain: "" };
  Object.assign(slots, {
    trained: String(data.trained),
    count: String(strangers.length),
    strangers: strangers.slice(0, NAMED).join(""),
    room: String(room),
    value: "",
    head: named(head),
    cached: "0",
    each: "",
    bytes: "0",
    ...blank(jobs, data.said),
  });
  const line = { letters: [END, ...apart].map(shown), start: apart.length + 1, query: null, given: [] };
  const heads = { head, on: jobs.jobs.map(() => true), copier: jobs.copier };
  const parts = { text: line, heads, weights: { rows: [] }, cache: { letters: 0, layers: 0 } };
  if (strangers.length > room) return { parts, slots, summary: ["unknown"] };
  if (state.w === 0 && state.at === 0) return { parts, slots, summary: ["begin"] };

  const off = [...new Set(state.off.map((one) => (one === 0 ? jobs.copier : one - 1)))];
  heads.on = jobs.jobs.map((_, one) => !off.includes(one));
  const left = off.filter((one) => one < jobs.jobs.length).sort((a, b) => a - b).map((one) => /** @type {[number, number]} */ ([Math.floor(one / HEADS), one % HEADS]));
  const draw = state.draw === "top" ? undefined : Number(state.draw);
  const writing = reading(name, text, { off: left, draw, fault: state.fault })(state.w);
  const { letters, numbers, start } = writing;
  const count = letters.length;
  // The last letter has looked as well, though nothing was written after it: it can be pressed.
  const query = state.at ? Math.min(state.at, count - 1) : count - 2;
  const rows = writing.weights[query].flat().map((row) => {
    return neverExact(row, state.fault === "corner" ? row.map((weight) => weight === 0) : []);
  });
  line.letters = letters.map(shown);
  line.query = query;
  // How probable each letter was, given those before it.
  line.given = numbers.slice(1).map((n, i) => writing.chances[i][n]);
  parts.weights = { rows };
  parts.cache = { letters: count, layers: model.layers };
  const each = BYTES * 2 * SIZE * model.layers;
  Object.assign(slots, {
    written: said(letters, start, data.alone),
    query: shown(letters[query]),
    cached: String(count),
    each: formatCount(each),
    bytes: formatCount(each * count),
  });
  rows.forEach((row, one) => {
    // Without places equal letters have equal weights, but for their last bits.
    const largest = Math.max(...row);
    const top = row.findIndex((weight) => weight > largest - SAME);
    slots[`top_${one}`] = shown(letters[top]);
    slots[`back_${one}`] = String(row.length - 1 - top);
    slots[`weight_${one}`] = formatWeight(row[top]);
  });
  for (const one of ["top", "back", "weight"]) slots[one] = slots[`${one}_${head}`];
  Object.assign(slots, likeliest(writing.chances[query], strangers, model, shown));
  let summary = [state.at ? "pressed" : "looks"];
  if (slots.back === "0") summary[0] += "_itself";
  if (!heads.on[head]) summary = ["silent"];
  if (left.length > 0 || draw !== undefined || state.fault !== "none") {
    const plain = reading(name, text, {})(state.w);
    slots.plain = said(plain.letters, start, data.alone);
    summary.push(plain.letters.join() === letters.join() ? "same" : "plain");
  } else if (kind !== state.model) summary.push("only");
  else if (count > data.trained + 1) summary.push("long");
  else summary.push(strangers.length > 0 ? "spare" : "next");
  return { parts, slots, summary };
}

/** A text that is being gone on with. @param {string} name of a model @param {string} text @param {import("./writer.js").How} how */
function reading(name, text, how) {
  const key = JSON.stringify([name, text, how]);
  const kept = readings.get(key) ?? read(models.get(name), text, how);
  // The one that was used last is forgotten last.
  readings.delete(key);
  readings.set(key, kept);
  if (readings.size > MOST_READINGS) readings.delete(readings.keys().next().value);
  return kept;
}

/** Which head is looked at; one that the model lacks is the one that copies. @param {string} name @param {Jobs} jobs */
function headOf(name, { jobs, copier }) {
  const [layer, head] = name === COPIER ? [0, 0] : name.split(".").map(Number);
  const one = name === COPIER ? copier : (layer - 1) * HEADS + head - 1;
  return one < jobs.length ? one : copier;
}

/** The slots of all heads where none has looked yet. @param {Jobs} jobs @param {Record<string, string>} words */
function blank({ jobs }, words) {
  const slots = {};
  for (let one = 0; one < HEADS_IN_ALL; one += 1) {
    slots[`job_${one}`] = one < jobs.length ? words[jobs[one]] : UNDEFINED;
    for (const name of ["top", "back", "weight"]) slots[`${name}_${one}`] = UNDEFINED;
  }
  for (let one = 0; one < LIKELIEST; one += 1) slots[`next_${one}`] = slots[`chance_${one}`] = UNDEFINED;
  return slots;
}

/** The letters that are likeliest to come next, each with its probability. */
function likeliest(chances, strangers, { alphabet, spare }, shown) {
  const slots = {};
  const exact = neverExact(chances);
  const order = [...chances.keys()].sort((a, b) => chances[b] - chances[a]).slice(0, LIKELIEST);
  order.forEach((number, one) => {
    const place = spare.indexOf(alphabet[number]);
    slots[`next_${one}`] = shown(place < 0 ? alphabet[number] : strangers[place] ?? UNNAMED);
    slots[`chance_${one}`] = formatWeight(exact[number]);
  });
  return { ...slots, first: slots.next_0, chance: slots.chance_0 };
}

/** The name of a head: its layer, and its number in it. @param {number} head */
function named(head) {
  return `${Math.floor(head / HEADS) + 1}·${(head % HEADS) + 1}`;
}

/** What was written, from where the word begins that was typed last. @param {string[]} letters @param {number} start @param {Record<string, string>} alone */
function said(letters, start, alone) {
  let first = start;
  while (![" ", "!", END].includes(letters[first - 1])) first -= 1;
  const composed = [...letters.slice(first).join("").normalize("NFC").replace(/^ +| +$/g, "")].map((letter) => alone[letter] ?? letter);
  return composed.length <= SAID ? composed.join("") : `…${composed.slice(1 - SAID).join("")}`;
}

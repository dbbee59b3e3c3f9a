// A figure's state and the links that carry it: #additive?k=3,1&q=-1. The declaration of the controls
// comes from host/controls.py, beside the figure.

import { isTyped, readTyped, spell, wordsOf } from "./typed.js";

const FRAGMENT = /^[a-z]{1,12}(\?[a-z0-9]{1,6}=[^&=,]+(,[^&=,]+)*(&[a-z0-9]{1,6}=[^&=,]+(,[^&=,]+)*)*)?$/;
const NUMBER = /^-?\d{1,7}(\.\d{1,3})?$/;
// In characters: a typed line of 150, each escaped to as many as twelve, beside a few numbers and names.
const LONGEST = 2000;
// What a link says for a checklist with nothing ticked.
const NONE = "none";

/** @typedef {Record<string, any>} State */

/** The controls that exist in a state: those whose condition holds. */
export function activeControls(controls, state) {
  return controls.filter((control) =>
    Object.entries(control.when).every(([key, value]) => state[key] === value),
  );
}

/** The default of a control in a state: of one that counts typed words, their number in each row. */
function defaultOf({ default: initial, counts }, state) {
  if (!state[counts]) return initial;
  const rows = wordsOf(state[counts]);
  return rows.flatMap(({ length }) => Array(initial.length / rows.length).fill(length));
}

/** Whether a control keeps its value but moves nothing in a state. */
export function isIdle({ idle = {} }, state) {
  return Object.entries(idle).some(([key, values]) => values.includes(state[key]));
}

/**
 * The complete state with these settings, the defaults elsewhere.
 * @param {any[]} controls
 * @param {Record<string, any>} [settings] values as the controls give them
 * @returns {State}
 */
export function completeState(controls, settings = {}) {
  const state = {};
  for (const control of controls) {
    if (activeControls([control], state).length === 0) continue;
    const given = settings[control.key];
    // Two controls may share a key, and one may not allow what the other was set to.
    const value = given === undefined ? undefined : parseValue(control, [given].flat().map(String));
    state[control.key] = value ?? defaultOf(control, state);
  }
  return state;
}

/**
 * Whether a figure asks its question in a state: the one that it opens with, and the one that the question starts from.
 * A state of the reader's own is about something else.
 * @param {State} state @param {{ id: string, controls: any[], before?: string }} declaration
 */
function isAsked(state, { id, controls, before }) {
  const link = writeFragment({ ...state, ask: "1" }, { id, controls });
  return link === `#${id}` || link === before;
}

/**
 * Read a link's fragment. In a state of the reader's own it asks nothing, unless it says so.
 * @param {string} fragment with or without its #
 * @param {{ id: string, controls: any[], before?: string }} declaration
 * @returns {{ state: State, misunderstood: boolean, named: string[] } | null} null where the link is not for this
 *   figure; else also which settings it names
 */
export function parseFragment(fragment, declaration) {
  const { id, controls } = declaration;
  const text = fragment.replace(/^#/, "");
  if (text.length > LONGEST || !FRAGMENT.test(text)) return null;
  const [name, query = ""] = text.split("?");
  if (name !== id) return null;

  const pairs = new Map();
  for (const pair of query.split("&")) {
    const [key, list] = pair.split("=");
    if (!pairs.has(key)) pairs.set(key, list);
  }
  const state = {};
  let misunderstood = false;
  for (const control of controls) {
    if (activeControls([control], state).length === 0) continue;
    const list = pairs.get(control.key);
    const value = list === undefined ? undefined : parseValue(control, list.split(",").map(decode));
    if (list !== undefined && value === undefined) misunderstood = true;
    state[control.key] = value ?? defaultOf(control, state);
  }
  if (!pairs.has("ask") && !isAsked(state, declaration)) state.ask = "0";
  return { state, misunderstood, named: [...pairs.keys()] };
}

/**
 * Write the fragment of a state; defaults are left out, and so is what goes without saying: that a state of the reader's
 * own asks nothing.
 * @param {State} state
 * @param {{ id: string, controls: any[], before?: string }} declaration
 */
export function writeFragment(state, declaration) {
  const { id, controls } = declaration;
  const pairs = activeControls(controls, state)
    .filter(({ key }) => key !== "ask" || (state.ask === "0" && isAsked(state, declaration)))
    .filter((control) => String(state[control.key]) !== String(defaultOf(control, state)))
    .map((control) => `${control.key}=${writeValue(control, state[control.key]) || NONE}`);
  return `#${id}${pairs.length > 0 ? `?${pairs.join("&")}` : ""}`;
}

function writeValue(control, value) {
  if (!isTyped(control) || control.kind === "Text") return [value].flat().map(encodeURIComponent).join(",");
  return encodeURIComponent(value).replaceAll("%2C", ",").replaceAll("%3B", ";");
}

/**
 * The Python call that shows a state, for a notebook; defaults are left out.
 * @param {State} state
 * @param {{ id: string, controls: any[] }} declaration
 */
export function writeCall(state, { id, controls }) {
  const settings = activeControls(controls, state)
    .filter((control) => control.key !== "ask" && String(state[control.key]) !== String(defaultOf(control, state)))
    .map((control) => `, ${control.key}=${writeSetting(control, state[control.key])}`);
  return `attn_lib.explore("${id}"${settings.join("")})`;
}

function writeSetting(control, value) {
  if (control.kind === "Numbers") return spell(value, control);
  return writePython(isTyped(control) ? spell(value, control) : value);
}

function writePython(value) {
  if (Array.isArray(value)) return `[${value.map(writePython).join(", ")}]`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/**
 * The value of a control that lies nearest to a number, or the numbers nearest to several.
 * @param {any} control @param {any} value what is no number stays as it is, and so does what is ticked
 */
export function snapValue(control, value) {
  if (control.kind === "Checklist") return value;
  if (Array.isArray(value)) return value.map((item) => snapValue(control, item));
  if (typeof value !== "number") return value;
  if (control.kind === "Listed") {
    const distance = (/** @type {number} */ listed) => Math.abs(listed - value);
    return control.values.reduce((best, listed) => (distance(listed) < distance(best) ? listed : best));
  }
  const { min, max, step } = control;
  const snapped = min + Math.round((value - min) / step) * step;
  return Number(Math.min(max, Math.max(min, snapped)).toFixed(6));
}

/**
 * Where a control's value stands on its slider: the value itself, or its number in the list.
 * @param {any} control @param {number} value
 */
export function placeOf(control, value) {
  return control.kind === "Listed" ? control.values.indexOf(value) : value;
}

/**
 * The value at a place of a slider, not yet snapped where values lie between.
 * @param {any} control @param {number} place
 */
export function valueAt(control, place) {
  if (control.kind !== "Listed") return place;
  return control.values[Math.min(control.values.length - 1, Math.max(0, Math.round(place)))];
}

function countOf(value) {
  return Array.isArray(value) ? value.length : 1;
}

function parseValue(control, raw) {
  if (control.kind === "Checklist") return parseChecklist(control, raw);
  if (isTyped(control)) return readTyped(raw.join(","), control).value;
  if (raw.length !== countOf(control.default)) return undefined;
  const items = raw.map((text) => PARSE[control.kind](control, text));
  if (items.includes(undefined)) return undefined;
  return Array.isArray(control.default) ? items : items[0];
}

const PARSE = {
  Range({ min, max, step }, text) {
    const value = number(text);
    const steps = (value - min) / step;
    return value >= min && value <= max && Math.abs(steps - Math.round(steps)) <= 1e-9 ? value : undefined;
  },
  Count: (control, text) => PARSE.Range(control, text),
  Listed({ values }, text) {
    return values.find((value) => Math.abs(value - number(text)) <= 1e-9);
  },
  Choice({ options }, text) {
    return options.find((option) => option === text);
  },
  Word: (control, text) => readText(text, control),
  Line: (control, text) => readText(text, control),
};

/** An ascending list of some of the options, or none of them. */
function parseChecklist({ options }, raw) {
  if (raw.length === 0 || String(raw) === NONE) return [];
  const ticked = raw.map(number);
  const ascending = options.filter((option) => ticked.includes(option));
  return String(ticked) === String(ascending) ? ticked : undefined;
}

/**
 * Read a word: letters of any script, not too many, also with - and ' within.
 * @param {string} text @param {{ longest: number }} control
 * @returns {string | undefined} undefined where it is no word
 */
function readWord(text, { longest }) {
  const word = text.normalize("NFC").replace(/^ +| +$/g, "");
  return /^\p{L}+(?:[-'’]\p{L}+)*$/u.test(word) && [...word].length <= longest ? word : undefined;
}

/**
 * Read what the reader has typed, as host/controls.py does.
 * @param {string} text @param {{ kind: string, longest: number }} control
 * @returns {string | undefined} undefined where it is no value
 */
export function readText(text, control) {
  if (control.kind === "Word") return readWord(text, control);
  const length = [...text.normalize("NFKC").trim()].length;
  // deno-lint-ignore no-control-regex -- they are what must not be in a line
  return length >= 1 && length <= control.longest && !/[\0-\x1f]/.test(text) ? text : undefined;
}

/** One value of a link, decoded; a malformed % escape becomes a text that no control allows. */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "\0";
  }
}

/** The number a text spells, NaN where it spells none: NaN fails every comparison. */
function number(text) {
  return NUMBER.test(text) ? Number(text) : NaN;
}

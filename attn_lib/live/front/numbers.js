// How figures write numbers. host/numbers.py does the same in Python.

import SHADES from "./shades.json" with { type: "json" };

const MINUS = "\u2212";
/** In four decimals, what is below reads as 0. */
export const TINY = 0.00005;
/** What is written for a number that there is not. */
export const UNDEFINED = "\u2014";
/** Between what no line may part; typography.py has it in Python. */
export const NO_BREAK_SPACE = "\u00a0";

/**
 * A half may have lost its last bits on the way: what is so little below one is rounded up with it, here and in Python,
 * whose last bits differ.
 */
const HALF_LOST = 1e-9;
/** The digits of a greater count stand apart by thousands. */
const MOST_JOINED = 9999;

/**
 * Write `value` with `digits` decimals, a real minus, and a dash for null and NaN; halves are rounded away from zero.
 * @param {number | null} value
 * @param {number | null} digits null: as many as the value has, at most nine
 * @returns {string}
 */
export function formatNumber(value, digits) {
  if (value === null || Number.isNaN(value)) return UNDEFINED;
  const sign = value < 0 ? MINUS : "";
  const size = Math.abs(value);
  if (size === Infinity) return `${sign}∞`;
  if (size + HALF_LOST >= 1e5) return sign + Number(size.toPrecision(7)).toExponential().replace("e+", "e");
  const text = digits === null ? size.toFixed(9).replace(/\.?0+$/, "") : (size + HALF_LOST).toFixed(digits);
  return /[1-9]/.test(text) ? sign + text : text;
}

/** A point that no line parts. @param {number[]} numbers @param {number | null} digits */
export function formatPoint(numbers, digits) {
  return `(${numbers.map((x) => formatNumber(x, digits)).join(`,${NO_BREAK_SPACE}`)})`;
}

/** What stands before a number written with so many decimals: = only if it is exact. @param {number} value @param {number} digits */
export function relation(value, digits) {
  return Math.abs(value - Number(value.toFixed(digits))) < HALF_LOST ? "=" : "≈";
}

/** A whole number; above 9999 its thousands stand apart, in every language in the same way. @param {number} number */
export function formatCount(number) {
  return number > MOST_JOINED ? String(number).replace(/(?<=\d)(?=(\d{3})+$)/g, NO_BREAK_SPACE) : String(number);
}

/** A value of a control as its slider shows it. @param {number} value @param {number | null} digits */
export function formatSetting(value, digits) {
  return value > MOST_JOINED ? formatCount(value) : formatNumber(value, digits);
}

/** The smallest number that keeps all of its digits, and one just below 1. */
const [LEAST, MOST] = [2 ** -1022, 1 - Number.EPSILON];

/**
 * Keep the weights of a softmax off 0 and 1, which it only comes near to: a float may not be able to say how near. The
 * weight of a masked key is exactly 0. A row's only key may have exactly 1, but not exactly 0.
 * @param {number[]} weights @param {boolean[]} [masked] @returns {number[]}
 */
export function neverExact(weights, masked = []) {
  const only = weights.filter((_, j) => !masked[j]).length === 1;
  return weights.map((weight, j) => (masked[j] ? weight : Math.min(Math.max(weight, LEAST), only ? 1 : MOST)));
}

/** Write a weight: a bare 0 or 1 is exact, 0.00 and 1.00 are rounded. @param {number} weight */
export function formatWeight(weight) {
  return weight === 0 || weight === 1 ? String(weight) : formatNumber(weight, 2);
}

/** Write a weight that a reader multiplies with: in three decimals. @param {number} weight */
export function formatFine(weight) {
  return weight === 0 || weight === 1 ? String(weight) : formatNumber(weight, 3);
}

/**
 * Write an output number: a bare 0 is exact.
 * @param {number} value
 */
export function formatOutput(value) {
  return value === 0 ? "0" : formatNumber(value, 2);
}

/** Write a number above 0 in four decimals; one that would read as 0 is said to be less. @param {number} value */
export function formatSmall(value) {
  return value + HALF_LOST < TINY ? `<${NO_BREAK_SPACE}0.0001` : formatNumber(value, 4);
}

/** A written number, in brackets where it has a sign, as what stands behind an operator. @param {string} number */
export function enclosed(number) {
  return number.startsWith(MINUS) ? `(${number})` : number;
}

/**
 * Name the darkness of a cell with this weight, so that CSS can choose readable text.
 * @param {number} weight
 */
export function tone(weight) {
  return weight < SHADES.middle ? "low" : weight < SHADES.high ? "middle" : "high";
}

/**
 * Fill the named slots of a whole-sentence template.
 * @param {string} template e.g. "Query {q}: weight {w}."
 * @param {Record<string, string>} slots
 */
export function fill(template, slots) {
  return template.replace(/\{(\w+)\}/g, (_, name) => slots[name]);
}

/**
 * The sentences that sum a view up.
 * @param {{ slots: Record<string, string>, summary: string[] }} view @param {any} words of the figure
 * @param {string} [note] one more sentence
 */
export function sumUp({ slots, summary }, words, note) {
  const sentences = summary.map((name) => fill(words.sentences[name], slots));
  if (note) sentences.push(fill(note, slots));
  return sentences.join(words.frame.between_sentences);
}

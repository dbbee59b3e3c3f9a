// How figures write numbers. explorer/numbers.py does the same in Python.

const MINUS = "\u2212";
/** In four decimals, what is below reads as 0. */
export const TINY = 0.00005;
/** What is written for a number that there is not. */
export const UNDEFINED = "\u2014";
/** Between what no line may part; typography.py has it in Python. */
export const NO_BREAK_SPACE = "\u00a0";

/**
 * Write `value` with `digits` decimals, a real minus, and a dash for null.
 * @param {number | null} value
 * @param {number | null} digits null: as many as the value has
 * @returns {string}
 */
export function formatNumber(value, digits) {
  if (value === null || Number.isNaN(value)) return UNDEFINED;
  const sign = value < 0 ? MINUS : "";
  const size = Math.abs(value);
  if (size === Infinity) return `${sign}∞`;
  if (size >= 1e5) return sign + Number(size.toPrecision(7)).toExponential().replace("e+", "e");
  if (digits === null) return sign + String(size);
  const text = size.toFixed(digits);
  return /[1-9]/.test(text) ? sign + text : text;
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
  return value < TINY ? `<${NO_BREAK_SPACE}0.0001` : formatNumber(value, 4);
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
  return weight < 0.476 ? "low" : weight < 0.63 ? "middle" : "high";
}

/**
 * Fill the named slots of a whole-sentence template.
 * @param {string} template e.g. "Query {q}: weight {w}."
 * @param {Record<string, string>} slots
 */
export function fill(template, slots) {
  return template.replace(/\{(\w+)\}/g, (_, name) => slots[name]);
}

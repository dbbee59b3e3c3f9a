// Numbers, words and lines that the reader types. host/typed.py reads them in Python, and says more.

import { fill } from "./numbers.js";

const CALL = /^(?:tensor|array)\(([^()]*)\)$/;
const NESTED = /^\[ *\[[^[\]]*\](?: *,? *\[[^[\]]*\])* *,? *\]$/;
const FLAT = /^\[[^[\]]*\]$/;
const NUMBER = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)$/;
const WORD = /^[\p{L}\p{M}\p{N}'\-\u2019]+$/u;
const SHOWN = 24;

/** Whether a control takes numbers or words that the reader types. @param {{ kind: string }} control */
export function isTyped({ kind }) {
  return kind in READ;
}

/**
 * Read what the reader has typed.
 * @param {string} text @param {any} control
 * @returns {{ value?: string, wrong?: string, slots?: Record<string, string> }} value is the short text `1,2;3,4`
 */
export function readTyped(text, control) {
  try {
    return { value: READ[control.kind](text, control) };
  } catch (error) {
    if (!(error instanceof Mistyped)) throw error;
    return { wrong: error.message, slots: error.slots };
  }
}

/**
 * What was expected and what came.
 * @param {{ wrong?: string, slots?: Record<string, string> }} read @param {any} frame the words that figures share
 */
export function sentenceOf({ wrong, slots }, frame) {
  return fill(frame.typed[wrong], slots);
}

/** A short text as the reader would type it. @param {string} value @param {{ kind: string }} control */
export function spell(value, { kind }) {
  if (value === "") return "";
  if (kind === "Text") return value;
  if (kind === "Words") return value.replaceAll(",", " ").replaceAll(";", "; ");
  return `[[${value.replaceAll(",", ", ").replaceAll(";", "], [")}]]`;
}

/** The rows of numbers that a short text spells. @param {string} value */
export function numbersOf(value) {
  return wordsOf(value).map((row) => row.map(Number));
}

/** The rows of words that a short text spells. @param {string} value */
export function wordsOf(value) {
  return value.split(";").map((row) => row.split(","));
}

class Mistyped extends Error {
  /** @param {string} name of the sentence @param {Record<string, any>} slots */
  constructor(name, slots) {
    super(name);
    this.slots = slots;
  }
}

const READ = {
  Numbers(text, control) {
    let plain = plainOf(text, control).replaceAll("\u2212", "-");
    if (!plain) return "";
    const call = CALL.exec(plain);
    if (call) plain = call[1].replace(/^[ ,]+|[ ,]+$/g, "");
    let parts = plain.split(";");
    if (NESTED.test(plain)) parts = [...plain.slice(1, -1).matchAll(/\[([^[\]]*)\]/g)].map((found) => found[1]);
    else if (FLAT.test(plain)) parts = [plain.slice(1, -1)];
    else if (/[[\]]/.test(plain)) throw new Mistyped("form", { ...control, got: short(plain) });
    const rows = parts.map((part) => itemsOf(part).map((item) => numberOf(item, control)));
    const counts = rows.map((row) => row.length);
    const anyOf = control.fewest === null ? "" : "_between";
    if (new Set(counts).size > 1) {
      throw new Mistyped(`ragged${anyOf}`, { ...control, got: short(counts.join(" + ")) });
    }
    const fewest = control.fewest ?? control.rows;
    if (counts.length < fewest || counts.length > control.rows || counts[0] !== control.columns) {
      throw new Mistyped(`shape${anyOf}`, { ...control, got: `${counts.length} × ${counts[0]}` });
    }
    return rows.map((row) => row.join(",")).join(";");
  },
  Words(text, control) {
    const plain = plainOf(text, control);
    if (!plain) return "";
    const rows = plain.split(";").map(itemsOf);
    for (const word of rows.flat()) {
      if (!WORD.test(word)) throw new Mistyped("word", { got: short(word) });
      if ([...word].length > control.letters) throw new Mistyped("word_long", { ...control, got: short(word) });
    }
    if (rows.length !== control.rows || !rows.every(({ length }) => length >= 1 && length <= control.columns)) {
      throw new Mistyped("count", { ...control, got: short(rows.map(({ length }) => length).join(" + ")) });
    }
    return rows.map((row) => row.join(",")).join(";");
  },
  Text(text, control) {
    const line = plainOf(text, control);
    for (const sign of line) {
      if (control.without.includes(sign)) throw new Mistyped("sign", { got: sign });
      const code = sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
      if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(sign)) throw new Mistyped("sign", { got: `U+${code}` });
    }
    return line;
  },
};

function plainOf(text, { longest }) {
  const { length } = [...text];
  if (length > longest) throw new Mistyped("long", { longest, got: length });
  // NFKC composes letters, and turns the wide commas and brackets of a Chinese keyboard into plain ones.
  return text.normalize("NFKC").replace(/[\t\r\n]/g, " ").replace(/^ +| +$/g, "");
}

function itemsOf(part) {
  return part.split(/[ ,]+/).filter(Boolean);
}

function numberOf(item, { limit, decimals }) {
  if (!NUMBER.test(item)) throw new Mistyped("number", { got: short(item) });
  const behind = (item.split(".")[1] ?? "").replace(/0+$/, "");
  if (behind.length > decimals) throw new Mistyped("decimals", { decimals, got: short(item) });
  const number = Number(item);
  if (Math.abs(number) > limit) throw new Mistyped("limit", { limit, got: short(item) });
  return number;
}

function short(text) {
  const letters = [...text];
  return letters.length <= SHOWN ? text : `${letters.slice(0, SHOWN - 1).join("")}…`;
}

// The date reader's forward pass: what attn_lib.examples.dates does with a trained model, in plain arrays.
// A model is loaded when it is first asked for: 30 KB over the wire.

import { restored } from "../../front/eight_bits.js";
import { load as loadPart } from "../../front/loader.js";
import { dotProductScores, project, projectedScores, softmax, tanhOfSum, weightedAverage } from "../../front/scoring.js";

export const LONGEST = 64;
export const SYMBOLS = "0123456789-";
const ISO_LENGTH = 10; // yyyy-mm-dd

/** @typedef {import("../../front/scoring.js").Vector} Vector */
/** @typedef {import("../../front/scoring.js").Matrix} Matrix */
/**
 * @typedef {object} Model
 * @property {string} letters the characters it knows, the end mark first
 * @property {string} score "additive" or "dot"
 * @property {(name: string) => any} parameter a matrix or a vector by its name in torch
 */

/** @type {Map<string, Promise<Model>>} */
const asked = new Map();

/**
 * Load a model once; what failed may work at the next try.
 * @param {string} name such as "additive" @returns {Promise<Model>}
 */
export function load(name) {
  if (!asked.has(name)) {
    const model = loadPart(`models/${name}`).then(unpack);
    model.catch(() => asked.delete(name));
    asked.set(name, model);
  }
  return asked.get(name);
}

/**
 * A stored model, its parameters as numbers.
 * @param {any} stored the content of a weights file @returns {Model}
 */
export function unpack({ letters, score, parameters }) {
  const numbers = restored(parameters);
  return { letters, score, parameter: (name) => numbers[name] };
}

/** @param {string} text */
export function normalise(text) {
  return text.normalize("NFKC").toLowerCase().replace(/[‘’]/g, "'").trim();
}

/** The characters of a text that a model has never seen, each once. */
export function unknownLetters(text, { letters }) {
  return [...new Set(normalise(text))].filter((c) => !letters.includes(c, 1));
}

/**
 * Read a date, always going on from the likeliest symbol.
 * @param {Model} model
 * @param {string} text normalised, with known characters only
 * @param {{ allow?: number[], temperature?: number }} [more] a factor for the weights of each
 *   character (0 hides it), and what the scores are divided by
 * @returns {{ iso: string, weights: Matrix, chances: Matrix, logits: Matrix }}
 */
export function read(model, text, { allow, temperature = 1 } = {}) {
  if (latest.get(model)?.text !== text) latest.set(model, { text, ...encode(model, text), readings: {} });
  const { keys, values, readings } = latest.get(model);
  const allowed = allow ?? values.map(() => 1);
  return (readings[`${temperature} ${allowed}`] ??= write(model, keys, values, allowed, temperature));
}

/**
 * What a model has made of the text that it has read last: while a slider moves, it is not read again.
 * @type {WeakMap<Model, { text: string, keys: Matrix, values: Matrix, readings: Record<string, any> }>}
 */
const latest = new WeakMap();

/** Read a text: a key and a value for each character. */
function encode({ letters, score, parameter }, text) {
  const known = [...letters];
  const embedded = [...text, known[0]].map((c) => parameter("read.weight")[known.indexOf(c)]);
  // The end mark is read, but nothing may be taken from it.
  const states = bothWays(embedded, parameter).slice(0, -1);
  const keys = score === "dot" ? states : project(states, parameter("attention.W_k.weight"));
  return { keys, values: embedded.slice(0, -1) };
}

/** Write a date of what was read. */
function write(model, keys, values, allowed, temperature) {
  const { parameter } = model;
  let state = parameter("decoder.weight_hh_l0")[0].map(() => 0);
  let last = SYMBOLS.length;
  const written = { iso: "", weights: [], chances: [], logits: [] };
  for (let step = 0; step < ISO_LENGTH; step++) {
    state = gruStep(parameter("write.weight")[last], state, parameter, "decoder", "_l0");
    const scores = scoresOf(model, state, keys).map((a, j) => a / temperature + Math.log(allowed[j]));
    const weights = softmax(scores);
    const [context] = weightedAverage([weights], values);
    const logits = linear([...state, ...context], parameter("output.weight"), parameter("output.bias"));
    const chances = softmax(logits);
    last = chances.indexOf(Math.max(...chances));
    written.iso += SYMBOLS[last];
    written.weights.push(weights);
    written.chances.push(chances);
    written.logits.push(logits);
  }
  return written;
}

/** How well each key answers the decoder's state. */
function scoresOf({ score, parameter }, state, keys) {
  if (score === "dot") return dotProductScores([state], keys)[0];
  const [W_q, w_v] = ["W_q", "w_v"].map((name) => parameter(`attention.${name}.weight`));
  return projectedScores(project([state], W_q), keys, w_v[0], tanhOfSum)[0];
}

/** The encoder's states from left to right and from right to left, side by side. */
function bothWays(inputs, parameter) {
  const forwards = gru(inputs, parameter, "_l0");
  const backwards = gru(inputs.toReversed(), parameter, "_l0_reverse").toReversed();
  return forwards.map((state, j) => [...state, ...backwards[j]]);
}

function gru(inputs, parameter, suffix) {
  let state = parameter(`encoder.weight_hh${suffix}`)[0].map(() => 0);
  return inputs.map((x) => (state = gruStep(x, state, parameter, "encoder", suffix)));
}

/** One step of a GRU, its gates in torch's order: reset, update, new. */
function gruStep(x, state, parameter, layer, suffix) {
  const get = (name) => parameter(`${layer}.${name}${suffix}`);
  const fromInput = linear(x, get("weight_ih"), get("bias_ih"));
  const fromState = linear(state, get("weight_hh"), get("bias_hh"));
  const size = state.length;
  return state.map((old, i) => {
    const reset = sigmoid(fromInput[i] + fromState[i]);
    const update = sigmoid(fromInput[size + i] + fromState[size + i]);
    const fresh = Math.tanh(fromInput[2 * size + i] + reset * fromState[2 * size + i]);
    return (1 - update) * fresh + update * old;
  });
}

function linear(x, W, bias) {
  return W.map((row, i) => {
    let sum = bias[i];
    for (let j = 0; j < row.length; j++) sum += row[j] * x[j];
    return sum;
  });
}

const sigmoid = (x) => 1 / (1 + Math.exp(-x));

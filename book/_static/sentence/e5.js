/**
 * multilingual-e5-small in plain JavaScript, as attn_lib/examples/e5 computes it: the excerpt of its
 * weights, the cut into pieces, and what its 144 heads look at.
 */

const [LAYERS, HEADS, SIZE, INNER] = [12, 12, 384, 1536];
const FEATURES = SIZE / HEADS;
const EPS = 1e-12;
const LONGEST = 16; // letters of a piece
const UNKNOWN = "<unk>";
const UNKNOWN_CHANCE = -30; // the log probability of a letter that no piece has

/** @typedef {{ dtype: string, shape: number[], data_offsets: [number, number] }} Stored */
/** @typedef {{ pieces: string[], absent: string[], weights: Float32Array }} Reading by layer, head, query and key */

/** Read the file of weights (book/models/README.md). @param {ArrayBuffer} file */
export async function open(file) {
  const start = 8 + Number(new DataView(file).getBigUint64(0, true));
  /** @type {Record<string, Stored>} */
  const tensors = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 8, start - 8)));
  delete tensors.__metadata__;
  const end = Math.max(...Object.values(tensors).map(({ data_offsets }) => data_offsets[1]));
  if (file.byteLength !== start + end) throw new Error(`the weights must have ${start + end} bytes, not ${file.byteLength}`);
  const raw = (/** @type {string} */ name) => {
    const [first, last] = tensors[name].data_offsets;
    return file.slice(start + first, start + last);
  };
  const floats = (/** @type {string} */ name) => new Float32Array(raw(name));
  const texts = new TextDecoder().decode(await inflated(raw("pieces"))).split("\n");
  const chances = new Float32Array(await inflated(raw("chances")));
  const pieces = new Map(texts.map((text, i) => [text, { number: i, chance: chances[i] }]));
  const rows = new Map(Array.from(new Int32Array(raw("kept")), (number, row) => [number, row]));
  return { tensors, raw, floats, pieces, rows };
}

/** @param {ArrayBuffer} bytes compressed by zlib */
function inflated(bytes) {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

/** Cut a text into pieces, the two end marks included. @param {any} excerpt @param {string} text @returns {string[]} */
export function cut({ pieces }, text) {
  const words = text.normalize("NFKC").split(/\s+/u).filter(Boolean);
  const line = Array.from(`▁${words.join("▁")}`);
  /** For each length: the best sum, the last piece, and where it begins. @type {[number, string, number][]} */
  const best = [[0, "", 0]];
  for (let end = 1; end <= line.length; end += 1) {
    /** @type {[number, string, number]} */
    let way = [-Infinity, "", 0];
    for (let from = Math.max(0, end - LONGEST); from < end; from += 1) {
      const known = pieces.get(line.slice(from, end).join(""));
      if (!known && end - from > 1) continue;
      const sum = best[from][0] + (known?.chance ?? UNKNOWN_CHANCE);
      if (sum > way[0]) way = [sum, known ? line.slice(from, end).join("") : UNKNOWN, from];
    }
    best.push(way);
  }
  const found = ["</s>"];
  for (let end = line.length; end > 0; end = best[end][2]) found.push(best[end][1]);
  return [...found, "<s>"].reverse();
}

/**
 * What all heads look at in a text that was cut; nothing where the excerpt lacks the vector of a piece.
 * @param {any} excerpt @param {string[]} pieces @param {(layer: number) => void} [progress] @returns {Reading}
 */
export function read(excerpt, pieces, progress) {
  const numbers = pieces.map((piece) => excerpt.pieces.get(piece).number);
  const absent = [...new Set(pieces.filter((_, i) => !excerpt.rows.has(numbers[i])))];
  if (absent.length) return { pieces, absent, weights: new Float32Array() };
  const rows = numbers.map((number) => excerpt.rows.get(number));
  const N = rows.length;
  const weights = new Float32Array(LAYERS * HEADS * N * N);
  let X = embedded(excerpt, rows);
  for (let layer = 0; layer < LAYERS; layer += 1) {
    X = after(excerpt, `layers.${layer}`, X, weights.subarray(layer * HEADS * N * N, (layer + 1) * HEADS * N * N));
    progress?.(layer + 1);
  }
  return { pieces, absent, weights };
}

/** The vectors of pieces, (N, 384), each told where it stands. */
function embedded(excerpt, /** @type {number[]} */ rows) {
  const row = unpacker(excerpt, "words");
  const [kind, places] = [excerpt.floats("kind"), excerpt.floats("places")];
  const X = new Float32Array(rows.length * SIZE);
  rows.forEach((one, n) => row(one).forEach((x, k) => (X[n * SIZE + k] = x + kind[k] + places[n * SIZE + k])));
  return normed(excerpt, "norm", X);
}

/** The vectors after a layer; its heads' weights, (H, N, N), are written into `weights`. */
function after(excerpt, name, X, weights) {
  const [q, k, v] = ["q", "k", "v"].map((one) => product(excerpt, `${name}.attention.W_${one}`, X, SIZE));
  const seen = attended(q, k, v, weights);
  X = normed(excerpt, `${name}.norm1`, sum(X, product(excerpt, `${name}.attention.W_o`, seen, SIZE)));
  const up = product(excerpt, `${name}.up`, X, INNER).map(gelu);
  return normed(excerpt, `${name}.norm2`, sum(X, product(excerpt, `${name}.down`, up, SIZE)));
}

/** The output of twelve heads side by side, (N, 384). */
function attended(q, k, v, weights) {
  const N = q.length / SIZE;
  const output = new Float32Array(N * SIZE);
  for (let h = 0; h < HEADS; h += 1) {
    for (let i = 0; i < N; i += 1) {
      const row = weights.subarray((h * N + i) * N, (h * N + i + 1) * N);
      const from = h * FEATURES;
      for (let j = 0; j < N; j += 1) {
        let score = 0;
        for (let d = from; d < from + FEATURES; d += 1) score += q[i * SIZE + d] * k[j * SIZE + d];
        row[j] = score / Math.sqrt(FEATURES);
      }
      softmax(row);
      for (let j = 0; j < N; j += 1) {
        for (let d = from; d < from + FEATURES; d += 1) output[i * SIZE + d] += row[j] * v[j * SIZE + d];
      }
    }
  }
  return output;
}

function softmax(/** @type {Float32Array} */ row) {
  const most = Math.max(...row);
  let total = 0;
  row.forEach((score, j) => (total += row[j] = Math.exp(score - most)));
  row.forEach((part, j) => (row[j] = part / total));
}

/** X times a stored matrix with `width` rows, plus its bias: (N, width). Its rows are unpacked one by one. */
function product(excerpt, name, X, width) {
  const row = unpacker(excerpt, name);
  const bias = excerpt.floats(`${name}.bias`);
  const size = row(0).length;
  const Y = new Float32Array((X.length / size) * width);
  for (let o = 0; o < width; o += 1) {
    const w = row(o);
    for (let n = 0, at = 0; at < X.length; n += 1) {
      let total = bias[o];
      for (let k = 0; k < size; k += 1, at += 1) total += w[k] * X[at];
      Y[n * width + o] = total;
    }
  }
  return Y;
}

/** A function that gives a row of a matrix of four bits a number; the same array each time. */
function unpacker({ tensors, raw }, name) {
  const [, blocks] = tensors[`${name}.factors`].shape;
  const factors = new Uint16Array(raw(`${name}.factors`));
  const packed = new Uint8Array(raw(`${name}.packed`));
  const row = new Float32Array(32 * blocks);
  return (/** @type {number} */ at) => {
    for (let b = at * blocks, k = 0; b < (at + 1) * blocks; b += 1, k += 16) {
      const factor = half(factors[b]);
      for (let i = 16 * b; i < 16 * (b + 1); i += 1, k += 1) {
        row[k] = ((packed[i] & 15) - 8) * factor;
        row[k + 16] = ((packed[i] >> 4) - 8) * factor;
      }
    }
    return row;
  };
}

/** A number of half precision from its bits. */
function half(/** @type {number} */ bits) {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  return (bits >> 15 ? -1 : 1) * (exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction);
}

/** Each vector with mean 0 and variance 1, then scaled and moved. */
function normed(excerpt, name, X) {
  const [gain, bias] = [excerpt.floats(`${name}.weight`), excerpt.floats(`${name}.bias`)];
  for (let n = 0; n < X.length; n += SIZE) {
    const x = X.subarray(n, n + SIZE);
    const mean = x.reduce((total, one) => total + one, 0) / SIZE;
    const variance = x.reduce((total, one) => total + (one - mean) ** 2, 0) / SIZE;
    const scale = 1 / Math.sqrt(variance + EPS);
    x.forEach((one, k) => (x[k] = (one - mean) * scale * gain[k] + bias[k]));
  }
  return X;
}

const sum = (X, Y) => X.map((x, i) => x + Y[i]);

const gelu = (/** @type {number} */ x) => (x / 2) * (1 + erf(x / Math.SQRT2));

/** The error function to 1.5e-7: Abramowitz and Stegun (1964), 7.1.26. */
function erf(/** @type {number} */ x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - series * Math.exp(-x * x));
}

// Parameters in eight bits, as attn_lib/examples/eight_bits.py stores them.

/** @typedef {import("./scoring.js").Vector} Vector */
/** @typedef {import("./scoring.js").Matrix} Matrix */

/**
 * The parameters of a stored model as numbers, by their names in torch.
 * @param {Record<string, { shape: number[], factor: number, data: string }>} stored
 * @returns {Record<string, any>} a number, a vector or a matrix each
 */
export function restored(stored) {
  return Object.fromEntries(Object.entries(stored).map(([name, parameter]) => [name, restore(parameter)]));
}

/** @returns {number | Vector | Matrix} */
function restore({ shape, factor, data }) {
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  // In 32 bits, as torch has them.
  const flat = Array.from(new Int8Array(bytes.buffer), (whole) => Math.fround(whole * Math.fround(factor)));
  if (shape.length < 2) return shape.length ? flat : flat[0];
  return Array.from({ length: shape[0] }, (_, i) => flat.slice(i * shape[1], (i + 1) * shape[1]));
}

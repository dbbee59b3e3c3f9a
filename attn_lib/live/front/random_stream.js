// The small random number generator of attn_lib/random_stream.py: both hosts show the same draws.

/** Number `n` of a stream, counted from 1: uniform from 0 up to 1. */
function uniform(seed, n) {
  const state = (seed + Math.imul(n, 0x6d2b79f5)) | 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

/**
 * Draw uniform numbers from 0 up to 1.
 * @param {number} seed the stream
 * @param {number} count
 * @param {{ start?: number }} [options] how many numbers of the stream to leave out first
 * @returns {number[]}
 */
export function mulberry32(seed, count, { start = 0 } = {}) {
  return Array.from({ length: count }, (_, i) => uniform(seed, start + i + 1));
}

/**
 * Draw standard normal numbers, each from two uniform ones (Box and Muller's cosine).
 * @param {number} seed the stream
 * @param {number} count
 * @param {{ start?: number }} [options] how many normal numbers of the stream to leave out first
 * @returns {number[]}
 */
export function normals(seed, count, { start = 0 } = {}) {
  const drawn = [];
  for (let n = 2 * start + 1; drawn.length < count; n += 2) {
    const first = Math.max(uniform(seed, n), 2 ** -33); // the logarithm of 0 would be infinite
    drawn.push(Math.sqrt(-2 * Math.log(first)) * Math.cos(2 * Math.PI * uniform(seed, n + 1)));
  }
  return drawn;
}

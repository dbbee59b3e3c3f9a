// The small random number generator of attn_lib/random_stream.py: both hosts show the same draws.

/**
 * Draw uniform numbers from 0 up to 1.
 * @param {number} seed the stream
 * @param {number} count
 * @param {{ start?: number }} [options] how many numbers of the stream to leave out first
 * @returns {number[]}
 */
export function mulberry32(seed, count, { start = 0 } = {}) {
  const drawn = [];
  for (let i = 0; i < count; i += 1) {
    const state = (seed + Math.imul(start + i + 1, 0x6d2b79f5)) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    drawn.push(((t ^ (t >>> 14)) >>> 0) / 2 ** 32);
  }
  return drawn;
}

/**
 * Draw standard normal numbers, each from two uniform ones (Box and Muller's cosine).
 * @param {number} seed the stream
 * @param {number} count
 * @param {{ start?: number }} [options] how many normal numbers of the stream to leave out first
 * @returns {number[]}
 */
export function normals(seed, count, { start = 0 } = {}) {
  const u = mulberry32(seed, 2 * count, { start: 2 * start });
  const drawn = [];
  for (let i = 0; i < count; i += 1) {
    drawn.push(Math.sqrt(-2 * Math.log(u[2 * i])) * Math.cos(2 * Math.PI * u[2 * i + 1]));
  }
  return drawn;
}

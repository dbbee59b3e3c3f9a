// Keeps texts that name places on one line off one another.

/** Places in their order, so far apart, and none beyond the last. */
export function spread(/** @type {number[]} */ places, /** @type {number} */ apart, /** @type {number} */ last) {
  const order = places.map((_, i) => i).sort((a, b) => places[a] - places[b] || a - b);
  const put = [...places];
  for (let n = 1; n < put.length; n += 1) put[order[n]] = Math.max(put[order[n]], put[order[n - 1]] + apart);
  let limit = last;
  for (const i of order.reverse()) {
    put[i] = Math.min(put[i], limit);
    limit = put[i] - apart;
  }
  return put;
}

// Figure `cost`: what does blocking save? The twin of __init__.py.

const FLOAT = 4; // bytes
const [SMALLEST, LARGEST, ROOM] = [2 ** 2, 2 ** 36, 2 ** 34];
const UNITS = ["B", "KiB", "MiB", "GiB"];

/** @param {Record<string, any>} state */
export function compute({ n: [Q, K], h: H, t: T }) {
  const scores = FLOAT * Q * K;
  const sums = FLOAT * Q * K * H;
  const block = FLOAT * Math.min(T, Q) * K * H;
  // The direct form, blocks, the dot product: all make scores, and two make sums on the way.
  const onTheWay = [sums, block, null];
  const largest = onTheWay.map((size) => Math.max(scores, size ?? 0));
  const what = T >= Q ? "whole" : block > scores ? "block" : "scores";
  return {
    parts: {
      memory: {
        rows: onTheWay.map((size, i) => [scores, size, largest[i]]),
        places: onTheWay.map((size) => [place(scores), place(size)]),
        sizes: largest.map(bytesText),
      },
      operations: {
        rows: [
          [4 * Q * K * H, 4 * Q * K * H, 2 * Q * K * H],
          [Q * K * H, Q * K * H, 0],
        ],
      },
    },
    slots: {
      Q: String(Q),
      K: String(K),
      H: String(H),
      T: String(T),
      direct: bytesText(largest[0]),
      blocked: bytesText(largest[1]),
      dot: bytesText(largest[2]),
      block: bytesText(block),
    },
    summary: sums > ROOM ? ["sizes", what, "too_large"] : ["sizes", what],
    main: "blocked",
  };
}

/** A number of bytes in the largest unit that divides it. */
function bytesText(size) {
  let unit = 0;
  while (size >= 1024 && size % 1024 === 0 && unit + 1 < UNITS.length) {
    size /= 1024;
    unit += 1;
  }
  return `${size} ${UNITS[unit]}`;
}

/** Where a size lies on the logarithmic axis, from 0 to 1. */
function place(size) {
  return size === null ? null : Math.log2(size / SMALLEST) / Math.log2(LARGEST / SMALLEST);
}

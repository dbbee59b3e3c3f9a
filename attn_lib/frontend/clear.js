// Finds places for texts in a drawing where they lie neither on lines nor on one another.

// What a later choice costs: less than to lie on anything.
const LATER = 0.01;
// What it costs that a text lies on another: more than on all pieces of a curve, for neither can be read.
const TOGETHER = 100;

/** @typedef {{ x: number, y: number, width: number, height: number }} Box its upper left corner and its size, in pixels */
/** @typedef {[[number, number], [number, number]]} Line from one point to another */

/**
 * Choose a place for each text, so that as few as possible lie on something; of equals the first.
 * @param {Box[][]} choices the places for each text, the best one first; few, for all combinations are tried
 * @param {Line[]} lines @param {Box[]} [taken] what else is to be seen
 * @returns {Box[]}
 */
export function clear(choices, lines, taken = []) {
  const lone = choices.map((boxes) =>
    boxes.map((box, rank) => {
      const crossed = lines.filter((line) => passes(line, box)).length;
      return crossed + taken.filter((other) => meet(box, other)).length + rank * LATER;
    }),
  );
  let best = { cost: Infinity, boxes: [] };
  const choose = (/** @type {number} */ cost, /** @type {Box[]} */ boxes) => {
    const i = boxes.length;
    if (cost >= best.cost) return;
    if (i === choices.length) best = { cost, boxes };
    else {
      choices[i].forEach((box, j) => {
        choose(cost + lone[i][j] + TOGETHER * boxes.filter((other) => meet(box, other)).length, [...boxes, box]);
      });
    }
  };
  choose(0, []);
  return best.boxes;
}

/** Whether two boxes overlap. */
function meet(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Whether a line passes through a box: the part of it within the box's width and the one within its height overlap. */
function passes([[x, y], [u, v]], box) {
  let [enter, leave] = [0, 1];
  for (const [start, way, low, size] of [
    [x, u - x, box.x, box.width],
    [y, v - y, box.y, box.height],
  ]) {
    if (way === 0 && (start <= low || start >= low + size)) return false;
    if (way === 0) continue;
    const shares = [(low - start) / way, (low + size - start) / way];
    enter = Math.max(enter, Math.min(...shares));
    leave = Math.min(leave, Math.max(...shares));
  }
  return enter < leave;
}

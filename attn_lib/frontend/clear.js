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
      let crossed = rank * LATER;
      for (const line of lines) if (passes(line, box)) crossed += 1;
      for (const other of taken) if (meet(box, other)) crossed += 1;
      return crossed;
    }),
  );
  let [least, best] = [Infinity, /** @type {Box[]} */ ([])];
  const chosen = /** @type {Box[]} */ ([]);
  const choose = (/** @type {number} */ cost) => {
    if (cost >= least) return;
    const i = chosen.length;
    if (i === choices.length) {
      [least, best] = [cost, [...chosen]];
      return;
    }
    choices[i].forEach((box, j) => {
      let dearer = cost + lone[i][j];
      for (const other of chosen) if (meet(box, other)) dearer += TOGETHER;
      chosen.push(box);
      choose(dearer);
      chosen.pop();
    });
  };
  choose(0);
  return best;
}

/** Whether two boxes overlap. */
function meet(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Whether a line passes through a box: seen along neither axis, nor along the line, does one lie beside the other. */
function passes([from, to], { x, y, width, height }) {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  // From the middle of the box to that of the line.
  const across = (from[0] + to[0] - width) / 2 - x;
  const down = (from[1] + to[1] - height) / 2 - y;
  const long = Math.abs(dx);
  const high = Math.abs(dy);
  if (2 * Math.abs(across) >= long + width || 2 * Math.abs(down) >= high + height) return false;
  return (dx === 0 && dy === 0) || 2 * Math.abs(across * dy - down * dx) < high * width + long * height;
}

// Label placement: finds places for the texts of a drawing where they overlap neither lines nor one another.

// Each rank below the first choice costs less than any overlap.
const RANK_COST = 0.01;
// Two texts on one another cost more than one on all pieces of a curve, for neither can be read.
const OVERLAP_COST = 100;

/** @typedef {{ x: number, y: number, width: number, height: number }} Box its upper left corner and its size, in pixels */
/** @typedef {import("./svg.js").Point[]} Line from one point to another */

/**
 * Choose a place for each text, so that overlaps are fewest; of equal choices the first.
 * @param {Box[][]} choices the places for each text, the best one first; few, for all combinations are tried
 * @param {Line[]} lines @param {Box[]} [taken] what else is to be seen
 * @returns {Box[]}
 */
export function placeLabels(choices, lines, taken = []) {
  // The cost of each place by itself.
  const alone = choices.map((boxes) =>
    boxes.map((box, rank) => {
      let own = rank * RANK_COST;
      for (const line of lines) if (crosses(line, box)) own += 1;
      for (const other of taken) if (overlap(box, other)) own += 1;
      return own;
    }),
  );
  let [lowest, best] = [Infinity, /** @type {Box[]} */ ([])];
  const chosen = /** @type {Box[]} */ ([]);
  const choose = (/** @type {number} */ cost) => {
    if (cost >= lowest) return;
    const i = chosen.length;
    if (i === choices.length) {
      [lowest, best] = [cost, [...chosen]];
      return;
    }
    choices[i].forEach((box, j) => {
      let sum = cost + alone[i][j];
      for (const other of chosen) if (overlap(box, other)) sum += OVERLAP_COST;
      chosen.push(box);
      choose(sum);
      chosen.pop();
    });
  };
  choose(0);
  return best;
}

/** Whether two boxes overlap. @param {Box} a @param {Box} b */
export function overlap(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/**
 * Whether a line passes through a box: neither axis of the drawing nor the one across the line separates them.
 * @param {Line} line @param {Box} box
 */
function crosses([from, to], { x, y, width, height }) {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  // From the middle of the box to the middle of the line.
  const across = (from[0] + to[0] - width) / 2 - x;
  const down = (from[1] + to[1] - height) / 2 - y;
  const long = Math.abs(dx);
  const high = Math.abs(dy);
  if (2 * Math.abs(across) >= long + width || 2 * Math.abs(down) >= high + height) return false;
  return (dx === 0 && dy === 0) || 2 * Math.abs(across * dy - down * dx) < high * width + long * height;
}

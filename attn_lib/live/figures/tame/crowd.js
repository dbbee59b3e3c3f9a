// Where the words of a text lie as a crowd: cats in the middle, around it every other word, each a disc whose area is its
// weight. All discs together have one area, so what cats loses the crowd wins.

// The radius of a disc that has all the weight; the crowd reaches about as far as 1, as discs have gaps between them.
export const ALL = 0.8;
const GAP = 0.012;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
// So few discs are pushed together by hand, in so many rounds; so many can't be told apart.
const FEW = 61;
const ROUNDS = 40;
const MANY = 4000;

/** @typedef {{ x: number, y: number, r: number, kind: number }} Disc its kind: which of the four words */

/**
 * Cats and the other words, in turns, from the middle outwards; too many to be told apart are none.
 * @param {number[]} weights of cats, and of one word of each other kind @param {number} n words
 * @returns {{ discs: Disc[], reach: number }} and how far they reach
 */
export function crowd(weights, n) {
  const radii = weights.map((weight) => ALL * Math.sqrt(weight));
  const discs = [{ x: 0, y: 0, r: radii[0], kind: 0 }];
  if (n > MANY) return { discs, reach: Math.sqrt(radii[0] ** 2 + 1 - weights[0]) };
  let within = 0; // the weight of those before
  for (let i = 1; i < n; i += 1) {
    const kind = 1 + ((i - 1) % 3);
    const far = Math.sqrt((radii[0] + radii[kind] + GAP) ** 2 + within + weights[kind] / 2);
    within += weights[kind];
    const turn = (i - 1) * GOLDEN - 1.1;
    discs.push({ x: far * Math.cos(turn), y: far * Math.sin(turn), r: radii[kind], kind });
  }
  if (n <= FEW) settle(discs);
  return { discs, reach: Math.max(...discs.map(({ x, y, r }) => Math.hypot(x, y) + r)) };
}

/** Pull discs to the middle and push them off each other; then their box has its middle there. @param {Disc[]} discs */
function settle(discs) {
  for (let round = 0; round < ROUNDS; round += 1) {
    const nearer = 0.985 + (0.015 * round) / ROUNDS; // in the end they are only pushed
    for (const disc of discs.slice(1)) {
      disc.x *= nearer;
      disc.y *= nearer;
      for (const other of discs) if (other !== disc) push(disc, other, other === discs[0]);
    }
  }
  for (const axis of /** @type {const} */ (["x", "y"])) {
    const ends = [Math.min(...discs.map((disc) => disc[axis] - disc.r)), Math.max(...discs.map((disc) => disc[axis] + disc.r))];
    for (const disc of discs) disc[axis] -= (ends[0] + ends[1]) / 2;
  }
}

/** @param {Disc} disc @param {Disc} other @param {boolean} firm whether the other one stays */
function push(disc, other, firm) {
  const [x, y] = [disc.x - other.x, disc.y - other.y];
  const apart = Math.hypot(x, y);
  const over = disc.r + other.r + GAP - apart;
  if (over <= 0) return;
  const share = ((firm ? 1 : 0.5) * over) / apart;
  disc.x += x * share;
  disc.y += y * share;
  if (firm) return;
  other.x -= x * share;
  other.y -= y * share;
}

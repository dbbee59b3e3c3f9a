// Figure `position`: how does a score know how far apart two words are? The browser's port of __init__.py.

import { enclosed, formatNumber, formatWeight, relation } from "../../front/numbers.js";

const KINDS = ["none", "added", "alibi", "t5", "rope"];
// Kinds whose score a dial shows, and those whose bias the small bells of the heads show.
const [DIALS, HEADS] = [["added", "rope"], ["alibi", "t5"]];
const MOST_HEADS = 8;
const CODE = 0.5; // entries of a code beside entries of the word, which are 1
// How finely a curve is drawn where it may bend between two words.
const FINE = 4;
const [FEW, SIDE] = [48, 16];
// So far from its query a small bell is drawn, and so far before it the fold lists scores.
const NEAR = 16;
const DISTANCES = [0, 1, 2, 3, 4, 8, 16, 24];
// Near a whole number of turns a single dial is as good as not turned.
const AS_GOOD = 0.95;
const TURN = 2 * Math.PI;
// Arrows disagree from the one angle on, and up to the other the slower dials have hardly turned.
const [DISAGREE, HARDLY] = [TURN / 8, TURN / 24];

/** @typedef {{ word: string, nearest: Record<string, number[]> }} Data the nearest distance of each of T5's buckets */

/** @param {Record<string, any>} state @param {Data} data */
export function compute(state, { nearest }) {
  const { kind, i, j, start, m, future } = state;
  const loud = Number(state.loud);
  const masked = future === "masked";
  const hidden = masked && j > i;
  const slope = slopeOf(m);
  const reach = (/** @type {number} */ ahead) => bucketOf(ahead, nearest[future], masked);
  const score = (/** @type {string} */ name, /** @type {number} */ place, begin = start) => {
    if (DIALS.includes(name)) return dialScore(name, state, place, begin);
    if (name === "none") return loud;
    return loud - slope * (name === "alibi" ? Math.abs(i - place) : reach(place - i)[1]);
  };

  const [own, found] = [score(kind, i), score(kind, j)];
  const weight = hidden ? 0 : Math.exp(found - own);
  const fine = DIALS.includes(kind) && Number(state.span) === FEW ? FINE : 1;
  const showsWeight = state.y === "weight" && kind !== "added";
  const line = Array.from({ length: Number(state.span) * fine + 1 }, (_, n) => {
    const one = score(kind, n / fine);
    return showsWeight ? Math.exp(one - own) : one;
  });
  const apart = Math.abs(i - j);
  const turns = speeds(state.p, state.base).map((speed) => apart * speed);
  const [bucket] = reach(j - i);
  const degrees = degreesOf(turns[0]);
  return {
    parts: {
      scores: { rows: KINDS.map((name) => DISTANCES.map((r) => (r <= i ? score(name, i - r) : null))) },
      curve: { line, fine, weight: showsWeight },
      pair: { shown: showsWeight ? weight : found, score: found, own, hidden },
      dials: dials(state),
      bells: HEADS.includes(kind) ? bells(kind, masked, reach) : [],
    },
    slots: {
      pi: String(start + i),
      pj: String(start + j),
      r: String(apart),
      s: hidden ? "−∞" : formatNumber(found, 3),
      w: formatWeight(weight),
      loud: state.loud,
      slope: `1/${2 ** m}`,
      is: relation(found, 3),
      factor: enclosed(formatNumber(-slope * apart, null)),
      bucket: String(bucket),
      number: formatNumber(kind === "t5" ? found - loud : 0, null),
      angle: degrees,
      slow: degreesOf(turns.at(-1)),
      s0: formatNumber(score("added", j, 0), 3),
      about: about(kind, apart, degrees, bucket, slope),
    },
    summary: hidden ? ["hidden"] : summary(state, apart, turns, found > AS_GOOD * loud),
  };
}

/** The sentences that say how the score comes about. @param {any} state @param {number} apart @param {number[]} turns of the dials @param {boolean} agrees */
function summary({ kind, start, p }, apart, turns, agrees) {
  if (kind === "added") return start ? ["added", "added_moved"] : ["added"];
  if (HEADS.includes(kind)) return apart ? [kind, `${kind}_so`] : [`${kind}_same`];
  if (kind === "none") return ["none"];
  if (!apart) return ["rope_same"];
  if (p > 1) {
    // The slower half has turned no more than the fastest of it.
    const isSpread = p > 2 && angleOf(turns[0]) >= DISAGREE && turns[p / 2] <= HARDLY;
    return [isSpread ? "rope_many" : "rope_dials", "rope_sum"];
  }
  if (apart > TURN / 2 && agrees) return ["rope", "rope_whole"];
  return start ? ["rope", "rope_moved"] : ["rope"];
}

/** The number that this kind makes of the distance. */
function about(kind, apart, degrees, bucket, slope) {
  if (kind === "rope") return `${degrees}°`;
  if (kind === "alibi") return formatNumber(-slope * apart, relation(slope * apart, 3) === "=" ? null : 3);
  if (kind === "t5") return String(bucket);
  return kind === "none" ? "0" : formatNumber(CODE, null);
}

/** The angle between two arrows of which one has turned by so much more, at most pi. @param {number} turned */
function angleOf(turned) {
  return Math.min(turned % TURN, TURN - (turned % TURN));
}

/** An angle in whole degrees; one that would read as 0, in hundredths. @param {number} turned */
function degreesOf(turned) {
  const degrees = (angleOf(turned) * 360) / TURN;
  return formatNumber(degrees, degrees >= 0.5 || !degrees ? 0 : 2);
}

/** The slope of a head, counted from 1. @param {number} head */
function slopeOf(head) {
  return 2 ** ((-8 * head) / MOST_HEADS);
}

/** T5's bucket of a key so many words after the query, and the nearest distance that shares it. */
function bucketOf(ahead, nearest, masked) {
  if (masked && ahead > 0) return [0, 0];
  const apart = Math.abs(ahead);
  let bucket = nearest.length - 1;
  while (nearest[bucket] > apart) bucket -= 1;
  return [bucket + (ahead > 0 ? SIDE : 0), nearest[bucket]];
}

/** @type {Map<string, number[]>} */
const known = new Map();

/** How far each dial turns at every word. @param {number} pairs @param {number} base */
function speeds(pairs, base) {
  const name = `${pairs} ${base}`;
  if (!known.has(name)) known.set(name, Array.from({ length: pairs }, (_, n) => base ** (-n / pairs)));
  return known.get(name);
}

/**
 * The score with places that turn the word, or with codes that are added to it.
 * @param {string} kind @param {any} state @param {number} place @param {number} begin
 */
function dialScore(kind, { p, base, i, loud }, place, begin) {
  let sum = 0;
  for (const speed of speeds(p, base)) {
    if (kind === "rope") sum += 2 * Math.cos((i - place) * speed);
    else {
      const [a, b] = [(begin + i) * speed, (begin + place) * speed];
      sum += (1 + CODE * Math.cos(a)) * (1 + CODE * Math.cos(b)) + (1 + CODE * Math.sin(a)) * (1 + CODE * Math.sin(b));
    }
  }
  return (sum * loud) / 2 / p;
}

/** The tips of both arrows on every dial, the word itself being (1, 1). @param {any} state */
function dials({ kind, p, base, start, i, j }) {
  const [query, key] = [i, j].map((place) =>
    speeds(p, base).map((speed) => {
      const angle = kind === "none" || HEADS.includes(kind) ? 0 : (start + place) * speed;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      return kind === "added" ? [1 + CODE * c, 1 + CODE * s] : [c - s, s + c];
    }),
  );
  return { query, key };
}

/** What each head leaves of the weight of the words around its query. */
function bells(kind, masked, reach) {
  const around = Array.from({ length: 2 * NEAR + 1 }, (_, n) => n - NEAR);
  return Array.from({ length: MOST_HEADS }, (_, head) =>
    around.map((ahead) => {
      if (masked && ahead > 0) return 0;
      return Math.exp(-slopeOf(head + 1) * (kind === "t5" ? reach(ahead)[1] : Math.abs(ahead)));
    }),
  );
}

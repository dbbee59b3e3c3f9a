// Figure `race`: three networks learn one task, and only the divisor of their scores differs. The browser's port of
// __init__.py; record.json has the races.

import RECORD from "./record.json" with { type: "json" };
import { formatNumber } from "../../front/numbers.js";

const SIZES = [16, 32, 64, 128, 256, 512];
const RATES = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000];
const DIVISORS = ["none", "sqrt", "d"];
const TESTS = 64;
// Which sentence says what became of a network: losses, and shares of them.
const [LEARNED, LOST, WHISPERED] = [0.1, 1.1, 0.5];
const [BELIEVED, FINDS, FEW, STEADY] = [0.9, 0.4, 0.8, 0.03];
const LATE = 15;

/** @param {Record<string, any>} state */
export function compute({ opt, d, lr }) {
  const [at, row] = [RATES.indexOf(lr), SIZES.indexOf(d)];
  const keys = DIVISORS.map((divisor) => `${opt} ${divisor} ${d}`);
  const curves = keys.map((key) => numbers(RECORD.curves[key][at]));
  const largest = DIVISORS.map((divisor) => RECORD.largest[`${divisor} ${d}`]);
  const found = keys.map((key) => RECORD.found[key][at]);
  const maps = DIVISORS.map((divisor) => SIZES.map((size) => numbers(RECORD.medians[`${opt} ${divisor} ${size}`])));
  const kinds = DIVISORS.map((divisor, i) => kindOf(divisor, curves[i], largest[i], found[i]));
  const ends = curves.map((curve) => formatNumber(curve.at(-1), 2));
  return {
    parts: {
      race: { rows: curves.map((curve, i) => [largest[i], curve[0], curve.at(-1), found[i] / TESTS]) },
      curves: { lines: curves },
      field: { losses: maps, row, at },
      medians: { rows: RATES.map((_, i) => maps.map((losses) => losses[row][i])) },
    },
    slots: {
      d: String(d),
      rate: formatNumber(lr, null),
      l1: ends[0],
      l2: ends[1],
      l3: ends[2],
      w: formatNumber(largest[0], 2),
      found: String(found[2]),
    },
    summary: [opt, ...told(kinds)],
  };
}

/** What `hundredths` in record.py wrote. @param {string} written */
function numbers(written) {
  return Array.from({ length: written.length / 2 }, (_, i) => parseInt(written.slice(2 * i, 2 * i + 2), 16) / 100);
}

/** The names of the sentences: one for all three, or a pair for each. */
function told(kinds) {
  if (kinds.every((kind) => kind.startsWith("learned"))) return ["all_learned"];
  if (["lost", "slow"].includes(kinds[0]) && kinds.every((kind) => kind === kinds[0])) return [`all_${kinds[0]}`];
  return DIVISORS.flatMap((divisor, i) => [divisor, kinds[i]]);
}

/** Which sentence says what became of a network. */
function kindOf(divisor, curve, largest, found) {
  const [start, end] = [curve[0], curve.at(-1)];
  if (end < LEARNED) return largest > BELIEVED ? "learned_sure" : "learned";
  if (divisor === "d" && end > WHISPERED && found > FINDS * TESTS) return "whisper";
  const way = curve.slice(1).reduce((sum, after, i) => sum + Math.abs(after - curve[i]), 0);
  if (way <= start - end + STEADY) return end < FEW * start ? "learning" : "slow";
  if (end < FEW * start && end <= curve[LATE]) return "learning";
  return end > LOST ? "lost" : "unsteady";
}

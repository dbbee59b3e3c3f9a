// Figure `model`: what the heads of a real model look at. The browser's port of __init__.py; the maps of the notebook's
// language are fetched when the figure is first used.

import { formatNumber, neverExact } from "../../front/numbers.js";
import { load } from "../../front/loader.js";

/** @typedef {{ pieces: string[], twins: number[][], values: [number, number][], found: number[], bytes: Record<string, Uint8Array>, encoded: Record<string, string> }} Stored */
/** @type {Map<string, Stored>} */
const fetched = new Map();

/**
 * Fetch the maps of a language.
 * @param {any} _state @param {{ language: string, sets: string[] }} data @returns {Promise<void> | undefined} undefined where they are there
 */
export function prepare(_state, { language, sets }) {
  if (fetched.has(language)) return undefined;
  return load(`maps/heads-${language}`).then(async (stored) => void fetched.set(language, await unpack(stored, sets)));
}

/** @param {any} stored @param {string[]} sets @returns {Promise<Stored>} */
async function unpack({ maps, ...stored }, sets) {
  const packed = Uint8Array.from(atob(maps), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const all = new Uint8Array(await new Response(stream).arrayBuffer());
  const queries = stored.pieces.length;
  const [bytes, encoded] = [{}, {}];
  let start = 0;
  for (const name of sets) {
    const end = start + 144 * (queries + Number(name === "pad")) * queries;
    bytes[name] = all.subarray(start, end);
    encoded[name] = btoa(Array.from(bytes[name], (byte) => String.fromCharCode(byte)).join(""));
    start = end;
  }
  return { ...stored, bytes, encoded };
}

/** @param {any} state @param {{ language: string, sets: string[], jobs: Record<string, number> }} data */
export function compute({ set, l, h, w }, { language, sets, jobs }) {
  const { pieces, twins, values, found, bytes, encoded } = fetched.get(language);
  const queries = pieces.length;
  const isPadded = set === "pad";
  const keys = queries + Number(isPadded);
  const first = (12 * (l - 1) + h - 1) * keys * queries;
  const at = (/** @type {number} */ key, /** @type {number} */ query) => bytes[set][first + key * queries + query];
  // Hundredths are rounded, so no weight reads as a bare 0 but that of masked padding.
  const masked = [...pieces.map(() => false), !isPadded];
  const names = pieces.map((piece) => piece.replace(/^▁/, "") || "␣");
  const asker = Math.min(w, queries) - 1;
  const row = Array.from({ length: keys }, (_, key) => at(key, asker));
  const top = row.indexOf(Math.max(...row));
  const last = queries - 1;
  const places = {
    before: (i) => [i - 1],
    after: (i) => [i + 1],
    same: (i) => twins[i],
    ends: () => [0, last],
    itself: (i) => [i],
  };
  const shareOf = (/** @type {string} */ job) => {
    const asked = names.map((_, i) => i).filter((i) => i > 0 && i < last && places[job](i).length > 0);
    return asked.reduce((sum, i) => sum + places[job](i).reduce((own, j) => own + at(j, i), 0), 0) / asked.length;
  };
  const job = Object.keys(jobs).find((name) => shareOf(name) > jobs[name]) ?? "none";
  const [mark, word] = values[l - 1];
  return {
    parts: {
      row: {
        rows: neverExact([...row, ...(isPadded ? [] : [0])].map((weight) => weight / 100), masked).map((weight) => [weight]),
        masked: masked.map((one) => [one]),
      },
      tiles: { keys, queries, bytes: encoded[set] },
      found: { rows: found.map((count) => [count]) },
    },
    slots: {
      head: `${l}.${h}`,
      layer: String(l),
      piece: names[asker],
      top: names[top] ?? "<pad>",
      w: formatNumber(row[top] / 100, 2),
      share: formatNumber(job === "none" ? 0 : shareOf(job) / 100, 2),
      found: String(found[sets.indexOf(set)]),
      mark: formatNumber(mark, 2),
      word: formatNumber(word, 2),
    },
    summary: [job, set],
    main: "w",
    about: `${l}.${h} ${asker}`,
  };
}

// Figure `model`: what the heads of a real model look at. The browser's port of __init__.py; the maps of the notebook's
// language are fetched: those of the right model with the page, those of the bugs when one of them is chosen.

import { formatNumber, neverExact } from "../../front/numbers.js";
import { load } from "../../front/loader.js";

/**
 * @typedef {object} Stored
 * @property {number[][]} twins @property {[number, number][]} values @property {number[]} found
 * @property {number} queries
 * @property {Record<string, Uint8Array>} bytes @property {Record<string, string>} encoded the maps of each state
 */
/** @type {Map<string, Stored>} */
const fetched = new Map();
/** What has come of each file, or is on its way. @type {Map<string, Promise<void>>} */
const coming = new Map();

// The picture is made of the maps.
export const atOnce = true;

/**
 * Fetch the maps that a state shows.
 * @param {{ set: string }} state @param {{ language: string, sets: string[] }} data
 * @returns {Promise<void> | undefined} undefined where they are there
 */
export function prepare({ set }, { language, sets: [right, ...bugs] }) {
  if (fetched.get(language)?.encoded[set]) return undefined;
  const heads = once(`maps/heads-${language}`, ({ maps, pieces, ...stored }) => {
    fetched.set(language, { ...stored, queries: pieces.length, bytes: {}, encoded: {} });
    return unpack(fetched.get(language), maps, [right]);
  });
  if (set === right) return heads;
  const all = () => once(`maps/bugs-${language}`, ({ maps }) => unpack(fetched.get(language), maps, bugs));
  return heads.then(all);
}

/**
 * Load a file and take what it brings, once unless that fails.
 * @param {string} name @param {(stored: any) => Promise<void>} take
 */
function once(name, take) {
  if (!coming.has(name)) coming.set(name, load(name).then(take));
  coming.get(name).catch(() => coming.delete(name));
  return coming.get(name);
}

/** @param {Stored} stored @param {string} maps @param {string[]} sets */
async function unpack({ queries, bytes, encoded }, maps, sets) {
  const packed = Uint8Array.from(atob(maps), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const all = new Uint8Array(await new Response(stream).arrayBuffer());
  let start = 0;
  for (const name of sets) {
    const end = start + 144 * (queries + Number(name === "pad")) * queries;
    bytes[name] = all.subarray(start, end);
    encoded[name] = btoa(Array.from(bytes[name], (byte) => String.fromCharCode(byte)).join(""));
    start = end;
  }
}

/** @param {any} state @param {{ language: string, sets: string[], jobs: Record<string, number>, pieces: string[] }} data */
export function compute({ set, l, h, w }, { language, sets, jobs, pieces: names }) {
  const { twins, values, found, queries, bytes, encoded } = fetched.get(language);
  const isPadded = set === "pad";
  const keys = queries + Number(isPadded);
  const first = (12 * (l - 1) + h - 1) * keys * queries;
  const at = (/** @type {number} */ key, /** @type {number} */ query) => bytes[set][first + key * queries + query];
  // Hundredths are rounded, so no weight reads as a bare 0 but that of masked padding.
  const masked = [...names.map(() => false), !isPadded];
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
    summary: set === sets[0] ? [job] : [job, set],
  };
}

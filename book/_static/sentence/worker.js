// Reads a typed sentence beside the page, which stays quick. The weights are fetched once.

import { cut, open, read } from "./e5.js";

let excerpt;

onmessage = async ({ data: { weights, text, most } }) => {
  try {
    excerpt ??= await open(await fetched(weights));
    const pieces = cut(excerpt, text);
    if (pieces.length > most) return postMessage({ long: pieces.length });
    const began = performance.now();
    const reading = read(excerpt, pieces, (layer) => postMessage({ layer }));
    postMessage({ reading, seconds: (performance.now() - began) / 1000 });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
};

/** Fetch a file and say on the way how much of it is there. @param {string} address */
async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const parts = [];
  const stream = answer.body.getReader();
  for (let loaded = 0, part = await stream.read(); !part.done; part = await stream.read()) {
    parts.push(part.value);
    loaded += part.value.length;
    postMessage({ loaded });
  }
  return new Blob(parts).arrayBuffer();
}
